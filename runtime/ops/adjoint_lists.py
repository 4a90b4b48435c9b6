"""Ops for gradients of lists.

The cotangent of a list is a list of the same length and type.  Here d is a cotangent, z a list:

    list_zeros(z)                 zeros like the elements of z
    list_full(z, x)               x in place of each element of z
    list_total(d, x)              the sum of the elements, as a value like x
    list_add_at(d, i, x)          d with x added to element i
    list_zero_at(d, i)            d with a zero in place of element i
    list_dropped(d)               d without its last element
    list_restored(d, i, x)        d with x inserted where `list_pop` removed an element
    list_like(d, z)               the elements of d, converted to the types of those of z
    list_made_back(d, z, ...)     the inverse of a list method that moves elements
    list_parted(d, z, ...)        an array split as `list_joined` joined it
    rows_added(x, d)              an array with the elements of d added to its rows

An engine may run ops with the trait `updates` in place.
"""

import numpy as np

from runtime.ir.derivative import Adjoint, NoDerivative
from runtime.ir.op import Op, find
from runtime.ir.slot import fill_slots
from runtime.ir.traits import Aliasing, NoTraits, Traits
from runtime.ops.adjoints import lists as rules
from runtime.ops.cotangents import sum_of
from runtime.ops.examples import ARRAYS, ITEMS, MATRIX, ROW, SCALAR, call
from runtime.ops.list_methods import BY_KEYS, MAKES, check_name, joining

ONCE = NoDerivative(
    "It is part of the gradient of a list method, which cannot be differentiated again.",
    "Use arrays, or build the list with append.",
)


