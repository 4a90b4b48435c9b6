"""Exceptions that a run raises: `assert`, `raise`, an index out of range, an unbound variable.

    check(x > 0, ValueError, ("x must be positive",))

A check is a callback of the run.  `jax.vmap` runs both sides of a branch, and lanes of a loop that
are done run along: so a check holds wherever the run has not come to it.  The branches and loops
that are being traced keep their predicates for that (`under`).
"""

import functools
import operator
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FunctionType, TracebackType
from typing import Any

import jax
import jax.extend.core
import jax.numpy as jnp

from autograph.backends.jax.texts import Text
from autograph.errors import SourceLocation
from autograph.functions.frames import shim
from autograph.staging.blocks import raised_at
from autograph.staging.errors import users_location
from autograph.staging.try_blocks import refuse_in_try

_negations: dict[int, tuple[weakref.ref, Any]] = {}  # by the identity of the negation
_path: ContextVar[tuple] = ContextVar("predicates of the branches around", default=())


@contextmanager
def under(predicate: Any, is_so: bool = True) -> Iterator[None]:
    """While it is open, a run comes to the traced code only if the predicate is so."""
    token = _path.set((*_path.get(), _without_not(predicate, is_so)))
    try:
        yield
    finally:
        _path.reset(token)


class Place:
    """The trace that is open, and the path in it: a check recorded here holds for what follows."""

    def __init__(self) -> None:
        self.trace, self.path = jax.extend.core.get_opaque_trace_state(), _path.get()

    def is_open(self) -> bool:
        """Whether the code that is traced now follows in the same trace, on the same path."""
        path = _path.get()
        return (
            len(path) == len(self.path)
            and all(a[0] is b[0] and a[1] is b[1] for a, b in zip(path, self.path, strict=True))
            and jax.extend.core.get_opaque_trace_state() == self.trace
        )


def is_conditional() -> bool:
    """Whether a run may not come to the code that is traced now."""
    return bool(_path.get())


def reached() -> Any:
    """Whether a run has come to the code that is traced now."""
    wanted = [one if is_so else ~one for one, is_so in _path.get()]
    return functools.reduce(operator.and_, wanted, jnp.asarray(True))


def is_false_here(predicate: Any) -> bool:
    """Whether the branches around say that a predicate is false: `x is None` in their test."""
    predicate, is_true = _without_not(predicate, True)
    return any(one is predicate and is_so is not is_true for one, is_so in _path.get())


def negated(predicate: Any) -> Any:
    """`~predicate`, of which the branches around know whose negation it is."""
    value = ~predicate
    key = id(value)
    _negations[key] = weakref.ref(value, lambda _: _negations.pop(key, None)), predicate
    return value


def _without_not(predicate: Any, is_so: bool) -> tuple[Any, bool]:
    while (found := _negations.get(id(predicate))) is not None:
        predicate, is_so = found[1], not is_so
    return predicate, is_so


def check_raise(holds: Any, error: BaseException) -> None:
    """Records that a run raises an exception, which a block has raised, if `holds` is false."""
    check(holds, type(error), error.args, raised_at(error))


def check(
    holds: Any,
    error: type[BaseException],
    arguments: tuple,
    location: SourceLocation | None = None,
) -> None:
    """Records that a run raises `error(*arguments)` if `holds` is false, at the line that is
    running or another one."""
    refuse_in_try(error)
    if not isinstance(holds, jax.core.Tracer) and bool(holds):
        return
    texts = [Text.of(argument) for argument in arguments]
    values = [text.values for text in texts]
    forms = tuple(text.form for text in texts)
    shown = functools.partial(_raise, error, forms, arguments, location or users_location())
    holds = jnp.asarray(holds, bool)
    jax.debug.callback(shown, holds | ~reached() if is_conditional() else holds, values)


def _raise(error, forms, arguments, location, holds, values):
    if not holds:
        given = [
            form.format(*found) if isinstance(argument, Text) else argument
            for form, found, argument in zip(forms, values, arguments, strict=True)
        ]
        raise error(*given).with_traceback(_traceback_at(location))


def _traceback_at(location: SourceLocation | None) -> TracebackType | None:
    """A traceback of the user's line, which is part of the text of JAX's error."""
    if location is None:
        return None
    place = shim(location.filename, location.function or "<module>", location.lineno)
    frame = FunctionType(place, {})(sys._getframe)
    return TracebackType(None, frame, frame.f_lasti, location.lineno)
