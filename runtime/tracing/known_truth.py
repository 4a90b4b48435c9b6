"""Which staged bools are known where the code of a branch is recorded.

    if best is not None:          in this branch `best is None` is known to be False, so a use of
        found.append(best)        `best` needs no check

A bool that follows from the tests of the branches around is known, too: that of `not`, of a cast,
of the operands of `and` and `or`, and of an `if` that has set a flag.  A branch whose test is known
is not recorded (`decided_truth`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

import numpy as np

from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.tracing import trace
from runtime.tracing.trace import Trace

RECENT = 8  # nodes


class KnownTests:
    """The tests of the branches that are being recorded, outermost first."""

    def __init__(self) -> None:
        self.tests: list[KnownTest] = []


class KnownTest:
    """A test whose truth is known, and the bools that follow from it."""

    def __init__(self, test: Operand, holds: bool):
        self.test, self.holds = test, holds
        self._implied: dict[Operand, bool] | None = None

    def implied(self, recorder: Trace) -> dict[Operand, bool]:
        """The truth of the test, and of the bools that follow from it."""
        if self._implied is None:
            self._implied = _implied(recorder, self.test, self.holds)
        return self._implied


@contextmanager
def known_test(test: Operand, holds: bool) -> Iterator[None]:
    """While it is open, code is recorded that runs only if a test holds, or does not hold."""
    recorder = trace.current()
    assert recorder is not None
    tests = recorder.state(KnownTests).tests
    tests.append(KnownTest(test, holds))
    try:
        yield
    finally:
        tests.pop()


def known_truth(value: Operand) -> bool | None:
    """The truth that a bool has wherever the code that is being recorded runs; None if it is not
    known."""
    if not isinstance(value, Value):
        return bool(value)
    recorder = trace.current()
    assert recorder is not None
    for test in reversed(recorder.state(KnownTests).tests):
        found = test.implied(recorder).get(value)
        if found is not None:
            return found
    return None


def decided_truth(value: Operand) -> bool | None:
    """The truth of a bool that is known or that its operands decide, as in `x > 1 and False`."""
    found = known_truth(value)
    recorder = trace.current()
    assert recorder is not None
    node = _recent_maker(value, recorder) if found is None else None
    if node is None:
        return found
    for inner, holds in _operand(node, True):
        truth = decided_truth(inner)
        return None if truth is None else truth is holds
    assert isinstance(value, Value)
    place = node.outputs.index(value)
    truths = {
        _truth_of_result(node, region, place, when) for when, region in _branches(node).items()
    }
    return truths.pop() if len(truths) == 1 else None


def _implied(recorder, test, holds):
    found = [(test, holds)]
    inside: list[Graph] = []  # regions whose results have been followed
    for value, truth in found:  # which grows
        node = _maker(value, chain(reversed(recorder.regions), inside))
        if node is None:
            continue
        found += _operand(node, truth)
        branches, place = _branches(node), node.outputs.index(value)
        for when, region in branches.items():
            if _truth_of_result(node, branches[not when], place, not when) is (not truth):
                found += [(node.inputs[0], when), (region.outputs[place], truth)]
                inside.append(region)
    return {value: truth for value, truth in found if isinstance(value, Value)}


def _operand(node: Node, truth: bool) -> list[tuple[Operand, bool]]:
    """The only operand whose truth decides that of the result, and its truth; or nothing."""
    if node.op.name == "not_":
        return [(node.inputs[0], not truth)]
    if node.op.traits.keeps_truth and (_is_bool(node.inputs[0]) or _is_bool(node.outputs[0])):
        return [(node.inputs[0], truth)]
    return []


def _is_bool(operand: Operand) -> bool:
    return operand_type(operand).dtype == np.dtype(bool)


def _branches(node: Node) -> dict[bool, Graph]:
    """The regions of which a node runs one, by the truth of its operand; empty for other nodes."""
    if node.op.control_flow is None or not node.op.control_flow.is_choice:
        return {}
    flows = node.op.control_flow.regions.items()
    return {flow.when: node.regions[name] for name, flow in flows if flow.when is not None}


def _truth_of_result(node: Node, region: Graph, place: int, when: bool) -> bool | None:
    """The truth of a result of one branch of a node, if it is a constant or the test itself."""
    value, holds = region.outputs[place] if region.outputs else None, True
    while isinstance(value, Value) and value is not node.inputs[0]:
        maker = _maker(value, iter((region,)))
        ((value, holds),) = (maker and _operand(maker, holds)) or ((None, holds),)
    if value is node.inputs[0]:
        return when is holds
    return value is holds if type(value) is bool else None


def _recent_maker(value: Operand, recorder: Trace) -> Node | None:
    """The node that makes a value, if it is one of the last of a region: tests are."""
    recent = (node for region in reversed(recorder.regions) for node in region.nodes[-RECENT:])
    return next((node for node in recent if any(value is one for one in node.outputs)), None)


def _maker(value: Operand, regions: Iterator[Graph]) -> Node | None:
    """The node that makes a value: in most cases it is one of the last."""
    if not isinstance(value, Value):
        return None
    nodes = (node for region in regions for node in reversed(region.nodes))
    return next((node for node in nodes if any(value is one for one in node.outputs)), None)
