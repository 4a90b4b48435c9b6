"""Objects of user classes that a variable holds after a branch or loop has bound it to another one.

    s = a if p else b               s has the attributes of a or of b
    a.w = 5                         a read of s.w chooses between a.w and b.w
    s.w = 5                         a.w and b.w get this value or keep theirs, as p says
    s is a                          p

    while p: s = P(s.w + 1)         which object s is in an iteration is not known there: a write
                                    into s is refused if anything else can see the first one

While a graph is recorded, the classes of such objects have attribute access that checks this.  The
objects keep their class, and all other objects of the class their behavior.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import MemberDescriptorType, MethodType
from typing import Any

from autograph.constructs.compare import ambiguous
from autograph.constructs.ternary import if_expr
from autograph.staging.block_functions import itself
from autograph.staging.dunder_methods import NewObjects
from autograph.staging.object_state import attributes, object_with
from autograph.staging.pytree import OpenedObject
from runtime.errors import SharedMemoryError, staging_error
from runtime.staging.lists.forms import ElementDicts, changed_error, may_be_one_element
from runtime.staging.lists.merged_identity import Which, is_given, which_of
from runtime.staging.lists.merged_sources import (
    ELEMENTS,
    Choice,
    MergedObject,
    MergedObjects,
    can_be_seen,
    choice_of,
    is_stale,
    merged_error,
    merged_of,
    refresh,
    refuse_changed,
    sources_of,
)
from runtime.tracing import trace


def merged_object(opened: OpenedObject, sources: tuple = (), choice: Choice | None = None) -> Any:
    """The object with the joined attributes, which may be one of `sources`."""
    recorder = trace.current()
    made = object_with(opened.kind, dict(zip(opened.names, opened.values, strict=True)))
    recorder.state(NewObjects).add(made, recorder.region)
    if sources:
        recorder.state(MergedObjects)[id(made)] = MergedObject(made, sources, choice)
        refresh(made)
        recorder.state(WatchedClasses).watch(opened.kind)
        ambiguous[id(made)] = made
    return made


def with_attributes(value: Any, function: Callable[[Any, str, Any], Any]) -> Any:
    """An object with a function of it, a name and the attribute applied to its attributes; the same
    object if that changes none of them, or if it is among its own attributes."""
    recorder = trace.current()
    visited = recorder.state(VisitedObjects)
    if id(value) in visited:
        return value
    refuse_changed(value)
    visited.add(id(value))
    try:
        before = attributes(value)
        held = {name: function(value, name, one) for name, one in before.items()}
    finally:
        visited.remove(id(value))
    if all(held[name] is one for name, one in before.items()):
        return value
    known = recorder.state(NewObjects)
    made = object_with(type(value), held)
    _, region = known.get(id(value), (None, recorder.region))
    return known.add(made, region)


class VisitedObjects(set[int]):
    """The identities of the objects whose attributes are being replaced."""


class WatchedClasses(dict[type, dict[str, Any]]):
    """The classes whose objects are watched, with the attributes that they had before."""

    def watch(self, kind: type) -> None:
        """Makes the objects of a class check how they are used, until the recording ends."""
        if kind in self:
            return
        methods = _methods(kind, trace.current().state(MergedObjects))
        self[kind] = {name: vars(kind)[name] for name in methods if name in vars(kind)}
        for name, method in methods.items():
            type.__setattr__(kind, name, Watch(method))

    @contextmanager
    def open(self) -> Iterator[None]:
        """Gives the classes their own methods back when it is closed."""
        recorder = trace.current()
        merged = recorder.state(MergedObjects) if recorder else {}
        dicts = recorder.state(ElementDicts) if recorder else []
        try:
            yield
        finally:
            for kind, own in self.items():
                for name in _NAMES:
                    if name in own:
                        type.__setattr__(kind, name, own[name])
                    elif name in vars(kind):
                        type.__delattr__(kind, name)
            self.clear()
            for key in (*merged, *map(id, dicts)):
                ambiguous.pop(key, None)


class Watch:
    """A method that checks how objects are used; it has a class of its own, so that it is not
    taken for code of the user's class."""

    __slots__ = ("__call__",)

    def __init__(self, function: Callable):
        self.__call__ = function

    def __get__(self, owner: Any, kind: type) -> Any:
        return self if owner is None else MethodType(self.__call__, owner)


_NAMES = ("__getattribute__", "__setattr__", "__delattr__", "__eq__", "__hash__")


