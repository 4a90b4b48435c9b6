"""The XLA engine: pieces of a graph run on JAX's devices, inside a program of the NumPy engine.

    done, y = xla_1(x)                     a piece: its nodes, compiled by XLA
    if not done:                           it was left: something was unusual
        y = ...                            the NumPy program of the same nodes

So a node without an equivalent in XLA is no error, and whatever XLA does in another way is done by
NumPy: warnings, exceptions, big integers, values that are not finite.  `pieces.py` chooses the
pieces, `lowering.py` has the table of ops, `evaluation.py` computes their nodes with JAX.

XLA may round floats in another way, and takes numbers below the smallest normal one for zero.
"""

from runtime.engines.executable import Executable
from runtime.engines.numpy import CONTROL
from runtime.engines.numpy import compile_graph as compile_for_numpy
from runtime.engines.registry import Engine, Options, refusal
from runtime.ir.graph import Graph


def compile_graph(graph: Graph, options: Options) -> Executable:
    """The executable of a graph.  Checks, times and threads belong to programs without pieces."""
    if options.timer is not None or options.check is not None or options.threads > 1:
        return compile_for_numpy(graph, options)
    from runtime.engines.xla.program import compiled

    return compiled(graph, options)


ENGINE = Engine(
    "xla",
    "Pieces of graphs on JAX's devices, NumPy for all else.",
    compile_graph,
    refusal=refusal(CONTROL),
    needs=("jax",),
)
