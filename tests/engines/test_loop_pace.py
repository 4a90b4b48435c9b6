"""The pace of a loop and its count tell how long it will take, before it has taken long."""

import numpy as np
import pytest

import runtime as rt
from runtime.engines import loop_pace, loop_replacement, native
from runtime.engines.loop_pace import UNKNOWN, Pace
from runtime.engines.loop_replacement import Deadline, LoopReplacement, inputs_of
from runtime.ir.regions import is_loop

pytestmark = pytest.mark.skipif(native.unusable() is not None, reason="no machine code here")

X = np.arange(4.0)


def summed(x, n):
    total = 0.0
    for i in range(n):
        total += x[i % 4] / (i + 1)
    return total


def downwards(x, n):
    for i in range(n, 3, -2):
        x = x + i
    return x


def until_large(x, n):
    for i in range(n):
        if x[0] > 5:
            break
        x = x + i
    return x


def halved(x, n):
    while n > 1:
        x, n = x + 1.0, n // 2
    return x


def loop_of(function):
    graph = rt.function(function).get_concrete_function(X, np.int64(9)).compiled.graph
    return next(node for node in graph.nodes if is_loop(node))


def operands_at(loop, counter, stop):
    """Operands of the rest of a loop: its counter, the end that it captures, and zeros."""
    found = loop_pace.count_of(loop, inputs_of(loop))
    operands: list = [0.0] * len(inputs_of(loop))
    operands[found.place] = counter
    if found.stop is not None:
        operands[found.stop] = stop
    return operands


@pytest.mark.parametrize(
    ("function", "left"), [(summed, [90, 0, 0]), (downwards, [0, 4, 49])], ids=["up", "down"]
)
def test_the_count_says_how_many_iterations_are_left(function, left):
    loop = loop_of(function)
    count = loop_pace.count_of(loop, inputs_of(loop))
    counters = [10, 100, 110] if function is summed else [3, 11, 101]
    found = [count.left(operands_at(loop, k, np.int64(100))) for k in counters]
    assert found == left


@pytest.mark.parametrize("function", [until_large, halved])
def test_a_loop_that_may_end_early_or_does_not_count_tells_nothing(function):
    loop = loop_of(function)
    assert loop_pace.count_of(loop, inputs_of(loop)) is None
    pace = Pace(loop, inputs_of(loop))
    assert [pace.seconds_left([0] * 9) for _ in range(4)] == [UNKNOWN] * 4


def clock(monkeypatch, times):
    given = iter(times)
    monkeypatch.setattr(loop_pace, "perf_counter", lambda: next(given))


def test_the_faster_one_of_the_last_two_stretches_counts(monkeypatch):
    loop = loop_of(summed)
    clock(monkeypatch, [0.0, 8.0, 9.0, 10.0, 20.0, 30.0])
    pace = Pace(loop, inputs_of(loop))
    found = [pace.seconds_left(operands_at(loop, k, 1000)) for k in (0, 8, 16, 26, 36)]
    assert found == [UNKNOWN, UNKNOWN, 984 / 8, 974 / 10, 964 / 10]
    pace.begin()  # another run
    assert pace.seconds_left(operands_at(loop, 40, 1000)) == UNKNOWN


class Named:
    """A program that returns the name of its graph, and its inputs."""

    def __init__(self, graph):
        self.graph = graph

    def function(self, *inputs):
        return self.graph.name, *inputs


@pytest.mark.parametrize(("cost", "looks"), [(10.0, 3), (95.0, 3), (99.0, None)])
def test_a_loop_is_replaced_once_it_is_known_to_take_longer_than_that_costs(
    monkeypatch, cost, looks
):
    clock(monkeypatch, range(100))
    loop = loop_of(summed)
    replacement = LoopReplacement(loop, None, Deadline(cost=cost), Named)
    replacement.begin()
    ends = [replacement.look(*operands_at(loop, k, 100))[1] for k in range(1, 6)]
    first = next((k for k, one in enumerate(ends, 1) if one is not None), None)
    assert first == looks
    if looks is not None:  # from then on, it has machine code at once
        assert replacement.begin() == 1
        assert replacement.look(*operands_at(loop, 0, 2))[1] is not None


def test_results_are_those_of_the_numpy_engine(monkeypatch):
    """The first call goes on as machine code in the middle, long before the run takes long."""
    monkeypatch.setattr(loop_replacement, "FIRST", 2)
    clock(monkeypatch, (10.0 * k for k in range(1000)))
    made = rt.function(summed)
    with rt.config.temporarily(engine="auto"):
        found = made(X, np.int64(1000))
        (concrete,) = made.graphs
        program = concrete.compiled.plain_of("auto")
    assert [any(loop.programs.values()) for loop in program._loops] == [True]
    expected = rt.function(summed, engine="numpy")(X, np.int64(1000))
    assert (type(found), found) == (type(expected), expected)
