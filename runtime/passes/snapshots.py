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

    snapshot.replaced        {"v": ("3",)}         the pass reads 3 where v was read before
    history(taken, "v")      recorded: v: int = add(1, 2)
                             constant_folding: replaced by 3, removed
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from runtime.ir.graph import Graph, Location, Operand, Value, copy, walk
from runtime.ir.text import TextLine, ValueNames, key_of, lines_of, scalar_text
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
    names: tuple[str, ...] = ()  # of the values that it defines


@dataclass(frozen=True)
class Snapshot:
    """A graph after one pass; `lines` also has those that the pass has removed.

    `name` is that of the pass, or "recorded"; `purpose` is the first line of its documentation.
    `operations` counts the nodes of the graph and of its regions.  `replaced` has for a value, by
    its name, the values and constants that its uses read instead after the pass.
    """

    name: str
    purpose: str
    operations: int
    lines: tuple[SnapshotLine, ...]
    replaced: dict[str, tuple[str, ...]] = field(default_factory=dict)

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
    read: Reads = {}
    defined: dict[Hashable, tuple[str, ...]] = {}  # the names that a line defines, by its key

    def take(name: str, found: Graph) -> None:
        nonlocal before, read
        lines, reads = list(lines_of(found, names)), _reads(found)
        defined.update((key_of(n), tuple(names[v] for v in n.outputs)) for n in walk(found))
        signs = _compared(before, lines) if taken else ((SAME, one) for one in lines)
        compared = tuple(_line(sign, one, defined.get(one.key, ())) for sign, one in signs)
        replaced = {
            names[value]: tuple(_shown(one, names) for one in others)
            for value, others in _replaced(read, reads).items()
        }
        count = sum(1 for _ in walk(found))
        taken.append(Snapshot(name, purposes.get(name, ""), count, compared, replaced))
        before, read = lines, reads

    changing = copy(graph)
    take(RECORDED, changing)
    optimized(changing, after=take)
    return taken


def history(taken: list[Snapshot], name: str) -> list[tuple[str, str]]:
    """What each pass did to the value of a name: pairs of the pass and its effect.

    The first pair has the line that defines it; passes that left it alone are not there.
    """
    found: list[tuple[str, str]] = []
    known = ""
    for snapshot in taken:
        others = snapshot.replaced.get(name, ())
        said = [f"replaced by {', '.join(others)}"] if others else []
        for line in snapshot.lines:
            if name in line.names and line.sign == GONE:
                said.append("removed")
            elif name in line.names and (line.sign != SAME or snapshot.name == RECORDED):
                text = line.text.strip()
                said.append("moved" if text == known else text)
                known = text
        if said:
            found.append((snapshot.name, ", ".join(said)))
    return found


# -- the values that were read before and after a pass ---------------------------------------------

Reads = dict[Hashable, tuple[Operand, ...]]


def _reads(graph: Graph) -> Reads:
    """What each node reads, and what each region returns, by keys that passes keep."""
    found: Reads = {"return": tuple(graph.outputs)}
    for node in walk(graph):
        found[key_of(node), ""] = tuple(node.inputs)
        for role, region in node.regions.items():
            found[key_of(node), role] = tuple(region.outputs)
    return found


def _replaced(before: Reads, after: Reads) -> dict[Value, list[Operand]]:
    """The values in place of which others are read: by places that read as many as before."""
    found: dict[Value, list[Operand]] = {}
    for key, old in before.items():
        new = after.get(key, ())
        if len(new) != len(old):
            continue
        for one, other in zip(old, new, strict=True):
            if isinstance(one, Value) and other is not one:
                others = found.setdefault(one, [])
                if not any(other is known for known in others):
                    others.append(other)
    return found


def _shown(operand: Operand, names: ValueNames) -> str:
    return names[operand] if isinstance(operand, Value) else scalar_text(operand)


# -- lines -----------------------------------------------------------------------------------------


def _compared(before: list[TextLine], after: list[TextLine]) -> Iterator[tuple[str, TextLine]]:
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
        yield SAME if is_same else CHANGED if line.key in old else NEW, line
        yield from _removed(gone.get(line.key, ()))


def _removed(lines: Iterable[TextLine]) -> Iterator[tuple[str, TextLine]]:
    return ((GONE, line) for line in lines)


def _line(sign: str, line: TextLine, names: tuple[str, ...]) -> SnapshotLine:
    return SnapshotLine(sign, line.text, line.location, line.constants, names)


def _first_line(doc: str | None) -> str:
    return (doc or "").strip().partition("\n")[0]
