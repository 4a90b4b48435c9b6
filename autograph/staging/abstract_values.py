"""Abstract values: properties that hold for a location on every path to it, and their join.

    y = 1.5 | y = x               f64                     scalars and arrays: types are unified
    y = (1, x) | y = (2, z)       (int, f64)              containers: leaf by leaf
    y = 'a' | y = 'b'             str                     strings, like scalars: known or staged
    y = obj | y = obj             the plain object        other objects: the same one
    y unbound | y = x             f64, may be unbound     a flag says in a run whether it is bound
    y = None | y = x              f64, may be None        a flag says in a run whether it is None
    p = P(1) | p = P(x)           P with its attributes   objects that the branches have created

A branch joins the values of its two sides; a loop joins its start with the end of an iteration
until nothing changes.  The values form a lattice; a join that would need a value for "anything"
raises `Mismatch`.  The leaf operations of a backend (types, unification, casts) are the methods
that an `AbstractDomain` leaves open.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from autograph.backend import Undefined, Unset
from autograph.staging.dunder_methods import is_local
from autograph.staging.joins import MOST_OPTIONS, Join, Mismatch, is_plain_object
from autograph.staging.pytree import (
    LEAF,
    OpenedObject,
    Structure,
    flatten,
    leaves_of,
    paths,
    unflatten,
)
from autograph.staging.session import StagingSession

NOTHING = object()
NUMBERS = (bool, int, float, complex)


@dataclass(frozen=True)
class AbstractLeaf:
    """The properties of one value.

    Either its type (it is staged), or the plain value, or both for a scalar that is the same on
    every path.  If it may be unbound or None, flags travel with it.  Neither type nor value: it is
    unbound (`unset`: a generated variable, which needs no flag).
    """

    type: Any = None
    plain: Any = NOTHING
    may_be_unbound: bool = False
    may_be_none: bool = False
    unset: bool = False
    container: Structure | None = None  # of a whole value, in error messages

    flag_type: ClassVar[Any] = bool

    @property
    def is_staged(self) -> bool:
        """Whether the value is an operand of the staged program."""
        return self.type is not None and self.plain is NOTHING

    @property
    def is_unbound(self) -> bool:
        """Whether there is no value."""
        return self.type is None and self.plain is NOTHING

    def types(self) -> list:
        """The types of the operands that it takes."""
        if not self.is_staged:
            return []
        return [self.type, *[self.flag_type] * (self.may_be_unbound + self.may_be_none)]

    def describe(self, value: Any) -> str:
        """A plain value, in error messages."""
        return repr(value)

    def __str__(self) -> str:
        if self.container is not None:
            return str(self.container)
        if self.is_unbound:
            return "unbound"
        if self.type is None:
            return self.describe(self.plain)
        kind = getattr(self.type, "__name__", self.type)
        return f"{kind} or None" if self.may_be_none else str(kind)


@dataclass(frozen=True)
class AbstractValue:
    """The properties of a value: its containers, and its leaves."""

    structure: Structure
    leaves: tuple[AbstractLeaf, ...]

    def types(self) -> list:
        """The types of the operands that such a value takes."""
        return [type for leaf in self.leaves for type in leaf.types()]

    def items(self) -> "Iterator[AbstractValue]":
        """The properties of the items of a container."""
        leaves = iter(self.leaves)
        for child in self.structure.children:
            count = len(paths(child))
            yield AbstractValue(child, tuple(next(leaves) for _ in range(count)))

    def items_of(self, structure: Structure) -> "list[AbstractValue]":
        """The properties of the items, in the order of a structure with the same keys."""
        items = list(self.items())
        if not structure.keys or structure.keys == self.structure.keys:
            return items
        by_key = dict(zip(self.structure.keys, items, strict=True))
        return [by_key[key] for key in structure.keys]

    def with_items(self, items: "Iterable[AbstractValue]") -> "AbstractValue":
        """The properties of the same container with other items."""
        found = list(items)
        structure = replace(self.structure, children=tuple(item.structure for item in found))
        return AbstractValue(structure, tuple(leaf for item in found for leaf in item.leaves))

    def with_leaf(self, leaf: AbstractLeaf) -> "AbstractValue":
        """The properties of a value that is no container."""
        return AbstractValue(LEAF, (leaf,))


class AbstractDomain(ABC):
    """The abstract values of one backend.

    A backend defines the first group of methods.  Those of the second have a default.
    """

    leaf: type[AbstractLeaf] = AbstractLeaf

    # -- defined by a backend ----------------------------------------------------------------------

    @property
    @abstractmethod
    def session(self) -> StagingSession:
        """The current session."""

    @abstractmethod
    def type_of(self, value: Any) -> Any:
        """The type of a staged value, or of a plain one that can be staged; else None."""

    @abstractmethod
    def is_staged(self, value: Any) -> bool:
        """Whether a value is staged."""

    @abstractmethod
    def unify(self, left: Any, right: Any) -> Any:
        """The type that holds values of both types, None if there is none."""

    @abstractmethod
    def cast(self, value: Any, leaf: AbstractLeaf) -> Any:
        """A staged or plain value as an operand of the leaf's type."""

    @abstractmethod
    def zero(self, type: Any) -> Any:
        """An operand of a type, where no value is read."""

    @abstractmethod
    def wrap(self, leaf: AbstractLeaf, operand: Any, is_bound: Any, is_none: Any, path: str) -> Any:
        """The staged value for an operand; the flags are None if the leaf has none."""

    # -- may be overridden -------------------------------------------------------------------------

    def flags(self, value: Any) -> tuple[bool, bool]:
        """Whether a staged value may be unbound, and whether it may be None."""
        return False, False

    def split(self, value: Any) -> tuple[Any, Any, Any]:
        """A value, with operands that say whether it is bound and whether it is None."""
        return value, True, value is None

    def stays_known(self, type: Any) -> bool:
        """Whether a loop takes values of a type as known while no iteration changes them."""
        return False

    def can_be_none(self, type: Any) -> bool:
        """Whether a staged value of a type may be None on some path."""
        return True

    def join_plain(self, left: AbstractLeaf, right: AbstractLeaf) -> AbstractLeaf | None:
        """The join of two plain values that the backend knows how to stage, else None."""
        return None

    optional: ClassVar[type | None] = None  # the container of a value that may be None, and a flag

    unbound: ClassVar[type | None] = None  # the container of one that may be unbound, and a flag

    choice: ClassVar[type | None] = None  # the container of one of several known objects

    none_option: ClassVar[Any] = None  # the key of None among values of several kinds

    def option(self, value: Any) -> Any:
        """The key of a known object among others that a variable may hold in turn; None if it can
        be none of them."""
        return None

    def kind_option(self, value: AbstractValue) -> Any:
        """The key of a value of a kind, among values of others; None if it can be none of them."""
        return None

    def most_options(self, keys: tuple) -> int:
        """How many objects, or kinds of values, a variable may hold in turn."""
        return MOST_OPTIONS

    def has_kinds(self, structure: Structure) -> bool:
        """Whether a structure is that of a value of one of several kinds."""
        return False

    def join_unlike(self, left: AbstractValue, right: AbstractValue) -> AbstractValue | None:
        """The join of two values of different structure; None if there is none."""
        return None

    def opened(self, leaf: AbstractLeaf) -> AbstractValue:
        """A leaf as a container, if it is an object or list that a join can take apart."""
        if leaf.type is None and is_plain_object(leaf.plain):
            return self.abstract(OpenedObject.of(leaf.plain))
        return AbstractValue(LEAF, (leaf,))

    def is_local(self, value: Any) -> bool:
        """Whether an object or list was created in a branch that has been staged."""
        return is_plain_object(value) and is_local(value, self.session)

    def known(self, value: Any) -> AbstractValue:
        """The abstract value of one plain object."""
        return AbstractValue(LEAF, (self.leaf(plain=value),))

    # -- values and operands -----------------------------------------------------------------------

    def abstract(self, value: Any) -> AbstractValue:
        """The abstract value of one value."""
        leaves, structure = flatten(value)
        return AbstractValue(structure, tuple(map(self._abstract_leaf, leaves)))

    def _abstract_leaf(self, value: Any) -> AbstractLeaf:
        kind = type(value)  # `isinstance` would ask staged values for their class
        if issubclass(kind, Undefined):
            return self.leaf()
        if issubclass(kind, Unset):
            return self.leaf(unset=True)
        kind = self.type_of(value)
        if kind is None:
            return self.leaf(plain=value)
        if self.is_staged(value):
            may_be_unbound, may_be_none = self.flags(value)
            return self.leaf(kind, may_be_unbound=may_be_unbound, may_be_none=may_be_none)
        return self.leaf(kind, value if type(value) in (*NUMBERS, str) else NOTHING)

    def generalized(self, value: AbstractValue) -> AbstractValue:
        """The abstract value whose scalars are staged rather than known."""
        leaves = (
            replace(leaf, plain=NOTHING) if leaf.type and not self.stays_known(leaf.type) else leaf
            for leaf in value.leaves
        )
        return AbstractValue(value.structure, tuple(leaves))

    def operands(self, abstract: AbstractValue, value: Any) -> list:
        """A value as the operands of an abstract value that covers it."""
        values = list(leaves_of(abstract.structure, value))
        pairs = zip(abstract.leaves, values, strict=True)
        return [operand for leaf, item in pairs for operand in self._leaf_operands(leaf, item)]

    def _leaf_operands(self, leaf: AbstractLeaf, value: Any) -> list:
        if not leaf.is_staged:
            return []
        is_missing = issubclass(type(value), (Undefined, Unset))
        is_bound: Any = False
        is_none: Any = False
        if not is_missing:
            value, is_bound, is_none = self.split(value)
        operand = self.zero(leaf.type) if is_missing or value is None else self.cast(value, leaf)
        return [operand, *[is_bound] * leaf.may_be_unbound, *[is_none] * leaf.may_be_none]

    def value(self, abstract: AbstractValue, operands: Iterator, path: str) -> Any:
        """The value that operands make; takes as many of them as it needs."""
        leaves = [self._leaf_value(leaf, operands, path) for leaf in abstract.leaves]
        return unflatten(abstract.structure, leaves)

    def _leaf_value(self, leaf: AbstractLeaf, operands: Iterator, path: str) -> Any:
        if leaf.plain is not NOTHING:
            return leaf.plain
        if leaf.type is None:
            return Unset() if leaf.unset else Undefined(path)
        operand = next(operands)
        is_bound = next(operands) if leaf.may_be_unbound else None
        is_none = next(operands) if leaf.may_be_none else None
        return self.wrap(leaf, operand, is_bound, is_none, path)

    # -- the join ----------------------------------------------------------------------------------

    def join(self, left: AbstractValue, right: AbstractValue) -> AbstractValue:
        """The abstract value that covers both.  Raises `Mismatch` if there is none."""
        return Join(self).joined(left, right)

    def join_leaves(self, left: AbstractLeaf, right: AbstractLeaf) -> AbstractLeaf:
        """The join of two values that are no containers; raises `Mismatch` if there is none."""
        if _are_same(left, right):
            return left
        if left.is_unbound or right.is_unbound:
            return self._join_unbound(left, right)
        if left.plain is None or right.plain is None:
            return self._join_none(left, right)
        joined = self.join_plain(left, right)
        if joined is not None:
            return joined
        unified = None
        if left.type is not None and right.type is not None:
            unified = self.unify(left.type, right.type)
        if unified is None:
            raise Mismatch(left, right)
        return self.leaf(
            unified,
            may_be_unbound=left.may_be_unbound or right.may_be_unbound,
            may_be_none=left.may_be_none or right.may_be_none,
        )

    def _join_unbound(self, left, right):
        """The join of values one of which, or both, are unbound."""
        bound = right if left.is_unbound else left
        if bound.is_unbound:
            return left
        if bound.type is None and (left.unset or right.unset):
            return bound  # it is read only where it is bound
        if bound.plain is None:  # the narrowest type, until a value is found
            bound = self.leaf(self.leaf.flag_type, may_be_none=True)
        if bound.type is None:
            raise Mismatch(left, right)
        is_flagged = bound.may_be_unbound or not (left.unset or right.unset)
        return self.leaf(bound.type, may_be_unbound=is_flagged, may_be_none=bound.may_be_none)

    def _join_none(self, left, right):
        """The join with None."""
        other = right if left.plain is None else left
        if other.type is None or not self.can_be_none(other.type):
            raise Mismatch(left, right)
        return self.leaf(other.type, may_be_unbound=other.may_be_unbound, may_be_none=True)


def _are_same(left, right):
    """Whether both leaves are one plain value."""
    if left.plain is NOTHING or right.plain is NOTHING:
        return False
    if left.plain is right.plain:
        return True
    same_kind = type(left.plain) is type(right.plain)
    if type(left.plain) in NUMBERS:
        return same_kind and repr(left.plain) == repr(right.plain)  # distinguishes -0.0 and 0.0
    return same_kind and type(left.plain) in (str, bytes) and left.plain == right.plain
