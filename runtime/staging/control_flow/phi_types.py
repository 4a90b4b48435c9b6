"""The abstract values of graphs: see `autograph/staging/abstract_values.py`.

z = [] | z = [x]              list[f64]               contents of a list whose length varies,
                                                      or lists that the branches have created
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from autograph.staging.abstract_values import (
    NUMBERS,
    AbstractDomain,
    AbstractLeaf,
    AbstractValue,
    Mismatch,
)
from autograph.staging.try_blocks import refuse_unbound_in_try
from runtime.ir.op import find
from runtime.ir.pytree import LEAF, Structure
from runtime.ir.types import (
    BOOL,
    OBJECT,
    STRING,
    ListType,
    PythonType,
    TensorType,
    Type,
    UnionType,
    unify,
)
from runtime.ir.unions import join
from runtime.ops.host import itself
from runtime.staging.calls.host_values import MaybeUnboundHostValue, asked
from runtime.staging.lists.aliasing import register_listed
from runtime.staging.lists.elements import described, element_type, staged_list, type_of_element
from runtime.staging.lists.merged_list import MergedList, is_known_list
from runtime.staging.lists.trace_list import TraceList
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

    @property
    def session(self) -> Trace:
        return current()

    def type_of(self, value: Any) -> Type | None:
        return value.type if isinstance(value, Tensor) else staged_type(value)

    def is_staged(self, value: Any) -> bool:
        return isinstance(value, Tensor)

    def unify(self, left: Type, right: Type) -> Type | None:
        return join(left, right) if current().state(Unions).are_kept else unify(left, right)

    def zero(self, type: Type) -> Any:
        (operand,) = current().record(find("zero"), (), {"type": type})
        return operand

    def cast(self, value: Any, leaf: AbstractLeaf) -> Any:
        if isinstance(leaf.type, ListType):
            value = value.contents() if isinstance(value, TraceList) else value
            register_listed(*value if isinstance(value, tuple) else ())
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
        if isinstance(value, MaybeUnbound):
            return True, value.is_none is not None
        return False, isinstance(value, MaybeNone)

    def split(self, value: Any) -> tuple[Any, Any, Any]:
        is_bound, is_none = True, value is None
        if isinstance(value, MaybeUnbound):
            value, is_bound = value.unchecked(), cast(value.is_bound, BOOL)._value
        if isinstance(value, MaybeNone):
            value, is_none = value.unchecked(), cast(value.is_none, BOOL)._value
        return value, is_bound, is_none

    def stays_known(self, type: Type) -> bool:
        return type == STRING

    def can_be_none(self, type: Type) -> bool:
        return isinstance(type, (TensorType, PythonType, UnionType))

    def _join_none(self, left: AbstractLeaf, right: AbstractLeaf) -> AbstractLeaf:
        """The join with None, which is an object of Python itself."""
        other = right if left.plain is None else left
        if other.type != OBJECT:
            return super()._join_none(left, right)
        return self.leaf(OBJECT, may_be_unbound=other.may_be_unbound)

    def join_plain(self, left: AbstractLeaf, right: AbstractLeaf) -> AbstractLeaf | None:
        """The join of two lists that the branches have created: no other code sees them change."""
        if not (_is_local_list(left.plain) and _is_local_list(right.plain)):
            return None
        if _are_alike(left.plain, right.plain):
            raise Mismatch(left, right)
        element = element_type([*_elements(left.plain), *_elements(right.plain)])
        return self.leaf(ListType(element), is_list=True)

    def opened(self, value: AbstractValue) -> AbstractValue:
        """The abstract value with the items of lists in their place: the lists are rebound, not
        changed."""
        leaves, found = iter(value.leaves), []

        def open_(structure):
            if structure.kind is not None:
                kind = MergedList if structure.kind is list else structure.kind
                return Structure(kind, structure.keys, tuple(map(open_, structure.children)))
            leaf = next(leaves)
            if not is_known_list(leaf.plain):
                found.append(leaf)
                return structure
            inside = self.opened(self.abstract(list(leaf.plain.contents())))
            found.extend(inside.leaves)
            return inside.structure

        return AbstractValue(open_(value.structure), tuple(found))

    def known(self, value: Any) -> AbstractValue:
        """The abstract value of one plain object."""
        return AbstractValue(LEAF, (self.leaf(plain=value),))

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


def _is_local_list(value):
    """Whether a value is a list that a branch has created."""
    return isinstance(value, TraceList) and value.is_local()


def _are_alike(*lists):
    """Whether lists of one known length hold items that no staged list can hold."""
    if not all(map(is_known_list, lists)) or len({len(items.contents()) for items in lists}) > 1:
        return False
    kinds = [type_of_element(item) for items in lists for item in items.contents()]
    return any(kind is None or unify(kind, kinds[0]) is None for kind in kinds)


def _elements(items):
    """Examples of the elements of a list."""
    return [items.value.type.element] if items.value is not None else items.contents()
