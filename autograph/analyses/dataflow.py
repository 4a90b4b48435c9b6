"""Data-flow analyses over the points of a function: one solver, and each analysis a record.

    LIVE       backward, union         what may be read from here on
    DEFINED    forward, intersection   what is bound on every path that leads here

A set of names is an `int`, one bit a name.  An exception may strike before or after a point has had
its effect, so what holds at its handler is merged with both sides of the point.

After Bril's data-flow example (an analysis is four fields) and the Dragon Book, section 9.2.
"""

from collections.abc import Callable
from dataclasses import dataclass

from autograph.analyses.activity import scope
from autograph.analyses.control_flow_graph import flow


@dataclass(eq=False)
class Dataflow:
    """An analysis.  Called with a function and its facts, it gives a `Solution`."""

    forward: bool
    # (names, facts) -> the value at the entry; backward: wherever code outside may take over
    border: Callable
    unknown: Callable  # (names) -> the value where nothing has been found out yet
    merge: Callable  # (value, value) -> value, where paths meet
    transfer: Callable  # (point, value) -> value, across one point

    def __call__(self, function, facts) -> "Solution":
        return _solve(self, facts)


class Solution:
    """What an analysis found: the names that hold at each place of a function."""

    def __init__(self, names, graph, values):
        self._names, self._flow, self._values = names, graph, values

    def before(self, node) -> set[str]:
        """The names that hold where `node` (a statement, a test, an iterable) starts."""
        return self._decode(self._flow.before[node])

    def after(self, statement) -> set[str]:
        """The names that hold behind an `if`, `while` or `for`, or behind the test of a `while`
        where it was true."""
        return self._decode(self._flow.after[statement])

    def head(self, loop) -> set[str]:
        """The names that hold where a loop decides whether to go on."""
        return self._decode(self._flow.head[loop])

    def _decode(self, point):
        value = self._values[point]
        return {name for name, bit in self._names.items() if value & bit}


@dataclass
class _Effect:
    """What a point does, as bits; `bound` holds only what it surely binds."""

    read: int
    bound: int
    deleted: int


def _mask(some, names):
    mask = 0
    for name in some:
        mask |= names.get(name, 0)
    return mask


def _solve(analysis, facts):
    """Sweeps over the points until nothing changes; gives the values in front of each point."""
    graph = facts[flow]
    variables = {**facts[scope].own, **facts[scope].declared}
    names = {name: 1 << i for i, name in enumerate(variables)}
    effects = {
        point: _Effect(
            _mask(point.activity.read, names),
            _mask(point.activity.bound, names) & ~_mask(point.activity.perhaps_bound, names),
            _mask(point.activity.deleted, names),
        )
        for point in graph.points
    }
    front = dict.fromkeys(graph.points, analysis.unknown(names))
    back = dict(front)
    border = analysis.border(names, facts)
    sweep = _forward(graph) if analysis.forward else _backward
    while sweep(analysis, graph, effects, border, front, back):
        pass
    return Solution(names, graph, front)


def _forward(graph):
    """A sweep in source order; a point's value comes from the points that lead to it."""
    led_by = {point: [] for point in graph.points}
    struck_by = {point: [] for point in graph.points}
    for point in graph.points:
        for target in point.next:
            led_by[target].append(point)
        for handler in point.raises:
            struck_by[handler].append(point)

    def sweep(analysis, graph, effects, border, front, back):
        changed = False
        for point in graph.points:
            value = border if point is graph.points[0] else None
            for source in led_by[point]:
                value = back[source] if value is None else analysis.merge(value, back[source])
            for source in struck_by[point]:
                either = analysis.merge(front[source], back[source])
                value = either if value is None else analysis.merge(value, either)
            if value is None:
                continue
            changed |= value != front[point]
            front[point], back[point] = value, analysis.transfer(effects[point], value)
        return changed

    return sweep


def _backward(analysis, graph, effects, border, front, back):
    """A sweep against source order; a point's value comes from the points that it leads to."""
    changed = False
    for point in reversed(graph.points):
        value = border
        for target in point.next:
            value = analysis.merge(value, front[target])
        value = analysis.transfer(effects[point], value)
        for handler in point.raises:
            value = analysis.merge(value, front[handler])
        changed |= value != front[point]
        front[point] = value
    return changed


def _escaping(names, facts):
    """Names that code elsewhere may read at any time: captured, global and nonlocal ones."""
    found = facts[scope]
    return _mask({**found.activity.captured, **found.declared}, names)


LIVE = Dataflow(
    forward=False,
    border=_escaping,
    unknown=lambda names: 0,
    merge=int.__or__,
    transfer=lambda point, value: value & ~point.bound | point.read,
)

DEFINED = Dataflow(
    forward=True,
    border=lambda names, facts: _mask(facts[scope].parameters, names),
    unknown=lambda names: (1 << len(names)) - 1,
    merge=int.__and__,
    transfer=lambda point, value: (value | point.bound) & ~point.deleted,
)
