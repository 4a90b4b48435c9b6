"""Uses of scalars of which only the run knows the type, if each type has a use of its own.

x.dtype, x.conjugate(), type(x)     a branch for each type: see `UnionType`
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from autograph.constructs.ternary import if_expr
from runtime.ir.op import find
from runtime.ir.types import PythonType, Type
from runtime.staging.loop_trials import ErrorsOfOptions
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, apply


def each_type(value: Tensor, use: Callable[[Tensor], Any]) -> Any:
    """The result of `use` for a scalar of which only the run knows the type: a branch for each."""
    return UsesOfTypes(value, use).used(0)


@dataclass
class UsesOfTypes:
    """The uses of a scalar as each of its types.

    It is not a function, since the variables of functions that blocks call would be those of the
    blocks.
    """

    value: Tensor
    use: Callable[[Tensor], Any]

    def used(self, place: int) -> Any:
        """The result of a use as the type in a place, or as one after it."""
        options = self.value.type.options  # type: ignore[attr-defined]
        if place + 1 == len(options):
            return self.used_as(options[place])
        is_it = apply(find("has_type"), self.value, types=(options[place],))
        this, others = partial(self.used_as, options[place]), partial(self.used, place + 1)
        return if_expr(is_it, this, others)

    def used_as(self, kind: Type) -> Any:
        """The result of a use as one type."""
        try:
            return self.use(of_type(self.value, kind))
        except Exception as error:
            trace.current().state(ErrorsOfOptions).append(error)
            raise


def of_type(value: Tensor, kind: Type) -> Tensor:
    """A scalar that has one of its types in a run, as a value of this type."""
    if isinstance(kind, PythonType):
        return apply(find("number"), value, type=kind)
    return apply(find("cast"), value, dtype=kind.dtype)  # type: ignore[attr-defined]


Tensor.each_type = each_type  # type: ignore[attr-defined]
