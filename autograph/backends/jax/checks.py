"""Exceptions that a run raises: `assert`, `raise`, an index out of range, an unbound variable.

    check(x > 0, ValueError, ("x must be positive",))

A check is a callback of the run.  `jax.vmap` runs both sides of a branch, and lanes of a loop that
are done run along: so a check holds wherever the run has not come to it.  The branches and loops
that are being traced keep their predicates for that (`under`).
"""

import functools
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import jax
import jax.numpy as jnp

from autograph.backends.jax.texts import Text
from autograph.staging.errors import users_location
from autograph.staging.try_blocks import refuse_in_try

_path: ContextVar[tuple] = ContextVar("predicates of the branches around", default=())


@contextmanager
def under(predicate: Any) -> Iterator[None]:
    """While it is open, a run comes to the traced code only if the predicate holds."""
    token = _path.set((*_path.get(), predicate))
    try:
        yield
    finally:
        _path.reset(token)


def is_conditional() -> bool:
    """Whether a run may not come to the code that is traced now."""
    return bool(_path.get())


def reached() -> Any:
    """Whether a run has come to the code that is traced now."""
    return functools.reduce(operator.and_, _path.get(), jnp.asarray(True))


def check(holds: Any, error: type[BaseException], arguments: tuple) -> None:
    """Records that a run raises `error(*arguments)` if `holds` is false."""
    refuse_in_try(error)
    if not isinstance(holds, jax.core.Tracer) and bool(holds):
        return
    texts = [Text.of(argument) for argument in arguments]
    values = [text.values for text in texts]
    location = users_location()
    place = "" if location is None else f"{location.filename}, line {location.lineno}"
    shown = functools.partial(_raise, error, tuple(text.form for text in texts), arguments, place)
    jax.debug.callback(shown, jnp.asarray(holds, bool) | ~reached(), values)


def _raise(error, forms, arguments, place, holds, values):
    if not holds:
        given = [
            form.format(*found) if isinstance(argument, Text) else argument
            for form, found, argument in zip(forms, values, arguments, strict=True)
        ]
        raised = error(*given)
        if place:
            raised.add_note(place)
        raise raised
