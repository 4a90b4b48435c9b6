"""One of several known objects, or a value of one of several kinds.

    f = np.sin if x > 0 else np.cos         f is a Chosen, with the number of the object in a run
    f(x)                                    a branch for each object: sin(x) or cos(x)
    state is State.A                        a staged bool
    best = (i, x) if x > 0 else -1          a Chosen: a tuple of two elements, or a number

Known objects are functions, classes, members of an enumeration and ranges.  A use of the object is
recorded once for each object that it may be.
"""

import enum
import functools
import inspect
import itertools
import operator
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from autograph.backend import Unset
from autograph.constructs.compare import compare, is_
from autograph.functions.policy import is_skipped, is_users_class, is_users_function
from autograph.staging.dunder_methods import is_local
from autograph.staging.held_objects import cell_contents
from autograph.staging.joins import is_plain_object
from autograph.staging.object_state import attributes
from autograph.staging.pytree import OpenedObject, flatten
from runtime.errors import HashNeededError, ResultError, staging_error
from runtime.ir.op import find
from runtime.staging.calls.registry import replacement
from runtime.staging.value_kinds import kind_of_value
from runtime.state.variable import HoldsVariables
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import Tensor, apply
from runtime.tracing.unconverted_texts import text_outside

DISPATCHER = type(np.sum)
FUNCTIONS = (FunctionType, BuiltinFunctionType, np.ufunc, DISPATCHER)
OTHERS = (type, ModuleType, enum.Enum, np.dtype)
KNOWN_OBJECTS = (*FUNCTIONS, *OTHERS)
PASSING = {map, filter, zip, enumerate, itertools.starmap, itertools.accumulate, id}
LOOKUPS = ("get", "index", "count")
KEEPING = (list, dict, set, deque)  # whose methods store objects
METHODS = (FunctionType, MethodDescriptorType)
BY_PARTS = (MethodType, functools.partial, range)


class OptionKey:
    """The key that tells two objects apart: the identity of an object, or the keys of its parts."""

    __slots__ = ("value", "parts")

    def __init__(self, value: Any, parts: tuple):
        self.value = value
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OptionKey) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)


def option_key(value: Any) -> OptionKey | None:
    """The key of an object that a variable may hold in turn with others; None if it cannot.

    Exceptions are excluded, and functions that hold values of a block that has ended.
    """
    kind = kind_of_value(value, type_of_value)
    if kind is not None:
        return kind_key(kind)
    if type(value) is OpenedObject or is_plain_object(value):
        kind = value.kind if type(value) is OpenedObject else type(value)
        return None if issubclass(kind, HoldsVariables) else OptionKey(kind, (OpenedObject, kind))
    if isinstance(value, type) and issubclass(value, BaseException):
        return None
    if not isinstance(value, (*FUNCTIONS, *OTHERS, *BY_PARTS)) or not _is_older(value):
        return None
    match value:
        case MethodType():
            parts: tuple = (id(value.__self__), id(value.__func__))
        case functools.partial():
            held = (*value.args, *value.keywords.values())
            parts = (id(value.func), *value.keywords, *map(id, held))
        case range():
            parts = (range, value.start, value.stop, value.step)
        case _:
            parts = (id(value),)
    return OptionKey(value, parts)


def kind_key(kind: tuple) -> OptionKey:
    """The key of the values of a kind."""
    return OptionKey(None, ("kind", *kind))


NONE = kind_key(("none",))


def is_kind(key: OptionKey) -> bool:
    """Whether a key is that of the values of a kind, and not that of one object."""
    return key.parts[0] == "kind"


def are_one_kind(keys: tuple) -> bool:
    """Whether there are dicts of Python and staged ones among the options: in another recording,
    all of them are staged."""
    kinds = [key.parts[1:] for key in keys if is_kind(key)]
    are_staged = any(one[0] == "staged" and issubclass(one[1], dict) for one in kinds)
    return are_staged and ("dict",) in kinds


