"""The elements of staged lists: their type, and how they are added and returned.

z.append(x)            f64, f64 -> f64          scalars, arrays and strings: types are unified
z.append((i, x))       (int, f64)               tuples are packed, and unpacked when read
"""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograph.errors import with_article
from autograph.functions.policy import is_users_class
from runtime.errors import ElementError, StagedListError, ValueNeededError, staging_error
from runtime.ir.graph import PYTHON_SCALARS, operand_type
from runtime.ir.op import find
from runtime.ir.types import (
    BOOL,
    NOTHING,
    STRING,
    ListType,
    OptionalType,
    PythonType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_array,
    unify,
)
from runtime.ir.unions import join
from runtime.ops.list_methods import type_of_sum
from runtime.staging.containers import StagedContainer, StagedView
from runtime.staging.lists.array_types import as_array_type, not_numbers
from runtime.staging.lists.forms import ContainerForm, FormedItem, form_of, parts_of, shown
from runtime.staging.lists.recorded_writes import records_writes, want_writes
from runtime.staging.made_dicts import want_staged
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.known_truth import known_truth
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.tensor import HANDLES, Tensor, apply, is_staged, record_op, staged
from runtime.tracing.unions import Unions
from runtime.tracing.widenings import note

FLAGGED = (TensorType, PythonType, UnionType)  # types of values that have a flag of their own
STAGED_LATER = (set, dict, OrderedDict, defaultdict, Counter)  # in another recording


def type_of_element(item: Any) -> Type | None:
    """The type that a value has as an element of a staged list; None if it cannot be one."""
    if type(item) is Tensor:
        return staged_type(item)
    if isinstance(item, Type):
        return item
    form = form_of(item)
    if type(item) is tuple or form is not None:
        places = tuple(map(type_of_element, item if form is None else parts_of(item)))
        if None in places or not _may_hold(item, form, places):
            return None
        return TupleType(places, form)
    if isinstance(item, list):
        return _type_of_list(item)
    if type(item) in STAGED_LATER:
        want_staged(item)
        return None
    if item is None:
        return OptionalType((NOTHING,))
    if isinstance(item, (MaybeNone, MaybeNoneObject)):
        return _type_of_optional(item)
    return staged_type(item)


def _may_hold(item, form, places):
    """Whether an element with a form may have items of some types: lists in dicts and objects are
    followed where writes into these are recorded."""
    is_followed = form is None or form.is_tuple or isinstance(form, ContainerForm)
    if is_followed or records_writes(item) or not any(map(holds_lists, places)):
        return True
    want_writes(item)
    return False


def _type_of_optional(item):
    """The type of a value that may be None, unless the tests around tell that it is not."""
    is_there = known_truth(staged(item.__is_none__)._value) is False
    kind = type_of_element(item.__present__) if isinstance(item, MaybeNoneObject) else item.type
    return kind if is_there or kind is None else OptionalType((kind,))


def holds_only_scalars(kind: Type) -> bool:
    """Whether the elements of a type are numbers or texts, or tuples of them."""
    if isinstance(kind, TupleType):
        return kind.form is None and all(map(holds_only_scalars, kind.places))
    return kind in (NOTHING, STRING) or isinstance(kind, FLAGGED) and not is_array(kind)


def holds_lists(kind: Type) -> bool:
    """Whether values of a type are lists, or tuples with lists inside."""
    if isinstance(kind, TupleType):
        return any(map(holds_lists, kind.places))
    return isinstance(kind, ListType)


def _type_of_list(items: list) -> Type | None:
    """The type of a list as an element; that of an empty list has elements of no type."""
    staged = getattr(items, "_staged", None)
    if staged is not None:
        return staged.type
    if getattr(items, "__class__", list) is not list:
        return None  # a deque, or a subclass
    declared = getattr(items, "element", None)
    found: Type = NOTHING if declared is None else declared
    together = _together(declared)
    for item in _one_of_each_type(list.__iter__(items)):
        kind = type_of_element(item)
        joined = None if kind is None else together(found, kind)
        if joined is None:
            return None
        found = joined
    return ListType(found)


