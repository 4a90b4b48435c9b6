"""Functions of NumPy that graphs call as they are, and JAX has with the same meaning.

np.clip(x, 0, y)  ->  clip(x, y, given=(_0, 0, _1))  ->  in the dtype of the result
generator.normal(size=3)                             ->  NumPy draws, in a callback of the run
"""

from contextlib import suppress
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engines.xla.arithmetic import result_dtype
from runtime.engines.xla.lowering import LOWERINGS, NotLowered
from runtime.frameworks.jax_evaluation import GraphEvaluation, lowers_in_graphs
from runtime.ir.graph import Node, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import has_unknown_size


@lowers_in_graphs("tril", "triu")
def triangle(run: GraphEvaluation, node: Node, *_: Any) -> Any:
    """The elements below or above a diagonal, zeros elsewhere."""
    given, named = _arguments(node, ("m", "k"))
    return getattr(jnp, node.op.name)(run.cast(given, result_dtype(node)), **named)


@lowers_in_graphs("full_like")
def full_like(run: GraphEvaluation, node: Node, x: Any, *_: Any) -> Any:
    """An array of one value, with the shape of another."""
    value = node.attributes["given"][1]
    filling = node.inputs[value.index] if isinstance(value, Slot) else value
    return jnp.broadcast_to(run.cast(filling, result_dtype(node)), x.shape)


@lowers_in_graphs("clip")
def clip(run: GraphEvaluation, node: Node, *_: Any) -> Any:
    """The elements, limited by bounds from both sides."""
    first, bounds = _arguments(node, ("a", "a_min", "a_max"))
    low, high = bounds.pop("a_min", None), bounds.pop("a_max", None)
    low, high = bounds.pop("min", low), bounds.pop("max", high)
    if bounds:
        raise NotLowered(f"np.clip has the argument {next(iter(bounds))}")
    dtype = result_dtype(node)
    if any(np.dtype(operand_type(one).dtype).kind == "c" for one in node.inputs):
        raise NotLowered("complex numbers are clipped")
    found = run.cast(first, dtype)
    found = found if low is None else jnp.maximum(found, run.cast(low, dtype))
    return found if high is None else jnp.minimum(found, run.cast(high, dtype))


@lowers_in_graphs("drawn", "split_state")
def drawn(run: GraphEvaluation, node: Node, *operands: Any) -> Any:
    """Random numbers with the bits of NumPy, which draws those that XLA has no equivalent of."""
    if node.op.name == "drawn":
        with suppress(NotLowered):
            return LOWERINGS["drawn"](run, node, *operands)
    kind: Any = node.outputs[0].type

    def numbers(*given: Any) -> Any:
        values = tuple(map(np.asarray, given))
        return np.asarray(node.op.evaluate(np, values, node.attributes), kind.dtype)

    if has_unknown_size(kind):
        raise NotLowered("the number of random numbers depends on the run")
    shown = jax.ShapeDtypeStruct(kind.shape, kind.dtype)
    return jax.pure_callback(numbers, shown, *operands, vmap_method="sequential")


def _arguments(node: Node, names: tuple[str, ...]) -> tuple[Any, dict[str, Any]]:
    """The first argument of a call, and the others by name: operands or constants."""
    named = dict(zip(names, node.attributes["given"], strict=False))
    named.update(node.attributes["named"])
    found = {
        name: node.inputs[one.index] if isinstance(one, Slot) else one
        for name, one in named.items()
    }
    return found.pop(names[0]), found
