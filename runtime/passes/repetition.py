"""Removes repetition: common subexpressions (Cocke, 1970).

    a: f64 = sin(x)                   a: f64 = sin(x)
    b: f64 = sin(x)             ->
    c: f64 = add(a, b)                c: f64 = add(a, a)

Two nodes repeat each other if they apply one op to the same operands with the same attributes.  A
region sees what was computed around it.  Left alone are effects, nodes with regions, and results
that are handed out as arrays: two arrays stay two.
"""

import numpy as np

from runtime.ir import Graph, Operand, Value, substitute
from runtime.passes.dead_code import has_effect
from runtime.text import attribute_text
from runtime.types import PythonType


def remove_repetition(graph: Graph, context=None) -> Graph:
    """The graph in which nothing is computed twice."""
    replaced: dict[Value, Operand] = {}
    _visit(graph, {}, replaced)
    if replaced:
        substitute(graph, replaced)
    return graph


def _visit(graph, around, replaced):
    known = dict(around)
    handed_out = {v for v in graph.outputs if isinstance(v, Value)}
    for node in graph.nodes:
        for region in node.regions.values():
            _visit(region, known, replaced)
        if node.regions or has_effect(node) or node.op.updates is not None or not node.outputs:
            continue
        if any(value in handed_out and not _is_number(value) for value in node.outputs):
            continue
        key = _key(node, replaced)
        earlier = known.setdefault(key, node)
        if earlier is not node:
            replaced.update(zip(node.outputs, earlier.outputs, strict=True))


def _is_number(value):
    return isinstance(value.type, PythonType) or getattr(value.type, "shape", None) == ()


def _key(node, replaced):
    inputs = tuple(
        replaced.get(o, o) if isinstance(o, Value) else (type(o), repr(o)) for o in node.inputs
    )
    attributes = tuple((name, _identity(value)) for name, value in node.attributes.items())
    return node.op, inputs, attributes


def _identity(attribute):
    if isinstance(attribute, np.ndarray):
        return attribute.dtype, attribute.shape, attribute.tobytes()
    return attribute_text(attribute)