def _methods(kind: type, merged: MergedObjects) -> dict[str, Callable]:
    """The methods of a class that check the use of merged objects."""
    get, put, drop = kind.__getattribute__, kind.__setattr__, kind.__delattr__

    def __getattribute__(self, name):
        if id(self) in merged and name != "__class__":
            if name == "__dict__" and merged_of(self).is_element:
                raise changed_error(self)
            if name == "__dict__" and can_be_seen(self):
                raise merged_error(self, "is read by its `__dict__`")
            if merged_of(self).place is not None and name in attributes(self):
                return ELEMENTS["read"](self, name)
            if is_stale(self):
                return _chosen(self, name, lambda: get(self, name))
        elif name != "__class__":
            ELEMENTS["read_given"](self)
        return get(self, name)

    def __setattr__(self, name, value):
        if id(self) not in merged or _is_acting(kind, name):
            ELEMENTS["write_given"](self)
            put(self, name, value)
        elif merged_of(self).is_element:
            is_plain = put is object.__setattr__ and get is object.__getattribute__
            ELEMENTS["write"](self, name, value, is_plain)
        elif choice_of(self) is not None and put is object.__setattr__:
            _assign(self, name, value)
        else:
            _check_write(self, name)
            put(self, name, value)

    def __delattr__(self, name):
        if id(self) in merged:
            _check_write(self, name)
        drop(self, name)

    def __eq__(self, other):
        same = is_one_object(self, other)
        return NotImplemented if same is False else same

    def __hash__(self):
        if id(self) in merged:
            raise same_error(self)
        return object.__hash__(self)

    found = {
        "__getattribute__": __getattribute__,
        "__setattr__": __setattr__,
        "__delattr__": __delattr__,
    }
    if kind.__eq__ is object.__eq__:
        found["__eq__"] = __eq__
    if kind.__hash__ is object.__hash__:
        found["__hash__"] = __hash__
    return found


def _check_write(made, name):
    if merged_of(made).is_element:
        raise changed_error(made)
    if is_stale(made) or can_be_seen(made):
        raise merged_error(made, f"is changed: its attribute {name!r} is set")


def _is_acting(kind, name):
    """Whether an attribute is one of the class whose assignment runs code: a property."""
    member = inspect.getattr_static(kind, name, None)
    return hasattr(type(member), "__set__") and not isinstance(member, MemberDescriptorType)


def _chosen(made, name, otherwise):
    """An attribute of the object that a merged object is."""
    if name not in attributes(made):
        return otherwise()  # of the class
    choice = choice_of(made)
    if choice is None:
        raise merged_error(made, "is read after one of them was changed")
    one, other = choice.one, choice.other
    return if_expr(choice.predicate, lambda: getattr(one, name), lambda: getattr(other, name))


def _assign(made, name, value):
    """Sets an attribute of the object that a merged object is, and of no other."""
    if name not in attributes(made):
        raise merged_error(made, f"gets a new attribute {name!r}")
    choice = choice_of(made)
    one, other, given = choice.one, choice.other, partial(itself, value)
    setattr(one, name, if_expr(choice.predicate, given, lambda: getattr(one, name)))
    # Both may lead to one object, which has the value now.
    setattr(other, name, if_expr(choice.predicate, lambda: getattr(other, name), given))


def is_one_object(one: Any, other: Any) -> Any:
    """`one is other`, of objects of which one is merged: a staged bool, or a bool."""
    if one is other:
        return True
    if not may_be_same(one, other):
        return False
    one, other = (one, other) if sources_of(one) else (other, one)
    choice, which = choice_of(one), which_of(one)
    if choice is None and which is not None and is_given(other):
        return _is_side(which, other)
    if choice is None:
        raise same_error(one)
    return if_expr(
        choice.predicate,
        lambda: is_one_object(choice.one, other),
        lambda: is_one_object(choice.other, other),
    )


def _is_side(side, other):
    """Whether a container of the caller is the one that a choice chooses."""
    if not isinstance(side, Which):
        return side is other
    return if_expr(
        side.predicate, lambda: _is_side(side.one, other), lambda: _is_side(side.other, other)
    )


def _may_be(one, other):
    """Whether a merged object may be another object."""
    return bool(sources_of(one)) and not _candidates(one).isdisjoint(_candidates(other))


def _candidates(value):
    """The identities of the objects that an object may be, those that a block has made included."""
    found, pending = set(), [value]
    while pending:
        one = pending.pop()
        if id(one) in found:
            continue
        found.add(id(one))
        choice = choice_of(one)
        pending += [*sources_of(one), *(() if choice is None else (choice.one, choice.other))]
    return found


def may_be_same(one: Any, other: Any) -> bool:
    """Whether two objects may be one object in some runs: one of them is merged."""
    return _may_be(one, other) or _may_be(other, one) or may_be_one_element(one, other)


def same_error(value: Any) -> BaseException:
    """The error about the identity of a merged object."""
    return staging_error(
        f"the identity of an object of {type(value).__name__} is tested",
        "A branch or loop has bound the variable to one of several objects; which one is known "
        "only at run time.",
        "Compare the attributes.",
        SharedMemoryError,
    )
