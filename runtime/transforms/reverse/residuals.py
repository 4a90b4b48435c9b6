"""What a backward region needs of the forward region that it belongs to.

    def body(x, n):                       def backward(d, ...):
        y = tanh(x)                           d_x = d * (1 - y * y)         y is needed: a residual
        ...

Residuals are few:

    what does not change from turn to turn              is computed again, in front of the loop
    what is read or compared at a turn's own number     is computed again:  i = 0 + turn;  v = a[i]
    an array of which only the sizes are asked          its sizes are kept
"""

from dataclasses import dataclass, field

from runtime.analyses.effects import has_effect
from runtime.ir.graph import Graph, Node, Operand, Value, captures, defined_values, substitute, walk
from runtime.ir.op import find
from runtime.ir.types import INT
from runtime.ops.adjoint import may_repeat


@dataclass
class Residuals:
    """The values made in a region that a backward one needs, and the nodes that are to stand in
    front of the latter, which compute the rest again."""

    values: list[Value]
    again: list[Node] = field(default_factory=list)


def residuals(
    backward: Graph, forward: Graph, known: dict[Value, Operand] | None = None
) -> Residuals:
    """What `backward` needs of `forward`, once both are prepared.

    `known`: values of the latter that the way back finds by itself, and what stands for them there.
    """
    _move_sizes(backward, forward)
    again = _computed_again(backward, forward, known or {})
    return Residuals(_needed(backward, forward), again)


def _needed(backward, forward):
    inside = set(defined_values(forward))
    return [value for value in captures(backward) if value in inside]


def _move_sizes(backward, forward):
    """Lets sizes of arrays be read where the arrays are."""
    inside = set(defined_values(forward))
    moved = [n for n in backward.nodes if n.op.name == "size" and inside.issuperset(n.inputs)]
    backward.nodes = [node for node in backward.nodes if node not in moved]
    forward.nodes += moved


def _computed_again(backward, forward, known):
    """Nodes that compute again what is made of values around both regions, and of those known."""
    makers = {value: node for node in forward.nodes for value in node.outputs}
    inside = set(defined_values(forward))
    again: dict[Value, Node] = {}

    def is_invariant(operand):
        if operand not in inside:
            return True
        node = makers.get(operand)
        if node is None or node.regions or has_effect(node):
            return False
        return all(map(is_invariant, node.inputs))

    def is_cheap(operand):
        if operand in known or is_invariant(operand):
            return True
        node = makers.get(operand)
        return node is not None and _takes_no_time(node) and all(map(is_cheap, node.inputs))

    def add(operand):
        node = makers.get(operand)
        if node is None or operand in again or operand in known:
            return
        for other in node.inputs:
            add(other)
        again.update(dict.fromkeys(node.outputs, node))

    for value in _needed(backward, forward):
        if is_cheap(value):
            add(value)
    replaced: dict[Value, Operand] = dict(known)
    copies = [_copied(node, replaced) for node in dict.fromkeys(again.values())]
    substitute(backward, replaced)
    return copies


def _takes_no_time(node):
    """Whether computing something again takes no longer than keeping it would."""
    if node.op.name == "getitem":
        at, indices = node.attributes["at"], node.inputs[1:]
        kinds = [getattr(index, "type", INT) for index in indices]
        return not may_repeat(at, kinds) and all(kind.ndim == 0 for kind in kinds)
    return node.op.traits.recomputable and not any(value.type.ndim for value in node.outputs)


def _copied(node, replaced):
    """A node like another one; `replaced` says what stands for operands, and for its results."""
    outputs = tuple(Value(value.type, value.hint) for value in node.outputs)
    replaced.update(zip(node.outputs, outputs, strict=True))
    inputs = tuple(replaced.get(o, o) if isinstance(o, Value) else o for o in node.inputs)
    attributes = dict(node.attributes)
    return Node(node.op, inputs, outputs, attributes, {}, node.location, node.scope)


# -- views of what changes -------------------------------------------------------------------------


def in_memory_of_its_own(body: Graph, value: Value) -> Value:
    """What is to be kept of a value: a copy where it is a view of an array that turns write into,
    which they could not do in place any more."""
    makers = {made: node for node in body.nodes for made in node.outputs}
    maker, root = makers.get(value), value
    while root in makers and makers[root].op.shares:
        root = makers[root].inputs[0]
    if maker is None or root is value or not value.type.ndim or root not in _written_into(body):
        return value
    output = Value(value.type, value.hint)
    node = Node(find("copy"), (value,), (output,), {}, {}, maker.location, maker.scope)
    body.nodes.insert(body.nodes.index(maker) + 1, node)
    return output


def _written_into(body):
    """The arrays that the turns of a loop change in places, and what they are then."""
    updates = [node for node in walk(body) if node.op.updates is not None]
    found = {node.inputs[node.op.updates] for node in updates}
    found.update(value for node in updates for value in node.outputs)
    pairs = zip(body.inputs, body.outputs[1:], strict=True)
    return found | {given for given, end in pairs if end in found}


# -- the number of a turn --------------------------------------------------------------------------


def counters(loop: Node) -> dict[Value, tuple[Operand, Operand]]:
    """The variables of a loop that count its turns: the start and the step of each.

    i = start, and i + step in the next turn, in Python's ints, which know no bounds.
    """
    body = loop.regions["body"]
    makers = {value: node for node in body.nodes for value in node.outputs}
    inside = set(defined_values(body))
    found = {}
    for given, start, end in zip(body.inputs, loop.inputs[1:], body.outputs[1:], strict=True):
        node = makers.get(end)
        if given.type != INT or node is None or node.op is not find("add"):
            continue
        steps = [operand for operand in node.inputs if operand is not given]
        if len(steps) == 1 and steps[0] not in inside:
            found[given] = start, steps[0]
    return found
