"""Impure calls in graphs: random numbers, clocks and files."""

import random
import time

import numpy as np
import pytest

import runtime as rt

rng = np.random.default_rng(5)
old = np.random.RandomState(5)


def seeded():
    global rng, old
    rng, old = np.random.default_rng(5), np.random.RandomState(5)
    np.random.seed(1)
    random.seed(2)


def of_the_shared_stream(x, n):
    a = np.random.rand(3)
    np.random.randn()
    return a, np.random.normal(x, size=2), np.random.randint(0, 10), np.random.choice(4, 2)


def of_generators(x, n):
    return rng.normal(x, size=2), rng.integers(10, size=(2, 2)), rng.permutation(4), old.rand()


def of_the_standard_library(x, n):
    return random.random(), random.randint(1, 6), random.gauss(0.0, 1.0)


def in_a_loop(x, n):
    total = x
    for _ in range(n):
        total += np.random.uniform()
    return total


def on_one_side(x, n):
    if x > 0:
        y = rng.normal()
    else:
        y = 0.0
    return y, rng.normal()


def shuffled(x, n):
    y = np.arange(6.0)
    rng.shuffle(y)
    np.random.shuffle(y)
    return y


def of_a_size_that_only_a_run_knows(x, n):
    return rng.normal(size=n), np.random.rand(2) + rng.random((n, 2)).sum()


def from_a_seed_of_its_own(x, n):
    own = np.random.default_rng(3)
    return own.normal(size=2) + x, np.random.RandomState(4).rand(2)


def seeded_again(x, n):
    np.random.seed(7)
    return np.random.rand()


@pytest.mark.parametrize(
    "function",
    [
        of_the_shared_stream,
        of_generators,
        of_the_standard_library,
        in_a_loop,
        on_one_side,
        shuffled,
        of_a_size_that_only_a_run_knows,
        from_a_seed_of_its_own,
        seeded_again,
    ],
)
def test_every_run_draws_what_numpy_draws(function):
    staged = rt.function(function)
    outcomes = []
    for run in (function, staged):
        seeded()
        runs = [run(np.float64(x), np.int64(3)) for x in (1.5, -1.0, 1.5)]
        outcomes.append(repr(runs))
    assert outcomes[1] == outcomes[0]
    assert len(staged.graphs) == 1


def test_the_text_of_a_graph_with_random_numbers_runs():
    graph = rt.function(of_the_shared_stream).get_concrete_function(np.float64(1), 3).graph
    assert str(rt.parse(str(graph))) == str(graph)


def test_every_run_reads_the_clock():
    clock = rt.function(lambda: (time.perf_counter(), time.time_ns()))
    first, second = clock(), clock()
    assert second[0] > first[0] and second[1] >= first[1]
    assert type(first[0]) is float and type(first[1]) is int


def test_each_run_creates_a_generator_that_has_no_seed():
    fresh = rt.function(lambda x: np.random.default_rng().normal() + x)
    assert len({float(fresh(np.float64(1))) for _ in range(5)}) == 5
    assert len(fresh.graphs) == 1


def test_each_run_draws_from_the_start_of_a_stream_that_the_function_creates():
    def first_below(x):
        own = np.random.default_rng(1)
        while x > 0:
            x = x - own.random()
        return x

    compiled = rt.function(first_below)
    for x in (1.0, 3.0, 1.0):
        assert compiled(np.float64(x)) == first_below(np.float64(x))
    assert len(compiled.graphs) == 1


def test_a_warning_is_issued_that_file_contents_become_constants_of_the_graph(tmp_path):
    path = tmp_path / "numbers.txt"
    path.write_text("1 2 3")

    @rt.function
    def f(x):
        return x + np.loadtxt(path)

    @rt.function
    def g(x):
        with open(path) as file:
            return x + len(file.read())

    for function in (f, g):
        with pytest.warns(rt.TracingWarning, match="runs once, while the graph is being built"):
            function(np.float64(1))
