"""The join of two abstract values: the abstract value that covers both.

    (1, x) | (2, z)             item by item
    P(1, x) | P(2, z)           attribute by attribute: objects of one class are opened
    unbound | (n, x)            (n, x) with a flag that says in a run whether it is bound
    None | (n, x)               (n, x) with a flag that says in a run whether it is None
    np.sin | np.cos             both, with a number that says in a run which of them it is
    -1 | (i, x)                 the same for values of several kinds

Values are joined from the outside inwards.  Objects and lists of known length stay leaves as
long as both sides have the same one; they are opened only where a join would fail otherwise.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autograph.functions.policy import is_users_class
from autograph.staging.pytree import LEAF, OpenedObject, Structure, is_list, step_into

if TYPE_CHECKING:
    from autograph.staging.abstract_values import AbstractDomain, AbstractLeaf, AbstractValue


MOST_OPTIONS = 16
MOST_CHOICES = 2  # one inside of another


class Mismatch(Exception):
    """Two leaves that no variable of a staged program can hold in turn.

    `path` leads to them inside of the variable: `['rate']`, `.weights`.
    """

    def __init__(self, left: "AbstractLeaf", right: "AbstractLeaf", path: str = ""):
        super().__init__()
        self.left, self.right, self.path = left, right, path

    def __str__(self) -> str:
        return f"{self.left} and {self.right}"


def is_plain_object(value: Any) -> bool:
    """Whether a value is an object of a user's class that its attributes describe completely."""
    kind = type(value)
    return is_users_class(kind) and not isinstance(value, type) and kind.__new__ is object.__new__


