"""Prints and log records of staged values, in code that builds a graph by hand.

    with rt.Graph().as_default():
        total = rt.placeholder(np.float64) + 1
        print("total", total)                   prints in each run of the graph
        logging.info("total is %s", total)      makes a log record in each run

Such code is not converted, so `print` is replaced in `builtins` while such a graph is the default,
and `logging.Logger.handle` in its class.  Both behave as before for other threads, and for values
that are not staged.
"""

import builtins
import copy
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from runtime.ir.pytree import flatten, transform
from runtime.staging.backend import BACKEND
from runtime.staging.calls.builtins import staged_print
from runtime.staging.calls.host_calls import host_call
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.tensor import Tensor

_print, _handle = builtins.print, logging.Logger.handle
_lock, _users = RLock(), [0]


@contextmanager
def deferred_output() -> Iterator[None]:
    """While it is open, prints and log records of staged values are part of the graph."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(change):
    with _lock:
        _users[0] += change
        is_open, is_print = _users[0] > 0, builtins.print in (_print, printed)
        if is_print:  # else other code has replaced it too
            builtins.print = printed if is_open else _print
        logging.Logger.handle = handled if is_open else _handle  # type: ignore[method-assign]


def _is_recorded(value: Any) -> bool:
    recorder = trace.current()
    if recorder is None or not recorder.takes_feeds:
        return False
    return any(isinstance(leaf, (Tensor, ArrayLike)) for leaf in flatten(value)[0])


def printed(*values: Any, **options: Any) -> None:
    """`print`, in the run of the graph if a value is staged."""
    function = staged_print if _is_recorded(values) else _print
    function(*values, **options)


BACKEND.register_call(printed, staged_print)


def handled(logger: logging.Logger, record: logging.LogRecord) -> None:
    """`Logger.handle`, in the run of the graph if a value is staged."""
    contents = [record.msg, record.args]
    if not _is_recorded(contents):
        _handle(logger, record)
        return
    host_call(_Record(logger, record), *flatten(contents)[0])


class _Record:
    """Makes a log record in a run, from the values that are staged while the graph is built."""

    def __init__(self, logger: logging.Logger, record: logging.LogRecord):
        self.logger, self.record = logger, copy.copy(record)
        self.__name__ = self.__qualname__ = f"logging.{record.levelname.lower()}"

    def __call__(self, *values: Any) -> None:
        given = iter(values)
        contents = transform(lambda leaf: next(given), [self.record.msg, self.record.args])
        now = logging.makeLogRecord({})
        record = copy.copy(self.record)
        record.msg, record.args = contents
        record.created, record.msecs = now.created, now.msecs
        record.relativeCreated, record.thread = now.relativeCreated, now.thread
        record.threadName = now.threadName
        _handle(self.logger, record)
