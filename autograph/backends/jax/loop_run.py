"""The `lax` loop of a loop whose iteration has been traced, and what it leaves."""

import itertools
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
from jax import lax

from autograph.backends.jax import direct
from autograph.backends.jax.abstract import Optional, Rows, common_element, join_contents, width
from autograph.backends.jax.blocks import by_location
from autograph.backends.jax.branches import is_missing
from autograph.backends.jax.checks import check
from autograph.backends.jax.lists import Buffer, most_items
from autograph.backends.jax.maybe import Maybe
from autograph.backends.jax.operands import (
    built,
    operands,
    operands_of,
    taken_apart,
    widened_rows,
)
from autograph.backends.jax.tracers import jaxpr_of, results_of
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
        results, lists = self.recorded(predicate, start)
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
        results, rows = self.direct_scan(start) or self.scan_of_lax(start)
        emitted = list(self.loop.emitted)
        lists = {
            location: self.list_of(location, found)
            for location, found in zip(emitted, rows, strict=True)
        }
        return results, lists

    def scan_of_lax(self, start: list) -> tuple[list, list]:
        """The results of `lax.scan`, and the rows of the lists."""

        def step(state, elements):
            index, carry = state
            _, carry, rows = self.iterate(index, elements, carry, True)
            return (index + 1, carry), rows

        first = jnp.asarray(0), start
        (_, results), rows = lax.scan(step, first, self.loop.leaves, length=self.over.trips)
        return results, rows

    # -- the same without tracing the iteration again ----------------------------------------------

    def direct_scan(self, start: list) -> tuple[list, list] | None:
        """The results of the scan, and the rows of the lists; None if `lax` has to trace it."""
        body = self.direct_body()
        if body is None:
            return None
        counter = [jnp.asarray(0)] if self.loop.counts() else []
        found = direct.scan(body, [*counter, *start], self.loop.leaves, self.over.trips or 0)
        if found is None:
            return None
        rows, taken = [], iter(found[1])
        for kinds in self.loop.emitted.values():
            rows.append([operands_of(common_element(kinds), taken) for _ in kinds])
        return found[0][len(counter) :], rows

    def direct_while(self, going: Any, start: list) -> list | None:
        """The results of the while loop; None if `lax` has to trace the iteration."""
        body = self.direct_body()
        if body is None or self.loop.leaves:
            return None
        limit, counter = self.over.limit, [jnp.asarray(0)] if self.loop.counts() else []

        def test(going, carried):
            inside = None if limit is None else carried(0) < limit
            return going if inside is None else inside if going is None else going & inside

        if body.going is None and (limit is None or going is not True):
            return None
        found = direct.while_loop(body, [*counter, *start], jnp.asarray(going, bool), test)
        return None if found is None else found[len(counter) :]

    def direct_body(self) -> direct.Body | None:
        """The iteration as it was traced; None if it has effects."""
        loop, iteration, specs = self.loop, self.iteration, self.iteration.recorder.specs
        if not direct.is_possible() or iteration.jaxpr.effects:
            return None
        places, following = {}, 0
        for location, size in iteration.recorder.widths.items():
            places[location], following = range(following, following + size), following + size
        going = None if isinstance(iteration.more, bool) else following
        body = direct.Body(iteration.jaxpr, [], going=going)
        if loop.counts():
            body.carried.append((0, following + (going is not None)))
        elements = len(loop.leaves)
        body.elements = list(range(2, 2 + elements))
        given = itertools.count(2 + elements)
        for location, spec in loop.carried.items():
            if location in specs and specs[location] != spec:
                return self.cast_body()
            results = places.get(location) or [None] * width(spec)
            body.carried += [(next(given), result) for result in results]
        for location, kinds in loop.emitted.items():
            if any(kind != common_element(kinds) for kind in kinds):
                return self.cast_body()
            body.rows += places[location]
        return body

    def cast_body(self) -> direct.Body:
        """The iteration with casts of what it leaves to the types that the loop carries."""
        elements, counts = len(self.loop.leaves), self.loop.counts()
        is_decided = not isinstance(self.iteration.more, bool)

        def step(index, going, *given):
            going_on, new, rows = self.iterate(index, given[:elements], given[elements:], going)
            flat = [operand for kinds in rows for kind in kinds for operand in kind]
            following = [index + 1] if counts else []
            return [*new, *flat, *[going_on] * is_decided, *following]

        jaxpr = jaxpr_of(step, self.iteration.kinds)
        carried = len(self.iteration.kinds) - 2 - elements
        rows = len(jaxpr.jaxpr.outvars) - carried - is_decided - counts
        body = direct.Body(jaxpr, [(0, carried + rows + is_decided)] * counts)
        body.carried += [(2 + elements + i, i) for i in range(carried)]
        body.elements = list(range(2, 2 + elements))
        body.rows = list(range(carried, carried + rows))
        body.going = carried + rows if is_decided else None
        return body

    def bounded(self, going: Any, start: list, most: int) -> list:
        """As many iterations as there can be, of which those after the last do nothing."""
        limit = self.over.limit

        def step(carried, elements):
            index, going, *carry = carried
            inside = going if limit is None else going & (index < limit)

            def iteration():
                going_on, new, _ = self.iterate(index, elements, carry, inside)
                return [going_on, *new]

            sides = jaxpr_of(iteration, []), jaxpr_of(lambda: [going, *carry], [])
            return [index + 1, *direct.cond(inside, *sides)]

        first = [jnp.asarray(0), jnp.asarray(going, bool), *start]
        index, going, *results = direct.scan_of(step, first, self.loop.leaves, most)
        if self.over.trips is None:
            is_done = ~going if limit is None else ~going | (index >= limit)
            text = f"a loop makes more than max_iterations={most} iterations"
            check(is_done, RuntimeError, (text,))
        return results

    def while_loop(self, going: Any, start: list) -> list:
        """As many iterations as the run decides."""
        found = self.direct_while(going, start)
        if found is not None:
            return found
        limit = self.over.limit

        def goes_on(state):
            index, going, _ = state
            return going if limit is None else going & (index < limit)

        def step(state):
            index, going, carry = state
            going, carry, _ = self.iterate(index, (), carry, goes_on(state))
            return index + 1, going, carry

        first = jnp.asarray(0), jnp.asarray(going, bool), start
        return lax.while_loop(goes_on, step, first)[2]

    def iterate(self, index: Any, elements: Any, carry: list, going: Any) -> tuple:
        """One iteration: whether the loop goes on, the carried operands, rows of lists.

        `vmap` lets lanes that are done run along: `going` keeps their checks from failing.
        """
        operands_ = index, jnp.asarray(going, bool), *elements, *carry
        outputs = results_of(self.iteration.jaxpr, *operands_)
        if self.loop.counts():
            outputs.pop()
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
        if self.is_certain and isinstance(value, Maybe) and after is not None:
            inner, none, unbound = value.parts()  # there was an iteration, which binds the variable
            none = none if isinstance(after, Optional) and after.none else None
            unbound = unbound if is_missing(after) else None
            is_there = none is None and unbound is None
            return inner if is_there else Maybe(inner, none, unbound, location.path)
        if isinstance(value, Buffer):
            self.set_length(location, value)
        return value

    def set_length(self, location: MutableLocation, value: Buffer) -> None:
        """Notes the length of a list, where all iterations append the same number of items."""
        grown, before = self.loop.lengths.get(location), location.before
        added = self.loop.added.get(location, 0)
        value.most = most_items(before) + added * (self.loop.most_iterations() or 0)
        value.grown = None
        if grown is None or not self.is_certain and grown != 0:
            return
        by = grown * (self.over.trips or 0)
        if isinstance(before, tuple):
            value.length = len(before) + by
        else:
            value.grown = None if before.grown is None else before.grown + by
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


class FirstIteration:
    """Records an iteration that has been traced once, before the loop of the others."""

    def __init__(self, loop: "Loop", iteration: "Iteration"):
        self.loop, self.iteration = loop, iteration

    def write(self) -> None:
        """Writes what the iteration leaves to its locations."""
        loop, recorder = self.loop, self.iteration.recorder
        given: list[Any] = [jnp.asarray(0), jnp.asarray(True)]
        given += [x[0] for x in loop.leaves]
        for location, spec in loop.carried.items():
            known, leaves = loop.changes.start(location)
            given += operands(spec, known, iter(leaves))
        outputs = by_location(results_of(self.iteration.jaxpr, *given), recorder.widths)
        loop.changes.write(
            {
                location: built(spec, iter(outputs[location]), location.path)
                for location, spec in recorder.specs.items()
            }
        )


def _interleaved(columns: tuple) -> Any:
    """The items of several appends in each iteration, in their order."""
    return jnp.stack(columns, 1).reshape(-1, *columns[0].shape[1:])
