"""Staged loops: `lax.scan` where the number of iterations is known, else `lax.while_loop`.

    for v in x                              scan over x
    for v in x: ... break                   scan of cond: reverse mode works
    for i in range(n), while p              while_loop
      with max_iterations=k             scan of cond over k iterations: reverse mode works

An iteration is traced; what it leaves is joined with the start, and it is traced again, until
nothing changes (for an int that becomes a float, or None that becomes a number).  It is not traced
again where the trace would be the same: for a weak type that becomes strong (`retyped.py`).
"""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp

from autograph import backend as backends
from autograph.backend import State, Undefined, Unset
from autograph.backends.jax.abstract import (
    NUMBERS,
    ArrayType,
    Mismatch,
    Node,
    Optional,
    element_type,
    generalized,
    is_array,
    join,
    join_contents,
    struct,
    types,
)
from autograph.backends.jax.blocks import Changes, Recorder, cannot_join
from autograph.backends.jax.branches import is_missing
from autograph.backends.jax.checks import under
from autograph.backends.jax.lists import Buffer, Emitted, ReadBack, most_items
from autograph.backends.jax.loop_run import FirstIteration, LoopRun
from autograph.backends.jax.maybe import Maybe
from autograph.backends.jax.operands import built
from autograph.backends.jax.retyped import depends_on_run, retyped
from autograph.backends.jax.tracers import backend, jaxpr_of
from autograph.errors import IterationError
from autograph.staging.blocks import Diverged
from autograph.staging.errors import staging_error
from autograph.staging.mutations import MutableLocation, one_sided

MOST_ATTEMPTS = 20


@dataclass
class Iterations:
    """How often a loop iterates, and over what.

    Either `trips` times, over the stacked `elements`; or `limit` times, which a run counts; or as
    long as its test holds.  `most` is the most there can be, if that is known.  `counts` says
    whether the body takes the number of the iteration, which widens no array.
    """

    elements: Any = ()
    trips: int | None = None
    limit: Any = None
    most: int | None = None
    counts: bool = False


@dataclass
class Iteration:
    """An iteration that has been traced."""

    jaxpr: Any
    recorder: Recorder
    found: dict
    more: Any  # whether the loop goes on: a bool if that is known
    kinds: list = field(default_factory=list)  # of the operands of the jaxpr


