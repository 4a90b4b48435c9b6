"""Differentiated inputs: the arguments that a traced function is differentiated with respect to.

f(x, w)     ->     w_1 = alias(w);  f(x, w_1)      gradients are with respect to w_1: where f reads
                                                   w itself, through a variable say, w is constant
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime.errors import NotDifferentiableError, staging_error
from runtime.ir.graph import Value
from runtime.ir.op import find
from runtime.ir.pytree import Structure, flatten, unflatten
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import Tensor, apply, operand, staged
from runtime.transforms.jacobian import jacobians
from runtime.transforms.node_range import NodeRange
from runtime.transforms.reverse.activity import ActiveValues, is_differentiable
from runtime.transforms.reverse.backward import Reverse
from runtime.transforms.reverse.cotangents import Cotangents
from runtime.transforms.user_lists import plain_lists, user_lists


class DifferentiatedInputs:
    """The arguments of a call that its result is differentiated with respect to.

    They are values of their own in the graph, so the same array is a constant if it is also another
    argument, or the value of a variable that the function reads.
    """

    def __init__(self, places: Sequence[int], args: Sequence[Any], strict: bool = True):
        """`strict`: arguments without derivatives are errors; otherwise their cotangent is None."""
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
                raise TypeError(_missing(place, len(args)))
            leaves, structure = flatten(plain_lists(args[place]))
            self._structures.append(structure)
            self._leaves.append([self._alias(leaf, place) for leaf in leaves])
            self.args[place] = user_lists(unflatten(structure, self._leaves[-1]))

    def _alias(self, leaf, place):
        if not self._strict and not _has_derivatives(leaf):
            return leaf
        tensor = differentiable_tensor(leaf, f"argument {place}")
        aliased = Tensor(operand(apply(find("alias"), tensor), self.recorder), self.recorder.region)
        self._originals.append((leaf, aliased))
        return aliased

    def write_back(self) -> None:
        """Ends the call: writes the final values of the arguments into the caller's arrays."""
        self._one = NodeRange(self._region, self._region.nodes[self._first :])
        for leaf, aliased in self._originals:
            if aliased._at is not aliased._origin and isinstance(leaf, Tensor):
                leaf._assign(aliased)

    def pull_back_to_arguments(self, results: list[tuple[Tensor, Any]]) -> list[Any]:
        """The cotangents of each argument, from pairs of a result and its cotangent."""
        return self._sorted(pull_back(self.recorder, [self._one], results, self._all, True))

    def jacobians(self, result: Tensor) -> list[Any]:
        """The derivatives of a result with respect to each argument."""

        def pulled(result, cotangent):
            pair = [(result, cotangent)]
            return pull_back(self.recorder, [self._one], pair, self._all, True)

        return self._sorted(jacobians(result, self._all, pulled))

    @property
    def _all(self):
        return [aliased._origin[0] for _, aliased in self._originals]

    def _sorted(self, found):
        """Cotangents or derivatives of the leaves, in the structures of the arguments."""
        by_leaf = dict(zip((id(aliased) for _, aliased in self._originals), found, strict=True))
        return [
            user_lists(unflatten(structure, [by_leaf.get(id(leaf)) for leaf in leaves]))
            for structure, leaves in zip(self._structures, self._leaves, strict=True)
        ]


def _missing(place, count):
    """The message about an argument to differentiate with respect to that is not there."""
    are = (
        "is only 1 positional argument" if count == 1 else f"are only {count} positional arguments"
    )
    if not count:
        are = "are no positional arguments"
    return f"argnums={place}, but there {are}"


def _has_derivatives(value):
    kind = staged_type(value)
    return kind is not None and is_differentiable(kind)


def differentiable_tensor(value: Any, name: str) -> Tensor:
    """A value with derivatives, staged.  Raises `StagingError` (a `TypeError`) for others."""
    tensor = value if isinstance(value, Tensor) else _staged(value, name)
    if is_differentiable(tensor.type):
        return tensor
    raise staging_error(
        f"{name} is {tensor.type}, which has no derivatives",
        "Derivatives are taken with respect to floats and complex numbers.",
        "Pass a float: 3.0 for 3, x.astype(float) for an array.",
        NotDifferentiableError,
    )


def _staged(value, name):
    if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)):
        return staged(value)
    raise staging_error(
        f"{name} contains {_named(value)}, which has no derivatives",
        "Derivatives are taken with respect to scalars and arrays, and containers of them.",
        "Pass the arrays of the object, or use rt.GradientTape, which watches its variables.",
        NotDifferentiableError,
    )


def _named(value):
    """A value for a message; values that may hold staged ones are given by their type."""
    return repr(value) if isinstance(value, (str, bytes)) or value is None else type(value).__name__


def pull_back(
    recorder: trace.Trace,
    ranges: list[NodeRange],
    results: list[tuple[Tensor, Any]],
    sources: list[Value],
    zeros: bool,
) -> list[Any]:
    """The cotangents of some sources, from pairs of a result and its cotangent.

    The cotangent of a source on which no result depends is zero, or None without `zeros`.
    """
    active = ActiveValues(sources)
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
    """Suppresses floating-point warnings: unused partial derivatives may be infinite.

    An example is the derivative of a square root at zero, in the operand that a `where` discards.
    """
    if recorder.is_eager:
        with np.errstate(all="ignore"):
            yield
        return
    apply(find("enter_errors"), options=(("all", "ignore"),))
    yield
    apply(find("leave_errors"))
