"""Lists that grow while a graph runs; all elements have the same type.

    z_1 = list_append(z, x)              z.append(x)
    z_1, x = list_pop(z, i)              x = z.pop(i)

An op that changes a list returns a new one; an engine may reuse the memory of the old list if it
is not used again.
"""

import numpy as np

from autograph.errors import LibraryResultError
from runtime.ir.derivative import Adjoint, NoDerivative
from runtime.ir.op import Op
from runtime.ir.traits import ALL_OPERANDS, Aliasing, Traits
from runtime.ir.types import (
    BOOL,
    FLOAT,
    INT,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    UnionType,
    is_array,
    type_of,
    unify,
)
from runtime.ir.unions import join
from runtime.ops.adjoints import lists as rules
from runtime.ops.conditions import shape_errors
from runtime.ops.creation import zero_of_type
from runtime.ops.examples import ARRAYS, ITEMS, ROW, SCALAR, call


def _without_forms(kind):
    """The type of which only tuples remain."""
    if isinstance(kind, ListType):
        return ListType(_without_forms(kind.element))
    if isinstance(kind, TupleType):
        return type(kind)(tuple(map(_without_forms, kind.places)))
    return kind


def _element_rule(items, element):
    element = _without_forms(element)
    distinct = {id(item): item for item in items}.values()  # most share one object
    for item in map(_without_forms, distinct):
        if join(item, element) != element and unify(item, element) != element:
            raise TypeError(f"a list of {element} cannot hold {item}")


def _new_rule(*items, element):
    _element_rule(items, element)
    return ListType(element)


list_new = Op(
    "list_new",
    "A list of the operands.",
    _new_rule,
    lambda xp, operands, attributes: list(operands),
    arity=None,
    traits=Traits(linear=ALL_OPERANDS, aliases=Aliasing.CONTAINER, takes_unions=True),
    derivative=Adjoint(rules.new),
    examples=lambda: [call(*ITEMS, element=type_of(SCALAR)), call(*ARRAYS, element=type_of(ROW))],
)


def _append_rule(items, item):
    _element_rule([item], items.element)
    return items


list_append = Op(
    "list_append",
    "The list with one element appended.",
    _append_rule,
    lambda xp, operands, attributes: [*operands[0], operands[1]],
    arity=2,
    traits=Traits(linear=(0, 1), aliases=Aliasing.CONTAINER, updates=0, takes_unions=True),
    derivative=Adjoint(rules.append),
    examples=lambda: [call(ITEMS, SCALAR), call(ARRAYS, ROW)],
    called="append",
)
list_length = Op(
    "list_length",
    "The length of the list.",
    lambda items: INT,
    "len(x)",
    traits=Traits(total=True, takes_unions=True),
    examples=lambda: [call(ITEMS), call(ARRAYS)],
)
list_get = Op(
    "list_get",
    "The element at an index; negative ones count from the end.",
    lambda items, index: items.element,
    "x[y]",
    arity=2,
    traits=Traits(
        linear=(0,),
        raises=(IndexError,),
        aliases=Aliasing.ITEM,
        ignores_integer_kind=True,
        takes_unions=True,
    ),
    derivative=Adjoint(rules.get),
    examples=lambda: [call(ITEMS, -1), call(ARRAYS, 0)],
    called="getitem",
)
list_set = Op(
    "list_set",
    "The list with the element at an index replaced.",
    lambda items, index, item: _append_rule(items, item),
    lambda xp, operands, attributes: _replaced(*operands),
    arity=3,
    traits=Traits(
        linear=(0, 2),
        raises=(IndexError,),
        aliases=Aliasing.CONTAINER,
        updates=0,
        takes_unions=True,
    ),
    derivative=Adjoint(rules.set),
    examples=lambda: [call(ITEMS, 1, SCALAR), call(ARRAYS, 0, ROW)],
    called="setitem",
)


def _replaced(items, index, item):
    new = list(items)
    new[index] = item
    return new


def _pop_rule(items, index):
    return items, items.element


list_pop = Op(
    "list_pop",
    "The list without the element at an index, and that element.",
    _pop_rule,
    lambda xp, operands, attributes: _popped(*operands),
    arity=2,
    traits=Traits(
        linear=(0,),
        raises=(IndexError,),
        aliases=Aliasing.ITEM,
        ignores_integer_kind=True,
        takes_unions=True,
    ),
    derivative=Adjoint(rules.pop),
    examples=lambda: [call(ITEMS, -1), call(ARRAYS, 0)],
    called="pop",
)


def _popped(items, index):
    new = items.copy()
    item = new.pop(index)
    return new, item


def _stack_rule(items):
    element = items.element
    return TensorType(element.dtype, (None, *element.shape))


# The types of numbers that one call converts to a dtype as it would convert each by itself.
_ALIKE = {np.dtype(np.float64): {float, np.float64}, np.dtype(np.int64): {int, np.int64}}


def _stack(xp, operands, attributes):
    (items,) = operands
    element = attributes["element"]
    if items and isinstance(items[0], list):
        return xp.array(items, dtype=element.dtype)
    if items and _ALIKE.get(element.dtype, {element.dtype.type}).issuperset(map(type, items)):
        return xp.asarray(items, dtype=element.dtype)
    if items:
        return xp.stack([xp.asarray(item, dtype=element.dtype) for item in items])
    return xp.empty((0, *(0 if size is None else size for size in element.shape)), element.dtype)


