"""Loops over known elements are staged only if Python could not show a difference."""

import sys

import numpy as np
import pytest
import support.known_loops_of_lists  # noqa: F401  (adds to LOOPS)
import support.more_known_loops  # noqa: F401  (adds to LOOPS)
from support.known_loops import LOOPS
from support.outcomes import check_same, outcome, quiet, same_exactly

import autograph
import runtime as rt
from runtime.staging.loop_trials import LoopTrials

X = np.linspace(0.5, 2.0, 20)


@pytest.fixture
def recordings(monkeypatch):
    """The trials of each recording."""
    found = []
    tracer = sys.modules["runtime.function.function_tracer"].FunctionTracer
    original = tracer.concrete_function

    def concrete_function(self, *arguments):
        found.append(self.trace.state(LoopTrials))
        return original(self, *arguments)

    monkeypatch.setattr(tracer, "concrete_function", concrete_function)
    return found


def outcome_of(trials):
    """What has become of the first loop of a recorded function."""
    if len(trials) == 2:
        return "again"
    for found in trials[0].outcomes.values():
        if not found.is_staged:
            return "unrolled"
        return "peeled" if found.unrolled else "staged"
    return "none"


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_equals_pythons_and_is_staged_where_it_can_be(name, recordings):
    function, expected = LOOPS[name]
    with quiet():
        wanted = outcome(function, (X,))
        staged = rt.function(function)
        got = outcome(staged, (X,))
        assert outcome_of(recordings) == expected
        check_same(got, wanted, same_exactly)
        again = outcome(staged, (X,))
    if got.error is None:
        assert same_exactly(again.result, wanted.result)


def summed(x, unroll):
    total = x[0]
    for i in range(103):
        autograph.set_loop_options(unroll=unroll)
        total = total * 1.01 + i
    return total


LONG = {None: False, True: True, False: False, 4: False, 103: True, 200: True}


@pytest.mark.parametrize("unroll", LONG)
def test_options_decide_by_hand(unroll):
    function = rt.function(summed)
    assert function(X, unroll) == summed(X, unroll)
    size = len(str(function.graphs[0].graph).splitlines())
    assert (size > 100) == LONG[unroll]


@pytest.mark.parametrize("unroll", [True, 3])
def test_options_unroll_loops_over_arrays(unroll):
    def weighed(x):
        total = x[0]
        for row in x:
            autograph.set_loop_options(unroll=unroll)
            total = total * 0.5 + row
        return total

    assert rt.function(weighed)(X) == weighed(X)


def test_a_loop_that_must_be_staged_and_cannot_is_refused():
    def named(x):
        names = {i: float(i) for i in range(20)}
        for i in range(20):
            autograph.set_loop_options(unroll=False)
            x = x + names[i]
        return x

    with pytest.raises(rt.StagingError, match="cannot be staged, as set_loop_options"):
        rt.function(named)(X)


def test_a_loop_over_a_staged_range_cannot_be_unrolled():
    def halved(x, n):
        for _ in range(n):
            autograph.set_loop_options(unroll=True)
            x = x * 0.5
        return x

    with pytest.raises(rt.StagingError, match="number of its iterations"):
        rt.function(halved)(X, np.int64(3))


@pytest.mark.parametrize("unroll", [0, -1, 1.5, "all"])
def test_options_are_checked(unroll):
    with pytest.raises(ValueError, match="unroll is"):
        autograph.set_loop_options(unroll=unroll)


def test_a_graph_tells_its_loops():
    def steps(x):
        for _ in range(100):
            x = x * 0.5
        for i in range(30):
            x = getattr(np, names[i])(x)
        return x

    names = ["sin", "cos", "tanh"] * 10
    first, second = rt.function(steps).get_concrete_function(X).loops
    line = steps.__code__.co_firstlineno
    assert str(first) == f"line {line + 1}: the loop of 100 iterations is staged"
    assert str(second).startswith(f"line {line + 3}: the loop of 30 iterations is unrolled: ")


def test_a_growing_graph_names_the_loop_and_the_reason():
    def steps(x):
        table = {i: float(i) for i in range(1100)}
        for i in range(1100):
            x = x * 0.5 + table[i]
        return x

    line = steps.__code__.co_firstlineno + 2
    with pytest.warns(
        UserWarning, match=f"The loop in line {line} is unrolled: .*staged value `i`"
    ):
        rt.function(steps).get_concrete_function(X)


def test_effects_before_a_loop_happen_once_if_a_function_is_recorded_again(capsys):
    def steps(x):
        print("before")
        n = 0
        for _ in range(20):
            n += 1
            x = x * 0.5
        print("after")
        return {20: x}[n]

    rt.function(steps)(X)
    assert capsys.readouterr().out == "before\nafter\n"


def nested(x):
    a = x.copy()
    for i in range(5):
        for j in range(5):
            for k in range(5):
                for m in range(5):
                    for n in range(5):
                        a[(i + j + k) % 20] += m * n + 1.0
    return a


def nested_lists(x):
    found = []
    for i in range(5):
        for j in range(5):
            for k in range(5):
                for m in range(5):
                    for n in range(5):
                        if x[(i + j + k) % 20] > m * n:
                            found.append(x[m] + n)
    return found


@pytest.mark.parametrize("function", [nested, nested_lists])
def test_nested_loops_are_recorded_again_only_where_types_change(monkeypatch, function):
    loop = sys.modules["runtime.staging.control_flow.loop"].Loop
    original, recorded = loop.record_iteration, []

    def record_iteration(self):
        recorded.append(self)
        return original(self)

    monkeypatch.setattr(loop, "record_iteration", record_iteration)
    found, wanted = rt.function(function)(X), function(X)
    assert repr(found) == repr(wanted)
    assert len(recorded) <= 25


def test_a_loop_that_looks_keys_up_is_staged():
    def two_that_sum_to(xs, target):
        seen = {}
        for i in range(len(xs)):
            if target - xs[i] in seen:
                return seen[target - xs[i]], i
            seen[xs[i]] = i
        return None

    def last_places(xs, start):
        places, total = {}, 0
        for i in range(len(xs)):
            if i > start:
                total += places[xs[i]]
            places[xs[i]] = i
        return total

    xs = np.array([7, 3, 9, 1, 7, 4, 1, 2, 9, 3, 3, 1])
    found = rt.function(two_that_sum_to)
    for target in (5, 18, 100):
        assert found(xs, np.int64(target)) == two_that_sum_to(xs, target)
    looked_up = rt.function(last_places)
    assert looked_up(xs, np.int64(7)) == last_places(xs, 7)
    with pytest.raises(KeyError, match="4"):
        looked_up(xs, np.int64(4))
    assert found.get_concrete_function(xs, np.int64(5)).loops[0].is_staged
