"""Whether the order of a set matters to a comprehension: `any(p > floor for p in pending)`.

It does not where numbers are compared, and nothing else: comparisons of numbers have no effects and
raise nothing, so all orders have one answer.
"""

from collections.abc import Callable
from typing import Any

from autograph.conversion.comparing_comprehensions import compared_names
from autograph.conversion.comprehension_loops import Original
from runtime.ir.types import Type
from runtime.ir.unions import is_scalar, options_of
from runtime.staging.dicts.trace_set import TraceSet
from runtime.tracing.tensor import Tensor

NUMBERS = (bool, int, float)


def is_of_any_order(original: Original, collect: Callable, items: Any) -> bool:
    """Whether `any` or `all` of a comprehension has one result for each order of the elements of a
    set."""
    if original.kind not in ("any", "all") or type(items) is not TraceSet or not items.is_open:
        return False
    if not _is_real(items.keys_held.value.type.element):
        return False
    names = compared_names(original)
    return names is not None and all(_is_number(collect, name) for name in names)


def _is_number(collect: Callable, name: str) -> bool:
    """Whether a name that a comprehension reads is a number."""
    code = collect.__code__  # type: ignore[attr-defined]
    if name not in code.co_freevars:
        return False
    cell = (collect.__closure__ or ())[code.co_freevars.index(name)]  # type: ignore[attr-defined]
    try:
        value: Any = cell.cell_contents
    except ValueError:
        return False
    if type(value) is Tensor:
        return _is_real(value.type)
    return type(value) in NUMBERS


def _is_real(kind: Type) -> bool:
    """Whether values of a type are scalars that have an order."""
    return is_scalar(kind) and all(one.dtype.kind in "biuf" for one in options_of(kind))  # type: ignore[attr-defined]
