"""Resolves calls: finds the callable to use where the user's code calls something.

    ag__.converted_call(f)(x, y)
    ag__.starred_call(f)(x, *ag__.spread(z))        the number of arguments may be staged

    a user function               its conversion, from a table
    a method                      the same, bound to the same object
    other functions, classes      themselves; while something is staged, the backend's replacement

The result is cached for functions at the top level of a module, which live as long as the program:
one for each name, so that a redefinition replaces the cached function.  Other functions are
resolved at every call and not kept alive: a closure gets its converted code and its own cells.
"""

import functools
import sys
import warnings
from collections.abc import Callable
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, FunctionType, MethodType

from autograph import backend
from autograph.errors import ConversionError, ConversionWarning, NoSource
from autograph.functions.code_tables import CodeSet
from autograph.functions.frames import instead_of, is_operator
from autograph.functions.policy import USERS_OWN, Policy
from autograph.functions.rebuild import MADE, made_code

_LOOKS_AT_FRAMES = (sys._getframe, getattr(sys, "_getframemodulename", None), warnings.warn)
_replaced = {id(f): instead_of(f) or f for f in _LOOKS_AT_FRAMES if f is not None}


class Callees:
    """Resolves the calls of converted code under one policy."""

    def __init__(self, policy: Policy):
        self.policy = policy
        self.permanent: dict[FunctionType, Callable] = {}
        self._defined: dict[tuple[str, str], FunctionType] = {}  # by module and qualified name
        self._as_they_were: dict[FunctionType, tuple] = {}
        self._limit = 100  # when it is exceeded, functions of removed modules are dropped
        self.converted_call = self._operator()

    def _operator(self):
        permanent, function, other = self.permanent.get, self.function, self.other

        def converted_call(f):
            """The callable to use in place of `f`."""
            if backend.staged_blocks:
                return self.while_staging(f)
            if type(f) is FunctionType:
                return permanent(f) or function(f)
            kind = type(f)
            if kind is MethodType:
                if backend.ambient and backend.active() is not backend.PYTHON:
                    return self.while_staging(f)
                written = f.__func__
                if type(written) is FunctionType:
                    converted = permanent(written) or function(written)
                    return f if converted is written else MethodType(converted, f.__self__)
                return f
            if backend.ambient:
                return self.in_ambient(f, kind)
            if kind is type:
                return f
            if kind is BuiltinFunctionType:
                return _replaced.get(id(f), f)
            return other(f, kind)

        return converted_call

    def starred_call(self, f: object) -> object:
        """The callable to use in place of `f` where an argument has a star."""
        found = self.converted_call(f)
        if not (backend.staged_blocks or backend.ambient):
            return found
        return backend.active().starred(f, found)

    def in_ambient(self, f: object, kind: type) -> object:
        """The callable to use in place of a builtin, class or other object if a backend may be
        tracing.

        The active backend is determined only if it matters: for callables that some backend
        replaces, for the construction of objects, and for objects with a method `__call__`.
        """
        matters = _runs_users_code(f, kind) or backend.is_replaced(f)
        if matters and backend.active() is not backend.PYTHON:
            return self.while_staging(f)
        if kind is type:
            return f
        if kind is BuiltinFunctionType:
            return _replaced.get(id(f), f)
        return self.other(f, kind)

    def while_staging(self, f: object) -> object:
        """The callable to use in place of `f` while a block is staged."""
        active = backend.active()
        if active is not backend.PYTHON:
            if self.policy.packages and self.policy.names(f):
                converted = self._converted_while_staging(active, f)
                replaced = active.call(f, converted)
                return converted if replaced is f else replaced
            replaced = active.call(f)
            if replaced is not f:
                return replaced
        return self._converted_while_staging(active, f)

    def _converted_while_staging(self, active, f):
        kind = type(f)
        if kind is FunctionType:
            return self._entered(active, f)
        if kind is MethodType and type(f.__func__) is FunctionType:
            entered = self._entered(active, f.__func__)
            return f if entered is f.__func__ else MethodType(entered, f.__self__)
        if kind is type:
            return self.constructor(f)
        if kind is BuiltinFunctionType:
            return _replaced.get(id(f), f)
        return self.other(f, kind)

    def _entered(self, active, function):
        """The callable that a backend uses for a function that is converted, else the function."""
        converted = self.permanent.get(function) or self.function(function)
        is_generator = function.__code__.co_flags & CO_GENERATOR
        if is_generator or getattr(converted, "__code__", None) in MADE:
            return active.entered(function, converted)
        return converted

    # -- functions ---------------------------------------------------------------------------------

    def function(self, function: FunctionType) -> Callable:
        """The callable to use in place of a function that is not cached."""
        if made_code(function) is not None:
            return function
        converted = self._converted(function)
        if _is_permanent(function):
            self._remember(function, converted)
        return converted

    def _converted(self, function):
        if not self.policy.converts(function):
            return instead_of(function) or function
        if function.__code__ in _unreadable:
            return function
        try:
            return _converter(function, policy=self.policy)
        except NoSource:
            return function
        except ConversionError as error:
            _unreadable.add(function.__code__)
            _warn_of_call(function, error)
            return function

    def forget_what_changed(self) -> None:
        """Drops cached functions whose code or defaults were replaced, as reloading tools do."""
        for function, known in list(self._as_they_were.items()):
            if known != _parts(function):
                self.permanent.pop(function, None)
                self._as_they_were.pop(function, None)

    def _remember(self, function, converted):
        name = function.__module__, function.__qualname__
        replaced = self._defined.get(name)
        self.permanent.pop(replaced, None)
        self._as_they_were.pop(replaced, None)
        self._defined[name] = function
        self.permanent[function] = converted
        self._as_they_were[function] = _parts(function)
        if len(self.permanent) > self._limit:
            for known in list(self.permanent):
                if not _is_permanent(known):
                    del self.permanent[known], self._as_they_were[known]
            self._limit = max(100, 2 * len(self.permanent))

    # -- other callables ---------------------------------------------------------------------------

    def constructor(self, kind: type) -> Callable:
        """The callable that creates instances while a block is staged: with `__init__` converted.

        On plain values the unconverted `__init__` does the same.
        """
        init = kind.__init__
        if type(init) is not FunctionType or kind.__new__ is not object.__new__:
            return kind
        converted = self.permanent.get(init) or self.function(init)
        return kind if converted is init else functools.partial(_construct, kind, converted)

    def other(self, f: object, kind: type) -> object:
        """The callable to use in place of one that is not a function, method or builtin."""
        if kind is functools.partial:
            inner = self.converted_call(f.func)
            return f if inner is f.func else functools.partial(inner, *f.args, **f.keywords)
        if isinstance(f, type):
            return f
        call = kind.__dict__.get("__call__")
        if type(call) is FunctionType:
            converted = self.permanent.get(call) or self.function(call)
            return f if converted is call else MethodType(converted, f)
        return f


