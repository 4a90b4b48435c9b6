"""The contents of the explorer's page, as data: panels of rows, each with the line it comes from.

    story_of(function, concrete)
        source      the user's file, with a word for what became of each line
        generated   the converted function
        passes      the graph as it was recorded, and after each pass
        program     the NumPy program
        native      the machine code, where it can be made
        picture     the optimised graph, whose boxes can be folded

Everything here is text, but for the picture, whose texts are escaped (`pictures/svg.py`).
"""

import ast
import linecache
import os
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import autograph
from autograph.errors import shown_name
from runtime.engines import native, registry
from runtime.engines.numpy import compile_graph
from runtime.engines.registry import Options
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.outcomes import OPERATIONS, PYTHON, LineOutcome
from runtime.ir.graph import Graph, Location, walk
from runtime.ir.text import ValueNames, lines_of
from runtime.observability.notebooks import LARGEST
from runtime.observability.pictures.drawing import drawing_of, nesting
from runtime.observability.pictures.svg import svg_of
from runtime.observability.profiles import Profile
from runtime.passes.snapshots import GONE, RECORDED, Snapshot, history

ARROW = "\N{RIGHTWARDS ARROW}"
LONGEST_NATIVE = 1000  # lines of machine code


@dataclass(frozen=True)
class Row:
    """A line of a panel; `line` is the user's line that it comes from, None for none.

    `mark` is the sign of a changed line, or a class of the page; `note` is a word beside the line,
    and `detail` explains it.  `number` is shown before the line.  `also` are further lines that
    constants in the row come from.  `share` is its part of the time of a run.  `history` tells what
    the passes did to the value that the row defines.
    """

    text: str
    line: int | None = None
    mark: str = ""
    note: str = ""
    detail: str = ""
    number: int | None = None
    also: tuple[int, ...] = ()
    share: float | None = None
    history: str = ""


@dataclass(frozen=True)
class Stop:
    """The graph after one pass."""

    name: str
    purpose: str
    operations: int
    changes: dict[str, int]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Story:
    """Everything that the page shows of one graph of a function."""

    name: str
    filename: str
    signature: str
    source: tuple[Row, ...]
    outcomes: tuple[LineOutcome, ...]
    generated: tuple[Row, ...]
    stops: tuple[Stop, ...]
    program: tuple[Row, ...]
    native: tuple[Row, ...]
    picture: str  # "" if the graph is too large
    depth: int  # how deep regions are nested in the picture
    shares: dict[int, float] = field(default_factory=dict)
    retraces: str = ""


def story_of(concrete: ConcreteFunction, taken: Profile | None = None, retraces: str = "") -> Story:
    """The story of one graph.  `taken` has the times of a run of it."""
    outcomes = concrete.explain()
    filename, graph = outcomes.filename, concrete.optimized
    function = concrete.__wrapped__
    generated = tuple(_generated(function))
    linked = {row.line for row in generated} | {outcome.lineno for outcome in outcomes.lines}
    count = sum(1 for _ in walk(graph))
    return Story(
        name=concrete.name,
        filename=_shown_path(filename),
        signature=repr(concrete).removeprefix("<graph of ").removesuffix(">"),
        source=tuple(_source(filename, function, outcomes.lines, linked)),
        outcomes=tuple(o for o in outcomes.lines if o.kind not in (OPERATIONS, PYTHON)),
        generated=generated,
        stops=tuple(_stops(concrete, filename, taken)),
        program=tuple(_program(graph, filename)),
        native=tuple(_native(graph)),
        picture=_picture(graph, filename) if count <= LARGEST else "",
        depth=nesting(graph),
        shares=_shares(taken, filename) if taken is not None else {},
        retraces=retraces,
    )


def _picture(graph: Graph, filename: str) -> str:
    """The picture of a graph, whose boxes have the lines of one file only."""
    drawing = drawing_of(graph)
    pending = [drawing]
    while pending:
        for box in pending.pop().boxes:
            if _line_in(filename, box.location) is None:
                box.location = None
            pending += box.drawings.values()
    return svg_of(drawing, movable=True)


def _shown_path(filename: str) -> str:
    """The name of a file, relative to the folder of the process if it is inside."""
    return shown_name(filename, with_label=False).removeprefix(os.path.join(os.getcwd(), ""))


def _line_in(filename: str, location: Location | None) -> int | None:
    """The line of a location, if it is in the file that the page shows."""
    is_shown = location is not None and location.filename == filename
    return location.lineno if is_shown else None


def _source(
    filename: str,
    function: Callable[..., Any],
    outcomes: tuple[LineOutcome, ...],
    linked: Container[int | None],
) -> Iterator[Row]:
    """The definitions that have lines in the graph, in the order of the file."""
    lines = [text.rstrip("\n") for text in linecache.getlines(filename)]
    said = {outcome.lineno: outcome for outcome in outcomes}
    first = getattr(getattr(function, "__code__", None), "co_firstlineno", 0)
    wanted = {first, *said}
    shown = sorted(n for n in _around(lines, wanted) if 1 <= n <= len(lines))
    last = shown[0] if shown else 0
    for number in shown:
        if number > last + 1:
            yield Row("", mark="blank")
        outcome = said.get(number)
        note, detail = (outcome.kind, outcome.detail) if outcome else ("", "")
        line = number if number in linked else None
        yield Row(lines[number - 1], line, "", note, detail, number)
        last = number


