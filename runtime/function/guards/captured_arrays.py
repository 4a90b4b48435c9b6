"""Arrays that a function reads without being passed them, and their substitution while tracing.
Numbers that the function itself changes are replaced in the same way.

    W = np.eye(2)
    def f(x):                     while f is traced, W is a staged value,
        return x @ W              afterwards the same array as before

Each knows the place (variable, cell, attribute or item) that it was read from.  What the function,
or another thread, assigns to such a place meanwhile stays there.
"""

import functools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import CellType
from typing import Any

import numpy as np

from autograph.staging.key_identity import identified
from autograph.staging.object_state import attributes, write_attribute
from runtime.ir.types import DTYPE_NAMES, PYTHON_TYPES, TensorType, Type
from runtime.tracing.recording_lock import OPEN_CHANGES
from runtime.tracing.tensor import Tensor

# The identity of a container, and a name or key in it.
PlaceKey = tuple[int, Any]


@dataclass(frozen=True, eq=False)
class Place:
    """Where a value is held."""

    get: Callable[[], Any]
    set: Callable[[Any], None]
    key: PlaceKey | None = None  # None if the place is not found again

    def held(self) -> Any:
        """The value that it holds now; None if it is gone."""
        try:
            return self.get()
        except (AttributeError, LookupError, ValueError):
            return None


@dataclass(frozen=True, eq=False)
class CapturedArray:
    """An array that a function can read, the variable of the guard that holds it, and its path."""

    variable: str
    path: str
    array: Any
    place: Place

    @property
    def type(self) -> Type:
        """Its type, which the guard requires."""
        return TensorType(self.array.dtype, self.array.shape)

    @property
    def key(self) -> Any:
        """The same for all places that hold the array."""
        return id(self.array)


class CapturedNumber(CapturedArray):
    """A Python number that the function itself changes: `self.t += 1`."""

    @property
    def type(self) -> Type:
        return PYTHON_TYPES[type(self.array)]

    @property
    def key(self) -> Any:
        return self.variable  # equal numbers in two places are two inputs


def is_number(value: Any) -> bool:
    """Whether a value is a Python number that may become an input of a graph."""
    return type(value) in (int, float, complex)


def is_array(value: Any) -> bool:
    """Whether a value is an array, or a NumPy scalar, of a dtype that graphs support."""
    kind = type(value)
    exact = kind in (np.ndarray, np.memmap) or issubclass(kind, np.generic)
    return exact and value.dtype in DTYPE_NAMES


@dataclass
class Substitution:
    """Staged values in the places of arrays and numbers: while it is entered, code that is recorded
    reads them.  `tensors` are by the keys of what they replace."""

    captured: list[CapturedArray]
    tensors: dict[Any, Tensor]
    is_disturbed: bool = False  # whether a place held another one when the recording ended

    def __enter__(self) -> "Substitution":
        OPEN_CHANGES.append(self.undo)  # also if an interrupt comes before the end
        for one in self.captured:
            one.place.set(self.tensors[one.key])
        return self

    def __exit__(self, *_: object) -> None:
        self.undo()
        if self.undo in OPEN_CHANGES:
            OPEN_CHANGES.remove(self.undo)

    def undo(self) -> None:
        """Puts the arrays back where no other value has been assigned; may be repeated."""
        for one in reversed(self.captured):
            held = one.place.held()
            if held is self.tensors[one.key]:
                one.place.set(one.array)
            elif is_array(held) or is_number(held):
                self.is_disturbed = True


# -- places ----------------------------------------------------------------------------------------


def global_place(variables: dict[str, Any], name: str) -> Place:
    """A global variable of a module."""
    write = functools.partial(variables.__setitem__, name)
    return Place(lambda: variables[name], write, (id(variables), name))


def cell_place(cell: CellType) -> Place:
    """A free variable of a function."""
    write = functools.partial(setattr, cell, "cell_contents")
    return Place(lambda: cell.cell_contents, write, (id(cell), ""))


def attribute_place(value: Any, name: str) -> Place:
    """An attribute of an object, module or class, whatever the class makes of that."""
    write = functools.partial(write_attribute, value, name)
    return Place(lambda: attributes(value)[name], write, (id(value), name))


def item_place(container: Any, key: Any) -> Place:
    """An item of a list or dict, whatever a subclass makes of that."""
    kind: Any = next(k for k in (dict, list, deque) if issubclass(type(container), k))
    get = functools.partial(kind.__getitem__, container, key)
    write = functools.partial(kind.__setitem__, container, key)
    return Place(get, write, (id(container), identified(key)))


class TupleItems:
    """The items of a tuple, which are set by replacing the tuple."""

    def __init__(self, value: tuple, place: Place | None):
        self.value, self.place, self.items = value, place, list(value)

    def item_place(self, key: int) -> Place | None:
        """The place of an item; None if the tuple cannot be replaced."""
        if self.place is None:
            return None
        get = self.place.get
        return Place(lambda: get()[key], functools.partial(self.replace, self.place, key))

    def replace(self, place: Place, key: int, new: Any) -> None:
        """Sets the tuple with one item replaced; the original tuple if no item is replaced."""
        self.items[key] = new
        kind = type(self.value)
        if all(item is old for item, old in zip(self.items, self.value, strict=True)):
            place.set(self.value)
        else:
            place.set(kind._make(self.items) if hasattr(kind, "_make") else kind(self.items))
