"""The variables that a graph takes: which they are in a call, and what becomes of them.

    inputs:   arguments, arrays that are read, w, b          the arrays of the variables come last
    outputs:  results, arrays written into, w_1              those that are written, last as well

The check of a call (`function/guards/guard.py`) gives the arrays of the variables; where the graph
writes some of them, the variables themselves, whose arrays are read when no other run writes any
more.
"""

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.analyses.escape import escaping_values
from runtime.ir.graph import Graph, Operand
from runtime.ir.op import find
from runtime.ir.types import is_array
from runtime.state.trace_variables import TraceVariables
from runtime.state.variable import Variable
from runtime.tracing.tensor import Tensor, apply
from runtime.tracing.trace import Trace


class Held:
    """The variables of a graph, in the order of its inputs; `written` are the places of those that
    it writes."""

    def __init__(self, variables: list[tuple[Variable, tuple[str, str]]], written: list[int]):
        """`variables` come with a variable of the check that holds each, and its path."""
        self._references = [weakref.ref(variable) for variable, _ in variables]
        names = [name for _, (name, _) in variables]
        self.texts = names if written else [f"{name}._array" for name in names]
        self.paths = [path for _, (_, path) in variables]
        self.written = written
        self._backwards = written[::-1]
        self.count = len(names)
        self.running: tuple = ()  # the variables and their arrays, while a run may write them

    @property
    def variables(self) -> list[Variable]:
        """The variables that are still there."""
        found = (reference() for reference in self._references)
        return [variable for variable in found if variable is not None]

    def given(self) -> list:
        """What the check gives for them."""
        variables = [reference() for reference in self._references]
        return variables if self.written else [variable._array for variable in variables]

    def arrays(self, given: tuple) -> Sequence:
        """Their arrays, from what the check has given."""
        if not self.written:
            return given
        arrays = [variable._array for variable in given]
        self.running = given, arrays
        return arrays

    def store(self, given: tuple, outputs: tuple) -> None:
        """Lets those that are written hold what a run has computed for them: its last outputs."""
        place = len(outputs)
        for i in self._backwards:
            place -= 1
            given[i]._array = outputs[place]

    def keep(self, array: Any, now: Any) -> None:
        """Lets what stands in an input hold what had been written when an exception ended a run."""
        for variable, held in zip(*self.running, strict=True) if self.running else ():
            if held is array:
                variable._array = np.array(now, order="C")
                return
        np.copyto(array, now)


# -- while a graph is recorded ---------------------------------------------------------------------


def apart_from_variables(outputs: list[Operand], recorder: Trace) -> list[Operand]:
    """The outputs of a graph, with copies of those in whose memory a variable may stand."""
    inputs = {one.value for one in recorder.state(TraceVariables).inputs.values()}
    if not inputs:
        return outputs
    return [_copy_of(o, recorder) if inputs & _behind([o], recorder) else o for o in outputs]


def _copy_of(output, recorder):
    if not is_array(output.type):
        return output
    return apply_to("copy", output, recorder)


def finals_of_variables(outputs: list[Operand], recorder: Trace) -> list[Operand]:
    """What the variables that are written hold in the end, which no other output may show."""
    shown, finals = _behind(outputs, recorder), []
    for one in recorder.state(TraceVariables).inputs.values():
        if one.tensor._value is not one.value:
            final = one.tensor._value
            mine = _behind([final], recorder)
            finals.append(apply_to("stored", final, recorder) if mine & shown else final)
            shown |= mine
    return finals


def apply_to(name, operand, recorder):
    """The result of an op with one operand."""
    return apply(find(name), Tensor(operand, recorder.graph))._value


def _behind(outputs, recorder):
    """The arrays that may be seen through some outputs."""
    graph = recorder.graph
    return escaping_values(Graph(graph.name, graph.inputs, graph.nodes, list(outputs)))
