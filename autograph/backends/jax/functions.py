"""Functions of JAX that take functions, or lists that the backend made.

jax.vmap(f), lax.scan(f, ...), jax.tree.map(f, x)        converted code passes them `f` converted
lax.scan(f, [x, y], ...)                                 all lists are of one type, to JAX as well
jnp.stack(z), jnp.array(z)                               the rows of `z` as they are
"""

import functools
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from autograph.backends.jax.lists import GrowList, growing
from autograph.backends.jax.tracers import is_tracing
from autograph.functions.calls import converted_call
from autograph.functions.frames import replace_everywhere

TAKE_FUNCTIONS: tuple[Callable, ...] = (
    *(jax.jit, jax.vmap, jax.grad, jax.value_and_grad, jax.checkpoint, jax.hessian),
    *(jax.jacfwd, jax.jacrev, jax.jvp, jax.vjp, jax.linearize, jax.eval_shape),
    jnp.vectorize,
)
# They compare the containers that they are given, or that the functions return.
COMPARE_CONTAINERS: tuple[Callable, ...] = (
    *(lax.scan, lax.cond, lax.switch, lax.while_loop, lax.fori_loop, lax.map),
    *(lax.associative_scan, jax.tree.map, jax.tree_util.tree_map),
)
STACK = (jnp.stack, jnp.array, jnp.asarray)


def _with_converted(function: Callable) -> Callable:
    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        named = {name: _converted(one) for name, one in kwargs.items()}
        return function(*map(_converted, args), **named)

    return called


def _converted(argument):
    if isinstance(argument, (FunctionType, MethodType)):
        return converted_call(argument)
    if type(argument) in (tuple, list) and any(isinstance(x, FunctionType) for x in argument):
        return type(argument)(map(_converted, argument))  # the branches of lax.switch
    return argument


def _comparing(function: Callable) -> Callable:
    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not is_tracing():
            return function(*map(_converted, args), **kwargs)
        return function(*map(_alike, args), **{name: _alike(one) for name, one in kwargs.items()})

    return called


def _alike(argument):
    """An argument with its lists of one type, as the results of functions among them."""
    converted = _converted(argument)
    if converted is argument and not isinstance(argument, (FunctionType, MethodType)):
        return growing(argument)
    if isinstance(converted, (tuple, list)):
        return type(converted)(map(_returning_alike, converted))
    return _returning_alike(converted)


def _returning_alike(function):
    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return growing(function(*args, **kwargs))

    return called


def _stacking(function: Callable) -> Callable:
    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], GrowList) and args[0].held is not None:
            items = args[0].stacked()
            if function is jnp.stack:
                axis = args[1] if len(args) > 1 else kwargs.get("axis", 0)
                return jnp.moveaxis(items, 0, axis)
            return function(items, *args[1:], **kwargs)
        return function(*args, **kwargs)

    return called


def register() -> None:
    """Makes converted code call these functions so."""
    for function in TAKE_FUNCTIONS:
        replace_everywhere(function, _with_converted(function))
    for function in COMPARE_CONTAINERS:
        replace_everywhere(function, _comparing(function))
    for function in STACK:
        replace_everywhere(function, _stacking(function))
