"""Tangents through branches, loops and other nodes with regions.

    y = cond(p, f(x), g(x))       y, t_y = cond(p, (f(x), its tangent), (g(x), its tangent))

    x = loop(p, x_0)              x, t_x = loop(p, x_0, t_x_0)

Where one side of a branch has a tangent, the other hands out zeros.  A loop carries a tangent for
each variable that has one in any turn, which is found by replaying the turn until no more are.
"""

from collections.abc import Sequence
from typing import Any

from runtime.ir.graph import Node, Operand, Value, copy, substitute
from runtime.tracing.tensor import operand
from runtime.transforms.reverse.cotangents import exactly


def branch(forward: Any, node: Node) -> Sequence[Value]:
    """What became of the results of a `cond`."""
    return _regions(forward, node, (forward.read(node.inputs[0]),))


def checkpointed(forward: Any, node: Node) -> Sequence[Value]:
    """What became of the results of a `checkpoint`."""
    return _regions(forward, node, ())


def _regions(forward, node, inputs):
    """A node whose regions hand out values, and behind them tangents."""
    recorder, found = forward.recorder, {}
    for name, region in node.regions.items():
        with recorder.open_region(name) as made:
            found[name] = made, forward.run(region)
    columns = zip(*(outputs for _, outputs in found.values()), strict=True)
    active = [any(forward.tangent(one) is not None for one in column) for column in columns]
    for made, outputs in found.values():
        with recorder.reopened(made):
            made.outputs = [*outputs, *_tangents(forward, outputs, active)]
    regions = {name: made for name, (made, _) in found.items()}
    return _recorded(forward, node, inputs, regions, active)


def _tangents(forward, values, active):
    """The tangents of those values that are to have one."""
    chosen = zip(values, active, strict=True)
    return [forward.tangent_or_zero(value) for value, is_active in chosen if is_active]


def _recorded(forward, node, inputs, regions, active):
    """Records a node that hands out tangents behind its results, and notes these."""
    hints = [value.hint for value in node.outputs]
    pairs = zip(node.outputs, active, strict=True)
    hints += [f"t_{value.hint}" for value, is_active in pairs if is_active]
    attributes = dict(node.attributes)
    found = forward.recorder.record(node.op, inputs, attributes, regions, hints)
    results, tangents = found[: len(active)], iter(found[len(active) :])
    for value, is_active in zip(results, active, strict=True):
        if is_active:
            forward.set_tangent(value, forward.handle(next(tangents)))
    return results


# -- loops -----------------------------------------------------------------------------------------


def repeated(forward: Any, node: Node) -> Sequence[Value]:
    """What became of the results of a `loop`."""
    predicate, *starts = map(forward.read, node.inputs)
    active = [forward.tangent(start) is not None for start in starts]
    while True:
        region, outputs = _turn(forward, node, active)
        more, *ends = outputs
        wider = [
            old or forward.tangent(end) is not None for old, end in zip(active, ends, strict=True)
        ]
        if wider == active:
            break
        active = wider
    with forward.recorder.reopened(region):
        region.outputs = [more, *ends, *_tangents(forward, ends, active)]
    inputs = (predicate, *starts, *_tangents(forward, starts, active))
    return _recorded(forward, node, inputs, {"body": region}, active)


def _turn(forward, node, active):
    """One turn, of whose variables some have tangents."""
    body = node.regions["body"]
    with forward.recorder.open_region("body") as region:
        given = [Value(value.type, value.hint) for value in body.inputs]
        forward.known.update(zip(body.inputs, given, strict=True))
        region.inputs = list(given)
        for value, is_active in zip(given, active, strict=True):
            if is_active:
                tangent = Value(value.type, f"t_{value.hint}")
                region.inputs.append(tangent)
                forward.set_tangent(value, forward.handle(tangent))
        return region, forward.run(body)


# -- what is written by other nodes ----------------------------------------------------------------


def mapped(forward: Any, node: Node) -> Sequence[Operand]:
    """A function that is mapped over a batch, by nodes of its own."""
    from runtime.transforms.vmap.nested import unfolded

    region = forward.recorder.region
    first = len(region.nodes)
    inputs = tuple(map(forward.read, node.inputs))
    attributes = node.attributes
    own = Node(node.op, inputs, node.outputs, attributes, node.regions, node.location, node.scope)
    results = unfolded(own)
    nodes = region.nodes[first:]
    del region.nodes[first:]
    for one in nodes:
        with forward.recorder.on_behalf_of(one):
            made = forward.visit(one)
        forward.known.update(zip(one.outputs, made, strict=True))
    return [forward.read(value) for value in results]


def customized(forward: Any, node: Node) -> Sequence[Operand]:
    """Values with a gradient of the user's own: the tangent is what that gradient, transposed,
    makes of the tangents."""
    count = node.attributes["count"]
    results = forward.copied(node)
    operands = list(map(forward.read, node.inputs[count:]))
    tangents = list(map(forward.tangent, operands))
    if any(tangent is not None for tangent in tangents):
        with forward.recorder.on_behalf_of(node, takes_names=False):
            found = _of_users(forward, node, results, tangents)
        for value, tangent in zip(results, found, strict=True):
            forward.set_tangent(value, tangent)
    return results


def _of_users(forward, node, results, tangents):
    """The tangents of results whose cotangents a region of the user's takes back."""
    from runtime.transforms.forward.tangents import transposed

    recorder = forward.recorder

    def adjoint(directions):
        if "pullback" in node.attributes:
            return node.attributes["pullback"](*directions)
        backward = copy(node.regions["backward"], forward.known)
        pairs = zip(directions, backward.inputs, strict=True)
        given = [operand(exactly(d, value.type), recorder) for d, value in pairs]
        substitute(backward, dict(zip(backward.inputs, given, strict=True)))
        recorder.region.nodes += backward.nodes
        return list(map(forward.handle, backward.outputs))

    return transposed(recorder, results, tangents, adjoint)
