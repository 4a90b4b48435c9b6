"""Arrays of unknown length that are unpacked into variables.

    a, b = x        v: int = size(x, axis=0)
                    p: b1 = not_equal(v, 2)
                    def then():
                        ...                     raises ValueError
                    cond(p, then=then, orelse=orelse)
                    a: f64 = index(x, at=(0,))
                    b: f64 = index(x, at=(1,))

The instruction that unpacks says how many variables there are.  The run compares; the texts of the
errors are Python's.
"""

import dis
import functools
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from autograph.functions.bytecode import opname_at
from runtime.ir.op import find
from runtime.staging.calls.formatting import joined
from runtime.staging.calls.run_errors import raise_error, when
from runtime.staging.control_flow.try_blocks import refuse_raise_in_try
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.axis_errors import not_iterable
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.strings import StagedString, call_method
from runtime.tracing.tensor import Tensor, apply

UNPACK = dis.opmap["UNPACK_SEQUENCE"]
UNPACKING = (UNPACK, dis.opmap["UNPACK_EX"])


def count_of_targets(frame: FrameType) -> int | None:
    """The number of variables into which a frame unpacks a value; None if it does not."""
    code, offset = frame.f_code.co_code, frame.f_lasti
    if offset < 0 or code[offset] != UNPACK or code[offset - 2] == dis.EXTENDED_ARG:
        return None
    return code[offset + 1]


@functools.cache
def assigned(count: int) -> Callable[[Any], tuple[Any, ...]]:
    """A function that assigns the elements of its argument to `count` variables."""
    names = "".join(f"part_{i}, " for i in range(count))
    namespace: dict[str, Any] = {}
    exec(f"def unpack(value):\n    ({names}) = value\n    return ({names})", namespace)
    return namespace["unpack"]


def _rows(array: Tensor) -> Iterator[Tensor]:
    """The elements of an array: of known number, or as many as variables that take them."""
    count = count_of_targets(sys._getframe(1))
    if isinstance(array, MaybeNone):
        array = array.__checked__(iter)
    kind = array.type
    if not kind.shape:
        frame = sys._getframe(1)
        raise not_iterable(kind, opname_at(frame.f_code, frame.f_lasti))
    if count is not None and kind.shape and not isinstance(kind.shape[0], int):
        _check_length(apply(find("size"), array, axis=0), count)
        return (array[i] for i in range(count))
    return _known_rows(array)


_known_rows = Tensor.__iter__
Tensor.__iter__ = _rows  # type: ignore[method-assign]
MaybeNone.__iter__ = _rows  # type: ignore[method-assign]


def _parts_of_list(items: TraceList) -> Iterator:
    """An iterator of a list: of a staged one for as many variables as take its elements."""
    count = count_of_targets(sys._getframe(1)) if is_staged_list(items) else None
    if count is None:
        return _plain_iterator(items)
    _check_length(items.length(), count)
    return (items[i] for i in range(count))


_plain_iterator = TraceList.__iter__
TraceList.__iter__ = _parts_of_list  # type: ignore[method-assign]


def _parts_of_tuple(value: StagedTuple) -> Iterator:
    """The elements of a staged tuple, for as many variables as take them."""
    count = count_of_targets(sys._getframe(1))
    if count is None:
        return _plain_iterator(value.items)
    _check_length(value.length(), count)
    return (value.items[i] for i in range(count))


StagedTuple.__iter__ = _parts_of_tuple  # type: ignore[method-assign]


def _parts_of_text(text: StagedString) -> Iterator:
    """The characters of a string, for as many variables as take them."""
    count = count_of_targets(sys._getframe(1))
    if count is None:
        return text._refused()
    _check_length(call_method(text, "__len__", ()), count)
    return (text[i] for i in range(count))


StagedString.__iter__ = _parts_of_text  # type: ignore[method-assign]


def _parts_of_optional(value: MaybeNoneObject) -> Iterator:
    """An iterator of an object that may be None: for as many variables as take its elements."""
    frame = sys._getframe(1)
    is_unpacked = frame.f_code.co_code[frame.f_lasti] in UNPACKING
    count, present = count_of_targets(frame), value.__checked__(_unpacked if is_unpacked else iter)
    return iter(present if count is None else assigned(count)(present))


def _unpacked(none):
    (_,) = none


MaybeNoneObject.__iter__ = _parts_of_optional  # type: ignore[method-assign]


def check_at_least(length: Tensor, count: int) -> None:
    """Records a check that there are as many elements as variables beside one with a star."""
    refuse_raise_in_try(ValueError)
    few = (f"not enough values to unpack (expected at least {count}, got ", length, ")")
    when(apply(find("less"), length, count), lambda: raise_error(ValueError, joined(few)))


def _check_length(length: Tensor, count: int) -> None:
    """Records a check that there are as many elements as variables."""
    refuse_raise_in_try(ValueError)
    few = (f"not enough values to unpack (expected {count}, got ", length, ")")
    many = f"too many values to unpack (expected {count})"

    def wrong():
        when(apply(find("less"), length, count), lambda: raise_error(ValueError, joined(few)))
        raise_error(ValueError, many)

    when(apply(find("not_equal"), length, count), wrong)
