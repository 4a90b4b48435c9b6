"""Host values: objects of Python that a run computes, such as an open file.

    with open(path, "w") as f:          f: object = host_call(function=host('open'), ...)
        f.write(text)                   host_call(f, text, function=method(_0, 'write'), ...)

Nothing is known about such an object while the graph is being built, so whatever the user's code
does with it is a host call of its own: reading an attribute, a subscript, an operator, `with`.
`bool`, `int`, `float`, `str` and `len` of it are values of the graph.
"""

import operator
import sys
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from autograph.functions.policy import is_skipped
from runtime.errors import HashNeededError, ValueNeededError, staging_error
from runtime.ir.types import BOOL, OBJECT, ObjectType, Type
from runtime.ops.host import enter, leave
from runtime.staging.loop_trials import LoopTrials
from runtime.tracing import trace
from runtime.tracing.matching import reads_class
from runtime.tracing.maybe import MaybeUnbound
from runtime.tracing.python_operators import (
    BINARY,
    COMPARISONS,
    UNARY,
    function_of,
    in_place,
    reflected,
)
from runtime.tracing.strings import StagedString
from runtime.tracing.tensor import HANDLES, Tensor

# Records a host call: (function, arguments, keyword arguments, types of the result).
RECORDERS: list[Callable[[Any, tuple, dict, tuple[Type, ...]], Any]] = []


def asked(function: Any, *args: Any, kind: Type = OBJECT) -> Any:
    """The result of a function that each run calls, as a value of the graph."""
    return RECORDERS[0](function, args, {}, (kind,))


def done(function: Any, *args: Any) -> None:
    """Lets each run call a function, for its effect."""
    RECORDERS[0](function, args, {}, ())


# Attributes of classes and functions that the user's code reads.
NAMES = ("__name__", "__qualname__", "__module__", "__doc__")


class HostValue(Tensor):
    """The handle of an object of Python that a run computes."""

    __slots__ = ()
    __array_ufunc__ = None  # operators with objects are not NumPy's

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__" and reads_class(sys._getframe(1)):
            return asked(type, self)
        if name == "__dict__" and reads_class(sys._getframe(1)):
            return asked(getattr, self, name)
        is_own = name.startswith("_") and name not in NAMES
        if is_own or is_skipped(sys._getframe(1).f_code.co_filename):
            return object.__getattribute__(self, name)
        return asked(getattr, self, name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return asked(getattr, self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("_at", "_origin"):
            object.__setattr__(self, name, value)
        else:
            done(setattr, self, name, value)

    def __delattr__(self, name: str) -> None:
        done(delattr, self, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return RECORDERS[0](self, args, kwargs, (OBJECT,))

    def __getitem__(self, key: Any) -> Any:
        return asked(operator.getitem, self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        done(operator.setitem, self, key, value)

    def __delitem__(self, key: Any) -> None:
        done(operator.delitem, self, key)

    def __enter__(self) -> Any:
        recorder = trace.current()
        if recorder is not None:  # it may change what calls inside do, such as `print`
            recorder.state(LoopTrials).effects_wait = True
        return asked(enter, self)

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is None:  # else the run leaves the context when it raises the exception
            done(leave, self)

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        return RECORDERS[0](function, args, kwargs, (OBJECT,))

    def _refused(self, *args: Any) -> Any:
        raise staging_error(
            f"{self.staged_value} is an object that only a run has",
            "Its elements, length and hash are not known while the graph is being built.",
            "Convert it with int(), float(), bool() or str(), or call a function that returns what "
            "you need: rt.host_call(f, x, like=...).",
            ValueNeededError,
        )

    __hash__ = __iter__ = __len__ = __contains__ = __index__ = _refused  # type: ignore[assignment]
    __int__ = __float__ = __complex__ = __array__ = _refused


def _operator(name: str, swapped: bool = False) -> Callable:
    function = function_of(name)

    def apply_operator(self: Any, *others: Any) -> Any:
        operands = (*others, self) if swapped else (self, *others)
        return asked(function, *operands)

    return apply_operator


for _name in (*BINARY, *COMPARISONS, *UNARY):
    setattr(HostValue, _name, _operator(_name))
for _name in BINARY:
    setattr(HostValue, reflected(_name), _operator(_name, swapped=True))
    if in_place(_name) is not None:
        setattr(HostValue, in_place(_name), _operator(in_place(_name)))
HANDLES[ObjectType] = HostValue


class MaybeUnboundHostValue(MaybeUnbound, HostValue):
    """An object of Python that is bound on some paths only."""

    __slots__ = ()
    __setattr__ = object.__setattr__  # code that reads the variable gets a HostValue


def is_hidden_key(container: Any, key: Any) -> bool:
    """Whether a key of a dict, or an element of a set, is an object that only a run has."""
    return isinstance(key, HostValue) and isinstance(container, (dict, set, frozenset))


def hidden_key_error(key: HostValue) -> BaseException:
    """The error about such a key where an item is written."""
    return staging_error(
        f"{key.staged_value} becomes a key of a dict",
        "It is an object that only a run has, and a graph does not know its hash.",
        "Convert it to a text or a number: str(key), int(key).",
        HashNeededError,
    )


def truth_of(value: HostValue) -> Any:
    """The truth of an object, as a staged bool."""
    return asked(bool, value, kind=BOOL)


def _in_folder(name: StagedString, folder: Any) -> Any:
    """`folder / name`, where the name is a text that only a run has."""
    return asked(operator.truediv, folder, name) if isinstance(folder, PurePath) else NotImplemented


StagedString.__rtruediv__ = _in_folder
