"""Slow counters: integers that no run is long enough to count out of 64 bits.

    total = 0                         each iteration adds at most `MOST_PER_ITERATION`, so `total`
    for i in range(n):                stays in 64 bits for 2 ** 58 iterations: more than two years,
        while x[i] > limit:           even at four iterations in a nanosecond
            total += 1
        count += total > 100

A counter starts, and starts again where a branch sets it, within `FAR`.  The iterations of inner
loops are iterations, too.  This says nothing about code whose iterations take no time: a compiler
must not replace such a loop by the numbers it ends with.
"""

from runtime.analyses.intervals import Interval, Ranges, is_integer
from runtime.analyses.liveness import Uses
from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.regions import Carried, carried, control_flow_of, is_choice, is_loop

MOST_PER_ITERATION = 16
FAR = Interval(-(1 << 62), 1 << 62)
SAME = ("number", "relax", "positive")  # op names: the result is the operand


def slow_counters(graph: Graph, uses: Uses, ranges: Ranges) -> set[Node]:
    """The sums and differences whose exact results stay in 64 bits for that reason."""
    found: set[Node] = set()
    for loop in walk(graph):
        if is_loop(loop):
            for variable in carried(loop):
                found |= _Counter(uses, ranges, variable).nodes
    return found


class _Counter:
    """A variable of a loop, and the sums that count it on; none unless it is a slow counter."""

    def __init__(self, uses: Uses, ranges: Ranges, variable: Carried) -> None:
        self.uses, self.ranges = uses, ranges
        self.nodes: set[Node] = set()
        is_near = is_integer(variable.start) and ranges[variable.start].within(FAR)
        if not is_near or self.most(variable.end, variable.given) is None:
            self.nodes.clear()

    def most(self, end: Operand, given: Value) -> int | None:
        """How much the code between two values of a variable adds at most; None if it may set the
        variable to a number that is far away."""
        found = 0
        while end is not given and not self.ranges.is_unreachable(end):
            maker = self.uses.makers.get(end) if isinstance(end, Value) else None
            part = self._part(maker, end, given) if maker is not None else None
            if part is None:
                return found if self._is_near(end) else None
            more, end = part
            found += more
            if found > MOST_PER_ITERATION:
                return None
        return found

    def _is_near(self, operand: Operand) -> bool:
        return is_integer(operand) and self.ranges[operand].within(FAR)

    def _part(self, node: Node, end: Operand, given: Value) -> tuple[int, Operand] | None:
        """How much a node adds at most, and the operand that it adds to; None for other nodes."""
        if node.op.name in SAME and is_integer(node.inputs[0]):
            return 0, node.inputs[0]
        if node.op.name in ("add", "subtract"):
            return self._sum(node)
        if not is_choice(node) and not is_loop(node):
            return None
        assert isinstance(end, Value)
        place = node.outputs.index(end)
        if is_loop(node):
            one = carried(node)[place]
            inside = self.most(one.end, one.given)
            return None if inside is None else (0, one.start)
        flow = control_flow_of(node)
        assert flow is not None
        ways = [self.most(flow.leaving(node, name)[place], given) for name in flow.regions]
        known = [way for way in ways if way is not None]
        return (max(known), given) if len(known) == len(ways) else None

    def _sum(self, node: Node) -> tuple[int, Operand] | None:
        for place in (0, 1) if node.op.name == "add" else (0,):
            step = node.inputs[1 - place]
            if isinstance(node.inputs[place], Value) and is_integer(step):
                interval = self.ranges[step]
                most = max(abs(interval.low), abs(interval.high))
                if most <= MOST_PER_ITERATION and is_integer(node.inputs[place]):
                    self.nodes.add(node)
                    return int(most), node.inputs[place]
        return None
