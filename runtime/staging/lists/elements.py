"""What may be in a staged list, and how it gets there and comes out.

z.append(x)            f64, f64 -> f64          numbers, arrays and texts: their types are unified
z.append((i, x))       (int, f64)               tuples are packed, and unpacked on the way out
"""

from typing import Any

from autograph.functions.policy import is_users_class
from runtime.errors import staging_error
from runtime.ir.op import find
from runtime.ir.types import ListType, TupleType, Type, unify
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.tensor import HANDLES, Tensor, apply


def type_of_element(item: Any) -> Type | None:
    """The type that a value would have in a staged list, None where it cannot be in one."""
    if isinstance(item, Type):
        return item
    if type(item) is tuple:
        places = tuple(map(type_of_element, item))
        return None if None in places else TupleType(places)
    return staged_type(item)


def described(value: Any) -> str:
    """What errors call a value; of objects of the user's, which may hold staged ones, the class."""
    if is_users_class(type(value)):
        return f"{type(value).__qualname__}(...)"
    return repr(value)


def element_type(items, known: Type | None = None) -> Type:
    """The type of a staged list's elements: one that holds `items` and what is `known`.

    Raises `StagingError` where there is none.
    """
    for item in items:
        kind = type_of_element(item)
        joined = kind if known is None or kind is None else unify(known, kind)
        if joined is None:
            raise staging_error(
                f"a staged list cannot hold {described(item)}"
                + (f" beside elements of type {known}" if known else ""),
                "The elements of a staged list are numbers, arrays, texts, or tuples of them, all "
                "of one type.",
                "Use a list for each type.",
            )
        known = joined
    if known is None:
        raise staging_error(
            "an empty list is staged, and the type of its elements is not known",
            "A graph's lists hold elements of one type, which nothing here tells.",
            "Say it: autograph.set_element_type(z, np.float64).",
        )
    return known


def staged_list(contents: Tensor | tuple, element: Type | None = None) -> Tensor:
    """The contents of a list as a staged list with elements of a type."""
    if not isinstance(contents, Tensor):
        items = [cast(item, element) for item in contents]
        return apply(find("list_new"), *items, element=element)
    return contents if element is None else cast(contents, ListType(element))


def _unpacked(value, region):
    """A tuple that comes out of a list, as a tuple of Python's."""
    found = apply(find("unpack"), Tensor(value, region))
    return found if isinstance(found, tuple) else (found,)


HANDLES[TupleType] = _unpacked
