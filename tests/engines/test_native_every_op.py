"""The examples of every op, on the native engine: machine code or not, the result is NumPy's.

Each graph has one node, whose operands enter it.  No op is named here.
"""

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from one_op import graph_of, seen  # noqa: E402
from op_samples import EVALUATED, few_samples_of, samples_of  # noqa: E402
from outcomes import same_exactly  # noqa: E402

from runtime.engines import registry  # noqa: E402
from runtime.engines.native import pieces, program  # noqa: E402
from runtime.engines.registry import Options  # noqa: E402
from runtime.ops.library import is_library_op  # noqa: E402

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
    monkeypatch.setattr(pieces, "is_repeated", lambda node: True)


def test_an_example_of_every_op():
    found = native_ops(OWN, lambda op: few_samples_of(op)[:1])
    assert len(found) > 70
    assert {"list_append", "list_get", "list_pop", "list_stack"} <= found


@pytest.mark.thorough
def test_all_examples_of_every_op():
    assert len(native_ops(EVALUATED, samples_of)) > 90
