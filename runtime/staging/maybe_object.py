"""Containers and objects that are None on some paths.

    r = None                      r is a MaybeNoneObject: `r is None` is a staged bool, and any
    if x > 2:                     other use records a check, which raises what Python raises for
        r = (x, x + 1)            None
    if r is not None:
        a, b = r

After the check the object itself is used: the tuple, list, dict or object that the other path has.
"""

import functools
import operator
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from autograph.backend import UNSET
from autograph.constructs.compare import compare
from autograph.staging.accessors import Accessor, register_accessor
from autograph.staging.pytree import Container, register_container
from runtime.errors import HashNeededError, MaybeNoneError, staging_error
from runtime.ir.op import find
from runtime.tracing import trace
from runtime.tracing.known_truth import known_truth
from runtime.tracing.matching import class_of, reads_class
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.tensor import Tensor, staged
from runtime.tracing.unconverted_texts import text_outside


@dataclass
class OptionalObjects:
    """Whether a recording has met an object that may be None."""

    are_made: bool = False


class MaybeNoneObject:
    """An object that is None on some paths; `__is_none__` is a staged bool.

    Its own attributes have special names: any other is one of the object that it stands for.
    """

    __slots__ = ("__is_none__", "__present__")

    def __init__(self, is_none: Tensor, present: Any):
        object.__setattr__(self, "__is_none__", is_none)
        object.__setattr__(self, "__present__", present)
        recorder = trace.current()
        if recorder is not None:
            recorder.state(OptionalObjects).are_made = True

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        """The class that code reads."""
        return class_of(self) if reads_class(sys._getframe(1)) else MaybeNoneObject

    def __repr__(self) -> str:
        return text_outside("a value that may be None", "<None, or another value>")

    def __hash__(self) -> int:
        """Raises `StagingError`, or Python's TypeError for an object without a hash."""
        hash(self.__present__)
        raise staging_error(
            "a value that may be None cannot be an element of a set or a key of a dict",
            "Whether it is None is known only at run time.",
            "Use a dict or a set that the function makes, or a list.",
            HashNeededError,
        )

    def __unchecked__(self) -> Any:
        """The object without a check; its contents are arbitrary if it is None."""
        return self.__present__

    def __checked__(self, use: Callable[[Any], Any]) -> Any:
        """The object, after a check that raises what `use(None)` raises.

        Raises `StagingError` if `use` accepts None: a graph cannot follow both.
        """
        if known_truth(staged(self.__is_none__)._value) is False:
            return self.__present__
        try:
            use(None)
        except Exception as error:
            recorder = trace.current()
            (is_there,) = recorder.record(find("not_"), (staged(self.__is_none__)._value,))
            attributes = {"error": type(error), "arguments": error.args}
            recorder.record(find("assert_"), (is_there,), attributes)
            return self.__present__
        raise staging_error(
            "a value that may be None is used where None is accepted, too",
            "Whether it is None is known only at run time.",
            "Test it first: `if value is None:`.",
            MaybeNoneError,
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__") and name != "__dict__":
            raise AttributeError(name)  # protocols, which ask every object
        return getattr(self.__checked__(lambda none: getattr(none, name)), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__checked__(lambda none: setattr(none, name, value)), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__checked__(lambda none: delattr(none, name)), name)

    __iter__: Callable[..., Iterator[Any]]  # `runtime/staging/calls/unpacking.py`

    def __changes__(self, change: Callable, array: Tensor) -> Any:
        """The array, after an operator such as `+=` with this object."""
        return change(array, self.__checked__(lambda none: change(array, none)))

    def __array_function__(self, function, types, args, kwargs):
        return self.__checked__(lambda none: None)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        return self.__checked__(lambda none: None)

    def __array__(self, dtype=None, copy=None):
        return self.__checked__(lambda none: None)


def _checking(use):
    def method(self, *args):
        return use(self.__checked__(lambda none: use(none, *args)), *args)

    return method


def _reflected(use):
    def method(self, other):
        return use(other, self.__checked__(lambda none: use(other, none)))

    return method


def _in_order(relation, one, other):
    return compare(one, relation, other)


ARITHMETIC = "add sub mul matmul truediv floordiv mod pow and_ or_ xor"
OTHERS = "getitem setitem delitem contains lshift rshift neg pos abs invert"
ORDERS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}

for _name in f"{ARITHMETIC} {OTHERS}".split(" "):
    _use = getattr(operator, _name)
    setattr(MaybeNoneObject, f"__{_name.rstrip('_')}__", _checking(_use))
for _name in ARITHMETIC.split(" "):
    _use = getattr(operator, _name)
    setattr(MaybeNoneObject, f"__r{_name.rstrip('_')}__", _reflected(_use))
for _name, _relation in ORDERS.items():
    _use = functools.partial(_in_order, _relation)
    setattr(MaybeNoneObject, f"__{_name}__", _checking(_use))
MaybeNoneObject.__call__ = lambda self, *args, **options: (  # type: ignore[attr-defined]
    self.__checked__(lambda none: none())(*args, **options)
)
MaybeNoneObject.__len__ = _checking(len)  # type: ignore[attr-defined]
MaybeNoneObject.__enter__ = _checking(lambda value: value.__enter__())  # type: ignore[attr-defined]


def _made(keys: tuple, children: list) -> Any:
    is_none, present = children
    if isinstance(is_none, bool):
        return None if is_none else present
    return MaybeNoneObject(is_none, present)


def _adapted(value, keys):
    """A value that is known to be None, or not to be None, with its flag."""
    if isinstance(value, MaybeNoneObject):
        return value
    if type(value) is MaybeNone:
        return MaybeNoneObject(value.__is_none__, value.__unchecked__())
    return MaybeNoneObject(value is None, UNSET if value is None else value)  # type: ignore[arg-type]


CONTAINER = Container(
    children=lambda value: [value.__is_none__, value.__present__],
    keys=lambda value: (),
    make=_made,
    adapted=_adapted,
)
register_container(MaybeNoneObject, CONTAINER)
register_accessor(
    MaybeNoneObject,
    Accessor(lambda value: {"": value.__present__}, None, None, lambda path, key: path),
)
