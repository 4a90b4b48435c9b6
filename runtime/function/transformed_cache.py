"""Caches transformed functions on the function that they derive from.

    for x in xs:
        rt.grad(f)(x)              the same function, with its graphs, in each iteration

A function that is created again in each iteration, such as a lambda in a loop, has no such cache; a
warning says so.
"""

import warnings
import weakref
from collections.abc import Callable, Hashable
from types import FunctionType
from typing import Any

from autograph.staging.locate import users_frame
from runtime.tracing.retracing import PATIENCE, RetracingWarning

_NAME = "__transformed__"  # `autograph/staging/accessors.py` leaves it alone


class TransformedCache:
    """The functions derived from one function.

    Decorators copy the attributes of a function to another one; the cache is of no use there.
    """

    def __init__(self, owner: Any = None):
        self.owner = None if owner is None else weakref.ref(owner)
        self.derived: dict[Hashable, Any] = {}

    def __reduce__(self):
        return TransformedCache, ()


def cached(fn: Any, key: Hashable, make: Callable[[], Any]) -> Any:
    """The value that `make` returned for this function and key before, else its value now.

    Objects other than functions are not cached.
    """
    if not isinstance(fn, FunctionType) and not getattr(fn, "caches_transformed", False):
        return make()
    cache = vars(fn).get(_NAME)
    if cache is None or cache.owner is None or cache.owner() is not fn:
        cache = vars(fn)[_NAME] = TransformedCache(fn)
    if key not in cache.derived:
        cache.derived[key] = make()
    return cache.derived[key]


# By code and transformation: the code, weakly, and how many functions of it were transformed.
_transformed: dict[tuple, list] = {}


def note_first_graph(fn: Any, transform: Hashable) -> None:
    """Notes that the first graph of a transformed function is traced.

    Warns if that happens for each of several functions that one line of the user's code creates.
    """
    if not isinstance(fn, FunctionType) or transform is None:
        return
    code = fn.__code__
    key = id(code), transform
    known = _transformed.setdefault(
        key, [weakref.ref(code, lambda _: _transformed.pop(key, None)), 0]
    )
    known[1] += 1
    frame = users_frame()
    if known[1] != PATIENCE + 1 or frame is None:
        return
    text = (
        f"{fn.__name__} (line {code.co_firstlineno}) was created, transformed and traced in each "
        f"of the last {known[1]} calls.  Do that once, before the loop: g = rt.grad(f); pass "
        "arrays that change as arguments."
    )
    at = frame.f_code.co_filename, frame.f_lineno
    warnings.warn_explicit(text, RetracingWarning, *at, module=frame.f_globals["__name__"])
