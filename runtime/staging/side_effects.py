"""What a function leaves in attributes, items and variables: put there after every run.

    def step(self, x):                      graph hands out:   w - x
        self.w = self.w - x       ->        after a run:       self.w = that
        self.seen.append(x)                                    self.seen.append(x)

While the graph is recorded, these places hold staged values; they are put back to what they held.
What the function does with plain values of Python's (`self.calls += 1`) is done while the graph is
recorded, except to lists and dicts among the arguments, which every call brings anew.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from autograph.staging.heap_diff import HeapSlot, HeapSnapshot
from autograph.staging.object_state import MISSING
from runtime.errors import staging_error
from runtime.staging.output_template import OutputTemplate, holds_staged
from runtime.tracing.tensor import Tensor
from runtime.tracing.trace import Trace


@dataclass(frozen=True, eq=False)
class SideEffect:
    """Something that every run puts into a container.

    `place` is the variable of the check (`function/guards/guard.py`) that holds the container, or
    None for `container` itself; `result` is None for what is taken away.
    """

    place: str | None
    container: Any
    key: Any
    result: OutputTemplate | None
    appends: bool

    def put(self, container: Any, *given: Any) -> None:
        """Does it; `given` is what `OutputTemplate.made` takes."""
        value = MISSING if self.result is None else self.result.made(*given)
        if self.appends:
            container.append(value)
        else:
            HeapSlot(container, self.key, "", None, None).write(value)


class SideEffects:
    """What a function that is being recorded leaves in what it can reach."""

    def __init__(self, function: Callable, arguments: Any, own: dict[int, str]):
        """`own` names the containers that stand for those of the call's arguments."""
        self._heap = HeapSnapshot(roots=(function, arguments))
        self._own = own

    @contextmanager
    def put_back(self) -> Iterator[None]:
        """Puts everything staged back where the recording fails."""
        try:
            yield
        except BaseException:
            for slot in [slot for slot in self._heap.changes() if _is_staged(slot)]:
                slot.write(slot.before)
            raise

    def writes(
        self, recorder: Trace, given: dict[int, tuple], known: dict[int, str]
    ) -> list[SideEffect]:
        """What every run has to write; the places are put back to what they held.

        `given` are the ways to the arguments; `known` names the containers that the check finds
        anew at every call.
        """
        slots = [s for s in self._heap.changes() if not isinstance(s.container, Tensor)]
        grown = {id(s.container) for s in slots if _is_staged(s) and isinstance(s.container, list)}
        chosen = [s for s in slots if _is_staged(s) or id(s.container) in {*self._own, *grown}]
        chosen.sort(key=_order)
        writes = [self._write(slot, recorder, given, known) for slot in chosen]
        for slot in reversed(chosen):
            slot.write(slot.before)
        return writes

    def _write(self, slot, recorder, given, known):
        if isinstance(slot.container, (set, frozenset, bytearray)):
            raise staging_error(
                f"{slot.path.lstrip('.')} is left with a staged value when the function is done",
                "What a set holds is found by its hash, which only a run can tell.",
                "Use a list, or return the value.",
            )
        place = self._own.get(id(slot.container)) or known.get(id(slot.container))
        result = None if slot.after is MISSING else OutputTemplate(slot.after, recorder, given)
        appends = isinstance(slot.container, list) and slot.before is MISSING
        container = slot.container if place is None else None
        return SideEffect(place, container, slot.key, result, appends)


def _order(slot):
    """What is taken away comes last, and from the end."""
    gone = slot.after is MISSING
    return (gone, -slot.key if gone and isinstance(slot.key, int) else 0)


def _is_staged(slot: HeapSlot) -> bool:
    return not isinstance(slot.container, Tensor) and holds_staged(slot.after)
