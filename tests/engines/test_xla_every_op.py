"""The examples of every op, on the XLA engine: on a device or not, the result is NumPy's.

Each graph has one node, whose operands enter it.  Integers and bools are equal, floats to a few
units in the last place.  No op is named here.
"""

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA engine needs the extra `jax`")

from one_op import graph_of, seen  # noqa: E402
from op_samples import EVALUATED, few_samples_of, samples_of  # noqa: E402

from runtime.engines import registry  # noqa: E402
from runtime.engines.registry import Options  # noqa: E402
from runtime.engines.xla import pieces, program  # noqa: E402
from runtime.ir.pytree import flatten  # noqa: E402
from runtime.ops.library import is_library_op  # noqa: E402

ULPS = 16  # of a result, or of the largest one beside it


def assert_alike(one, other, sample):
    """Compares two runs: classes, dtypes, shapes, integers and signs exactly."""
    assert one[1] == other[1], (sample, one, other)
    left, right = (flatten(list(results))[0] for results in (one[0], other[0]))
    assert len(left) == len(right)
    for x, y in zip(left, right, strict=True):
        assert type(x) is type(y), (sample, x, y)
        if np.asarray(x).dtype.kind not in "fc":
            assert np.array_equal(np.asarray(x), np.asarray(y)), (sample, x, y)
            continue
        x, y = np.asarray(x), np.asarray(y)
        assert (x.dtype, x.shape) == (y.dtype, y.shape), (sample, x, y)
        finite = np.abs(y[np.isfinite(y)])
        bound = ULPS * np.finfo(y.dtype).eps * (finite.max() if finite.size else 1)
        assert np.allclose(x, y, rtol=0, atol=bound, equal_nan=True), (sample, x, y)
        assert np.array_equal(np.isfinite(x), np.isfinite(y)), (sample, x, y)


# Ops that call a library function have no equivalent, and their examples take long to find.
OWN = [op for op in EVALUATED if not is_library_op(op) or isinstance(op.numpy, np.ufunc)]


def ops_on_devices(ops, samples_of):
    """Compares the examples of ops; returns the names of those that XLA runs."""
    names = set()
    for op in ops:
        for sample in samples_of(op):
            graph = graph_of(sample)
            found = pieces.cut(graph)
            if found.pieces:
                made = program.XlaProgram(found, Options())
                expected = registry.find("numpy").compiled(graph, Options())
                one, other = (seen(p, sample.operands) for p in (made, expected))
                if not found.pieces[0].reasons:
                    names.add(op.name)
                assert_alike(one, other, sample)
    return names


def test_an_example_of_every_op():
    found = ops_on_devices(OWN, lambda op: few_samples_of(op)[:1])
    assert len(found) > 60
    assert {"take", "setitem", "added_at", "matmul", "cumsum", "where"} <= found


@pytest.mark.thorough
def test_all_examples_of_every_op():
    assert len(ops_on_devices(EVALUATED, samples_of)) > 80
