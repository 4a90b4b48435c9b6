"""`rt.Variable`s as inputs and outputs of a graph.

    inputs:   arguments, captured arrays, w, b          the arrays of the variables come last
    outputs:  results, arrays written into, w_1         the new values of written variables, too

The guard returns the arrays of the variables.  If the graph writes a variable, the guard returns
the variables themselves; their arrays are read when no other run writes any.
"""

import weakref
from collections.abc import Callable, Sequence
from functools import partial
from threading import get_ident
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


class VariableInputs:
    """The variables of a graph, in the order of its inputs, the last of which they are.

    `written` has the positions of the variables that the graph writes.
    """

    def __init__(self, variables: list[tuple[Variable, tuple[str, str]]], written: list[int]):
        """Each variable comes with the variable of the guard that holds it, and its path."""
        self._references = [weakref.ref(variable) for variable, _ in variables]
        names = [name for _, (name, _) in variables]
        self.expressions = names if written else [f"{name}._array" for name in names]
        self.paths = [path for _, (_, path) in variables]
        self.written = written
        self._backwards = written[::-1]
        self.count = len(names)
        self.running: tuple = ()  # the variables and their arrays, during a run that writes
        self._overwritten: dict[int, list[tuple]] = {}  # by thread: inputs and what they held

    @property
    def variables(self) -> list[Variable]:
        """The variables that are alive."""
        found = (reference() for reference in self._references)
        return [variable for variable in found if variable is not None]

    def values(self) -> list:
        """The values of `expressions`: the variables if any is written, else their arrays."""
        variables = [reference() for reference in self._references]
        return variables if self.written else [variable._array for variable in variables]

    def arrays(self, values: tuple) -> Sequence:
        """The arrays of the variables, from the values of `expressions` in a call."""
        if not self.written:
            return values
        arrays = [variable._array for variable in values]
        self.running = values, arrays
        return arrays

    def store(self, values: tuple, outputs: tuple) -> None:
        """Stores the last outputs of a run in the variables it writes."""
        last = len(outputs)
        for i in self._backwards:
            last -= 1
            values[i]._array = outputs[last]

    def write_back(self, array: Any, new: Any) -> None:
        """Stores the new contents of an input after an exception has ended the run."""
        for variable, held in zip(*self.running, strict=True) if self.running else ():
            if held is array:
                variable._array = np.array(new, order="C")
                return
        self._overwritten.setdefault(get_ident(), []).append((array, np.copy(array)))
        np.copyto(array, new)

    def overwritten(self) -> list[tuple]:
        """The inputs that the run ended by an exception in this thread has written into, in order,
        each with a copy of its contents before.  They are forgotten."""
        return self._overwritten.pop(get_ident(), [])

    def undone(self, overwritten: list[tuple]) -> list[Callable[[], None]]:
        """Gives arrays and variables what they held before a run that an exception has ended;
        returns functions that undo this."""
        again = [_copying(array) for array, _ in overwritten]
        for array, before in reversed(overwritten):  # the last write first
            np.copyto(array, before)
        for variable, held in zip(*self.running, strict=True) if self.running else ():
            again.append(partial(setattr, variable, "_array", variable._array))
            variable._array = held
        return again


def _copying(array):
    """A function that gives an array its present contents."""
    return partial(np.copyto, array, np.copy(array))


# -- while tracing ---------------------------------------------------------------------------------


def separated_from_variables(outputs: list[Operand], recorder: Trace) -> list[Operand]:
    """The outputs of a graph, with copies of the ones that may share memory with a variable."""
    inputs = {one.value for one in recorder.state(TraceVariables).inputs.values()}
    if not inputs:
        return outputs
    return [_copy_of(o, recorder) if inputs & _visible([o], recorder) else o for o in outputs]


def _copy_of(output, recorder):
    if not is_array(output.type):
        return output
    return _applied("copy", output, recorder)


def final_values(outputs: list[Operand], recorder: Trace) -> list[Operand]:
    """The final values of the variables that are written; none shares memory with an output."""
    shown, finals = _visible(outputs, recorder), []
    for one in recorder.state(TraceVariables).inputs.values():
        if one.tensor._value is not one.value:
            final = one.tensor._value
            mine = _visible([final], recorder)
            finals.append(_applied("stored", final, recorder) if mine & shown else final)
            shown |= mine
    return finals


def _applied(name, operand, recorder):
    """The result of an op with one operand."""
    return apply(find(name), Tensor(operand, recorder.graph))._value


def _visible(outputs, recorder):
    """The arrays whose memory may be visible through some outputs."""
    graph = recorder.graph
    return escaping_values(Graph(graph.name, graph.inputs, graph.nodes, list(outputs)))
