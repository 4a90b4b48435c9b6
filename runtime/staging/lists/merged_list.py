"""Merged lists: a variable holds one list on some paths, and another one on other paths.

    for batch in batches:
        params = [p - 0.1 * g for p, g in ...]      params: the caller's list, then one made here

The elements of such lists are joined one by one, like those of tuples.  The merged list is neither
of the two lists.  It can be read but not changed, since other names of the two lists would have to
see the change.
"""

from collections.abc import Callable
from typing import Any

from runtime.errors import SharedMemoryError, VariableError, staging_error
from runtime.ir.pytree import flatten, leaves_like, unflatten
from runtime.staging.lists import dict_writes, element_writes, nested_list  # noqa: F401  (what lists hold)
from runtime.staging.lists.merged_sources import refuse_stale
from runtime.staging.lists.python_classes import named_as
from runtime.staging.lists.trace_list import TraceList


@named_as(list)
class MergedList(TraceList):
    """A list with a known number of elements that may be one of several lists."""

    is_container = True  # as `structure.flatten` sees it


@named_as(list)
class MergedStagedList(TraceList):
    """A staged list that may be one of several lists."""

    sources: list = []
    seen: list = []
    row: tuple | None = None  # a staged index, and the lists one of which it is at this index
    stands_for = "list"  # or the kind of dict or set whose keys or values it has

    @property
    def value(self) -> Any:
        """The staged list; refused if one of those that it may be has changed."""
        if self.sources:
            refuse_stale(self)
        return TraceList.value.fget(self)  # type: ignore[attr-defined]

    @value.setter
    def value(self, value: Any) -> None:
        TraceList.value.fset(self, value)  # type: ignore[attr-defined]


OWN_LISTS = (TraceList, MergedList, MergedStagedList)


def is_known_list(value: Any) -> bool:
    """Whether a value is a list with a known number of elements, created while tracing.

    A place in a staged list is none; it is not asked, since that would be a read, which may fail.
    """
    kind = type(value)
    if issubclass(kind, nested_list.ListPart):
        return False
    return issubclass(kind, TraceList) and value._staged is None


def with_elements(value: Any, function: Callable[[Any], Any], items: Any = None) -> Any:
    """A list with a function applied to its elements, or to `items` in their place; the same list
    if that changes none of them."""
    if not is_known_list(value):
        return value
    before = value.contents()
    items = before if items is None else items
    found = [with_elements(function(item), function) for item in items]
    if len(found) == len(before) and all(map(_is, found, before)):
        return value
    made = TraceList(found)
    refuse_one_of_deques("a variable", value, made)
    made.element, made.home = value.element, value.home
    return made


def _is(one, other):
    return one is other


def merge_lists(values: dict, rows: dict) -> dict:
    """The values that a branch leaves in locations, with one merged list for each pair of lists.

    `rows` has for each location the values of both sides.  Raises `StagingError` if two locations
    hold the same list after one side only: whether a change is seen in both would depend on the
    run.
    """
    known: dict[tuple[int, ...], Any] = {}
    found = {}
    for place, value in values.items():
        leaves, structure = flatten(value)
        sides = [leaves_like(structure, side) or [None] * len(leaves) for side in rows[place]]
        found[place] = unflatten(
            structure,
            [_one_list(known, place.path, *leaf) for leaf in zip(leaves, *sides, strict=True)],
        )
    return found


def _one_list(known, path, leaf, *sides):
    refuse_one_of_deques(path, *sides)
    if not isinstance(leaf, TraceList) or not all(isinstance(side, TraceList) for side in sides):
        return leaf
    ends = tuple(map(id, sides))
    if ends not in known and any(set(ends) & set(others) for others in known):
        raise staging_error(
            f"{path} and another variable hold the same list after one branch only",
            "Whether a change of one is seen through the other would depend on the run.",
            "Copy it in both branches: z = list(z).",
            VariableError,
        )
    return known.setdefault(ends, leaf)


def refuse_one_of_deques(path: str, first: Any, *others: Any) -> None:
    """Raises `StagingError` if a place holds one of several deques (`trace_deque.py`)."""
    lists = [side for side in (first, *others) if isinstance(side, TraceList)]
    is_same = all(side is first for side in others)
    if not is_same and any(side.__class__ is not list for side in lists):
        raise staging_error(
            f"{path} may be one of several deques",
            "Only a run knows which one.",
            "Change one deque in place: q.clear(), q.extend(...).",
            SharedMemoryError,
        )
