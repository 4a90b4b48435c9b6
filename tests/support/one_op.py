"""Graphs of one op, and everything that a run of one shows."""

import numpy as np
from op_samples import kind_of
from warning_records import recorded_warnings

from runtime.ir.graph import Graph, Node, Value


def graph_of(sample):
    """A graph of the op of a sample, whose operands enter it."""
    inputs = [Value(kind_of(operand), "x") for operand in sample.operands]
    kinds = sample.op.infer(*(value.type for value in inputs), **sample.attributes)
    outputs = tuple(map(Value, kinds if isinstance(kinds, tuple) else (kinds,)))
    node = Node(sample.op, tuple(inputs), outputs, sample.attributes)
    return Graph("graph", inputs, [node], list(outputs))


def seen(executable, operands):
    """The results of a run and its warnings, or its exception."""
    with recorded_warnings() as found, np.errstate(all="warn"):
        try:
            results = executable.function(*operands)
        except Exception as error:
            results = type(error), str(error)
    return results, sorted(str(one.message) for one in found)