def _around(lines: list[str], wanted: set[int]) -> set[int]:
    """The lines of the outermost functions that contain some lines, and these lines."""
    found = set(wanted)
    pending: list[ast.AST] = []
    with suppress(SyntaxError):  # the file has changed, or is no Python: a cell with magics
        pending = [ast.parse("\n".join(lines))]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            whole = range(start, (node.end_lineno or start) + 1)
            if not wanted.isdisjoint(whole):
                found.update(whole)
        else:
            pending += ast.iter_child_nodes(node)
    return found


def _generated(function: Callable[..., Any]) -> Iterator[Row]:
    try:
        lines = autograph.code_lines(function)
    except (autograph.ConversionError, OSError) as error:
        yield from (Row(text, mark="state") for text in str(error).split("\n"))
        return
    following = [line.is_state for line in lines[1:]] + [False]
    for line, is_state_next in zip(lines, following, strict=True):
        is_state = line.is_state or (not line.text and is_state_next)
        yield Row(line.text, line.lineno, "state" if is_state else "" if line.text else "blank")


def _shares(taken: Profile, filename: str) -> dict[int, float]:
    """The part of the time of each line of a file in a run."""
    totals = taken.by_line()
    whole = sum(total.own for total in totals.values()) or 1
    return {
        line.lineno: total.own / whole
        for line, total in totals.items()
        if line is not None and line.filename == filename
    }


def _stops(concrete: ConcreteFunction, filename: str, taken: Profile | None) -> Iterator[Stop]:
    """The graph after each pass.  The rows of the last one have their parts of the time."""
    snapshots = concrete.passes()
    shares: list[float | None] = []
    if taken is not None:
        totals: Counter[Hashable] = Counter()
        for run in taken.runs:
            totals.update({key: total.own for key, total in run.by_key().items()})
        whole = totals.total() or 1
        lines = lines_of(concrete.compiled.graph, ValueNames())
        shares = [totals[one.key] / whole if one.key in totals else None for one in lines]
    histories = _histories(snapshots)
    for snapshot in snapshots:
        is_last = snapshot.text == snapshots[-1].text
        yield _stop(snapshot, filename, shares if is_last else [], histories)


def _histories(snapshots: list[Snapshot]) -> dict[str, str]:
    """What the passes did to each value, by its name; nothing about those that they left alone."""
    names = {name for one in snapshots for line in one.lines for name in line.names}
    found = {name: history(snapshots, name) for name in names}
    return {
        name: "\n".join(f"{shown_pass(step)}: {effect}" for step, effect in steps)
        for name, steps in found.items()
        if len(steps) > 1 or steps[0][0] != RECORDED
    }


def shown_pass(name: str) -> str:
    """The name of a pass in words."""
    return name.replace("_", " ")


def _stop(
    snapshot: Snapshot, filename: str, shares: list[float | None], histories: dict[str, str]
) -> Stop:
    rows, left = [], iter(shares)
    for line in snapshot.lines:
        text, comment, _ = line.text.rpartition("  # ")
        line_in = _line_in(filename, line.location)
        shown = text if comment and line_in is not None else line.text
        found = (_line_in(filename, one) for one in line.constants if line.sign != GONE)
        also = tuple(dict.fromkeys(one for one in found if one not in (None, line_in)))
        is_gone = line.sign == GONE
        shown_line = None if is_gone else line_in
        share = None if is_gone else next(left, None)
        told = "\n".join(histories[name] for name in line.names if name in histories)
        others = {one for name in line.names for one in snapshot.replaced.get(name, ())}
        note = f"{ARROW} {', '.join(sorted(others))}" if is_gone and others else ""
        rows.append(
            Row(shown, shown_line, line.sign.strip(), note, "in its place", None, also, share, told)
        )
    name, purpose = snapshot.name, snapshot.purpose
    return Stop(name, purpose, snapshot.operations, snapshot.changes, tuple(rows))


def _program(graph: Graph, filename: str) -> Iterator[Row]:
    for line in compile_graph(graph).program.lines:
        for text in line.text.split("\n"):
            yield Row(text, _line_in(filename, line.location))


def _native(graph: Graph) -> Iterator[Row]:
    """The machine code: an overview, and LLVM's text; nothing where it cannot be made."""
    if native.unusable() is not None:
        return
    compiled = registry.available("native").compiled(graph, Options())
    for text in (compiled.native("pieces") or "").split("\n"):
        yield Row(f"; {text}", mark="state")
    lines = (compiled.native("ir") or "").split("\n")
    yield from map(Row, lines[:LONGEST_NATIVE])
    if len(lines) > LONGEST_NATIVE:
        yield Row(f"; {len(lines) - LONGEST_NATIVE} more lines are left out", mark="state")
