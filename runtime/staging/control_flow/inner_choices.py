"""Choices between older arrays that a branch makes: they are made outside of it as well.

if p:
    if q: v = x                 q is a further result of the outer branch (false where p is),
    else: v = y          ->     and v is a SELECT of x, y and z, which can be written into
else:
    v = z
"""

from collections.abc import Iterable, Iterator
from typing import Any

from runtime.ir.pytree import flatten
from runtime.tracing import trace
from runtime.tracing.aliases import (
    Alias,
    Kind,
    is_view,
    kind_of,
    root_of,
    select_alias,
    selected,
)
from runtime.tracing.tensor import Tensor


class OwnArrays(dict[int, Tensor]):
    """The arrays that blocks have created for one place alone, as sides of SELECTs; by identity."""


def own_array(leaf: Tensor) -> Tensor:
    """A handle for such an array, which has the value that is joined for the place."""
    own = Tensor(*leaf._at)
    trace.current().state(OwnArrays)[id(own)] = own
    return own


class Choices(dict[int, Tensor]):
    """The predicates of inner branches, by identity, as values outside of the block."""

    def __init__(self, outputs: Iterable, choices: list[Tensor]):
        region = trace.current().region
        values = (Tensor(value, region) for value in outputs)
        super().__init__((id(choice), value) for choice, value in zip(choices, values, strict=True))
        self._found: dict[tuple[int, int], tuple] = {}  # with the handles, which keeps them alive

    def outside(self, handle: Tensor, own: Tensor) -> Tensor | None:
        """A handle from inside of the block as one outside; None if there is none.

        `own` holds the array that the block has created for the place alone.  A handle may be in
        many choices, each inside of others: it is computed once.
        """
        key = id(handle), id(own)
        if key not in self._found:
            self._found[key] = handle, own, self._outside(handle, own)
        return self._found[key][-1]

    def _outside(self, handle, own):
        if is_outside(handle):
            return recomputed(handle)
        if is_view(handle):
            base = self.outside(handle.sources[0], own)
            return None if base is None else _applied(handle.recipe, base)
        if kind_of(handle) is not Kind.SELECT:
            return None
        predicate = self.get(id(handle.recipe))
        if predicate is None:
            return None
        created = trace.current().state(OwnArrays)
        sides = [
            own if id(source) in created else self.outside(source, own) for source in handle.sources
        ]
        one, other = sides
        if one is None or other is None or len({side.type.dtype for side in (*sides, own)}) > 1:
            return None
        found = selected(predicate, one, other, own.type)
        return select_alias(found._at, predicate, one, other)


def recomputed(handle: Tensor) -> Tensor:
    """A handle as it is outside of the block that created it: views are computed again."""
    if not is_view(handle):
        return handle
    return _applied(handle.recipe, recomputed(handle.sources[0]))


def _applied(recipe, base):
    return Alias(recipe.applied(base), Kind.VIEW, (base,), recipe)


def is_outside(handle: Tensor) -> bool:
    """Whether an array, or the root of a view, is older than the block that has just ended."""
    return root_of(handle)._origin[1] in trace.current().regions


def inner_choices(values: Iterable[Any]) -> Iterator[Tensor]:
    """The predicates by which the block that has just ended has chosen the arrays in values."""
    seen: set[int] = set()
    pending = [leaf for value in values for leaf in flatten(value)[0]]
    while pending:
        handle = pending.pop()
        if kind_of(handle) is Kind.SNAPSHOT:
            handle = handle.sources[0]
        if not isinstance(handle, Alias) or id(handle) in seen:
            continue
        seen.add(id(handle))
        root = root_of(handle)
        if kind_of(root) is Kind.SELECT and not is_outside(root):
            pending += root.sources
            if id(root.recipe) not in seen:
                seen.add(id(root.recipe))
                yield root.recipe
