"""Unboxing: which of a graph's integer scalars a program keeps as Python ints.

A value is Python's if it never leaves its dtype and everything that makes it is Python's as well:
arithmetic on such values, results of both branches of a `cond`, a loop's variable.  Inputs are
converted if operations compute with them.
"""

from runtime.analyses.intervals import Ranges, is_integer
from runtime.analyses.liveness import Uses
from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.regions import ControlFlow, carried, control_flow_of
from runtime.ir.types import PythonType


class PythonIntegers:
    """The values of a graph that are Python's ints or bools in its program."""

    def __init__(self, graph: Graph, uses: Uses) -> None:
        self._ranges = Ranges(graph)
        self._uses = uses
        self._nodes = list(walk(graph))
        self.values = self._candidates(graph)
        while self._remove_those_made_otherwise():
            pass
        self._keep_inputs_that_are_computed_with(graph)
        self.tests = {
            node.output
            for node in self._nodes
            if node.op.traits.comparison
            and not isinstance(node.output.type, PythonType)
            and all(map(self.is_python, node.inputs))
        }

    def is_python(self, operand: Operand) -> bool:
        """Whether an operand is a Python scalar in the program."""
        if not isinstance(operand, Value):
            return True
        return operand in self.values or isinstance(operand.type, PythonType)

    def _candidates(self, graph: Graph) -> set[Value]:
        found = {value for value in graph.inputs if self._may_be(value)}
        for node in self._nodes:
            is_known = node.op.name in ("constant", "unreachable")
            is_known = is_known or node.op.traits.integer_arithmetic
            if is_known or control_flow_of(node) is not None:
                found.update(filter(self._may_be, node.outputs))
                for region in node.regions.values():
                    found.update(filter(self._may_be, region.inputs))
        return found

    def _may_be(self, value: Value) -> bool:
        is_numpys = not isinstance(value.type, PythonType)
        return is_numpys and is_integer(value) and self._ranges.fits(value)

    def _remove_those_made_otherwise(self) -> bool:
        before = len(self.values)
        for node in self._nodes:
            if node.op.traits.integer_arithmetic:
                nonzero = not node.op.traits.raises or (self._ranges[node.inputs[1]].low > 0)
                if not (nonzero and all(map(self.is_python, node.inputs))):
                    self.values.difference_update(node.outputs)
            elif (flow := control_flow_of(node)) is not None:
                self._remove_results_of_others(node, flow)
        return len(self.values) != before

    def _remove_results_of_others(self, node: Node, flow: ControlFlow) -> None:
        """Removes results of regions that are made otherwise; a loop's variable with its result."""
        if flow.loop is None:
            for i, value in enumerate(node.outputs):
                if not all(map(self.is_python, flow.result_sources(node, i))):
                    self.values.discard(value)
        for _, given, end, value in flow.carried(node):
            both = {value, given}
            is_pythons = isinstance(value.type, PythonType)
            if not is_pythons and not (self.is_python(end) and both <= self.values):
                self.values -= both

    def _keep_inputs_that_are_computed_with(self, graph: Graph) -> None:
        given = set(graph.inputs)
        wanted: set[Value] = set()
        for node in self._nodes:
            used = {v for v in node.inputs if isinstance(v, Value)}
            if variables := carried(node):
                wanted.update(v.start for v in variables if v.given in self.values)
                continue
            computes = any(value in self.values for value in node.outputs)
            beside = any(self.is_python(v) for v in used - given)
            if computes or beside and node.op.traits.comparison:
                wanted |= used
        self.values -= {value for value in graph.inputs if value not in wanted}
