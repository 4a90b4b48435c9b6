"""How long the rest of a loop will take, where its variables say how many iterations are left.

    for i in range(n):          at i = 7 after 1 ms, at i = 15 after 2 ms: 985 more take 123 ms
        ...

The pace is the faster one of the last two stretches between looks, since anything else that the
process does in a stretch (a walk of the garbage collector, another thread) makes it slower.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from runtime.analyses.liveness import Uses
from runtime.analyses.loop_counters import count_of as counter_of
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.regions import body_of
from runtime.ir.types import PythonType, TensorType, is_array

UNKNOWN = 0.0  # seconds, where nothing tells how long it will take


@dataclass(frozen=True)
class Count:
    """Where the iterations that are left are among the inputs of the rest of a loop."""

    place: int
    stop: int | None  # its place among the inputs; None for a constant
    constant: int
    step: int

    def left(self, operands: Sequence[Any]) -> int:
        """How many iterations are left before the one that is next has begun."""
        stop = self.constant if self.stop is None else operands[self.stop]
        return len(range(operands[self.place], stop, self.step))


def count_of(loop: Node, inputs: list[Value]) -> Count | None:
    """The count of a loop that has one and cannot end early; `inputs` are those of its rest."""
    starts = [operand for operand in loop.inputs if isinstance(operand, Value)]
    given = dict.fromkeys([*starts, *inputs[len(body_of(loop).inputs) :]])
    graph = Graph("rest", list(given), [loop], [])
    found = counter_of(loop, Uses(graph, inlines=False, reports=False))
    if found is None or found.way_out is not None:
        return None
    place = inputs.index(body_of(loop).inputs[found.place])
    if not _is_integer(inputs[place]) or not _is_integer(found.stop):
        return None
    if isinstance(found.stop, Value):
        is_input = found.stop in inputs
        return Count(place, inputs.index(found.stop), 0, found.step) if is_input else None
    assert type(found.stop) is int
    return Count(place, None, found.stop, found.step)


def _is_integer(operand: Operand) -> bool:
    kind = operand_type(operand)
    if isinstance(kind, PythonType):
        return kind.kind is int
    return isinstance(kind, TensorType) and not is_array(kind) and kind.dtype.kind in "iu"


class Pace:
    """The pace of the runs of one loop, from look to look."""

    def __init__(self, loop: Node, inputs: list[Value]) -> None:
        self._count = count_of(loop, inputs)
        self.begin()

    def begin(self) -> None:
        """Forgets what it knows: another run has begun."""
        self._last: tuple[float, int] | None = None
        self._before: float | None = None  # seconds for each iteration of the stretch before

    def seconds_left(self, operands: Sequence[object]) -> float:
        """How many seconds the rest will take; `UNKNOWN` before the second stretch."""
        if self._count is None:
            return UNKNOWN
        now, left = perf_counter(), self._count.left(operands)
        last, self._last = self._last, (now, left)
        if last is None or last[1] <= left:
            return UNKNOWN
        found = (now - last[0]) / (last[1] - left)
        before, self._before = self._before, found
        return UNKNOWN if before is None else min(before, found) * left
