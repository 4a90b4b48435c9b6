"""Lists of different lengths, read for all elements at once.

    z = [..., ..., ...]      one list for each element        table: f64[n, longest, ...], lengths
    z[i]                     table[owners, i]                 if i is valid in each list
    len(z)                   lengths[owners]

`owners` are the rows of the table that belong to the elements of the batch.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ir.graph import Node, operand_type
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.tracing.tensor import apply
from runtime.transforms.vmap.values import Batched, ListBatched


def has_table(found: Any) -> bool:
    """Whether the replacement of a list has a table."""
    return isinstance(found, ListBatched) and found.table is not None


def read_table(batch: Any, node: Node, operands: Sequence[Any]) -> Batched:
    """The results of `list_get` or `list_length` for lists in a table."""
    stored: ListBatched = operands[0]
    assert stored.table is not None
    table, lengths = map(batch.tensor, stored.table)
    owners = batch.tensor(stored.owners)
    own = apply(find("take"), lengths, owners, axis=0)
    if node.op.name == "list_length":
        return batch.batched(own._value, node.output.type)
    index = batch.rule_operand(operands[1], operand_type(node.inputs[1]))
    places = np.where(np.less(index.tensor, 0), np.add(index.tensor, own), index.tensor)
    inside = np.logical_and(np.greater_equal(places, 0), np.less(places, own))
    attributes = {"error": IndexError, "arguments": ("list index out of range",)}
    apply(find("assert_"), apply(find("truth"), np.all(inside)), **attributes)
    found = apply(find("getitem"), table, owners, places, at=(Slot(0), Slot(1)))
    return batch.batched(found._value, node.output.type)
