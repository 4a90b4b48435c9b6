"""The containers inside of a value: which lists, dicts and objects are where in it.

A join of two values needs to know which containers each side has left in which place.  Trees are
taken when a block ends, before its changes are undone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograph.staging.joins import is_plain_object
from autograph.staging.object_state import attributes
from runtime.ir.graph import PYTHON_SCALARS
from runtime.ir.pytree import is_dict, is_list
from runtime.staging.chosen import Chosen, OptionKey, option_key
from runtime.staging.containers import StagedContainer
from runtime.staging.lists.merged_list import OWN_LISTS
from runtime.staging.lists.nested_list import ListPart
from runtime.staging.unbound_object import FLAGGED
from runtime.tracing.tensor import Tensor

LEAVES = {Tensor, *PYTHON_SCALARS, str}  # classes of values that hold nothing


@dataclass(eq=False)
class Tree:
    """A container, and the containers inside of it, in the order of its structure.

    The container is None if it is a tuple, or a value that may be None or unbound
    (`is_flagged`), or one of several objects (`options`).
    """

    container: Any
    children: "list[Tree | None]"
    names: tuple[str, ...] = ()  # of an object's attributes
    is_flagged: bool = False
    options: tuple = ()  # the keys of the objects that it may be
    key: OptionKey | None = None  # of a tuple, among values of other kinds

    def option(self, key: Any) -> "Tree | None":
        """The tree of one of the objects that the value may be."""
        if self.options:
            known = dict(zip(self.options, self.children, strict=True))
            return known.get(key)
        if self.is_flagged:
            held = self.children[0]
            return None if held is None else held.option(key)
        own = option_key(self.container) if self.key is None else self.key
        return self if own == key else None


def tree_of(value: Any, known: dict[int, Tree] | None = None) -> Tree | None:
    """The containers inside of a value; None for a leaf.  `known` are those that are found."""
    if type(value) in LEAVES:
        return None
    known = {} if known is None else known
    if id(value) in known:
        return known[id(value)]
    if is_plain_object(value):
        held = attributes(value)
        tree = known[id(value)] = Tree(value, [], tuple(held))  # objects may hold themselves
        tree.children += [tree_of(one, known) for one in held.values()]
        return tree
    items = _items(value)
    if items is None:
        return None
    is_flagged = type(value) in FLAGGED
    options = value.keys if type(value) is Chosen else ()
    is_whole = isinstance(value, tuple) or is_flagged or options
    key = option_key(value) if isinstance(value, tuple) else None
    tree = Tree(None if is_whole else value, [], is_flagged=is_flagged, options=options, key=key)
    if tree.container is not None:
        known[id(value)] = tree
    tree.children += [tree_of(one, known) for one in items]
    return tree


def _items(value):
    """The items of a container; None for a leaf."""
    kind = type(value)
    if isinstance(value, StagedContainer):
        return []  # a join looks at its lists
    if kind in FLAGGED:
        return [value.__present__]
    if kind is Chosen:
        return list(value.options)
    if is_dict(kind):
        return list(dict.values(value))
    if is_list(kind) or kind is list:
        return list(list.__iter__(value))
    if isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields")):
        return list(value)
    if kind in OWN_LISTS or kind is ListPart:
        is_known = kind is not ListPart and value._staged is None
        return list(list.__iter__(value)) if is_known else []  # only the run knows the others
    if isinstance(value, list) and getattr(value, "_staged", None) is None:
        return list(list.__iter__(value))
    return None


def shared(one: Tree | None, other: Tree | None) -> set[int]:
    """The identities of the containers that two values hold at the same positions."""
    found: set[int] = set()
    for left, right in _pairs(one, other):
        if left.container is right.container:
            found.add(id(left.container))
    return found


def containers(tree: Tree | None) -> Iterator[Any]:
    """The lists, dicts and objects in a tree."""
    pending, seen = [tree], set()
    while pending:
        one = pending.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield one.container
            pending += one.children


def moved(before: Tree | None, after: Tree | None) -> bool:
    """Whether a place holds another container than before, at any depth."""
    return any(
        left.container is not right.container or len(left.children) != len(right.children)
        for left, right in _pairs(before, after)
    )


def _pairs(one, other):
    """The trees at the same positions of two trees."""
    pending, seen = [(one, other)], set()
    while pending:
        left, right = pending.pop()
        if left is None or right is None or (id(left), id(right)) in seen:
            continue
        seen.add((id(left), id(right)))
        yield left, right
        if left.container is right.container and left.names:
            continue  # one object: what it holds is a matter of its own
        if len(left.children) == len(right.children):
            pending += zip(left.children, right.children, strict=True)
