"""Arrays that are created, reshaped, joined, multiplied and reduced."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from runtime.engines.xla.arithmetic import known_size, result_dtype
from runtime.engines.xla.evaluation import Evaluation
from runtime.engines.xla.lowering import NotLowered, lowers
from runtime.ir.graph import Node, operand_type

# op names: those that move elements, computed by JAX's function of that name
MOVES = ("reshape", "transpose", "swapaxes", "expand_dims", "squeeze", "ravel", "broadcast_to",
         "flip", "roll", "diagonal")  # fmt: skip


def _shape(node: Node, sizes: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape that an attribute and operands give."""
    shape = node.attributes["shape"]
    shape = (shape,) if isinstance(shape, int) else shape
    rest = iter(sizes)
    return tuple(known_size(next(rest)) if size is None else int(size) for size in shape)


def _first(run: Evaluation, node: Node) -> Any:
    """The first operand, in the dtype of the result."""
    return run.cast(node.inputs[0], result_dtype(node))


@lowers(*MOVES)
def moves(run: Evaluation, node: Node, *_: Any) -> Any:
    """The elements in another order or shape."""
    return getattr(jnp, node.op.name)(_first(run, node), **node.attributes)


@lowers("reshape_to", "grow_to")
def sized(run: Evaluation, node: Node, _: Any, *sizes: Any) -> Any:
    """The elements in a shape, of which operands give sizes."""
    move = jnp.reshape if node.op.name == "reshape_to" else jnp.broadcast_to
    return move(_first(run, node), _shape(node, sizes))


@lowers("sum_to")
def sum_to(run: Evaluation, node: Node, _: Any, *sizes: Any) -> Any:
    """The sum over the axes along which a shape was broadcast."""
    x, shape = _first(run, node), _shape(node, sizes)
    added = x.ndim - len(shape)
    axes = tuple(range(added)) + tuple(
        added + i for i, size in enumerate(shape) if size == 1 and x.shape[added + i] != 1
    )
    found = jnp.sum(x, axis=axes, dtype=x.dtype, keepdims=True) if axes else x
    return run.all_finite(jnp.reshape(found, shape)) if axes else jnp.reshape(found, shape)


@lowers("size")
def size(run: Evaluation, node: Node, x: Any) -> int:
    """The size of one dimension, which is known while JAX traces."""
    return int(x.shape[node.attributes["axis"]])


@lowers("full")
def full(run: Evaluation, node: Node, value: Any, *sizes: Any) -> Any:
    """An array filled with one value."""
    filling = run.cast(node.inputs[0], result_dtype(node))
    return jnp.broadcast_to(filling, _shape(node, sizes))


@lowers("zero_like")
def zero_like(run: Evaluation, node: Node, x: Any) -> Any:
    """Zeros like a tensor."""
    return jnp.zeros(x.shape, result_dtype(node))


@lowers("concatenate", "stack")
def joined(run: Evaluation, node: Node, *_: Any) -> Any:
    """Arrays joined along an axis."""
    parts = [run.cast(operand, result_dtype(node)) for operand in node.inputs]
    join = jnp.concatenate if node.op.name == "concatenate" else jnp.stack
    return join(parts, axis=node.attributes.get("axis", 0))


@lowers("matmul", "dot", "outer")
def product(run: Evaluation, node: Node, *_: Any) -> Any:
    """Matrix products, dot products and outer products, in full precision."""
    dtype = result_dtype(node)
    if dtype.kind == "b":
        raise NotLowered("the product is of bools")
    x, y = (run.cast(operand, dtype) for operand in node.inputs)
    if node.op.name == "outer":
        return run.finite(jnp.outer(x, y), jnp.reshape(x, (-1, 1)), jnp.reshape(y, (-1,)))
    function = jnp.matmul if node.op.name == "matmul" else jnp.dot
    return run.all_finite(function(x, y, precision="highest"))


# -- reductions ------------------------------------------------------------------------------------


def _axis(node: Node) -> dict[str, Any]:
    keepdims = bool(node.attributes.get("keepdims", False))
    return {"axis": node.attributes.get("axis"), "keepdims": keepdims}


@lowers("sum", "prod")
def total(run: Evaluation, node: Node, *_: Any) -> Any:
    """Sums and products, in the dtype of the result."""
    dtype, x = result_dtype(node), _first(run, node)
    if dtype.kind == "b":
        raise NotLowered("the sum is of the dtype bool")
    reduce = jnp.sum if node.op.name == "sum" else jnp.prod
    return run.all_finite(reduce(x, dtype=dtype, **_axis(node)))


def _wide(run: Evaluation, node: Node) -> Any:
    """The operand in the dtype in which NumPy computes means."""
    dtype = result_dtype(node)
    if dtype.kind != "f":
        raise NotLowered(f"{node.op.name} is not of floats")
    return run.cast(node.inputs[0], np.dtype(np.float32) if dtype == np.float16 else dtype)


@lowers("mean")
def mean(run: Evaluation, node: Node, *_: Any) -> Any:
    """The arithmetic mean."""
    return run.all_finite(jnp.mean(_wide(run, node), **_axis(node)))


@lowers("var", "std")
def spread(run: Evaluation, node: Node, *_: Any) -> Any:
    """The variance, and its root."""
    function = jnp.var if node.op.name == "var" else jnp.std
    freedom = node.attributes.get("ddof", 0)
    return run.all_finite(function(_wide(run, node), ddof=freedom, **_axis(node)))


@lowers("any", "all")
def some(run: Evaluation, node: Node, x: Any) -> Any:
    """Whether some or all elements are true."""
    return (jnp.any if node.op.name == "any" else jnp.all)(x != 0, **_axis(node))


@lowers("max", "min")
def extreme(run: Evaluation, node: Node, *_: Any) -> Any:
    """The largest or smallest element; nan if there is one."""
    return (jnp.max if node.op.name == "max" else jnp.min)(_first(run, node), **_axis(node))


@lowers("argmax", "argmin")
def place(run: Evaluation, node: Node, x: Any) -> Any:
    """The index of the first extreme element; nan is the most extreme."""
    function = jnp.argmax if node.op.name == "argmax" else jnp.argmin
    return function(x, **_axis(node)).astype(np.int64)


@lowers("cumsum", "cumprod")
def scan(run: Evaluation, node: Node, *_: Any) -> Any:
    """Cumulative sums and products, in the dtype of the result."""
    dtype = result_dtype(node)
    if dtype.kind == "b":
        raise NotLowered("the sum is of the dtype bool")
    function = jnp.cumsum if node.op.name == "cumsum" else jnp.cumprod
    axis = node.attributes.get("axis")
    return run.all_finite(function(_first(run, node), axis=axis, dtype=dtype))


@lowers("sort")
def sort(run: Evaluation, node: Node, x: Any) -> Any:
    """The elements in ascending order; nan is last."""
    if operand_type(node.inputs[0]).dtype.kind == "c":
        raise NotLowered("complex numbers are sorted")
    return jnp.sort(x, axis=node.attributes.get("axis", -1))
