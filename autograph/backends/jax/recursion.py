"""Calls of functions that call themselves: traced call by call, to a bound.

XLA has no calls that depend on a run.  A call inside of a branch that a run decides is traced with
the branch; where the calls come too deep, the program raises if a run gets there.
"""

import functools
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from types import CodeType
from typing import Any

from autograph.backends.jax.blocks import TooDeep
from autograph.backends.jax.checks import is_conditional
from autograph.errors import StagingError
from autograph.staging.errors import staging_error

DEEPEST = 12  # calls inside of each other that a run decides
MOST_CALLS = 100  # that are traced in all

_entered: ContextVar[tuple] = ContextVar("functions that are being traced", default=())
_traced: Counter[CodeType] = Counter()


def entered(function: Any, converted: Callable) -> Callable:
    """The conversion of a function, with its calls of itself counted."""
    code = getattr(function, "__code__", None) or getattr(converted, "__code__", None)

    @functools.wraps(converted)
    def called(*args: Any, **kwargs: Any) -> Any:
        around = _entered.get()
        depth = sum(1 for one, is_decided in around if one is code and is_decided)
        if depth >= DEEPEST:
            name = function.__name__
            raise TooDeep(f"{name} calls itself more than {depth} times, the most that are traced")
        if depth > 1:
            _count(function, code)
        token = _entered.set((*around, (code, is_conditional())))
        try:
            return converted(*args, **kwargs)
        finally:
            _entered.reset(token)
            if not around:
                _traced.clear()

    return called


def _count(function, code):
    _traced[code] += 1
    if _traced[code] > MOST_CALLS:
        raise staging_error(
            f"{function.__name__} calls itself again and again in branches that a run decides",
            f"XLA has no calls that depend on a run: there would be more than {MOST_CALLS} of them "
            "in the program.",
            "Bound the depth by a Python int, or write a loop.",
            StagingError,
        )
