"""Computes operations on constants when the graph is optimised.

    a: f64[2] = constant(value=...)
    b: f64[2] = multiply(a, 2.0)      ->      b: f64[2] = constant(value=...)
    n: int = add(2, 3)                ->      (gone: its uses say 5)

Folded are plain ops on constants and numbers, up to `MOST_ELEMENTS` elements a result; an op that
raises is left to the run, which may never reach it.
"""

import math
import warnings
from typing import Any

import numpy as np

from runtime.analyses.sizes import shape_of
from runtime.ir.graph import Graph, Node, Operand, Value, substitute
from runtime.ir.op import find
from runtime.ir.types import NO_ARRAYS, BoxType, NothingType, PythonType, type_of

MOST_ELEMENTS = 1_000


def fold_constants(graph: Graph, context: Any = None) -> Graph:
    """The graph with operations on constants replaced by their results."""
    numbers: dict[Value, Operand] = {}
    _visit(graph, {}, numbers)
    if numbers:
        substitute(graph, numbers)
    return graph


def _visit(graph: Graph, known: Any, numbers: Any) -> None:
    kept = []
    for node in graph.nodes:
        for region in node.regions.values():
            _visit(region, known, numbers)
        result = node.attributes["value"][()] if node.op.name == "constant" else folded(node, known)
        if result is not None:
            known[node.output] = result
            if isinstance(node.output.type, PythonType):
                numbers[node.output] = result
                continue
            node.op, node.inputs = find("constant"), ()
            node.attributes = {"value": np.asarray(result)}
        kept.append(node)
    graph.nodes[:] = kept


def folded(node: Node, known: dict[Value, Any]) -> Any:
    """The result of a node whose operands are numbers, or values that are `known`; else None."""
    if not _can_fold(node) or any(isinstance(o, Value) and o not in known for o in node.inputs):
        return None
    operands = tuple(known[o] if isinstance(o, Value) else o for o in node.inputs)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = node.op.evaluate(np, operands, node.attributes)
    except Exception:
        return None
    if type(result) is np.ndarray and not result.shape:
        return None  # a constant without dimensions is a NumPy scalar
    return result if type_of(result) == node.output.type else None


# The types of results that are no constants; an element of an empty list has no value at all.
UNFOLDED = (*NO_ARRAYS, BoxType, NothingType)


def _can_fold(node: Node) -> bool:
    if not node.op.traits.foldable or node.regions or node.op.effect or node.op.eval is None:
        return False
    if len(node.outputs) != 1 or isinstance(node.output.type, UNFOLDED):
        return False
    shape = shape_of(node.output)
    sizes = [size for size in shape if isinstance(size, int)]
    return len(sizes) == len(shape) and math.prod(sizes) <= MOST_ELEMENTS
