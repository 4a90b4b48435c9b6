"""Simplifies what is about shapes and dtypes alone.

    n: int = size(x, axis=0)                     (gone, where x is f64[3, n]: its uses say 3)
    n: int = size(sin(x), axis=0)          ->    n: int = size(x, axis=0)
    b = transpose(transpose(x, p), q)      ->    b = transpose(x, p after q), or x
    b = reshape(x, shape=(3, 2))           ->    x, where that is its shape
    b = cast(cast(x, i32), i64)            ->    b = cast(x, i64), where i32 loses nothing of x
    c = y * broadcast_to(x, (2, 3))        ->    c = y * x, where y is f64[2, 3]

A reshape of a reshape stays: whether the first of them copies, and so how the second lies in
memory, is for a run to say, and sums depend on that.
"""

import numpy as np

from runtime.analyses.sizes import same_sizes
from runtime.ir.graph import Graph, Value, operand_type
from runtime.ir.op import find
from runtime.ir.types import PythonType
from runtime.passes.algebra import becomes
from runtime.passes.rewriter import Forward


def simplify_shapes(graph: Graph, context=None) -> Graph:
    """The graph with known sizes as numbers, and without needless changes of shape and dtype."""
    walk = Forward(graph)
    rewriters = {  # op names: a function for each
        "size": _size,
        "transpose": _transpose,
        "reshape": _reshape,
        "cast": _cast,
    }

    def rewrite(node):
        if node.op.traits.elementwise:
            _spread(node, walk)
        rewriter = rewriters.get(node.op.name)
        return None if rewriter is None else rewriter(node, walk)

    return walk.run(rewrite)


def _spread(node, walk):
    """Operands as they were before they were broadcast, where another one has the full shape."""
    inputs = list(node.inputs)
    for i, operand in enumerate(inputs):
        maker = walk.maker(operand, "broadcast_to")
        others = [operand_type(o).shape for j, o in enumerate(inputs) if j != i]
        if maker is not None and operand.type.shape in others and _is_known(operand.type.shape):
            inputs[i] = maker.inputs[0]
    node.inputs = tuple(inputs)


def _is_known(shape):
    return all(isinstance(size, int) for size in shape)


def _size(node, walk):
    """The size of one dimension, of the first array known to have it."""
    (array,), axis = node.inputs, node.attributes["axis"]
    while True:
        if isinstance(array, Value) and isinstance(size := array.type.shape[axis], int):
            return (size,)
        behind = same_sizes(walk.maker(array))
        if behind is None:
            node.inputs = (array,)
            return None
        array = behind


def _transpose(node, walk):
    """The axes in the order in which two transpositions put them; none, if it is the first."""
    array, order = node.inputs[0], _order(node)
    inner = walk.maker(array, "transpose")
    if inner is not None:
        array, first = inner.inputs[0], _order(inner)
        order = tuple(first[axis] for axis in order)
    in_place = order == tuple(range(len(order)))
    if (
        in_place
        and operand_type(array) == node.output.type
        and walk.may_be(node.output, array, True)
    ):
        return (array,)
    if inner is not None:
        is_reversed = order == tuple(reversed(range(len(order))))
        becomes(node, node.op, (array,), {} if is_reversed else {"axes": order})
    return None


def _order(transpose):
    count = operand_type(transpose.inputs[0]).ndim
    axes = transpose.attributes.get("axes")
    if axes is None:
        return tuple(reversed(range(count)))
    return tuple(axis % count for axis in axes)


def _reshape(node, walk):
    """Nothing, where the shape is the array's own: at most one size is not known on each side."""
    (array,) = node.inputs
    if not isinstance(array, Value) or array.type != node.output.type:
        return None
    unknown = [size for size in array.type.shape if not isinstance(size, int)]
    is_same = len(unknown) <= 1 and 0 not in array.type.shape or not unknown
    return (array,) if is_same and walk.may_be(node.output, array, True) else None


def _cast(node, walk):
    """One cast instead of two, where the first loses nothing that the second would keep."""
    inner = walk.maker(node.inputs[0], "cast")
    if inner is None or isinstance(operand_type(inner.inputs[0]), PythonType):
        return None
    (array,) = inner.inputs
    first, second, third = (
        operand_type(array).dtype,
        inner.output.type.dtype,
        node.output.type.dtype,
    )
    if holds_all(first, second) and (third.kind != "c") and _means_the_same(first, second, third):
        becomes(node, find("cast"), (array,), {"dtype": third})
    return None


def holds_all(small: np.dtype, large: np.dtype) -> bool:
    """Whether one dtype holds every value of another, as the same kind of number or as floats."""
    if small == large or small.kind == "b":
        return large.kind != "c"
    if small.kind in "iu" and large.kind in "iu":
        return np.can_cast(small, large)
    if small.kind in "iu" and large.kind == "f":
        return np.iinfo(small).bits <= np.finfo(large).nmant + 1
    return small.kind == large.kind == "f" and np.can_cast(small, large)


def _means_the_same(first, second, third):
    """Whether casting on makes the same of both: of floats as integers only where it is defined."""
    if third.kind in "iu" and "f" in (first.kind, second.kind):
        return first.kind in "biu" and holds_all(first, third)
    return True
