"""Lists that a variable holds on some paths, and other lists elsewhere.

    for batch in batches:
        params = [p - 0.1 * g for p, g in ...]      params: the caller's list, then one made here

What is in such lists travels, place by place, as what is in a tuple does.  The list that stands
for them is neither of the two; so it can be read, but not be changed: another name of one of them
would have to see it.
"""

from collections.abc import Callable
from typing import Any

from runtime.errors import staging_error
from runtime.ir.pytree import flatten, leaves_like, unflatten
from runtime.staging.lists.trace_list import TraceList


class MergedList(TraceList):
    """A list with a known number of elements that may be one of several lists."""

    is_container = True  # as `structure.flatten` sees it


def _refuse(name):
    def change(self, *args, **kwargs):
        raise staging_error(
            f"a list that stands for one of several lists is changed by `{name}`",
            "A branch or loop has bound the variable to another list, and another name of either "
            "would have to see the change.",
            "Change a list of its own: z = list(z).",
        )

    return change


for _name in (
    *("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"),
    *("__setitem__", "__delitem__", "__iadd__", "__imul__"),
):
    setattr(MergedList, _name, _refuse(_name))


def is_known_list(value: Any) -> bool:
    """Whether a value is a list of the user's code with a known number of elements."""
    return isinstance(value, TraceList) and value.value is None


def with_elements(value: Any, function: Callable[[Any], Any]) -> Any:
    """A list of the user's code with a function applied to its elements; itself where that changes
    nothing."""
    if not is_known_list(value):
        return value
    items = value.contents()
    found = [with_elements(function(item), function) for item in items]
    if all(new is old for new, old in zip(found, items, strict=True)):
        return value
    made = TraceList(found)
    made.element, made.home = value.element, value.home
    return made


def shared(values: dict, rows: dict) -> dict:
    """The values that a branch leaves in places, with one list where both sides have left one.

    `rows` has for each place what the two sides left there.  Raises `StagingError` where only one
    side has: whether a change of one list is seen in the other would depend on the run.
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
    if not isinstance(leaf, TraceList) or not all(isinstance(side, TraceList) for side in sides):
        return leaf
    ends = tuple(map(id, sides))
    if ends not in known and any(set(ends) & set(others) for others in known):
        raise staging_error(
            f"{path} is the same list as another variable's after one branch only",
            "Whether a change of one is seen through the other would depend on the run.",
            "Make it a list of its own in both branches: z = list(z).",
        )
    return known.setdefault(ends, leaf)
