"""Loop counters: loops that count from one integer to another, as in `for i in range(n)`.

    i = 0                               for i in range(n):
    while i < n:                            ...
        ...                    ->
        i = i + 1

A loop that may end early counts as well, as long as its test is a choice between the end and the
test of the counter:

    p = i_1 < n if going_on else False          if not going_on:
                                                    break

The value of the counter after the loop must not be used, since `range` ends one step before it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from runtime.analyses.liveness import Uses
from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.regions import Carried, body_of, carried, control_flow_of, is_choice

COMPARISONS = {"less": 1, "greater": -1}


@dataclass(frozen=True)
class Counter:
    """A loop's counter, and the nodes that a `for` over a range replaces.

    The loop ends early if the truth of `way_out` is `ends_if`.
    """

    place: int  # among the variables of the loop
    stop: Operand
    step: int
    replaced: frozenset[Node]
    way_out: Value | None = None
    ends_if: bool = True


def counters(graph: Graph, uses: Uses, is_python: Callable[[Operand], bool]) -> dict[Node, Counter]:
    """The counters of the loops of a graph that have one, which is an int in the program."""
    found = {}
    for node in walk(graph):
        flow = control_flow_of(node)
        if flow is None or flow.loop is None or len(flow.conditions(node)) != 2:
            continue
        if "max_iterations" in node.attributes:
            continue
        counter = _counter(node, uses, is_python)
        if counter is not None:
            found[node] = counter
    return found


@dataclass(frozen=True)
class Limit:
    """A loop has at most as many iterations as there are integers from `low` to before `high`, in
    steps, if it has any; exactly as many if `is_exact`."""

    low: Operand
    high: Operand
    step: int  # not less than 1
    is_exact: bool


def limit_of(loop: Node, uses: Uses) -> Limit | None:
    """The limit of a loop that counts; None if there is none that is known before it."""
    found = count_of(loop, uses)
    if found is None:
        return None
    start = carried(loop)[found.place].start
    low, high = (start, found.stop) if found.step > 0 else (found.stop, start)
    predicate, again = loop.op.control_flow.conditions(loop)
    test = _test(again, loop, uses)[0]
    assert test is not None
    begins = _begins(predicate, test, start, found.stop, found.step, uses)
    return Limit(low, high, abs(found.step), found.way_out is None and begins)


def count_of(loop: Node, uses: Uses) -> Counter | None:
    """The counter of a loop whose end is known before it, of any type and first number; it
    replaces no nodes."""
    flow = loop.op.control_flow
    if flow is None or len(flow.conditions(loop)) != 2:
        return None
    test, _, way_out, ends_if = _test(flow.conditions(loop)[1], loop, uses)
    if test is None:
        return None
    end, stop = test.inputs
    is_known = not isinstance(stop, Value) or not uses.is_inside(stop, body_of(loop))
    for place, variable in enumerate(carried(loop)):
        step = _step(variable, uses)
        if variable.end is end and is_known and step * COMPARISONS[test.op.name] > 0:
            return Counter(place, stop, step, frozenset(), way_out, ends_if)
    return None


def _counter(loop: Node, uses: Uses, is_python: Callable[[Operand], bool]) -> Counter | None:
    predicate, again = loop.op.control_flow.conditions(loop)
    test, replaced, way_out, ends_if = _test(again, loop, uses)
    if test is None:
        return None
    end, stop = test.inputs
    for place, variable in enumerate(carried(loop)):
        step = _step(variable, uses)
        if variable.end is not end or uses.count[variable.result] or not step:
            continue
        is_constant = not isinstance(stop, Value) or not uses.is_inside(stop, body_of(loop))
        integers = (variable.start, variable.given, stop)
        if (step > 0) != (COMPARISONS[test.op.name] > 0) or not is_constant:
            return None
        if not all(map(is_python, integers)) or not all(map(_is_integer, integers)):
            return None
        if not _begins(predicate, test, variable.start, stop, step, uses):
            return None
        replaced |= {uses.makers[end]} if uses.count[end] == 2 else set()
        if uses.count[predicate] == 1:
            replaced |= {uses.makers[predicate]}
        return Counter(place, stop, step, frozenset(replaced), way_out, ends_if)
    return None


def _is_integer(operand: Operand) -> bool:
    if not isinstance(operand, Value):
        return type(operand) is int
    return getattr(operand.type, "kind", int) is int


def _test(
    again: Operand, loop: Node, uses: Uses
) -> tuple[Node | None, set[Node], Value | None, bool]:
    """The comparison that ends a loop, the nodes that only it needs, the value that ends the loop
    early, and the truth with which it does."""
    nothing = None, set[Node](), None, True
    if not isinstance(again, Value):
        return nothing
    maker = uses.makers.get(again)
    if maker is None or uses.count[again] != 1 or uses.home[again] is not body_of(loop):
        return nothing
    if maker.op.name in COMPARISONS:
        return maker, {maker}, None, True
    way_out = maker.inputs[0]
    if not is_choice(maker) or len(maker.outputs) != 1 or not isinstance(way_out, Value):
        return nothing
    for truth in (True, False):
        going_on = maker.op.control_flow.chosen(maker, not truth)
        ending = maker.op.control_flow.chosen(maker, truth)
        if ending.nodes or ending.outputs != [False] or len(going_on.nodes) != 1:
            continue
        test = going_on.nodes[0]
        if test.op.name in COMPARISONS and going_on.outputs == [test.output]:
            return test, {maker, test}, way_out, truth
    return nothing


def _step(variable: Carried, uses: Uses) -> int:
    """How much a variable grows in each iteration, 0 if that is not known."""
    maker = uses.makers.get(variable.end) if isinstance(variable.end, Value) else None
    if maker is None or maker.op.name not in ("add", "subtract"):
        return 0
    first, second = maker.inputs
    if first is not variable.given and maker.op.name == "add":
        first, second = second, first
    if first is not variable.given or type(second) is not int:
        return 0
    return second if maker.op.name == "add" else -second


def _begins(
    predicate: Operand, test: Node, start: Operand, stop: Operand, step: int, uses: Uses
) -> bool:
    """Whether the predicate says that a range has a first number."""
    if predicate is True:
        return type(start) is int and type(stop) is int and bool(range(start, stop, step))
    maker = uses.makers.get(predicate) if isinstance(predicate, Value) else None
    if maker is None or maker.op.name not in (test.op.name, test.op.traits.swapped):
        return False
    ends = (start, stop) if maker.op is test.op else (stop, start)
    return all(_is_same(a, b) for a, b in zip(maker.inputs, ends, strict=True))


def _is_same(one: Operand, other: Operand) -> bool:
    if isinstance(one, Value) or isinstance(other, Value):
        return one is other
    return type(one) is int and type(other) is int and one == other
