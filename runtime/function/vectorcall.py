"""A class whose objects have a place for the address of a C function that calls them.

    object     Python's fields of the class | address        0: Python calls `__call__`

The C function has the form that Python names "vectorcall": (object, arguments, how many, names of
keywords).  Python calls it without making a tuple of the arguments.  The class is made by Python's
own `PyType_FromSpecWithBases`; where it does not work as expected, objects have no such place.
"""

import ctypes
import sys
from typing import Any, TypeVar

MEMBERS = 72  # the slot for the table of members, in Python's `typeslots.h`
SIZE, READ_ONLY = 19, 1  # a member's type and flags
HAS_VECTORCALL, IS_BASE = 1 << 11, 1 << 10  # flags of a class

OFFSET = "__vectorcalloffset__"

Class = TypeVar("Class", bound=type)


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("value", ctypes.c_void_p))


class _Member(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Spec(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("size", ctypes.c_int),
        ("item", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_Slot)),
    )


_kept: list[Any] = []  # what classes refer to


def with_vectorcall(base: Class) -> Class:
    """A subclass of a class, of the same name, whose objects have a place for an address.

    The class itself where that is impossible.
    """
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return base
    try:
        made, place = _derived(base)
    except (AttributeError, TypeError, ValueError, SystemError, RuntimeError):
        return base
    if made.__basicsize__ != place + 8 or not made.__flags__ & HAS_VECTORCALL:
        return base
    made.__module__, made.__qualname__ = base.__module__, base.__qualname__
    made.__doc__ = base.__doc__
    made._place = place
    return made


def _derived(base: Any) -> tuple[Any, int]:
    """The subclass, and where its objects keep the address."""
    place = base.__basicsize__
    members = (_Member * 2)(_Member(OFFSET.encode(), SIZE, place, READ_ONLY, None), _Member())
    slots = (_Slot * 2)(_Slot(MEMBERS, ctypes.addressof(members)), _Slot(0, None))
    name = f"{base.__module__}.{base.__qualname__}".encode()
    spec = _Spec(name, place + 8, 0, HAS_VECTORCALL | IS_BASE, slots)
    _kept.append((members, slots, spec, name))
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object)(
        ("PyType_FromSpecWithBases", ctypes.pythonapi)
    )
    return make(ctypes.addressof(spec), (base,)), place


def has_place(value: Any) -> bool:
    """Whether an object has a place for an address."""
    return getattr(type(value), "_place", None) is not None


def set_address(value: Any, address: int) -> None:
    """Sets the C function that calls an object; 0 for none."""
    place = getattr(type(value), "_place", None)
    if place is not None:
        ctypes.c_size_t.from_address(id(value) + place).value = address
