"""Residuals: the values of a region that its backward region needs.

    def body(x, n):                       def backward(d, ...):
        y = tanh(x)                           d_x = d * (1 - y * y)         y is needed: a residual
        ...

Residuals are few:

    a value that is the same in all iterations          is recomputed, before the backward loop
    an element at a counter, a comparison of counters   is recomputed:  i = 0 + iteration;  v = a[i]
    an array of which only the sizes are read           its sizes are stored
"""

from dataclasses import dataclass, field
from typing import Any

from runtime.analyses.effects import has_effect
from runtime.ir.graph import Graph, Node, Operand, Value, captures, defined_values, substitute, walk
from runtime.ir.op import find
from runtime.ir.regions import body_of, carried
from runtime.ir.types import INT
from runtime.ops.adjoint import may_repeat


@dataclass
class Residuals:
    """The values of a region that its backward region needs, and the nodes that compute others
    again, at the beginning of the backward region."""

    values: list[Value]
    recomputed: list[Node] = field(default_factory=list)


def residuals(
    backward: Graph, forward: Graph, known: dict[Value, Operand] | None = None
) -> Residuals:
    """The values of `forward` that `backward` needs, once both are prepared.

    `known` maps values of `forward` that the backward pass has anyway to its own values.
    """
    _move_sizes(backward, forward)
    recomputed = _rematerialised(backward, forward, known or {})
    return Residuals(_needed(backward, forward), recomputed)


def _needed(backward, forward):
    inside = set(defined_values(forward))
    return [value for value in captures(backward) if value in inside]


def _move_sizes(backward, forward):
    """Moves the nodes that read sizes of arrays to the region of these arrays."""
    inside = set(defined_values(forward))
    moved = [n for n in backward.nodes if n.op.name == "size" and inside.issuperset(n.inputs)]
    backward.nodes = [node for node in backward.nodes if node not in moved]
    forward.nodes += moved


def _rematerialised(backward, forward, known):
    """Nodes that rematerialise values that depend only on common captures and on `known`."""
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
    """Whether computing the results again takes no longer than storing and loading them."""
    if node.op.name == "getitem":
        at, indices = node.attributes["at"], node.inputs[1:]
        kinds = [getattr(index, "type", INT) for index in indices]
        return not may_repeat(at, kinds) and all(kind.ndim == 0 for kind in kinds)
    return node.op.traits.recomputable and not any(value.type.ndim for value in node.outputs)


def _copied(node, replaced):
    """A copy of a node; `replaced` maps operands, and then its results, to those of the copy."""
    outputs = tuple(Value(value.type, value.hint) for value in node.outputs)
    replaced.update(zip(node.outputs, outputs, strict=True))
    inputs = tuple(replaced.get(o, o) if isinstance(o, Value) else o for o in node.inputs)
    attributes = dict(node.attributes)
    return Node(node.op, inputs, outputs, attributes, {}, node.location, node.scope)


def node_like(op: str, inputs: tuple[Operand, ...], like: Value, near: Node, **attributes: Any):
    """A node whose result has the type and hint of a value, at the location of another node."""
    output = Value(like.type, like.hint)
    return Node(find(op), inputs, (output,), attributes, {}, near.location, near.scope)


# -- views of arrays that iterations write into ----------------------------------------------------


def in_own_memory(loop: Node, value: Value) -> Value:
    """The value to store: a copy of a view of an array that iterations write into.

    The list would keep the array alive, and iterations could no longer write into it in place.
    """
    body = body_of(loop)
    makers = {made: node for node in body.nodes for made in node.outputs}
    maker, root = makers.get(value), value
    while root in makers and makers[root].op.shares:
        root = makers[root].inputs[0]
    if maker is None or root is value or not value.type.ndim or root not in _written_into(loop):
        return value
    node = node_like("copy", (value,), value, maker)
    body.nodes.insert(body.nodes.index(maker) + 1, node)
    return node.output


def _written_into(loop):
    """The arrays that the iterations of a loop update, before and after."""
    updates = [node for node in walk(body_of(loop)) if node.op.updates is not None]
    found = {node.inputs[node.op.updates] for node in updates}
    found.update(value for node in updates for value in node.outputs)
    return found | {v.given for v in carried(loop) if v.end in found}


# -- counters --------------------------------------------------------------------------------------


def counters(loop: Node) -> dict[Value, tuple[Operand, Operand]]:
    """The variables of a loop that count its iterations: the start and the step of each.

    i = start, and i + step in the next iteration, in Python ints, which cannot overflow.
    """
    body = body_of(loop)
    makers = {value: node for node in body.nodes for value in node.outputs}
    inside = set(defined_values(body))
    found = {}
    for start, given, end, _ in carried(loop):
        node = makers.get(end)
        if given.type != INT or node is None or node.op is not find("add"):
            continue
        steps = [operand for operand in node.inputs if operand is not given]
        if len(steps) == 1 and steps[0] not in inside:
            found[given] = start, steps[0]
    return found
