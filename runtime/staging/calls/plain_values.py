"""Calls of pure functions whose arguments are all immutable Python values: they happen at once.

    math.gcd(a, 12), text.strip(), WORD.match(text, 3), isinstance(n, int), len(items)

The length of a builtin container, and the class of one or of a user's object, are known as well.
Nothing about such a call can depend on the run, so no other module has to look at it.  All other
calls of these functions, with a staged value or a list, are decided as usual.
"""

import builtins
import cmath
import math
import operator
import re
from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any

from autograph.functions.policy import is_users_class
from runtime.staging.calls import gate
from runtime.staging.calls.natures import has_marks
from runtime.staging.lists.trace_list import TraceList

gate.FILES.add(__file__)

IMMUTABLE = frozenset({int, float, complex, bool, str, bytes, type(None), re.Pattern, re.Match})

# Containers whose length and class do not depend on the run.
SIZED = frozenset({list, tuple, dict, set, frozenset, range})

# Results that need no look either: fresh containers, of immutable values only.
RESULTS = IMMUTABLE | {list, tuple, type(NotImplemented), type}

_CLASSES = frozenset({int, float, complex, bool, str, bytes, type})
_BUILTINS = (
    "abs ascii bin callable chr divmod format hash hex isinstance issubclass len max min oct ord "
    "pow repr round"
)
_FUNCTIONS = frozenset(
    {
        *(getattr(builtins, name) for name in _BUILTINS.split()),
        *(f for module in (math, cmath) for f in vars(module).values() if callable(f)),
        *(f for f in vars(operator).values() if type(f) is BuiltinFunctionType),
    }
) - {operator.length_hint}


def at_once(function: Any, otherwise: Callable[[], Callable]) -> Callable | None:
    """A function that calls a pure builtin directly if all arguments are immutable, and the
    callable that `otherwise` returns if not; None for other callables."""
    kind = type(function)
    if kind is BuiltinFunctionType:
        if type(function.__self__) not in IMMUTABLE and function not in _FUNCTIONS:
            return None
    elif kind is not type or function not in _CLASSES:
        return None
    if has_marks():
        return None

    def call(*args, **kwargs):
        if function is len and len(args) == 1 and type(args[0]) is TraceList and not kwargs:
            return args[0].length()
        if not kwargs and _are_plain(function, args):
            made = function(*args)
            if type(made) in RESULTS:
                return made
        return otherwise()(*args, **kwargs)

    # Python's errors about the arguments name the function by these.
    call.__qualname__, call.__module__ = function.__qualname__, function.__module__
    return call


def _are_plain(function: Any, args: tuple) -> bool:
    if function is isinstance and len(args) == 2 and _are_ordinary(args[1]):
        kind = type(args[0])
        return kind in IMMUTABLE or kind in SIZED or type(kind) is type and is_users_class(kind)
    if function is len and len(args) == 1 and type(args[0]) in SIZED:
        return True
    return all(type(one) in IMMUTABLE for one in args)


def _are_ordinary(classes: Any) -> bool:
    """Whether `isinstance` asks a class, or a tuple of classes, without a method of its own."""
    return type(classes) is type or (
        type(classes) is tuple and all(type(one) is type for one in classes)
    )
