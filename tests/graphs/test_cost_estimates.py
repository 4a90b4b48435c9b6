"""The cost of tracing, counted in function calls instead of seconds, to be the same everywhere."""

import linecache
import sys

import numpy as np
import pytest

import autograph
import runtime as rt
from runtime.engines.numpy import compile_graph
from runtime.ir.graph import copy
from runtime.passes import optimized

LINES = {
    "arithmetic": ["x = x * y", "y = y + 1.5", "x = np.sin(x)", "y = y - x"],
    "reductions": ["x = x.sum(axis=0) + y", "y = np.where(x > 0, x, y)"],
    "views": ["x = x[::-1]", "y = y.T"],
    "writes": ["x[0] = 1.0", "x[1] = x[0] + y[1]"],
    "constants": ["x = x + np.float64(1.5)", "y = np.linalg.qr(y)[0]"],
}


def function_of(lines, number):
    """A function that repeats some lines until it has the given number of them."""
    body = "".join(f"    {lines[i % len(lines)]}\n" for i in range(number))
    text = f"import numpy as np\ndef f(x, y):\n{body}    return x, y\n"
    return autograph.to_graph(function_in(text, f"<{number} times {lines}>"))


def function_in(text, file):
    """The function `f` that a source defines."""
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    namespace = {"__name__": "made"}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


DESCENT = """def f(x, w):
    losses = []
    for turn in range({turns}):
        w -= x @ w
        losses.append(w.sum())
        if turn > 0 and abs(losses[-1] - losses[-2]) < 1e-9:
            break
    return w, losses
"""


def cost_of_descent(turns):
    """The steps to build the graph of a loop over Python ints that a run may leave early."""
    fn = rt.function(function_in(DESCENT.format(turns=turns), f"<descent in {turns} turns>"))
    return steps(lambda: fn.get_concrete_function(np.zeros((2, 2)), np.zeros(2)))[1]


def steps(run):
    """The result of a call, and the number of function calls it took."""
    count = 0

    def counted(frame, event, argument):
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        return run(), count
    finally:
        sys.setprofile(before)


def cost(lines, number):
    """The steps to trace, optimise and compile a function."""
    fn = function_of(lines, number)
    graph = rt.Graph()
    with graph.as_default():
        given = [rt.placeholder(np.float64, (4, 4)) for _ in range(2)]
        outputs, recorded = steps(lambda: fn(*given))
    graph.graph.outputs = [tensor._value for tensor in outputs]
    best, optimised = steps(lambda: optimized(copy(graph.graph)))
    _, compiled = steps(lambda: compile_graph(best))
    return recorded, optimised, compiled


@pytest.mark.slow
@pytest.mark.parametrize("lines", LINES.values(), ids=list(LINES))
def test_a_straight_line_four_times_as_long_takes_four_times_as_many_steps(lines):
    cost(lines, 4)  # fills the caches for types and functions
    for short, long in zip(cost(lines, 200), cost(lines, 800), strict=True):
        assert long < 4.4 * short


@pytest.mark.slow
def test_the_cost_of_an_unrolled_loop_with_a_break_grows_little_faster_than_its_length():
    cost_of_descent(4)
    assert cost_of_descent(160) < 2.5 * cost_of_descent(80)  # each is nested in the one before


@pytest.mark.filterwarnings("ignore::runtime.TracingWarning")
def test_a_thousand_nested_views_do_not_exhaust_the_stack():
    given = np.arange(4.0)

    def turned(x):
        first = x
        for _ in range(1001):
            x = x[::-1]
        first[0] = 9.0
        return x

    assert np.array_equal(rt.function(turned)(given.copy()), [3.0, 2.0, 1.0, 9.0])


@pytest.mark.parametrize("step", [np.sin, lambda x: x + 1, lambda x: -x, lambda x: x[::-1]])
def test_a_line_that_is_repeated_while_tracing_compiles(step):
    def repeated(x):
        for _ in range(300):
            x = step(x)
        return x

    assert np.array_equal(rt.function(repeated)(np.arange(3.0)), repeated(np.arange(3.0)))


def test_names_are_found_after_256_variables():
    names = [f"v{i}" for i in range(300)]
    fn = function_of([f"{name} = x + {i}" for i, name in enumerate(names)], len(names))
    graph = rt.Graph()
    with graph.as_default():
        fn(*[rt.placeholder(np.float64, (2,)) for _ in range(2)])
    assert [node.output.hint for node in graph.graph.nodes] == names
