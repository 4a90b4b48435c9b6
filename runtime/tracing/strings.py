"""Staged strings: strings that are built when the graph runs.

    message = f"x is {x}"              message: str = text(x, parts=("x is ", (_0, "", "")))
    message + "!", message.upper()     text_call(message, method="upper", given=())
    message == "x is 1", len(message)  a staged bool, a staged int
    hash(message), message[0] in d     errors: the value is known only at run time

A `StagedString` is not a `str`: code that needs a `str` fails instead of using a wrong one.
"""

from typing import Any

from runtime.errors import ValueNeededError, staging_error, unsupported
from runtime.ir.op import find
from runtime.ir.pytree import flatten, unflatten
from runtime.ir.slot import Slot
from runtime.ir.types import STRING, StringType
from runtime.ops.strings import METHODS
from runtime.tracing.maybe import MaybeUnbound
from runtime.tracing.python_operators import BINARY, COMPARISONS, UNARY, in_place, reflected
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

    def __getitem__(self, key):
        return call_method(self, "__getitem__", (key,))

    @property
    def T(self):
        raise AttributeError("'str' object has no attribute 'T'")

    def __setitem__(self, key, value):
        raise TypeError("'str' object does not support item assignment")

    def __radd__(self, other):
        return call_method(other, "__add__", (self,)) if type(other) is str else NotImplemented


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
    return type(value) is str or isinstance(value, Tensor) and value.type == STRING


def _operator(name, takes_numbers=False):
    def operator(self, other):
        if not is_string(other) and not takes_numbers:
            return NotImplemented
        return call_method(self, name, (other,))

    return operator


def _none(self, *others):
    return NotImplemented


for _name in BINARY:
    if _name != "__add__":
        setattr(StagedString, _name, _none)
        setattr(StagedString, reflected(_name), _none)
    if in_place(_name) is not None:
        setattr(StagedString, in_place(_name), _none)
for _name in UNARY:
    setattr(StagedString, _name, None)
# `template % values` is in `staging/calls/percent_formatting.py`.
StagedString.__add__ = _operator("__add__")
StagedString.__mul__ = StagedString.__rmul__ = _operator("__mul__", takes_numbers=True)
for _name in COMPARISONS:
    setattr(StagedString, _name, _operator(_name))


class MaybeUnboundString(MaybeUnbound, StagedString):
    """A string that is bound on some paths only."""

    __slots__ = ()


HANDLES[StringType] = StagedString
