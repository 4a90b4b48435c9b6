"""Elements that an unrolled loop takes although a run may have left it: what taking them changes.

    for v in Countdown(3):          __next__ changes an attribute, a generator appends to a list
        if v * x > 4:               staged: whether a run takes the next element, only it knows
            break

The element has to be known while the graph is being built, so it is taken outside of the branch
that uses it.  What taking it has changed is put back when the loop has ended, and written in
branches with the conditions of the loop.  Objects that only the iterator holds are left as they
are: no other code sees them again.
"""

import gc
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
)
from typing import Any

from autograph.backend import Backend, State
from autograph.functions.policy import is_users_class
from autograph.staging.accessors import accessor_of
from autograph.staging.block_functions import itself
from autograph.staging.heap_diff import HeapSlot, HeapSnapshot
from autograph.staging.iterator_state import is_iterator
from autograph.staging.object_state import MISSING
from autograph.staging.refusals import is_refusal
from runtime.analyses.effects import has_effect
from runtime.errors import IterationError, StagingError, staging_error
from runtime.staging.calls.made_calls import MadeCalls
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.suspended_generators import refuse_left
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor

OUTSIDE = (type, ModuleType, CodeType, FrameType, FunctionType, BuiltinFunctionType, Tensor)
MOST_HELD = 10_000  # objects of an iterator that are looked at


def code_of_elements(elements: Any) -> list[Any]:
    """The functions that run when an element is taken, and the objects of the user's classes whose
    methods do: those of generators, `map`, a `__next__`."""
    found: list[Any] = []
    for one in _iterated(elements):
        if isinstance(one, GeneratorType):
            found += _function_of(one)
        elif isinstance(one, (FunctionType, MethodType)) or is_users_class(type(one)):
            found.append(one)
    return found


def _iterated(elements: Any) -> Iterator[Any]:
    """An iterator, those that it takes its elements from, and what each of them holds."""
    pending, seen = [elements], set()
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if is_iterator(one) or type(one) is tuple:
            pending += gc.get_referents(one)


def _function_of(generator: GeneratorType) -> list[FunctionType]:
    """A function with the code and the global variables of a generator, which holds its cells."""
    if generator.gi_frame is None:
        return []
    code = generator.gi_code
    unbound = tuple(CellType() for _ in code.co_freevars)
    return [FunctionType(code, generator.gi_frame.f_globals, closure=unbound)]


class TakenElements:
    """The elements of one loop, which are taken under conditions."""

    def __init__(self, backend: Backend, elements: Any):
        self._backend, self._elements = backend, elements
        self._own = _held_only_by(elements)
        self._steps: list[tuple[Any, list[Change]]] = []  # conditions, and changes
        self._is_taking = False

    def before(self, condition: Any) -> None:
        """Notes everything before an element is taken, if `condition` holds."""
        if condition is not True:
            refuse_left(_iterated(self._elements))
        self._condition = condition
        roots = self._elements, *code_of_elements(self._elements)
        self._heap = HeapSnapshot(roots=roots, with_memory=True)
        self._effects = _effects()
        self._is_taking = True
        trace.current().taken_under_condition += 1

    def raised(self, error: BaseException) -> bool:
        """Records an exception that taking an element has raised: runs raise it that take the
        element.  Returns whether one was being taken."""
        is_programs = isinstance(error, Exception) and not isinstance(error, StagingError)
        if not self._is_taking or not is_programs or is_refusal(error) or self._condition is True:
            return False
        self.after()
        self._backend.if_stmt(self._condition, partial(_raise, error), None, _NOTHING)
        self.end()
        return True

    def close(self) -> None:
        """Ends taking: there was no further element, or an exception."""
        if self._is_taking:
            self._is_taking = False
            trace.current().taken_under_condition -= 1

    def after(self) -> None:
        """Notes what has changed since.

        Raises `StagingError` for effects, which each run would have to make or not.
        """
        self.close()
        if _effects() != self._effects:
            raise _refused("has an effect")
        if any(id(value) not in self._own for value, _ in self._heap.rewritten()):
            raise _refused("changes an object outside of it")
        slots = [one for one in self._heap.changes() if id(one.container) not in self._own]
        if slots:
            changes = {change.key: change for change in map(self._change, slots)}
            self._steps.append((self._condition, list(changes.values())))

    def _change(self, slot: HeapSlot) -> "Change":
        kind, container = accessor_of(slot.container), slot.container
        if isinstance(container, (deque, bytearray, TraceList)):
            return Change(
                container, slot.path, None, self._heap.before(container), kind.read(container)
            )
        if slot.before is MISSING or slot.after is MISSING:
            raise _refused(f"adds or removes {slot.path.lstrip('.')}")
        return Change(container, slot.path, slot.key, slot.before, slot.after)

    def end(self) -> None:
        """Makes the changes those of the conditions, when all elements have been taken."""
        first: dict[tuple, Change] = {}
        last: dict[tuple, Change] = {}
        for change in (one for _, changes in self._steps for one in changes):
            if change.key in last and not change.is_same(last[change.key].after, change.before):
                raise _refused(f"changes {change.path}, as the loop does")
            first.setdefault(change.key, change)
            last[change.key] = change
        for change in last.values():
            if not change.is_same(change.now(), change.after):
                raise _refused(f"changes {change.path}, as the loop does")
        for change in reversed(first.values()):
            change.write(change.before)
        for condition, changes in self._steps:
            if condition is True:
                _write(changes)
                continue
            containers = tuple(change.container for change in changes)
            others = partial(itself, containers)
            self._backend.if_stmt(condition, partial(_write, changes), others, _NOTHING)


