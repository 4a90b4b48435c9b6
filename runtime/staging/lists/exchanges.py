"""Elements of a staged list that change places.

    m[i], m[j] = m[j], m[i]      one = list_get(m, j)
                                 other = list_get(m, i)
                                 m_1 = list_set(list_set(m, i, one), j, other)

A list or an object that is read from a staged list is the name of its place.  Here each gets
another place, so the values that they have before the first write are written.
"""

from typing import Any

from autograph.staging.dunder_methods import NewObjects
from autograph.staging.object_state import attributes, object_with
from runtime.staging.lists.forms import is_element
from runtime.staging.lists.merged_sources import merged_of
from runtime.staging.lists.nested_list import ListPart
from runtime.staging.lists.recorded_writes import records_writes
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing import trace


def exchanged(values: tuple) -> tuple:
    """The values, with lists and objects of their own in place of names of places."""
    return tuple(map(_on_its_own, values))


def _on_its_own(value: Any) -> Any:
    if type(value) is tuple:
        return exchanged(value)
    if type(value) is ListPart:
        return TraceList.of(value.value)
    if records_writes(value) and not isinstance(value, list) and is_element(value):
        if isinstance(value, dict):
            return {key: _on_its_own(one) for key, one in dict.items(value)}
        return _object_on_its_own(value)
    return value


def _object_on_its_own(value):
    known, recorder = merged_of(value), trace.current()
    if known.place is None:
        return value
    made = object_with(
        type(value), {name: _on_its_own(getattr(value, name)) for name in attributes(value)}
    )
    return recorder.state(NewObjects).add(made, recorder.region)
