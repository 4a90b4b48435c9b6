"""Programs stack numbers and rows by `np.array`, where NumPy's `stack` gives the same, but later."""

import itertools
import warnings

import numpy as np
import pytest

from runtime.ir.types import TensorType
from runtime.ops.conversion import cast
from runtime.ops.joining import stack
from runtime.ops.lists import list_stack

PARTS = [
    *(1.5, -0.0, np.nan, 2, 2**60 + 1, True, 1j),
    *(np.float64(2.5), np.float32(1.5), np.float16(1), np.int64(4), np.int32(3), np.uint8(3)),
    *(np.True_, np.complex64(2j), np.array(2.5), np.array(3)),
    *(np.arange(3.0), np.arange(3), np.arange(6.0)[::2], np.arange(3.0)[::-1]),
    *(np.zeros((2, 2)), np.arange(4.0).reshape(2, 2).T, np.zeros(0), np.float32([1, 2, 3])),
]


def outcome(function, parts):
    try:
        found = function(parts)
    except ValueError as error:
        return str(error)
    return found.dtype, found.shape, found.strides, found.tobytes()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_stacked_parts_have_the_type_bits_and_layout_of_numpys(number):
    for parts in itertools.product(PARTS, repeat=number):
        mine = outcome(lambda parts: stack.eval(np, parts, {}), parts)
        assert mine == outcome(np.stack, parts), parts


NUMBERS = [
    *(1.5, -0.0, np.nan, 1e300, 2, 2**53 + 1, 2**60 + 12345, -3, True, 1j, np.float64(0.1)),
    *(np.float32(0.1), np.float16(0.1), np.int64(2**53 + 1), np.uint64(2**63 + 1025), np.int8(-3)),
    *(np.uint8(200), np.True_, np.complex64(1 + 2j)),
]


def converted(function):
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = function()
    except (TypeError, OverflowError, ValueError) as error:
        return type(error), str(error)
    return found.dtype, found.shape, found.tobytes()


@pytest.mark.parametrize("dtype", list("?bhilBHILefdFD"))
def test_a_list_of_numbers_is_stacked_as_its_items_are_converted(dtype):
    dtype = np.dtype(dtype)
    for items in itertools.product(NUMBERS, repeat=2):
        element = {"element": TensorType(dtype, ())}
        mine = converted(lambda items=items, e=element: list_stack.eval(np, (list(items),), e))
        wanted = converted(lambda items=items: np.stack([np.asarray(i, dtype) for i in items]))
        assert mine == wanted, items


def test_pythons_floats_are_cast_as_arrays_are():
    for number in (1.5, -0.0, np.inf, 5e-324, 1e308):
        mine = cast.eval(np, (number,), {"dtype": np.dtype(np.float64)})
        assert type(mine) is np.float64 and mine.tobytes() == np.array(number).tobytes()
