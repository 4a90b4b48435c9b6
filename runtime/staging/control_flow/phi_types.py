"""Layouts: what is known about a place whatever path led there, and how values fit into it.

    y = 1.5 | y = x               f64                     numbers and arrays: types are unified
    y = (1, x) | y = (2, z)       (int, f64)              containers: leaf by leaf
    y = 'a' | y = 'b'             str                     texts, like numbers: known or staged
    y = obj | y = obj             the plain object        other objects: the same one
    y unbound | y = x             f64, flagged            a flag says in a run whether it is bound
    y = None | y = x              f64, optional           a flag says in a run whether it is None
    z = [] | z = [x]              list[f64]               contents of a list whose length varies,
                                                          or lists that the branches have made
    p = P(1) | p = P(x)           P with its attributes   objects that the branches have made

Both constructs need just this.  A `cond` joins the layouts of its branches; a `loop` joins that of
the start with that of the end of a turn until nothing changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from autograph.backend import Undefined, Unset
from autograph.staging.object_state import attributes, object_with
from runtime.ir.graph import NUMBERS, Graph, Operand
from runtime.ir.op import find
from runtime.ir.pytree import LEAF, Structure, flatten, leaves_of, unflatten
from runtime.ir.types import BOOL, TEXT, ListType, PythonType, TensorType, Type, unify
from runtime.staging.calls.dunder_methods import NewObjects, is_made_inside
from runtime.staging.lists.aliasing import keep
from runtime.staging.lists.elements import described, element_type, staged_list, type_of_element
from runtime.staging.lists.rebound import ReboundList, is_known_list
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.strings import PerhapsUndefinedText
from runtime.tracing.tensor import Tensor, handle
from runtime.tracing.trace import Trace, current
from runtime.tracing.undefined import PerhapsNone, PerhapsUndefined

NOTHING = object()


class MergedObjects(dict[Any, tuple]):
    """For a pair of identities, the object that replaces both; for one object, its pair."""


@dataclass(frozen=True)
class Joined:
    """What is known about two objects of the user's of which one is there: their attributes."""

    kind: type
    attributes: "Layout"
    pair: tuple[int, int]

    def value(self, operands: Iterator[Operand], region: Graph, path: str) -> Any:
        """The object that stands for both, wherever they were found; takes its operands."""
        held = self.attributes.value(operands, region, path)
        recorder = current()
        merged = recorder.state(MergedObjects)
        if self.pair not in merged:
            made = object_with(self.kind, held)
            merged[self.pair] = (made,)
            recorder.state(NewObjects)[id(made)] = made, region
        return merged[self.pair][0]


@dataclass(frozen=True)
class Leaf:
    """What is known about one value.

    Either its type (it is staged), or the plain value, or both for a number that is the same on
    every path.  `flagged`: it may be unbound, and a flag goes along; `optional`: it may be None,
    and another flag does.  Neither type nor value: it is unbound (`unset`: a generated variable,
    which needs no flag).
    """

    type: Type | None = None
    plain: Any = NOTHING
    flagged: bool = False
    optional: bool = False
    unset: bool = False
    is_list: bool = False  # a list of the user's, rather than what is in it
    joined: "Joined | None" = None  # of objects of the user's
    container: Structure | None = None  # of a whole value, in error messages

    @property
    def is_staged(self) -> bool:
        """Whether the value travels through the graph."""
        return self.type is not None and self.plain is NOTHING

    @property
    def is_unbound(self) -> bool:
        """Whether there is no value."""
        return self.type is None and self.plain is NOTHING

    def types(self) -> list[Type]:
        """The types of the operands that it takes."""
        if self.joined is not None:
            return self.joined.attributes.types()
        if not self.is_staged:
            return []
        return [self.type, *[BOOL] * self.flagged, *[BOOL] * self.optional]

    def __str__(self):
        if self.container is not None:
            return str(self.container)
        if self.is_unbound:
            return "unbound"
        if self.type is None:
            return described(self.plain)
        return f"{self.type} or None" if self.optional else str(self.type)


class Mismatch(Exception):
    """Two leaves that no variable can hold in turn."""

    def __init__(self, left: Leaf, right: Leaf):
        super().__init__(f"{left} and {right}")
        self.left, self.right = left, right


