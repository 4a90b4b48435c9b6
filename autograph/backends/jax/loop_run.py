"""The `lax` loop of a loop whose iteration has been traced, and what it leaves."""

from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
from jax import lax
from jax.extend.core import jaxpr_as_fun

from autograph.backends.jax.abstract import Rows, common_element, join_contents, width
from autograph.backends.jax.blocks import by_location
from autograph.backends.jax.branches import is_missing
from autograph.backends.jax.checks import check
from autograph.backends.jax.lists import Buffer
from autograph.backends.jax.maybe import Maybe
from autograph.backends.jax.operands import (
    built,
    operands,
    taken_apart,
    widened_rows,
)
from autograph.staging.mutations import MutableLocation

if TYPE_CHECKING:
    from autograph.backends.jax.loops import Iteration, Loop


class LoopRun:
    """Records the `lax` loop, from the last iteration that was traced."""

    def __init__(self, loop: "Loop", iteration: "Iteration"):
        self.loop, self.iteration, self.over = loop, iteration, loop.over
        more = iteration.more
        self.exits = not isinstance(more, bool) or more is False
        self.is_certain = loop.over.trips is not None and not self.exits

    def write(self, predicate: Any) -> None:
        """Records the loop, and writes what it leaves to its locations."""
        start: list[Any] = []
        for location, spec in self.loop.carried.items():
            given, leaves = self.loop.changes.start(location)
            start += operands(spec, given, iter(leaves))
        results, lists = self.recorded(jnp.asarray(predicate, bool), start)
        taken = iter(results)
        values = {
            location: built(spec, taken, location.path)
            for location, spec in self.loop.carried.items()
        }
        values = {location: self.settled(location, value) for location, value in values.items()}
        self.loop.changes.write(values | lists)

    # -- the loop of lax ---------------------------------------------------------------------------

    def recorded(self, going: Any, start: list) -> tuple[list, dict]:
        """The final values of the carried locations, and the lists that the iterations made."""
        most = self.loop.most_iterations()
        if self.is_certain:
            return self.scan(start)
        if most is None:
            return self.while_loop(going, start), {}
        return self.bounded(going, start, most), {}

    def scan(self, start: list) -> tuple[list, dict]:
        """All iterations run."""

        def step(state, elements):
            index, carry = state
            _, carry, rows = self.iterate(index, elements, carry, True)
            return (index + 1, carry), rows

        first = jnp.asarray(0), start
        (_, results), rows = lax.scan(step, first, self.loop.leaves, length=self.over.trips)
        emitted = list(self.loop.emitted)
        lists = {
            location: self.list_of(location, found)
            for location, found in zip(emitted, rows, strict=True)
        }
        return results, lists

    def bounded(self, going: Any, start: list, most: int) -> list:
        """As many iterations as there can be, of which those after the last do nothing."""
        limit = self.over.limit

        def step(state, elements):
            index, going, carry = state
            inside = going if limit is None else going & (index < limit)

            def iteration():
                found = self.iterate(index, elements, carry, inside)
                return found[:2]

            going, carry = lax.cond(inside, iteration, lambda: (going, carry))
            return (index + 1, going, carry), None

        first = jnp.asarray(0), going, start
        (index, going, results), _ = lax.scan(step, first, self.loop.leaves, length=most)
        if self.over.trips is None:
            is_done = ~going if limit is None else ~going | (index >= limit)
            text = f"a loop makes more than max_iterations={most} iterations"
            check(is_done, RuntimeError, (text,))
        return results

    def while_loop(self, going: Any, start: list) -> list:
        """As many iterations as the run decides."""
        limit = self.over.limit

        def goes_on(state):
            index, going, _ = state
            return going if limit is None else going & (index < limit)

        def step(state):
            index, going, carry = state
            going, carry, _ = self.iterate(index, (), carry, goes_on(state))
            return index + 1, going, carry

        return lax.while_loop(goes_on, step, (jnp.asarray(0), going, start))[2]

    def iterate(self, index: Any, elements: Any, carry: list, going: Any) -> tuple:
        """One iteration: whether the loop goes on, the carried operands, rows of lists.

        `vmap` lets lanes that are done run along: `going` keeps their checks from failing.
        """
        function = jaxpr_as_fun(self.iteration.jaxpr)
        outputs = function(index, jnp.asarray(going, bool), *elements, *carry)
        more = self.iteration.more
        going_on = more if isinstance(more, bool) else outputs.pop()
        recorder = self.iteration.recorder
        leaves, given, new = by_location(outputs, recorder.widths), iter(carry), []
        for location, spec in self.loop.carried.items():
            kept = [next(given) for _ in range(width(spec))]
            if location in recorder.specs:
                kept = operands(spec, recorder.specs[location], iter(leaves[location]))
            new += kept
        rows = [self.rows(kinds, iter(leaves[one])) for one, kinds in self.loop.emitted.items()]
        return jnp.asarray(going_on, bool), new, rows

    def rows(self, kinds: tuple, leaves: Any) -> list:
        """The items that an iteration appends to a list, as operands of one kind."""
        element = common_element(kinds)
        return [operands(element, kind, leaves) for kind in kinds]

    # -- what it leaves ----------------------------------------------------------------------------

    def settled(self, location: MutableLocation, value: Any) -> Any:
        """What the loop leaves in a location, with all that is known about it."""
        after = self.iteration.recorder.specs.get(location)
        if self.is_certain and isinstance(value, Maybe) and not is_missing(after):
            inner, none, _ = value.parts()  # there was an iteration, and it binds the variable
            return inner if none is None else Maybe(inner, none, None, location.path)
        if isinstance(value, Buffer):
            self.set_length(location, value)
        return value

    def set_length(self, location: MutableLocation, value: Buffer) -> None:
        """Notes the length of a list, where all iterations append the same number of items."""
        grown, before = self.loop.lengths.get(location), location.before
        value.grown = None
        if not self.is_certain or grown is None:
            return
        by = grown * (self.over.trips or 0)
        if isinstance(before, tuple):
            value.length = len(before) + by
        elif before.grown is not None:
            value.grown = before.grown + by
            value.length = before.length + by

    def list_of(self, location: MutableLocation, rows: list) -> Buffer:
        """The contents of a list to which every iteration has appended `rows`."""
        element = common_element(self.loop.emitted[location])
        arrays = [
            column[0] if len(column) == 1 else _interleaved(column)
            for column in zip(*rows, strict=True)
        ]
        size = len(rows) * (self.over.trips or 0)
        if location.before:
            spec, leaves = taken_apart(location.before)
            whole = join_contents(spec, Rows(size, element))
            first = Rows(len(location.before), whole.element)
            before = operands(first, spec, iter(leaves))[1:]
            after = widened_rows(whole.element, element, arrays)
            arrays = [jnp.concatenate(pair) for pair in zip(before, after, strict=True)]
            element, size = whole.element, size + len(location.before)
        return Buffer(element, size, size, arrays, None)


def _interleaved(columns: tuple) -> Any:
    """The items of several appends in each iteration, in their order."""
    return jnp.stack(columns, 1).reshape(-1, *columns[0].shape[1:])
