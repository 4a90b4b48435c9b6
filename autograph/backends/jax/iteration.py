"""What staged loops run over: traced ranges, arrays, and `zip`, `enumerate`, `map` of them.

over, element = iterations(zip(xs, range(n)))        the number of iterations, and a function
                                                     that makes the element of one
"""

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograph.backends.jax.abstract import Mismatch, common_element
from autograph.backends.jax.lists import Buffer, GrowList
from autograph.backends.jax.loops import Iterations
from autograph.backends.jax.maybe import Maybe, present
from autograph.backends.jax.operands import built, row_of, taken_apart
from autograph.backends.jax.tracers import is_staged
from autograph.errors import IterationError
from autograph.staging.errors import asked_for, staging_error

Element = Callable[[Any], Any]


class StagedRange:
    """`range` with bounds that a run knows."""

    def __init__(self, *bounds: Any):
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
        for bound in (start, stop, step):
            if np.ndim(bound) or not jnp.issubdtype(jnp.asarray(bound).dtype, jnp.integer):
                raise TypeError(f"a range has the bound {jax.typeof(jnp.asarray(bound))}: no int")
        if is_staged(step):
            raise staging_error(
                "the step of a range is traced",
                "Whether it counts up or down is known before the run.",
                "Make the step an int.",
                IterationError,
            )
        if step == 0:
            raise ValueError("range() arg 3 must not be zero")
        self.start, self.stop, self.step = start, stop, step

    def size(self) -> Any:
        """The number of elements."""
        steps = self.stop - self.start
        if self.step != 1:
            steps = -(-steps // self.step)
        return jnp.maximum(0, steps)

    def element(self, index: Any) -> Any:
        """The element at an index."""
        return _at(self, index)

    def __len__(self) -> int:
        raise asked_for("the length of a traced range is needed")

    def __iter__(self) -> Iterator:
        raise asked_for("the elements of a traced range are needed")


class Combined:
    """`zip`, `enumerate`, `map`, of iterables one of which is staged."""

    def __init__(self, combine: Callable, *parts: Any):
        self.combine, self.parts = combine, parts

    def __iter__(self) -> Iterator:
        return itertools.starmap(self.combine, zip(*self.parts, strict=False))

    def __next__(self) -> Any:
        raise staging_error(
            "the next element of a zip, enumerate, map or reversed of traced values is needed",
            "Its position is not known, since a run may have taken elements before.",
            "Loop over it, or read items by an index.",
            IterationError,
        )


def is_staged_iterable(value: Any) -> bool:
    """Whether a staged loop runs over a value."""
    if isinstance(value, Maybe):
        return True
    if isinstance(value, GrowList):
        return value.held is not None
    return is_staged(value) or isinstance(value, (StagedRange, Combined))


def iterations(iterable: Any) -> tuple[Iterations, Element]:
    """The iterations of a loop over an iterable, and its element of an iteration."""
    iterable = present(iterable)
    if isinstance(iterable, StagedRange):
        return Iterations(limit=iterable.size()), iterable.element
    if isinstance(iterable, Combined):
        return _of_combined(iterable)
    if isinstance(iterable, range):
        count = len(iterable)
        return Iterations(_weak_range(count), count), lambda i: _at(iterable, i)
    if isinstance(iterable, itertools.count):
        first, step = iterable.__reduce__()[1][0], (*iterable.__reduce__()[1], 1)[1]
        return Iterations(limit=jnp.iinfo(int).max), lambda i: first + i * step
    if isinstance(iterable, GrowList) and iterable.held is not None:
        return _of_buffer(iterable)
    if isinstance(iterable, (list, tuple)):
        spec, columns = row_of(iterable, "looped over together with traced values")
        return Iterations(columns, len(iterable)), lambda xs: built(spec, iter(xs))
    if not hasattr(iterable, "shape"):
        return iterations(tuple(iterable))
    if not iterable.shape:
        raise TypeError("iteration over a 0-d array")
    if not isinstance(iterable.shape[0], int):  # a symbolic length, of jax.export
        limit = jnp.asarray(iterable.shape[0], int)
        return Iterations(limit=limit), lambda i: iterable[i]
    return Iterations(jnp.asarray(iterable), iterable.shape[0]), lambda x: x


def has_one_kind(iterable: Any) -> bool:
    """Whether the elements of each list or text in a `zip` or `enumerate` can be rows of arrays."""
    if isinstance(iterable, Combined) and not isinstance(iterable, _Elements):
        return all(map(has_one_kind, iterable.parts))
    if isinstance(iterable, str):
        return len(set(iterable)) <= 1
    if isinstance(iterable, GrowList) and iterable.held is not None:
        return True
    if not isinstance(iterable, (list, tuple)) or not iterable:
        return True
    try:
        common_element([taken_apart(item)[0] for item in iterable])
    except Mismatch:
        return False
    return True


def counted(over: range) -> tuple[Iterations, Element]:
    """The iterations of a loop over a range alone, and its element of an iteration."""
    return Iterations(trips=len(over), counts=True), lambda i: _at(over, i)


def _at(over: range | StagedRange, index: Any) -> Any:
    """The element of a range at an index."""
    return over.start + (index if over.step == 1 else index * over.step)


def _weak_range(count):
    """0, 1, ... as weak integers: like the ints of a `range`, they widen no array."""
    return jax.lax.cumsum(jax.lax.full((count,), 1)) - 1


def _of_combined(iterable):
    if isinstance(iterable, _Elements):
        return iterable.over, iterable.combine
    found = [iterations(part) for part in iterable.parts]
    if all(over.trips is not None for over, _ in found):
        trips = min(over.trips for over, _ in found)
        columns = [jax.tree.map(lambda x: x[:trips], over.elements) for over, _ in found]

        def element(xs):
            return iterable.combine(*(at(x) for (_, at), x in zip(found, xs, strict=True)))

        return Iterations(columns, trips), element
    limits = [over.limit if over.trips is None else over.trips for over, _ in found]
    positions = [_at_index(over, at) for over, at in found]
    limit = functools.reduce(jnp.minimum, limits)
    bounds = [over.most if over.trips is None else over.trips for over, _ in found]
    most = min((bound for bound in bounds if bound is not None), default=None)

    def at_index(i):
        return iterable.combine(*(at(i) for at in positions))

    return Iterations(limit=limit, most=most), at_index


def _at_index(over, element):
    if over.trips is None:
        return element
    return lambda i: element(jax.tree.map(lambda x: x[i], over.elements))


def _of_buffer(items):
    held: Buffer = items.buffer()
    if isinstance(held.length, int):
        columns = [x[: held.length] for x in held.leaves]
        return Iterations(columns, held.length), lambda xs: built(held.element, iter(xs))
    return Iterations(limit=held.length, most=held.capacity), items.__getitem__


def reversed_(items: Any) -> Combined:
    """`reversed` of what a staged loop runs over."""
    over, element = iterations(items)
    if over.trips is None:
        last = over.limit - 1
        return Combined(lambda i: element(last - i), StagedRange(over.limit))
    backwards = jax.tree.map(lambda x: x[::-1], over.elements)
    return _Elements(over.trips, backwards, element)


class _Elements(Combined):
    """Stacked elements, and the function that makes one of them."""

    def __init__(self, trips: int, columns: Any, element: Element):
        super().__init__(element)
        self.over = Iterations(columns, trips)

    def __iter__(self) -> Iterator:
        for i in range(self.over.trips or 0):
            yield self.combine(jax.tree.map(lambda x, i=i: x[i], self.over.elements))
