"""The graphs that a function caches: which of them stay when another one is added, and how a new
one first runs."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

import numpy as np

from runtime import config
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


def relaxed(signature: Signature, graphs: Sequence[ConcreteFunction]) -> Signature:
    """A more general signature if there is a graph for a similar call."""
    found = (one.signature.relaxed(signature) for one in graphs)
    return next((one for one in found if one is not None), signature)


def enters_at_once(concrete: ConcreteFunction, bound: Sequence[Any]) -> bool:
    """Whether the first run of a graph had better be a whole call as machine code, which later ones
    are: where the code of the run would have to be compiled for this run only.

    The guard is tested again: recording may have changed the objects that it reads.  Machine code
    leaves calls with views that are not contiguous.
    """
    is_usual = config.local_settings() is None and config.PROCESS.plain_engine is not None
    if not is_usual or concrete.has_side_effects or concrete.has_changes:
        return False
    executable = concrete.compiled.plain_of(concrete.compiled.engine(config.plain_engine()))
    if not executable.enters_at_once:
        return False
    inputs = concrete.guard.match(*bound)
    return inputs is not None and all(map(_is_contiguous, inputs))


@contextmanager
def used_once(
    concrete: ConcreteFunction,
    use: Callable[[ConcreteFunction], None],
    install: Callable[[Any], None],
) -> Iterator[None]:
    """Uses a graph for one call.  The next one runs in Python, which notes that it is used."""
    use(concrete)
    try:
        yield
    finally:
        with SWITCHING:
            concrete.put_aside(config.plain_engine())
            install(None)


def _is_contiguous(given: Any) -> bool:
    return not isinstance(given, np.ndarray) or given.flags.c_contiguous
