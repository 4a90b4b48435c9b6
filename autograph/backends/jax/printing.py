"""`print` while JAX traces: each run prints, in the order of Python.

`jax.vmap` runs both sides of a branch: a print in one is shown for the lanes that come to it only.
"""

import functools
from typing import Any

import jax

from autograph.backends.jax.checks import is_conditional, reached
from autograph.backends.jax.texts import has_staged, joined
from autograph.staging.errors import asked_for


def print_(
    *parts: Any,
    sep: str | None = " ",
    end: str | None = "\n",
    file: Any = None,
    flush: bool = False,
) -> None:
    """`print(...)` in the run; to a file, and without tracers to part of a line, at once."""
    is_line = end is None or end == "\n"
    if file is not None or not is_line and not any(map(has_staged, parts)):
        print(*parts, sep=sep, end=end, file=file, flush=flush)
        return
    if not is_line:
        raise asked_for("a line that another print goes on with is printed by a run")
    text = joined(parts, " " if sep is None else sep)
    if is_conditional():
        show = functools.partial(_show, text.form)
        jax.debug.callback(show, reached(), text.values, ordered=True)
    else:
        jax.debug.print(text.form, *text.values, ordered=True)


def _show(form, is_reached, values):
    if is_reached:
        print(form.format(*values))
