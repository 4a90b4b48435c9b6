"""A graph as dictionaries and lists that JSON supports, similar to TensorFlow's GraphDef.

    graph.as_graph_def()

    {"name": "f",
     "node": [{"name": "x", "op": "placeholder", "input": [], "attr": {...}},
              {"name": "layer/y", "op": "multiply", "input": ["x", 2.0], "attr": {...},
               "source": {"file": "model.py", "line": 7, "function": "f"}},
              {"name": "cond", "op": "cond", "input": ["p"],
               "attr": {"then": {"func": "then"}, "orelse": {"func": "orelse"}, ...}}],
     "output": ["cond:0"],
     "library": {"function": [{"name": "then", "node": [...], "output": [...]}, ...]}}

A node has the name of its value in the printed graph, after its name scope; a node with several
results is named after its op, and they are `cond:0`, `cond:1`.  An input is a name or a Python
scalar.  `attr` has the op's attributes, and `_output_dtypes` and `_output_shapes`: a size is an
int, a name, or None if it is unknown; a list has the shape None and a dtype like `list[f64]`.

The regions of a node are functions of the library.  ValueNames are unique throughout, so a function
names the values of the graphs around it as they do, and lists them as `captures`.
"""

import math
from typing import Any

import numpy as np

from runtime.ir.graph import Graph, Node, Operand, Value, captures, presents_graphs
from runtime.ir.text import ValueNames, attribute_text, names_in_text
from runtime.ir.types import ListType, TensorType, TupleType, Type

VERSION = 1


@presents_graphs("graph_def")
def graph_def(graph: Graph) -> dict[str, Any]:
    """The graph as a dictionary that JSON supports."""
    writer = _Writer(graph)
    shown = writer.function(graph, graph.name)
    return {**shown, "library": {"function": writer.library}, "versions": {"producer": VERSION}}


class _Writer:
    def __init__(self, graph):
        self._values: ValueNames = names_in_text(graph)
        self._names: dict[Value, str] = {}
        self.library: list[dict] = []

    def function(self, graph, name):
        """A graph or region: its inputs and other nodes, and its outputs."""
        nodes = [self._placeholder(value) for value in graph.inputs]
        nodes += [self._node(node) for node in graph.nodes]
        return {"name": name, "node": nodes, "output": [self._operand(o) for o in graph.outputs]}

    def _placeholder(self, value):
        self._names[value] = name = self._values[value]
        return {"name": name, "op": "placeholder", "input": [], "attr": _outputs((value,))}

    def _node(self, node: Node):
        inputs = [self._operand(o) for o in node.inputs]
        attributes = {key: plain(value) for key, value in node.attributes.items()}
        for key, region in node.regions.items():
            attributes[key] = {"func": self._region(key, region)}
        shown = {
            "name": self._name(node),
            "op": node.op.name,
            "input": inputs,
            "attr": {**attributes, **_outputs(node.outputs)},
        }
        if node.location is not None:
            at = node.location
            shown["source"] = {"file": at.filename, "line": at.lineno, "function": at.function}
        return shown

    def _region(self, key, region):
        name = self._values.fresh(key)
        around = [self._names[value] for value in captures(region)]
        place = len(self.library)
        self.library.append({})
        self.library[place] = {**self.function(region, name), "captures": around}
        return name

    def _name(self, node):
        """The name of a node, which its results get, too."""
        scope = f"{node.scope}/" if node.scope else ""
        if len(node.outputs) == 1:
            name = scope + self._values[node.output]
            self._names[node.output] = name
            return name
        name = scope + self._fresh(node.op.name)
        self._names.update((value, f"{name}:{i}") for i, value in enumerate(node.outputs))
        return name

    def _fresh(self, stem):
        return self._values.fresh(stem)

    def _operand(self, operand: Operand):
        return self._names[operand] if isinstance(operand, Value) else plain(operand)


def _outputs(values):
    kinds = [value.type for value in values]
    return {
        "_output_dtypes": [_dtype(kind) for kind in kinds],
        "_output_shapes": [_shape(kind) for kind in kinds],
    }


def _shape(kind: Type) -> list[int | str | None] | None:
    """The sizes of a type; None for lists and tuples, which have no shape."""
    return None if isinstance(kind, ListType | TupleType) else list(kind.shape)


def _dtype(kind: Type) -> str:
    """The NumPy name of an array's dtype; any other type as a string."""
    return kind.dtype.name if isinstance(kind, TensorType) else str(kind)


def plain(value: Any) -> Any:
    """An attribute as JSON supports it; {"text": ...} is the attribute in the printed graph."""
    match value:
        case None | bool() | int() | str():
            return value
        case float() if math.isfinite(value):
            return value
        case tuple() | list():
            return [plain(part) for part in value]
        case np.ndarray() | np.generic():
            elements = [plain(part) for part in np.ravel(value).tolist()]
            return {"dtype": value.dtype.name, "shape": list(value.shape), "value": elements}
        case np.dtype():
            return value.name
    return {"text": attribute_text(value)}
