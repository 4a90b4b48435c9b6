"""What a backward region needs of the forward region that it belongs to.

    def body(x, n):                       def backward(d, ...):
        y = tanh(x)                           d_x = d * (1 - y * y)         y is needed: a residual
        ...

Residuals are few: what does not change from turn to turn is computed again (`recomputed`), and of
an array of which only the sizes are asked, the sizes are kept (`with_sizes_moved`).
"""

from runtime.ir import Graph, Node, Value, captures, defined_values, substitute
from runtime.passes.dead_code import has_effect


def residuals(backward: Graph, forward: Graph) -> list[Value]:
    """The values made in `forward` that `backward` uses, once both are prepared."""
    _move_sizes(backward, forward)
    _recompute(backward, forward)
    return _needed(backward, forward)


def _needed(backward, forward):
    inside = set(defined_values(forward))
    return [value for value in captures(backward) if value in inside]


def _move_sizes(backward, forward):
    """Lets sizes of arrays be read where the arrays are."""
    inside = set(defined_values(forward))
    moved = [n for n in backward.nodes if n.op.name == "size" and inside.issuperset(n.inputs)]
    backward.nodes = [node for node in backward.nodes if node not in moved]
    forward.nodes += moved


def _recompute(backward, forward):
    """Computes again what is made of values around both regions alone."""
    makers = {value: node for node in forward.nodes for value in node.outputs}
    inside = set(defined_values(forward))
    again: dict[Value, Node] = {}  # what is computed again, by its results; None: it is not

    def is_invariant(value):
        if value not in inside:
            return True
        node = makers.get(value)
        if node is None or node.regions or has_effect(node) or node.op.name in FRESH:
            return False
        return all(is_invariant(v) for v in node.inputs if isinstance(v, Value))

    def add(value):
        node = makers.get(value)
        if node is None or value in again or value not in inside:
            return
        for operand in node.inputs:
            if isinstance(operand, Value):
                add(operand)
        again.update(dict.fromkeys(node.outputs, node))

    for value in _needed(backward, forward):
        if is_invariant(value):
            add(value)
    copies, replaced = [], {}
    for node in dict.fromkeys(again.values()):
        outputs = tuple(Value(value.type, value.hint) for value in node.outputs)
        replaced.update(zip(node.outputs, outputs, strict=True))
        inputs = tuple(replaced.get(o, o) if isinstance(o, Value) else o for o in node.inputs)
        attributes = dict(node.attributes)
        copies.append(Node(node.op, inputs, outputs, attributes, {}, node.location, node.scope))
    substitute(backward, replaced)
    backward.nodes[:0] = copies


FRESH = {"ask"}  # gives something else each time
