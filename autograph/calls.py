"""What is called where the user's code calls something.

    ag__.converted_call(f)(x, y)

    a function of the user's      its converted self, looked up in a table
    a method                      the same, bound to the same object
    the library's own, NumPy's, built-in functions, classes
                                  as they are; while a block is staged, what the backend puts there

Only a function that stays for good (one of a module's) is remembered as an object: its converted
self refers to the module, not to what the function was made from.  A closure gets its converted
code and its own cells at every call, so that nothing outlives it.
"""

import functools
import sys
import warnings
import weakref
from types import BuiltinFunctionType, FunctionType, MethodType

from autograph import backend
from autograph.converter import converted_function
from autograph.errors import NoSource
from autograph.frames import instead_of
from autograph.policy import is_users_function

_known: dict[int, FunctionType] = {}  # id of a function -> what is called in its place
_references: dict[int, weakref.ref] = {}  # id of a function that was looked at -> the function


for _builtin in (sys._getframe, getattr(sys, "_getframemodulename", None), warnings.warn):
    if _builtin is not None and (_replacement := instead_of(_builtin)) is not None:
        _known[id(_builtin)] = _replacement


def converted_call(f):
    """What is called in place of `f`."""
    if backend.staged_blocks:
        replaced = backend.active().call(f)
        if replaced is not f:
            return replaced
        if type(f) is type:
            return _constructor(f)
    kind = type(f)
    if kind is FunctionType:
        return _known.get(id(f)) or _function(f)
    if kind is MethodType:
        function = f.__func__
        if type(function) is FunctionType:
            converted = _known.get(id(function)) or _function(function)
            return f if converted is function else MethodType(converted, f.__self__)
        return f
    if kind is type:
        return f
    if kind is BuiltinFunctionType:
        return _known.get(id(f), f)
    return _other(f, kind)


def _constructor(kind):
    """What makes an instance of a class while a block is staged: its `__init__` is converted too.

    On plain values `__init__` runs as it is, which nobody can tell.
    """
    init = kind.__init__
    if type(init) is not FunctionType or kind.__new__ is not object.__new__:
        return kind
    converted = _known.get(id(init)) or _function(init)
    return kind if converted is init else functools.partial(_construct, kind, converted)


def _construct(kind, init, /, *args, **kwargs):
    made = object.__new__(kind)
    if init(made, *args, **kwargs) is not None:
        raise TypeError("__init__() should return None")
    return made


def call(f):
    """What is called in place of `f` where functions that are called are not converted."""
    return backend.active().call(f) if backend.staged_blocks else f


def _function(function):
    """The converted self of a function that `_known` does not hold."""
    if id(function) in _references:
        return function
    converted = _converted(function)
    if _is_permanent(function):
        key = id(function)
        forget = functools.partial(_forget, key, _known, _references)
        _references[key] = weakref.ref(function, forget)
        if converted is not function:  # else the table would keep it alive
            _known[key] = converted
    return converted


def _converted(function):
    if not is_users_function(function):
        return instead_of(function) or function
    try:
        return converted_function(function)
    except NoSource:
        return function


def _forget(key, known, references, _):
    known.pop(key, None)
    references.pop(key, None)


def _is_permanent(function):
    """Whether a function belongs to a module and to nothing that may go away before it."""
    module = sys.modules.get(function.__module__)
    return (
        function.__closure__ is None and getattr(module, "__dict__", None) is function.__globals__
    )


def _other(f, kind):
    """Callables that are neither functions, nor methods, nor built in."""
    if kind is functools.partial:
        inner = converted_call(f.func)
        return f if inner is f.func else functools.partial(inner, *f.args, **f.keywords)
    if isinstance(f, type):
        return f
    call = kind.__dict__.get("__call__")
    if type(call) is FunctionType:
        converted = _known.get(id(call)) or _function(call)
        return f if converted is call else MethodType(converted, f)
    return f
