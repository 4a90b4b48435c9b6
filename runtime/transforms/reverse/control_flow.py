"""The adjoints of branches and loops.

    y = cond(p, then, orelse)             d_x = cond(p, then backwards, orelse backwards)

    x, n = loop(p, x_0, n_0, body)        the loop keeps what its backward turns need, in lists:
                                          kept, turns = [], 0
                                          while p:
                                              kept.append(y); turns += 1; ...
                                          while turns != 0:
                                              turns -= 1; y = kept[turns]; d_x = ...

What is collected for a value around the regions is handed in and handed out again, so that adding
to one element of a large array takes no copy of it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.ir.graph import (
    Graph,
    Node,
    Operand,
    Value,
    captures,
    copy,
    substitute,
    used_values,
    walk,
)
from runtime.ir.op import find
from runtime.ir.types import BOOL, INT, ListType
from runtime.tracing.tensor import apply, handle, operand, staged
from runtime.transforms.reverse.activity import is_differentiable, useful
from runtime.transforms.reverse.cotangents import exactly
from runtime.transforms.reverse.residuals import counters, in_memory_of_its_own, residuals

# -- branches --------------------------------------------------------------------------------------


def reverse_cond(reverse: Any, node: Node) -> None:
    """Collects the cotangents of what the branches of a `cond` use."""
    recorder, cotangents = reverse.recorder, reverse.cotangents
    wanted = _differentiated(reverse, node)
    if not wanted:
        return
    backward = {
        name: _backward_branch(reverse, node, region, wanted)
        for name, region in node.regions.items()
    }
    for name, region in backward.items():
        _hand_out(node, name, region)
    totals = recorder.record(find("cond"), (node.inputs[0],), {}, backward)
    for value, total in zip(wanted, totals, strict=True):
        cotangents.put(value, cotangents.handle(total))


def _differentiated(reverse, node) -> list[Value]:
    """The active values around branches that influence a result whose cotangent is known."""
    known = [reverse.cotangents.of(value) is not None for value in node.outputs]
    found: dict[Value, None] = {}
    for region in node.regions.values():
        pairs = zip(region.outputs, known, strict=True)
        needed = useful(region, {given for given, is_known in pairs if is_known}, reverse.active)
        around = [v for v in captures(region) if v in needed and v in reverse.active]
        found.update(dict.fromkeys(around))
    return list(found)


def _backward_branch(reverse, node, region, wanted):
    """The region that collects cotangents backwards through a branch."""
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


def _hand_out(node, name, backward):
    """Lets a branch hand out what its backward region needs."""
    found = residuals(backward, node.regions[name])
    backward.nodes[:0] = found.again
    for value in found.values:
        outside = Value(value.type, value.hint)
        for other, region in node.regions.items():
            region.outputs.append(value if other == name else _nothing(value, node, region))
        node.outputs = (*node.outputs, outside)
        substitute(backward, {value: outside})


def _nothing(value, node, region):
    """What the other branch hands out, at which nobody looks."""
    node = _node("zero", (), value, node, type=value.type)
    region.nodes.append(node)
    return node.output


def _node(op, inputs, like, near, **attributes):
    """A node that makes a value like another one, for the line of another node."""
    output = Value(like.type, like.hint)
    return Node(find(op), inputs, (output,), attributes, {}, near.location, near.scope)


# -- regions that say how they are differentiated --------------------------------------------------


def reverse_checkpoint(reverse: Any, node: Node) -> None:
    """Computes what is in a `checkpoint` again, and walks that."""
    recorder, body = reverse.recorder, node.regions["body"]
    region = recorder.region
    first = len(region.nodes)
    recomputed = find("recomputed")
    around = {v: recorder.record(recomputed, (v,))[0] for v in captures(body)}
    again = copy(body, around)
    region.nodes += _without_effects(again).nodes
    nodes = region.nodes[first:]
    reverse.active.visit(nodes)
    for given, value in zip(again.outputs, node.outputs, strict=True):
        if given in reverse.active:
            reverse.cotangents.add(given, reverse.cotangents.of(value), is_fitting=True)
    reverse.walk_nodes(region, nodes)


def _without_effects(region):
    """A region without what has happened already when it ran first."""
    region.nodes = [node for node in region.nodes if not node.op.effect]
    for node in region.nodes:
        for inner in node.regions.values():
            _without_effects(inner)
    return region


def reverse_custom(reverse: Any, node: Node) -> None:
    """Lets the region that the user has written compute the cotangents."""
    by = node.inputs[node.attributes["count"] :]
    if not any(operand in reverse.active for operand in by):
        return
    ds = [reverse.cotangents.of_or_zero(value) for value in node.outputs]
    if "pullback" in node.attributes:
        found = node.attributes["pullback"](*ds)
    else:
        found = _inlined(reverse, node.regions["backward"], ds)
    for value, contribution in zip(by, found, strict=True):
        if value in reverse.active:
            reverse.cotangents.add(value, contribution)


def _inlined(reverse, backward, ds):
    """Records the nodes of a region for some inputs; what it gives."""
    pairs = zip(ds, backward.inputs, strict=True)
    given = [operand(exactly(d, value.type), reverse.recorder) for d, value in pairs]
    copied = copy(backward)
    substitute(copied, dict(zip(copied.inputs, given, strict=True)))
    reverse.recorder.region.nodes += copied.nodes
    return map(reverse.cotangents.handle, copied.outputs)


def reverse_mapped(reverse: Any, node: Node) -> None:
    """Maps a function once more, by nodes of its own that are walked."""
    from runtime.transforms.vmap.nested import unfolded

    region = reverse.recorder.region
    first = len(region.nodes)
    results = unfolded(node)
    nodes = region.nodes[first:]
    reverse.active.visit(nodes)
    for given, value in zip(results, node.outputs, strict=True):
        if given in reverse.active:
            reverse.cotangents.add(given, reverse.cotangents.of(value), is_fitting=True)
    reverse.walk_nodes(region, nodes)


# -- loops -----------------------------------------------------------------------------------------


def reverse_loop(reverse: Any, node: Node, region: Graph) -> None:
    """Collects the cotangents of what a loop starts with and uses."""
    body = node.regions["body"]
    ends = body.outputs[1:]
    known = [reverse.cotangents.of(value) is not None for value in node.outputs]
    wanted = {end for end, is_known in zip(ends, known, strict=True) if is_known}
    needed = _needed_in_turn(reverse, body, wanted)
    carried = [
        i
        for i, given in enumerate(body.inputs)
        if is_differentiable(given.type)
        and (known[i] or given in needed)
        and (given in reverse.active or ends[i] in reverse.active)
    ]
    around = [v for v in captures(body) if v in needed and v in reverse.active]
    if carried or around:
        _Backward(reverse, node, region, carried, around).record()


def _needed_in_turn(reverse, body, wanted):
    """What influences the results of a loop, in any of its turns."""
    while True:
        needed = useful(body, wanted, reverse.active)
        pairs = zip(body.inputs, body.outputs[1:], strict=True)
        more = {end for given, end in pairs if given in needed} - wanted
        if not more:
            return needed
        wanted = wanted | more


class _Backward:
    """The loop that goes through the turns of another one backwards.

    It carries the number of turns that are left, the cotangents of the variables at the places
    `carried`, and what is collected for the values `around`.
    """

    def __init__(self, reverse, node, region, carried, around):
        self.reverse, self.recorder = reverse, reverse.recorder
        self.node, self.region = node, region
        self.body = node.regions["body"]
        self.carried, self.around = carried, around
        self.summed: list[tuple[Value, int, int]] = []  # to what, and which lists of vectors

    def record(self) -> None:
        """Records the loop, and collects what it gives."""
        cotangents, recorder = self.reverse.cotangents, self.recorder
        given = [self.body.inputs[i] for i in self.carried]
        starts = [cotangents.of_or_zero(self.node.outputs[i]) for i in self.carried]
        starts += [cotangents.of_or_zero(value) for value in self.around]
        values = [*given, *self.around]
        starts = [exactly(start, v.type) for start, v in zip(starts, values, strict=True)]
        backward = self._turn(values)
        lists = [value.type for value in backward.inputs[1 + len(values) :]]
        starts += [apply(find("list_new"), element=kind.element) for kind in lists]
        turns = self._keep(backward)
        more = exactly(apply(find("not_equal"), turns, 0), BOOL)
        inputs = tuple(operand(i, recorder) for i in (more, turns, *starts))
        attributes = {"adjoint": True} if self._is_linear() else {}
        results = recorder.record(find("loop"), inputs, attributes, {"body": backward})
        totals = [cotangents.handle(value) for value in results[1:]]
        for value, total in zip(self.around, totals[len(self.carried) :], strict=False):
            cotangents.put(value, total)
        self._add_products(totals[len(values) :])
        for i, total in zip(self.carried, totals, strict=False):
            if self.node.inputs[1 + i] in self.reverse.active:
                cotangents.add(self.node.inputs[1 + i], total, is_fitting=True)

    def _is_linear(self):
        """Whether what is done with cotangents is linear: what the user has written may not be."""
        return all(node.op.name != "custom_gradient" for node in walk(self.body))

    def _turn(self, values):
        """The body: one turn backwards."""
        recorder, body = self.recorder, self.body
        with recorder.reopened(body), recorder.open_region("body") as backward:
            inner = self.reverse.inside()
            left = Value(INT, "turns_left")
            backward.inputs = [left, *(Value(v.type, f"d_{v.hint}") for v in values)]
            handles = [inner.cotangents.handle(value) for value in backward.inputs]
            turn = handles[0] - 1
            turn._value.hint = "turn"
            for value, total in zip(self.around, handles[1 + len(self.carried) :], strict=True):
                inner.cotangents.put(value, total)
            inner.cotangents.gathered.update(self.around)
            for i, d in zip(self.carried, handles[1:], strict=False):
                inner.cotangents.add(body.outputs[1 + i], d, is_fitting=True)
            inner.walk_region(body)
            totals = [exactly(inner.cotangents.of_or_zero(v), v.type) for v in values]
            more = exactly(apply(find("not_equal"), turn, 0), BOOL)
            backward.outputs = [operand(o, recorder) for o in (more, turn, *totals)]
            self._collect(inner.cotangents.products, backward)
        return backward

    # -- products that are summed behind the loop --------------------------------------------------

    def _collect(self, products, backward):
        """Lets turns keep the vectors whose products are wanted."""
        places: dict[Operand, int] = {}
        for value, pair in products:
            vectors = staged(pair.column), staged(pair.row)
            for item in vectors:
                if item._value in places:
                    continue
                places[item._value] = len(places)
                given = Value(ListType(item.type), f"{item._value.hint}_kept")
                kept = apply(find("list_append"), handle(given, backward), item)
                backward.inputs.append(given)
                backward.outputs.append(operand(kept, self.recorder))
            column, row = (places[item._value] for item in vectors)
            self.summed.append((value, column, row))

    def _add_products(self, lists):
        """The sum over all turns is the product of two matrices."""
        cotangents = self.reverse.cotangents
        stack = find("list_stack")
        stacked = [apply(stack, kept, element=kept.type.element) for kept in lists]
        for value, column, row in self.summed:
            product = np.transpose(stacked[column]) @ stacked[row]
            cotangents.add(value, product, is_fitting=True)

    # -- what turns leave for the way back ---------------------------------------------------------

    def _keep(self, backward):
        """Makes the loop keep what the way back needs; the number of its turns."""
        left, turn = backward.inputs[0], backward.outputs[1]
        counted = {
            given: self._count_at(turn, given, *c) for given, c in counters(self.node).items()
        }
        known = {given: nodes[-1].output for given, nodes in counted.items()}
        found = residuals(backward, self.body, known)
        loads, replaced, turns = [], {}, None
        for value, entering in _histories(self.body, found.values):
            kept = self._kept(value, entering)
            places = [(value, turn)] if entering is None else [(entering, turn), (value, left)]
            for wanted, place in places:
                load = _node("list_get", (kept, place), wanted, self.node)
                loads.append(load)
                replaced[wanted] = load.output
            if turns is None:
                turns = apply(find("list_length"), self._handle(kept))
                turns = turns if entering is None else turns - 1
        substitute(backward, replaced)
        used = {
            value
            for graph in (backward, Graph("again", nodes=found.again))
            for value in used_values(graph)
        }
        numbers = [n for given, nodes in counted.items() if known[given] in used for n in nodes]
        position = next(i for i, n in enumerate(backward.nodes) if turn in n.outputs)
        backward.nodes[position + 1 : position + 1] = [*loads, *numbers, *found.again]
        return self._counted() if turns is None else turns

    def _count_at(self, turn, given, start, step):
        """Nodes that compute what a variable is that counts turns."""
        nodes, offset = [], turn
        if step != 1:
            nodes.append(_node("multiply", (turn, step), given, self.node))
            offset = nodes[-1].output
        nodes.append(_node("add", (start, offset), given, self.node))
        return nodes

    def _handle(self, value):
        return self.reverse.cotangents.handle(value)

    def _kept(self, value, entering):
        """The list of what a value was in each turn; with `entering`, of what it was before the
        first one, too."""
        kind = Value(ListType(value.type), f"{value.hint}_kept")
        first = () if entering is None else (self._start(entering),)
        start = _node("list_new", first, kind, self.node, element=value.type)
        self.region.nodes.insert(self.region.nodes.index(self.node), start)
        given, item = Value(kind.type, kind.hint), in_memory_of_its_own(self.body, value)
        return self._carry(
            start.output, given, _node("list_append", (given, item), kind, self.node)
        )

    def _start(self, given):
        return self.node.inputs[1 + self.body.inputs.index(given)]

    def _counted(self):
        """The number of turns: what a variable that counts them tells, or one more that does."""
        for given, (start, step) in counters(self.node).items():
            if type(start) is int and step == 1:
                end = self._handle(self.node.outputs[self.body.inputs.index(given)])
                return end - start if start else end
        given = Value(INT, "turns")
        return self._handle(self._carry(0, given, _node("add", (given, 1), given, self.node)))

    def _carry(self, start, given, step):
        """Gives the loop one more variable; what it holds in the end."""
        node, body = self.node, self.body
        final = Value(given.type, given.hint)
        body.inputs.append(given)
        body.nodes.append(step)
        body.outputs.append(step.output)
        node.inputs = (*node.inputs, start)
        node.outputs = (*node.outputs, final)
        return final


def _histories(body: Graph, needed: list[Value]) -> Iterator[tuple[Value, Value | None]]:
    """The values that a loop keeps; with each, the variable that holds it in the next turn, if the
    way back needs that too: one list does for both."""
    entering: dict[Operand, Value] = {}
    for given, end in zip(body.inputs, body.outputs[1:], strict=True):
        if given in needed and end in needed and end not in body.inputs:
            entering.setdefault(end, given)
    shifted = set(entering.values())
    for value in needed:
        if value not in shifted:
            yield value, entering.get(value)
