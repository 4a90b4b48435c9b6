"""Lists of a program that hold the keys of dicts and sets: they find a key by its hash.

    keys: list[int] = list_new(element=int)      keys = _KeyList([])
    place: int = key_place(keys, k)              a look into an index of the keys

The caller gets plain lists.  In a program that returns lists of such lists, and in copies, the keys
are compared one by one.
"""

from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.regions import control_flow_of
from runtime.ir.types import ListType, TupleType, Type


class KeyLists:
    """The lists of a program that are searched for keys."""

    def __init__(self, graph: Graph) -> None:
        self.made = _makers(graph)
        self._kinds = {node.output.type for node in self.made}
        if any(_holds(operand, self._kinds) for operand in graph.outputs):
            self.made, self._kinds = set(), set()

    def may_be(self, operand: Operand) -> bool:
        """Whether a value may be one of these lists."""
        return isinstance(operand, Value) and operand.type in self._kinds


def searched_values(graph: Graph) -> set[Value]:
    """The lists that are searched for keys, and those that they come from, before others change
    them."""
    pending = _searched(graph)
    sources = _sources(graph)[0] if pending else {}
    found: set[Value] = set()
    while pending:
        value = pending.pop()
        if isinstance(value, Value) and value not in found:
            found.add(value)
            pending += sources.get(value, ())
    return found


def _searched(graph: Graph) -> list[Operand]:
    return [node.inputs[0] for node in walk(graph) if node.op.name == "key_place"]


def _makers(graph: Graph) -> set[Node]:
    """The nodes `list_new` that make lists which are searched."""
    found = searched_values(graph)
    makers = _sources(graph)[1] if found else {}
    return {makers[value] for value in found if value in makers}


def _sources(graph: Graph) -> tuple[dict[Value, list[Operand]], dict[Value, Node]]:
    """For each list, those that it may be or is made from; and the nodes that make new lists."""
    sources: dict[Value, list[Operand]] = {}
    makers: dict[Value, Node] = {}
    for node in walk(graph):
        flow = control_flow_of(node)
        if node.op.name == "list_new":
            makers[node.output] = node
        if flow is None:
            sources |= {v: [*node.inputs] for v in node.outputs if isinstance(v.type, ListType)}
            continue
        for i, value in enumerate(node.outputs):
            sources[value] = flow.result_sources(node, i)
        for name, region in node.regions.items():
            for i, value in enumerate(region.inputs):
                sources[value] = flow.input_sources(node, name, i)
    return sources, makers


def _holds(operand: Operand, kinds: set[Type]) -> bool:
    """Whether there may be one of these lists inside a value."""
    return isinstance(operand, Value) and any(_is_in(part, kinds) for part in _parts(operand.type))


def _is_in(kind: Type, kinds: set[Type]) -> bool:
    return kind in kinds or any(_is_in(part, kinds) for part in _parts(kind))


def _parts(kind: Type) -> tuple[Type, ...]:
    """The types of what a list or a tuple holds."""
    if isinstance(kind, ListType):
        return (kind.element,)
    return kind.places if isinstance(kind, TupleType) else ()