@dataclass(frozen=True)
class Layout:
    """What is known about a place: its containers, and its leaves."""

    structure: Structure
    leaves: tuple[Leaf, ...]

    def types(self) -> list[Type]:
        """The types of the operands that a value of this layout takes."""
        return [type for leaf in self.leaves for type in leaf.types()]

    def staged(self) -> "Layout":
        """The layout in which numbers are staged, rather than known; texts are as they were."""
        general = (
            replace(leaf, plain=NOTHING) if leaf.type and leaf.type != TEXT else leaf
            for leaf in self.leaves
        )
        return Layout(self.structure, tuple(general))

    def operands(self, value: Any, recorder: Trace) -> list[Operand]:
        """A value, which fits the layout, as operands; casts are recorded."""
        if isinstance(value, (Undefined, Unset)):
            values = [value] * len(self.leaves)
        else:
            values = list(leaves_of(self.structure, value))
        pairs = zip(self.leaves, values, strict=True)
        return [operand for leaf, item in pairs for operand in _operands(leaf, item, recorder)]

    def value(self, operands: Iterator[Operand], region: Graph, path: str) -> Any:
        """The value that operands stand for in a region; takes as many as it needs."""
        return unflatten(
            self.structure, [_value(leaf, operands, region, path) for leaf in self.leaves]
        )


def _operands(leaf, value, recorder):
    if leaf.joined is not None:
        held = value if isinstance(value, (Undefined, Unset)) else attributes(value)
        return leaf.joined.attributes.operands(held, recorder)
    if not leaf.is_staged:
        return []
    if isinstance(value, (Undefined, Unset)):
        (operand,) = recorder.record(find("zero"), (), {"type": leaf.type})
        return [operand, *[False] * leaf.flagged, *[False] * leaf.optional]
    defined: Operand = True
    absent: Operand = value is None
    if isinstance(value, PerhapsUndefined):
        value, defined = value.unchecked(), cast(value.defined, BOOL)._value
    if isinstance(value, PerhapsNone):
        value, absent = value.unchecked(), cast(value.absent, BOOL)._value
    if value is None:
        (operand,) = recorder.record(find("zero"), (), {"type": leaf.type})
    elif isinstance(leaf.type, ListType):
        value = value.contents() if isinstance(value, TraceList) else value
        keep(*value if isinstance(value, tuple) else ())
        operand = staged_list(value, leaf.type.element)._value
    elif type(value) in NUMBERS and staged_type(value) == leaf.type:
        operand = value
    else:
        operand = cast(value, leaf.type)._value
    return [operand, *[defined] * leaf.flagged, *[absent] * leaf.optional]


def _value(leaf, operands, region, path):
    if leaf.joined is not None:
        return leaf.joined.value(operands, region, path)
    if leaf.plain is not NOTHING:
        return leaf.plain
    if leaf.type is None:
        return Unset() if leaf.unset else Undefined(path)
    value = next(operands)
    if leaf.is_list:
        return TraceList.of(handle(value, region))
    defined = Tensor(next(operands), region) if leaf.flagged else None
    absent = Tensor(next(operands), region) if leaf.optional else None
    if defined is not None:
        kind = PerhapsUndefinedText if leaf.type == TEXT else PerhapsUndefined
        return kind(value, region, defined, path, absent)
    return handle(value, region) if absent is None else PerhapsNone(value, region, absent)


# -- the layout of a value -------------------------------------------------------------------------


def layout_of(value: Any) -> Layout:
    """The layout of one value."""
    leaves, structure = flatten(value)
    return Layout(structure, tuple(map(_leaf_of, leaves)))


def _leaf_of(value):
    if isinstance(value, Undefined):
        return Leaf()
    if isinstance(value, Unset):
        return Leaf(unset=True)
    if isinstance(value, Tensor):
        flagged = isinstance(value, PerhapsUndefined)
        optional = flagged and value.absent is not None or isinstance(value, PerhapsNone)
        return Leaf(value.type, flagged=flagged, optional=optional)
    kind = staged_type(value)
    if kind is None:
        return Leaf(plain=value)
    return Leaf(kind, value if type(value) in (*NUMBERS, str) else NOTHING)


def join(left: Layout, right: Layout) -> Layout:
    """The layout of a place that holds a value of either.  Raises `Mismatch`."""
    left, right = _as_container(left, right), _as_container(right, left)
    try:
        return _joined(left, right)
    except Mismatch:
        one, other = _opened(left), _opened(right)
        one, other = _as_container(one, other), _as_container(other, one)
        if one.structure != other.structure or one.structure == LEAF:
            raise
        return _joined(one, other)


def _joined(left, right):
    if left.structure != right.structure:
        raise Mismatch(_whole(left), _whole(right))
    pairs = zip(left.leaves, right.leaves, strict=True)
    return Layout(left.structure, tuple(_join_leaves(a, b) for a, b in pairs))


