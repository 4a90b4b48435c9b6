"""The adjoints of loops.

    x, n = loop(p, x_0, n_0, body)        the loop stores the values that the backward loop needs:
                                          stored, trips = [], 0
                                          while p:
                                              stored.append(y); trips += 1; ...
                                          while trips != 0:
                                              trips -= 1; y = stored[trips]; d_x = ...

The cotangent of a value that the loop captures is a variable of the backward loop, so adding to one
element of a large array takes no copy of it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.ir.derivative import UserGradient
from runtime.ir.graph import Graph, Node, Operand, Value, captures, substitute, used_values, walk
from runtime.ir.op import find
from runtime.ir.regions import Carried, body_of, carried
from runtime.ir.types import BOOL, INT, ListType
from runtime.tracing.tensor import apply, handle, operand, staged
from runtime.transforms.reverse.activity import is_differentiable, useful
from runtime.transforms.reverse.cotangents import exactly
from runtime.transforms.reverse.residuals import counters, in_own_memory, node_like, residuals


def reverse_loop(reverse: Any, node: Node, region: Graph) -> None:
    """Collects the cotangents of the values that a loop starts with and captures."""
    variables, body = carried(node), body_of(node)
    have = {v.given for v in variables if reverse.cotangents.of(v.result) is not None}
    needed = _needed_in_iterations(reverse, body, variables, have)
    propagated = [
        v
        for v in variables
        if is_differentiable(v.given.type)
        and (v.given in have or v.given in needed)
        and (v.given in reverse.active or v.end in reverse.active)
    ]
    captured = [v for v in captures(body) if v in needed and v in reverse.active]
    if propagated or captured:
        _BackwardLoop(reverse, node, region, propagated, captured).record()


def _needed_in_iterations(reverse, body, variables, have):
    """The values of the body that influence a result that has a cotangent, in any iteration."""
    wanted: set[Operand] = {v.end for v in variables if v.given in have}
    while True:
        needed = useful(body, wanted, reverse.active)
        more = {v.end for v in variables if v.given in needed} - wanted
        if not more:
            return needed
        wanted = wanted | more


class _BackwardLoop:
    """The loop that goes backwards through the iterations of another one.

    Its variables are the number of iterations that are left, the cotangents of the variables
    `propagated`, and the cotangents of the values `captured`.
    """

    def __init__(
        self,
        reverse: Any,
        node: Node,
        region: Graph,
        propagated: Sequence[Carried],
        captured: Sequence[Value],
    ):
        self.reverse, self.recorder = reverse, reverse.recorder
        self.node, self.region = node, region
        self.body = body_of(node)
        self.propagated, self.captured = propagated, captured
        self.products: list[tuple[Value, int, int]] = []  # of a value: two lists of vectors

    def record(self) -> None:
        """Records the loop, and collects the cotangents that it computes."""
        cotangents = self.reverse.cotangents
        values = [*(v.given for v in self.propagated), *self.captured]
        primals = [*(v.result for v in self.propagated), *self.captured]
        starts = [cotangents.of_or_zero(primal) for primal in primals]
        starts = [exactly(start, v.type) for start, v in zip(starts, values, strict=True)]
        backward = self._iteration(values)
        lists = [value.type for value in backward.inputs[1 + len(values) :]]
        starts += [apply(find("list_new"), element=kind.element) for kind in lists]
        trips = self._store(backward)
        more = exactly(apply(find("not_equal"), trips, 0), BOOL)
        inputs = tuple(operand(i, self.recorder) for i in (more, trips, *starts))
        attributes = {"adjoint": True} if self._is_linear() else {}
        results = self.recorder.record(find("loop"), inputs, attributes, {"body": backward})
        self._collect([cotangents.handle(value) for value in results[1:]])

    def _collect(self, totals):
        cotangents, count = self.reverse.cotangents, len(self.propagated)
        for value, total in zip(self.captured, totals[count:], strict=False):
            cotangents.put(value, total)
        self._add_products(totals[count + len(self.captured) :])
        for variable, total in zip(self.propagated, totals, strict=False):
            if variable.start in self.reverse.active:
                cotangents.add(variable.start, total, is_fitting=True)

    def _is_linear(self):
        """Whether the backward loop is linear in cotangents: a user's gradient may not be."""
        return not any(isinstance(n.op.derivative, UserGradient) for n in walk(self.body))

    def _iteration(self, values):
        """The body of the backward loop, for one iteration of the forward loop."""
        recorder = self.recorder
        with recorder.reopened(self.body), recorder.open_region("body") as backward:
            inner = self.reverse.inside()
            left = Value(INT, "iterations_left")
            backward.inputs = [left, *(Value(v.type, f"d_{v.hint}") for v in values)]
            handles = [inner.cotangents.handle(value) for value in backward.inputs]
            iteration = handles[0] - 1
            iteration._value.hint = "iteration"
            for value, total in zip(
                self.captured, handles[1 + len(self.propagated) :], strict=True
            ):
                inner.cotangents.put(value, total)
            inner.cotangents.accumulated.update(self.captured)
            for variable, d in zip(self.propagated, handles[1:], strict=False):
                inner.cotangents.add(variable.end, d, is_fitting=True)
            inner.walk_region(self.body)
            totals = [exactly(inner.cotangents.of_or_zero(v), v.type) for v in values]
            more = exactly(apply(find("not_equal"), iteration, 0), BOOL)
            backward.outputs = [operand(o, recorder) for o in (more, iteration, *totals)]
            self._store_vectors(inner.cotangents.products, backward)
        return backward

    # -- products that are summed after the loop ---------------------------------------------------

    def _store_vectors(self, products, backward):
        """Makes iterations store the vectors whose products are needed."""
        places: dict[Operand, int] = {}
        for value, pair in products:
            vectors = staged(pair.column), staged(pair.row)
            for item in vectors:
                if item._value in places:
                    continue
                places[item._value] = len(places)
                given = Value(ListType(item.type), f"{item._value.hint}_stored")
                stored = apply(find("list_append"), handle(given, backward), item)
                backward.inputs.append(given)
                backward.outputs.append(operand(stored, self.recorder))
            column, row = (places[item._value] for item in vectors)
            self.products.append((value, column, row))

    def _add_products(self, lists):
        """Adds sums over all iterations of products of vectors: each is one matrix product."""
        cotangents = self.reverse.cotangents
        stack = find("list_stack")
        stacked = [apply(stack, one, element=one.type.element) for one in lists]
        for value, column, row in self.products:
            product = np.transpose(stacked[column]) @ stacked[row]
            cotangents.add(value, product, is_fitting=True)

    # -- residuals ---------------------------------------------------------------------------------

    def _store(self, backward):
        """Adds lists of residuals to the forward loop; returns the trip count."""
        left, iteration = backward.inputs[0], backward.outputs[1]
        counted = {
            given: self._count_at(iteration, given, *c) for given, c in counters(self.node).items()
        }
        known = {given: nodes[-1].output for given, nodes in counted.items()}
        found = residuals(backward, self.body, known)
        loads, replaced, trips = [], {}, None
        for value, entering in _histories(carried(self.node), found.values):
            stored = self._stored(value, entering)
            places = [(value, iteration)]
            if entering is not None:
                places = [(entering, iteration), (value, left)]
            for wanted, place in places:
                load = node_like("list_get", (stored, place), wanted, self.node)
                loads.append(load)
                replaced[wanted] = load.output
            if trips is None:
                trips = apply(find("list_length"), self._handle(stored))
                trips = trips if entering is None else trips - 1
        substitute(backward, replaced)
        used = {*used_values(backward), *used_values(Graph("", nodes=found.recomputed))}
        numbers = [n for given, nodes in counted.items() if known[given] in used for n in nodes]
        position = next(i for i, n in enumerate(backward.nodes) if iteration in n.outputs)
        backward.nodes[position + 1 : position + 1] = [*loads, *numbers, *found.recomputed]
        return self._trip_count() if trips is None else trips

    def _count_at(self, iteration, given, start, step):
        """Nodes that compute the value of a counter in an iteration."""
        nodes, offset = [], iteration
        if step != 1:
            nodes.append(node_like("multiply", (iteration, step), given, self.node))
            offset = nodes[-1].output
        nodes.append(node_like("add", (start, offset), given, self.node))
        return nodes

    def _handle(self, value):
        return self.reverse.cotangents.handle(value)

    def _stored(self, value, entering):
        """The list of the values in all iterations; with `entering`, a variable that takes the
        value in the next iteration, preceded by its start."""
        kind = Value(ListType(value.type), f"{value.hint}_stored")
        first = () if entering is None else (self._start(entering),)
        start = node_like("list_new", first, kind, self.node, element=value.type)
        self.region.nodes.insert(self.region.nodes.index(self.node), start)
        given, item = Value(kind.type, kind.hint), in_own_memory(self.node, value)
        append = node_like("list_append", (given, item), kind, self.node)
        return self._carry(start.output, given, append)

    def _start(self, given):
        return next(v.start for v in carried(self.node) if v.given is given)

    def _trip_count(self):
        """The number of iterations: from a counter of the loop, or from a new one."""
        counts = counters(self.node)
        for variable in carried(self.node):
            start, step = counts.get(variable.given, (None, None))
            if type(start) is int and step == 1:
                end = self._handle(variable.result)
                return end - start if start else end
        given = Value(INT, "iterations")
        return self._handle(self._carry(0, given, node_like("add", (given, 1), given, self.node)))

    def _carry(self, start, given, step):
        """Adds a loop-carried variable, and returns its final value."""
        node, body = self.node, self.body
        final = Value(given.type, given.hint)
        body.inputs.append(given)
        body.nodes.append(step)
        body.outputs.append(step.output)
        node.inputs = (*node.inputs, start)
        node.outputs = (*node.outputs, final)
        return final


def _histories(
    variables: list[Carried], needed: list[Value]
) -> Iterator[tuple[Value, Value | None]]:
    """The values that a loop stores; with each, the variable that holds it in the next iteration,
    if the backward pass needs both: one list is enough for them."""
    entering: dict[Operand, Value] = {}
    inputs = {v.given for v in variables}
    for v in variables:
        if v.given in needed and v.end in needed and v.end not in inputs:
            entering.setdefault(v.end, v.given)
    shifted = set(entering.values())
    for value in needed:
        if value not in shifted:
            yield value, entering.get(value)
