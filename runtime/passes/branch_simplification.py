"""Folds branches with a known condition and replaces flag variables by their condition.

    y = cond(True, then=f, orelse=g)            the nodes of `f`

    y = cond(p, then=f, orelse=g)               y = cond(p, then=f, orelse=g)
        where `f` reads p               ->          p is true in `f`, and false in `g`

    stop = cond(p, ...)  # True, False          stop = truth(p)
    q = not_(stop)                      ->
    y = cond(q, then=f, orelse=g)               y = cond(p, then=g, orelse=f)

    y = cond(p, ...)  # x, x                    (gone: its uses read x; also if one branch leaves y
                                         ->      unbound, or always raises)

    a = cond(p, then=f, orelse=g)               a, b = cond(p, ...)
    b = cond(p, then=h, orelse=k)       ->          `f` then `h`, `g` then `k`

    x = loop(False, x_0, ...)                   (gone: its uses read x_0)
    x = loop(p, x_0, ...)  # once       ->      x = cond(p, ...)
    assert_(True, ...)                          (gone)

No node is moved across an effect, or across an operation that may fail.
"""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime.analyses.sizes import shape_of
from runtime.analyses.speculation import is_speculatable
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.op import find
from runtime.ir.regions import body_of, carried, is_choice, is_loop
from runtime.ir.types import BOOL, PythonType, TensorType
from runtime.passes.constant_folding import folded

# How many nodes may be between two branches that are merged.
NEAR = 12


def simplify_branches(graph: Graph, context: Any = None) -> Graph:
    """The graph without the `cond`s and `loop`s whose condition is known."""
    _Branches().visit(graph)
    return graph


