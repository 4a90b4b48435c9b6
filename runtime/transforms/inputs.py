"""What is differentiated by, while a graph is recorded, and its cotangents.

f(x, w)     ->     w_1 = alias(w);  f(x, w_1)         gradients are by w_1: where f reads w itself,
                                                      through a variable say, it is a constant
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime.errors import staging_error
from runtime.ir.graph import Value
from runtime.ir.op import find
from runtime.ir.pytree import Structure, flatten, unflatten
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import Tensor, apply, operand, staged
from runtime.transforms.jacobian import jacobians
from runtime.transforms.node_range import NodeRange
from runtime.transforms.reverse.activity import Activity, is_differentiable
from runtime.transforms.reverse.backward import Reverse
from runtime.transforms.reverse.cotangents import Cotangents
from runtime.transforms.user_lists import plain_lists, user_lists


class Watched:
    """Arguments of a call by which something is differentiated.

    They stand under names of their own, so that the same array in another argument, or in a
    variable that the function reads, is a constant.
    """

    def __init__(self, places: Sequence[int], args: Sequence[Any], strict: bool = True):
        """`strict`: what has no derivatives is an error; else its cotangent is None."""
        self._strict = strict
        self.recorder = trace.current()
        self._region = self.recorder.region
        self._first = len(self._region.nodes)
        self._one = NodeRange(self._region, ())
        self._leaves: list[list[Tensor]] = []
        self._structures: list[Structure] = []
        self._originals: list[tuple[Any, Tensor]] = []
        self.args = list(args)
        for place in places:
            if place >= len(args):
                raise TypeError(
                    f"argument {place} is differentiated by, but there are {len(args)} arguments; "
                    "those differentiated by are given by position"
                )
            leaves, structure = flatten(plain_lists(args[place]))
            self._structures.append(structure)
            self._leaves.append([self._watch(leaf, place) for leaf in leaves])
            self.args[place] = user_lists(unflatten(structure, self._leaves[-1]))

    def _watch(self, leaf, place):
        if not self._strict and not _has_derivatives(leaf):
            return leaf
        tensor = watchable(leaf, f"argument {place}")
        watched = Tensor(operand(apply(find("alias"), tensor), self.recorder), self.recorder.region)
        self._originals.append((leaf, watched))
        return watched

    def hand_back(self) -> None:
        """Behind the call: lets the caller's arrays hold what the function wrote into them."""
        self._one = NodeRange(self._region, self._region.nodes[self._first :])
        for leaf, watched in self._originals:
            if watched._at is not watched._origin and isinstance(leaf, Tensor):
                leaf._assign(watched)

    def pulled_back(self, results: list[tuple[Tensor, Any]]) -> list[Any]:
        """For each argument the cotangents, from pairs of a result and its cotangent."""
        return self._sorted(pull_back(self.recorder, [self._one], results, self._all, True))

    def jacobians(self, result: Tensor) -> list[Any]:
        """For each argument the derivatives of a result."""

        def pulled(result, cotangent):
            pair = [(result, cotangent)]
            return pull_back(self.recorder, [self._one], pair, self._all, True)

        return self._sorted(jacobians(result, self._all, pulled))

    @property
    def _all(self):
        return [watched._origin[0] for _, watched in self._originals]

    def _sorted(self, found):
        """What belongs to the leaves of the arguments, in the structures of these."""
        by_leaf = dict(zip((id(watched) for _, watched in self._originals), found, strict=True))
        return [
            user_lists(unflatten(structure, [by_leaf.get(id(leaf)) for leaf in leaves]))
            for structure, leaves in zip(self._structures, self._leaves, strict=True)
        ]


def _has_derivatives(value):
    kind = staged_type(value)
    return kind is not None and is_differentiable(kind)


def watchable(value: Any, name: str) -> Tensor:
    """A value by which one can differentiate, staged.  Raises `TypeError` for others."""
    tensor = value if isinstance(value, Tensor) else _staged(value, name)
    if is_differentiable(tensor.type):
        return tensor
    raise staging_error(
        f"{name} is {tensor.type}, and is differentiated by",
        "Derivatives are by floats and complex numbers.",
        "Pass a float: 3.0 for 3, x.astype(float) for an array.",
    )


def _staged(value, name):
    if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)):
        return staged(value)
    raise staging_error(
        f"{name} is differentiated by, and holds {_named(value)}",
        "Derivatives are by numbers, arrays, and lists, tuples and dicts of them.",
        "Pass the arrays of the object, or use rt.GradientTape, which watches its variables.",
    )


def _named(value):
    """What a value is called that may hold staged ones, which have no text."""
    return repr(value) if isinstance(value, (str, bytes)) or value is None else type(value).__name__


def pull_back(
    recorder: trace.Trace,
    ranges: list[NodeRange],
    results: list[tuple[Tensor, Any]],
    sources: list[Value],
    zeros: bool,
) -> list[Any]:
    """The cotangents of some sources, from pairs of a result and its cotangent.

    Where a result does not depend on a source, its cotangent is zero, or None without `zeros`.
    """
    active = Activity(sources)
    for one in ranges:
        active.visit(one.nodes)
    reverse = Reverse(recorder, active, Cotangents(recorder))
    for result, cotangent in results:
        if result._value in active:
            reverse.cotangents.add(result._value, cotangent)
            reverse.note_one(result._value, cotangent)
    with _quiet(recorder):
        reverse.walk(ranges)
    known = reverse.cotangents
    return [known.of_or_zero(source) if zeros else known.of(source) for source in sources]


@contextmanager
def _quiet(recorder: trace.Trace) -> Iterator[None]:
    """Lets NumPy warn of nothing: a derivative may be infinite where nobody asks for it, as that of
    a square root at zero is on the side of a `where` that was not chosen."""
    if recorder.is_eager:
        with np.errstate(all="ignore"):
            yield
        return
    apply(find("enter_errors"), options=(("all", "ignore"),))
    yield
    apply(find("leave_errors"))
