"""`fn.native()` says why operations stay in NumPy, and which of them keeps a loop there."""

import numpy as np
import pytest

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def drawn_in_a_loop(n):
    total = np.float64(0)
    for _ in range(n):
        total += np.random.normal()
    return total


def drawn_by_the_runtime(n):
    total = np.float64(0)
    for _ in range(n):
        total += rt.random.normal()
    return total


def drawn_before_a_loop(n):
    numbers, total = np.random.normal(size=n), np.float64(0)
    for i in range(n):
        total += numbers[i]
    return total


@pytest.mark.parametrize(
    "fn, reason",
    [
        (drawn_in_a_loop, "numpy.random.normal has a state outside of the graph; call it before"),
        (drawn_by_the_runtime, "NumPy draws the numbers of rt.random.normal; call it before"),
    ],
)
def test_native_says_which_operation_keeps_a_loop_in_numpy(fn, reason):
    compiled = rt.function(fn, engine="native")
    compiled(np.int64(3))
    (line,) = [one for one in compiled.native().splitlines() if one.startswith("    loop (")]
    assert "in it: " in line and reason in compiled.native()


def test_a_loop_over_numbers_that_are_drawn_before_it_is_a_piece():
    compiled = rt.function(drawn_before_a_loop, engine="native")
    compiled(np.int64(3))
    assert "native_1(" in compiled.native() and "    loop (" not in compiled.native()
