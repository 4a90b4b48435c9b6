"""Products of matrices and vectors: calls of the inner loop of `np.matmul`, which calls BLAS.

    y = X @ w       DOUBLE_matmul([X, w, y], [1, m, n, 1], steps, data)

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
from runtime.engines.native.ufunc_loops import loop_in_table
from runtime.engines.native.views import View, times, view_of
from runtime.ir.graph import Node, Value

NAMES = ("matmul", "dot")


def is_product(node: Node) -> bool:
    """Whether a node multiplies arrays of one or two dimensions."""
    if node.op.name not in NAMES or node.attributes:
        return False
    types = [array_type(operand) for operand in node.inputs]
    if len(types) != 2 or None in types:
        return False
    most = 1 if node.op.name == "dot" else 2
    return all(type is not None and type.ndim <= most for type in types)


def write_product(emitter: Emitter, node: Node) -> None:
    """The lowering of a product."""
    left, right = (_operand(emitter, operand) for operand in node.inputs)
    loop = _loop(node)
    is_row, is_column = len(left.sizes) == 1, len(right.sizes) == 1
    m, n = ("1", left.sizes[0]) if is_row else left.sizes
    inner, p = (right.sizes[0], "1") if is_column else right.sizes
    if inner != n:
        emitter.text.leave_if(emitter.text.register(f"icmp ne i64 {inner}, {n}"), Exit.SHAPE)
    sizes = [size for size, gone in ((m, is_row), (p, is_column)) if not gone]
    where = _result(emitter, node, sizes)
    item = str(loop.kinds[-1].itemsize)
    steps = ["0", "0", "0"]
    steps += ["0", left.steps[0]] if is_row else [*left.steps]
    steps += [right.steps[0], "0"] if is_column else [*right.steps]
    steps += ["0" if is_row else item if is_column else times(emitter.text, item, p)]
    steps += ["0" if is_column else item]
    addresses = [left.address, right.address, where]
    emitter.text.count_work(arrays.product(emitter.text, [m, n, p]))
    kind, is_matrix = loop.kinds[-1], not (is_row or is_column)
    if kind.is_integer and is_matrix and integer_products.has_rows(right, kind, p):
        integer_products.write(emitter.text, kind, left, right, where, [m, n, p])
        return
    loop.call_with(emitter.text, addresses, ["1", m, n, p], steps)
    if array_type(node.output) is None:
        emitter.held[node.output] = (emitter.text.register(f"load {kind.memory}, ptr {where}"),)


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
