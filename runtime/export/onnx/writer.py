"""The nodes of an ONNX model, while they are being made from those of a graph.

A `Writer` writes one graph of the model.  The writers of its regions share its names and constants,
and may use its values, as regions of graphs do.
"""

import linecache
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from runtime.errors import ExportError
from runtime.export.onnx.kinds import ELEMENTS, is_representable, proto_of
from runtime.export.onnx.local_functions import Group, LocalFunctions, call_of
from runtime.export.onnx.rules import RULES
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.types import ListType, PythonType, Type

INT64 = np.dtype(np.int64)
FLOAT64 = np.dtype(np.float64)
BOOL = np.dtype(bool)


@dataclass
class Model:
    """Names and constants of a whole model, and the options of the export."""

    name: str
    drop_asserts: bool = False
    names: dict[Value, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    constants: dict[tuple, str] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)  # the constants, by their names
    functions: LocalFunctions = field(default_factory=LocalFunctions)
    refusals: list[ExportError] = field(default_factory=list)
    # Lists of which a loop has made one array: its name, and a condition that it has rows, or None.
    stacked: dict[Value, tuple[str, str | None]] = field(default_factory=dict)

    def fresh(self, hint: str) -> str:
        """A name that is not used yet."""
        name, number = hint, 0
        while name in self.used:
            number += 1
            name = f"{hint}_{number}"
        self.used.add(name)
        return name

    def constant(self, array: np.ndarray, hint: str = "constant", is_operand: bool = False) -> str:
        """The name of a constant, which the model holds once.

        An operand of the user's program, `is_operand`, and an equal one of a rule have two names.
        """
        key = array.dtype.str, array.shape, array.tobytes(), is_operand
        if key not in self.constants:
            self.constants[key] = self.fresh(hint)
            self.arrays[self.constants[key]] = array
        return self.constants[key]

    def initializers(self, graph: list[NodeProto]) -> list[TensorProto]:
        """The constants that the nodes of the model use, with those in their graphs."""
        used = {name for node in nodes_of(graph) for name in node.input}
        return [
            numpy_helper.from_array(array, name)
            for name, array in self.arrays.items()
            if name in used
        ]


def nodes_of(nodes: Any) -> Iterator[NodeProto]:
    """Nodes, and those of the graphs in them."""
    for node in nodes:
        yield node
        for part in node.attribute:
            if part.HasField("g"):
                yield from nodes_of(part.g.node)


