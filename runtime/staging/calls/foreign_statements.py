"""Statements that call methods of foreign objects: items, attributes, `with`, in-place operators.

jobs["a"] = 1           of a ChainMap: each run sets the item
with lock: ...          each run enters the context
"""

from typing import Any

import numpy as np

from autograph.staging.accessors import has_contents
from runtime.ops.host import itself
from runtime.staging.calls.contexts import is_of_users_generator, observed
from runtime.staging.calls.effect_table import table
from runtime.staging.calls.host_values import HostValue, asked
from runtime.staging.calls.natures import AT_ONCE, OWN, nature_of
from runtime.staging.calls.recorded_effects import RecordedEffects
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.tensor import Tensor


def is_foreign(value: Any, method: str) -> bool:
    """Whether a statement that calls a method of an object is an effect, which each run has: the
    object is neither the user's nor one whose contents are compared."""
    recorder = trace.current()
    if recorder is None or recorder.is_eager:
        return False
    is_read_later = method == "__getitem__" and recorder.state(RecordedEffects).happen
    if not (recorder.depends_on_run or is_read_later):
        return False
    kind = type(value)
    if isinstance(value, (Tensor, ArrayLike, np.ndarray, np.generic)) or has_contents(value):
        return isinstance(value, HostValue)
    if nature_of(kind).kind == OWN or not hasattr(kind, method):
        return False
    rule = table().method(kind, method)
    if rule is None or rule.name.startswith("*.") and hasattr(kind, "__setitem__"):
        return True  # values written into it must be found there
    return rule.kind not in AT_ONCE


def staged_context(manager: Any) -> Any:
    """The context manager in place of an object: one that each run enters, if that is an effect."""
    is_known = isinstance(manager, HostValue) or is_of_users_generator(manager)
    is_effect = not is_known and is_foreign(manager, "__enter__")
    return asked(itself, manager) if is_effect else observed(manager)
