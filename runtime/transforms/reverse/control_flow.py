"""The adjoints of branches, of regions that run once, and of functions with a user's gradient.

    y = cond(p, then, orelse)             d_x = cond(p, then backwards, orelse backwards)
    y = checkpoint(body)                  the nodes of the body again, then their adjoints
    y = custom_gradient(y_0, x)           d_x = backward(d_y)

The cotangent of a value that branches capture enters the backward branches and leaves them, so
adding to one element of a large array takes no copy of it.  For loops see `loops.py`.
"""

from collections.abc import Sequence
from typing import Any

from runtime.ir.graph import Node, Operand, Value, captures, copy, substitute
from runtime.ir.op import find
from runtime.tracing.tensor import handle, operand
from runtime.tracing.trace import Trace
from runtime.transforms.reverse.activity import useful
from runtime.transforms.reverse.cotangents import exactly
from runtime.transforms.reverse.residuals import node_like, residuals

# -- branches --------------------------------------------------------------------------------------


def reverse_choice(reverse: Any, node: Node) -> None:
    """Collects the cotangents of the values that the branches of a `cond` capture."""
    recorder, cotangents = reverse.recorder, reverse.cotangents
    wanted = _differentiated(reverse, node)
    if not wanted:
        return
    backward = {
        name: _backward_branch(reverse, node, region, wanted)
        for name, region in node.regions.items()
    }
    for name, region in backward.items():
        _add_residuals(node, name, region)
    totals = recorder.record(node.op, node.inputs, dict(node.attributes), backward)
    for value, total in zip(wanted, totals, strict=True):
        cotangents.put(value, cotangents.handle(total))


def _differentiated(reverse, node) -> list[Value]:
    """The active values that branches capture and that influence a result with a cotangent."""
    known = [reverse.cotangents.of(value) is not None for value in node.outputs]
    found: dict[Value, None] = {}
    for region in node.regions.values():
        pairs = zip(region.outputs, known, strict=True)
        needed = useful(region, {given for given, is_known in pairs if is_known}, reverse.active)
        around = [v for v in captures(region) if v in needed and v in reverse.active]
        found.update(dict.fromkeys(around))
    return list(found)


def _backward_branch(reverse, node, region, wanted):
    """The region that propagates cotangents backwards through a branch."""
    recorder = reverse.recorder
    with recorder.reopened(region), recorder.open_region(region.name) as backward:
        inner = reverse.inside()
        for value in wanted:
            known = reverse.cotangents.of(value)
            if known is not None:
                inner.cotangents.put(value, known)
        for given, value in zip(region.outputs, node.outputs, strict=True):
            if given in reverse.active:
                inner.cotangents.add(given, reverse.cotangents.of(value), is_fitting=True)
        inner.walk_region(region)
        totals = [exactly(inner.cotangents.of_or_zero(v), v.type) for v in wanted]
        backward.outputs = [operand(total, recorder) for total in totals]
    return backward


def _add_residuals(node, name, backward):
    """Makes the values of a branch that its backward region needs results of the node."""
    found = residuals(backward, node.regions[name])
    backward.nodes[:0] = found.recomputed
    for value in found.values:
        outside = Value(value.type, value.hint)
        for other, region in node.regions.items():
            region.outputs.append(value if other == name else _placeholder(value, node, region))
        node.outputs = (*node.outputs, outside)
        substitute(backward, {value: outside})


def _placeholder(value, node, region):
    """An output of the other branch in place of a residual; it is never read."""
    made = node_like("zero", (), value, node, type=value.type)
    region.nodes.append(made)
    return made.output


# -- regions with rules of their own --------------------------------------------------------------


def recomputed(recorder: Trace, node: Node) -> list[Operand]:
    """Records the nodes of a region that runs once again, for a gradient; returns its outputs.

    Effects are left out: they happened when the region first ran.
    """
    flow, again = node.op.control_flow, find("recomputed")
    ((name, body),) = node.regions.items()
    entering = flow.entering(node, name)
    used = dict.fromkeys(o for o in (*captures(body), *entering) if isinstance(o, Value))
    own = {value: recorder.record(again, (value,))[0] for value in used}
    made = copy(body, own)
    inputs = [own.get(o, o) if isinstance(o, Value) else o for o in entering]
    substitute(made, dict(zip(made.inputs, inputs, strict=True)))
    recorder.region.nodes += _without_effects(made).nodes
    return made.outputs[flow.regions[name].results :]


def _without_effects(region):
    region.nodes = [node for node in region.nodes if not node.op.effect]
    for node in region.nodes:
        for inner in node.regions.values():
            _without_effects(inner)
    return region


def user_cotangents(
    recorder: Trace, node: Node, cotangents: Sequence[Any], known: dict | None = None
) -> list[Any]:
    """The cotangents that the user's gradient computes from those of a node's results.

    `known` replaces values that the gradient's region captures.
    """
    if "pullback" in node.attributes:
        return node.attributes["pullback"](*cotangents)
    backward = copy(node.regions["backward"], known)
    pairs = zip(cotangents, backward.inputs, strict=True)
    given = [operand(exactly(d, value.type), recorder) for d, value in pairs]
    substitute(backward, dict(zip(backward.inputs, given, strict=True)))
    recorder.region.nodes += backward.nodes
    return [handle(value, recorder.region) for value in backward.outputs]
