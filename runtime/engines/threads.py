"""Runs independent parts of a graph in several threads.

    run = thread_team(4)
    run((part, x), (part_1, y))      [results of part(x), results of part_1(y)]; None if one failed

Operations without effects may be computed twice.  So if a part fails, or NumPy has to warn, the
caller computes the parts again, in order, in its own thread: exceptions and warnings are those of a
run without threads.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from typing import Any

import numpy as np


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """The threads beside the calling one."""
    return ThreadPoolExecutor(threads - 1, "graph")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a child process has no such threads


@cache
def thread_team(threads: int) -> Callable[..., list[Any] | None]:
    """The function that runs parts in that many threads, one of which is the calling thread."""

    def run_parts(*calls: tuple[Any, ...]) -> list[Any] | None:
        """The results of each call, `(function, *operands)`; None if one of them failed.

        The calling thread takes back what no other thread has begun, so it never waits for a busy
        pool.
        """
        settings = np.geterr()
        loud: Any = {kind: "raise" for kind, does in settings.items() if does != "ignore"}
        with np.errstate(**loud):
            pool = _pool(threads)
            begun = [pool.submit(copy_context().run, _attempt, call) for call in calls[1:]]
            results = [_attempt(calls[0])]
            for call, task in zip(calls[1:], begun, strict=True):
                results.append(_attempt(call) if task.cancel() else task.result())
        return None if any(result is None for result in results) else results

    return run_parts


def _attempt(call: tuple[Any, ...]) -> Any:
    """The results of a part, a tuple; None if it raises."""
    part, *operands = call
    try:
        return part(*operands)
    except Exception:
        return None
