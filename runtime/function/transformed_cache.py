"""Functions that were made of a function are kept with it.

    for x in xs:
        rt.grad(f)(x)              the same function, and its graphs, in every turn

Of a function that is made anew each time, a lambda in a loop, they cannot be; that is told.
"""

import warnings
import weakref
from collections.abc import Callable, Hashable
from types import FunctionType
from typing import Any

from autograph.staging.locate import users_frame
from runtime.tracing.retracing import PATIENCE, RetracingWarning

_NAME = "__transformed__"


class Kept:
    """What was made of a function; copies of its attributes are of no use to another one."""

    def __init__(self, owner: Any = None):
        self.owner = None if owner is None else weakref.ref(owner)
        self.made: dict[Hashable, Any] = {}

    def __reduce__(self):
        return Kept, ()


def kept(fn: Any, key: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` gave for a function and a key before, or gives now; always that for what is no
    function, nor one that is a graph."""
    if not isinstance(fn, FunctionType) and not getattr(fn, "keeps_transformed", False):
        return make()
    held = vars(fn).get(_NAME)
    if held is None or held.owner is None or held.owner() is not fn:
        held = vars(fn)[_NAME] = Kept(fn)
    if key not in held.made:
        held.made[key] = make()
    return held.made[key]


# By code and transformation: the code, weakly, and how many functions of it were transformed.
_anew: dict[tuple, list] = {}


def note_anew(fn: Any, transform: Hashable) -> None:
    """Notes that the first graph of a transformed function is recorded; warns where there is one
    for each function that the same line of the user's makes."""
    if not isinstance(fn, FunctionType) or transform is None:
        return
    code = fn.__code__
    key = id(code), transform
    known = _anew.setdefault(key, [weakref.ref(code, lambda _: _anew.pop(key, None)), 0])
    known[1] += 1
    frame = users_frame()
    if known[1] != PATIENCE + 1 or frame is None:
        return
    text = (
        f"{fn.__name__} (line {code.co_firstlineno}) is made and transformed anew at each of the "
        f"last {known[1]} calls, and a graph is recorded for each.  Make both once, in front of "
        "the loop: g = rt.grad(f); arrays that change are arguments."
    )
    at = frame.f_code.co_filename, frame.f_lineno
    warnings.warn_explicit(text, RetracingWarning, *at, module=frame.f_globals["__name__"])
