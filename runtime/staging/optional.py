"""Equality of optional values: `y == 1` is False if y is None."""

from collections.abc import Callable
from typing import Any

from autograph.constructs.compare import compare as comparison
from autograph.constructs.ternary import if_expr
from runtime.ir.op import find
from runtime.ir.types import BOOL
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.conversion import cast
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.tensor import Tensor, apply


def _comparison(same: bool) -> Callable[[Any, Any], Any]:
    def compare(one, other):
        if other is None:
            is_none = cast(one.__is_none__, BOOL)
            return is_none if same else apply(find("not_"), is_none)
        value, relation = one.__unchecked__(), "==" if same else "!="
        return if_expr(
            one.__is_none__,
            lambda: comparison(None, relation, other),  # the other one may be None, too
            lambda: comparison(value, relation, other),
        )

    return compare


MaybeNone.__eq__ = _comparison(same=True)  # type: ignore[method-assign, assignment]
MaybeNone.__ne__ = _comparison(same=False)  # type: ignore[method-assign, assignment]
MaybeNoneObject.__eq__ = _comparison(same=True)  # type: ignore[method-assign, assignment]
MaybeNoneObject.__ne__ = _comparison(same=False)  # type: ignore[method-assign, assignment]
MaybeNone.__hash__ = Tensor.__hash__  # type: ignore[method-assign]
