"""Scalars of which only the run knows the type: the options, and joins that keep them."""

from typing import Any

from runtime.ir.types import (
    DTYPES,
    HAVE_SHAPE,
    NOTHING,
    PYTHON_TYPES,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    is_array,
    join_optional,
    unify,
)


def is_scalar(kind: Type | None) -> bool:
    """Whether values of a type are scalars of Python or NumPy, of one type or of several."""
    return isinstance(kind, (*HAVE_SHAPE, UnionType)) and not kind.shape and not is_array(kind)


def options_of(kind: Type) -> tuple[Type, ...]:
    """The types that a value of a type may have in a run."""
    return kind.options if isinstance(kind, UnionType) else (kind,)


def without_options(kind: Type) -> Type:
    """The widest type in place of a union, also of the elements of lists and tuples."""
    match kind:
        case UnionType():
            return kind.widest
        case ListType(element):
            return ListType(without_options(element))
        case OptionalType(places):
            return OptionalType(tuple(map(without_options, places)))
        case TupleType(places):
            return TupleType(tuple(map(without_options, places)), kind.form)
    return kind


def join(left: Type, right: Type) -> Type | None:
    """As `unify`, but scalars keep their types, one of which the run decides.

    >>> from runtime.ir.types import FLOAT, INT, tensor_type
    >>> print(join(INT, tensor_type("f4")), join(ListType(INT), ListType(FLOAT)))
    int | f32 list[int | float]
    """
    if is_scalar(left) and is_scalar(right):
        return union_of(left, right)
    if left != NOTHING != right and OptionalType in (type(left), type(right)):
        return join_optional(left, right, join)
    match left, right:
        case ListType(one), ListType(other):
            element = join(one, other)
            return None if element is None else ListType(element)
        case TupleType(ones), TupleType(others) if len(ones) == len(others):
            found = [join(*pair) for pair in zip(ones, others, strict=True)]
            places = tuple(place for place in found if place is not None)
            is_one = len(places) == len(found) and left.form == right.form
            return TupleType(places, left.form) if is_one else None
    return unify(left, right)


# The order of the options of a union.
RANKS = {name: i for i, name in enumerate((*map(str, PYTHON_TYPES.values()), *DTYPES))}


def union_of(*kinds: Type) -> Type:
    """The type of scalars that have one of some types; that type itself if there is only one.

    >>> from runtime.ir.types import BOOL, INT, tensor_type
    >>> print(union_of(tensor_type("f8"), INT, union_of(BOOL, INT)), union_of(INT, INT))
    bool | int | f64 int
    """
    found = {option for kind in kinds for option in options_of(kind)}
    if len(found) == 1:
        return found.pop()
    options: Any = sorted(found, key=lambda option: RANKS[str(option)])
    return UnionType(tuple(options))
