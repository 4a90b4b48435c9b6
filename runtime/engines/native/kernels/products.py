"""Products of matrices and vectors: calls of the inner loop of `np.matmul`, which calls BLAS.

    y = X @ w       DOUBLE_matmul([X, w, y], [1, m, n, 1], steps, data)
    Z = X @ Y       DOUBLE_matmul([X, Y, Z], [k, m, n, p], steps, data)      for k matrices

The loop takes the same addresses, sizes and steps as in a call of `np.matmul`, so it chooses the
same function of BLAS, and results have the same bits.  Integers have code of their own where their
rows are short (`integer_products.py`).
"""

import numpy as np

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels import integer_products
from runtime.engines.native.kernels.inner_loops import InnerLoop
from runtime.engines.native.kernels.plan import array_type
from runtime.engines.native.kinds import NotLowered, kind_of_dtype
from runtime.engines.native.storage import Objects
from runtime.engines.native.ufunc_loops import loop_in_table
from runtime.engines.native.view_layout import View, times
from runtime.engines.native.views import view_of
from runtime.ir.graph import Node, Value

NAMES = ("matmul", "dot")


def is_product(node: Node) -> bool:
    """Whether a node multiplies arrays of one or two dimensions, or several matrices."""
    if node.op.name not in NAMES or node.attributes:
        return False
    types = [array_type(operand) for operand in node.inputs]
    ranks = [type.ndim for type in types if type is not None]
    if len(types) != 2 or len(ranks) != 2:
        return False
    if node.op.name == "dot":
        return max(ranks) == 1
    return max(ranks) <= 2 or max(ranks) == 3 and min(ranks) >= 2


def write_product(emitter: Emitter, node: Node) -> None:
    """The lowering of a product."""
    left, right = (_operand(emitter, operand) for operand in node.inputs)
    loop, text = _loop(node), emitter.text
    many, apart, is_stack = _many(emitter, node, left, right)
    is_row, is_column = len(left.sizes) == 1, len(right.sizes) == 1
    m, n = ("1", left.sizes[0]) if is_row else left.sizes[-2:]
    inner, p = (right.sizes[0], "1") if is_column else right.sizes[-2:]
    if inner != n:
        text.leave_if(text.register(f"icmp ne i64 {inner}, {n}"), Exit.SHAPE)
    sizes = [size for size, gone in ((many, not is_stack), (m, is_row), (p, is_column)) if not gone]
    where = _result(emitter, node, sizes)
    item = str(loop.kinds[-1].itemsize)
    steps = [*apart, times(text, item, times(text, m, p)) if is_stack else "0"]
    steps += ["0", left.steps[0]] if is_row else [*left.steps[-2:]]
    steps += [right.steps[0], "0"] if is_column else [*right.steps[-2:]]
    steps += ["0" if is_row else item if is_column else times(text, item, p)]
    steps += ["0" if is_column else item]
    addresses = [left.address, right.address, where]
    text.count_work(arrays.product(text, [many, m, n, p]))
    kind, is_matrix = loop.kinds[-1], not (is_row or is_column or is_stack)
    if kind.is_integer and is_matrix and integer_products.has_rows(right, kind, p):
        integer_products.write(text, kind, left, right, where, [m, n, p])
        return
    if kind.is_integer and not isinstance(emitter.storage, Objects):
        raise NotLowered("only products of short rows of integers have machine code")
    loop.call_with(text, addresses, [many, m, n, p], steps)
    if array_type(node.output) is None:
        emitter.held[node.output] = (text.register(f"load {kind.memory}, ptr {where}"),)


def _many(emitter: Emitter, node: Node, left: View, right: View) -> tuple[str, list[str], bool]:
    """How many products there are, the bytes from one matrix of each operand to the next, and
    whether there are several."""
    stacks = [len(view.sizes) == 3 for view in (left, right)]
    if not any(stacks):
        return "1", ["0", "0"], False
    if not isinstance(emitter.storage, Objects):
        raise NotLowered("products of stacks of matrices have no machine code")
    several = [view for view, is_stack in zip((left, right), stacks, strict=True) if is_stack]
    if any(view.is_reversed or view.is_transposed for view in several):
        raise NotLowered("products of matrices in another order have no machine code")
    apart, counts = [], []
    for view, operand, is_stack in zip((left, right), node.inputs, stacks, strict=True):
        kind = array_type(operand)
        assert kind is not None
        is_one = not is_stack or kind.shape[0] == 1
        apart.append("0" if is_one else view.steps[0])
        counts += [] if is_one else [view.sizes[0]]
    if len(counts) == 2 and counts[0] != counts[1]:
        text = emitter.text
        text.leave_if(text.register(f"icmp ne i64 {counts[0]}, {counts[1]}"), Exit.SHAPE)
    return counts[0] if counts else "1", apart, True


def _operand(emitter: Emitter, operand: object) -> View:
    assert isinstance(operand, Value)
    kind = array_type(operand)
    assert kind is not None
    found = view_of(emitter, operand, kind)
    if found.is_grown:
        raise NotLowered("the product of an array with a new axis has no machine code")
    return found


def _loop(node: Node) -> InnerLoop:
    """The inner loop for the types of a product.  Raises `NotLowered` if they differ."""
    dtypes = {type.dtype for operand in node.inputs if (type := array_type(operand)) is not None}
    kinds = {kind_of_dtype(dtype) for dtype in dtypes}
    kind = kinds.pop()
    if kinds or kind.family == "b":
        raise NotLowered("only products of two arrays of one dtype of numbers have machine code")
    dtype = np.dtype(f"{kind.family}{kind.itemsize}")
    function, data = loop_in_table(np.matmul, f"{dtype.char * 2}->{dtype.char}")
    if not function:
        raise NotLowered("the product has no inner loop of C")
    return InnerLoop(f"matmul_{dtype.char}", (kind, kind, kind), function, data)


def _result(emitter: Emitter, node: Node, sizes: list[str]) -> str:
    """The memory of the result."""
    type = array_type(node.output)
    if type is None:
        left = array_type(node.inputs[0])
        assert left is not None
        return emitter.text.local(kind_of_dtype(left.dtype).memory)
    made = arrays.allocated(emitter, type, sizes)
    unknown = [s for s, known in zip(sizes, type.shape, strict=True) if not isinstance(known, int)]
    emitter.held[node.output] = (*made, *unknown)
    emitter.ownership.define(node.output, made[arrays.OBJECT])
    return made[arrays.DATA]
