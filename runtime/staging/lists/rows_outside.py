"""A row of a table of lists that code outside has made, at an index that only a run knows.

    NEIGHBOURS = [[1, 2], [3], []]
    for v in NEIGHBOURS[u]:             `NEIGHBOURS[u]` may be any of the rows

The row is a merged list (`merged_list.py`): it can be read, but not changed, and reads are refused
once a row has changed.
"""

from typing import Any

from runtime.ir.op import find
from runtime.ir.types import ListType
from runtime.staging.lists.elements import element_type, holds_only_scalars, staged_list
from runtime.staging.lists.homes import note_home
from runtime.staging.lists.merged_list import OWN_LISTS, MergedStagedList
from runtime.staging.lists.merged_sources import MergedLists, refresh, sources_of
from runtime.staging.lists.trace_list import item_at
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, apply


def item_outside(items: tuple, index: Tensor) -> Any:
    """The element of a Python list or tuple at a staged index, also if it is a list of scalars."""
    if not items or any(type(item) not in (list, *OWN_LISTS) for item in items):
        return item_at(items, index)
    element = element_type(items)
    if not isinstance(element, ListType) or not holds_only_scalars(element.element):
        return item_at(items, index)
    found = apply(find("list_get"), staged_list(items, element), index)
    made = merged_list(found, items)
    made.row = index, tuple(items)
    return made


def merged_list(contents: Tensor, sources: tuple | list) -> MergedStagedList:
    """A staged list that may be one of some lists, or of those that these may be."""
    made = MergedStagedList.of(contents)
    found = {id(one): one for source in sources for one in (source, *sources_of(source))}
    made.sources = list(found.values())
    trace.current().state(MergedLists)[id(made)] = made
    refresh(made)
    return note_home(made)
