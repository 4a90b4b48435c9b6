"""Places that a graph's guard compares, and that the function itself changes.

    self.t += 1             the first graph is valid while self.t is 0, and its runs store 1
    return x * self.t       later graphs take self.t as an input, and store another number

The first graph of a function compares the number.  If the function changes it, the next recording
makes an input of it (`numbers`), so that one graph serves all later calls.  If that is refused,
because Python needs the number (`layers[self.t]`), each number has a graph of its own.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from autograph.staging.heap_diff import HeapSlot
from autograph.staging.object_state import MISSING
from runtime.analyses.exceptions import may_raise
from runtime.ir.graph import Node, operand_type, walk
from runtime.ir.traits import Effect
from runtime.ir.types import PythonType
from runtime.staging.calls.outside_answers import NotComparable, comparable
from runtime.staging.loop_trials import not_kept
from runtime.tracing.tensor import Tensor
from runtime.tracing.trace import Trace

NUMBERS = (int, float, complex)


@dataclass
class OwnConditions:
    """The places that the guard compares, by (identity of the container, key), the containers that
    it compares as a whole, and what the function has changed of these."""

    places: set[tuple[int, Any]]
    whole: set[int]
    read: Collection[int]  # the identities of everything that the guard reads
    numbers: set[tuple[int, Any]] = field(default_factory=set)  # that may become inputs
    lost: list[str] = field(default_factory=list)  # the paths of changes that no run repeats

    def is_replayed(self, slot: HeapSlot) -> bool:
        """Whether each run makes a change, of plain values, that the function has made."""
        key, is_added = _place(slot), slot.before is MISSING
        is_compared = key in self.places or key[0] in self.whole
        is_compared |= is_added and id(slot.container) in self.read
        if is_compared and _is_number(slot.before) and _is_number(slot.after):
            self.numbers.add(key)
        if isinstance(slot.before, Tensor):
            return _is_number(slot.before)
        if not is_compared:
            return False
        is_known = _contents(slot.after) is not None and _contents(slot.before) is not None
        if not is_known or isinstance(slot.container, UNORDERED):
            self.lost.append(slot.path.lstrip("."))
            return False
        return _contents(slot.before) != _contents(slot.after)


UNORDERED = (set, frozenset, bytearray)


def refuse_lost_changes(recorder: Trace, is_written: bool) -> None:
    """Refuses a recording in which a number is an input, if a run that raises an exception could
    not find out whether the function would have changed the number before.

    Such a run calls the Python function again, which must not repeat an effect.
    """
    nodes = list(walk(recorder.graph))
    if not (is_written or any(map(is_unrepeatable, nodes))):
        return
    if any(node.op.effect is Effect.RAISES or _may_fail(node) for node in nodes):
        raise not_kept("a run may raise an exception after it has changed a number")


def is_unrepeatable(node: Node) -> bool:
    """Whether a node has an effect outside of the graph."""
    return node.op.effect in (Effect.EXTERNAL, Effect.CALL)


def _may_fail(node):
    return bool(may_raise(node.op, tuple(map(operand_type, node.inputs)), node.attributes))


def _place(slot):
    """The place of a slot, as guards name it."""
    container, key = slot.container, slot.key
    if not isinstance(container, FunctionType):
        return id(container), key
    if key.startswith("."):
        return id(container.__dict__), key[1:]
    return id(container.__globals__), key


def _is_number(value):
    if isinstance(value, Tensor):
        return isinstance(value.type, PythonType) and value.type.kind in NUMBERS
    return type(value) in NUMBERS


def _contents(value):
    """The contents of a value that can be compared; None for other values."""
    try:
        return MISSING if value is MISSING else comparable(value)
    except NotComparable:
        return None
