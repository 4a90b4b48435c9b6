"""JAX's tracers: which values they are, and when one may decide.

The only private names of JAX that the backend uses are in this file.
"""

from typing import Any

import jax
from jax._src.core import is_concrete as _is_concrete
from jax._src.core import trace_state_clean

from autograph.backend import Backend
from autograph.backends.jax import sharing
from autograph.errors import StagingError
from autograph.staging.errors import staging_error

Tracer = jax.core.Tracer


_used: list[Backend] = []


def use(backend: Backend) -> None:
    """Makes a backend the one of JAX's tracers."""
    _used.append(backend)


def backend() -> Any:
    """The backend of JAX's tracers."""
    return _used[0]


def is_tracing() -> bool:
    """Whether JAX is tracing a function now."""
    if trace_state_clean():
        sharing.forget()
        return False
    return True


def is_staged(value: Any) -> bool:
    """Whether a value is a tracer whose value is not known: eager `jax.grad` knows its values."""
    return isinstance(value, Tracer) and not _is_concrete(value)


def truth_of(value: Any) -> Any:
    """The truth of an array: a bool if it is known, else a tracer of dtype bool and no axes."""
    if not is_staged(value):
        return bool(value)
    if value.size != 1:
        raise ambiguous(value)
    value = value.reshape(()) if value.ndim else value
    return value if value.dtype == bool else value != 0


def ambiguous(value: Any) -> BaseException:
    """The error about the truth of an array with several elements."""
    return staging_error(
        f"the truth of an array of shape {value.shape} is needed",
        "A condition is one bool.",
        "Use jnp.any(...), jnp.all(...) or jnp.where(...).",
        StagingError,
    )
