"""Elements of lists in memory.

int, f64           as in arrays
bool               a byte
float | f64        the number, and 8 bytes of which the first says whether it is NumPy's
int | f64          the number in 8 bytes, a byte that says of which kind it is, and that byte
(int, f64)         its items one after the other, each in a multiple of 8 bytes
f64[3]             the elements of the array
list[int]          a reference to the object with the memory of the list
"""

import math
from collections.abc import Iterator, Sequence

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kinds import (
    TRUTH,
    components,
    is_item,
    is_mixed,
    is_record,
    is_row,
    kind_of,
    scalars_of,
)
from runtime.engines.native.mixed_scalars import loaded_mixed, store_mixed
from runtime.engines.native.records import kept_registers
from runtime.engines.native.text import Text
from runtime.engines.native.view_layout import View
from runtime.ir.graph import Operand
from runtime.ir.types import NothingType, TensorType, Type, UnionType

ALIGNED = 8  # bytes, of which each item of a tuple has a multiple


def itemsize(element: Type) -> int:
    """The bytes from one element to the next."""
    if is_item(element):
        assert isinstance(element, TensorType)
        sizes = [size for size in element.shape if isinstance(size, int)]
        return math.prod(sizes) * int(element.dtype.itemsize)
    if is_row(element):
        return 8
    if is_record(element) or isinstance(element, NothingType):
        return sum(map(_room, scalars_of(element)))
    return 16 if isinstance(element, UnionType) else kind_of(element).itemsize


def _room(scalar: Type) -> int:
    """The bytes of an item of a tuple."""
    return -(-itemsize(scalar) // ALIGNED) * ALIGNED


def place_of(text: Text, data: str, element: Type, index: str) -> str:
    """The address of an element."""
    offset = text.register(f"mul i64 {index}, {itemsize(element)}")
    return text.register(f"getelementptr i8, ptr {data}, i64 {offset}")


def item_view(element: TensorType, where: str) -> View:
    """An array in a list, at an address, without an object of its own."""
    sizes = [str(size) for size in element.shape]
    steps, step = [], element.dtype.itemsize
    for size in reversed(element.shape):
        steps.append(str(step))
        assert isinstance(size, int)
        step *= size
    return View(where, tuple(sizes), tuple(steps[::-1]), len(sizes))


def registers_of(emitter: Emitter, operand: Operand, element: Type) -> list[str]:
    """The registers of an operand as an element of a list, which keeps the types of its elements.

    Raises `NotLowered` for an operand of another type.
    """
    if is_item(element):
        view = emitter.views.get(operand)
        if view is not None and view.is_dense(element.dtype.itemsize):
            return ["null", view.address]
        return [register for _, register in emitter.registers(operand, element)]
    return kept_registers(emitter, operand, element)


def store(text: Text, element: Type, where: str, registers: Sequence[str]) -> None:
    """Stores the registers of an element; of an array, its elements."""
    if is_item(element):
        copied_bytes(text, where, registers[arrays.DATA], str(itemsize(element)))
        return
    rest = list(registers)
    for scalar, place in _places(text, element, where):
        count = len(components(scalar))
        _store_scalar(text, scalar, place, rest[:count])
        del rest[:count]


def loaded(text: Text, element: Type, where: str) -> tuple[str, ...]:
    """The registers of the element at an address, which is not an array."""
    return tuple(
        register
        for scalar, place in _places(text, element, where)
        for register in _loaded_scalar(text, scalar, place)
    )


def copied_bytes(text: Text, target: str, source: str, size: str) -> None:
    """Copies bytes from one address to another."""
    text.declare("llvm.memcpy.p0.p0.i64", arrays.MEMCPY)
    text.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 false)")


def moved_bytes(text: Text, target: str, source: str, size: str) -> None:
    """Moves bytes to an address near them."""
    name = "llvm.memmove.p0.p0.i64"
    text.declare(name, f"declare void @{name}(ptr, ptr, i64, i1)")
    text.line(f"call void @{name}(ptr {target}, ptr {source}, i64 {size}, i1 false)")


def _places(text: Text, element: Type, where: str) -> Iterator[tuple[Type, str]]:
    """The type and the address of each scalar in an element."""
    offset = 0
    for scalar in scalars_of(element):
        place = where
        if offset:
            place = text.register(f"getelementptr i8, ptr {where}, i64 {offset}")
        yield scalar, place
        offset += _room(scalar)


def _store_scalar(text: Text, scalar: Type, where: str, registers: list[str]) -> None:
    if is_mixed(scalar):
        store_mixed(text, scalar, where, registers)
        return
    kind, number = kind_of(scalar), registers[0]
    if kind == TRUTH:
        number = text.register(f"zext i1 {number} to i8")
    text.line(f"store {kind.memory} {number}, ptr {where}")
    for bit in registers[1:]:
        byte = text.register(f"zext i1 {bit} to i8")
        place = text.register(f"getelementptr i8, ptr {where}, i64 8")
        text.line(f"store i8 {byte}, ptr {place}")


def _loaded_scalar(text: Text, scalar: Type, where: str) -> tuple[str, ...]:
    if is_mixed(scalar):
        return loaded_mixed(text, scalar, where)
    kind = kind_of(scalar)
    number = text.register(f"load {kind.memory}, ptr {where}")
    if kind == TRUTH:
        number = text.register(f"icmp ne i8 {number}, 0")
    if not isinstance(scalar, UnionType):
        return (number,)
    place = text.register(f"getelementptr i8, ptr {where}, i64 8")
    return number, text.register(f"icmp ne i8 {text.register(f'load i8, ptr {place}')}, 0")