def _opened(layout):
    """A layout with what is in lists in their place: they are bound anew, not changed."""
    leaves, found = iter(layout.leaves), []

    def open_(structure):
        if structure.kind is not None:
            kind = ReboundList if structure.kind is list else structure.kind
            return Structure(kind, structure.keys, tuple(map(open_, structure.children)))
        leaf = next(leaves)
        if not is_known_list(leaf.plain):
            found.append(leaf)
            return structure
        inside = _opened(layout_of(list(leaf.plain.contents())))
        found.extend(inside.leaves)
        return inside.structure

    return Layout(open_(layout.structure), tuple(found))


def _as_container(layout, other):
    """A layout without a value as that of a container none of whose items has one."""
    if layout.structure == LEAF and layout.leaves[0].is_unbound:
        return Layout(other.structure, layout.leaves * len(other.leaves))
    return layout


def _whole(layout):
    return layout.leaves[0] if layout.structure == LEAF else Leaf(container=layout.structure)


def _join_leaves(left, right):
    if _same_plain(left, right):
        return left
    if left.is_unbound or right.is_unbound:
        bound = right if left.is_unbound else left
        if bound.is_unbound:
            return left
        if bound.plain is None:
            bound = Leaf(BOOL, optional=True)  # the narrowest type, until a value is found
        if bound.type is None:
            raise Mismatch(left, right)
        flagged = bound.flagged or not (left.unset or right.unset)
        return Leaf(bound.type, flagged=flagged, optional=bound.optional)
    if left.plain is None or right.plain is None:
        return _join_none(left, right)
    if _are_made_lists(left, right):
        if _are_alike(left.plain, right.plain):
            raise Mismatch(left, right)
        element = element_type([*_elements(left.plain), *_elements(right.plain)])
        return Leaf(ListType(element), is_list=True)
    if _are_made_objects(left, right):
        return Leaf(joined=_joined_objects(left.plain, right.plain))
    if left.type is None or right.type is None:
        raise Mismatch(left, right)
    together = unify(left.type, right.type)
    if together is None:
        raise Mismatch(left, right)
    return Leaf(
        together,
        flagged=left.flagged or right.flagged,
        optional=left.optional or right.optional,
    )


def _join_none(left, right):
    """What is known of a value that is None on one path."""
    other = right if left.plain is None else left
    if not isinstance(other.type, (TensorType, PythonType)):
        raise Mismatch(left, right)
    return Leaf(other.type, flagged=other.flagged, optional=True)


def _are_made_lists(*leaves):
    """Whether both are lists that the branches have made: nobody else can see them change."""
    return all(isinstance(leaf.plain, TraceList) and leaf.plain.is_made_inside() for leaf in leaves)


def _are_alike(*lists):
    """Whether lists of one known length hold what is in no staged list."""
    if not all(map(is_known_list, lists)) or len({len(items.contents()) for items in lists}) > 1:
        return False
    kinds = [type_of_element(item) for items in lists for item in items.contents()]
    return any(kind is None or unify(kind, kinds[0]) is None for kind in kinds)


def _are_made_objects(left, right):
    """Whether both are objects of one class that the branches have made."""
    alike = type(left.plain) is type(right.plain)
    return alike and is_made_inside(left.plain) and is_made_inside(right.plain)


def _joined_objects(left, right):
    """What stands for two objects of one class.

    Raises `Mismatch` where one of them was joined with a third: they could not stay one object.
    """
    merged = current().state(MergedObjects)
    for one, other in ((left, right), (right, left)):
        if merged.setdefault(id(one), (one, other))[1] is not other:
            raise Mismatch(Leaf(plain=left), Leaf(plain=right))
    layout = join(layout_of(attributes(left)), layout_of(attributes(right)))
    return Joined(type(left), layout, (id(left), id(right)))


def _elements(items):
    """Examples of what is in a list."""
    return [items.value.type.element] if items.value is not None else items.contents()


def _same_plain(left, right):
    if left.plain is NOTHING or right.plain is NOTHING:
        return False
    if left.plain is right.plain:
        return True
    same_kind = type(left.plain) is type(right.plain)
    if type(left.plain) in NUMBERS:
        return same_kind and repr(left.plain) == repr(right.plain)  # tells -0.0 from 0.0
    return same_kind and type(left.plain) in (str, bytes) and left.plain == right.plain


def join_lists(left: Any, right: Any, element: Type | None) -> Layout:
    """The layout of a list's contents that are either; `element` is what the user says of them."""
    if not isinstance(left, Tensor) and not isinstance(right, Tensor) and len(left) == len(right):
        return join(layout_of(left), layout_of(right))
    for contents in (left, right):
        if isinstance(contents, Tensor):
            element = element_type([contents], ListType(element) if element else None).element
        else:
            element = element_type(contents, element) if contents else element
    return Layout(LEAF, (Leaf(ListType(element_type([], element))),))
