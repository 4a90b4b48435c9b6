"""Staged values in objects that a run would get as they are.

raise ValueError(SimpleNamespace(a=x))      the exception would show `<Tensor x: f64>`
q.put(partial(f, x))                        the other end of the queue would get it
"""

import gc
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from autograph.functions.policy import is_users_class
from autograph.staging.dunder_methods import NewObjects
from autograph.staging.object_state import attributes
from runtime.ir.pytree import flatten
from runtime.staging.staged_values import KNOWN, is_staged_itself
from runtime.tracing import trace
from runtime.tracing.call_values import CallValues
from runtime.tracing.tensor import Tensor

# Objects through which everything can be reached.
WIDE = (type, ModuleType, FunctionType, CodeType, FrameType)
MOST_REACHED = 1000


def reaches_staged(value: Any, objects: bool = False) -> bool:
    """Whether an object of Python or of a library, such as a `partial` or an exception, has a
    staged value in it, among the first thousand objects that are reached from it.

    `objects`: also in objects of users' classes that the code being recorded has made or changed.
    """
    pending, seen = [value], {id(value)}
    for one in pending:
        if is_staged_itself(one):
            return True
        for held in gc.get_referents(one):
            if type(held) in KNOWN or isinstance(held, WIDE) or id(held) in seen:
                continue
            is_object = is_users_class(type(held)) and not isinstance(held, tuple)
            if is_object and not (objects and is_made_here(held)):
                continue
            if len(pending) < MOST_REACHED:
                seen.add(id(held))
                pending.append(held)
    return False


def holds_made(owner: Any) -> bool:
    """Whether an object of the user's holds staged values that the code being recorded has put
    there.  Others, which are arrays of its own, it holds again when the graph runs."""
    if isinstance(owner, type) or not is_users_class(type(owner)):
        return False
    captured = trace.current().state(CallValues).captured
    held = flatten(list(attributes(owner).values()))[0]
    return any(isinstance(one, Tensor) and one._value not in captured for one in held)


def is_made_here(owner: Any) -> bool:
    """Whether an object of the user's was made, or got staged values, while the graph is built."""
    return id(owner) in trace.current().state(NewObjects) or holds_made(owner)