class Writer:
    """Writes the nodes of one graph of a model."""

    def __init__(self, model: Model):
        self.model = model
        self.protos: list[NodeProto] = []
        self.graph_around: Graph | None = None  # which is being written
        self._source: Node | None = None
        self._operands: dict[str, None] = {}  # names that the rule of a node has read

    # -- nodes ---------------------------------------------------------------------------------

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """The name of the result of a new node."""
        return self.nodes(operator, inputs, [self.model.fresh(self._hint())], **attributes)[0]

    def nodes(self, operator: str, inputs: Any, outputs: list[str], **attributes: Any) -> list[str]:
        """The names of the results of a new node that has several."""
        proto = helper.make_node(
            operator, list(inputs), outputs, name=outputs[0], doc_string=self._doc(), **attributes
        )
        self.protos.append(proto)
        return outputs

    def _hint(self) -> str:
        return "value" if self._source is None else self._source.op.name

    def _doc(self) -> str:
        where = None if self._source is None else self._source.location
        if where is None:
            return ""
        line = linecache.getline(where.filename, where.lineno).strip()
        return f"{where.short}:{where.lineno}: {line}"

    def write(self, graph: Graph) -> None:
        """Writes the nodes of a graph; those that are refused are among the model's refusals."""
        around, self.graph_around = self.graph_around, graph
        for node in graph.nodes:
            outer, self._source = self._source, node
            try:
                names = self._written(node)
            except ExportError as refusal:
                self.model.refusals.append(refusal)
                names = [self.model.fresh("refused") for _ in node.outputs]
            except Exception:
                if not self.model.refusals:
                    raise
                names = [self.model.fresh("refused") for _ in node.outputs]  # it needs one of them
            self.model.names.update(zip(node.outputs, names, strict=True))
            self._source = outer
        self.graph_around = around

    def _written(self, node: Node) -> list[str]:
        """Writes a node; the names of its results."""
        self._check_types(node)
        rule = RULES.get(node.op.name)
        if rule is None:
            called = node.op.users_name or node.op.name
            self.refuse(node, f"it uses {called}", "The export has no rule for this operation.")
        start, self._operands = len(self.protos), {}
        found = rule(self, node)
        names = [found] if isinstance(found, str) else list(found)
        return self._called(Group(node, self.protos[start:], self._operands, names), start)

    def _called(self, group: Group, start: int) -> list[str]:
        """The names of the results of a group of nodes, in place of which a function is called."""
        if not group.is_function:
            return group.results
        made = set(group.made())
        self.model.used -= made
        own = {name: value for name, value in zip(group.results, group.node.outputs, strict=True)}
        names = {name: self.model.fresh(own[name].hint) for name in own if name in made}
        self.protos[start:] = [
            call_of(group, self.model.functions, self.model.arrays, list(names.values()))
        ]
        return [names.get(name, name) for name in group.results]

    def _check_types(self, node: Node) -> None:
        for kind in (*map(operand_type, node.inputs), *(value.type for value in node.outputs)):
            if not is_representable(kind):
                why = "The values of ONNX are tensors of real numbers and bools, and lists of them."
                called = node.op.users_name or node.op.name
                self.refuse(node, f"it uses {called} with a value of type {kind}", why)

    def refuse(self, node: Node, problem: str, why: str, remedy: str = "") -> NoReturn:
        """Raises `ExportError` about a node."""
        where = None if node.location is None else node.location.in_message
        raise ExportError.about(
            f"{self.model.name} cannot be exported: {problem}",
            where,
            why,
            remedy
            or "Compute it outside of the function that is exported, or write it with "
            "other operations.",
        )

    # -- values --------------------------------------------------------------------------------

    def constant(self, value: Any, dtype: Any = INT64) -> str:
        """The name of a constant."""
        return self.model.constant(np.asarray(value, dtype))

    def read(self, operand: Operand) -> str:
        """The name of an operand."""
        if not isinstance(operand, Value):
            return self.literal(operand, operand_type(operand).dtype)
        name = self.model.names[operand]
        self._operands[name] = None
        return name

    def literal(self, number: Any, dtype: Any) -> str:
        """A Python scalar as a constant of a dtype; refused if it does not fit."""
        try:
            with np.errstate(over="ignore"):
                name = self.model.constant(np.asarray(number, dtype), is_operand=True)
        except OverflowError:
            assert self._source is not None
            self.refuse(
                self._source,
                f"the Python int {number} does not fit into {np.dtype(dtype)}",
                "ONNX has integers of up to 64 bits.",
            )
        self._operands[name] = None
        return name

    def cast(self, operand: Operand, dtype: Any) -> str:
        """An operand converted to a dtype, as NumPy converts it in arithmetic.

        A Python int that is not exact in the dtype ends the run.
        """
        dtype = np.dtype(dtype)
        if not isinstance(operand, Value):
            return self.literal(operand, dtype)
        kind, name = operand.type, self.read(operand)
        if isinstance(kind, PythonType) and kind.dtype == INT64 and dtype.kind in "iu":
            name = self._fitting(name, dtype)
        return self.to(name, kind.dtype, dtype)

    def _fitting(self, name: str, dtype: np.dtype) -> str:
        if dtype == INT64:
            return name
        low, high = max(np.iinfo(dtype).min, -(2**63)), min(np.iinfo(dtype).max, 2**63 - 1)
        return self.require(name, self.within(name, low, high))

    def within(self, name: str, low: int, high: int) -> str:
        """Whether an int64 is between two bounds."""
        above = self.node("GreaterOrEqual", name, self.constant(low))
        return self.node("And", above, self.node("LessOrEqual", name, self.constant(high)))

    def to(self, name: str, given: Any, wanted: Any) -> str:
        """A tensor of one dtype converted to another."""
        if np.dtype(given) == np.dtype(wanted):
            return name
        return self.node("Cast", name, to=ELEMENTS[np.dtype(wanted)])

    def require(self, name: str, holds: str) -> str:
        """The same tensor, in a run in which a condition holds; other runs end with an error.

        ONNX has no exceptions: an index is out of bounds unless the condition holds.
        """
        index = self.node("Where", holds, self.constant(0), self.constant(1))
        column = self.node("Unsqueeze", name, self.constant([0]))
        return self.node("Gather", column, index, axis=0)

    def size(self, name: str, axis: int) -> str:
        """The size of one dimension, as an int64."""
        shape = self.node("Shape", name)
        return self.node("Gather", shape, self.constant(axis), axis=0)

    def row(self, sizes: list[Operand | None], given: Any = ()) -> str:
        """Sizes as a vector; those that are None are the next of the given operands."""
        rest = iter(given)
        filled = [next(rest) if size is None else size for size in sizes]
        if not any(isinstance(size, Value) for size in filled):
            return self.constant(filled)
        parts = []
        for size in filled:
            if isinstance(size, Value):
                scalar = self.to(self.read(size), size.type.dtype, INT64)
                parts.append(self.node("Reshape", scalar, self.constant([1])))
            else:
                parts.append(self.constant([size]))
        return self.node("Concat", *parts, axis=0)

    # -- regions -------------------------------------------------------------------------------

    def region(self) -> "Writer":
        """The writer of a region."""
        inner = Writer(self.model)
        inner._source = self._source
        return inner

    def graph(self, name: str, inputs: list[ValueInfoProto], outputs: Any) -> GraphProto:
        """The graph of this writer; `outputs`: pairs of names and types."""
        infos = []
        for value, kind in outputs:
            own = self.node("Identity", value)
            infos.append(value_info(own, kind))
        return helper.make_graph(self.protos, self.model.fresh(name), inputs, infos)

    def converted(self, operand: Operand, kind: Type) -> str:
        """An operand as a value of a type that the graph declares."""
        if isinstance(kind, ListType):
            return self.read(operand)
        return self.cast(operand, kind.dtype)


def value_info(name: str, kind: Type) -> ValueInfoProto:
    """The declaration of an input or output."""
    return helper.make_value_info(name, proto_of(kind))
