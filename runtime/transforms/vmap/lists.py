"""Lists, for a whole batch: each item is batched, and all elements have lists of one length.

    z.append(x)       list[f64[n]]       one list, of arrays with the batch along their first axis
    z[i]              np.stack(z)[i]     if i differs between elements
    np.stack(z)       the items along the axis after the batch

Lists of different lengths are handled element by element (`unrolled.py`).
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Node
from runtime.ir.op import Op, find
from runtime.ir.slot import Slot
from runtime.ir.types import ListType, PythonType, TensorType
from runtime.tracing.tensor import Tensor, apply, record_op
from runtime.transforms.vmap.interpreter import BatchInterpreter
from runtime.transforms.vmap.values import Batched, RuleOperand, batched_type


def _applied(op: Op, *operands: Any, **attributes: Any) -> Any:
    """Records an op; a tuple that is an item stays one value."""
    found = tuple(Tensor(*one) for one in record_op(op, operands, attributes))
    return found[0] if len(found) == 1 else found


def _as_batched(batch, one):
    value = one.tensor._value if isinstance(one.tensor, Tensor) else one.tensor
    found = Batched(value, one.type) if one.is_batched else value
    return batch.tensor(batch.as_batched(found, one.type).value)


def _item(batch, one, element):
    """An item as a batched value, of the exact type of a list's items."""
    return batch.tensor(batch.batched(_as_batched(batch, one)._value, element).value)


def _new(batch: BatchInterpreter, node: Node, given: list[RuleOperand]) -> Any:
    element = node.attributes["element"]
    items = [_item(batch, one, element) for one in given]
    return _applied(node.op, *items, element=batched_type(element, batch.known_size))


def _append(batch, node, given):
    items, item = given
    return _applied(node.op, _as_batched(batch, items), _item(batch, item, items.type.element))


def _length(batch, node, given):
    return RuleOperand(_applied(node.op, given[0].tensor), node.output.type, False)


def _get(batch, node, given):
    items, index = given
    if not index.is_batched:
        return _applied(node.op, items.tensor, index.tensor)
    stacked, kind = _stacked_items(items)
    if stacked is None:
        return NotImplemented
    rank = kind.ndim
    if not items.is_batched:
        return apply(find("getitem"), stacked, index.tensor, at=(Slot(0),))
    at = (Slot(0), Slot(1), *[slice(None)] * rank)
    return apply(find("getitem"), stacked, index.tensor, batch.indices(), at=at)


def _stacked_items(items):
    """The items of a list in one array."""
    kind = items.type.element
    if not isinstance(kind, (TensorType, PythonType)):
        return None, kind
    element = items.tensor.type.element
    element = element if isinstance(element, TensorType) else TensorType(kind.dtype)
    return _applied(find("list_stack"), items.tensor, element=element), kind


def _set(batch, node, given):
    items, index, item = given
    rows = _item(batch, item, items.type.element)
    items = RuleOperand(_as_batched(batch, items), items.type, True)
    if not index.is_batched:
        return _applied(node.op, items.tensor, index.tensor, rows)
    stacked, kind = _stacked_items(items)
    if stacked is None:
        return NotImplemented
    at = (Slot(0), Slot(1), *[slice(None)] * kind.ndim)
    changed = apply(find("setitem"), stacked, rows, index.tensor, batch.indices(), at=at)
    return _applied(find("list_of"), changed)


def _pop(batch, node, given):
    items, index = given
    if index.is_batched:
        return NotImplemented
    return _applied(node.op, items.tensor, index.tensor)


def _stack(batch, node, given):
    (items,) = given
    element = batched_type(node.attributes["element"], batch.known_size)
    if batch.known_size is None:
        return _stacked_in_run(batch, items, node.attributes["element"])
    return np.swapaxes(_applied(node.op, items.tensor, element=element), 0, 1)


