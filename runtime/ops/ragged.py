"""Lists of different lengths as one array, in which all of them are read at once.

table, lengths = list_table(lists)      [[1, 2], [3]]  ->  [[1, 2], [3, 0]], [2, 1]
lists = list_tabled(table, lists)       the way back, which gradients take
"""

import numpy as np

from runtime.ir.derivative import Adjoint
from runtime.ir.op import Op, find
from runtime.ir.traits import Traits
from runtime.ir.types import TensorType
from runtime.ops.adjoint_lists import like


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
    "Of a list of lists of arrays of one shape an array, with zeros behind the shorter ones, and\n"
    "the lengths.",
    lambda lists, element: (
        TensorType(element.dtype, (None, None, *element.shape)),
        TensorType(np.dtype(np.intp), (None,)),
    ),
    _table,
    traits=Traits(linear=(0,)),
    derivative=Adjoint(lambda d, r, lists, element: (find("list_tabled")(d[0], lists),)),
)
list_tabled = Op(
    "list_tabled",
    "A table taken apart into lists like those that another one was made of.",
    lambda table, lists: lists,
    lambda xp, operands, attributes: [
        [like(x, item) for x, item in zip(row, items, strict=False)]
        for row, items in zip(*operands, strict=True)
    ],
    arity=2,
    traits=Traits(linear=(0,)),
    derivative=Adjoint(lambda d, r, table, lists: (_table_of(d, table), None)),
)


def _table_of(lists, table):
    element = TensorType(table.dtype, table.type.shape[2:])
    return find("list_table")(lists, element=element)[0]
