"""The elements of staged lists: their type, and how they are added and returned.

z.append(x)            f64, f64 -> f64          scalars, arrays and strings: types are unified
z.append((i, x))       (int, f64)               tuples are packed, and unpacked when read
"""

from typing import Any

from autograph.functions.policy import is_users_class
from runtime.errors import ElementError, StagedListError, staging_error
from runtime.ir.op import find
from runtime.ir.types import ListType, TupleType, Type, UnionType, unify
from runtime.ir.unions import join, without_options
from runtime.ops.list_methods import type_of_sum
from runtime.tracing import trace
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.tensor import HANDLES, Tensor, apply
from runtime.tracing.unions import Unions, note_use
from runtime.tracing.widenings import note


def type_of_element(item: Any) -> Type | None:
    """The type that a value has as an element of a staged list; None if it cannot be one."""
    if isinstance(item, Type):
        return item
    if type(item) is tuple:
        places = tuple(map(type_of_element, item))
        return None if None in places else TupleType(places)
    return staged_type(item)


def described(value: Any) -> str:
    """A value as error messages show it; for objects of the user's classes, the class."""
    if isinstance(value, Tensor):
        return f"a value of type {value.type}"
    if is_users_class(type(value)):
        return f"{type(value).__qualname__}(...)"
    return repr(value)


def element_type(items, known: Type | None = None, declared: Type | None = None) -> Type:
    """The element type of a staged list that holds `items` besides elements of the type `known`.

    Scalars keep their types, unless the user has `declared` one for all elements.
    Raises `StagingError` if there is none.
    """
    together = join if trace.current().state(Unions).are_kept and declared is None else unify
    known = declared if known is None else known
    for item in items:
        kind = type_of_element(item)
        joined = kind if known is None or kind is None else together(known, kind)
        if joined is None:
            raise staging_error(
                f"a staged list cannot hold {described(item)}"
                + (f" beside elements of type {known}" if known else ""),
                "The elements of a staged list are scalars, arrays, strings, or tuples of them, "
                "all of one type.",
                "Use a list for each type.",
                ElementError,
            )
        known = joined
    if known is None:
        raise staging_error(
            "an empty list is staged, and the type of its elements is not known",
            "Staged lists hold elements of one type, which cannot be inferred here.",
            "Declare it: autograph.set_element_type(z, np.float64).",
            ElementError,
        )
    return known


def stacked_type(element: Type, items: Tensor | None) -> Type:
    """The one type of the elements of a list in an array; notes a widening if they have several."""
    if items is not None and without_options(element) != element:
        note_use(trace.current(), items._value)
    return without_options(element)


def type_of_staged_sum(element: Type, start: Type) -> Type | None:
    """The type of the sum of a staged list; notes if the empty sum is widened."""
    kind = type_of_sum(element, start)
    if not isinstance(kind, UnionType) or trace.current().state(Unions).are_kept:
        return kind
    note(trace.current(), f"an empty sum is {start}, and {kind.widest} in the graph")
    return kind.widest


def staged_list(contents: Tensor | tuple, element: Type | None = None) -> Tensor:
    """The contents of a list as a staged list with the given element type."""
    if not isinstance(contents, Tensor):
        items = [cast(item, element) for item in contents]
        return apply(find("list_new"), *items, element=element)
    return contents if element is None else cast(contents, ListType(element))


def _unpacked(value, region):
    """A tuple from a staged list as a Python tuple."""
    found = apply(find("unpack"), Tensor(value, region))
    return found if isinstance(found, tuple) else (found,)


HANDLES[TupleType] = _unpacked


class SeenAsList:
    """An object whose `__class__` is `list` for the user's code."""

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self):
        return list


def used_unconverted(part: str) -> BaseException:
    """The error about code that uses a part of a staged list as if it were known."""
    return staging_error(
        f"{part} of a staged list is used by code that is not converted",
        "The list grows in a staged loop; its elements are known only at run time.",
        "Use autograph.stack(z), z[i], len(z) or a for loop, in converted code.",
        StagedListError,
    )
