"""The graphs that a function caches: which of them stay when another one is added."""

import os
from collections.abc import Sequence
from threading import RLock

from runtime.function.concrete_function import ConcreteFunction
from runtime.function.variable_creation import objects_of
from runtime.tracing.signature import Signature

# Held while the list of a function's graphs, or its generated function, is replaced.
SWITCHING = RLock()  # reentrant: a signal's handler may call functions
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=SWITCHING._at_fork_reinit)  # type: ignore[attr-defined]


def graphs_to_keep(
    graphs: Sequence[ConcreteFunction], signature: Signature
) -> tuple[list[ConcreteFunction], bool]:
    """The graphs that stay beside one for a new signature: those whose objects exist, and that are
    valid for more than one call.

    The second result: whether the new one is for other objects than those of the others.
    """
    live = [c for c in graphs if not any(key.is_gone for key in objects_of(c.signature))]
    objects, all_live = objects_of(signature), len(live) == len(graphs)
    known = [one for one in live if not one.guard.is_fleeting]
    seen = any(objects <= objects_of(one.signature) for one in known)
    return known, bool(objects) and all_live and not seen
