"""Lists that a variable holds on some paths, and other lists elsewhere.

    for batch in batches:
        params = [p - 0.1 * g for p, g in ...]      params: the caller's list, then one of this loop's

What is in such lists travels, place by place, as what is in a tuple does.  The list that stands for
them is neither of the two; so it can be read, but not be changed: another name of one of them would
have to see it.
"""

from collections.abc import Iterator
from typing import Any

from runtime.errors import staging_error
from runtime.staging.lists import TraceList
from runtime.structure import Structure


class ReboundList(TraceList):
    """A list with a known number of elements that may be one of several lists."""


def _refuse(name):
    def change(self, *args, **kwargs):
        raise staging_error(
            f"`{name}` of a list that is changed, which a variable holds on some paths only",
            "Elsewhere it holds another list, and another name of either would see the change.",
            "Make it a list of its own first: z = list(z).",
        )

    return change


for _name in ["append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "__setitem__", "__delitem__", "__iadd__", "__imul__"]:
    setattr(ReboundList, _name, _refuse(_name))


def is_known_list(value: Any) -> bool:
    """Whether a value is a list of the user's code with a known number of elements."""
    return isinstance(value, TraceList) and value.value is None


def leaves_of(structure: Structure, value: Any) -> Iterator[Any]:
    """The leaves of a value that has a structure, in which lists may be of either kind."""
    if structure.kind is None:
        yield value
        return
    if isinstance(value, dict):
        items = list(value.values())
    else:
        items = list(list.__iter__(value) if isinstance(value, list) else value)
    for child, item in zip(structure.children, items, strict=True):
        yield from leaves_of(child, item)
