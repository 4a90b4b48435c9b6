"""The examples of every op, on the native engine: machine code or not, the result is NumPy's.

Each graph has one node, whose operands enter it.  No op is named here.
"""

import warnings

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from op_samples import EVALUATED, few_samples_of, kind_of, samples_of  # noqa: E402
from outcomes import same_exactly  # noqa: E402

from runtime.engines import registry  # noqa: E402
from runtime.engines.native import pieces, program  # noqa: E402
from runtime.engines.registry import Options  # noqa: E402
from runtime.ir.graph import Graph, Node, Value  # noqa: E402
from runtime.ops.library import is_library_op  # noqa: E402


def graph_of(sample):
    """A graph of the op of a sample."""
    inputs = [Value(kind_of(operand), "x") for operand in sample.operands]
    kinds = sample.op.infer(*(value.type for value in inputs), **sample.attributes)
    outputs = tuple(map(Value, kinds if isinstance(kinds, tuple) else (kinds,)))
    node = Node(sample.op, tuple(inputs), outputs, sample.attributes)
    return Graph("graph", inputs, [node], list(outputs))


def seen(program, operands):
    """The results of a run and its warnings, or its exception."""
    with warnings.catch_warnings(record=True) as found, np.errstate(all="warn"):
        warnings.simplefilter("always")
        try:
            results = program.function(*operands)
        except Exception as error:
            results = type(error), str(error)
    return results, sorted(str(one.message) for one in found)


# Ops that call a library function have no machine code, and their examples take long to find.
OWN = [op for op in EVALUATED if not is_library_op(op) or isinstance(op.numpy, np.ufunc)]


def native_ops(ops, samples_of):
    """Compares the examples of ops; returns the names of those that have machine code."""
    names = set()
    for op in ops:
        for sample in samples_of(op):
            graph = graph_of(sample)
            found = pieces.cut(graph)
            if found.pieces:
                names.add(op.name)
                made = program.NativeProgram(graph, found, Options())
                expected = registry.find("numpy").compiled(graph, Options())
                one, other = (seen(p, sample.operands) for p in (made, expected))
                assert same_exactly(one, other), (sample, one, other)
    return names


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Pieces of a single node, which would not be worth a call, lists as operands included."""
    monkeypatch.setattr(pieces, "FEWEST_NODES", 1)
    monkeypatch.setattr(pieces, "is_loop", lambda node: True)


def test_an_example_of_every_op():
    found = native_ops(OWN, lambda op: few_samples_of(op)[:1])
    assert len(found) > 70
    assert {"list_append", "list_get", "list_pop", "list_stack"} <= found


@pytest.mark.thorough
def test_all_examples_of_every_op():
    assert len(native_ops(EVALUATED, samples_of)) > 90
