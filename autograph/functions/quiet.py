"""Operations that cannot warn for the line of their caller, so an operator may simply perform them.

A method warns for its caller's line by a call, of `warnings.warn` or of a function that calls it.
One that calls nothing, or only builtins, does not; nor do the methods of builtin containers.
"""

import builtins
import dis
import operator
from collections.abc import Callable
from types import CodeType, FunctionType

from autograph.backend import builtin_types

_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE: types created by a class statement, which may be freed
_BUILTINS = vars(builtins)


def is_quiet(kind: type, operation: Callable) -> bool:
    """Whether an operation on objects of a type runs no code that may warn for its caller's line;
    NumPy scalars never do."""
    if kind.__module__ == "numpy" and kind.__name__ != "ndarray" and not kind.__flags__ & _HEAP:
        return True
    if operation is bool:
        return _is_harmless(_defined(kind, "__bool__") or _defined(kind, "__len__"))
    if operation is operator.contains:
        method = _defined(kind, "__contains__")
        return method is not None and _is_harmless(method)
    if operation is iter or operation is map:  # which takes the iterator
        return not isinstance(_defined(kind, "__iter__"), FunctionType)
    return False


def runs_python_for_truth(kind: type) -> bool:
    """Whether a function of Python tells the truth of objects of a type."""
    return isinstance(_defined(kind, "__bool__") or _defined(kind, "__len__"), FunctionType)


def _defined(kind, name):
    """A method that a class defines or inherits, found without running code of its metaclass."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def _is_harmless(method):
    if type(method) is FunctionType:
        return _calls_only_builtins(method.__code__, method.__globals__)
    return method is None or getattr(method, "__objclass__", None) in builtin_types


def _calls_only_builtins(code, names):
    """Whether code calls only builtin functions and types, by their names."""
    if any(isinstance(constant, CodeType) for constant in code.co_consts) or code.co_flags & 0x2A0:
        return False  # a generator or coroutine, or with functions inside
    for step in dis.get_instructions(code):
        match step.opname:
            case "LOAD_METHOD" | "PUSH_NULL" | "LOAD_SUPER_ATTR":
                return False
            case "LOAD_ATTR" if _METHODS_ARE_ATTRIBUTES and step.arg & 1:
                return False
            case "LOAD_GLOBAL" | "LOAD_NAME":
                if step.argval in names or step.argval not in _BUILTINS:
                    return False
    return True


_METHODS_ARE_ATTRIBUTES = "LOAD_METHOD" not in dis.opmap or dis.opmap["LOAD_METHOD"] > 255
