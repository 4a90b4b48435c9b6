"""Computes operations on constants when the graph is optimised.

    a: f64[2] = constant(value=...)
    b: f64[2] = multiply(a, 2.0)      ->      b: f64[2] = constant(value=...)
    n: int = add(2, 3)                ->      (gone: its uses say 5)

Folded are plain ops on constants and numbers, up to `MOST_ELEMENTS` elements a result; an op that
raises is left to the run, which may never reach it.  So is one whose result may be an integer or a
string of any length, unless its operands are small: `1 << 10**10` takes gigabytes.
"""

import math
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.analyses.sizes import shape_of
from runtime.ir.graph import Graph, Node, Operand, Value, substitute
from runtime.ir.op import find
from runtime.ir.types import NO_ARRAYS, BoxType, NothingType, PythonType, TensorType, type_of

MOST_ELEMENTS = 1_000
# Of an operand of integer arithmetic; of an exponent, count or width; of the length of a string.
MOST_BITS, MOST_NUMBER, MOST_LENGTH = 256, 1_000, 1_000


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
            if _has_gaps(result):  # stays a view of a constant, which machine code knows
                kept.append(node)
                continue
            node.op, node.inputs = find("constant"), ()
            node.attributes = {"value": np.asarray(result)}
        kept.append(node)
    graph.nodes[:] = kept


def _has_gaps(result: Any) -> bool:
    """Whether a result is an array in another order than C's, other than one number repeated."""
    is_view = isinstance(result, np.ndarray) and not result.flags.c_contiguous
    return is_view and any(result.strides)


def folded(node: Node, known: dict[Value, Any]) -> Any:
    """The result of a node whose operands are numbers, or values that are `known`; else None."""
    if not _can_fold(node) or any(isinstance(o, Value) and o not in known for o in node.inputs):
        return None
    operands = tuple(known[o] if isinstance(o, Value) else o for o in node.inputs)
    if _may_grow(node) and not _are_small(node, operands):
        return None
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


def _may_grow(node: Node) -> bool:
    """Whether no type bounds the memory of the result: it may be an integer or a string."""
    kind = node.output.type
    return not isinstance(kind, TensorType) and getattr(kind, "kind", None) not in (float, bool)


def _are_small(node: Node, operands: tuple[Any, ...]) -> bool:
    """Whether the operands and attributes of a node make an integer or a string that is short."""
    is_arithmetic = node.op.traits.integer_arithmetic
    for part in _parts((operands, tuple(node.attributes.values()))):
        if isinstance(part, int):
            if abs(part) > MOST_NUMBER and not (is_arithmetic and part.bit_length() <= MOST_BITS):
                return False
        elif isinstance(part, str) and (
            len(part) > MOST_LENGTH or re.search(r"\d{4}", part)  # a width, `"%9999d"`
        ):
            return False
    return True


def _parts(value: Any) -> Iterator[Any]:
    """The numbers and strings in a nest of tuples."""
    if isinstance(value, tuple):
        for part in value:
            yield from _parts(part)
    else:
        yield value
