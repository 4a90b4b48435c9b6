"""Methods and functions of Python lists other than append and pop.

    z.insert(0, x)         z_1 = list_made(z, x, by="insert", given=(0, _1))
    z + w                  v = list_made(z, w, by="__add__", given=(_1,))
    sorted(z, key=f)       v = list_made(z, keys, by="sorted", given=(_1, False))
    np.vstack(z)           v = list_joined(z, by="vstack", given=())
    z.index(x)             v = list_asked(z, x, by="index", given=(_1,))
    max(z)                 v = list_asked(z, by="max", given=())

When the graph runs, the list is a Python list and Python evaluates the method; methods that change
the list run on a copy.
"""

import heapq
import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ir.derivative import Adjoint
from runtime.ir.op import Op
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import Aliasing, Traits
from runtime.ir.types import (
    BOOL,
    INT,
    BoxType,
    ListType,
    PythonType,
    TensorType,
    TupleType,
    Type,
    type_of,
)
from runtime.ir.unions import options_of, union_of
from runtime.ops.adjoints import lists as rules
from runtime.ops.examples import ARRAYS, ITEMS, MATRIX, ROW, SCALAR, call
from runtime.ops.lists import converted


def _changed(method):
    def change(items, *given):
        new = items.copy()
        getattr(new, method)(*given)
        return new

    return change


def in_order(items, keys, reverse):
    """The items sorted by their keys, or by their own values if there are no keys."""
    if keys is None:
        return sorted(items, reverse=reverse)
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
    return [items[i] for i in order]


def chosen(choose):
    """A function that returns the greatest or least items, by keys as `in_order`."""

    def choose_items(items, keys, count):
        keys = items if keys is None else keys
        places = choose(count, range(len(items)), key=keys.__getitem__)
        return [items[i] for i in places]

    return choose_items


def first_place(choose):
    """A function that returns the index of the greatest or least key."""
    return lambda keys: choose(range(len(keys)), key=keys.__getitem__)


MAKES = {
    "__add__": lambda items, others: [*items, *others],
    "__delitem__": _changed("__delitem__"),
    "__getitem__": lambda items, at: items[at],
    "__mul__": lambda items, times: items * times,
    "insert": _changed("insert"),
    "nlargest": chosen(heapq.nlargest),
    "nsmallest": chosen(heapq.nsmallest),
    "remove": _changed("remove"),
    "reverse": _changed("reverse"),
    "sorted": in_order,
}
BY_KEYS = ("nlargest", "nsmallest", "sorted")  # of which the first argument is a list of keys
ASKS = {
    "__contains__": lambda items, item: item in items,
    "__eq__": operator.eq,
    "__ge__": operator.ge,
    "__gt__": operator.gt,
    "__le__": operator.le,
    "__lt__": operator.lt,
    "all": all,
    "any": any,
    "count": lambda items, item: items.count(item),
    "index": lambda items, *given: items.index(*given),
    "max": max,
    "max_place": first_place(max),
    "min": min,
    "min_place": first_place(min),
}
ORDERINGS = ("__ge__", "__gt__", "__le__", "__lt__")
TYPES = {
    **dict.fromkeys(("__contains__", "__eq__", "all", "any"), BOOL),
    **dict.fromkeys(("count", "index", "max_place", "min_place"), INT),
}


def _made_rule(items, *operands, by, given):
    check_name(by, MAKES)
    return items


def check_name(by, known):
    """Raises `ValueError` for a method or function that no graph of a program names."""
    if by not in known:
        raise ValueError(f"{by!r} is not a method or function of lists that graphs call")


def _asked_rule(items, *operands, by, given):
    check_name(by, ASKS)
    if by in ORDERINGS:
        return type_of_order(items.element, operands[0].element)
    return TYPES.get(by, items.element)


def type_of_order(element: Type, other: Type) -> Type:
    """The type of `items < others`: that of the elements that differ, or a bool of the lengths."""
    kinds = [kind for part in (element, other) for kind in options_of(part)]
    if any(isinstance(kind, (ListType, TupleType)) for kind in kinds):
        raise TypeError("a graph does not compare lists of lists or tuples by their order")
    is_numpys = any(isinstance(kind, TensorType) for kind in kinds)
    return union_of(BOOL, TensorType(np.dtype(bool))) if is_numpys else BOOL


def _asked(xp, operands, attributes):
    by, given = attributes["by"], fill_slots(attributes["given"], operands)
    return ASKS[by](operands[0], *given)


def type_of_sum(element: Type, start: Type) -> Type | None:
    """The type of a sum of scalars, which includes the empty sum: the start value itself."""
    found = {start}
    while True:
        sums = {
            type_of(_example(one) + _example(other))
            for total in found
            for one in options_of(total)
            for other in options_of(element)
        }
        if None in sums:
            return None
        if sums <= found:
            return union_of(*found)
        found |= sums


