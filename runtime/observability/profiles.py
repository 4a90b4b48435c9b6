"""Profiles: the time of runs, by the user's lines and by operations.

    with rt.profile() as profile:
        f(x)
    print(profile)                    tables
    profile.save("trace.json")        for chrome://tracing and ui.perfetto.dev

A profiled run uses a separate program (`engines/timing.py`), which runs one operation after the
other and reads the clock before and after each; that takes about 1 us.  A profile has the runs of
graphs in this thread and in contexts copied from it, but neither tracing nor other Python code.
"""

import json
import linecache
import os
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter_ns

from autograph.errors import shown_name
from runtime import config
from runtime.engines.timing import TimedSpan
from runtime.ir.graph import Graph, Location, Node, operand_type
from runtime.ir.regions import is_choice
from runtime.ir.text import ValueNames, key_of, lines_of
from runtime.observability.tables import columns, shown

MOST_EVENTS = 100_000  # of one profile; totals include later ones
REGIONS = {"body": "iteration", "then": "then", "orelse": "else"}


@dataclass(slots=True)
class Total:
    """The number of calls, and their time; `own` excludes nested spans."""

    calls: int = 0
    nanoseconds: int = 0
    own: int = 0


class ProfiledRun:
    """The times of one run of a graph.

    `enter` starts a span, given by its number, and `leave` ends the span that was entered last.
    Both are plain functions, because they are called often.
    """

    def __init__(self, whole: Graph, spans: list[TimedSpan], most_events: int):
        self.graph, self.whole, self.spans = whole.name, whole, spans
        self.thread = threading.get_ident()
        self.missing = 0  # events beyond the limit
        self.failed = False
        self._taken: list[int] = []  # number of a span, start, end; and so on
        self._totals: dict[int, list[int]] = {}
        self._open: list[list[int]] = []  # number, time of nested spans, start
        self.enter, self.leave = self._functions(most_events)
        self.start = self.end = perf_counter_ns()

    def _functions(self, most_events):
        taken, totals, spans_open, room = self._taken, self._totals, self._open, 3 * most_events

        def enter(number: int) -> None:
            spans_open.append([number, 0, perf_counter_ns()])

        def leave() -> None:
            end = perf_counter_ns()
            number, inside, start = spans_open.pop()
            time = end - start
            if spans_open:
                spans_open[-1][1] += time
            total = totals.get(number)
            if total is None:
                total = totals[number] = [0, 0, 0]
            total[0] += 1
            total[1] += time
            total[2] += time - inside
            if len(taken) < room:
                taken.extend((number, start, end))
            else:
                self.missing += 1

        return enter, leave

    def finish(self, failed: bool) -> None:
        """Ends the run, and the spans that an exception has left open."""
        while self._open:
            self.leave()
        self.end, self.failed = perf_counter_ns(), failed

    @property
    def totals(self) -> dict[int, Total]:
        """The total of each span, by its number."""
        return {number: Total(*total) for number, total in self._totals.items()}

    def by_key(self) -> dict[Hashable, Total]:
        """The total of each node with its regions, by the key of its line (`ir/text.py`)."""
        found: dict[Hashable, Total] = {}
        for number, total in self.totals.items():
            span = self.spans[number]
            calls = 0 if span.region else total.calls
            _add(found.setdefault(key_of(span.node), Total()), total, calls)
        return found

    @property
    def events(self) -> list[tuple[int, int, int]]:
        """The spans in the order in which they ended: number, start, end."""
        return list(zip(*(self._taken[i::3] for i in range(3)), strict=True))


