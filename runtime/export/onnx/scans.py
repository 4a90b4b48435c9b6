"""Loops over the rows of arrays as `Scan`: rows go in, carried values on, and stacked results out.

    for x in xs:                  Scan(h, xs): body(h, x) -> h, h
        h = tanh(w @ h + x)
        out.append(h)
    np.stack(out)                 the second result of the Scan

A loop has this form if it counts from 0 to the size of the first axis of each array that it reads
by the counter, if what it carries are tensors of fixed sizes, and lists that start empty, get one
element in each iteration, and are stacked.  All other loops are `Loop`s.

onnxruntime refuses a Scan of no rows.  Where only the run knows that there are some, the Scan is in
the branch of an `If`; the other one has the values from before the loop.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.export.onnx.writer import BOOL, Writer, value_info
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type, walk
from runtime.ir.regions import is_choice, is_loop
from runtime.ir.slot import Slot
from runtime.ir.types import INT, ListType, TensorType, Type

LARGEST = 2**63 - 1  # the limit of a counter that has none


@dataclass
class _Scan:
    """The parts of a loop: numbers of its variables, and nodes of its body."""

    node: Node
    counter: int
    rows: dict[Node, Value] = field(default_factory=dict)  # reads of rows, and their arrays
    appends: dict[int, Node] = field(default_factory=dict)  # of the lists, by variable
    states: list[int] = field(default_factory=list)
    shapes: dict[int, tuple[int, ...]] = field(default_factory=dict)  # of the elements of lists

    @property
    def body(self) -> Graph:
        return self.node.regions["body"]


def scan_of(writer: Writer, node: Node, around: Graph) -> list[str] | None:
    """The names of the results of a loop as a Scan; None if it has another form."""
    found = _parts_of(node, around)
    if found is None:
        return None
    is_certain = not isinstance(node.inputs[0], Value)
    inner = writer if is_certain else writer.region()
    results = _written(inner, found)
    kinds = [_kind_of_result(found, i) for i in range(len(node.outputs))]
    if not is_certain:
        results = _if_there_are_rows(writer, inner, found, results, kinds)
    for number in found.appends:
        writer.model.stacked[node.outputs[number]] = results[number], _reason(writer, found)
    return results


# -- the form of a loop ----------------------------------------------------------------------------


def _parts_of(node: Node, around: Graph) -> _Scan | None:
    body = node.regions["body"]
    makers = {value: one for one in body.nodes for value in one.outputs}
    if node.attributes.get("max_iterations") is not None:
        return None
    counter = _counter_of(node, makers)
    if counter is None:
        return None
    found = _Scan(node, counter)
    sizes = {
        one.outputs[0]: one.inputs[0]
        for one in walk(around)
        if one.op.name == "size" and one.attributes.get("axis") == 0
    }
    tests = _tests(body.outputs[0], list(walk(body)))
    following = body.outputs[1 + counter]
    limits = {
        _length(one.inputs[1], sizes) if _compares(one, "less", following) else None
        for one in tests
    } - {LARGEST}
    if len(limits) != 1 or None in limits:
        return None
    (length,) = limits
    if not _begins(node, length, sizes, around) or not _find_rows(found, length):
        return None
    return found if _find_variables(found, makers, around) else None


def _counter_of(node: Node, makers: dict[Value, Node]) -> int | None:
    """The number of the variable that counts from 0 by 1."""
    body = node.regions["body"]
    for number, value in enumerate(body.inputs):
        first, step = node.inputs[1 + number], makers.get(body.outputs[1 + number])  # type: ignore
        is_step = step is not None and step.op.name == "add" and step.inputs == (value, 1)
        if is_step and type(first) is int and first == 0:
            return number
    return None


def _tests(condition: Operand, nodes: list[Node]) -> list[Node]:
    """The comparisons that a condition is the conjunction of; an empty list if it is none."""
    maker = next((one for one in nodes if condition in one.outputs), None)
    if maker is None or not is_choice(maker):
        return [] if maker is None else [maker]
    then, orelse = maker.regions["then"], maker.regions["orelse"]
    if orelse.outputs != [False] or len(then.outputs) != 1:
        return []
    first = _tests(maker.inputs[0], nodes)
    second = first if then.outputs[0] is maker.inputs[0] else _tests(then.outputs[0], nodes)
    return [*first, *second] if first and second else []


def _compares(node: Node, name: str, operand: Operand) -> bool:
    return node.op.name == name and node.inputs[0] is operand


def _length(limit: Operand, sizes: dict[Value, Operand]) -> Any:
    """The length that a limit is: an int, the name of a size, or the array whose size it is."""
    if not isinstance(limit, Value):
        return limit if type(limit) is int else None
    array = sizes.get(limit)
    return None if array is None else _size(operand_type(array)) or array


def _begins(node: Node, length: Any, sizes: dict[Value, Operand], around: Graph) -> bool:
    """Whether there is a first iteration exactly if the length is above zero."""
    first = node.inputs[0]
    if not isinstance(first, Value):
        return bool(first) and type(length) is int and length > 0
    tests = _tests(first, list(walk(around)))
    if any(one.op.name != "greater" or one.inputs[1] != 0 for one in tests):
        return False
    return {_length(one.inputs[0], sizes) for one in tests} - {LARGEST} == {length}


def _find_rows(found: _Scan, length: Any) -> bool:
    counter = found.body.inputs[found.counter]
    for node in found.body.nodes:
        if node.op.name != "getitem" or node.inputs[1:] != (counter,):
            continue
        array, at = node.inputs[0], node.attributes.get("at")
        kind: Any = operand_type(array)
        is_row = at == (Slot(0),) and isinstance(array, Value) and array not in found.body.inputs
        if not is_row or not isinstance(kind, TensorType) or not kind.shape:
            continue
        if any(array in one.outputs for one in found.body.nodes):
            continue
        if array is length or kind.shape[0] == length:
            found.rows[node] = array
    return bool(found.rows)


def _size(kind: Any) -> Any:
    """The size of the first axis of an array, or its name."""
    return kind.shape[0] if isinstance(kind, TensorType) and kind.shape else None


def _find_variables(found: _Scan, makers: dict[Value, Node], around: Graph) -> bool:
    """Whether each variable is a tensor of fixed sizes, or a list that is stacked."""
    for number, value in enumerate(found.body.inputs):
        if isinstance(value.type, ListType):
            append = _append_to(found, number, makers, around)
            if append is None:
                return False
            found.appends[number] = append
            found.shapes[number] = tuple(value.type.element.shape)  # type: ignore[arg-type]
        elif all(isinstance(size, int) for size in getattr(value.type, "shape", ())):
            found.states.append(number)
        else:
            return False
    return True


def _append_to(found: _Scan, number: int, makers: dict, around: Graph) -> Node | None:
    """The node that appends an element in each iteration to a list that is then stacked."""
    value, node = found.body.inputs[number], found.node
    start, result = node.inputs[1 + number], node.outputs[number]
    append = makers.get(found.body.outputs[1 + number])
    if append is None or append.op.name != "list_append" or append.inputs[0] is not value:
        return None
    if not all(isinstance(size, int) for size in value.type.element.shape):  # type: ignore
        return None
    made = [one for one in walk(around) if start in one.outputs]
    if len(made) != 1 or made[0].op.name != "list_new" or made[0].inputs:
        return None
    if _uses(around, value) != [append] or _uses(around, append.outputs[0]):
        return None
    if found.body.outputs.count(append.outputs[0]) != 1 or result in around.outputs:
        return None
    users = _uses(around, result)
    return append if users and all(map(_stacks, users)) and _uses(around, start) == [node] else None


def _stacks(node: Node) -> bool:
    if node.op.name == "list_joined":
        return node.attributes["by"] == "stack" and dict(node.attributes["given"]) == {}
    return node.op.name == "list_stack"


def _uses(graph: Graph, value: Operand) -> list[Node]:
    """The nodes that use a value; one whose region returns it, too."""
    return [
        node
        for node in walk(graph)
        if value in node.inputs
        or any(value in one.outputs for one in node.regions.values() if not is_loop(node))
    ]


# -- writing ---------------------------------------------------------------------------------------


def _written(writer: Writer, found: _Scan) -> list[str]:
    """The names of the results of the Scan, one for each variable of the loop."""
    node, body, inner = found.node, found.body, writer.region()
    kinds = [value.type for value in node.outputs]
    infos = []
    for number in found.states:
        value = body.inputs[number]
        inner.model.names[value] = inner.model.fresh(value.hint)
        infos.append(value_info(inner.model.names[value], value.type))
    for row in found.rows:
        name = inner.model.fresh(row.outputs[0].hint)
        inner.model.names[row.outputs[0]] = name
        infos.append(value_info(name, row.outputs[0].type))
    inner.write(Graph(body.name, body.inputs, _nodes_of(found)))
    outputs = [(inner.converted(body.outputs[1 + i], kinds[i]), kinds[i]) for i in found.states]
    for number, append in found.appends.items():
        element = kinds[number].element  # type: ignore[attr-defined]
        outputs.append((inner.converted(append.inputs[1], element), element))
    graph = inner.graph("body", infos, outputs)
    start = [writer.converted(node.inputs[1 + i], kinds[i]) for i in found.states]
    arrays = [writer.read(array) for array in found.rows.values()]
    order = [*found.states, *found.appends]
    names = {i: writer.model.fresh(node.outputs[i].hint) for i in order}
    writer.nodes(
        "Scan",
        [*start, *arrays],
        [names[i] for i in order],
        body=graph,
        num_scan_inputs=len(arrays),
    )
    return [names[i] for i in range(len(node.outputs))]


def _nodes_of(found: _Scan) -> list[Node]:
    """The nodes of the body, without reads of rows, appends, and what only the test needs."""
    left_out = {*found.rows, *found.appends.values()}
    nodes = [one for one in found.body.nodes if one not in left_out]
    kept = {*found.body.outputs[1:], *(one.inputs[1] for one in found.appends.values())}
    for one in reversed(nodes[:]):
        if _is_of_test(one) and kept.isdisjoint(one.outputs):
            nodes.remove(one)
            continue
        inner = [part for region in one.regions.values() for part in walk(region)]
        kept.update(value for part in (one, *inner) for value in part.inputs)
        kept.update(
            value for part in (one, *inner) for r in part.regions.values() for value in r.outputs
        )
    return nodes


def _is_of_test(node: Node) -> bool:
    if node.op.name == "less":
        return True
    inside = [part for region in node.regions.values() for part in walk(region)]
    return is_choice(node) and all(map(_is_of_test, inside))


def _if_there_are_rows(
    writer: Writer, inner: Writer, found: _Scan, results: list[str], kinds: list[Type]
) -> list[str]:
    node, other = found.node, writer.region()
    before = [
        other.constant(np.zeros((0, *found.shapes[i])), kinds[i].dtype)  # type: ignore[attr-defined]
        if i in found.appends
        else other.converted(node.inputs[1 + i], kinds[i])
        for i in range(len(kinds))
    ]
    return writer.nodes(
        "If",
        [writer.cast(node.inputs[0], BOOL)],
        [writer.model.fresh(value.hint) for value in node.outputs],
        then_branch=inner.graph("rows", [], zip(results, kinds, strict=True)),
        else_branch=other.graph("no_rows", [], zip(before, kinds, strict=True)),
    )


def _kind_of_result(found: _Scan, number: int) -> Type:
    kind = found.node.outputs[number].type
    if number not in found.appends:
        return INT if number == found.counter else kind
    return TensorType(kind.element.dtype, (None, *found.shapes[number]))  # type: ignore


def _reason(writer: Writer, found: _Scan) -> str | None:
    """The condition that a run has rows; None if it is certain."""
    first = found.node.inputs[0]
    return writer.cast(first, BOOL) if isinstance(first, Value) else None
