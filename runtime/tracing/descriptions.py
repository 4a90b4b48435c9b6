"""Descriptions of values for messages, which run no user code.

2.5, "a", [1, x]            2.5, 'a', [1, <Box>]
an array                    f64[3]
a function, a class         its qualified name
any other object            <Box>
"""

import collections
import datetime
import decimal
import enum
import fractions
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from runtime.ir.types import TensorType

# Types of immutable objects, compared by value; `repr` distinguishes -0.0 from 0.0.
VALUES = frozenset(
    (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range, slice)
    + (decimal.Decimal, fractions.Fraction, datetime.date, datetime.datetime, datetime.timedelta)
)

MOST = 20  # items of a container
DEEPEST = 3

_PAIRS = {
    list: "[]",
    tuple: "()",
    set: "{}",
    frozenset: ("frozenset({", "})"),
    collections.deque: ("deque([", "])"),
}
_DICTS = (dict, collections.OrderedDict, collections.defaultdict)


def described(value: Any, depth: int = 0) -> str:
    """A short text for a value."""
    kind = type(value)
    if kind is slice:
        return f"slice({', '.join(described(part, depth) for part in _parts(value))})"
    if kind in VALUES:
        return repr(value)
    if issubclass(kind, enum.Enum):
        name = vars(value).get("_name_")
        return f"{kind.__qualname__}.{name}"
    if issubclass(kind, np.dtype):
        return str(value)
    if issubclass(kind, (np.ndarray, np.generic)) and kind.__module__.startswith("numpy"):
        return _array(value)
    if kind in (FunctionType, BuiltinFunctionType) or issubclass(kind, type):
        return (
            type.__getattribute__(value, "__qualname__")
            if issubclass(kind, type)
            else (value.__qualname__)
        )
    if kind is ModuleType:
        return f"the module {vars(value).get('__name__')}"
    if depth < DEEPEST:
        inside = _container(value, kind, depth + 1)
        if inside is not None:
            return inside
    return f"<{kind_name(kind)}>"


def kind_name(kind: type) -> str:
    """The name of a class, whatever its metaclass answers."""
    return type.__getattribute__(kind, "__name__")


def _parts(value):
    return value.start, value.stop, value.step


def _array(value):
    if value.dtype.kind in "biufc":
        return str(TensorType(value.dtype, value.shape))
    return f"an array of {value.dtype}"


def _container(value, kind, depth):
    """The items of a built-in container; None for other objects."""
    if kind in _DICTS:
        pairs = list(dict.items(value))
        items = [f"{described(k, depth)}: {described(v, depth)}" for k, v in pairs[:MOST]]
        return "{" + ", ".join(items) + (", ..." if len(pairs) > MOST else "") + "}"
    if kind not in _PAIRS:
        return None
    opening, closing = _PAIRS[kind]
    items = [described(item, depth) for item in list(value)[:MOST]]
    text = ", ".join(items) + (", ..." if len(value) > MOST else "")
    if kind is tuple and len(value) == 1:
        text += ","
    return f"{opening}{text}{closing}"
