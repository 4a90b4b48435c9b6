"""`fn.native()` says why operations stay in NumPy, and which of them keeps a loop there."""

import copy
import importlib

import numpy as np
import pytest
from warning_records import recorded_warnings

import runtime as rt
from runtime.engines import native
from runtime.engines.native import pieces

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

DOMAINS = ("dynamic_programming", "graphs", "images", "linear_algebra", "networks")
DOMAINS += ("robotics", "simulations", "statistics", "stencils")


def drawn_in_a_loop(n):
    total = np.float64(0)
    for _ in range(n):
        total += np.random.laplace()
    return total


def drawn_in_a_branch(n):
    return np.random.normal() if n > 2 else 0.0


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
        (drawn_in_a_loop, "numpy.random.laplace has a state outside of the graph; call it before"),
        (drawn_by_the_runtime, "NumPy draws the numbers of rt.random.normal; call it before"),
    ],
)
def test_native_says_which_operation_keeps_a_loop_in_numpy(fn, reason):
    compiled = rt.function(fn, engine="native")
    compiled(np.int64(3))
    (line,) = [one for one in compiled.native().splitlines() if one.startswith("    loop (")]
    assert "in it: " in line and reason in compiled.native()


@pytest.mark.parametrize("fn", [np.random.normal, rt.random.normal, drawn_in_a_branch])
def test_a_draw_outside_of_loops_is_not_to_be_called_before_one(fn):
    compiled = rt.function(lambda n: fn(n) * 2.0, engine="native")
    compiled(np.int64(3))
    shown = compiled.native()
    assert "state outside of the graph" in shown or "NumPy draws the numbers" in shown
    assert "before" not in shown


def test_a_loop_over_numbers_that_are_drawn_before_it_is_a_piece():
    compiled = rt.function(drawn_before_a_loop, engine="native")
    compiled(np.int64(3))
    assert "native_1(" in compiled.native() and "    loop (" not in compiled.native()


def alternating_sum():
    total = np.exp(-0.5)
    for i in range(1, 50):
        total += np.exp(-0.1 * i) if i % 2 == 0 else -np.exp(-0.1 * i)
    return total


def test_a_loop_without_inputs_is_a_piece():
    compiled = rt.function(alternating_sum, engine="native")
    assert compiled() == alternating_sum()
    assert "native_1()" in compiled.native() and "not native" not in compiled.native()


def _has_valid_text(program):
    """Whether LLVM accepts the text of each piece of a program."""
    fn = rt.function(program.function, engine="numpy")
    with np.errstate(all="ignore"), recorded_warnings():
        fn(*copy.deepcopy(program.arguments))
    reasons = [reason for graph in fn.graphs for _, reason in pieces.cut(graph.graph).left]
    return not any("%" in reason for reason in reasons)


@pytest.mark.thorough
@pytest.mark.parametrize("domain", DOMAINS)
def test_llvm_accepts_the_text_of_all_pieces(domain):
    programs = importlib.import_module(f"domain_{domain}").PROGRAMS
    assert [program for program in programs if not _has_valid_text(program)] == []
