"""A graph as TensorBoard's GraphDef, in which regions are scopes: boxes that open.

    x_1 = loop(p, x, body=body)         loop.1                  the results: x_1 is loop.1:0
                                        loop.1/body/x_2         starts as x, goes on as x_3
                                        loop.1/body/x_3.tanh    ... and the nodes of the body

    y = cond(p, then=then, ...)         cond.1, cond.1/then/..., cond.1/orelse/...

GraphDef has functions, too (`observability/graph_def.py` uses them), but TensorBoard does not show
which branch calls which.  Here an edge leads into a region, as the value does.  A node has its
shapes, its text in the printed graph (`text`), and the user's line (`line`, `source`).
"""

import linecache
from collections.abc import Iterator
from typing import Any

from tensorboard.compat.proto.attr_value_pb2 import AttrValue
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto

from runtime.ir.graph import Graph, Location, Node, Operand, Value
from runtime.ir.regions import RegionFlow
from runtime.ir.text import ValueNames, names_in_text, statement
from runtime.ir.types import Type

INPUT, CARRIED, OUTPUT = "input", "carried", "output"  # ops of nodes that no graph has
PRODUCER = 22  # the version of GraphDef that these fields belong to


class GraphProto:
    """A graph as `definition`, a GraphDef; `names` has the name of each node in it."""

    def __init__(self, graph: Graph) -> None:
        self.definition = GraphDef()
        self.definition.versions.producer = PRODUCER
        self.names: dict[Node, str] = {}
        self._texts: ValueNames = names_in_text(graph)
        self._numbers: dict[str, int] = {}
        self._ends: dict[Value, str] = {}  # what an edge from a value starts with
        for value in graph.inputs:
            self._begin(value, "", INPUT, [])
        self._add_nodes(graph, "")
        for i, operand in enumerate(graph.outputs):
            added = self.definition.node.add(name=f"output_{i}", op=OUTPUT)
            added.input.extend(self._edges([operand]))

    def _begin(self, value: Value, scope: str, op: str, inputs: list[str]) -> Any:
        """Adds the node of an input."""
        name = scope + self._texts[value]
        self._ends[value] = name
        added = self.definition.node.add(name=name, op=op)
        added.input.extend(inputs)
        _add_shapes(added, [value.type])
        return added

    def _add_nodes(self, graph: Graph, scope: str) -> None:
        last = None  # the last node with an effect: the next one comes after it
        for node in graph.nodes:
            name = self._named(node, scope)
            inside = [*self._regions(node, name)]
            added = self.definition.node.add(name=name, op=node.op.name)
            added.input.extend(dict.fromkeys([*self._edges(node.inputs), *inside]))
            if node.op.effect is not None:
                added.input.extend([f"^{last}"] if last else [])
                last = name
            _add_shapes(added, [value.type for value in node.outputs])
            added.attr["text"].s = statement(node, {}, self._texts).encode()
            for key, shown in _source(node.location):
                added.attr[key].s = shown.encode()

    def _named(self, node: Node, scope: str) -> str:
        """The name of a node: its result and op (`x_2.tanh`), or its op and a number."""
        scope += f"{node.scope}/" if node.scope else ""
        if len(node.outputs) == 1 and not node.regions:
            name = f"{scope}{self._texts[node.output]}.{node.op.name}"
            self._ends[node.output] = name
        else:
            self._numbers[node.op.name] = number = self._numbers.get(node.op.name, 0) + 1
            name = f"{scope}{node.op.name}.{number}"
            self._ends.update((value, f"{name}:{i}") for i, value in enumerate(node.outputs))
        self.names[node] = name
        return name

    def _regions(self, node: Node, name: str) -> Iterator[str]:
        """Adds the regions of a node; the edges from their results to it."""
        flows = node.op.control_flow.regions if node.op.control_flow is not None else {}
        for role, region in node.regions.items():
            flow = flows.get(role, RegionFlow())
            scope = f"{name}/{role}/"
            op = INPUT if flow.carried is None else CARRIED
            given = node.inputs[flow.inputs :] if flow.inputs is not None else ()
            begun = [self._begin(value, scope, op, []) for value in region.inputs]
            for added, operand in zip(begun, given, strict=False):
                added.input.extend(self._edges([operand]))
            self._add_nodes(region, scope)
            if flow.carried is not None:
                for added, operand in zip(begun, region.outputs[flow.carried :], strict=False):
                    added.input.extend(self._edges([operand]))
            yield from self._edges(region.outputs)

    def _edges(self, operands: Any) -> list[str]:
        """The edges from operands; a constant has none, and is shown in the text of the node."""
        ends: list[Operand] = [o for o in operands if isinstance(o, Value)]
        return list(dict.fromkeys(self._ends[value] for value in ends))


def _source(location: Location | None) -> Iterator[tuple[str, str]]:
    """The user's line: where it is, and what it says."""
    if location is None:
        return
    yield "line", f"{location.short}:{location.lineno}"
    if location.function:
        yield "function", location.function
    text = linecache.getline(location.filename, location.lineno).strip()
    if text:
        yield "source", text


def _add_shapes(added: Any, kinds: list[Type]) -> None:
    """The shapes and types of the results of a node; sizes that are not known are -1."""
    shapes = AttrValue.ListValue(shape=[_shape(kind) for kind in kinds])
    added.attr["_output_shapes"].list.CopyFrom(shapes)
    added.attr["types"].s = ", ".join(map(str, kinds)).encode()


def _shape(kind: Type) -> TensorShapeProto:
    if not hasattr(kind, "shape"):
        return TensorShapeProto(unknown_rank=True)
    sizes = [n if isinstance(n, int) else -1 for n in kind.shape]
    return TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in sizes])
