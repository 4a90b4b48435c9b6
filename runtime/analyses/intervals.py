"""Interval analysis: integers that never leave their dtype can be Python's, which are faster.

    while i < n:            i starts at 0 and never passes n, which is an i64: no sum overflows
        s = s + i           s may grow beyond any bound: it stays a NumPy scalar, which wraps around
        i = i + 1

Every integer scalar gets an interval of the values that it may have, computed with unbounded
integers. A loop's variable is widened to infinity where it grows, and narrowed by the loop's
test. After Cousot and Cousot, "Abstract interpretation" (1977).
"""

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from runtime.ir.graph import Graph, Node, Operand, Value, operand_type, walk
from runtime.ir.regions import Carried, ControlFlow, body_of, control_flow_of, is_choice
from runtime.ir.types import BOOL, INT, TensorType, is_array


class Interval(NamedTuple):
    """The integers from `low` to `high`, both included and perhaps infinite."""

    low: float | int
    high: float | int

    def join(self, other: "Interval") -> "Interval":
        """The smallest interval that holds both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def widened(self, later: "Interval") -> "Interval":
        """Infinite, or up to 0, in the directions in which `later` goes beyond this one."""
        low = 0 if later.low >= 0 else -math.inf
        high = 0 if later.high <= 0 else math.inf
        return Interval(
            self.low if later.low >= self.low else low,
            self.high if later.high <= self.high else high,
        )

    def within(self, other: "Interval") -> bool:
        """Whether `other` holds all of it."""
        return other.low <= self.low and self.high <= other.high

    def limited(self, low: float = -math.inf, high: float = math.inf) -> "Interval":
        """The part that lies between two bounds (or at the nearer of them, where there is none)."""
        return Interval(max(self.low, min(low, self.high)), min(self.high, max(high, self.low)))


EVERYTHING = Interval(-math.inf, math.inf)


def is_integer(value: Operand) -> bool:
    """Whether an operand is an integer scalar of NumPy or Python."""
    if isinstance(value, Value):
        if isinstance(value.type, TensorType):
            is_scalar = value.type.shape == () and not is_array(value.type)
            return is_scalar and value.type.dtype.kind in "iu"
        return value.type in (INT, BOOL)
    return type(value) in (int, bool)


def bounds(value: Value) -> Interval:
    """The values that the type of an integer scalar holds."""
    if not isinstance(value.type, TensorType):
        return Interval(0, 1) if value.type is BOOL else EVERYTHING
    return _bounds_of(value.type.dtype)


@functools.cache
def _bounds_of(dtype: np.dtype[Any]) -> Interval:
    limits = np.iinfo(dtype)
    return Interval(int(limits.min), int(limits.max))


def _multiplied(a: "Interval", b: "Interval") -> "Interval":
    products = [0 if 0 in (x, y) else x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(min(products), max(products))


def _floor_divided(a: "Interval", b: "Interval") -> "Interval":
    if b.low <= 0:
        return EVERYTHING
    quotients = [x // y if math.isfinite(x) and math.isfinite(y) else _limit(x, y)
                 for x in (a.low, a.high) for y in (b.low, b.high)]  # fmt: skip
    return Interval(min(quotients), max(quotients))


def _limit(x: float, y: float) -> float:
    if math.isinf(x):
        return x
    return 0 if x >= 0 else -1


def _remainder(a: "Interval", b: "Interval") -> "Interval":
    if b.low <= 0:
        return EVERYTHING
    return Interval(0, b.high - 1)


RULES: dict[str, Callable[..., Interval]] = {  # op names: a rule for each
    "add": lambda a, b: Interval(a.low + b.low, a.high + b.high),
    "subtract": lambda a, b: Interval(a.low - b.high, a.high - b.low),
    "multiply": _multiplied,
    "floor_divide": _floor_divided,
    "remainder": _remainder,
    "negative": lambda a: Interval(-a.high, -a.low),
    "positive": lambda a: a,
    "number": lambda a: a,
    "relax": lambda a: a,
}

# The intervals of the left and right operand if a comparison holds.
COMPARISONS = {  # op names: a rule for each
    "less": lambda a, b: (a.limited(high=b.high - 1), b.limited(low=a.low + 1)),
    "less_equal": lambda a, b: (a.limited(high=b.high), b.limited(low=a.low)),
    "equal": lambda a, b: (a.limited(b.low, b.high), b.limited(a.low, a.high)),
}
SWAPPED = {"greater": "less", "greater_equal": "less_equal"}  # op names: those of other operands


class Ranges:
    """The intervals of the integer scalars of a graph, regions included.

    `given` are intervals of inputs, besides the bounds of their types.
    """

    def __init__(self, graph: Graph, given: Mapping[Value, Interval] | None = None) -> None:
        self.intervals: dict[Value, Interval] = {}
        self.overflowing: set[Value] = set()
        self.makers = {value: node for node in walk(graph) for value in node.outputs}
        for value in graph.inputs:
            limits = self.limits(value) if is_integer(value) else EVERYTHING
            known = limits if given is None else given.get(value, limits)
            self.intervals[value] = known.limited(limits.low, limits.high)
        self.visit(graph)

    def limits(self, value: Value) -> Interval:
        """The values that an integer scalar may have, of which only the type is known."""
        return bounds(value)

    def overflowed(self, value: Value, exact: Interval) -> Interval:
        """The values of a result that may be outside of its limits: it wraps around."""
        return self.limits(value)

    def __getitem__(self, operand: Operand) -> Interval:
        if not isinstance(operand, Value):
            scalar = operand.real
            if isinstance(scalar, float) and not scalar.is_integer():  # infinities, too
                return EVERYTHING
            return Interval(int(scalar), int(scalar))
        return self.intervals.get(operand, EVERYTHING)

    def fits(self, value: Value) -> bool:
        """Whether the value, computed with unbounded integers, never leaves its dtype."""
        return value not in self.overflowing

    def is_exact(self, node: Node) -> bool:
        """Whether the interval of a result is that of the operation, not the bounds of its type."""
        known = node.op.name in RULES and all(map(is_integer, node.inputs))
        return known and self.fits(node.output)

    # -- nodes -------------------------------------------------------------------------------------

    def visit(self, graph: Graph) -> None:
        for node in graph.nodes:
            flow = control_flow_of(node)
            if flow is None or flow.is_opaque:
                self.visit_plain(node)
                continue
            for name, part in flow.regions.items():
                if part.carried is not None:
                    self.visit_loop(node, flow)
                elif part.is_run:
                    self.visit_region(node, flow, name)
            self.join(node, flow)

    def visit_plain(self, node: Node) -> None:
        for region in node.regions.values():
            self.visit(region)
        for value in node.outputs:
            if is_integer(value):
                self.intervals[value] = self.interval(node, value)

    def interval(self, node: Node, value: Value) -> Interval:
        """The interval of a result; of one that may wrap around, the bounds of its type."""
        self.overflowing.discard(value)
        if node.op.name == "constant":
            number = int(node.attributes["value"])
            return Interval(number, number)
        rule = RULES.get(node.op.name)
        if rule is None or not all(map(is_integer, node.inputs)):
            return self.limits(value)
        exact = rule(*(self[operand] for operand in node.inputs))
        if exact.within(self.limits(value)) and self.python_scalars_fit(node, value):
            return exact
        self.overflowing.add(value)
        return self.overflowed(value, exact)

    def python_scalars_fit(self, node: Node, value: Value) -> bool:
        """Whether Python scalars fit the dtype of the other operand; NumPy raises otherwise."""
        if not isinstance(value.type, TensorType):
            return True
        weak = (o for o in node.inputs if not isinstance(operand_type(o), TensorType))
        return all(self[operand].within(bounds(value)) for operand in weak)

    def visit_region(self, node: Node, flow: ControlFlow, name: str) -> None:
        """Visits a region that runs at most once; inside, its predicate is known."""
        region, when = node.regions[name], flow.regions[name].when
        for value, operand in zip(region.inputs, flow.entering(node, name), strict=True):
            self.intervals[value] = self[operand] if is_integer(value) else EVERYTHING
        inside: dict[Value, Interval] = {}
        if when is not None and flow.predicate is not None:
            inside = self.narrowed(node.inputs[flow.predicate], when)
        outside = {value: self[value] for value in inside}
        self.intervals.update(inside)
        self.visit(region)
        self.intervals.update(outside)

    def join(self, node: Node, flow: ControlFlow) -> None:
        """Sets the intervals of results: of all that they may be, if it can be reached."""
        for i, value in enumerate(node.outputs):
            if is_integer(value):
                sources = [o for o in flow.result_sources(node, i) if not self.is_unreachable(o)]
                ends = [self[operand] for operand in sources] or [self.limits(value)]
                self.intervals[value] = functools.reduce(Interval.join, ends)

    def is_unreachable(self, operand: Operand) -> bool:
        """Whether an operand is computed after code that always raises."""
        maker = self.makers.get(operand) if isinstance(operand, Value) else None
        return maker is not None and maker.op.name == "unreachable"

    def visit_loop(self, node: Node, flow: ControlFlow) -> None:
        body, variables = body_of(node), flow.carried(node)
        intervals = [self[v.start] if is_integer(v.start) else EVERYTHING for v in variables]
        while True:
            self.enter(body, variables, intervals, flow.conditions(node))
            self.visit(body)
            ends = [self[v.end] if is_integer(v.end) else EVERYTHING for v in variables]
            wider = [
                self.widened(value, interval, end) if is_integer(value) else EVERYTHING
                for value, interval, end in zip(body.inputs, intervals, ends, strict=True)
            ]
            if wider == intervals:
                break
            intervals = wider

    def widened(self, value: Value, interval: Interval, end: Interval) -> Interval:
        """The interval of a loop's variable that had one, and another after an iteration."""
        limits = self.limits(value)
        return interval.widened(interval.join(end)).limited(limits.low, limits.high)

    def enter(self, body: Graph, variables: list[Carried], intervals: Any, conditions: Any) -> None:
        """Sets the ranges at the start of an iteration, where the condition has just been true."""
        self.intervals.update(zip(body.inputs, intervals, strict=True))
        if len(conditions) == 2:
            before, after = (self.facts(condition, True) for condition in conditions)
            for variable in variables:
                if is_integer(variable.given):
                    narrowed = self.by_test(variable, before, after)
                    self.intervals[variable.given] = narrowed

    def by_test(self, variable: Carried, before: Any, after: Any) -> Any:
        """The interval of a loop's variable after its condition, if that says the same before the
        loop and at the end of an iteration."""
        interval = self[variable.given]
        for name, left, right in before:
            for other_name, other_left, other_right in after:
                if name != other_name:
                    continue
                # start < n before the loop, next < n after an iteration, and n does not change
                ends = variable.start, variable.end
                if (left, other_left) == ends and _is_same(right, other_right):
                    interval = COMPARISONS[name](interval, self[right])[0]
                if (right, other_right) == ends and _is_same(left, other_left):
                    interval = COMPARISONS[name](self[left], interval)[1]
        return interval

    # -- facts about predicates --------------------------------------------------------------------

    def narrowed(self, predicate: Operand, holds: bool) -> Any:
        """The intervals of values that are known better where a predicate holds, or does not."""
        found = {}
        for name, left, right in self.facts(predicate, holds):
            one, other = COMPARISONS[name](self[left], self[right])
            if isinstance(left, Value):
                found[left] = one
            if isinstance(right, Value):
                found[right] = other
        return found

    def facts(self, predicate: Operand, holds: bool) -> Any:
        """The comparisons of integers that hold where a predicate does (or does not); the larger
        one is on the right."""
        node = self.makers.get(predicate) if isinstance(predicate, Value) else None
        if node is None:
            return []
        name = node.op.name
        if name in ("not_", "truth"):
            return self.facts(node.inputs[0], holds if name == "truth" else not holds)
        if is_choice(node) and holds:
            flow = node.op.control_flow
            for truth in (True, False):  # `p and q`: the other region says False
                if flow.chosen(node, not truth).outputs == [False]:
                    (asked,) = flow.chosen(node, truth).outputs
                    own = self.facts(node.inputs[flow.predicate], truth)
                    return own + self.facts(asked, True)
        if not holds:
            name = node.op.traits.negated
        left, right = node.inputs if len(node.inputs) == 2 else (None, None)
        if name in SWAPPED:
            name, left, right = SWAPPED[name], right, left
        if name not in COMPARISONS or not all(map(is_integer, node.inputs)):
            return []
        return [(name, left, right)]


def _is_same(left: Operand, right: Operand) -> bool:
    """Whether two operands are one value or equal scalars."""
    if isinstance(left, Value) or isinstance(right, Value):
        return left is right
    return type(left) is type(right) and left == right
