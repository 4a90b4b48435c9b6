"""Which of a graph's integer scalars a program keeps as Python's ints.

A value is Python's if it never leaves its dtype and everything that makes it is Python's as well:
arithmetic on such values, what both branches of a `cond` hand out, a loop's variable.  Inputs are
converted where somebody computes with them.
"""

from runtime.analyses.intervals import Ranges, is_integer
from runtime.engines.numpy.liveness import Uses
from runtime.ir.graph import Graph, Operand, Value, walk
from runtime.ir.types import PythonType


class PythonIntegers:
    """The values of a graph that are Python's ints or bools in its program."""

    def __init__(self, graph: Graph, uses: Uses):
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
        """Whether an operand is a number of Python's in the program."""
        if not isinstance(operand, Value):
            return True
        return operand in self.values or isinstance(operand.type, PythonType)

    def _candidates(self, graph):
        found = {value for value in graph.inputs if self._may_be(value)}
        for node in self._nodes:
            match node.op.name:
                case "cond" | "loop":
                    found.update(filter(self._may_be, node.outputs))
                    for region in node.regions.values():
                        found.update(filter(self._may_be, region.inputs))
                case "constant" | "unreachable":
                    found.update(filter(self._may_be, node.outputs))
                case _ if node.op.traits.integer_arithmetic:
                    found.update(filter(self._may_be, node.outputs))
        return found

    def _may_be(self, value):
        is_numpys = not isinstance(value.type, PythonType)
        return is_numpys and is_integer(value) and self._ranges.fits(value)

    def _remove_those_made_otherwise(self):
        before = len(self.values)
        for node in self._nodes:
            if node.op.traits.integer_arithmetic:
                nonzero = not node.op.traits.raises or (self._ranges[node.inputs[1]].low > 0)
                if not (nonzero and all(map(self.is_python, node.inputs))):
                    self.values.difference_update(node.outputs)
            elif node.op.name == "cond":
                sides = [node.regions[name].outputs for name in ("then", "orelse")]
                for value, *handed_out in zip(node.outputs, *sides, strict=True):
                    if not all(map(self.is_python, handed_out)):
                        self.values.discard(value)
            elif node.op.name == "loop":
                body = node.regions["body"]
                for value, given, end in zip(
                    node.outputs, body.inputs, body.outputs[1:], strict=True
                ):
                    if not (self.is_python(end) and {value, given} & self.values == {value, given}):
                        if isinstance(value.type, PythonType):
                            continue
                        self.values -= {value, given}
        return len(self.values) != before

    def _keep_inputs_that_are_computed_with(self, graph):
        given = set(graph.inputs)
        wanted = set()
        for node in self._nodes:
            used = {v for v in node.inputs if isinstance(v, Value)}
            if node.op.name == "loop":
                starts = zip(node.regions["body"].inputs, node.inputs[1:], strict=True)
                wanted.update(start for begun, start in starts if begun in self.values)
                continue
            computes = any(value in self.values for value in node.outputs)
            beside = any(self.is_python(v) for v in used - given)
            if computes or beside and node.op.traits.comparison:
                wanted |= used
        self.values -= {value for value in graph.inputs if value not in wanted}