def _runs_users_code(f, kind):
    """Whether the call of a builtin, class or other object runs a method written in Python."""
    if kind is BuiltinFunctionType:
        return False
    method = f.__init__ if isinstance(f, type) else kind.__dict__.get("__call__")
    return type(method) is FunctionType


_unreadable = CodeSet()  # code of functions that are called unconverted, after a warning


def _warn_of_call(function, error):
    """Warns at the user's line that a function which cannot be converted is called as it is."""
    frame = sys._getframe(1)
    while is_operator(frame):
        frame = frame.f_back
    text = f"{error}\n{function.__name__} is called unconverted: nothing in it can be staged."
    place = frame.f_code.co_filename, frame.f_lineno
    warnings.warn_explicit(text, ConversionWarning, *place, registry=None)


def _is_permanent(function):
    """Whether a function is defined at the top level of a module, or in a class there."""
    module = sys.modules.get(function.__module__)
    return (
        function.__closure__ is None
        and "<" not in function.__qualname__
        and getattr(module, "__dict__", None) is function.__globals__
    )


def _parts(function):
    """The parts of a function that its conversion was made from, by identity."""
    kwdefaults = function.__kwdefaults__
    return id(function.__code__), id(function.__defaults__), kwdefaults and id(kwdefaults)


def _construct(kind, init, /, *args, **kwargs):
    made = object.__new__(kind)
    if init(made, *args, **kwargs) is not None:
        raise TypeError("__init__() should return None")
    return made


def call(f):
    """The callable to use in place of `f` in code converted with `recursive=False`."""
    if backend.staged_blocks or backend.ambient and backend.is_replaced(f):
        return backend.active().call(f)
    return f


_converter: Callable | None = None


def register_converter(convert: Callable) -> None:
    """Makes `convert(function, policy=...)` convert the functions that converted code calls.

    Raises `ValueError` if there is another converter.
    """
    global _converter
    if _converter is not None and _converter is not convert:
        raise ValueError(f"{_converter!r} already converts functions")
    _converter = convert


_callees_of = {USERS_OWN: Callees(USERS_OWN)}  # by policy
converted_call = _callees_of[USERS_OWN].converted_call
starred_call = _callees_of[USERS_OWN].starred_call


def forget_what_changed() -> None:
    """Drops cached functions that were changed, under every policy."""
    for callees in list(_callees_of.values()):
        callees.forget_what_changed()


def callees_under(policy: Policy) -> Callees:
    """The resolver of calls under a policy."""
    if policy not in _callees_of:
        _callees_of[policy] = Callees(policy)
    return _callees_of[policy]
