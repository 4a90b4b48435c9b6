"""Ragged arrays: lists of different lengths, padded to one array.

table, lengths = list_table(lists)      [[1, 2], [3]]  ->  [[1, 2], [3, 0]], [2, 1]
lists = list_tabled(table, lists)       the inverse, which gradients use
"""

import numpy as np

from runtime.ir.derivative import Adjoint
from runtime.ir.op import Op, find
from runtime.ir.traits import Traits
from runtime.ir.types import TensorType, type_of
from runtime.ops.adjoint_lists import like
from runtime.ops.examples import ITEMS, MATRIX, SCALAR, call


def _table(xp, operands, attributes):
    (lists,) = operands
    element = attributes["element"]
    lengths = xp.array([len(items) for items in lists], np.intp)
    table = xp.zeros((len(lists), max(map(len, lists), default=0), *element.shape), element.dtype)
    for row, items in zip(table, lists, strict=True):
        if items:
            row[: len(items)] = items
    return table, lengths


list_table = Op(
    "list_table",
    "A list of lists of arrays of one shape as one array, with shorter lists padded by zeros, and\n"
    "the lengths.",
    lambda lists, element: (
        TensorType(element.dtype, (None, None, *element.shape)),
        TensorType(np.dtype(np.intp), (None,)),
    ),
    _table,
    traits=Traits(linear=(0,)),
    derivative=Adjoint(lambda d, r, lists, element: (find("list_tabled")(d[0], lists),)),
    examples=lambda: [call([ITEMS, ITEMS[:1]], element=type_of(SCALAR))],
)
list_tabled = Op(
    "list_tabled",
    "A padded array split into lists with the lengths and types of the given ones.",
    lambda table, lists: lists,
    lambda xp, operands, attributes: [
        [like(x, item) for x, item in zip(row, items, strict=False)]
        for row, items in zip(*operands, strict=True)
    ],
    arity=2,
    traits=Traits(linear=(0,)),
    derivative=Adjoint(lambda d, r, table, lists: (_table_of(d, table), None)),
    examples=lambda: [call(MATRIX[:, :2], [ITEMS[:2], ITEMS[:1]])],
)


def _table_of(lists, table):
    kind = getattr(table, "type", None) or type_of(table)
    element = TensorType(table.dtype, kind.shape[2:])
    return find("list_table")(lists, element=element)[0]
