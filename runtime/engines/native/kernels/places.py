"""The places that arrays of indices or a mask select in an array, one after the other.

    x[i, j]     place i[k] * n + j[k] of the elements, for each k
    x[p]        the places at which p is true

The arrays or the mask come first in the subscript; the axes that follow are rows.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.kernels.plan import array_type
from runtime.engines.native.kernels.writing import copy_view
from runtime.engines.native.kinds import (
    INTEGER,
    Kind,
    NotLowered,
    kind_of_dtype,
)
from runtime.engines.native.text import Text, literal
from runtime.engines.native.view_layout import times
from runtime.engines.native.views import parts_of
from runtime.ir.graph import Operand, Value
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType


class Arrays:
    """Operands as arrays with elements of their own: views are copied, until `drop`."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.copies: list[Value] = []

    def of(self, operand: Operand) -> tuple[Value, TensorType]:
        value, kind = arrays.array_type_of(operand)
        kind_of_dtype(kind.dtype)
        if operand not in self.emitter.views:
            return value, kind
        self.copies.append(Value(kind, "copy"))
        copy_view(self.emitter, value, self.copies[-1])
        return self.copies[-1], kind

    def drop(self) -> None:
        for value in self.copies:
            self.emitter.ownership.drop(value)


@dataclass
class Places:
    """The places that a subscript selects, counted in rows of the axes that it leaves.

    sizes     those of the result's first axes
    row       the number of elements of a row
    """

    text: Text
    sizes: list[str]
    row: str

    def each(self) -> AbstractContextManager[tuple[str, str]]:
        """A context whose body is written once, for each place: its number, and the place."""
        raise NotImplementedError


@dataclass
class _Indexed(Places):
    """Indices come from arrays of one shape, or are the same for all places."""

    emitter: Emitter
    axes: list[tuple[str, Kind | None, str]]  # address or index, kind of elements, size of the axis

    @contextmanager
    def each(self) -> Iterator[tuple[str, str]]:
        text = self.text
        loop = Counted(text, arrays.product(text, self.sizes))
        place = "0"
        for source, kind, size in self.axes:
            index = source
            if kind is not None:
                index = self._inside(element_at(text, source, kind, loop.index), kind, size)
            place = times(text, place, size)
            place = index if place == "0" else text.register(f"add i64 {place}, {index}")
        yield loop.index, place
        loop.close()

    def _inside(self, index: str, kind: Kind, size: str) -> str:
        """An index that counts from the front; the piece is left if it is out of bounds."""
        text, index = self.text, self.emitter.converted(index, kind, INTEGER)
        if kind.family == "i":
            below = text.register(f"icmp slt i64 {index}, 0")
            from_end = text.register(f"add i64 {index}, {size}")
            index = text.register(f"select i1 {below}, i64 {from_end}, i64 {index}")
        text.leave_if(text.register(f"icmp uge i64 {index}, {size}"), Exit.INDEX)
        return index


@dataclass
class _Masked(Places):
    """The true elements of an array; `sizes` is how many they are."""

    data: str
    kind: Kind
    count: str

    @contextmanager
    def each(self) -> Iterator[tuple[str, str]]:
        text = self.text
        seen = text.local("i64")
        text.line(f"store i64 0, ptr {seen}")
        loop = Counted(text, self.count)
        chosen, following = text.label("chosen"), text.label("following")
        is_true = _is_true(text, self.data, self.kind, loop.index)
        text.line(f"br i1 {is_true}, label %{chosen}, label %{following}")
        text.start(chosen)
        number = text.register(f"load i64, ptr {seen}")
        yield number, loop.index
        text.line(f"store i64 {text.register(f'add i64 {number}, 1')}, ptr {seen}")
        text.line(f"br label %{following}")
        text.start(following)
        loop.close()


def element_at(text: Text, data: str, kind: Kind, place: str) -> str:
    """An element of an array, as it is in memory."""
    where = text.register(f"getelementptr {kind.memory}, ptr {data}, i64 {place}")
    return text.register(f"load {kind.memory}, ptr {where}")


