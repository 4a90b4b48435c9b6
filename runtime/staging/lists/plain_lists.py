"""`autograph.set_element_type` and `autograph.stack` for plain lists, which do as in a graph.

    z = []
    autograph.set_element_type(z, np.float32)
    z.append(1.5)
    autograph.stack(z)                        array([1.5], dtype=float32)

Python's lists have no attributes, so the declared types are kept in a table for as long as the
program holds the lists.
"""

import sys
from typing import Any

import numpy as np

from autograph.backend.plain_lists import PlainLists, use_plain_lists
from runtime.ir.op import find
from runtime.ir.types import SCALAR_KINDS, PythonType
from runtime.tracing.tensor import Tensor, apply

Declaration = tuple[list, np.dtype, tuple]


class StackedLists(PlainLists):
    """Plain lists of numbers and arrays."""

    def __init__(self) -> None:
        self._declared: dict[int, Declaration] = {}

    def set_element_type(self, items: Any, dtype: Any, shape: tuple | None) -> None:
        """Remembers the type of a list's elements."""
        self._forget_freed()
        self._declared[id(items)] = items, np.dtype(dtype), tuple(shape or ())

    def stack(self, items: Any) -> Any:
        """The elements along a new first axis; other objects than lists and tuples unchanged.

        Raises `ValueError` for elements of different shapes, and for an empty list without type.
        """
        if not isinstance(items, (list, tuple)):
            return items
        known = self._declared.get(id(items))
        _, declared, shape = known or (None, None, ())
        if not items:
            if known is None:
                raise ValueError(
                    "an empty list is stacked, and the type of its elements is not known\n"
                    "Declare it: autograph.set_element_type(z, np.float64)"
                )
            return np.zeros((0, *shape), declared)
        if any(isinstance(item, Tensor) for item in items):
            return stacked(items, declared)
        kinds = {_kind_of(item) for item in items}
        if None in kinds:
            return np.stack(items)
        return np.stack(items, dtype=_joined(kinds, declared), casting="unsafe")

    def _forget_freed(self):
        """Forgets lists that nothing but the table holds."""
        for key, (held, *_) in list(self._declared.items()):
            if sys.getrefcount(held) <= REFERENCES:
                self._declared.pop(key, None)


# To a list that only the table holds: its entry, the loop's variable, and the argument.
REFERENCES = 3


def stacked(items: Any, declared: np.dtype | None) -> Any:
    """The same for staged elements, which gives a staged array."""
    found = apply(find("stack"), *items)
    if declared is None:
        return found
    dtype = _joined({_kind_of(item) for item in items}, declared)
    return found if found.dtype == dtype else found.astype(dtype)


def _joined(kinds, declared):
    """The dtype of elements of these kinds, with a declared dtype or None."""
    known = [kind() if kind in SCALAR_KINDS else kind for kind in kinds]
    return np.result_type(*known, *([] if declared is None else [declared]))


def _kind_of(item):
    """What decides the dtype: a dtype, or the type of a Python scalar; None for other objects."""
    if isinstance(item, Tensor) and isinstance(item.type, PythonType):
        return item.type.kind
    if type(item) in SCALAR_KINDS:
        return type(item)
    dtype = getattr(item, "dtype", None)
    return dtype if isinstance(dtype, np.dtype) else None


use_plain_lists(StackedLists())


def repeats_list(times: Any) -> bool:
    """Whether `list * times` repeats the list; the operator of an array decides itself.

    Raises Python's `TypeError` for other objects.
    """
    if isinstance(times, np.ndarray) or isinstance(times, Tensor) and times.type.shape:
        return False
    if not isinstance(times, Tensor) and not hasattr(times, "__index__"):
        name = "list" if isinstance(times, list) else type(times).__name__
        raise TypeError(f"can't multiply sequence by non-int of type '{name}'")
    return True


def added_to_list(other: Any) -> Any:
    """NotImplemented for an object that knows how it is added to a list; else raises Python's
    `TypeError`."""
    if type(other).__module__ != "builtins" and hasattr(other, "__radd__"):
        return NotImplemented
    raise TypeError(f'can only concatenate list (not "{type(other).__name__}") to list')


def refuse_empty(items: Any, text: str) -> None:
    """Raises Python's IndexError if a list is empty in every run, and has no element type.

    The body of a loop may be recorded with such a list, before an iteration adds to it.
    """
    if items.value is None and items.element is None and not list.__len__(items):
        raise IndexError(text)