class _Branches:
    """A walk through a graph, with the facts that hold at the current node."""

    def __init__(self) -> None:
        self.makers: dict[Value, Node] = {}
        self.home: dict[Value, list[Node]] = {}  # the nodes of the region that defines a value
        self.replaced: dict[Value, Operand] = {}
        self.truths: dict[Value, bool] = {}
        self.chosen: dict[Operand, list[tuple[Value, Operand, Operand]]] = {}

    def visit(self, graph: Graph) -> None:
        """Rewrites a graph and its regions, in place."""
        pending = graph.nodes
        graph.nodes = []
        for node in pending:
            self.add(node, graph.nodes)
        graph.outputs = list(map(self.now, graph.outputs))

    def add(self, node: Node, nodes: list[Node]) -> None:
        """Adds a node, or its simplification, to the nodes before it."""
        asked = node.inputs
        node.inputs = tuple(map(self.now, asked))
        if is_choice(node):
            self.add_choice(node, nodes)
            return
        if is_loop(node):
            self.add_loop(node, nodes)
            return
        match node.op.name:
            case "not_" | "truth":
                self.add_truth(node, nodes)
                return
            case "assert_" if self.truth_of(node.inputs[0]):
                return
        known = None if self.replaced.keys().isdisjoint(asked) else folded(node, {})
        if known is not None and isinstance(node.output.type, PythonType):
            self.replaced[node.output] = known
            return
        for region in node.regions.values():  # a function that calls itself
            self.visit(region)
        self.keep(node, nodes)

    def add_truth(self, node: Node, nodes: list[Node]) -> None:
        """Adds a `truth` or `not_`, applied to the truth value that it depends on."""
        negates = node.op.name == "not_"
        asked, is_negated = self.asked(node.inputs[0])
        known = self.truth_of(asked)
        negates ^= is_negated
        if known is not None:
            self.replaced[node.output] = known is not negates
        elif not negates and operand_type(asked) == BOOL:
            self.replaced[node.output] = asked
        else:
            node.op, node.inputs = find("not_" if negates else "truth"), (asked,)
            self.keep(node, nodes)
            self.chosen.setdefault(asked, []).append((node.output, not negates, negates))

    def keep(self, node: Node, nodes: list[Node]) -> None:
        nodes.append(node)
        self.makers.update(dict.fromkeys(node.outputs, node))
        self.home.update(dict.fromkeys(node.outputs, nodes))

    # -- known facts -------------------------------------------------------------------------------

    def now(self, operand: Operand) -> Operand:
        """The operand that replaces an operand."""
        while isinstance(operand, Value) and operand in self.replaced:
            operand = self.replaced[operand]
        return operand

    def truth_of(self, operand: Operand) -> bool | None:
        """Whether an operand is true; None if that is known only at run time."""
        if not isinstance(operand, Value):
            return bool(operand)
        if operand in self.truths:
            return self.truths[operand]
        maker = self.makers.get(operand)
        if maker is not None and maker.op.name == "constant" and shape_of(operand) == ():
            return bool(maker.attributes["value"])
        return None

    @contextmanager
    def where(self, predicate: Operand, truth: bool) -> Iterator[None]:
        """Visits a region that runs only if a predicate is true, or false."""
        if not isinstance(predicate, Value) or predicate in self.truths:
            yield
            return
        self.truths[predicate] = truth
        chosen = {
            value: one if truth else other
            for value, one, other in self.chosen.get(predicate, ())
            if value not in self.replaced
        }
        if predicate.type == BOOL:
            chosen[predicate] = truth
        self.replaced.update(chosen)
        yield
        del self.truths[predicate]
        for value in chosen:
            del self.replaced[value]

    # -- branches ----------------------------------------------------------------------------------

    def add_choice(self, node: Node, nodes: list[Node]) -> None:
        self.remove_negation(node)
        known = self.truth_of(node.inputs[0])
        if known is not None:
            region = node.op.control_flow.chosen(node, known)
            self.inline(region, nodes)
            self.replaced.update(zip(node.outputs, map(self.now, region.outputs), strict=True))
            return
        earlier = self.earlier_with(node.inputs[0], node, nodes)
        if earlier is not None:
            first = len(earlier.outputs)
            self.merge(earlier, node, nodes)
            self.drop_known_results(earlier, nodes, first)
            return
        for name, region in node.regions.items():
            with self.where(node.inputs[0], node.op.control_flow.regions[name].when):
                self.visit(region)
        self.keep(node, nodes)
        self.drop_known_results(node, nodes)

    def remove_negation(self, node: Node) -> None:
        """Removes a negation from a predicate, and exchanges the branches."""
        asked, is_negated = self.asked(node.inputs[0])
        node.inputs = (asked,)
        if is_negated:
            one, other = node.regions.values()
            one.name, other.name = other.name, one.name
            node.regions = dict(zip(node.regions, (other, one), strict=True))

    def maker(self, operand: Operand) -> Node | None:
        """The node that makes an operand, if it has been visited."""
        return self.makers.get(operand) if isinstance(operand, Value) else None

    def asked(self, operand: Operand) -> Any:
        """The truth value that a predicate depends on, and whether the predicate negates it."""
        is_negated = False
        maker = self.maker(operand)
        while maker is not None and maker.op.name in ("not_", "truth"):
            (source,) = maker.inputs
            if not (isinstance(source, Value) and is_truth(source)):
                break
            is_negated ^= maker.op.name == "not_"
            operand, maker = source, self.maker(source)
        return operand, is_negated

    def inline(self, region: Graph, nodes: list[Node]) -> None:
        """Adds the nodes of a region to the graph around it."""
        for inner in region.nodes:
            self.add(inner, nodes)

    def drop_known_results(self, node: Node, nodes: list[Node], first: int = 0) -> None:
        """Drops the results of a `cond`, from the `first` on, that are known without it."""
        predicate, location = node.inputs[0], (node.location, node.scope)
        then, orelse = (node.op.control_flow.chosen(node, truth) for truth in (True, False))
        results = zip(node.outputs, then.outputs, orelse.outputs, strict=True)
        kept = []
        for value, one, other in itertools.islice(results, first, None):
            found = self.only(one, other, node)
            if found is not None:
                self.replaced[value] = found
            elif _are_truths(one, other):
                op = find("truth" if one else "not_")
                truth = Node(op, (predicate,), (value,), {}, {}, *location)
                self.add_truth(truth, nodes)
            else:
                kept.append((value, one, other))
        node.outputs = (*node.outputs[:first], *(value for value, _, _ in kept))
        then.outputs[first:] = [one for _, one, _ in kept]
        orelse.outputs[first:] = [other for _, _, other in kept]
        self.chosen.setdefault(predicate, []).extend(
            choice for choice in kept if not any(self.is_inside(o, node) for o in choice[1:])
        )

    def only(self, one: Operand, other: Operand, node: Node) -> Any:
        """The result of both branches, or of one if that of the other is never used; else None."""
        if _is_same(one, other):
            return one
        if self.is_nothing(other) and not self.is_inside(one, node):
            return one
        if self.is_nothing(one) and not self.is_inside(other, node):
            return other
        return None

    def is_nothing(self, operand: Operand) -> bool:
        """Whether an operand is the value of an unbound variable, or unreachable."""
        maker = self.makers.get(operand) if isinstance(operand, Value) else None
        return maker is not None and maker.op.name in ("zero", "unreachable")

    def is_inside(self, operand: Operand, node: Node) -> bool:
        """Whether an operand is made in a region of a node."""
        home = self.home.get(operand) if isinstance(operand, Value) else None
        return any(home is region.nodes for region in node.regions.values())

    # -- branches with the same predicate ----------------------------------------------------------

    def earlier_with(self, predicate: Operand, node: Node, nodes: list[Node]) -> Any:
        """An earlier `cond` with the same predicate, None if there is none nearby.

        The nodes between them are moved before it.
        """
        between: list[Node] = []
        for place in range(len(nodes) - 1, max(-1, len(nodes) - NEAR), -1):
            earlier = nodes[place]
            if earlier.op is node.op and earlier.inputs[0] is predicate:
                made = set(earlier.outputs)
                if any(not made.isdisjoint(other.inputs) for other in between):
                    return None
                del nodes[place:]
                nodes += [*reversed(between), earlier]
                return earlier
            if not is_speculatable(earlier):
                return None
            between.append(earlier)
        return None

    def merge(self, earlier: Node, node: Node, nodes: list[Node]) -> None:
        """Merges a `cond` into an earlier one."""
        for name, region in node.regions.items():
            first = earlier.regions[name]
            inside = dict(zip(earlier.outputs, first.outputs, strict=True))
            inside = {value: found for value, found in inside.items() if value not in self.replaced}
            self.replaced.update(inside)
            with self.where(node.inputs[0], node.op.control_flow.regions[name].when):
                self.inline(region, first.nodes)
                first.outputs += map(self.now, region.outputs)
            for value in inside:
                self.replaced.pop(value, None)
        earlier.outputs += node.outputs
        self.makers.update(dict.fromkeys(node.outputs, earlier))
        self.home.update(dict.fromkeys(node.outputs, nodes))

    # -- loops -------------------------------------------------------------------------------------

    def add_loop(self, node: Node, nodes: list[Node]) -> None:
        flow, body, variables = node.op.control_flow, body_of(node), carried(node)
        if flow.predicate is None:
            self.visit(body)
            self.keep(node, nodes)
            return
        predicate = node.inputs[flow.predicate]
        if self.truth_of(predicate) is False:
            self.replaced.update((v.result, v.start) for v in variables)
            return
        most = node.attributes.get("max_iterations")
        stops = any(condition is False for condition in flow.conditions(node))
        if stops and (most is None or most >= 1):
            self.replaced.update((v.given, v.start) for v in variables)
            then = Graph("then", [], body.nodes, [v.end for v in variables])
            orelse = Graph("orelse", [], [], [v.start for v in variables])
            regions = {"then": then, "orelse": orelse}
            once = Node(
                find("cond"), (predicate,), node.outputs, {}, regions, node.location, node.scope
            )
            self.add(once, nodes)
            return
        with self.where(predicate, True):
            self.visit(body)
        self.keep(node, nodes)


def is_truth(value: Value) -> bool:
    """Whether a value is a bool of Python or NumPy."""
    return value.type in (BOOL, TensorType(np.dtype(bool)))


def _is_same(one: Operand, other: Operand) -> bool:
    if isinstance(one, Value) or isinstance(other, Value):
        return one is other
    return type(one) is type(other) and repr(one) == repr(other)


def _are_truths(one: Operand, other: Operand) -> bool:
    return type(one) is bool and type(other) is bool and one is not other
