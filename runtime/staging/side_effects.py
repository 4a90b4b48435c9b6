"""Side effects on the heap, replayed after each run.

    def step(self, x):                      graph output:      w - x
        self.w = self.w - x       ->        after a run:       self.w = that
        self.seen.append(x)                                    self.seen.append(x)

While the function is traced, these places hold staged values; afterwards they get their old values
back.  Writes of plain Python values (`self.calls += 1`) happen while tracing, and are not replayed,
with two exceptions: writes into lists and dicts among the arguments, which each call passes, and
into places that the guard of the graph compares (`own_conditions.py`), since a run begins with the
compared value and has to end with the other one.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from autograph.staging.heap_diff import HeapSlot, HeapSnapshot
from autograph.staging.object_state import MISSING
from autograph.staging.refusals import is_refusal
from runtime.errors import ContainerError, staging_error
from runtime.staging.control_flow.recursion import FoundRecursion
from runtime.staging.kept_places import guard_kept
from runtime.staging.lists.merged_sources import GivenContainers
from runtime.staging.loop_trials import LoopTrials
from runtime.staging.output_template import OutputTemplate
from runtime.staging.own_conditions import OwnConditions
from runtime.staging.recorded_changes import RecordedChanges
from runtime.staging.refused_results import leads_to_staged
from runtime.staging.staged_values import holds_staged
from runtime.staging.suspended_generators import close_suspended
from runtime.staging.templates import Const, RunValues
from runtime.tracing import trace
from runtime.tracing.eager_values import unwrap_all
from runtime.tracing.stand_ins import remember_place
from runtime.tracing.tensor import Tensor
from runtime.tracing.trace import Trace


@dataclass(frozen=True, eq=False)
class SideEffect:
    """A write into a container, replayed after each run.

    `variable` is the variable of the guard (`function/guards/guard.py`) that holds the container,
    or None if it is always `container`; `value` is None if the item is removed.
    """

    variable: str | None
    container: Any
    key: Any
    value: OutputTemplate | None
    appends: bool

    @property
    def is_constant(self) -> bool:
        """Whether each run writes the same plain value."""
        return self.value is None or isinstance(self.value.template, Const)

    def apply(self, container: Any, run: RunValues) -> None:
        """Writes the value of a run into a container."""
        value = MISSING if self.value is None else self.value.rebuilt(run)
        if self.appends:
            container.append(value)
        else:
            HeapSlot(container, self.key, "", None, None).write(value)


class SideEffects:
    """Finds what a function writes into the objects that it can reach, while it is traced."""

    def __init__(
        self, function: Callable, arguments: Any, own: dict[int, str], compared: OwnConditions
    ):
        """`own` has the guard's variables for containers among the arguments, by identity."""
        self._heap = HeapSnapshot(roots=(function, arguments), with_memory=True)
        self._own = own
        self._compared = compared
        self.outside: dict[str, Any] = {}  # changed containers of this call, by their variables

    @contextmanager
    def undone_on_error(self) -> Iterator[None]:
        """Restores every place that holds a staged value if tracing fails; all places if the
        function is refused."""
        given = trace.current().state(GivenContainers)
        given.known = set(map(id, self._heap.containers()))
        try:
            yield
        except BaseException as error:
            trials = trace.current().state(LoopTrials)
            trials.end(trace.current())
            if is_refusal(error) or trials.is_repeated or isinstance(error, FoundRecursion):
                close_suspended(trace.current())
                self._heap.restore()
                self._heap.put_back_streams()
            changes = [slot for slot in self._heap.changes() if self._is_staged(slot)]
            for slot in reversed(changes):  # elements are deleted from the end of a list
                slot.write(slot.before)
            raise

    @property
    def belongs_to_runs(self) -> bool:
        """Whether the function has changed what only a run can change: it has given a place a
        staged value, or has changed a list or dict of the arguments, of which it has a copy."""
        return any(
            id(slot.container) in self._own or self._is_staged(slot)
            for slot in self._heap.changes()
        )

    def collected(
        self, recorder: Trace, paths: dict[int, tuple], known: dict[int, str]
    ) -> list[SideEffect]:
        """The side effects to replay; every place gets its old value back.

        `paths` lead to the arguments, by identity; `known` has the guard's variables for
        containers that it finds in each call.
        """
        slots = [s for s in self._heap.changes() if not isinstance(s.container, Tensor)]
        grown = {
            id(s.container)
            for s in slots
            if self._is_staged(s) and isinstance(s.container, (list, deque))
        }
        replayed = {*self._own, *grown}
        chosen = [
            slot
            for slot in slots
            if self._is_staged(slot)
            or id(slot.container) in replayed
            or self._compared.is_replayed(slot)
        ]
        chosen.sort(key=_order)
        writes = [self._side_effect(slot, recorder, paths, known) for slot in chosen]
        for slot in reversed(chosen):
            slot.write(slot.before)
            remember_place(slot.after, slot.reader())
        guard_kept([slot for slot in chosen if id(slot.container) not in self._own])
        return writes

    def recorded(self) -> RecordedChanges:
        """The changes of the recording that no run makes, once the others are collected."""
        return RecordedChanges(self._heap)

    def found_again(self, known: dict[int, str]) -> set[int]:
        """The containers from outside that the guard finds in each call, by identity."""
        return {id(one) for one in self._heap.containers() if id(one) in known}

    def _is_staged(self, slot):
        """Whether a place has been given a staged value, or a new object that leads to one."""
        if isinstance(slot.container, Tensor):
            return False
        return holds_staged(slot.after) or leads_to_staged(slot.after, self._heap)

    def _side_effect(self, slot, recorder, paths, known):
        if isinstance(slot.container, (set, frozenset, bytearray)):
            raise staging_error(
                f"{slot.path.lstrip('.')} contains a staged value when the function returns",
                "Sets find their elements by hash, which is known only at run time.",
                "Use a list, or return the value.",
                ContainerError,
            )
        variable = self._own.get(id(slot.container))
        if variable is None and id(slot.container) in known:
            variable = known[id(slot.container)]
            self.outside[variable] = slot.container  # the code may have replaced it
        outside = self.found_again(known)
        value = (
            None if slot.after is MISSING else OutputTemplate(slot.after, recorder, paths, outside)
        )
        appends = isinstance(slot.container, (list, deque)) and slot.before is MISSING
        container = slot.container if variable is None else None
        return SideEffect(variable, container, slot.key, value, appends)


@contextmanager
def without_eager_values(*roots: Any) -> Iterator[None]:
    """Afterwards, no place that the roots reach holds a value that an eager trace has recorded:
    what code has assigned meanwhile is unwrapped."""
    heap = HeapSnapshot(roots=roots)
    try:
        yield
    finally:
        for slot in heap.changes():
            plain = unwrap_all(slot.after)
            if plain is not slot.after and holds_staged(slot.after):
                slot.write(plain)


def _order(slot):
    """Removals come last, and start at the end."""
    gone = slot.after is MISSING
    return (gone, -slot.key if gone and isinstance(slot.key, int) else 0)
