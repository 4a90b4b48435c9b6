"""Inputs of a graph that is being traced: selections of shared memory, and unused inputs."""

from runtime.ir.graph import used_values
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.tracing.aliases import view
from runtime.tracing.tensor import record_op, staged


def selection_of(memory, selection):
    """An argument as a selection of the memory that it shares."""
    op, positions = find("getitem"), staged(selection.positions())
    attributes = {"at": (Slot(0),)}
    (found,) = record_op(op, (memory, positions), attributes)
    return view(found, op, memory, (positions,), attributes)


def without_unused_inputs(graph, first, after):
    """Removes the inputs from `first` on that the graph does not use, except for the last `after`;
    returns the positions of the others."""
    used, last = set(used_values(graph)), len(graph.inputs) - after
    chosen = [i for i, value in enumerate(graph.inputs[:last]) if i < first or value in used]
    graph.inputs = [graph.inputs[i] for i in chosen] + graph.inputs[last:]
    return chosen
