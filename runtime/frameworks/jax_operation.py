"""`rt.from_jax`: a function of JAX as an operation of graphs.

    y = op(x)         a node of each run: NumPy's arrays in, JAX's program, NumPy's arrays out
    gradient of it    a node, too: the program of jax.vjp, which computes the function again

JAX tells the types of the results without computing them (`jax.eval_shape`).
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.errors import NotStageableError, users_location
from runtime.ir.pytree import flatten, transform, unflatten
from runtime.ir.types import PythonType, has_unknown_size
from runtime.staging.calls.library_calls import library_call
from runtime.staging.calls.natures import pure
from runtime.staging.staged_values import holds_staged
from runtime.tracing.signature import TensorSpec
from runtime.tracing.tensor import Tensor
from runtime.transforms.markers import custom_gradient


def jax_operation(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The operation that a function of JAX is."""
    compiled = jax.jit(fn)
    product = jax.jit(functools.partial(_product, fn))

    @pure
    def value(*args: Any) -> Any:
        return transform(_array, compiled(*args))

    @pure
    def gradient(args: tuple[Any, ...], *cotangents: Any) -> tuple[Any, ...]:
        return transform(_array, product(args, *cotangents))

    @custom_gradient
    def differentiated(*args: Any) -> Any:
        results = _shapes(fn, *transform(_example, args))

        def pullback(*cotangents: Any) -> tuple[Any, ...]:
            leaves, _ = flatten(args)
            floats = [leaf for leaf in leaves if _is_float(leaf)]
            found = iter(
                library_call(gradient, args, *cotangents, result=tuple(map(_like, floats)))
            )
            return tuple(next(found) if _is_float(leaf) else None for leaf in leaves)

        return library_call(value, *args, result=transform(_spec, results)), pullback

    def operation(*args: Any) -> Any:
        return differentiated(*args) if holds_staged(args) else value(*args)

    return functools.update_wrapper(operation, fn, updated=())


@pure
def _shapes(fn: Callable[..., Any], *examples: Any) -> Any:
    """The shapes and dtypes of the results of a function of JAX."""
    return jax.eval_shape(fn, *examples)


def _product(fn: Callable[..., Any], args: tuple[Any, ...], *cotangents: Any) -> tuple[Any, ...]:
    """The cotangents of the leaves of `args` that are floats, in the dtypes of these."""
    leaves, structure = flatten(args)
    places = [place for place, leaf in enumerate(leaves) if _is_float(leaf)]

    def results(*floats: Any) -> list[Any]:
        given = list(leaves)
        for place, one in zip(places, floats, strict=True):
            given[place] = one
        return jax.tree_util.tree_leaves(fn(*unflatten(structure, given)))

    found, pullback = jax.vjp(results, *(leaves[place] for place in places))
    return pullback(
        [
            jnp.asarray(d, y.dtype) if _is_float(y) else np.zeros(y.shape, jax.dtypes.float0)
            for y, d in zip(found, cotangents, strict=True)
        ]
    )


def _is_float(value: Any) -> bool:
    kind = getattr(value, "dtype", None)
    return isinstance(value, (float, complex)) if kind is None else np.dtype(kind).kind in "fc"


def _example(leaf: Any) -> Any:
    """An argument as `jax.eval_shape` takes it."""
    if not isinstance(leaf, Tensor):
        return leaf
    if isinstance(leaf.type, PythonType):
        return leaf.type.kind()
    if has_unknown_size(leaf.type):
        raise NotStageableError.about(
            "a function of JAX is called with an array of unknown shape",
            users_location(),
            "JAX tells the shapes of the results for known shapes only.",
            "Use an input_signature without None, or none at all.",
        )
    return jax.ShapeDtypeStruct(leaf.type.shape, leaf.type.dtype)


def _spec(result: Any) -> TensorSpec:
    return TensorSpec(result.shape, np.dtype(result.dtype))


def _like(leaf: Any) -> TensorSpec:
    """The type of the cotangent of an argument, in the dtype that JAX computes in."""
    return _spec(_shapes(jnp.asarray, _example(leaf)))


def _array(result: Any) -> Any:
    """A result as an array of NumPy that may be written into, or a scalar."""
    array = np.array(result)
    return array if array.ndim else array[()]