def type_of_value(value: Any) -> Any:
    """The type of a staged value, or of a plain one that can be staged; else None."""
    return value.type if isinstance(value, Tensor) else staged_type(value)


def _is_older(value: Any) -> bool:
    """Whether a function holds no staged values of a block that has ended."""
    recorder = trace.current()
    pending, seen = [value], set()
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Tensor):
            if one._origin[1] not in recorder.regions:
                return False
        elif isinstance(one, FunctionType):
            cells = one.__closure__ or ()
            pending += [held for cell in cells for held in cell_contents(cell)]
            pending += one.__defaults__ or ()
            pending += (one.__kwdefaults__ or {}).values()
        elif isinstance(one, MethodType):
            if is_local(one.__self__, recorder):
                return False
            pending += attributes(one.__self__).values()
        elif isinstance(one, functools.partial):
            pending += [one.func, *one.args, *one.keywords.values()]
        elif not isinstance(one, (type, ModuleType)):
            leaves, structure = flatten(one)
            pending += leaves if structure.kind is not None else ()
    return True


@dataclass
class Choices:
    """Whether a recording has met one of several objects."""

    are_made: bool = False


# Attributes that this class has, too: the user's code gets those of the object.
OF_CLASSES = frozenset(["__class__", "__module__", "__doc__", "__dict__", "__slots__"])


class Chosen:
    """One of several objects; `which` is a staged int, the number of the option."""

    __slots__ = ("which", "options", "keys", "tests")

    def __init__(self, which: Any, options: tuple, keys: tuple):
        object.__setattr__(self, "which", which)
        object.__setattr__(self, "options", options)
        object.__setattr__(self, "keys", keys)
        object.__setattr__(self, "tests", {})
        trace.current().state(Choices).are_made = True

    def __getattribute__(self, name: str) -> Any:
        if name in OF_CLASSES and not is_skipped(sys._getframe(1).f_code.co_filename):
            is_class = name == "__class__"
            return self.each(replacement(type) if is_class else lambda one: getattr(one, name))
        return object.__getattribute__(self, name)

    def __repr__(self) -> str:
        return text_outside("one of several objects", "<one of several objects>")

    each: Callable[..., Any]  # `runtime/staging/calls/chosen_uses.py`

    def is_option(self, number: int) -> Tensor:
        """Whether a run has the option with a number: one bool for all uses in a block, so that
        the tests around a use may decide it."""
        known = self.tests.get(number)
        if known is None or known.origin()._region not in trace.current().regions:
            known = self.tests[number] = apply(find("equal"), self.which, number)
        return known

    def is_one(self, other: Any) -> Any:
        """`self is other`."""
        if isinstance(other, Chosen):
            return other.each(self.is_one)
        if other is None and NONE in self.keys:
            return self.is_option(self.keys.index(NONE))
        if any(map(is_kind, self.keys)):
            return self.each(lambda one: is_(one, other))
        numbers = [i for i, option in enumerate(self.options) if option is other]
        return self.is_option(numbers[0]) if numbers else False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__") and name not in NAMES:
            raise AttributeError(name)  # protocols, which ask every object
        known = [_member(one, name) for one in self.options if not isinstance(one, Unset)]
        if not any(known):
            return getattr(self.options[-1], name)  # which raises
        if all(isinstance(one, METHODS) for one in known):
            return ChosenMethod(self, name)
        return self.each(lambda one: getattr(one, name))

    def __setattr__(self, name: str, value: Any) -> None:
        self.each(lambda one: setattr(one, name, value), value)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.each(lambda one: operator.setitem(one, key, value), key, value)

    def __delitem__(self, key: Any) -> None:
        self.each(lambda one: operator.delitem(one, key), key)

    def __bool__(self) -> bool:
        return bool(self.each(bool))

    def __changes__(self, change: Callable, array: Tensor) -> Any:
        """The array, after an operator such as `+=` with this object."""
        return self.each(lambda one: change(array, one), array)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise staging_error(
            "one of several objects becomes an array, or an element of one",
            "Which of them it is, is known only at run time.",
            "Make the array in both branches.",
            ResultError,
        )

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        called = getattr(ufunc, method)
        return on_each(called, *inputs, **options)

    def __array_function__(self, function, types, args, kwargs):
        return on_each(function, *args, **kwargs)

    def __hash__(self) -> int:
        raise staging_error(
            "one of several objects is hashed",
            "Which of them it is, is known only at run time.",
            "Use it as a key of a dict that has all of them as keys.",
            HashNeededError,
        )