def _one_of_each_type(items: Iterable) -> Iterable:
    """The items; if all are scalars of Python, the first of each class, as a class has one type."""
    items = tuple(items)
    first = dict(zip(map(type, reversed(items)), reversed(items), strict=True))
    return reversed(first.values()) if first.keys() <= set(PYTHON_SCALARS) else items


def _together(declared):
    """How the types of elements are joined."""
    return join if trace.current().state(Unions).are_kept and declared is None else unify


def described(value: Any) -> str:
    """A value as error messages show it; for objects of the user's classes, the class."""
    if isinstance(value, Type):
        return f"elements of type {shown(value)}"
    if isinstance(value, Tensor):
        return f"a value of type {value.type}"
    if is_users_class(type(value)):
        return f"{type(value).__qualname__}(...)"
    if isinstance(value, list) and getattr(value, "_staged", None) is not None:
        return "a staged list"
    if isinstance(value, (list, tuple)) and is_staged(value):
        kind = "list" if isinstance(value, list) else type(value).__name__
        return f"{with_article(kind)} of staged values"
    if isinstance(value, ArrayLike):
        return f"<{value.title}>"
    if isinstance(value, (StagedContainer, StagedView)):
        return f"a staged {value.kind.__name__}"
    if isinstance(value, dict):
        return "a dict of lists, dicts or staged values" if _has_parts(value) else repr(value)
    try:
        return repr(value)
    except ValueNeededError:  # an object of Python that contains staged values
        return f"{type(value).__qualname__}(...)"


def _has_parts(items):
    """Whether a dict holds staged values, or containers."""
    held = tuple(dict.values(items))
    return is_staged(held) or any(isinstance(one, (list, dict, StagedContainer)) for one in held)


