"""The constructors and displays of dicts and sets, which make staged ones of staged keys."""

import functools
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from autograph.staging.lazy_elements import LazyElements
from runtime.errors import HashNeededError, staging_error
from runtime.staging.calls.iterables import collected
from runtime.staging.calls.iteration import is_staged_iterable, known_elements
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.registry import answers
from runtime.staging.containers import StagedContainer
from runtime.staging.dicts import operations
from runtime.staging.dicts.dict_view import DictView
from runtime.staging.dicts.trace_counter import TraceCounter
from runtime.staging.dicts.trace_dict import (
    TraceDefaultDict,
    TraceDict,
    TraceOrderedDict,
)
from runtime.staging.dicts.trace_set import TraceSet
from runtime.staging.generators import consumed_list, in_python
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.made_dicts import is_key_of_run, is_recording, made_dicts, want_staged
from runtime.tracing.tensor import is_staged

SUBCLASSES = (OrderedDict, Counter, defaultdict)
BY_KEY = ("get", "pop", "setdefault", "move_to_end")


def noting(function: Any, owner: Any, method: Any) -> Any:
    """The function in place of a method of a dict or a set, noted if a key is staged."""
    name = getattr(method, "__name__", "")
    if owner not in made_dicts():
        return function

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if any(map(_is_of_run, args)):
            want_staged(owner)
            if _is_read_by_key(name, owner, args):
                raise staging_error(
                    f"{type(owner).__name__}.{name} is given a staged key",
                    "Which key it is, is known only at run time.",
                    "Make the container in the function.",
                    HashNeededError,
                )
        return function(*args, **options)

    return call


def _is_of_run(value):
    """Whether only the run knows a key, or the elements of an iterable of keys."""
    if isinstance(value, (StagedContainer, DictView)) or is_staged_iterable(known_elements(value)):
        return True
    return is_key_of_run(value)


def _is_read_by_key(name, owner, args):
    """Whether a method gets a staged key of a dict which no comparison with each key replaces."""
    is_by_key = type(owner) in SUBCLASSES and name in BY_KEY
    return is_by_key and bool(args) and is_staged(args[0])


def new_dict(pairs: Any) -> Any:
    """The dict for a display; `pairs` is a dict, or pairs of keys and values."""
    made = made_dicts()
    is_known = isinstance(pairs, dict)
    if not is_recording():
        return pairs if is_known else dict(pairs)
    maker = dict, tuple(pairs) if is_known else len(pairs)
    if made.is_staged_here(maker) or not is_known and is_staged(tuple(key for key, _ in pairs)):
        return TraceDict(pairs.items() if is_known else pairs)
    return made.note(pairs if is_known else dict(pairs), maker)


def with_items(items: Any, mapping: Any) -> Any:
    """`{**items, **mapping}`, where nothing else holds `items`: the part of a display."""
    if not is_recording():
        return {**items, **mapping}
    made, is_staged_dict = made_dicts(), isinstance(mapping, TraceDict)
    if not (is_staged_dict or isinstance(items, TraceDict) or made.is_staged_here()):
        return made.note({**items, **mapping})
    if not is_staged_dict:
        mapping = {**mapping}
    found = items if type(items) is TraceDict else TraceDict(items.items())
    found.update(mapping)
    return found


def new_set(elements: tuple) -> Any:
    """The set for a display."""
    if not is_recording():
        return set(elements)
    made = made_dicts()
    if made.is_staged_here() or is_staged(elements):
        return TraceSet(elements)
    return made.note(set(elements))


def _constructor(kind: type, staged: Callable, of_pairs: bool) -> None:
    """Registers the replacement of the constructor of a kind of container; `of_pairs` of keys and
    values."""

    def make(*args: Any, **options: Any) -> Any:
        if not is_recording():
            return called(kind, kind, args, options)
        made = made_dicts()
        if len(args) == 1 and isinstance(args[0], LazyElements) and not made.is_staged_here(kind):
            elements = _Elements(args[0], of_pairs)
            with made.wanting(kind):
                found = elements.taken_by(kind, options)
            if found is not None:
                return made.note(found, kind)
            args = (elements.all(),)
        given = tuple(map(_given, args))
        if made.is_staged_here(kind) or any(_needs_staged(one, of_pairs) for one in given):
            return staged(*given, **options)
        with made.wanting(kind):
            return made.note(called(kind, kind, given, options), kind)

    answers(kind)(make)


class _MetStagedKey(BaseException):
    """An element of a generator expression is a staged key."""


class _Elements:
    """The elements of a generator expression, which a constructor takes one by one, as Python's
    does, up to a staged key."""

    def __init__(self, items: LazyElements, of_pairs: bool):
        self._items, self._of_pairs = items, of_pairs
        self._known, self._taken = items.known(), TraceList()

    def __iter__(self) -> Iterator[Any]:
        for item in self._known:
            TraceList.append(self._taken, item)
            if _is_staged_key(item, self._of_pairs):
                raise _MetStagedKey
            yield item

    def taken_by(self, kind: type, options: dict) -> Any:
        """The container of all elements; None if it has to be a staged one."""
        try:
            found = called(kind, kind, (iter(self),), options)
        except _MetStagedKey:
            return None
        return None if self._items.has_rest else found

    def all(self) -> TraceList:
        """A list of all elements."""
        for item in self._known:
            TraceList.append(self._taken, item)
        self._items.rest(self._taken)
        return self._taken


def _is_staged_key(item, of_pairs):
    return is_staged(item[0] if of_pairs and isinstance(item, tuple) and item else item)


def _given(value):
    """An argument of a constructor, with a list in place of a generator."""
    if isinstance(value, LazyElements):
        return collected(value)
    if callable(value) or isinstance(value, StagedContainer):
        return value
    return known_elements(consumed_list(value))


def _needs_staged(value, of_pairs):
    """Whether a container of these elements has staged keys."""
    if isinstance(value, StagedContainer) or is_staged_iterable(value):
        return True
    if not isinstance(value, (list, tuple)):
        return False
    items = list.__iter__(value) if isinstance(value, list) else value
    return any(_is_staged_key(item, of_pairs) for item in items)


def _dict(*args, **options):
    made = TraceDict()
    made.update(*args, **options)
    return made


def _ordered(*args, **options):
    made = TraceOrderedDict()
    made.update(*args, **options)
    return made


def _counter(*args, **options):
    made = TraceCounter()
    made.update(*args, **options)
    return made


def _default(default_factory=None, *args, **options):
    made = TraceDefaultDict(default_factory)
    made.update(*args, **options)
    return made


def _set(*elements):
    return TraceSet.of(*elements) if elements else TraceSet()


@answers(dict.fromkeys)
def staged_fromkeys(keys: Any, value: Any = None) -> Any:
    """A dict of some keys with one value."""
    if not is_recording():
        return dict.fromkeys(keys, value)
    given, made = _given(keys), made_dicts()
    if not (made.is_staged_here() or _needs_staged(given, False)):
        return made.note(dict.fromkeys(given, value))
    found = TraceDict()
    in_python(operations.all_given)(found, given, value)
    return found


_constructor(dict, _dict, True)
_constructor(OrderedDict, _ordered, True)
_constructor(Counter, _counter, False)
_constructor(defaultdict, _default, True)
_constructor(set, _set, False)
