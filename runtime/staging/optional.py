"""What may be None, compared: `y == 1` is False where y is None, and asks the value elsewhere."""

from collections.abc import Callable
from typing import Any

from autograph.constructs.ternary import if_expr
from runtime.tracing.tensor import Tensor
from runtime.tracing.undefined import PerhapsNone


def _comparison(same: bool) -> Callable[[PerhapsNone, Any], Any]:
    def compare(one, other):
        if other is None:
            return one.absent if same else ~one.absent
        value = one.unchecked()
        return if_expr(
            one.absent, lambda: not same, lambda: value == other if same else value != other
        )

    return compare


PerhapsNone.__eq__ = _comparison(same=True)  # type: ignore[method-assign, assignment]
PerhapsNone.__ne__ = _comparison(same=False)  # type: ignore[method-assign, assignment]
PerhapsNone.__hash__ = Tensor.__hash__  # type: ignore[method-assign]
