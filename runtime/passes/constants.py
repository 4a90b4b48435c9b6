"""Computes beforehand what is known beforehand.

    a: f64[2] = constant(value=...)
    b: f64[2] = multiply(a, 2.0)      ->      b: f64[2] = constant(value=...)
    n: int = add(2, 3)                ->      (gone: its uses say 5)

Folded are plain ops on constants and numbers, up to `MOST_ELEMENTS` elements a result; an op that
raises is left to the run, which may never reach it.
"""

import math
import warnings

import numpy as np

from runtime.ir import Graph, Node, Operand, Value, substitute
from runtime.op import find
from runtime.passes.dead_code import has_effect
from runtime.types import NO_ARRAYS, PythonType, type_of

MOST_ELEMENTS = 1_000

# Ops whose result stands for something that nobody computes, or is made as fast as it is copied.
NEVER = {"constant", "zero", "unreachable", "full"}


def fold_constants(graph: Graph, context=None) -> Graph:
    """The graph with what is known computed."""
    numbers: dict[Value, Operand] = {}
    _visit(graph, {}, numbers)
    if numbers:
        substitute(graph, numbers)
    return graph


def _visit(graph, around, numbers):
    known = dict(around)
    for node in graph.nodes:
        for region in node.regions.values():
            _visit(region, known, numbers)
        if node.op.name == "constant":
            known[node.output] = node.attributes["value"][()]
        elif _can_fold(node, known):
            _fold(node, known, numbers)


def _can_fold(node: Node, known):
    if node.op.name in NEVER or node.regions or has_effect(node) or node.op.eval is None:
        return False
    if len(node.outputs) != 1 or isinstance(node.output.type, NO_ARRAYS):
        return False
    sizes = node.output.type.shape
    if not all(isinstance(size, int) for size in sizes) or math.prod(sizes) > MOST_ELEMENTS:
        return False
    return all(not isinstance(o, Value) or o in known for o in node.inputs)


def _fold(node, known, numbers):
    operands = tuple(known[o] if isinstance(o, Value) else o for o in node.inputs)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = node.op.evaluate(np, operands, node.attributes)
    except Exception:
        return
    if type_of(result) != node.output.type:
        return
    known[node.output] = result
    if isinstance(node.output.type, PythonType):
        numbers[node.output] = result
    else:
        node.op, node.inputs = find("constant"), ()
        node.attributes = {"value": np.asarray(result)}