def zero_of(value):
    """A zero like a value: a scalar, an array, or a list or tuple of them."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(zero_of, value))
    return np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)(0)


def like(value, other):
    """A value converted to the type of another, in new memory."""
    if isinstance(other, (list, tuple)):
        return type(other)(map(like, value, other))
    if isinstance(other, np.ndarray):
        return np.array(np.broadcast_to(value, other.shape), other.dtype)
    number = np.asarray(value)
    if number.dtype.kind == "c" and not isinstance(other, (complex, np.complexfloating)):
        number = number.real
    return type(other)(number[()])


def _changed(items, index, change):
    new = list(items)
    new[index] = change(new[index])
    return new


def _total(items, start):
    total = zero_of(start)
    for item in items:
        total = sum_of(total, item)
    return total


zero_like = Op(
    "zero_like",
    "Zeros of the same type and shape.",
    lambda x: x,
    lambda xp, operands, attributes: zero_of(operands[0]),
    traits=NoTraits("It reads the type and sizes of its operand, which may be a list as well."),
    derivative=Adjoint(lambda d, r, x: (None,)),
)
list_zeros = Op(
    "list_zeros",
    "Zeros like the elements of a list.",
    lambda items: items,
    lambda xp, operands, attributes: zero_of(operands[0]),
    traits=NoTraits("It reads the length of the list and the types and sizes in it alone."),
    derivative=Adjoint(lambda d, r, items: (None,)),
    examples=lambda: [call(ITEMS), call(ARRAYS)],
)
list_full = Op(
    "list_full",
    "One scalar for each element of a list, converted to the types of the elements.",
    lambda items, x: items,
    lambda xp, operands, attributes: [like(operands[1], item) for item in operands[0]],
    arity=2,
    traits=NoTraits("It repeats one scalar for each element of a list."),
    derivative=Adjoint(rules.full),
    examples=lambda: [call(ITEMS, SCALAR)],
)
list_total = Op(
    "list_total",
    "The sum of the elements of a list, converted to the type of another value.",
    lambda items, x: x,
    lambda xp, operands, attributes: like(_total(*operands), operands[1]),
    arity=2,
    traits=NoTraits("It sums lists of scalars, arrays or lists."),
    derivative=Adjoint(lambda d, r, items, x: (find("list_full")(items, d), None)),
    examples=lambda: [call(ITEMS, SCALAR), call(ARRAYS, ROW)],
)
list_add_at = Op(
    "list_add_at",
    "The list with a value added to one element.",
    lambda items, index, item: items,
    lambda xp, operands, attributes: _changed(
        operands[0], operands[1], lambda old: sum_of(old, operands[2])
    ),
    arity=3,
    traits=Traits(linear=(0, 2), aliases=Aliasing.CONTAINER, updates=0),
    derivative=Adjoint(lambda d, r, items, index, item: (d, None, find("list_get")(d, index))),
    examples=lambda: [call(ITEMS, 1, SCALAR), call(ARRAYS, -1, ROW)],
)
list_zero_at = Op(
    "list_zero_at",
    "The list with a zero in place of one element.",
    lambda items, index: items,
    lambda xp, operands, attributes: _changed(*operands, zero_of),
    arity=2,
    traits=Traits(linear=(0,), aliases=Aliasing.CONTAINER, updates=0),
    derivative=Adjoint(lambda d, r, items, index: (find("list_zero_at")(d, index), None)),
    examples=lambda: [call(ITEMS, 1), call(ARRAYS, 0)],
)
list_dropped = Op(
    "list_dropped",
    "The list without its last element.",
    lambda items: items,
    lambda xp, operands, attributes: operands[0][:-1],
    traits=Traits(linear=(0,), aliases=Aliasing.CONTAINER, updates=0),
    derivative=Adjoint(rules.dropped),
    examples=lambda: [call(ITEMS), call(ARRAYS)],
)


def restored_place(length: int, index: int) -> int:
    """Where a popped element is reinserted in a list that has this length without it."""
    return index if index >= 0 else length + 1 + index


def _restored(xp, operands, attributes):
    items, index, item = operands
    new = list(items)
    new.insert(restored_place(len(new), index), item)
    return new


list_restored = Op(
    "list_restored",
    "The list with an element inserted where `list_pop` removed one.",
    lambda items, index, item: items,
    _restored,
    arity=3,
    traits=Traits(linear=(0, 2), aliases=Aliasing.CONTAINER, updates=0),
    derivative=Adjoint(rules.restored),
    examples=lambda: [call(ITEMS, 1, SCALAR), call(ARRAYS, -1, ROW)],
)
list_like = Op(
    "list_like",
    "The elements of a list, converted to the types of those of another list of equal length.",
    lambda items, others: others,
    lambda xp, operands, attributes: like(*operands),
    arity=2,
    traits=NoTraits("It converts elements to types that another list has."),
    derivative=Adjoint(lambda d, r, items, others: (find("list_like")(d, items), None)),
    examples=lambda: [call(ITEMS, ITEMS), call(ARRAYS, ARRAYS)],
)

# -- moved elements --------------------------------------------------------------------------------


def _origins(items, operands, by, given):
    """For each element of the result, its index in the list and the added elements together."""
    own = list(range(len(items)))
    arguments = fill_slots(given, operands)
    match by:
        case "__add__":
            return [*own, *(len(items) + i for i in range(len(arguments[0])))]
        case "insert":
            return MAKES[by](own, arguments[0], len(items))
        case "remove":
            own.pop(items.index(arguments[0]))
            return own
    if by in BY_KEYS:
        keys, other = arguments
        return MAKES[by](own, items if keys is None else keys, other)
    return MAKES[by](own, *arguments)


def _made_back(xp, operands, attributes):
    d, items, *others = operands
    by, given = attributes["by"], attributes["given"]
    operands = [items, *others]
    found = [*zero_of(items)]
    if attributes["place"]:
        (added,) = others[:1]
        found += zero_of(added) if by == "__add__" else [zero_of(added)]
    for part, place in zip(d, _origins(items, operands, by, given), strict=True):
        if place < len(found):
            found[place] = sum_of(found[place], part)
    if not attributes["place"]:
        return found
    return found[len(items) :] if by == "__add__" else found[-1]


def _made_back_rule(d, items, *others, by, given, place):
    check_name(by, MAKES)
    return others[0] if place else items


list_made_back = Op(
    "list_made_back",
    "The inverse of `list_made`: moves elements back to the list (`place` 0) or to the elements\n"
    "added to it (`place` 1), with zeros for elements that were dropped.",
    _made_back_rule,
    _made_back,
    arity=None,
    traits=NoTraits("The method whose moves it undoes is an attribute."),
    derivative=ONCE,
    examples=lambda: [call(ITEMS[:2], ITEMS, by="__delitem__", given=(1,), place=0)],
)

# -- joined elements -------------------------------------------------------------------------------


def _parted(xp, operands, attributes):
    d, items = operands
    join, options = joining(xp, attributes["by"]), dict(attributes["given"])
    sizes = [np.size(item) for item in items]
    numbers = xp.split(xp.arange(sum(sizes)), np.cumsum(sizes)[:-1])
    shaped = [n.reshape(np.shape(item)) for n, item in zip(numbers, items, strict=True)]
    row = xp.empty(sum(sizes), d.dtype)
    row[join(shaped, **options)] = d
    return [like(row[n], item) for n, item in zip(shaped, items, strict=True)]


list_parted = Op(
    "list_parted",
    "An array split into a list like the one from which `list_joined` built it.",
    lambda d, items, by, given: items,
    _parted,
    arity=2,
    traits=Traits(linear=(0,)),
    derivative=Adjoint(
        lambda e, r, d, items, by, given: (find("list_joined")(e, by=by, given=given), None)
    ),
    examples=lambda: [
        call(
            np.stack([ROW, ROW], 1),
            [ROW[:, None], ROW[:, None]],
            by="concatenate",
            given=(("axis", 1),),
        )
    ],
)


def _rows_added(xp, operands, attributes):
    x, items = operands
    new = xp.array(x)
    for i, item in enumerate(items):
        new[i] += item
    return new


rows_added = Op(
    "rows_added",
    "The array with the elements of a list added to its rows.",
    lambda x, items: x,
    _rows_added,
    arity=2,
    traits=Traits(linear=(0, 1)),
    derivative=Adjoint(lambda d, r, x, items: (d, find("list_like")(find("list_of")(d), items))),
    examples=lambda: [call(MATRIX, ARRAYS)],
)
