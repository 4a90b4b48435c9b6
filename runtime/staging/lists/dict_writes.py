"""Writes into dicts that are elements of staged lists.

    counts[v]["n"] += 1        n, s = unpack(list_get(counts, v))
                               counts_1 = list_set(counts, v, pack(n + 1, s))

The keys of such dicts are part of their type, so only values change.  A dict that code reads from a
list holds the values of its place; a write also goes to the list, and to the other dicts of this
list that code can still reach.
"""

import sys
from typing import Any

from autograph.staging.accessors import DICT, Accessor, register_accessor
from runtime.staging.lists.element_writes import items_at, write_item
from runtime.staging.lists.elements import holds_lists, type_of_element
from runtime.staging.lists.forms import ElementDict, ElementDicts, changed_error, has_forms
from runtime.staging.lists.nested_list import holder_of
from runtime.staging.lists.recorded_writes import ElementWrites, records_writes, want_inner_writes
from runtime.tracing import trace


def _write(self: ElementDict, key: Any, value: Any) -> None:
    """`d[key] = value`"""
    recorder = trace.current()
    if recorder is None or key not in dict.keys(self):
        raise changed_error(self)
    recorder.state(ElementWrites).wanted.add(dict)
    place = self.place
    if place is None:
        if records_writes(self):
            want_inner_writes()
        raise changed_error(self)
    write_item(self, place, key, value)
    if holds_lists(kind := type_of_element(value)) or has_forms(kind):
        dict.update(self, zip(dict.keys(self), items_at(place), strict=True))
    else:
        dict.__setitem__(self, key, value)
    for other in _others_in_use(self):
        dict.update(other, zip(dict.keys(other), items_at(other.place), strict=True))


def _update(self: ElementDict, items: Any = (), /, **others: Any) -> None:
    """`d.update(items, **others)`, which adds no key."""
    given = dict(items, **others)
    if not given.keys() <= dict.keys(self):
        raise changed_error(self)
    for key, value in given.items():
        self[key] = value


def _updated(self: ElementDict, items: Any) -> ElementDict:
    """`d |= items`"""
    _update(self, items)
    return self


def _setdefault(self: ElementDict, key: Any, default: Any = None) -> Any:
    """`d.setdefault(key, default)` of a key that is there."""
    if key not in dict.keys(self):
        raise changed_error(self)
    return self[key]


def _others_in_use(made):
    """The other dicts that were read from the list, as far as code can reach them."""
    recorder, holder = trace.current(), holder_of(made.place.owner)
    places = ((d, d.place) for d in recorder.state(ElementDicts) if d is not made)
    found = [d for d, at in places if at and _is_used(at, holder, recorder)]
    del places
    return [found[i] for i in range(len(found)) if sys.getrefcount(found[i]) > REFERENCES]


def _is_used(place, holder, recorder):
    return holder_of(place.owner) is holder and place.home in recorder.regions


# To a dict that no code can reach: those of the two lists, of the table of ambiguous objects, and
# of the call.
REFERENCES = 4


# -- how autograph's heap looks into such a dict ---------------------------------------------------


class Owner:
    """The key under which the heap finds the list."""


def _read(items):
    held = dict(dict.items(items))
    return held if items.place is None else {**held, Owner: items.place.owner}


def _put(items, key, value):
    if key is not Owner:
        DICT.write(items, key, value)


def _fill(items, held):
    DICT.fill(items, {key: value for key, value in held.items() if key is not Owner})


register_accessor(ElementDict, Accessor(_read, _put, _fill, DICT.path))
ElementDict.__setitem__ = _write  # type: ignore[method-assign, assignment]
ElementDict.update = _update  # type: ignore[method-assign]
ElementDict.__ior__ = _updated  # type: ignore[method-assign, assignment]
ElementDict.setdefault = _setdefault  # type: ignore[method-assign, assignment]