list_stack = Op(
    "list_stack",
    "The elements stacked to an array along a new first axis.",
    lambda items, element: _stack_rule(ListType(element)),
    _stack,
    traits=Traits(linear=(0,), raises=shape_errors),
    derivative=Adjoint(rules.stack),
    examples=lambda: [call(ITEMS, element=type_of(SCALAR)), call(ARRAYS, element=type_of(ROW))],
    called="autograph.stack",
)


def _stack_batch(xp, operands, attributes):
    try:
        return _stack(xp, operands, attributes)
    except ValueError:
        one, other, *_ = dict.fromkeys(map(np.shape, operands[0]))
        raise ValueError(
            f"an array has the shape {one} for one element of the batch and {other} for another\n"
            "The results of a batch are one array, so their shapes are equal.\n"
            "Pad the arrays to one shape, or call the function for each element in a loop."
        ) from None


batch_stack = Op(
    "batch_stack",
    "The values of the elements of a batch, stacked along a new first axis.",
    list_stack.infer,
    _stack_batch,
    traits=list_stack.traits,
    derivative=list_stack.derivative,
    examples=list_stack.examples,
    called="",
)


def _converted(xp, operands, attributes):
    (items,) = operands
    return [converted(xp, item, attributes["element"]) for item in items]


def converted(xp, item, type):
    """A value converted to a type that can represent it."""
    if isinstance(type, UnionType):
        return item
    if isinstance(type, ListType):
        return [converted(xp, part, type.element) for part in item]
    if isinstance(type, OptionalType):
        return None if item is None else converted(xp, item, type.present)
    if isinstance(type, TupleType):
        return tuple(converted(xp, part, t) for part, t in zip(item, type.places, strict=True))
    if isinstance(type, TensorType):
        return xp.asarray(item, dtype=type.dtype) if is_array(type) else type.dtype.type(item)
    return type.kind(item)


list_cast = Op(
    "list_cast",
    "The list with its elements converted to a type that can represent them all.",
    lambda items, element: ListType(element),
    _converted,
    traits=Traits(linear=(0,), aliases=Aliasing.CONTAINER, takes_unions=True),
    derivative=Adjoint(rules.cast),
    examples=lambda: [call(ITEMS, element=type_of(1j)), call(ARRAYS, element=type_of(ROW))],
)


# -- None ------------------------------------------------------------------------------------------

NO_DERIVATIVE = NoDerivative("A list that holds None in some places has no derivative.")

optional = Op(
    "optional",
    "None if x holds, else y, as an element of a list.",
    lambda is_none, value: OptionalType((value,)),
    lambda xp, operands, attributes: None if operands[0] else operands[1],
    arity=2,
    traits=Traits(aliases=Aliasing.CONTAINER, takes_unions=True),
    derivative=NO_DERIVATIVE,
    examples=lambda: [call(False, SCALAR)],
)
is_none = Op(
    "is_none",
    "Whether an element of a list is None.",
    lambda item: BOOL,
    "x is None",
    traits=Traits(total=True, takes_unions=True),
    derivative=NO_DERIVATIVE,
    examples=lambda: [call(None)],
)
present = Op(
    "present",
    "An element of a list that is not None; a value of its type if it is.",
    lambda item, type: type,
    lambda xp, operands, attributes: _present(*operands, attributes["type"]),
    traits=Traits(aliases=Aliasing.ITEM, takes_unions=True),
    derivative=NO_DERIVATIVE,
    examples=lambda: [call(None, type=FLOAT)],
)


def _present(item, kind):
    return zero_of_type(kind) if item is None else item


def _present_type(element):
    return element.present if isinstance(element, OptionalType) else element


def _all_present(xp, operands, attributes):
    (items,) = operands
    if any(item is None for item in items):
        raise LibraryResultError.about(
            "a list that holds None is made an array",
            None,
            "A graph has arrays of numbers, and NumPy makes an array of objects.",
            "Use a number in place of None, such as np.nan.",
        )
    return items


all_present = Op(
    "all_present",
    "The list, whose elements are not None; a run in which one is ends, and Python goes on.",
    lambda items: ListType(_present_type(items.element)),
    _all_present,
    traits=Traits(raises=(LibraryResultError,), aliases=Aliasing.CONTAINER, takes_unions=True),
    derivative=NO_DERIVATIVE,
    examples=lambda: [call(ITEMS)],
)


# -- tuples ----------------------------------------------------------------------------------------

pack = Op(
    "pack",
    "A tuple of the operands, as an element of a list.",
    lambda *items: TupleType(items),
    lambda xp, operands, attributes: tuple(operands),
    arity=None,
    traits=Traits(linear=ALL_OPERANDS, aliases=Aliasing.CONTAINER, takes_unions=True),
    derivative=Adjoint(rules.pack),
    examples=lambda: [call(SCALAR, ROW)],
)
unpack = Op(
    "unpack",
    "The elements of a tuple.",
    lambda items: items.places,
    lambda xp, operands, attributes: operands[0] if len(operands[0]) > 1 else operands[0][0],
    traits=Traits(linear=(0,), aliases=Aliasing.ITEM, takes_unions=True),
    derivative=Adjoint(rules.unpack),
    examples=lambda: [call((SCALAR, ROW)), call((ROW,))],
)
