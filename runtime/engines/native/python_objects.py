"""The layout of Python and NumPy objects, for machine code: addresses, and positions of fields.

A symbol stands for each address, so the text of a piece is the same in every process.  The layout
is checked once, on real objects: where it differs, the engine generates no code.
"""

import ctypes
import importlib
import sysconfig
from functools import cache
from typing import Any

import numpy as np

HEADER = 16  # reference count and type
TYPE = 8
FIRST_ITEM = HEADER + 8  # of a tuple, after its size
FUNCTION_CODE = HEADER + 32  # of a function of Python

ARRAY_DATA, ARRAY_NDIM = HEADER, HEADER + 8
ARRAY_SHAPE, ARRAY_STRIDES = HEADER + 16, HEADER + 24
ARRAY_BASE, ARRAY_DTYPE, ARRAY_FLAGS = HEADER + 32, HEADER + 40, HEADER + 48
CONTIGUOUS_AND_ALIGNED = 0x101

# Functions of NumPy by their positions in its table of C functions.
SCALAR_FROM_MEMORY = 60  # PyArray_Scalar(memory, dtype, base)
NEW_FROM_DTYPE = 94  # PyArray_NewFromDescr(class, dtype, ndim, shape, strides, data, flags, obj)


def address_of(value: Any) -> int:
    """The address of an object."""
    return id(value)


def memory_of(values: Any) -> int:
    """The address of memory that ctypes holds."""
    return ctypes.addressof(values)


@cache
def _array_functions() -> Any:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = get(importlib.import_module("numpy._core._multiarray_umath")._ARRAY_API, None)
    return ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))


def array_function(place: int) -> int:
    """The address of a C function of NumPy."""
    found: int = _array_functions()[place]
    return found


def python_function(name: str) -> int:
    """The address of a C function of Python."""
    return function_address(getattr(ctypes.pythonapi, name))


def function_address(function: Any) -> int:
    """The address of a C function that ctypes has found."""
    found = ctypes.cast(function, ctypes.c_void_p).value
    assert found is not None
    return found


def _at(address: int, kind: Any) -> Any:
    return kind.from_address(address).value


def _array_checks(array: Any) -> list[bool]:
    where = id(array)
    shape, strides = (_at(where + place, ctypes.c_size_t) for place in (ARRAY_SHAPE, ARRAY_STRIDES))
    strided = array[:, ::2]  # a variable keeps it alive while its memory is read
    return [
        _at(where + ARRAY_DATA, ctypes.c_size_t) == array.ctypes.data,
        _at(where + ARRAY_NDIM, ctypes.c_int) == array.ndim,
        (ctypes.c_ssize_t * 2).from_address(shape)[:] == list(array.shape),
        (ctypes.c_ssize_t * 2).from_address(strides)[:] == list(array.strides),
        _at(where + ARRAY_DTYPE, ctypes.c_size_t) == id(array.dtype),
        _at(where + ARRAY_FLAGS, ctypes.c_int) & 0x501 == 0x501,
        _at(id(strided) + ARRAY_FLAGS, ctypes.c_int) & 1 == 0,
        _at(id(strided) + ARRAY_BASE, ctypes.c_size_t) == id(array),
        _at(where + ARRAY_BASE, ctypes.c_size_t) == 0,
    ]


def _complex_checks(pythons: complex, double: Any, single: Any) -> list[bool]:
    return [
        (ctypes.c_double * 2).from_address(id(pythons) + HEADER)[:] == [1.0, 2.0],
        (ctypes.c_double * 2).from_address(id(double) + HEADER)[:] == [3.0, 4.0],
        (ctypes.c_float * 2).from_address(id(single) + HEADER)[:] == [5.0, 6.0],
    ]


@cache
def layout_is_known() -> bool:
    """Whether objects of this Python and NumPy have the layout that machine code relies on."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    pair, number, scalar, small = (None, 1.5), np.float64(2.5), np.int64(-3), np.uint8(7)
    checks = [
        _at(id(pair) + TYPE, ctypes.c_size_t) == id(tuple),
        _at(id(pair) + FIRST_ITEM + 8, ctypes.c_size_t) == id(pair[1]),
        _at(id(pair[1]) + HEADER, ctypes.c_double) == 1.5,
        _at(id(number) + HEADER, ctypes.c_double) == 2.5,
        _at(id(scalar) + HEADER, ctypes.c_int64) == -3,
        _at(id(small) + HEADER, ctypes.c_uint8) == 7,
        *_complex_checks(1 + 2j, np.complex128(3 + 4j), np.complex64(5 + 6j)),
        array_function(2) == id(np.ndarray),
        _at(id(address_of) + FUNCTION_CODE, ctypes.c_size_t) == id(address_of.__code__),
        *_array_checks(np.zeros((2, 3), np.float32)),
    ]
    return all(checks)


class _Method(ctypes.Structure):
    """How Python describes a function of C (`PyMethodDef`)."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


FASTCALL = 0x80  # (self, array of arguments, how many there are)


class Owner:
    """What a built-in function keeps alive: its code, its description, and objects it names."""

    def __init__(self, code: Any, name: str, objects: list[Any]) -> None:
        self.code, self.objects = code, objects
        self.method = _Method(name.encode(), code.address, FASTCALL, None)


def built_in(code: Any, name: str, objects: list[Any]) -> Any:
    """A Python function that runs machine code; it keeps the code alive, and some objects."""
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    owner = Owner(code, name, objects)
    return make(ctypes.addressof(owner.method), owner, None)
