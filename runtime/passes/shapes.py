"""Simplifies operations on shapes and dtypes.

    n: int = size(x, axis=0)                     (gone, where x is f64[3, n]: its uses read 3)
    n: int = size(sin(x), axis=0)          ->    n: int = size(x, axis=0)
    b = transpose(transpose(x, p), q)      ->    b = transpose(x, p after q), or x
    b = reshape(x, shape=(3, 2))           ->    x, where that is its shape
    b = cast(cast(x, i32), i64)            ->    b = cast(x, i64), where i32 loses nothing of x
    c = y * broadcast_to(x, (2, 3))        ->    c = y * x, where y is f64[2, 3]

A reshape of a reshape stays: whether the first of them copies, and so how the second lies in
memory, is known only at run time, and sums depend on that.
"""

from typing import Any

import numpy as np

from runtime.analyses.sizes import same_sizes, shape_of
from runtime.ir.graph import Graph, Node, Value, operand_type
from runtime.ir.op import find
from runtime.ir.types import PythonType
from runtime.passes.algebra import becomes
from runtime.passes.rewriter import GraphRewriter


def simplify_shapes(graph: Graph, context: Any = None) -> Graph:
    """The graph with known sizes as constants, and without unnecessary reshapes and casts."""
    walk = GraphRewriter(graph)
    rewriters = {  # op names: a function for each
        "size": _size,
        "transpose": _transpose,
        "reshape": _reshape,
        "cast": _cast,
    }

    def rewrite(node: Node) -> Any:
        if node.op.traits.elementwise:
            _spread(node, walk)
        rewriter = rewriters.get(node.op.name)
        return None if rewriter is None else rewriter(node, walk)

    return walk.run(rewrite)


def _spread(node: Node, walk: GraphRewriter) -> None:
    """Removes `broadcast_to` from an operand if another operand has the full shape."""
    inputs = list(node.inputs)
    for i, operand in enumerate(inputs):
        maker = walk.maker(operand, "broadcast_to")
        others = [shape_of(o) for j, o in enumerate(inputs) if j != i]
        if maker is not None and shape_of(operand) in others and _is_known(shape_of(operand)):
            inputs[i] = maker.inputs[0]
    node.inputs = tuple(inputs)


def _is_known(shape: Any) -> bool:
    return all(isinstance(size, int) for size in shape)


def _size(node: Node, walk: GraphRewriter) -> Any:
    """The size of one dimension, read from the first array known to have it."""
    (array,), axis = node.inputs, node.attributes["axis"]
    while True:
        if isinstance(array, Value) and isinstance(size := shape_of(array)[axis], int):
            return (size,)
        source = same_sizes(walk.maker(array))
        if source is None:
            node.inputs = (array,)
            return None
        array = source


def _transpose(node: Node, walk: GraphRewriter) -> Any:
    """Merges two transpositions into one, or none if they cancel."""
    array, order = node.inputs[0], _order(node)
    inner = walk.maker(array, "transpose")
    if inner is not None:
        array, first = inner.inputs[0], _order(inner)
        order = tuple(first[axis] for axis in order)
    in_place = order == tuple(range(len(order)))
    if (
        in_place
        and operand_type(array) == node.output.type
        and walk.can_replace(node.output, array, True)
    ):
        return (array,)
    if inner is not None:
        is_reversed = order == tuple(reversed(range(len(order))))
        becomes(node, node.op, (array,), {} if is_reversed else {"axes": order})
    return None


def _order(transpose: Node) -> Any:
    count = len(shape_of(transpose.inputs[0]))
    axes = transpose.attributes.get("axes")
    if axes is None:
        return tuple(reversed(range(count)))
    return tuple(axis % count for axis in axes)


def _reshape(node: Node, walk: GraphRewriter) -> Any:
    """Removes a reshape to the array's own shape, if at most one size is unknown."""
    (array,) = node.inputs
    if not isinstance(array, Value) or array.type != node.output.type:
        return None
    shape = shape_of(array)
    unknown = [size for size in shape if not isinstance(size, int)]
    is_same = len(unknown) <= 1 and 0 not in shape or not unknown
    return (array,) if is_same and walk.can_replace(node.output, array, True) else None


def _cast(node: Node, walk: GraphRewriter) -> Any:
    """Merges two casts if the first loses nothing that the second would keep."""
    inner = walk.maker(node.inputs[0], "cast")
    if inner is None or isinstance(operand_type(inner.inputs[0]), PythonType):
        return None
    (array,) = inner.inputs
    dtypes = operand_type(array).dtype, inner.output.type.dtype, node.output.type.dtype
    first, second, third = (np.dtype(dtype) for dtype in dtypes)
    if holds_all(first, second) and (third.kind != "c") and _is_same_cast(first, second, third):
        becomes(node, find("cast"), (array,), {"dtype": third})
    return None


def holds_all(small: np.dtype[Any], large: np.dtype[Any]) -> bool:
    """Whether one dtype holds every value of another, as the same kind of scalar or as floats."""
    if small == large or small.kind == "b":
        return large.kind != "c"
    if small.kind in "iu" and large.kind in "iu":
        return np.can_cast(small, large)
    if small.kind in "iu" and large.kind == "f":
        return np.iinfo(small).bits <= np.finfo(large).nmant + 1
    return small.kind == large.kind == "f" and np.can_cast(small, large)


def _is_same_cast(first: np.dtype[Any], second: np.dtype[Any], third: np.dtype[Any]) -> bool:
    """Whether both casts have the same result; floats to integers only where that is defined."""
    if third.kind in "iu" and "f" in (first.kind, second.kind):
        return first.kind in "biu" and holds_all(first, third)
    return True