class Join:
    """One join in a domain."""

    def __init__(self, domain: "AbstractDomain"):
        self.domain = domain
        self.open: set[tuple[int, int]] = set()  # pairs of objects inside of which the join is
        self.depth = 0  # how many choices the join is inside of

    def joined(self, left: "AbstractValue", right: "AbstractValue") -> "AbstractValue":
        """The abstract value that covers both.  Raises `Mismatch` if there is none."""
        try:
            return self._alike(left, right)
        except Mismatch as mismatch:
            return self._chosen(left, right, mismatch)

    def _alike(self, left, right):
        """The join of two values of one kind, or of None and another value."""
        if self._has_unbound_object(left, right):
            return self._items(self._with_bound_flag(left), self._with_bound_flag(right))
        left, right = _as_container(left, right), _as_container(right, left)
        if left.structure == right.structure == LEAF:
            left, right = self._with_items(left, right), self._with_items(right, left)
        if left.structure == right.structure == LEAF:
            return self._leaves(left, right)
        if _are_alike(left.structure, right.structure):
            return self._items(left, right)
        if self.domain.optional is not None and self._has_none(left, right):
            return self._items(self._optional(left), self._optional(right))
        return self._opened(left, right, Mismatch(self._whole(left), self._whole(right)))

    def _with_items(self, value, other):
        """A list or object of this path only by its items, and the variable that is unset on the
        other path as a container of such."""
        if _is_unset(other) and not _is_unset(value):
            return self._detached(value)
        if _is_unset(value) and not _is_unset(other):
            return _as_container(value, self._detached(other))
        return value

    def _leaves(self, left, right):
        try:
            return left.with_leaf(self.domain.join_leaves(left.leaves[0], right.leaves[0]))
        except Mismatch as mismatch:
            if self.domain.optional is not None and self._has_none(left, right):
                return self._items(self._optional(left), self._optional(right))
            return self._opened(left, right, mismatch)

    def _items(self, left, right):
        """The join of two containers of one kind, item by item."""
        structure = left.structure
        found = []
        for i, pair in enumerate(zip(left.items(), right.items_of(structure), strict=True)):
            try:
                found.append(self.joined(*pair))
            except Mismatch as mismatch:
                mismatch.path = step_into(structure, i) + mismatch.path
                raise
        kind = structure.kind
        if is_list(kind):
            kind = right.structure.kind if kind is list else kind
        children = tuple(item.structure for item in found)
        joined = Structure(kind, structure.keys, children, structure.of)
        if kind is self.domain.optional and self.domain.has_kinds(children[1]):
            _, one, other, *_ = found[1].items()  # uses of such a value test for None alone
            raise Mismatch(self._whole(one), self._whole(other))
        return type(left)(joined, tuple(leaf for item in found for leaf in item.leaves))

    def _opened(self, left, right, mismatch):
        """The join of two objects or lists by their attributes or elements."""
        one, other = map(self._open, (left, right))
        if OpenedObject not in (one.structure.kind, other.structure.kind):
            one, other = _as_container(one, other), _as_container(other, one)
        if not _are_alike(one.structure, other.structure):
            joined = self.domain.join_unlike(left, right)
            if joined is None:
                raise mismatch
            return joined
        plain = [value.leaves[0].plain for value in (left, right) if value.structure == LEAF]
        with self._inside(tuple(map(id, plain)), mismatch):
            return self._items(one, other)

    def _open(self, value):
        return self.domain.opened(value.leaves[0]) if value.structure == LEAF else value

    @contextmanager
    def _inside(self, pair: tuple, mismatch: Mismatch) -> Iterator[None]:
        """While it is open, the same pair cannot be joined again: objects may hold themselves."""
        if pair in self.open:
            raise mismatch
        self.open.add(pair)
        try:
            yield
        finally:
            self.open.remove(pair)

    # -- None --------------------------------------------------------------------------------------

    def _has_none(self, *values):
        """Whether one value is None, or may be, and another one is not."""
        kinds = [value.structure.kind for value in values]
        nones = [value.structure == LEAF and value.leaves[0].plain is None for value in values]
        return self.domain.optional in kinds or any(nones) and not all(nones)

    def _is_optional(self, value):
        is_none = value.structure == LEAF and value.leaves[0].plain is None
        return is_none or _may_be_none(value) or value.structure.kind is self.domain.optional

    def _optional(self, value):
        """A value with a flag that says whether it is None."""
        if value.structure.kind is self.domain.optional:
            flag, present = value.items()
            return value.with_items([flag, self._detached(present)])
        is_none = value.structure == LEAF and value.leaves[0].plain is None
        flag = self.domain.abstract(is_none)
        if is_none:
            present = value.with_leaf(self.domain.leaf(unset=True))
        elif _may_be_none(value):
            flag = value.with_leaf(self.domain.leaf(self.domain.leaf.flag_type))
            present = value.with_leaf(replace(value.leaves[0], may_be_none=False))
        else:
            present = self._detached(value)
        structure = Structure(self.domain.optional, (), (LEAF, present.structure))
        return type(value)(structure, (*flag.leaves, *present.leaves))

    # -- unbound variables -------------------------------------------------------------------------

    def _has_unbound_object(self, *values):
        """Whether one value is unbound and the other is a container or object."""
        kinds = [value.structure.kind for value in values]
        if self.domain.unbound is None:
            return False
        if self.domain.unbound in kinds:
            return True
        unbound = [_is_unbound(value) for value in values]
        other = values[unbound[0]]
        return any(unbound) and not all(unbound) and not self._is_flagged(other)

    def _is_flagged(self, value):
        """Whether a value has flags of its own."""
        leaf = value.leaves[0] if value.structure == LEAF else None
        return leaf is not None and (leaf.type is not None or leaf.plain is None or leaf.unset)

    def _with_bound_flag(self, value):
        """A value with a flag that says whether the variable is bound."""
        if value.structure.kind is self.domain.unbound:
            flag, present = value.items()
            return value.with_items([flag, self._detached(present)])
        is_bound = not _is_unbound(value)
        flag = self.domain.abstract(is_bound)
        missing = value.with_leaf(self.domain.leaf(unset=True))
        present = self._detached(value) if is_bound else missing
        structure = Structure(self.domain.unbound, (), (LEAF, present.structure))
        return type(value)(structure, (*flag.leaves, *present.leaves))

    # -- one of several objects --------------------------------------------------------------------

    def _chosen(self, left, right, mismatch):
        """The join of different known objects, or of values of several kinds: all of them, and a
        number that selects one."""
        if self.domain.optional is not None and (_may_be_none(left) or _may_be_none(right)):
            with suppress(Mismatch):  # of values of several kinds, of which None is another one
                return self._items(self._optional(left), self._optional(right))
        one, other = self._choice(left), self._choice(right)
        if one is None or other is None or one.structure.keys == other.structure.keys:
            raise mismatch
        keys = tuple(dict.fromkeys((*one.structure.keys, *other.structure.keys)))
        if len(keys) > self.domain.most_options(keys) or self.depth == MOST_CHOICES:
            ends = list(one.items())[1], list(other.items())[-1]
            raise Mismatch(*map(self._whole, ends))
        self.depth += 1
        try:
            return self._items(self._with_options(one, keys), self._with_options(other, keys))
        except Mismatch:
            raise mismatch from None
        finally:
            self.depth -= 1

    def _choice(self, value):
        """A value as a choice, with its own number; None if it cannot be one."""
        if self.domain.choice is None:
            return None
        if value.structure.kind is self.domain.choice:
            return self._detached(value)
        if self.domain.none_option is not None and self._is_optional(value):
            return self._choice_of_none(value)
        known, kind = value.leaves[0].plain if value.structure == LEAF else None, value.structure.of
        known = known if kind is None else OpenedObject(kind, (), [])
        key = None if known is None else self.domain.option(known)
        key = self.domain.kind_option(value) if key is None else key
        return None if key is None else self._only_choice(key, self._detached(value))

    def _only_choice(self, key, held):
        """A choice with one option."""
        structure = Structure(self.domain.choice, (key,), (LEAF, held.structure))
        return type(held)(structure, (*self.domain.abstract(0).leaves, *held.leaves))

    def _choice_of_none(self, value):
        """None, or a value that may be None, as a choice of which None is an option."""
        key, none = self.domain.none_option, self.domain.abstract(None)
        if value.structure == LEAF:
            if value.leaves[0].plain is None:
                return self._only_choice(key, none)
            present = value.with_leaf(replace(value.leaves[0], may_be_none=False))
        else:
            _, present = value.items()
        found = self._choice(present)
        if found is None:
            return None
        _, *options = found.items()
        number = self.domain.join(*map(self.domain.abstract, (0, 1)))  # which a run knows
        structure = replace(found.structure, keys=(*found.structure.keys, key))
        children = tuple(one.structure for one in (number, *options, none))
        leaves = (leaf for one in (number, *options, none) for leaf in one.leaves)
        return type(value)(replace(structure, children=children), tuple(leaves))

    def _with_options(self, value, keys):
        """A choice with further options, which are not selected."""
        which, *options = value.items()
        known = dict(zip(value.structure.keys, options, strict=True))
        number = which.leaves[0]
        if not number.is_staged:
            which = self.domain.abstract(keys.index(value.structure.keys[number.plain]))
        missing = value.with_leaf(self.domain.leaf(unset=True))
        found = [which, *(known.get(key, missing) for key in keys)]
        structure = Structure(self.domain.choice, keys, tuple(one.structure for one in found))
        return type(value)(structure, tuple(leaf for one in found for leaf in one.leaves))

    def _detached(self, value):
        """A value with the objects and lists opened that exist on this path only."""
        if value.structure != LEAF:
            return value.with_items(map(self._detached, value.items()))
        leaf = value.leaves[0]
        if not self.domain.is_local(leaf.plain):
            return value
        unlike = Mismatch(leaf, self.domain.leaf(plain=None))
        with self._inside((id(leaf.plain),), unlike):
            opened = self.domain.opened(leaf)
            return opened if opened.structure == LEAF else self._detached(opened)

    def _whole(self, value):
        """A leaf that stands for a whole value in messages."""
        if value.structure == LEAF:
            return value.leaves[0]
        return self.domain.leaf(container=value.structure)


def _may_be_none(value):
    """Whether a value is a scalar or array that may be None, and is always bound."""
    leaf = value.leaves[0] if value.structure == LEAF else None
    return leaf is not None and leaf.may_be_none and not leaf.may_be_unbound


def _is_unbound(value):
    """Whether a value is that of an unbound variable."""
    leaf = value.leaves[0] if value.structure == LEAF else None
    return leaf is not None and leaf.is_unbound and not leaf.unset


def _is_unset(value):
    """Whether a value is that of a generated variable which has none yet."""
    return value.structure == LEAF and value.leaves[0].unset


def _as_container(value, other):
    """A value that is unbound, as a container whose items all are."""
    if value.structure == LEAF and value.leaves[0].is_unbound:
        return type(value)(other.structure, value.leaves * len(other.leaves))
    return value


def _are_alike(one, other):
    """Whether two structures are containers of one kind, with the same keys."""
    if one == LEAF or other == LEAF or len(one.children) != len(other.children):
        return False
    if one.kind is OpenedObject is other.kind:
        return one.of is other.of and set(one.keys) == set(other.keys)
    same = one.kind is other.kind or is_list(one.kind) and is_list(other.kind)
    return same and one.keys == other.keys
