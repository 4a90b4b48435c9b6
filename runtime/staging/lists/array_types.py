"""The types of arrays that staged lists become: of numbers, and of nothing else.

np.sum(z)                    z: list[f64]            an array f64[None]
np.array(z)                  z: list[list[int]]      rows of unknown lengths
np.array(z)                  z: list[str]            refused: graphs have arrays of numbers
np.array(z, dtype=float)     z: list[str]            the numbers that NumPy reads from the texts
"""

from typing import Any

import numpy as np

from runtime.errors import ElementError, staging_error
from runtime.ir.types import (
    ListType,
    ObjectType,
    OptionalType,
    StringType,
    TensorType,
    TupleType,
    Type,
    tensor_type,
)
from runtime.ir.unions import without_options
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor
from runtime.tracing.unions import note_use

# What a staged list without numbers holds, and how to make an array of it.
NO_NUMBERS: dict[type[Type], tuple[str, str]] = {
    OptionalType: (
        "may hold None",
        "Make a list of the numbers first: [v for v in z if v is not None].",
    ),
    TupleType: ("holds tuples", "Make a list of each item first: [t[0] for t in z]."),
    StringType: (
        "holds texts",
        "Read the numbers first: [float(v) for v in z]; or return the list, and make the array of "
        "the result of the function.",
    ),
    ObjectType: (
        "holds objects of Python",
        "Return the list, and make the array of the result of the function.",
    ),
}


def stacked_type(element: Type, items: Tensor | None) -> Type:
    """The one type of the elements of a list in an array; notes a widening if they have several."""
    if items is not None and without_options(element) != element:
        note_use(trace.current(), items._value)
    return without_options(element)


def as_array_type(element: Type, dtype: Any = None) -> TensorType:
    """The type of the elements of a list in an array; lists are rows of unknown lengths.  `dtype`
    is that of the call, or None: an array of floats is read from texts as well.

    Raises `StagingError` for elements that are tuples, texts, objects, or None.
    """
    if isinstance(element, StringType) and dtype is not None and np.dtype(dtype) == np.float64:
        return tensor_type(np.float64)
    if isinstance(element, TupleType):
        raise not_numbers(element)
    refuse_objects(element)
    if isinstance(element, ListType):
        inner = as_array_type(element.element, dtype)
        return TensorType(inner.dtype, (None, *inner.shape))
    return element if isinstance(element, TensorType) else tensor_type(element.dtype)


def refuse_objects(element: Type) -> None:
    """Raises `StagingError` for elements that are texts or other objects of Python, or lists of
    these."""
    while isinstance(element, ListType):
        element = element.element
    if isinstance(element, (StringType, ObjectType)):
        raise not_numbers(element)


def not_numbers(element: Type) -> BaseException:
    """The error about an array of a list that holds no numbers."""
    kinds = [kind for kind in type(element).__mro__ if kind in NO_NUMBERS]
    holds, remedy = NO_NUMBERS[kinds[0]]
    return staging_error(
        f"a function of arrays is given a staged list that {holds}",
        f"Its elements are {element}; graphs have arrays of numbers.",
        remedy,
        ElementError,
    )
