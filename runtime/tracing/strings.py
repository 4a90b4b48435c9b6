"""Staged strings: strings that are built when the graph runs.

    message = f"x is {x}"              message: str = text(x, parts=("x is ", (_0, "", "")))
    message + "!", message.upper()     text_call(message, method="upper", given=())
    message == "x is 1", len(message)  a staged bool, a staged int
    hash(message), message[0] in d     errors: the value is known only at run time

A `StagedString` is not a `str`: code that needs a `str` fails instead of using a wrong one.
"""

from typing import Any

import numpy as np

from runtime.errors import NotStageableError, ValueNeededError, staging_error, unsupported
from runtime.ir.op import find
from runtime.ir.pytree import flatten, unflatten
from runtime.ir.slot import Slot
from runtime.ir.types import STRING, PythonType, StringType, TensorType, is_array
from runtime.ops.strings import METHODS
from runtime.tracing.maybe import MaybeUnbound
from runtime.tracing.python_operators import (
    BINARY,
    COMPARISONS,
    UNARY,
    function_of,
    in_place,
    reflected,
)
from runtime.tracing.tensor import HANDLES, Tensor, apply, is_staged


class StagedString(Tensor):
    """The handle of a staged string."""

    __slots__ = ()
    __array_ufunc__ = None  # operators with strings are not NumPy's

    def __getattr__(self, name):
        if name in METHODS:
            return lambda *args: call_method(self, name, args)
        if name.startswith("__") or not hasattr(str, name):
            raise AttributeError(f"'str' object has no attribute {name!r}")
        raise unsupported(f"str.{name}")

    users_attribute = __getattr__

    def _refused(self, *args):
        raise staging_error(
            f"{self.staged_value} is used like a Python string",
            "Its characters are known only when the graph runs: it can be printed, compared, "
            "formatted, and returned.",
            "Compare it (`if s == 'a':`), or use it outside of the function.",
            ValueNeededError,
            region=self._region,
        )

    __hash__ = __iter__ = __len__ = __contains__ = _refused

    def __array_function__(self, function, types, args, kwargs):
        if function in OF_ANY_VALUE:
            return super().__array_function__(function, types, args, kwargs)
        raise no_array_of_text(self)

    def __getitem__(self, key):
        return call_method(self, "__getitem__", (key,))

    @property
    def T(self):
        raise AttributeError("'str' object has no attribute 'T'")

    def __setitem__(self, key, value):
        raise TypeError("'str' object does not support item assignment")

    def __radd__(self, other):
        if type(other) in (str, np.str_):
            return call_method(str(other), "__add__", (self,))
        return NotImplemented if is_string(other) else _beside("__add__", self, other, True)


# Functions of NumPy that take a text, and make no array of it.
OF_ANY_VALUE = (np.ndim, np.shape, np.size)


def no_array_of_text(text: StagedString) -> BaseException:
    """The error about a function of NumPy that makes an array of a text."""
    return staging_error(
        f"a function of NumPy is given {text.staged_value}, which is a text",
        "NumPy makes an array of texts of it; graphs have arrays of numbers.",
        "Read the number first: float(text); or return the text, and call the function outside.",
        NotStageableError,
        region=text._region,
    )


def call_method(text: Any, method: str, args: tuple) -> Any:
    """Records a call of a string method, if the string or an argument is staged."""
    operands: list[Tensor] = []
    if method == "translate":
        args = _pairs_of_table(*args)

    def given(leaf):
        if isinstance(leaf, slice):
            return slice(given(leaf.start), given(leaf.stop), given(leaf.step))
        if not isinstance(leaf, Tensor):
            return leaf
        operands.append(leaf)
        return Slot(len(operands))

    leaves, structure = flatten(args)
    template = unflatten(structure, map(given, leaves))
    text = apply(find("text"), parts=(text,)) if type(text) is str else text
    return apply(find("text_call"), text, *operands, method=method, given=template)


def _pairs_of_table(table: Any) -> tuple:
    """The argument of `translate` as a graph holds it: the pairs of a dict that is known."""
    if type(table) is not dict or is_staged(tuple(table.items())):
        raise unsupported("str.translate with a table that is no dict, or is staged")
    return (tuple(table.items()),)


def is_string(value: Any) -> bool:
    """Whether a value is a string, staged or not."""
    return type(value) in (str, np.str_) or isinstance(value, Tensor) and value.type == STRING


def _beside(name, text, other, is_reflected=False):
    """The answer of an operator for a text and a value of another kind, which depends on the kinds
    alone: False of `==`, or Python's exception."""
    example = _example(other)
    if example is UNKNOWN:
        return NotImplemented
    operands = (example, "text") if is_reflected else ("text", example)
    found = function_of(name)(*operands)
    if isinstance(found, np.ndarray):
        return (np.ones_like if found.all() else np.zeros_like)(other, dtype=bool)
    return found


UNKNOWN = object()
# The kinds of values that have no operators for texts, but multiplication.
PLAIN = (bool, int, float, complex, bytes, type(None), list, tuple, dict, set, np.ndarray)


def _example(value):
    """A value of the kind of another one; UNKNOWN if only the run knows its kind, or if it is an
    object, whose operators are not called twice."""
    if not isinstance(value, Tensor):
        is_plain = type(value) in PLAIN or isinstance(value, (np.number, np.bool_))
        return value if is_plain and not is_staged(value) else UNKNOWN
    if isinstance(value.type, PythonType):
        return value.type.kind(1)
    if isinstance(value.type, StringType):
        return "text"
    if not isinstance(value.type, TensorType):
        return UNKNOWN
    one = value.type.dtype.type(1)
    return np.full((1,) * value.type.ndim, one) if is_array(value.type) else one


def _operator(name):
    def operator(self, other):
        if not is_string(other):
            return _beside(name, self, other)
        return call_method(self, name, (str(other) if type(other) is np.str_ else other,))

    return operator


def _product(self, other):
    is_whole = isinstance(other, (int, np.integer, np.bool_))
    if isinstance(other, Tensor) and isinstance(other.type, (PythonType, TensorType)):
        is_whole = not other.type.ndim and other.type.dtype.kind in "biu"
    return call_method(self, "__mul__", (other,)) if is_whole else _beside("__mul__", self, other)


def _unlike(name, is_reflected):
    def operator(self, other):
        return NotImplemented if is_string(other) else _beside(name, self, other, is_reflected)

    return operator


def _none(self, *others):
    return NotImplemented


for _name in BINARY:
    # `template % values` is in `staging/calls/percent_formatting.py`.
    if _name not in ("__add__", "__mod__"):
        setattr(StagedString, _name, _unlike(_name, is_reflected=False))
    if _name not in ("__add__", "__mul__"):
        setattr(StagedString, reflected(_name), _unlike(_name, is_reflected=True))
    if in_place(_name) is not None:
        setattr(StagedString, in_place(_name), _none)
for _name in UNARY:
    setattr(StagedString, _name, None)
StagedString.__mod__ = _none
StagedString.__add__ = _operator("__add__")
StagedString.__mul__ = StagedString.__rmul__ = _product
for _name in COMPARISONS:
    setattr(StagedString, _name, _operator(_name))


class MaybeUnboundString(MaybeUnbound, StagedString):
    """A string that is bound on some paths only."""

    __slots__ = ()


HANDLES[StringType] = StagedString
