"""Loop conditions: loops whose test is one expression, as in `while test:`.

    p = a != 1                          while a != 1:
    while p:                                ...
        ...                    ->
        p = a != 1

A graph has a loop's test twice: before the loop, and at the end of its body.  If both are the same
expression of the loop's variables and of values that do not change in it, a program can write it
once.  Tests with other operations after them, before the loop or at the end of its body, are left
alone: these operations would run before the test.
"""

from dataclasses import dataclass, field, replace
from typing import TypeGuard

import numpy as np

from runtime.analyses.liveness import Uses
from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.regions import body_of, carried, control_flow_of


@dataclass
class Condition:
    """A loop's test: nodes on the loop's variables, each before its uses; and the nodes that it
    replaces."""

    nodes: list[Node] = field(default_factory=list)
    replaced: set[Node] = field(default_factory=set)


def conditions(graph: Graph, uses: Uses) -> dict[Node, Condition]:
    """The conditions of the loops of a graph that have one."""
    found = {}
    for region in [graph, *(r for node in walk(graph) for r in node.regions.values())]:
        for place, node in enumerate(region.nodes):
            flow = control_flow_of(node)
            if flow is not None and flow.loop is not None and len(flow.conditions(node)) == 2:
                condition = _condition(node, region.nodes[:place], uses)
                if condition is not None:
                    found[node] = condition
    return found


def _condition(loop: Node, before: list[Node], uses: Uses) -> Condition | None:
    body = body_of(loop)
    test, again = loop.op.control_flow.conditions(loop)
    condition = Condition()
    if not _is_computed_for_one(test, uses) or not _is_computed_for_one(again, uses):
        return None
    first, last = uses.makers[test], uses.makers[again]
    if not _merge(first, last, loop, uses, condition):
        return None
    while before and before[-1].op.name == "constant":
        before = before[:-1]
    ends = body.nodes[-len(condition.nodes) :]
    if before[-1:] != [first] or not condition.replaced.issuperset(ends):
        return None
    return condition


def _is_computed_for_one(operand: Operand, uses: Uses) -> bool:
    """Whether a value is made by a node of its own, and used once."""
    if not isinstance(operand, Value) or uses.count[operand] != 1:
        return False
    maker = uses.makers.get(operand)
    return maker is not None and len(maker.outputs) == 1


def _merge(first: Node, last: Node, loop: Node, uses: Uses, condition: Condition) -> bool:
    """Whether two nodes are the same expression; it is added to the condition."""
    starts = first.inputs
    if first.regions or last.regions:
        return False
    if first.op is not last.op and first.op.traits.swapped == last.op.name:
        starts = starts[::-1]
    elif first.op is not last.op or not _have_same_attributes(first, last):
        return False
    if len(starts) != len(last.inputs):
        return False
    operands: list[Operand] = []
    for one, other in zip(starts, last.inputs, strict=True):
        if _is_inlined(one, uses) and _is_inlined(other, uses):
            inner = uses.makers[one], uses.makers[other]
            if not _merge(*inner, loop, uses, condition):
                return False
            operands.append(other)
        else:
            operand = _variable(one, other, loop)
            if operand is None:
                return False
            operands.append(operand)
    condition.nodes.append(replace(last, inputs=tuple(operands)))
    condition.replaced |= {first, last}
    return True


def _have_same_attributes(one: Node, other: Node) -> bool:
    arrays = any(isinstance(value, np.ndarray) for value in one.attributes.values())
    return not arrays and one.attributes == other.attributes


def _is_inlined(operand: Operand, uses: Uses) -> TypeGuard[Value]:
    return isinstance(operand, Value) and operand in uses.inlined


def _variable(start: Operand, end: Operand, loop: Node) -> Operand | None:
    """The loop's variable that starts as one operand and goes on as the other; or the operand that
    both are; None where there is neither."""
    for variable in carried(loop):
        if _is_same(variable.start, start) and _is_same(variable.end, end):
            return variable.given  # type: ignore[no-any-return]
    return start if _is_same(start, end) else None


def _is_same(one: Operand, other: Operand) -> bool:
    if isinstance(one, Value) or isinstance(other, Value):
        return one is other
    return type(one) is type(other) and repr(one) == repr(other)  # -0.0 is not 0.0
