"""The abstract values of graphs: see `autograph/staging/abstract_values.py`.

z = [] | z = [x]              list[f64]               contents of a list whose length varies,
                                                      or lists that the branches have created
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from autograph.staging.abstract_values import (
    NUMBERS,
    AbstractDomain,
    AbstractLeaf,
    AbstractValue,
    Mismatch,
)
from autograph.staging.iterables import Combined
from autograph.staging.pytree import Structure
from autograph.staging.try_blocks import refuse_unbound_in_try
from runtime.ir.op import find
from runtime.ir.pytree import LEAF, is_list
from runtime.ir.types import (
    BOOL,
    NOTHING,
    OBJECT,
    STRING,
    ListType,
    OptionalType,
    PythonType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    unify,
)
from runtime.ir.unions import join
from runtime.ops.host import itself
from runtime.staging.calls.host_values import MaybeUnboundHostValue, asked
from runtime.staging.chosen import (
    NONE,
    Chosen,
    OptionKey,
    are_one_kind,
    is_kind,
    kind_key,
    option_key,
    type_of_value,
)
from runtime.staging.chosen_joins import Renumbered
from runtime.staging.containers import OpenedContainer, StagedContainer
from runtime.staging.lists.aliasing import register_listed
from runtime.staging.lists.elements import (
    STAGED_LATER,
    described,
    element_type,
    holds_lists,
    staged_list,
    type_of_element,
)
from runtime.staging.lists.inner_lists import become_elements, refuse_part
from runtime.staging.lists.merged_list import OWN_LISTS, MergedList, MergedStagedList, is_known_list
from runtime.staging.lists.merged_sources import refuse_changed, refuse_stale_at_end
from runtime.staging.lists.nested_list import ListPart
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.made_dicts import want_staged
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.outside_iterators import LastIterator
from runtime.staging.unbound_object import MaybeUnboundObject
from runtime.staging.value_kinds import MOST_KINDS, kind_of_abstract
from runtime.state.variable import HoldsVariables
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.strings import MaybeUnboundString
from runtime.tracing.tensor import Tensor, handle
from runtime.tracing.trace import Trace, current
from runtime.tracing.unions import Unions


@dataclass(frozen=True)
class GraphLeaf(AbstractLeaf):
    """The abstract value of one leaf in a graph."""

    is_list: bool = False  # one of the user's lists, rather than its contents

    flag_type: ClassVar[Type] = BOOL

    def describe(self, value: Any) -> str:
        return described(value)


MAYBE_UNBOUND = {STRING: MaybeUnboundString, OBJECT: MaybeUnboundHostValue}


class GraphDomain(AbstractDomain):
    """The abstract values of graphs."""

    leaf = GraphLeaf
    optional = MaybeNoneObject
    unbound = MaybeUnboundObject
    choice = Chosen
    none_option = NONE

    def option(self, value: Any) -> OptionKey | None:
        return option_key(value)

    def kind_option(self, value: AbstractValue) -> OptionKey | None:
        kind = kind_of_abstract(value)
        return None if kind is None else kind_key(kind)

    def most_options(self, keys: tuple) -> int:
        if are_one_kind(keys):
            return 0
        return MOST_KINDS if any(map(is_kind, keys)) else super().most_options(keys)

    def has_kinds(self, structure: Structure) -> bool:
        return structure.kind is Chosen and any(map(is_kind, structure.keys))

    @property
    def session(self) -> Trace:
        return current()

    def type_of(self, value: Any) -> Type | None:
        return type_of_value(value)

    def is_staged(self, value: Any) -> bool:
        return isinstance(value, Tensor)

    def unify(self, left: Type, right: Type) -> Type | None:
        return join(left, right) if current().state(Unions).are_kept else unify(left, right)

    def zero(self, type: Type) -> Any:
        (operand,) = current().record(find("zero"), (), {"type": type})
        return operand

    def cast(self, value: Any, leaf: AbstractLeaf) -> Any:
        if issubclass(type(value), Renumbered):
            value = value.recorded()
        if isinstance(leaf.type, ListType):
            refuse_part(value)
            if isinstance(value, MergedStagedList):
                refuse_stale_at_end(value)
                value = value._staged
            if isinstance(value, TraceList):
                if value._staged is None:
                    become_elements(tuple(list.__iter__(value)), value)
                value = value.contents()
            register_listed(*value if isinstance(value, (tuple, list)) else ())
            return staged_list(value, leaf.type.element)._value
        if type(value) in NUMBERS and staged_type(value) == leaf.type:
            return value
        if leaf.type == OBJECT and not (isinstance(value, Tensor) and value.type == OBJECT):
            return asked(itself, value)._value
        return cast(value, leaf.type)._value

    def wrap(self, leaf: GraphLeaf, operand: Any, is_bound: Any, is_none: Any, path: str) -> Any:
        region = current().region
        if leaf.is_list:
            return TraceList.of(handle(operand, region))
        absent = None if is_none is None else Tensor(is_none, region)
        if is_bound is not None:
            refuse_unbound_in_try(path)
            kind = MAYBE_UNBOUND.get(leaf.type, MaybeUnbound)
            return kind(operand, region, Tensor(is_bound, region), path, absent)
        return handle(operand, region) if absent is None else MaybeNone(operand, region, absent)

    def flags(self, value: Any) -> tuple[bool, bool]:
        kind = type(value)
        if issubclass(kind, MaybeUnbound):
            return True, value.__is_none__ is not None
        return False, issubclass(kind, MaybeNone)

    def split(self, value: Any) -> tuple[Any, Any, Any]:
        is_bound, is_none = True, value is None
        if type(value) is Tensor:
            return value, is_bound, is_none
        if isinstance(value, MaybeUnbound):
            value, is_bound = value.__unchecked__(), cast(value.is_bound, BOOL)._value
        if isinstance(value, MaybeNone):
            value, is_none = value.__unchecked__(), cast(value.__is_none__, BOOL)._value
        return value, is_bound, is_none

    def stays_known(self, type: Type) -> bool:
        return type == STRING

    def can_be_none(self, type: Type) -> bool:
        return isinstance(type, (TensorType, PythonType, UnionType))

    def join_leaves(self, left: AbstractLeaf, right: AbstractLeaf) -> AbstractLeaf:
        found = super().join_leaves(left, right)
        ends = [leaf for leaf in (left, right) if not leaf.is_unbound]
        are_lists = ends and all(isinstance(leaf, GraphLeaf) and leaf.is_list for leaf in ends)
        return replace(found, is_list=True) if are_lists else found  # type: ignore[call-arg]

    def _join_none(self, left: AbstractLeaf, right: AbstractLeaf) -> AbstractLeaf:
        """The join with None, which is an object of Python itself."""
        other = right if left.plain is None else left
        if other.type != OBJECT:
            return super()._join_none(left, right)
        return self.leaf(OBJECT, may_be_unbound=other.may_be_unbound)

    def join_plain(self, left: AbstractLeaf, right: AbstractLeaf) -> AbstractLeaf | None:
        """The join of two lists that the branches have created: no other code sees them change.  Of
        two iterators, which only a use would tell apart, it is one whose use is refused."""
        if isinstance(left.plain, Combined) and isinstance(right.plain, Combined):
            return self.leaf(plain=current().state(LastIterator).get())
        if not (_is_local_list(left.plain) and _is_local_list(right.plain)):
            return None
        if _are_alike(left.plain, right.plain):
            raise Mismatch(left, right)
        element = element_type([*_elements(left.plain), *_elements(right.plain)])
        return self.leaf(ListType(element), is_list=True)

    def join_unlike(self, left: AbstractValue, right: AbstractValue) -> AbstractValue | None:
        """The join of two lists of which one is staged, or has another length."""
        if StagedTuple in (left.structure.kind, right.structure.kind):
            return _joined_tuples(left, right)
        kinds = [_type_of_list(value) for value in (left, right)]
        if not all(isinstance(kind, ListType) for kind in kinds):
            return None
        joined = self.unify(*kinds)  # type: ignore[arg-type]
        if joined is None or joined.element == NOTHING:  # type: ignore[union-attr]
            return None
        return AbstractValue(LEAF, (self.leaf(joined, is_list=True),))

    def opened(self, leaf: AbstractLeaf) -> AbstractValue:
        """A leaf as a container, if it is an object or list that is rebound, not changed."""
        if is_known_list(leaf.plain):
            items = self.abstract(list(leaf.plain.contents()))
            structure = replace(items.structure, kind=MergedList)
            return AbstractValue(structure, items.leaves)
        is_local = type(leaf.plain) in (TraceList, MergedStagedList) and leaf.plain.is_local()
        if isinstance(leaf.plain, MergedStagedList) and not is_local:
            return AbstractValue(LEAF, (leaf,))
        if isinstance(leaf.plain, StagedContainer):
            return self._opened_container(leaf)
        if is_local:  # its sources hold what they held before the block
            return AbstractValue(LEAF, (self.leaf(leaf.plain._staged.type, is_list=True),))
        if type(leaf.plain) in STAGED_LATER:
            want_staged(leaf.plain)
        refuse_changed(leaf.plain)
        if isinstance(leaf.plain, HoldsVariables):
            return AbstractValue(LEAF, (leaf,))
        return super().opened(leaf)

    def _opened_container(self, leaf: AbstractLeaf) -> AbstractValue:
        """A dict or a set with staged keys as its lists."""
        lists = list(leaf.plain.held.values())
        kinds = list(map(type_of_element, lists))
        if None in kinds:
            return AbstractValue(LEAF, (leaf,))
        structure = Structure(OpenedContainer, (leaf.plain.form(),), (LEAF,) * len(lists))
        return AbstractValue(structure, tuple(self.leaf(kind, is_list=True) for kind in kinds))

    def is_local(self, value: Any) -> bool:
        if isinstance(value, StagedContainer):
            lists = value.held.values()
            return any(type(items) is not ListPart and items.is_local() for items in lists)
        if type(value) in (TraceList, MergedStagedList) and value.is_local():
            return True
        return _is_local_list(value) and is_known_list(value) or super().is_local(value)

    def join_lists(self, left: Any, right: Any, element: Type | None) -> AbstractValue:
        """The abstract value of a list's contents that are either one.

        `element` is the element type that the user has set.
        """
        declared = element
        both_known = not isinstance(left, Tensor) and not isinstance(right, Tensor)
        if both_known and len(left) == len(right):
            return self.join(self.abstract(left), self.abstract(right))
        for contents in (left, right):
            if isinstance(contents, Tensor):
                element = element_type(
                    [contents], ListType(element) if element else None, declared
                ).element
            else:
                element = element_type(contents, element, declared) if contents else element
        return AbstractValue(LEAF, (self.leaf(ListType(element_type([], element))),))


DOMAIN = GraphDomain()


def _joined_tuples(left: AbstractValue, right: AbstractValue) -> AbstractValue | None:
    """The join of tuples, of which only the run knows the length of one."""
    kinds = [_list_in_tuple(value) for value in (left, right)]
    if None in kinds:
        return None
    joined = DOMAIN.unify(*kinds)  # type: ignore[arg-type]
    structure = Structure(StagedTuple, (), (LEAF,))
    leaf = DOMAIN.leaf(joined, is_list=True)
    return None if joined is None else AbstractValue(structure, (leaf,))


def _list_in_tuple(value: AbstractValue) -> Type | None:
    """The type of a list of the elements of a tuple."""
    if value.structure.kind is StagedTuple:
        (items,) = value.items()
        return _type_of_list(items)
    found: Type = NOTHING
    for place in map(_type_of_list, value.items()) if value.structure.kind is tuple else (None,):
        joined = None if place is None else DOMAIN.unify(found, place)
        if joined is None:
            return None
        found = joined
    return ListType(found)


def _type_of_list(value: AbstractValue) -> Type | None:
    """The type of a list, or of an element of one, as the value of a graph; None for others."""
    kind = value.structure.kind
    if kind is None:
        (leaf,) = value.leaves
        if isinstance(leaf.plain, TraceList):
            is_own = type(leaf.plain) in (*OWN_LISTS, ListPart)
            return type_of_element(leaf.plain) if is_own else None
        if leaf.plain is None:
            return OptionalType((NOTHING,))
        is_flagged = leaf.may_be_unbound or leaf.may_be_none
        return None if is_flagged else leaf.type
    if not (kind is tuple or is_list(kind)):
        return None
    places = [_type_of_list(item) for item in value.items()]
    if None in places:
        return None
    if kind is tuple:
        return TupleType(tuple(places))  # type: ignore[arg-type]
    found: Type = NOTHING
    for place in places:
        joined = DOMAIN.unify(found, place)  # type: ignore[arg-type]
        if joined is None:
            return None
        found = joined
    return ListType(found)


def _is_local_list(value):
    """Whether a value is a list that a branch has created."""
    return isinstance(value, TraceList) and value.is_local()


def _are_alike(*lists):
    """Whether lists of one known length hold items that no staged list can hold."""
    if not all(map(is_known_list, lists)) or len({len(items.contents()) for items in lists}) > 1:
        return False
    kinds = [type_of_element(item) for items in lists for item in items.contents()]
    return any(kind is None or holds_lists(kind) or unify(kind, kinds[0]) is None for kind in kinds)


def _elements(items):
    """Examples of the elements of a list."""
    return [items.value.type.element] if items.value is not None else items.contents()
