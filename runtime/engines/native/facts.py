"""Facts about integers where code is written: they leave out checks that cannot fail.

    y = i * i         the piece is left unless |i| is at most 3,037,000,499        i + j fits
    z = np.ones(n + 1)                             n is less than 2 ** 40          j + i fits
    while j <= n:                                  j is at most n                  j < len(z)
        z[j] = 0                                   j is inside of z from here on
        j = j + i

The intervals of `analyses/intervals.py` hold in a whole graph; these facts hold from a check on, in
the blocks that it dominates.  After a branch or loop, those from before it hold, and for its
results those of all ways to them; for a loop's variable, those of its start and of its end in
every iteration.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import isqrt

from runtime.analyses.intervals import (
    COMPARISONS,
    EVERYTHING,
    RULES,
    Interval,
    Ranges,
    is_integer,
)
from runtime.engines.native.kinds import Kind
from runtime.engines.native.ownership import Ownership
from runtime.ir.graph import Node, Operand, Value
from runtime.ir.regions import Carried, body_of, carried, control_flow_of
from runtime.ir.slot import Slot
from runtime.ir.types import is_array

INSIDE = Interval(1 - (1 << 62), (1 << 62) - 1)  # a subscript: no array has as many elements
MOST_STEPS = 3  # of a proof: i < j, j < k, k < n
BELOW = {"less": 0, "less_equal": 1}  # op names: left < right + this number


class Facts:
    """The facts about the integers of a graph that hold in the block that is being written."""

    def __init__(self, ranges: Ranges, owners: Ownership) -> None:
        self.ranges, self.owners = ranges, owners
        self._intervals: dict[Value, Interval] = {}  # narrower than in `ranges`
        self._below: dict[Value, list[tuple[Operand, int]]] = {}  # less than the sum of the two
        self._sizes: dict[str, Value] = {}  # registers of sizes, and the values that they hold

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Forgets, at the end, the facts of the code that is written meanwhile."""
        intervals, below = dict(self._intervals), dict(self._below)
        try:
            yield
        finally:
            self._intervals, self._below = intervals, below

    # -- intervals ---------------------------------------------------------------------------------

    def interval(self, operand: Operand) -> Interval:
        """The integers that an operand may be."""
        known = self.ranges[operand]
        return self._intervals.get(operand, known) if isinstance(operand, Value) else known

    def narrow(self, operand: Operand, found: Interval) -> None:
        """Notes that an operand is in an interval, and what follows for the one that it is a sum
        of."""
        while isinstance(operand, Value) and is_integer(operand):
            self._intervals[operand] = self.interval(operand).limited(found.low, found.high)
            term, number = self._term(operand)
            if term is operand:
                return
            operand, found = term, Interval(found.low - number, found.high - number)

    def narrow_factor(self, node: Node, kind: Kind) -> None:
        """Notes what the check of a product says about its operand, if it is a square."""
        one, other = node.inputs
        if one is other and kind.family == "i":
            most = isqrt(kind.high)
            self.narrow(one, Interval(-most, most))

    def narrow_result(self, node: Node) -> None:
        """Notes the interval of a result, which is exact, by those of the operands."""
        if node.op.name in RULES and all(map(is_integer, node.inputs)):
            self.narrow(node.output, RULES[node.op.name](*map(self.interval, node.inputs)))

    def _term(self, value: Value) -> tuple[Value, int]:
        """A value as the sum of a value and a number."""
        maker = self.ranges.makers.get(value)
        if maker is None or maker.op.name not in ("add", "subtract"):
            return value, 0
        one, other = maker.inputs
        if maker.op.name == "add" and isinstance(other, Value):
            one, other = other, one
        if not isinstance(one, Value) or type(other) is not int or not is_integer(one):
            return value, 0
        return one, other if maker.op.name == "add" else -other

    # -- sizes -------------------------------------------------------------------------------------

    def note_size(self, register: str, operand: Operand) -> None:
        """Notes the operand that a size of an array is."""
        if isinstance(operand, Value):
            self._sizes[register] = operand

    def is_below(self, operand: Operand, size: str) -> bool:
        """Whether an integer, which is not negative, is less than a size."""
        root = self._root(self._sizes[size]) if size in self._sizes else (size, 0)
        return isinstance(operand, Value) and self._is_less(operand, 0, root, MOST_STEPS)

    def _is_less(self, value: Value, more: int, than: tuple[str, int], steps: int) -> bool:
        """Whether the sum of a value and a number is less than that of a register and one."""
        while True:
            for above, offset in self._below.get(value, ()) if steps else ():
                if isinstance(above, Value):
                    register, number = self._root(above)
                    if register == than[0] and number + offset + more <= than[1]:
                        return True
                    if self._is_less(above, more + offset - 1, than, steps - 1):
                        return True
            term, number = self._term(value)
            if term is value:
                return False
            value, more = term, more + number

    def _root(self, value: Value) -> tuple[str, int]:
        """The register of a value without the numbers that are added to it, and their sum."""
        total, held = 0, self.owners.held
        while True:
            term, number = self._term(value)
            if term is value or term not in held:
                return held[value][0], total
            value, total = term, total + number

    # -- control flow ------------------------------------------------------------------------------

    def enter_branch(self, predicate: Operand, truth: bool) -> None:
        """Notes what the truth of a predicate says."""
        for name, left, right in self.ranges.facts(predicate, truth):
            one, other = COMPARISONS[name](self.interval(left), self.interval(right))
            self.narrow(left, one)
            self.narrow(right, other)
            self._note_below(name, left, right)

    def _note_below(self, name: str, left: Operand, right: Operand) -> None:
        if name in BELOW and isinstance(left, Value):
            self._below[left] = [*self._below.get(left, ()), (right, BELOW[name])]

    def enter_loop(self, node: Node) -> None:
        """Notes the facts about a loop's variables that hold at the start of each iteration."""
        inside = _subscripts(body_of(node).nodes)
        for one in carried(node):
            if not is_integer(one.given):
                continue
            if one.end in inside:
                start = self.interval(one.start) if is_integer(one.start) else EVERYTHING
                self.narrow(one.given, start.join(INSIDE))
            self._test(node, one)

    def _test(self, node: Node, one: Carried) -> None:
        """Notes what the test says that a variable has passed before each iteration."""
        flow = control_flow_of(node)
        if flow is None or len(flow.conditions(node)) != 2:
            return
        before, after = (self.ranges.facts(each, True) for each in flow.conditions(node))
        for name, left, right in before:
            for other, other_left, other_right in after:
                if name == other and left is one.start and other_left is one.end:
                    pair = one.given, right
                    is_same = right is other_right
                elif name == other and right is one.start and other_right is one.end:
                    pair = left, one.given
                    is_same = left is other_left
                else:
                    continue
                if is_same:
                    found = COMPARISONS[name](*map(self.interval, pair))
                    self.narrow(one.given, found[pair.index(one.given)])
                    self._note_below(name, *pair)

    def ends(self, operands: Iterable[Operand]) -> list[Interval]:
        """The intervals of the ends of variables, in the block that ends."""
        return [self.interval(o) if is_integer(o) else EVERYTHING for o in operands]

    def meet(self, values: Iterable[Value], ways: list[list[Interval]]) -> None:
        """Notes the intervals of values that stand for others in each of the blocks before."""
        for value, found in zip(values, zip(*ways, strict=True), strict=True):
            if is_integer(value):
                low = min(one.low for one in found)
                self.narrow(value, Interval(low, max(one.high for one in found)))


def is_view(node: Node) -> bool:
    """Whether a subscript selects more than an element."""
    return node.op.name == "getitem" and is_array(node.output.type)


def _subscripts(nodes: Iterable[Node]) -> set[Operand]:
    """Integers that are subscripts of elements in some nodes, not in their regions."""
    found: set[Operand] = set()
    for node in nodes:
        if node.op.name in ("getitem", "setitem") and not is_view(node):
            operands = node.inputs[1 if node.op.name == "getitem" else 2 :]
            at = node.attributes["at"]
            for part in at if isinstance(at, tuple) else (at,):
                if isinstance(part, Slot) and is_integer(operands[part.index]):
                    found.add(operands[part.index])
    return found
