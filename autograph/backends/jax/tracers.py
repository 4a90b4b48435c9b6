"""JAX's tracers: which values they are, and when one may decide.

The only private names of JAX that the backend uses are in this file.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.api_util
import jax.extend.core
import jax.extend.linear_util
from jax._src.core import is_concrete as _is_concrete
from jax._src.core import trace_state_clean
from jax.interpreters.partial_eval import trace_to_jaxpr_dynamic

from autograph.backend import Backend
from autograph.backends.jax import classes, sharing
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
        if sharing.separated:
            sharing.forget()
        classes.forget()
        return False
    return True


def is_staged(value: Any) -> bool:
    """Whether a value is a tracer whose value is not known: eager `jax.grad` knows its values."""
    return isinstance(value, Tracer) and not _is_concrete(value)


def jaxpr_of(function: Callable[..., list], kinds: list) -> Any:
    """The closed jaxpr of a function that returns a list of arrays, for operands of these types.

    What `jax.make_jaxpr` returns, without the work of `jax.jit`, which takes four times as long.
    """
    if any(getattr(kind, "sharding", None) is not None for kind in kinds):
        return jax.make_jaxpr(function)(*kinds)
    avals = [
        jax.core.ShapedArray(kind.shape, kind.dtype, weak_type=bool(kind.weak_type))
        for kind in kinds
    ]
    wrapped = jax.extend.linear_util.wrap_init(function, debug_info=_NAMED)
    found = trace_to_jaxpr_dynamic(wrapped, avals)
    return jax.extend.core.ClosedJaxpr(found[0], found[2])


def results_of(jaxpr: Any, *operands: Any) -> list:
    """The results of a closed jaxpr; its operations are recorded where this is called."""
    return jax.core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *operands)


_NAMED = jax.api_util.debug_info("block", lambda: None, (), {})._replace(
    arg_names=None, result_paths=None
)


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
