"""Data-flow analyses over the program points of a function: one solver, and a record for each.

    LIVE       backward, union         names that may be read from here on
    DEFINED    forward, intersection   names that are bound on every path that leads here

A set of names is an `int`, one bit per name.  An exception may be raised before or after a point
has had its effect, so the value at its handler merges those at both sides of the point.

After Bril's data-flow example (an analysis is four fields) and the Dragon Book, section 9.2.
"""

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

import gast

from autograph.analyses import Facts
from autograph.analyses.activity import scope
from autograph.analyses.control_flow_graph import Flow, ProgramPoint, flow

Bits = dict[str, int]  # a bit for each name
Values = dict[ProgramPoint, int]


@dataclass
class _Effect:
    """The effect of a point, as bits; `bound` has only the names that it certainly binds."""

    read: int
    bound: int
    deleted: int


Effects = dict[ProgramPoint, _Effect]


@dataclass(eq=False)
class Dataflow:
    """An analysis.  Called with a function and its facts, it returns a `Solution`."""

    forward: bool
    # (names, facts) -> the value at the entry; backward: wherever code outside may take over
    boundary: Callable[[Bits, Facts], int]
    initial: Callable[[Bits], int]  # the value of points that have not been visited
    merge: Callable[[int, int], int]  # where paths meet
    transfer: Callable[[_Effect, int], int]  # across one point

    def __call__(self, function: gast.AST, facts: Facts) -> "Solution":
        return _solve(self, facts)


class Solution:
    """The result of an analysis: the names for which it holds at each point of a function."""

    def __init__(self, names: Bits, graph: Flow, values: Values):
        self._names, self._flow, self._values = names, graph, values
        self._decoded: dict[int, Set[str]] = {}

    def before(self, node: gast.AST) -> Set[str]:
        """The names where `node` (a statement, a test, an iterable) starts."""
        return self._decode(self._flow.before[node])

    def after(self, statement: gast.AST) -> Set[str]:
        """The names after an `if`, `while` or `for`, or after the test of a `while` that holds."""
        return self._decode(self._flow.after[statement])

    def head(self, loop: gast.AST) -> Set[str]:
        """The names where a loop decides whether to go on."""
        return self._decode(self._flow.head[loop])

    def _decode(self, point: ProgramPoint) -> Set[str]:
        value = self._values[point]
        found = self._decoded.get(value)
        if found is None:
            found = {name for name, bit in self._names.items() if value & bit}
            self._decoded[value] = found
        return found


def _mask(some: Iterable[str], names: Bits) -> int:
    mask = 0
    for name in some:
        mask |= names.get(name, 0)
    return mask


def _effects(function: gast.AST, facts: Facts) -> tuple[Bits, Effects]:
    """The names of a function's variables, and the effect of each point."""
    variables = {**facts[scope].own, **facts[scope].declared}
    names = {name: 1 << i for i, name in enumerate(variables)}
    effects = {}
    for point in facts[flow].points:
        found = point.activity
        bound = _mask(found.bound, names)
        if found.maybe_bound:
            bound &= ~_mask(found.maybe_bound, names)
        effects[point] = _Effect(_mask(found.read, names), bound, _mask(found.deleted, names))
    return names, effects


def _solve(analysis: Dataflow, facts: Facts) -> Solution:
    """Sweeps over the points until nothing changes; the solution has the values before them."""
    graph, (names, effects) = facts[flow], facts[_effects]
    values_in = dict.fromkeys(graph.points, analysis.initial(names))
    values_out = dict(values_in)
    boundary = analysis.boundary(names, facts)
    if analysis.forward:
        _solve_forward(analysis, graph, effects, boundary, values_in, values_out)
    else:
        while _sweep_backward(analysis, graph, effects, boundary, values_in):
            pass
    return Solution(names, graph, values_in)


def _solve_forward(
    analysis: Dataflow,
    graph: Flow,
    effects: Effects,
    boundary: int,
    values_in: Values,
    values_out: Values,
) -> None:
    """Sweeps in source order; the value of a point comes from its predecessors."""
    sources: dict[ProgramPoint, list[ProgramPoint]] = {point: [] for point in graph.points}
    raised_by: dict[ProgramPoint, list[ProgramPoint]] = {point: [] for point in graph.points}
    for point in graph.points:
        for target in point.next:
            sources[target].append(point)
        for handler in point.raises:
            raised_by[handler].append(point)
    changed = True
    while changed:
        changed = False
        for point in graph.points:
            arriving = [boundary] if point is graph.points[0] else []
            arriving += [values_out[source] for source in sources[point]]
            for source in raised_by[point]:
                arriving.append(analysis.merge(values_in[source], values_out[source]))
            if not arriving:
                continue
            value = arriving[0]
            for other in arriving[1:]:
                value = analysis.merge(value, other)
            changed |= value != values_in[point]
            values_in[point] = value
            values_out[point] = analysis.transfer(effects[point], value)


def _sweep_backward(
    analysis: Dataflow, graph: Flow, effects: Effects, boundary: int, values: Values
) -> bool:
    """A sweep against source order; the value of a point comes from its successors."""
    changed = False
    for point in reversed(graph.points):
        value = boundary
        for target in point.next:
            value = analysis.merge(value, values[target])
        value = analysis.transfer(effects[point], value)
        for handler in point.raises:
            value = analysis.merge(value, values[handler])
        changed |= value != values[point]
        values[point] = value
    return changed


def _escaping(names: Bits, facts: Facts) -> int:
    """Names that other code may read at any time: captured, global and nonlocal ones."""
    found = facts[scope]
    return _mask({**found.activity.captured, **found.declared}, names)


LIVE = Dataflow(
    forward=False,
    boundary=_escaping,
    initial=lambda names: 0,
    merge=int.__or__,
    transfer=lambda point, value: value & ~point.bound | point.read,
)

DEFINED = Dataflow(
    forward=True,
    boundary=lambda names, facts: _mask(facts[scope].parameters, names),
    initial=lambda names: (1 << len(names)) - 1,
    merge=int.__and__,
    transfer=lambda point, value: (value | point.bound) & ~point.deleted,
)