def _is_true(text: Text, data: str, kind: Kind, place: str) -> str:
    found = element_at(text, data, kind, place)
    if kind.is_float:
        return text.float_comparison("une", kind, found, literal(kind, 0))
    return text.register(f"icmp ne {kind.memory} {found}, 0")


def _count_true(text: Text, data: str, kind: Kind, count: str) -> str:
    """The number of true elements."""
    total = text.local("i64")
    text.count_work(count)
    text.line(f"store i64 0, ptr {total}")
    loop = Counted(text, count)
    one = text.register(f"zext i1 {_is_true(text, data, kind, loop.index)} to i64")
    so_far = text.register(f"load i64, ptr {total}")
    text.line(f"store i64 {text.register(f'add i64 {so_far}, {one}')}, ptr {total}")
    loop.close()
    return text.register(f"load i64, ptr {total}")


def masked(emitter: Emitter, mask: Value, kind: TensorType, row: str) -> _Masked:
    text, of_element = emitter.text, kind_of_dtype(kind.dtype)
    data = emitter.held[mask][arrays.DATA]
    count = arrays.product(text, arrays.sizes_of(emitter, mask, kind))
    return _Masked(text, [_count_true(text, data, of_element, count)], row, data, of_element, count)


def selected(
    found: Arrays, at: tuple[Any, ...], indices: Sequence[Operand], sizes: list[str]
) -> tuple[Places, list[str]]:
    """The places that a subscript selects in an array of some sizes, and the sizes of the rows.

    Raises `NotLowered` for subscripts in which arrays do not come first.
    """
    text = found.emitter.text
    first = operand_of(at[0], indices)
    type = array_type(first) if isinstance(first, Value) else None
    if type is not None and type.dtype.kind == "b":
        rest = sizes[type.ndim :]
        if any(part != slice(None) and part is not Ellipsis for part in at[1:]):
            raise NotLowered("a mask that is not alone in a subscript has no machine code")
        mask, kind = found.of(first)
        for own, size in zip(arrays.sizes_of(found.emitter, mask, kind), sizes, strict=False):
            if own != size:
                text.leave_if(text.register(f"icmp ne i64 {own}, {size}"), Exit.INDEX)
        return masked(found.emitter, mask, kind, arrays.product(text, rest)), rest
    parts = [operand_of(part, indices) for part in parts_of(at, len(sizes))]
    while parts and parts[-1] == slice(None):
        parts.pop()
    rest = sizes[len(parts) :]
    return _indexed(found, parts, sizes, arrays.product(text, rest)), rest


def operand_of(part: object, indices: Sequence[Operand]) -> Any:
    return indices[part.index] if isinstance(part, Slot) else part


def _indexed(found: Arrays, parts: list[Any], sizes: list[str], row: str) -> _Indexed:
    emitter = found.emitter
    axes: list[tuple[str, Kind | None, str]] = []
    shape: list[str] | None = None
    for part, size in zip(parts, sizes, strict=False):
        type = array_type(part) if isinstance(part, Value) else None
        if type is None:
            axes.append((arrays.index_inside(emitter, part, (), size), None, size))
            continue
        kind = kind_of_dtype(type.dtype)
        if not kind.is_integer or kind == Kind("u", 64):
            raise NotLowered("only arrays of integers and one mask are subscripts in machine code")
        value, type = found.of(part)
        own = arrays.sizes_of(emitter, value, type)
        check_same(emitter.text, shape or own, own)
        shape = shape or own
        axes.append((emitter.held[value][arrays.DATA], kind, size))
    if shape is None:
        raise NotLowered("the subscript has no machine code")
    return _Indexed(emitter.text, shape, row, emitter, axes)


def check_same(text: Text, sizes: Sequence[str], others: Sequence[str]) -> None:
    """Leaves the piece if sizes differ; constants that do have no machine code."""
    if len(sizes) != len(others):
        raise NotLowered("arrays that are broadcast in a subscript have no machine code")
    for size, other in zip(sizes, others, strict=True):
        if size == other:
            continue
        if size.isdigit() and other.isdigit():
            raise NotLowered("arrays that are broadcast in a subscript have no machine code")
        text.leave_if(text.register(f"icmp ne i64 {size}, {other}"), Exit.SHAPE)
