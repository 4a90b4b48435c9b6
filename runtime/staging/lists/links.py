"""Objects that hold other objects of their class: the nodes of lists, trees and graphs.

    node.next = Node(v)           which nodes there are, and how they are linked, is known while
                                  the graph is built
    if x > 2: node.next = other   which node it is may depend on the run: a choice of two objects,
                                  as far as a graph can follow all names of either

Where a graph cannot follow, positions in lists do the same: they are numbers, which may be staged.
"""

from collections.abc import Iterable
from typing import Any

from autograph.staging.object_state import attributes

LINKS = (
    "Keep the values in a list or array and the links as positions in it, -1 for none:\n"
    "values.append(v); links.append(head); head = len(values) - 1."
)


def remedy_for(objects: Iterable[Any], otherwise: str) -> str:
    """What to do about objects that a graph cannot follow: with positions, if they are linked."""
    held = [(type(one), list(_attributes(one))) for one in objects]
    if any(_class_of(part) is kind for kind, parts in held for part in parts):
        return LINKS
    if any(part is None for _, parts in held for part in parts):
        return f"{otherwise}\nIf they are linked objects: {LINKS[0].lower()}{LINKS[1:]}"
    return otherwise


def _attributes(value: Any) -> Iterable[Any]:
    return () if isinstance(value, (list, dict)) else attributes(value).values()


def _class_of(value: Any) -> type:
    """The class of an object, also of one that is None on some paths."""
    kind = type(value)
    return type(value.__present__) if kind.__name__ == "MaybeNoneObject" else kind
