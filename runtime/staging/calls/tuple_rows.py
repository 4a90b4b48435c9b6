"""Staged lists of tuples of numbers as arrays: each tuple is a row.

hull.append((x, y))
np.array(hull)          np.array([np.array(item) for item in hull]), as converted code
"""

import functools
from collections.abc import Callable

import numpy as np

from autograph import to_graph
from runtime.ir.types import PythonType, TensorType, TupleType, Type
from runtime.staging.lists.trace_list import TraceList


def has_rows(items: TraceList) -> bool:
    """Whether a list is staged and its elements are tuples of numbers."""
    element = None if items.value is None else items.value.type.element
    if type(element) is not TupleType or element.form is not None and not element.form.is_tuple:
        return False  # None, or an object, in some places
    return all(map(_is_number, element.places))


def _is_number(kind: Type) -> bool:
    is_scalar = isinstance(kind, TensorType) and kind.shape == ()
    return is_scalar or isinstance(kind, PythonType) and kind.kind in (bool, int, float, complex)


def as_rows(items: TraceList) -> TraceList:
    """The tuples of a staged list as arrays in a staged list."""
    return _converted(_rows)(items)


def _rows(items):
    return [np.array(item) for item in items]


@functools.cache
def _converted(function: Callable) -> Callable:
    return to_graph(function)