@dataclass(frozen=True)
class Change:
    """A change of an element of a container; of all its contents, where `slot` is None."""

    container: Any
    path: str
    slot: Any
    before: Any
    after: Any

    @property
    def key(self) -> tuple:
        return id(self.container), self.slot

    def is_same(self, one: Any, other: Any) -> bool:
        """Whether there is no difference between two of its contents."""
        if self.slot is not None:
            return one is other
        return one.keys() == other.keys() and all(one[key] is other[key] for key in one)

    def now(self) -> Any:
        """Its contents at present."""
        held = accessor_of(self.container).read(self.container)
        return held if self.slot is None else held.get(self.slot, MISSING)

    def write(self, value: Any) -> None:
        kind = accessor_of(self.container)
        if self.slot is None:
            kind.fill(self.container, value)
        else:
            kind.write(self.container, self.slot, value)


def _raise(error: BaseException) -> None:
    raise error


def _write(changes: list[Change]) -> None:
    for change in changes:
        change.write(change.after)


def _nothing() -> tuple:
    return ()


_NOTHING = State((), _nothing, lambda values: None)


def _effects() -> tuple[int, int]:
    """How many effects have been recorded, and made, so far."""
    recorder = trace.current()
    recorded = sum(has_effect(node) for node in recorder.region.nodes)
    return recorded, len(recorder.state(MadeCalls))


def _refused(what: str) -> BaseException:
    return staging_error(
        f"a loop takes an element from an iterator that {what}",
        "A `break` or `return` under a staged condition may have left the loop before, and then "
        "Python takes no element.",
        "Make a list before the loop: items = list(iterator).",
        IterationError,
    )


# -- what only the iterator holds ------------------------------------------------------------------


def _held_only_by(elements: Any) -> set[int]:
    """The objects that can be reached from an iterator only: nothing else refers to them."""
    objects = [*_reached(elements), object()]
    by_list = sys.getrefcount(objects[-1])
    objects.pop()
    references = {id(one): by_list for one in objects}
    for i in range(len(objects)):
        for part in gc.get_referents(objects[i]):
            if id(part) in references:
                references[id(part)] += 1
        part = None
    seen = [i for i in range(len(objects)) if _is_referred_to(objects, i, references)]
    outside = {id(objects[i]) for i in seen if i > 0}
    pending = [objects[i] for i in seen if i > 0]
    while pending:
        for part in gc.get_referents(pending.pop()):
            if id(part) in references and id(part) not in outside and part is not elements:
                outside.add(id(part))
                pending.append(part)
    return references.keys() - outside


def _is_referred_to(objects: list[Any], i: int, references: dict[int, int]) -> bool:
    """Whether there are more references to an object than those that are counted."""
    return sys.getrefcount(objects[i]) > references[id(objects[i])]


def _reached(elements: Any) -> Iterator[Any]:
    """The iterator, and the objects that can be reached from it, but for code and modules."""
    found = {id(elements)}
    pending = [elements]
    while pending and len(found) < MOST_HELD:
        one = pending.pop()
        yield one
        for part in gc.get_referents(one):
            if id(part) not in found and gc.is_tracked(part) and not isinstance(part, OUTSIDE):
                found.add(id(part))
                pending.append(part)