def _example(type):
    return type.dtype.type(1) if isinstance(type, TensorType) else type.kind(1)


def _errors_of_made(types, attributes):
    """Python repeats a list as often as an integer says."""
    errors = ValueError, IndexError
    times = attributes["given"][0] if attributes["by"] == "__mul__" else None
    if not isinstance(times, Slot):
        return errors
    are_integers = all(
        isinstance(one, TensorType) and one.dtype.kind in "iu" or one in (INT, BOOL)
        for one in options_of(types[times.index])
    )
    return errors if are_integers else (*errors, TypeError)


list_made = Op(
    "list_made",
    "The list that a method or operator of Python lists produces; `given` are its arguments.",
    _made_rule,
    lambda xp, operands, attributes: MAKES[attributes["by"]](
        operands[0], *fill_slots(attributes["given"], operands)
    ),
    arity=None,
    traits=Traits(raises=_errors_of_made, aliases=Aliasing.CONTAINER, takes_unions=True),
    derivative=Adjoint(rules.made),
    examples=lambda: [
        call(ITEMS, by="__mul__", given=(2,)),
        call(ITEMS, by="__delitem__", given=(1,)),
        call(ITEMS, [3.0, 1.0, 2.0], by="sorted", given=(Slot(1), True)),
        call(ITEMS, by="nsmallest", given=(None, 2)),
        call(ARRAYS, ARRAYS, by="__add__", given=(Slot(1),)),
    ],
)
list_asked = Op(
    "list_asked",
    "The value that a method of Python lists, or a function of a list, returns.",
    _asked_rule,
    _asked,
    arity=None,
    traits=Traits(raises=(ValueError, IndexError), aliases=Aliasing.ITEM, takes_unions=True),
    derivative=Adjoint(rules.asked),
    examples=lambda: [
        call(ITEMS, by="max", given=()),
        call(ITEMS, ITEMS[1], by="index", given=(Slot(1),)),
    ],
)
list_sum = Op(
    "list_sum",
    "The sum of a start value and the elements, added from the left like `sum`.",
    lambda items, start, type: type,
    lambda xp, operands, attributes: converted(xp, sum(*operands), attributes["type"]),
    arity=2,
    traits=Traits(linear=(0, 1), aliases=Aliasing.ANY, takes_unions=True),
    derivative=Adjoint(rules.sum),
    examples=lambda: [
        call(ITEMS, SCALAR, type=type_of(SCALAR)),
        call(ARRAYS, ROW, type=type_of(ROW)),
    ],
)
list_of = Op(
    "list_of",
    "A list of the subarrays along the first axis of an array.",
    lambda x: ListType(TensorType(x.dtype, x.shape[1:])),
    "list(x)",
    traits=Traits(linear=(0,), aliases=Aliasing.CONTAINER),
    derivative=Adjoint(rules.of),
    examples=lambda: [call(MATRIX), call(ROW)],
)

# -- NumPy functions that join arrays --------------------------------------------------------------

JOINS = ("stack", "concatenate", "vstack", "hstack", "dstack", "column_stack")
LENGTHS = (2, 3)  # of the example lists
SIZES = (4, 5)  # tried for dimensions of unknown size


def joining(xp: Any, by: str) -> Callable[..., Any]:
    """The function of NumPy that joins arrays.  Raises `ValueError` for other names."""
    if by not in JOINS:
        raise ValueError(f"{by!r} is not one of {', '.join(JOINS)}")
    return getattr(xp, by)


def _joined(xp, operands, attributes):
    return joining(xp, attributes["by"])(operands[0], **dict(attributes["given"]))


def _joined_rule(items, by, given):
    """The type of the joined array: sizes that differ between examples are unknown."""
    element, join = items.element, joining(np, by)
    if not isinstance(element, (TensorType, BoxType, PythonType)):
        raise TypeError(f"np.{by} takes a list of arrays, not of {element}")
    shapes = []
    for length, size in itertools.product(LENGTHS, SIZES):
        shape = tuple(size if known is None else known for known in element.shape)
        example = np.zeros(shape, element.dtype)
        shapes.append(join([example] * length, **dict(given)).shape)
    sizes = (found[0] if len(set(found)) == 1 else None for found in zip(*shapes, strict=True))
    return TensorType(element.dtype, tuple(sizes))


list_joined = Op(
    "list_joined",
    "The elements joined to an array by a NumPy function; `given` are its options.",
    _joined_rule,
    _joined,
    traits=Traits(linear=(0,)),
    derivative=Adjoint(rules.joined),
    examples=lambda: [
        call(ARRAYS, by="stack", given=()),
        call(ARRAYS, by="concatenate", given=(("axis", 0),)),
    ],
)
