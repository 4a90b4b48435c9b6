"""Union narrowing: scalars of which the run decides the type get the types that are possible.

    t_1: int | f64 = option(t, type=int | f64)
    def body(i: int, t_2: int | f64):                     def body(i: int, t_2: f64):
        t_3: f64 = dynamic_add(t_2, v)             ->         t_3: f64 = add(t_2, v)
        t_4: int | f64 = option(t_3, type=...)                return i + 1, t_3
        return i + 1, t_4                                 loop(True, 0, t, body=body)
    loop(True, 0, t_1, body=body)

A loop's variable has a type only if a value of that type reaches it.  The inference is optimistic:
it begins with no types, and adds those that come from operands until nothing changes (as in
conditional constant propagation, Wegman and Zadeck, 1991).
"""

from collections.abc import Iterator, Sequence

from runtime.ir.graph import Graph, Node, Operand, Value, operand_type, walk
from runtime.ir.op import find
from runtime.ir.regions import control_flow_of
from runtime.ir.types import BoxType, PythonType, TensorType, Type, UnionType
from runtime.ir.unions import options_of, union_of
from runtime.ops.unions import PREFIX

Options = frozenset[Type]
SCALARS_AND_ARRAYS = (PythonType, TensorType, BoxType, UnionType)


def narrow_unions(graph: Graph) -> Graph:
    """Changes the types of the values of a graph, and returns it; its inputs keep theirs."""
    found = _Inference(graph).options
    for value, options in found.items():
        if options:
            value.type = union_of(*(o for o in options_of(value.type) if o in options))
    _resolve(graph, {})
    return graph


class _Inference:
    """The types that scalars may have; none for values that are never computed."""

    def __init__(self, graph: Graph) -> None:
        self.options: dict[Value, Options] = {}
        self._nodes = list(walk(graph))
        for node in self._nodes:
            for value in _defined_by(node):
                if isinstance(value.type, UnionType):
                    self.options[value] = frozenset()
        for node in self._nodes:
            for value in _in_containers(node):
                self.options[value] = frozenset(options_of(value.type))
        while any([self._grows(node) for node in self._nodes]):
            pass

    def of(self, operand: Operand) -> Options:
        """The types of an operand, as far as they are known."""
        if isinstance(operand, Value) and operand in self.options:
            return self.options[operand]
        return frozenset(options_of(operand_type(operand)))

    def _grows(self, node: Node) -> bool:
        """Adds the types that the results of a node get from its operands; whether some are new."""
        before = [self.options.get(value) for value in _defined_by(node)]
        for value, options in self._results(node):
            if value in self.options:
                self.options[value] |= options
        return before != [self.options.get(value) for value in _defined_by(node)]

    def _results(self, node: Node) -> Iterator[tuple[Value, Options]]:
        flow = control_flow_of(node)
        if flow is not None and not flow.is_opaque:
            for place, value in enumerate(node.outputs):
                yield value, self._joined(flow.result_sources(node, place))
            for name, region in node.regions.items():
                for place, value in enumerate(region.inputs):
                    yield value, self._joined(flow.input_sources(node, name, place))
        elif node.op.name == "option":
            yield node.output, self.of(node.inputs[0])
        elif node.op.name.startswith(PREFIX):
            given = [self.of(operand) for operand in node.inputs]
            if all(given):
                kinds = tuple(union_of(*options) for options in given)
                types = node.op.infer_types(kinds, node.attributes, {})
                for value, kind in zip(node.outputs, types, strict=True):
                    yield value, frozenset(options_of(kind))
        else:
            for value in _defined_by(node):
                yield value, frozenset(options_of(value.type))

    def _joined(self, sources: list[Operand]) -> Options:
        return frozenset().union(*map(self.of, sources))


def _defined_by(node: Node) -> list[Value]:
    """The results of a node, and the inputs of its regions."""
    return [*node.outputs, *(value for region in node.regions.values() for value in region.inputs)]


def _in_containers(node: Node) -> list[Value]:
    """The operands that a node puts into a list, tuple or text: these keep their element types."""
    kinds = [operand_type(operand) for operand in (*node.inputs, *node.outputs)]
    if control_flow_of(node) is not None or all(isinstance(k, SCALARS_AND_ARRAYS) for k in kinds):
        return []
    unions = (o for o in node.inputs if isinstance(o, Value) and isinstance(o.type, UnionType))
    return list(unions)


def _resolve(graph: Graph, replaced: dict[Value, Operand]) -> None:
    """Removes options of one type, and takes ops of known types in place of dynamic ones."""

    def resolved(operand: Operand) -> Operand:
        return replaced.get(operand, operand) if isinstance(operand, Value) else operand

    kept: list[Node] = []
    for node in graph.nodes:
        node.inputs = tuple(map(resolved, node.inputs))
        for region in node.regions.values():
            _resolve(region, replaced)
        if node.op.name == "option":
            if not isinstance(node.output.type, UnionType):
                replaced[node.output] = node.inputs[0]
                continue
            node.attributes = {"type": node.output.type}
        kinds = [operand_type(operand) for operand in (*node.inputs, *node.outputs)]
        if node.op.name.startswith(PREFIX) and not any(isinstance(k, UnionType) for k in kinds):
            node.op = find(node.op.name.removeprefix(PREFIX))
        _join(node, kept)
        kept.append(node)
    graph.nodes[:] = kept
    graph.outputs = list(map(resolved, graph.outputs))


def _join(node: Node, before: list[Node]) -> None:
    """Gives the operands that enter a region, and those that leave it, the types of the variables
    that they become; `before` are the nodes before this one."""
    flow = control_flow_of(node)
    if flow is None or flow.is_opaque:
        return
    operands = list(node.inputs)
    for name, part in flow.regions.items():
        region = node.regions[name]
        if part.inputs is not None:
            _fit(operands, part.inputs, region.inputs, before, node)
        if part.results is not None:
            _fit(region.outputs, part.results, node.outputs, region.nodes, node)
    node.inputs = tuple(operands)


def _fit(
    operands: list[Operand],
    first: int,
    values: Sequence[Value],
    nodes: list[Node],
    by: Node,
) -> None:
    """Appends options to nodes, for those of the operands, from a first one on, that have not the
    type of the value that they become."""
    for place, value in enumerate(values, first):
        if isinstance(value.type, UnionType) and operand_type(operands[place]) != value.type:
            made = Value(value.type, value.hint)
            attributes = {"type": value.type}
            nodes.append(
                Node(find("option"), (operands[place],), (made,), attributes, {}, by.location)
            )
            operands[place] = made
