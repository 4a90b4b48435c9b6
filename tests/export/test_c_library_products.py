"""Products of integers, of stacks of matrices, and loops that end with a print, as C libraries."""

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ExportError

pytest.importorskip("llvmlite", reason="the `native` extra installs it")
from c_library import CLibrary  # noqa: E402


def prints_at_the_end(x):
    for _ in range(5):
        x = x * 1.5
        if np.sum(x) > 100.0:
            print("large")
            break
    return x


def library(function, *specs):
    return CLibrary(rt.function(function).get_concrete_function(*specs))


def test_products_of_integers_and_of_stacks():
    """Integers of short rows have code; what `np.matmul` computes in parts has none here."""
    kinds = rt.TensorSpec((3, 4), np.int64), rt.TensorSpec((4, 2), np.int64)
    x, y = np.arange(12).reshape(3, 4) - 5, np.arange(8).reshape(4, 2) << 60
    status, message, found = library(lambda x, y: x @ y, *kinds)(x, y)
    assert (status, message) == (0, "")
    np.testing.assert_array_equal(found[0], x @ y)
    for one, other in (((2, 3, 3), (2, 3, 3)), ((2, 3, 3), (3, 3)), ((3, 3), (2, 3, 3))):
        with pytest.raises(ExportError, match="matmul has no machine code"):
            library(lambda x, y: x @ y, rt.TensorSpec(one), rt.TensorSpec(other))
    with pytest.raises(ExportError, match="matmul has no machine code"):
        library(lambda x, y: x @ y, *[rt.TensorSpec((3,), np.int64)] * 2)


def test_a_loop_that_prints_before_it_ends_is_refused():
    """Without a NumPy program nothing would print."""
    with pytest.raises(ExportError, match="print has no machine code here"):
        library(prints_at_the_end, rt.TensorSpec((3,)))
