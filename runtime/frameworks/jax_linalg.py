"""Linear algebra of NumPy that JAX has with the same meaning.

np.linalg.solve(a, b)     jnp.linalg.solve; a result that is not finite, of finite operands, fails:
                          NumPy then raises `LinAlgError`, or computes the result
np.linalg.norm(x, 1)      jnp.linalg.norm, where the arguments but the first are constants
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from runtime.engines.xla.arithmetic import result_dtype
from runtime.engines.xla.lowering import NotLowered
from runtime.frameworks.jax_evaluation import GraphEvaluation, lowers_in_graphs
from runtime.ir.graph import Node
from runtime.ir.slot import Slot

ARGUMENTS = {"linalg_norm": ("x", "ord", "axis", "keepdims"), "diff": ("a", "n", "axis")}


@lowers_in_graphs("linalg_inv", "linalg_solve", "linalg_det", "linalg_cholesky")
def of_matrices(run: GraphEvaluation, node: Node, *_: Any) -> Any:
    """The inverse, solution, determinant or Cholesky factor of matrices."""
    name = node.op.name.removeprefix("linalg_")
    is_plain = all(isinstance(one, Slot) for one in node.attributes["given"])
    operands = [run.cast(operand, result_dtype(node)) for operand in node.inputs]
    if node.attributes["named"] or not is_plain or name == "solve" and operands[0].ndim != 2:
        raise NotLowered(f"np.linalg.{name} has other arguments than matrices")
    if name == "det":
        return jnp.linalg.det(*operands)
    options = {"symmetrize_input": False} if name == "cholesky" else {}  # NumPy reads one half
    found = getattr(jnp.linalg, name)(*operands, **options)
    is_given = jnp.asarray(True)
    for operand in operands:
        is_given = is_given & jnp.all(jnp.isfinite(operand))
    run.fail_if(is_given & ~jnp.all(jnp.isfinite(found)))
    return found


@lowers_in_graphs("linalg_norm", "diff")
def with_constants(run: GraphEvaluation, node: Node, first: Any, *others: Any) -> Any:
    """A function of one array, whose other arguments are constants."""
    names = ARGUMENTS[node.op.name]
    given, named = node.attributes["given"], dict(node.attributes["named"])
    options = dict(zip(names[1:], given[1:], strict=False)) | named
    if others or not isinstance(given[0], Slot) or not set(options) <= set(names):
        raise NotLowered("its arguments are more than an array and constants")
    if np.dtype(first.dtype).kind == "c":
        raise NotLowered("it is of complex numbers")
    function = jnp.diff if node.op.name == "diff" else jnp.linalg.norm
    return function(run.cast(node.inputs[0], result_dtype(node)), **options)