class Loop:
    """A loop that is being staged; `body(element)` returns whether it goes on."""

    def __init__(
        self,
        body: Callable[[Any], Any],
        state: State,
        blocks: tuple,
        over: Iterations,
        roots: tuple = (),
    ):
        self.body, self.over = body, over
        self.again = state, blocks, roots
        self.changes = Changes(state, *blocks, roots=roots)
        self.codes = {block.__code__ for block in blocks if hasattr(block, "__code__")}
        self.most = over.most  # or what the user has said
        self.carried = {
            location: generalized(self.changes.start(location)[0])
            for location in self.changes.variables
            if _is_value(location.before)
        }
        self.constant: set[MutableLocation] = set()  # numbers that each iteration leaves alike
        self.emitted: dict[MutableLocation, Any] = {}  # lists that are only appended to, and
        # the items that an iteration adds to each, None before the first trace
        self.buffered: set[MutableLocation] = set()
        self.lengths: dict[MutableLocation, int | None] = {}
        self.added: dict[MutableLocation, int] = {}  # the most items that an iteration adds
        self.unchanged: set[MutableLocation] = set()
        if over.trips is not None and None in blocks and _appends(blocks[0]):
            self.emitted = dict.fromkeys(self.changes.empty_lists())
        self.leaves, self.tree = jax.tree.flatten(over.elements)

    def most_iterations(self) -> int | None:
        """The most iterations that there can be, if that is known."""
        return self.over.trips if self.over.trips is not None else self.most

    def counts(self) -> bool:
        """Whether the body takes the number of the iteration."""
        return self.over.counts or self.over.limit is not None

    def stage(self, predicate: Any = True) -> None:
        """Stages the loop; `predicate` says whether there is a first iteration."""
        iteration = self.settled()
        if iteration is not None:
            self.write(iteration, predicate)
            return
        state, blocks, roots = self.again
        over = Iterations([x[1:] for x in self.leaves], (self.over.trips or 0) - 1)
        Loop(lambda xs: self.body(self.tree.unflatten(xs)), state, blocks, over, roots).stage()

    def stage_at_once(self) -> bool:
        """Stages a loop that makes a first iteration, without one of its own before the loop;
        returns whether it could: whether a run decides about the second iteration in any case, and
        the first one leaves the types that it finds."""
        values = [location.before for location in self.changes.variables]
        if not all(type(one) in (bool, Unset) or is_array(one) for one in values):
            return False
        try:
            iteration = self.traced()
        except Exception:  # of any kind: if the loop is at fault, its first iteration raises, too
            return False
        before = dict(self.carried)
        is_settled = not self.widen(iteration) or self.retype(iteration, before)
        if not is_settled or not self.is_decided_by_run(iteration) or self.widen(iteration):
            return False
        self.write(iteration)
        return True

    def is_decided_by_run(self, iteration: Iteration) -> bool:
        """Whether a run decides about another iteration even if the bools that Python knows before
        the loop stay known."""
        if isinstance(iteration.more, bool):
            return False
        known = [
            not is_array(location.before)
            for location, spec in self.carried.items()
            for _ in types(spec)
        ]
        return depends_on_run(iteration.jaxpr.jaxpr, known, int(self.counts()))

    def write(self, iteration: Iteration, predicate: Any = True) -> None:
        """Records the loop of an iteration that has been traced, and what it leaves."""
        LoopRun(self, iteration).write(predicate)

    def settled(self) -> Iteration | None:
        """An iteration, traced until what it leaves has the types that it begins with; None if the
        first one is recorded before the loop."""
        for _ in range(MOST_ATTEMPTS):
            try:
                iteration = self.traced()
            except ReadBack:
                if not self.emitted:
                    raise  # it is a list of a loop around this one
                self.buffered |= set(self.emitted)
                self.emitted = {}
                continue
            if self.binds_in_first(iteration):
                FirstIteration(self, iteration).write()
                return None
            before = dict(self.carried)
            if not self.widen(iteration):
                return iteration
            if self.retype(iteration, before) and not self.widen(iteration):
                return iteration
        raise staging_error(
            "the types in a loop do not settle",
            "A variable has another type after each iteration.",
            "Give the variables their final types before the loop.",
            IterationError,
        )

    def binds_in_first(self, iteration: Iteration) -> bool:
        """Whether a variable is None before the loop, and never after the first iteration, which is
        then best recorded before it: so no run asks whether the variable is None."""
        trips, specs = self.over.trips, iteration.recorder.specs
        if trips is None or trips < 2 or self.counts() or iteration.more is not True:
            return False
        nones = [one for one in self.changes.variables if one.before is None]
        after = [specs.get(one) for one in nones]
        return any(spec is not None and not isinstance(spec, Optional) for spec in after)

    # -- one iteration -----------------------------------------------------------------------------

    def traced(self) -> Iteration:
        """Traces an iteration, and undoes what it has changed."""
        iteration = Iteration(None, Recorder(self.changes), {}, True)

        def run(index, going, *given):
            operands = iter(given)
            element = self.tree.unflatten([next(operands) for _ in self.leaves])
            start: dict[MutableLocation, Any] = {
                location: built(spec, operands, location.path)
                for location, spec in self.carried.items()
            }
            for location, value in start.items():
                if isinstance(value, Buffer):
                    value.most = value.capacity - self.added.get(location, 0)
            start |= {location: Emitted(location.before) for location in self.emitted}
            try:
                self.changes.write(start)
                iteration.more = self.iterate(element, index, going)
                diverged = iteration.more is None
                iteration.found = {} if diverged else self.found(start)
                iteration.more = False if diverged else iteration.more
                outputs = iteration.recorder.outputs(iteration.found)
                if self.emitted and iteration.more is not True:
                    raise ReadBack
                if not isinstance(iteration.more, bool):
                    outputs.append(jnp.asarray(iteration.more, bool))
                return [*outputs, index + 1] if self.counts() else outputs
            finally:
                self.changes.restore()

        iteration.kinds = self.inputs()
        iteration.jaxpr = jaxpr_of(run, iteration.kinds)
        return iteration

    def inputs(self) -> list:
        """The types of the operands of an iteration: its number, whether it runs, the elements,
        and the carried values."""
        inputs = [struct((), jnp.asarray(0).dtype, True), jax.ShapeDtypeStruct((), bool)]
        inputs += [element_type(x) for x in self.leaves]
        return inputs + [kind for spec in self.carried.values() for kind in types(spec)]

    def iterate(self, element: Any, index: Any, going: Any) -> Any:
        """Runs the body; returns whether the loop goes on, None if it always raises."""
        is_certain = self.over.trips is not None
        with backends.staging(backend()), nullcontext() if is_certain else under(going):
            open_loops.append(self)
            try:
                return self.body(index if self.counts() else element)
            except Diverged:
                return None
            finally:
                open_loops.pop()

    def found(self, start: dict) -> dict[MutableLocation, Any]:
        """What the iteration leaves in its locations."""
        found = self.changes.changes() | self.changes.variable_values()
        for location in [one for one, items in self.emitted.items() if items is None]:
            if isinstance(found.get(location), Emitted) and not found[location].items:
                del found[location], self.emitted[location]
        for location, value in found.items():
            if isinstance(value, Emitted) and location not in self.emitted:
                raise ReadBack
            if isinstance(value, Buffer):
                certain = isinstance(start.get(location), Buffer) and value.grown is not None
                self.lengths[location] = value.grown if certain else None
            if location.key[0] == "list" and not isinstance(value, Emitted):
                began = most_items(start.get(location, location.before))
                by = most_items(value) - began
                self.added[location] = max(by, self.added.get(location, 0))
        self.unchanged = {one for one, value in found.items() if value is one.before}
        return found

    # -- carried locations -------------------------------------------------------------------------

    def widen(self, iteration: Iteration) -> bool:
        """Carries what the iteration leaves; returns whether anything has changed."""
        changes = [
            self.widen_one(location, spec, iteration)
            for location, spec in iteration.recorder.specs.items()
        ]
        return any(changes)

    def retype(self, iteration: Iteration, before: dict) -> bool:
        """Gives the operands of an iteration the types that are carried now, if a trace would
        record the same; `before` has those that it was traced with."""
        jaxpr = retyped(iteration.jaxpr, before, self.carried)
        if jaxpr is None:
            return False
        iteration.jaxpr, iteration.kinds = jaxpr, self.inputs()
        return True

    def widen_one(self, location: MutableLocation, spec: Any, iteration: Iteration) -> bool:
        """Carries what the iteration leaves in one location."""
        if location in self.emitted:
            is_same = self.emitted[location] in (None, spec.items)
            self.emitted[location] = spec.items
            return not is_same
        if self.can_emit(location, spec, iteration):
            self.emitted[location] = spec.items[len(location.before) :]
            return True
        known = self.carried.get(location)
        if known is None and location in self.unchanged:
            return False
        before = self.changes.start(location)[0]
        if isinstance(spec, ArrayType) and spec.known is not None and spec == before:
            self.constant.add(location)
            return self.carried.pop(location, None) is not None
        if location.is_slot and is_missing(spec) != is_missing(before):
            raise one_sided(location)
        try:
            wider = self.joined(location, generalized(before) if known is None else known, spec)
        except Mismatch as mismatch:
            raise cannot_join(location, mismatch, "zero iterations of this loop", "one") from None
        if wider == known:
            return False
        self.carried[location] = wider
        return True

    def joined(self, location: MutableLocation, start: Any, spec: Any) -> Any:
        """The abstract value that covers a location before and after an iteration."""
        is_list = location.key[0] == "list"
        return self.grown(location, start, spec) if is_list else join(start, generalized(spec))

    def can_emit(self, location: MutableLocation, spec: Any, iteration: Iteration) -> bool:
        """Whether a list may be one that every iteration only appends to."""
        if location.key[0] != "list" or location in self.buffered or location in self.carried:
            return False
        is_known = isinstance(location.before, tuple) and isinstance(spec, Node)
        is_certain = self.over.trips is not None and iteration.more is True
        return is_known and is_certain and len(spec.items) > len(location.before)

    def grown(self, location: MutableLocation, start: Any, spec: Any) -> Any:
        """The contents of a list after any number of iterations."""
        both = isinstance(start, Node) and isinstance(spec, Node)
        if both and len(start.items) == len(spec.items):
            return join(start, generalized(spec))
        turns, by = self.most_iterations(), self.added.get(location, 0)
        if turns is None and by > 0:
            raise staging_error(
                f"{location.path or 'a list'} grows in a loop of which only a run knows the number "
                "of iterations",
                "XLA has no arrays of unknown length.",
                "Say how many iterations there can be, in the loop: "
                "autograph.set_loop_options(max_iterations=...); or loop over an array.",
                IterationError,
            )
        return join_contents(start, spec, most_items(location.before) + by * (turns or 0))


def _appends(body: Callable) -> bool:
    """Whether the body of a loop calls `append` in each iteration, and in no branch."""
    return "append" in getattr(getattr(body, "__code__", None), "co_names", ())


open_loops: list[Loop] = []  # whose bodies are being traced, the innermost last


def _is_value(value: Any) -> bool:
    """Whether a variable is carried from the start: it holds nothing that code can write into."""
    if isinstance(value, (Unset, Undefined, Maybe)) or value is None or type(value) in NUMBERS:
        return True
    return is_array(value) or type(value) is tuple and all(map(_is_value, value))
