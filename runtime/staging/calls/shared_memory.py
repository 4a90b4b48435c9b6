"""Objects that only a run has, and memory that they share with objects which the program knows.

    view = memoryview(data)             each run makes the view: it shares memory with data
    np.asarray(view).fill(5)            would change data: refused
    view.hex()                          only reads

A run makes such views of copies, or of objects whose contents are read while the graph is being
built.  So a call that may write through one is refused.  What a method does is decided by its name,
since the class of the object is not known.
"""

import array
import functools
import inspect
import io
import operator
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from autograph.errors import with_article
from autograph.staging import memory
from runtime.errors import ContainerError, staging_error
from runtime.staging.calls.arguments import changed_arguments
from runtime.staging.calls.effect_table import table
from runtime.staging.calls.host_values import HostValue
from runtime.staging.calls.natures import OWN, UNKNOWN, nature_of
from runtime.staging.calls.package_functions import KEEPING_METHODS

KINDS = (np.ndarray, np.generic, memoryview, bytes, bytearray, array.array, io.BytesIO, str)
KINDS += (list, dict, tuple, set)

NAMES = "iadd iand ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv ixor"
IN_PLACE = tuple(getattr(operator, name) for name in NAMES.split())
OF_STATEMENTS = (operator.setitem, operator.delitem, setattr, delattr)
CHANGING_STATEMENTS = (*OF_STATEMENTS, *IN_PLACE)

# Options with which a function writes into an argument, unless they have these values.
WRITING = {"out": None, "copy": True, "inplace": False}


class ObjectResults:
    """The objects that calls of a run return: what has led to them, and what shares their memory.

    An object that other code has joined is not known: it may be any of them.
    """

    def __init__(self) -> None:
        self._later: dict[Any, list[list[str]]] = {}  # by value: the `later` of calls before
        self._memory: dict[Any, list[Any]] = {}  # by value: objects whose memory it may share
        self._methods: dict[Any, tuple[HostValue, str]] = {}  # by value: an attribute, and of what

    def note(
        self, result: Any, *later: list[str], sources: Iterable[Any] = (), method: str = ""
    ) -> None:
        """Notes an object that a call returns; it may share memory with what the call is given,
        also with the objects `sources`.  It is the attribute `method` of the first one."""
        sources = list(sources)
        found = [one for source in _host_values(sources) for one in self._later_of(source)]
        if later or found:
            self._later[result._value] = _each_once([*later, *found])
        self._memory[result._value] = self._held(sources)
        if method:
            self._methods[result._value] = sources[0], method

    def note_call(self, function: Any, args: tuple, kwargs: dict) -> None:
        """Notes a call that a run makes.

        Raises `StagingError` if it may change an object through another one, which shares its
        memory.
        """
        given = [function, *args, *kwargs.values()]
        for one in _host_values(self._changed_by(function, args, kwargs)):
            for held in self._memory_of(one):
                raise _written_through(held)
            for later in self._later_of(one):
                later.append("its result")
            if held := self._held([part for part in given if part is not one]):
                known = self._memory.get(one._value, [])
                self._memory[one._value] = _each_once([*known, *held])

    def _changed_by(self, function: Any, args: tuple, kwargs: dict) -> list[Any]:
        """The objects that a call may change."""
        if any(kwargs.get(name, usual) is not usual for name, usual in WRITING.items()):
            return [function, *args, *kwargs.values()]
        if any(function is one for one in CHANGING_STATEMENTS):
            return list(args[:1])
        if not isinstance(function, HostValue):
            return _changed_by_known(function, args, kwargs)
        owner, name = self._methods.get(function._value, (function, ""))
        changed = changed_by_method(name)
        if changed is None or name == "byteswap" and args:
            return [owner, *args, *kwargs.values()]
        others = [*args, *kwargs.values()] if any(one != "self" for one in changed) else []
        return [*others, *([owner] if "self" in changed else [])]

    def _later_of(self, one: HostValue) -> list[list[str]]:
        if one._value in self._memory:
            return self._later.get(one._value, [])
        return _each_once(later for found in self._later.values() for later in found)

    def _memory_of(self, one: HostValue) -> list[Any]:
        if one._value in self._memory:
            return self._memory[one._value]
        return _each_once(held for found in self._memory.values() for held in found)

    def _held(self, values: Iterable[Any]) -> list[Any]:
        """The objects with memory among values, and those that host values share memory with."""
        found: list[Any] = []
        for one in _parts(values):
            if isinstance(one, HostValue):
                found += self._memory_of(one)
            elif has_memory(one):
                found.append(one)
        return _each_once(found)


def _each_once(objects: Iterable[Any]) -> list[Any]:
    """Objects without repetitions: joined ones would double them in each iteration."""
    return list({id(one): one for one in objects}.values())


def has_memory(value: Any) -> bool:
    """Whether an object keeps contents in memory of its own that others can share."""
    if isinstance(value, np.ndarray):
        return value.flags.writeable
    return isinstance(value, bytearray) or memory.contents(value) is not None


@functools.lru_cache(4096)
def changed_by_method(name: str) -> tuple[str, ...] | None:
    """What a method may change, whatever its class; None if nothing is known about the name."""
    if name in KEEPING_METHODS:
        return ()
    rules = list(table().methods_named(name))
    rules += [table().method(kind, name) for kind in KINDS if hasattr(kind, name)]
    known = [rule for rule in rules if rule is not None]
    if not known or any(rule.kind == "effect" and not rule.changed for rule in known):
        return None
    return tuple({one.rstrip("?") for rule in known for one in rule.changed if one[-1] != "~"})


def _changed_by_known(function: Any, args: tuple, kwargs: dict) -> list[Any]:
    """The arguments that a call of a function may change, those of a run among them."""
    nature = nature_of(function)
    home = getattr(function, "__module__", None) or type(function).__module__
    if nature.kind == OWN and home.partition(".")[0] in ("autograph", "runtime"):
        return []
    is_unknown = nature.kind in (OWN, UNKNOWN) or nature.is_marked and not nature.is_library
    if is_unknown or nature.changed and not _has_signature(function):
        return [*args, *kwargs.values()]
    return changed_arguments(function, nature.changed, args, kwargs)


def _has_signature(function: Any) -> bool:
    try:
        inspect.signature(function)
    except (TypeError, ValueError):
        return False
    return True


def _parts(values: Iterable[Any]) -> Iterator[Any]:
    for one in values:
        if type(one) in (list, tuple):
            yield from _parts(one)
        elif type(one) is dict:
            yield from _parts(one.values())
        else:
            yield one
            owner = getattr(one, "__self__", None) if not isinstance(one, HostValue) else None
            if owner is not None and has_memory(owner):
                yield owner


def _host_values(values: Iterable[Any]) -> Iterator[HostValue]:
    return (one for one in _parts(values) if isinstance(one, HostValue))


def _written_through(held: Any) -> BaseException:
    kind = type(held).__name__
    return staging_error(
        f"{with_article(kind)} may be changed by a run, through an object that shares its memory",
        "Only changes of lists, dicts, attributes and arrays can be staged, and code that reads it "
        "later would not see the change.",
        "Use a list or an array, or change it outside the branch or loop.",
        ContainerError,
    )
