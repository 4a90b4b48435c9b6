"""Elements that arrays of indices or masks select: read, written and added to, one by one.

    y = x[i, j]                     for each k: y[k] = x[i[k], j[k]], an index out of bounds leaves
    y = x[x > 0]                    the true elements are counted, then copied
    np.add.at(x, i, d)              in the order of the indices, as NumPy adds

The arrays or the mask come first in the subscript; the axes that follow are copied as rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.kernels.places import (
    Arrays,
    Places,
    check_same,
    element_at,
    masked,
    operand_of,
    selected,
)
from runtime.engines.native.kernels.plan import array_type
from runtime.engines.native.kinds import (
    DOUBLE,
    INTEGER,
    TRUTH,
    Kind,
    NotLowered,
    is_python,
    kind_of,
    kind_of_dtype,
)
from runtime.engines.native.lowering import lowers
from runtime.engines.native.text import Text
from runtime.engines.native.view_layout import times
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType

# op names: how many operands precede those of the subscript
BEFORE_INDICES = {"getitem": 1, "setitem": 2, "added_at": 2}


def is_selection(node: Node) -> bool:
    """Whether arrays of indices or a mask select the elements that a node reads or writes."""
    skipped = BEFORE_INDICES.get(node.op.name)
    if skipped is None or array_type(node.inputs[0]) is None or not node.attributes["at"]:
        return False
    return any(array_type(index) is not None for index in node.inputs[skipped:])


def write_selection(emitter: Emitter, node: Node) -> None:
    """The lowering of a subscript with arrays."""
    if node.op.name == "getitem":
        _read(emitter, node, node.attributes["at"], node.inputs[1:])
    else:
        at, indices = node.attributes["at"], node.inputs[2:]
        _write(emitter, node, node.inputs[1], at, indices, node.op.name == "added_at")


# -- reading ---------------------------------------------------------------------------------------


def _read(emitter: Emitter, node: Node, at: tuple[Any, ...], indices: Sequence[Operand]) -> None:
    """Copies the selected rows into a new array."""
    found = Arrays(emitter)
    value, kind = found.of(node.inputs[0])
    places, rest = selected(found, at, indices, arrays.sizes_of(emitter, value, kind))
    _gather(emitter, node, value, kind, places, rest)
    found.drop()


def _gather(
    emitter: Emitter,
    node: Node,
    value: Value,
    kind: TensorType,
    places: Places,
    rest: list[str],
) -> None:
    text, element = emitter.text, kind_of_dtype(kind.dtype)
    data = _defined(emitter, node.output, [*places.sizes, *rest])
    text.count_work(arrays.product(text, [*places.sizes, *rest]))
    with places.each() as (number, place):
        source = _row(text, element, emitter.held[value][arrays.DATA], place, places.row)
        target = _row(text, element, data, number, places.row)
        _copy_row(text, element, target, source, places.row)


def _defined(emitter: Emitter, output: Value, sizes: list[str]) -> str:
    """Makes a value a new array; returns the address of its first element."""
    type = array_type(output)
    if type is None or type.ndim != len(sizes):
        raise NotLowered(f"type {output.type} is not that of the selected elements")
    made = arrays.allocated(emitter, type, sizes)
    unknown = [s for s, known in zip(sizes, type.shape, strict=True) if not isinstance(known, int)]
    emitter.held[output] = (*made, *unknown)
    emitter.ownership.define(output, made[arrays.OBJECT])
    return made[arrays.DATA]


def _row(text: Text, kind: Kind, data: str, number: str, row: str) -> str:
    """The address of a row."""
    place = times(text, number, row)
    return text.register(f"getelementptr {kind.memory}, ptr {data}, i64 {place}")


def _copy_row(text: Text, kind: Kind, target: str, source: str, row: str) -> None:
    if row == "1":
        element = text.register(f"load {kind.memory}, ptr {source}")
        text.line(f"store {kind.memory} {element}, ptr {target}")
        return
    name = "llvm.memcpy.p0.p0.i64"
    text.declare(name, arrays.MEMCPY)
    size = times(text, row, str(kind.itemsize))
    text.line(f"call void @{name}(ptr {target}, ptr {source}, i64 {size}, i1 false)")


@lowers("take")
def take(emitter: Emitter, node: Node) -> None:
    """As a subscript: of the first axis, or of all elements in order."""
    if len(node.inputs) != 2 or {*node.attributes} - {"axis"}:
        raise NotLowered("taking elements with these options has no machine code")
    _, kind = arrays.array_type_of(node.inputs[0])
    axis, index = node.attributes.get("axis"), node.inputs[1]
    if array_type(index) is None or axis is not None and axis % kind.ndim:
        raise NotLowered("only elements of the first axis are taken by machine code")
    if axis is not None or kind.ndim == 1:
        _read(emitter, node, (Slot(0),), (index,))
        return
    found = Arrays(emitter)
    value, kind = found.of(node.inputs[0])
    count = arrays.product(emitter.text, arrays.sizes_of(emitter, value, kind))
    places, rest = selected(found, (Slot(0),), (index,), [count])
    _gather(emitter, node, value, kind, places, rest)
    found.drop()


@lowers("nonzero", "flatnonzero")
def nonzero(emitter: Emitter, node: Node) -> None:
    """The indices of the true elements of a vector."""
    _, kind = arrays.array_type_of(_only(node))
    if len(node.outputs) != 1 or node.op.name == "nonzero" and kind.ndim != 1:
        raise NotLowered("the indices of several axes have no machine code")
    found = Arrays(emitter)
    value, kind = found.of(node.inputs[0])
    places = masked(emitter, value, kind, "1")
    data = _defined(emitter, node.output, places.sizes)
    with places.each() as (number, place):
        where = _row(emitter.text, INTEGER, data, number, "1")
        emitter.text.line(f"store i64 {place}, ptr {where}")
    found.drop()


@lowers("count_nonzero")
def count_nonzero(emitter: Emitter, node: Node) -> None:
    found = Arrays(emitter)
    value, kind = found.of(_only(node))
    if kind_of(node.output.type) != INTEGER:
        raise NotLowered("the number of true elements along an axis has no machine code")
    emitter.result(node, masked(emitter, value, kind, "1").sizes[0])
    found.drop()


def _only(node: Node) -> Operand:
    """The only argument of a function."""
    if node.attributes.get("given") != (Slot(0),) or node.attributes.get("named"):
        raise NotLowered("the function with these options has no machine code")
    return node.inputs[0]


# -- writing ---------------------------------------------------------------------------------------


@lowers("add_at")
def add_at(emitter: Emitter, node: Node) -> None:
    """`np.add.at`: the array with the sums."""
    given = node.attributes.get("given", ())
    operands = [operand_of(part, node.inputs) for part in given]
    if len(given) != 3 or node.attributes.get("named") or given[0] != Slot(0):
        raise NotLowered("the function with these options has no machine code")
    if not isinstance(operands[2], Value | int | float):
        raise NotLowered("numbers of this type are added by NumPy")
    type = array_type(operands[1]) if isinstance(operands[1], Value) else None
    if type is None or type.dtype.kind == "b":
        raise NotLowered("only arrays of indices are subscripts of sums in machine code")
    _write(emitter, node, operands[2], (Slot(0),), operands[1:2], True)


@dataclass(frozen=True)
class _Given:
    """A number, or the address of a row, that is stored in a row or added to it."""

    number: str
    row: str
    is_sum: bool


def _write(
    emitter: Emitter,
    node: Node,
    source: Operand,
    at: tuple[Any, ...],
    indices: Sequence[Operand],
    is_sum: bool,
) -> None:
    """Stores elements at the selected places, or adds them, in the order of the places."""
    text, found = emitter.text, Arrays(emitter)
    value, kind = arrays.array_operand(emitter, node.inputs[0])
    element, own = kind_of_dtype(kind.dtype), array_type(source)
    if own is None:
        register, data = _number(emitter, source, kind, is_sum), ""
    elif own.dtype == kind.dtype and not (is_sum and element == TRUTH):
        source, own = found.of(source)
        register, data = "", emitter.held[source][arrays.DATA]
        given = arrays.sizes_of(emitter, source, own)
    else:
        raise NotLowered("elements of another type are written by NumPy")
    places, rest = selected(found, at, indices, arrays.sizes_of(emitter, value, kind))
    if own is not None:
        check_same(text, [*places.sizes, *rest], given)
    arrays.unshare(emitter, node, value, kind)
    changed = emitter.held[node.output][arrays.DATA]
    text.count_work(arrays.product(text, [*places.sizes, *rest]))
    with places.each() as (order, place):
        target = _row(text, element, changed, place, places.row)
        source_row = _row(text, element, data, order, places.row) if data else ""
        if data and not is_sum:
            _copy_row(text, element, target, source_row, places.row)
        else:
            _change_row(text, element, target, places, _Given(register, source_row, is_sum))
    found.drop()


def _number(emitter: Emitter, source: Operand, kind: TensorType, is_sum: bool) -> str:
    """A scalar as an element of an array: assigned, or added in the dtype of the array."""
    element, type = kind_of_dtype(kind.dtype), operand_type(source)
    if not is_sum:
        return arrays.stored(emitter, source, element)
    is_same = isinstance(type, TensorType) and type.dtype == kind.dtype
    # `np.add.at` takes a number of Python as one of 64 bits.
    is_pythons = is_python(type) and element in (INTEGER, DOUBLE)
    if element == TRUTH or not (is_same or is_pythons and kind_of(type).bits <= 64):
        raise NotLowered("a number of another type is added by NumPy")
    if kind_of(type).is_float and not element.is_float:
        raise NotLowered("a float is added to integers by NumPy")
    return emitter.scalar(source, element)


def _change_row(text: Text, kind: Kind, target: str, places: Places, given: _Given) -> None:
    """Stores a number in each element of a row, or adds a number or the elements of another row."""
    if places.row == "1":
        _change_element(text, kind, target, "0", given)
        return
    loop = Counted(text, places.row)
    _change_element(text, kind, target, loop.index, given)
    loop.close()


def _change_element(text: Text, kind: Kind, target: str, index: str, given: _Given) -> None:
    where = _row(text, kind, target, index, "1")
    new = given.number
    if given.row:
        new = element_at(text, given.row, kind, index)
    if given.is_sum:
        old = text.register(f"load {kind.memory}, ptr {where}")
        if kind.is_float:
            new = text.float("fadd", kind, old, new)
        else:
            new = text.register(f"add {kind.register} {old}, {new}")
    text.line(f"store {kind.memory} {new}, ptr {where}")