class ChosenMethod:
    """A method of one of several objects."""

    def __init__(self, owner: Chosen, name: str):
        self.owner, self.name = owner, name


def _member(one: Any, name: str) -> Any:
    """The method of an object's class; for other attributes True; False if there is none."""
    try:
        found = inspect.getattr_static(one, name)
    except AttributeError:
        return any("__getattr__" in vars(base) for base in type(one).__mro__)
    is_own = is_plain_object(one) and name in attributes(one)
    is_method = isinstance(found, METHODS) and not isinstance(one, (type, ModuleType))
    return found if is_method and not is_own else True


NAMES = ("__name__", "__qualname__", "__doc__", "__module__")


def on_each(function: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """A call; if an argument is one of several objects, a call for each of them."""
    places = [i for i, one in enumerate(args) if isinstance(one, Chosen)]
    names = [name for name, one in kwargs.items() if isinstance(one, Chosen)]
    if not places and not names:
        return function(*args, **kwargs)

    def use(one):
        if not places:
            return on_each(function, *args, **{**kwargs, names[0]: one})
        place = places[0]
        return on_each(function, *args[:place], one, *args[place + 1 :], **kwargs)

    chosen = args[places[0]] if places else kwargs[names[0]]
    return chosen.each(use, args, kwargs)


def _unary(use):
    return lambda self: self.each(use)


def _binary(use):
    return lambda self, other: self.each(lambda one: use(one, other))


def _reflected(use):
    return lambda self, other: self.each(lambda one: use(other, one))


def _in_place(use):
    return lambda self, other: self.each(lambda one: use(one, other), other)


def _compared(relation):
    return lambda self, other: self.each(lambda one: compare(one, relation, other))


ARITHMETIC = "add sub mul matmul truediv floordiv mod pow and_ or_ xor lshift rshift"
RELATIONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}

for _name in f"{ARITHMETIC} getitem contains".split(" "):
    setattr(Chosen, f"__{_name.rstrip('_')}__", _binary(getattr(operator, _name)))
for _name in ARITHMETIC.split(" "):
    setattr(Chosen, f"__r{_name.rstrip('_')}__", _reflected(getattr(operator, _name)))
    setattr(
        Chosen, f"__i{_name.rstrip('_')}__", _in_place(getattr(operator, f"i{_name.rstrip('_')}"))
    )
for _name, _relation in RELATIONS.items():
    setattr(Chosen, f"__{_name}__", _compared(_relation))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(Chosen, f"__{_name}__", _unary(getattr(operator, _name)))


def is_users(found: Any, function: Any) -> bool:
    """Whether a callable is the user's own, whose code is converted: nothing stands in for it."""
    if found is not function:
        return False
    if type(function) is type:
        return is_users_class(function)
    written = function.__func__ if isinstance(function, MethodType) else function
    return isinstance(written, FunctionType) and is_users_function(written)


def takes_objects_apart(function: Any) -> bool:
    """Whether a call with one of several objects is a call for each of them: of a function that
    looks into the object, which no function or container of the user's does."""
    recorder = trace.current()  # None in a process that the function has forked
    if recorder is None or not recorder.state(Choices).are_made:
        return False
    if isinstance(function, Tensor) or function in PASSING:
        return False
    owner = getattr(function, "__self__", None)
    if getattr(function, "__name__", "") in LOOKUPS:
        return True
    return not (isinstance(owner, KEEPING) or is_users_class(type(owner)))
