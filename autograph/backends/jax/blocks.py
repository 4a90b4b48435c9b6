"""Blocks of code as jaxprs: traced once, with all that they change undone.

    block = traced(body, changes, predicate)      runs the user's code, and records a jaxpr
    replayed(block)                               the arrays it leaves in each location

A block is recorded as the jaxpr of a function without arguments; the tracers around it become its
constants.  So the paths are joined first, and the jaxprs are evaluated in `lax.cond`, `lax.scan` or
`lax.while_loop`, with casts to the joined types after them: no code of the user's runs twice.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, is_dataclass
from typing import Any

import jax

from autograph import backend as backends
from autograph.backend import State
from autograph.backends.jax import classes
from autograph.backends.jax.checks import under
from autograph.backends.jax.lists import Buffer, Emitted, GrowList, ReadBack
from autograph.backends.jax.operands import Scope, taken_apart
from autograph.backends.jax.tracers import backend, jaxpr_of, results_of
from autograph.errors import StagingError
from autograph.functions.policy import is_users_class
from autograph.staging.blocks import comes_from_raise, is_from, run_block
from autograph.staging.errors import staging_error
from autograph.staging.heap_diff import HeapSlot
from autograph.staging.joins import is_plain_object
from autograph.staging.mutations import MutableLocation, MutationTracker

JAX = os.path.join(os.path.dirname(jax.__file__), "")
RESULT = MutableLocation(("result",), "the result", None)


class TooDeep(RecursionError):
    """A function calls itself too often in branches that a run decides."""


class Changes(MutationTracker, Scope):
    """The locations that some blocks change, the contents of lists that grow included."""

    def __init__(self, state: State, *blocks: Callable | None, roots: tuple = ()):
        super().__init__(state, *blocks, roots=roots)
        classes.meet_all(self.heap.containers())

    def location(self, slot: HeapSlot) -> tuple[MutableLocation, Any]:
        items = slot.container
        if not isinstance(items, GrowList):
            return super().location(slot)
        return self.contents_of(items), items.contents()

    def contents_of(self, items: GrowList) -> MutableLocation:
        """The location of the contents of a list that grows."""
        held = self.heap.before(items)
        before = held["staged"] if "staged" in held else tuple(held.values())
        return MutableLocation(("list", id(items)), self.heap.path(items), before, items.put)

    def empty_lists(self) -> list[MutableLocation]:
        """The contents of the lists that grow, and are empty before the blocks."""
        lists = [one for one in self.heap.containers() if isinstance(one, GrowList)]
        return [one for one in map(self.contents_of, lists) if one.before == ()]

    def existed(self, value: Any) -> bool:
        """Whether a value is a container that existed before the blocks, and that code may write
        into."""
        return can_change(value) and value in self.heap

    def start(self, location: MutableLocation) -> tuple[Any, list]:
        """The abstract value and the arrays that a location had before."""
        return taken_apart(location.before, self)


def can_change(value: Any) -> bool:
    """Whether code may write into an object: it is a list, a dict, or a user's object."""
    kind = type(value)
    if isinstance(value, (list, dict)):
        return True
    if isinstance(value, tuple) or not (is_users_class(kind) or is_plain_object(value)):
        return False
    frozen = is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return not frozen


@dataclass
class Block:
    """A block that has been traced."""

    jaxpr: Any
    specs: dict  # of each location
    widths: dict
    raised: BaseException | bool = False
    grown: dict = field(default_factory=dict)  # of each list, by how much
    lists: dict = field(default_factory=dict)  # the contents of each list


class Recorder(Scope):
    """Collects what a block leaves, as outputs of its jaxpr."""

    def __init__(self, changes: Changes):
        self.changes = changes
        self.specs: dict[MutableLocation, Any] = {}
        self.widths: dict[MutableLocation, int] = {}
        self.met: dict[int, Any] = {}  # new objects that code may write into, by identity
        self.shared: set[int] = set()
        self.all_met = False

    def outputs(self, found: dict) -> list:
        """The arrays in what a block leaves in its locations."""
        taken = {location: taken_apart(value, self) for location, value in found.items()}
        self.all_met = True
        if self.shared:  # the first locations of these objects were not known to share them
            taken = {location: taken_apart(value, self) for location, value in found.items()}
        self.specs |= {location: spec for location, (spec, _) in taken.items()}
        self.widths |= {location: len(leaves) for location, (_, leaves) in taken.items()}
        return [leaf for _, leaves in taken.values() for leaf in leaves]

    def existed(self, value: Any) -> bool:
        return self.changes.existed(value)

    def is_shared(self, value: Any) -> bool:
        if not self.all_met and id(value) in self.met and can_change(value):
            self.shared.add(id(value))
        self.met[id(value)] = value
        return id(value) in self.shared


def traced(block: Callable | None, changes: Changes, predicate: Any, is_so: bool = True) -> Block:
    """Traces a block that runs where the predicate is so, and undoes all that it has changed."""
    recorder = Recorder(changes)
    ends = Block(None, recorder.specs, recorder.widths)

    def run():
        try:
            result = None
            if block is not None:
                with backends.staging(backend()), under(predicate, is_so):
                    result, ends.raised = run_block(block, note)
            found = {} if ends.raised else {**changes.changes(), RESULT: result}
            if any(isinstance(value, Emitted) for value in found.values()):
                raise ReadBack
            for location, value in found.items():
                if isinstance(value, Buffer):
                    ends.grown[location] = value.grown
                if location.key[0] == "list":
                    ends.lists[location] = value
            return recorder.outputs(found)
        finally:
            changes.restore()

    errors: list[BaseException] = []

    def note(error: BaseException) -> bool:
        if isinstance(error, StagingError) or not is_raised_by_program(error):
            return False
        errors.append(error)
        return True

    ends.jaxpr = jaxpr_of(run, [])
    if errors:
        ends.raised = errors[-1]
    return ends


def is_raised_by_program(error: BaseException) -> bool:
    """Whether a `raise` of the program has raised an exception, which a run will raise then; JAX
    raises its own (shapes, concrete values) while it traces."""
    if isinstance(error, TooDeep):
        return True
    return comes_from_raise(error) and not is_from(error, JAX)


def replayed(block: Block) -> dict[MutableLocation, list]:
    """The arrays that a block leaves, by location."""
    return by_location(results_of(block.jaxpr), block.widths)


def by_location(outputs: list, widths: dict) -> dict[MutableLocation, list]:
    """The outputs of a jaxpr, by location."""
    taken: Iterator = iter(outputs)
    return {location: [next(taken) for _ in range(n)] for location, n in widths.items()}


def cannot_join(location: MutableLocation, mismatch: Any, one: str, other: str) -> BaseException:
    """The error about a location that holds values of two kinds."""
    from_paths = mismatch.left, mismatch.right
    arrays = all(type(side).__name__ == "ArrayType" for side in from_paths)
    known = any(type(side).__name__ == "Object" for side in from_paths)
    if arrays:
        why = "Only a run decides, and an array of XLA has one shape, which is known before."
        remedy = "Give it one shape on both paths: pad it, mask it, or use jnp.where."
    elif known:
        why = "Only a run decides, and it holds nothing but arrays."
        remedy = "Leave the same object on both paths; numbers and arrays may differ."
    else:
        why = "Only a run decides, and the structure of a value is known before."
        remedy = "Leave containers of the same structure on both paths."
    return staging_error(
        f"{location.path}{mismatch.path} is {mismatch.left} after {one} and {mismatch.right} "
        f"after {other}",
        why,
        remedy,
    )
