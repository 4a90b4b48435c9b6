"""Batches of batches: a mapped function that maps another one.

    vmap(vmap(f))(x)     x: f64[n, m]      f is traced once, as the region of a node `mapped`;
                                           replayed for n batches, it is replayed for n * m elements

So branches and loops inside `f` may go a different way for each of the n * m elements.  Elements
that go the same way are computed together, even if they belong to different batches.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ir.graph import Node, Operand, Value, captures, operand_type, substitute
from runtime.ir.op import find
from runtime.ir.types import ListType, Type
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor
from runtime.transforms.replay import TracedFunction
from runtime.transforms.vmap.interpreter import BatchInterpreter
from runtime.transforms.vmap.values import Batched, batched_type, varies

# The op of an inner `vmap`.
MAPPED = {"mapped"}


def record_mapped(function: TracedFunction, rows: list[Value]) -> list[Any]:
    """Records a function that is mapped over `rows` as one node; returns its batched outputs."""
    region = function.region
    inside = {node_output for node in region.nodes for node_output in node.outputs}
    inside.update(region.inputs)
    outputs = region.outputs
    region.outputs = [o for o in outputs if o in inside]
    around = captures(region)
    own = {value: Value(value.type, value.hint) for value in around}
    substitute(region, own)
    region.inputs += own.values()
    for operand in region.outputs:
        batched_type(operand_type(operand), None)
    results = iter(
        trace.current().record(
            find("mapped"),
            (*rows, *around),
            {"count": len(rows)},
            {"body": region},
            [value.hint for value in region.outputs],
        )
    )
    return [Batched(next(results), operand_type(o)) if o in inside else o for o in outputs]


def nested(batch: BatchInterpreter, node: Node) -> Sequence[Any]:
    """Replays a `mapped` node for a batch of batches."""
    count, body = node.attributes["count"], node.regions["body"]
    operands = tuple(map(batch.read, node.inputs))
    rows, shared = operands[:count], operands[count:]
    kinds = [value.type for value in body.inputs]
    if not any(map(varies, operands)):
        return mapped(batch, node, operands)
    spread = [batch.as_batched(r, i.type).value for r, i in zip(rows, node.inputs, strict=False)]
    each = _size(batch, spread[0], 1)
    flat = batch.of_size(_product(batch, batch.size, each))
    known = [
        flat.batched(_joined(flat, row), kind) for row, kind in zip(spread, kinds, strict=False)
    ]
    owners = _owners(flat, each)
    others = zip(shared, kinds[count:], strict=True)
    known += [batch.gather(found, kind, owners, flat.known_size) for found, kind in others]
    flat.known.update(zip(body.inputs, known, strict=True))
    found = zip(flat.run(body), body.outputs, node.outputs, strict=True)
    return [
        Batched(
            _parted(batch, flat.as_batched(one, operand_type(o)).value, operand_type(o), each),
            v.type,
        )
        for one, o, v in found
    ]


def mapped(batch: BatchInterpreter, node: Node, operands: Sequence[Operand]) -> list[Value]:
    """The results for an inner batch that is the same for all elements of the outer one."""
    count, body = node.attributes["count"], node.regions["body"]
    inner = batch.of_size(_size(batch, operands[0]))
    for i, (value, operand) in enumerate(zip(body.inputs, operands, strict=True)):
        inner.known[value] = Batched(operand, value.type) if i < count else operand
    pairs = zip(inner.run(body), body.outputs, strict=True)
    return [inner.as_batched(found, operand_type(o)).value for found, o in pairs]


def _size(batch, rows, axis=0):
    """The number of elements along an axis."""
    known = rows.type.shape[axis]
    return known if isinstance(known, int) else batch.record("size", rows, axis=axis)


def _product(batch, one, other):
    if isinstance(one, Value) or isinstance(other, Value):
        return batch.record("multiply", one, other)
    return one * other


def _joined(flat, rows):
    """The elements of all inner batches along one axis."""
    tensor = flat.tensor(rows)
    return flat.reshaped(tensor, tensor.shape[2:])._value


def _owners(flat: BatchInterpreter, each: Operand) -> Value:
    """For each element, the index of its inner batch."""
    return np.floor_divide(flat.indices(), flat.tensor(each))._value


def _parted(batch: BatchInterpreter, value: Value, kind: Type, each: Operand) -> Value:
    """Results of all elements along one axis, as batches of batches."""
    if isinstance(kind, ListType):
        size = each if isinstance(each, int) else None
        made = _list_type(kind.element, batch.known_size, size)
        return batch.each_item(value, made, lambda x: _parted(batch, x, kind.element, each))
    tensor = Tensor(value, batch.recorder.region)
    return batch.reshaped(tensor, (batch.tensor(each), *tensor.shape[1:]))._value


def _list_type(element, outer, inner):
    return batched_type(batched_type(element, inner), outer)