def element_type(items, known: Type | None = None, declared: Type | None = None) -> Type:
    """The element type of a staged list that holds `items` besides elements of the type `known`.

    Scalars keep their types, unless the user has `declared` one for all elements.
    Raises `StagingError` if there is none.
    """
    together = _together(declared)
    known = declared if known is None else known
    for item in _one_of_each_type(items):
        kind = type_of_element(item)
        joined = kind if known is None or kind is None else together(known, kind)
        if joined is None:
            raise staging_error(
                f"a staged list cannot hold {described(item)}"
                + (f" beside elements of type {shown(known)}" if known else ""),
                "The elements of a staged list are scalars, arrays, strings, or tuples or lists of "
                "them, all of one type.",
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


def all_present(items: Tensor) -> Tensor:
    """A staged list whose elements must not be None in a run, without None in its type."""
    if isinstance(items, Tensor) and isinstance(items.type.element, OptionalType):
        return apply(find("all_present"), items)
    return items


def stack_of(items: Tensor | tuple, element: Type, dtype: Any = None) -> Tensor:
    """The elements of a list, which have a type, along a new first axis; `dtype` is that of the
    call, or None."""
    kind = as_array_type(element, dtype)
    if not isinstance(element, ListType):
        items = staged_list(items, kind)
    return apply(find("list_stack"), items, element=kind)


def no_array() -> BaseException:
    """The error about a staged list that NumPy converts to an array."""
    return staging_error(
        "a staged list cannot be converted to a NumPy array",
        "The list grows in a staged loop; its elements are known only at run time.",
        "Use autograph.stack(z), in converted code.",
        ValueNeededError,
    )


def type_of_staged_sum(element: Type, start: Type) -> Type | None:
    """The type of the sum of a staged list; notes if the empty sum is widened."""
    if isinstance(element, TupleType):
        raise not_numbers(element)
    kind = type_of_sum(element, start)
    if not isinstance(kind, UnionType) or trace.current().state(Unions).are_kept:
        return kind
    note(trace.current(), f"an empty sum is {start}, and {kind.widest} in the graph")
    return kind.widest


def staged_list(contents: Tensor | tuple, element: Type | None = None) -> Tensor:
    """The contents of a list as a staged list with the given element type."""
    if not isinstance(contents, Tensor):
        kind = element.kind if isinstance(element, PythonType) else None
        if kind is None or not {kind}.issuperset(map(type, contents)):
            contents = tuple(with_type(item, element) for item in contents)
        return apply(find("list_new"), *contents, element=element)
    return contents if element is None else cast(contents, ListType(element))


def with_type(item: Any, kind: Type) -> Tensor:
    """An element as a value of a type."""
    if isinstance(kind, OptionalType):
        return _optional(item, kind)
    item = _present(item)
    if isinstance(kind, ListType) and isinstance(item, list):
        staged = getattr(item, "_staged", None)
        return staged_list(tuple(list.__iter__(item)) if staged is None else staged, kind.element)
    if isinstance(kind, TupleType) and not isinstance(item, Tensor):
        return cast(tuple(map(with_type, parts_of(item), kind.places)), kind)
    return cast(item, kind)


def _optional(item, kind):
    """An element as a value that may be None."""
    if isinstance(item, Tensor) and item.type == kind:
        return item
    is_none: Any = item is None
    if isinstance(item, (MaybeNone, MaybeNoneObject)):
        is_none, item = cast(item.__is_none__, BOOL), item.__unchecked__()
    if is_none is True:
        return Tensor(*record_op(find("zero"), (), {"type": kind})[0])
    value = with_type(item, kind.present)
    return Tensor(*record_op(find("optional"), (is_none, value), {})[0])


def _present(item):
    """An element, which lists cannot have as None."""
    return item.__checked__(lambda none: none) if isinstance(item, MaybeNoneObject) else item


def _unpacked(value, region):
    """A tuple from a staged list as a Python tuple."""
    found = apply(find("unpack"), Tensor(value, region))
    made = FormedItem(found if type(found) is tuple else (found,))
    made.form = operand_type(value).form
    return tuple(made) if made.form is None else made


HANDLES[TupleType] = _unpacked


def _read_optional(value, region):
    """An element that may be None."""
    kind = operand_type(value)
    if kind.present == NOTHING:
        return None
    item = Tensor(value, region)
    is_none = apply(find("is_none"), item)
    found = apply(find("present"), item, type=kind.present)
    if isinstance(found, Tensor) and isinstance(found.type, FLAGGED):
        return MaybeNone(found._value, region, is_none)
    return MaybeNoneObject(is_none, found)


HANDLES[OptionalType] = _read_optional


class SeenAsList:
    """An object whose `__class__` is `list` for the user's code."""

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self):
        return list

    def __array_function__(self, function, types, args, kwargs):
        if any(not issubclass(one, SeenAsList) for one in types):
            return NotImplemented
        given, options = _as_pythons(args), {name: _as_pythons(kwargs[name]) for name in kwargs}
        is_left = _holds_list_of_graph((*given, *options.values()))
        return NotImplemented if is_left else function(*given, **options)

    def __array__(self, dtype=None, copy=None):
        if self.value is None:
            return np.asarray(list(self), dtype=dtype)
        raise no_array()


def _as_pythons(value: Any) -> Any:
    """A value with lists of Python in place of the lists in which nothing is staged."""
    if type(value) in (tuple, list):
        return type(value)(map(_as_pythons, value))
    if not _is_of_graph(value) or value.value is not None:
        return value
    items = [_as_pythons(item) for item in list.__iter__(value)]
    return value if is_staged(items) else items


def _holds_list_of_graph(value: Any) -> bool:
    """Whether a list of the graph is in a value, which NumPy would look for."""
    if type(value) in (tuple, list):
        return any(map(_holds_list_of_graph, value))
    return _is_of_graph(value)


def _is_of_graph(value: Any) -> bool:
    return issubclass(type(value), SeenAsList)


def used_unconverted(part: str) -> BaseException:
    """The error about code that uses a part of a staged list as if it were known."""
    return staging_error(
        f"{part} of a staged list is used by code that is not converted",
        "The list grows in a staged loop; its elements are known only at run time.",
        "Use autograph.stack(z), z[i], len(z) or a for loop, in converted code.",
        StagedListError,
    )
