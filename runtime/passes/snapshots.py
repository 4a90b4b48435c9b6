"""Snapshots: the text of a graph as it was recorded, and after each pass.

    for snapshot in snapshots(graph):
        print(snapshot)

    -- constant_folding: 12 operations, 1 changed, 2 removed
      def f(x: f64[2]):
    -     v: f64 = add(1.0, 2.0)  # model.py:3
    ~     y: f64[2] = multiply(x, 3.0)  # model.py:4
          return y

A value has one name in all of them, so a name that is gone means that the value is gone.  Lines are
compared by the identity of the values that they define, and not by their text.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from runtime.ir.graph import Graph, Location, copy, walk
from runtime.ir.text import TextLine, ValueNames, lines_of
from runtime.passes import PIPELINE, optimized

RECORDED = "recorded"
SAME, NEW, GONE, CHANGED = " ", "+", "-", "~"
WORDS = {NEW: "new", CHANGED: "changed", GONE: "removed"}


@dataclass(frozen=True)
class SnapshotLine:
    """A line of a snapshot; its sign is `+` for new, `-` for removed, `~` for changed, or blank."""

    sign: str
    text: str
    location: Location | None
    constants: tuple[Location, ...] = ()  # where constants of the line are bound


@dataclass(frozen=True)
class Snapshot:
    """A graph after one pass; `lines` also has those that the pass has removed.

    `name` is that of the pass, or "recorded"; `purpose` is the first line of its documentation.
    `operations` counts the nodes of the graph and of its regions.
    """

    name: str
    purpose: str
    operations: int
    lines: tuple[SnapshotLine, ...]

    @property
    def text(self) -> str:
        """The text of the graph; it differs from `str(graph)` in the numbers of names only."""
        return "\n".join(line.text for line in self.lines if line.sign != GONE)

    @property
    def changes(self) -> dict[str, int]:
        """How many lines are new, changed or removed, by sign; empty if the pass did nothing."""
        counts = Counter(line.sign for line in self.lines if line.text)
        return {sign: counts[sign] for sign in WORDS if counts[sign]}

    def __str__(self) -> str:
        counts = [f"{count} {WORDS[sign]}" for sign, count in self.changes.items()]
        size = f"{self.operations} operation{'s' * (self.operations != 1)}"
        head = f"-- {self.name}: {', '.join([size, *counts])}"
        return "\n".join([head, *(f"{line.sign} {line.text}".rstrip() for line in self.lines)])


def snapshots(graph: Graph) -> list[Snapshot]:
    """The graph as it is, and after each pass; the graph itself is not changed."""
    names, taken = ValueNames(), list[Snapshot]()
    purposes = {step.name: _first_line(step.rewrite.__doc__) for step in PIPELINE}
    before: list[TextLine] = []

    def take(name: str, found: Graph) -> None:
        nonlocal before
        lines = list(lines_of(found, names))
        compared = _compared(before, lines) if taken else (_line(SAME, one) for one in lines)
        count = sum(1 for _ in walk(found))
        taken.append(Snapshot(name, purposes.get(name, ""), count, tuple(compared)))
        before = lines

    changing = copy(graph)
    take(RECORDED, changing)
    optimized(changing, after=take)
    return taken


def _compared(before: list[TextLine], after: list[TextLine]) -> Iterator[SnapshotLine]:
    """The lines of a graph, with signs; those that are gone follow the line that they followed."""
    old, kept = {line.key: line.text for line in before}, {line.key for line in after}
    gone: dict[Hashable, list[TextLine]] = {}
    anchor: Hashable = None
    for line in before:
        if line.key in kept:
            anchor = line.key
        else:
            gone.setdefault(anchor, []).append(line)
    yield from _removed(gone.get(None, ()))
    for line in after:
        is_same = old.get(line.key) == line.text
        yield _line(SAME if is_same else CHANGED if line.key in old else NEW, line)
        yield from _removed(gone.get(line.key, ()))


def _removed(lines: Iterable[TextLine]) -> Iterator[SnapshotLine]:
    return (_line(GONE, line) for line in lines)


def _line(sign: str, line: TextLine) -> SnapshotLine:
    return SnapshotLine(sign, line.text, line.location, line.constants)


def _first_line(doc: str | None) -> str:
    return (doc or "").strip().partition("\n")[0]