@dataclass(repr=False)
class Profile:
    """The runs of graphs in a `with rt.profile()` block."""

    runs: list[ProfiledRun] = field(default_factory=list)
    _events: int = 0

    def __repr__(self) -> str:
        return f"<rt.Profile of {len(self.runs)} run{'s' * (len(self.runs) != 1)}>"

    @contextmanager
    def run(self, graph: Graph, spans: list[TimedSpan]) -> Iterator[ProfiledRun]:
        """Measures one run of an optimised graph."""
        run = ProfiledRun(graph, spans, MOST_EVENTS - self._events)
        self.runs.append(run)
        token = _run.set(run)
        failed = True
        try:
            yield run
            failed = False
        finally:
            _run.reset(token)
            run.finish(failed)
            self._events += len(run.events)

    @property
    def seconds(self) -> float:
        """The time of all runs, in seconds."""
        return sum(run.end - run.start for run in self.runs) / 1e9

    def by_line(self) -> dict[Location | None, Total]:
        """The total of each of the user's lines, without other lines nested in it; in the order of
        the source."""
        found: dict[Location | None, Total] = {}
        for run in self.runs:
            calls: dict[Location | None, int] = {}
            for number, total in run.totals.items():
                span = run.spans[number]
                line = _line(span.node.location)
                if not span.region:
                    calls[line] = max(calls.get(line, 0), total.calls)
                _add(found.setdefault(line, Total()), total, calls=0)
            for line, number_of_calls in calls.items():
                found[line].calls += number_of_calls
        return dict(sorted(found.items(), key=lambda item: item[0] or Location("", 0)))

    def by_op(self) -> dict[str, Total]:
        """The total of each operation with the types of its operands; the longest first.

        The `own` time of `if` and `loop` excludes the operations inside them.
        """
        found: dict[str, Total] = {}
        for run in self.runs:
            for number, total in run.totals.items():
                span = run.spans[number]
                calls = 0 if span.region else total.calls
                _add(found.setdefault(_operation(span), Total()), total, calls)
        return dict(sorted(found.items(), key=lambda item: -item[1].own))

    def by_node(self) -> dict[tuple[str, str], Total]:
        """The total of each node, by the name of its graph and its line there; in their order.

        The line is that of the text of the optimised graph: `print(concrete.optimized)`.  The `own`
        time of `cond` and `loop` excludes the nodes inside them.
        """
        found: dict[tuple[str, str], Total] = {}
        for run in self.runs:
            totals = run.by_key()
            for line in lines_of(run.whole, ValueNames()):
                if (total := totals.get(line.key)) is not None:
                    _add(found.setdefault((run.graph, line.text.strip()), Total()), total)
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the runs as a trace for chrome://tracing and ui.perfetto.dev (JSON).

        At most `MOST_EVENTS` operations are in it; `otherData` says how many are missing.
        """
        content = {
            "traceEvents": list(_events(self.runs)),
            "displayTimeUnit": "ns",
            "otherData": {"missing": sum(run.missing for run in self.runs)},
        }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)

    def __str__(self):
        if not self.runs:
            return "no graph has run"
        whole = sum(run.end - run.start for run in self.runs)
        graphs = ", ".join(dict.fromkeys(run.graph for run in self.runs))
        failed = sum(run.failed for run in self.runs)
        ended = f", {failed} of them with an exception" if failed else ""
        count = "1 run" if len(self.runs) == 1 else f"{len(self.runs)} runs"
        lines = [f"{count} of {graphs}{ended}: {shown(whole)}", ""]
        rows = [("line", "calls", "time", "share")]
        file = None
        for where, total in self.by_line().items():
            if where is not None and where.filename != file:
                file = where.filename
                rows.append((shown_name(file), "", "", ""))
            rows.append(_row(_source(where), total, whole))
        rows += [("", "", "", ""), ("operation", "calls", "time", "share")]
        rows += [_row(name, total, whole) for name, total in self.by_op().items()]
        return "\n".join([*lines, *columns(rows)])


def _add(sum_of: Total, total: Total, calls: int | None = None) -> None:
    sum_of.calls += total.calls if calls is None else calls
    sum_of.nanoseconds += total.nanoseconds
    sum_of.own += total.own


def _line(location):
    """A location without function and columns."""
    return location and Location(location.filename, location.lineno)


def _operation(span: TimedSpan) -> str:
    """An operation with the types of its operands: `matmul f64[2, 3], f64[3]`."""
    if span.node.regions:
        return _name(span.node)
    types = ", ".join(str(operand_type(operand)) for operand in span.node.inputs)
    return f"{_name(span.node)} {types}".rstrip()


def _name(node: Node) -> str:
    """The name of an operation in tables; a node that chooses between regions is an `if`."""
    return "if" if is_choice(node) else node.op.name.strip("_")


# -- tables ----------------------------------------------------------------------------------------


def _source(location: Location | None) -> str:
    if location is None:
        return "  (no line)"
    text = linecache.getline(location.filename, location.lineno).rstrip()
    return f"{location.lineno:>5}  {text}"


def _row(name: str, total: Total, whole: int) -> tuple[str, str, str, str]:
    return name, str(total.calls), shown(total.own), f"{100 * total.own / (whole or 1):.1f} %"


# -- traces ----------------------------------------------------------------------------------------


def _events(runs):
    """The events of Chrome's trace format: complete ones ("X"), with times in microseconds."""
    first = min((run.start for run in runs), default=0)
    threads: dict[int, int] = {}

    def event(name, start, end, run, arguments):
        return {
            "name": name,
            "cat": "graph",
            "ph": "X",
            "ts": (start - first) / 1e3,
            "dur": (end - start) / 1e3,
            "pid": os.getpid(),
            "tid": threads.setdefault(run.thread, len(threads) + 1),
            "args": arguments,
        }

    for run in runs:
        yield event(run.graph, run.start, run.end, run, {"failed": run.failed})
        for number, start, end in sorted(run.events, key=lambda found: (found[1], -found[2])):
            span = run.spans[number]
            where = span.node.location
            arguments = {"operands": [str(operand_type(o)) for o in span.node.inputs]}
            if where is not None:
                source = linecache.getline(where.filename, where.lineno).strip()
                arguments |= {"line": str(where), "source": source}
            name = REGIONS.get(span.region) or _name(span.node)
            yield event(name, start, end, run, arguments)


# -- the run that is measured ----------------------------------------------------------------------

_run: ContextVar[ProfiledRun] = ContextVar("run")


def clock() -> tuple[Callable[[int], None], Callable[[], None]]:
    """The functions that a profiled program calls at the start and at the end of a span."""
    run = _run.get()
    return run.enter, run.leave


@contextmanager
def profile() -> Iterator[Profile]:
    """Measures all runs of graphs in the `with` block, in a `Profile`."""
    taken = Profile()
    with config.temporarily(profile=taken):
        yield taken
