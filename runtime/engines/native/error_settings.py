"""How machine code reads NumPy's settings of floating-point errors (`np.errstate`).

NumPy ignores underflow by default, and it is common: `np.exp(-1000.0)`.  So machine code asks
whether it is ignored before it leaves a piece because of it.  The settings are in memory that a
context variable names; their layout is checked once, and where it differs, pieces are left.
"""

import ctypes
import importlib
from functools import cache
from typing import Any, Protocol

import numpy as np

from runtime.engines.native import python_objects as objects

NAME = "numpy.ufunc.extobj"
UNDERFLOW = 7 << 6  # in the first word of the settings: how underflow is handled; 0: it is ignored

_FUNCTIONS = {
    "PyContextVar_Get": "declare i32 @PyContextVar_Get(ptr, ptr, ptr)",
    "PyCapsule_GetPointer": "declare ptr @PyCapsule_GetPointer(ptr, ptr)",
    "Py_DecRef": "declare void @Py_DecRef(ptr)",
    "PyErr_Clear": "declare void @PyErr_Clear()",
}

_DEFINITION = f"""\
@name_of_settings = private unnamed_addr constant [{len(NAME) + 1} x i8] c"{NAME}\\00"
define internal i1 @ignores_underflow() noinline {{
entry:
  %place = alloca ptr
  store ptr null, ptr %place
  %failed = call i32 @PyContextVar_Get(ptr $variable, ptr null, ptr %place)
  %capsule = load ptr, ptr %place
  %has_none = icmp eq ptr %capsule, null
  br i1 %has_none, label %unknown, label %found
found:
  %settings = call ptr @PyCapsule_GetPointer(ptr %capsule, ptr @name_of_settings)
  %is_other = icmp eq ptr %settings, null
  br i1 %is_other, label %other, label %known
known:
  %modes = load i32, ptr %settings
  call void @Py_DecRef(ptr %capsule)
  %mode = and i32 %modes, {UNDERFLOW}
  %ignored = icmp eq i32 %mode, 0
  ret i1 %ignored
other:
  call void @Py_DecRef(ptr %capsule)
  br label %unknown
unknown:
  call void @PyErr_Clear()
  ret i1 false
}}"""


class Symbols(Protocol):
    """The part of `text.Text` that declares."""

    def declare(self, name: str, declaration: str, address: int | None = None) -> str: ...

    def object(self, name: str, value: Any) -> str: ...


def underflow_test(text: Symbols) -> str | None:
    """The function in a text that says whether NumPy ignores underflow now; None if unknown."""
    if not _are_known():
        return None
    for name, declaration in _FUNCTIONS.items():
        text.declare(name, declaration, objects.python_function(name))
    variable = text.object("variable_of_settings", _variable())
    return text.declare("ignores_underflow", _DEFINITION.replace("$variable", variable))


def _variable() -> Any:
    return importlib.import_module("numpy._core.umath")._extobj_contextvar


@cache
def _are_known() -> bool:
    """Whether the settings are where they are expected, seen for each way to handle underflow."""
    try:
        variable = _variable()
    except (ImportError, AttributeError):
        return False
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    for others in ("ignore", "warn", "raise", "call", "print", "log"):
        for mode in ("ignore", "warn", "raise", "call", "print", "log"):
            with np.errstate(all=others, under=mode):
                try:
                    found = get(variable.get(), NAME.encode())
                except (ValueError, LookupError):
                    return False
                word = ctypes.c_int.from_address(found).value
            if (word & UNDERFLOW == 0) != (mode == "ignore"):
                return False
    return True