def _stacked_in_run(batch, items, element):
    """The items as one array; the items of an empty list do not tell the size of the batch."""
    kind = batched_type(element, None)
    value = items.tensor._value
    length = batch.record("list_length", value)

    def filled():
        stacked = batch.record("list_stack", value, element=kind)
        swapped = batch.record("swapaxes", stacked, axis1=0, axis2=1)
        return [batch.record("relax", swapped, shape=(None, None, *element.shape))]

    def empty():
        sizes = [size if isinstance(size, int) else 0 for size in element.shape]
        shape, dtype = (None, 0, *sizes), element.dtype
        made = batch.record("full", 0, batch.size, shape=shape, dtype=dtype)
        return [batch.record("relax", made, shape=(None, None, *element.shape))]

    is_filled = batch.record("greater", length, 0)
    return batch.tensor(batch.branches(is_filled, filled, empty)[0])


def _of_array(batch, node, given):
    return _applied(node.op, np.swapaxes(given[0].tensor, 0, 1))


def _cast(batch, node, given):
    (items,) = given
    wanted = node.attributes["element"]
    kind = batched_type(wanted, batch.known_size)
    return batch.tensor(
        batch.each_item(items.tensor._value, kind, lambda item: batch.batched(item, wanted).value)
    )


ORDERINGS = {"__add__", "__delitem__", "__getitem__", "__mul__", "insert", "reverse"}


def _made(batch, node, given):
    items, *others = given
    by = node.attributes["by"]
    indices = others if by in ("__delitem__", "__getitem__", "__mul__") else others[:-1]
    if by not in ORDERINGS or any(one.is_batched for one in indices):
        return NotImplemented
    tensors = [_as_batched(batch, items)]
    element = items.type.element
    for i, one in enumerate(others):
        is_content = by == "__add__" or by == "insert" and i == len(others) - 1
        if not is_content:
            tensors.append(one.tensor)
        else:
            is_list = isinstance(one.type, ListType)
            tensors.append(_as_batched(batch, one) if is_list else _item(batch, one, element))
    return _applied(node.op, *tensors, **node.attributes)


def _sum(batch, node, given):
    items, start = given
    kind, value = node.attributes["type"], items.tensor._value
    length = batch.record("list_length", value)

    def added(total, item):
        if not isinstance(kind, PythonType):
            return batch.record("add", total, item)
        return batch.record("scalars", total, item, by="add", kinds=(kind, kind), types=(kind,))

    def iteration(i, total):
        item = batch.batched(batch.record("list_get", value, i), kind).value
        total = batch.batched(added(total, item), kind).value
        i = batch.record("add", i, 1)
        return batch.record("less", i, length), i, total

    more = batch.record("greater", length, 0)
    first = _item(batch, start, kind)._value
    return batch.tensor(batch.repeat(more, (0, first), iteration)[1])


def _pack(batch, node, given):
    return _applied(node.op, *[_as_batched(batch, one) for one in given])


def _unpack(batch, node, given):
    return _applied(node.op, given[0].tensor)


def _like(batch, node, given):
    """Ops of gradients that change a list at an index that is the same for all elements."""
    if any(one.is_batched and not isinstance(one.type, ListType) for one in given[1:2]):
        return NotImplemented
    items, *rest = given
    tensors = [_as_batched(batch, items), *(one.tensor for one in rest[:1])]
    tensors += [_item(batch, one, items.type.element) for one in rest[1:]]
    return _applied(node.op, *tensors)


def _added(batch, node, given):
    return _applied(node.op, *(_as_batched(batch, one) for one in given))


LIST_RULES = {  # op names: a rule for each
    **dict.fromkeys(
        ("list_zeros", "list_add_at", "list_zero_at", "list_dropped", "list_restored"),
        _like,
    ),
    "list_add": _added,
    "list_new": _new,
    "list_append": _append,
    "list_length": _length,
    "list_get": _get,
    "list_set": _set,
    "list_pop": _pop,
    "list_stack": _stack,
    "batch_stack": _stack,
    "list_of": _of_array,
    "list_cast": _cast,
    "list_made": _made,
    "list_sum": _sum,
    "pack": _pack,
    "unpack": _unpack,
}
