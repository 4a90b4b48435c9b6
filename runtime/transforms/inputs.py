"""Differentiated inputs: the arguments that a traced function is differentiated with respect to.

f(x, w)     ->     w_1 = alias(w);  f(x, w_1)      gradients are with respect to w_1: where f reads
                                                   w itself, through a variable say, w is constant
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.errors import NotDifferentiableError, staging_error
from runtime.ir.graph import Value
from runtime.ir.op import find
from runtime.state.variable import Variable
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import Tensor, apply, operand, staged
from runtime.tracing.unions import without_unions
from runtime.transforms.jacobian import jacobians
from runtime.transforms.node_range import NodeRange
from runtime.transforms.reverse.activity import ActiveValues, is_differentiable
from runtime.transforms.reverse.backward import Reverse
from runtime.transforms.reverse.cotangents import Cotangents
from runtime.transforms.trees import Replacements, leaves_of, mapped, value_of
from runtime.transforms.user_lists import user_lists


class DifferentiatedInputs:
    """The arguments of a call that its result is differentiated with respect to.

    They are values of their own in the graph, so the same array is a constant if it is also another
    argument, or the value of a variable that the function reads.
    """

    def __init__(self, places: Sequence[int], args: Sequence[Any], strict: bool = True):
        """`strict`: arguments without derivatives are errors; otherwise their cotangent is None.

        So is that of leaves without derivatives in containers that have other leaves.
        """
        self.recorder = trace.current()
        self._region = self.recorder.region
        self._first = len(self._region.nodes)
        self._one = NodeRange(self._region, ())
        self._originals: list[tuple[Any, Tensor]] = []
        self._plans: list[Any] = []  # the arguments, with new leaves or None
        self._args = list(args)
        for place in places:
            if place >= len(args):
                raise TypeError(_missing(place, len(args)))
            self._plans.append(self._planned(args[place], f"argument {place}", strict))
        leaves = iter([leaf for plan in self._plans for leaf in leaves_of(plan)])
        self._replacements = Replacements(lambda leaf: _chosen(next(leaves), leaf))
        for place in places:
            self._args[place] = self._replacements.replaced(args[place])

    def call(self, function: Callable, kwargs: dict[str, Any]) -> Any:
        """The result of a function for the arguments, whose final values the caller sees."""
        try:
            with without_unions(self.recorder):
                result = function(*self._args, **kwargs)
        finally:
            self._replacements.restore()
        self._write_back()
        return result

    def _planned(self, argument, name, strict):
        leaves = list(leaves_of(argument))
        if strict and not any(map(_has_derivatives, leaves)):
            for leaf in leaves:
                differentiable_tensor(leaf, name)
        return mapped(lambda leaf: self._alias(leaf) if _has_derivatives(leaf) else None, argument)

    def _alias(self, leaf):
        with without_unions(self.recorder):
            found = apply(find("alias"), staged(value_of(leaf)))
        aliased = Tensor(operand(found, self.recorder), self.recorder.region)
        self._originals.append((leaf, aliased))
        return aliased

    def _write_back(self):
        """Ends the call: writes the final values of the arguments into the caller's arrays."""
        self._one = NodeRange(self._region, self._region.nodes[self._first :])
        for leaf, aliased in self._originals:
            if aliased._at is aliased._origin:
                continue
            if isinstance(leaf, Tensor):
                leaf._assign(aliased)
            elif isinstance(leaf, Variable):
                leaf.assign(aliased.snapshot())

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
        """Cotangents or derivatives of the leaves, in the containers of the arguments."""
        pairs = zip(self._originals, found, strict=True)
        by_leaf = {id(aliased): _like(one, leaf) for (leaf, aliased), one in pairs}
        return [
            user_lists(mapped(lambda leaf: by_leaf.get(id(leaf)), plan)) for plan in self._plans
        ]


def _chosen(aliased, leaf):
    return leaf if aliased is None else aliased


def _like(derivative, leaf):
    """A derivative like its leaf: a scalar for a 0-d variable, whose value is one, too."""
    is_number = isinstance(leaf, Variable) and not leaf.shape
    return derivative[()] if is_number and derivative.type.ndim == 0 else derivative


def _missing(place, count):
    """The message about an argument to differentiate with respect to that is not there."""
    are = (
        "is only 1 positional argument" if count == 1 else f"are only {count} positional arguments"
    )
    if not count:
        are = "are no positional arguments"
    return f"argnums={place}, but there {are}"


def _has_derivatives(value):
    kind = staged_type(value_of(value))
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
    with without_unions(recorder):
        _walk_quietly(reverse, ranges)
    known = reverse.cotangents
    return [known.of_or_zero(source) if zeros else known.of(source) for source in sources]


def _walk_quietly(reverse: Reverse, ranges: list[NodeRange]) -> None:
    """Walks without floating-point warnings: unused partial derivatives may be infinite.

    An example is the derivative of a square root at zero, in the operand that a `where` discards.
    """
    if reverse.recorder.is_eager:
        with np.errstate(all="ignore"):
            reverse.walk(ranges)
        return
    apply(find("enter_errors"), options=(("all", "ignore"),))
    reverse.walk(ranges)
    apply(find("leave_errors"))
