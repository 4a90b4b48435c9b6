"""Random generators, queues and streams that a traced function creates: each call starts its own.

Each program gives the same as in plain Python, call after call, whatever it draws in between.
"""

import copy
import io
import queue
import random
from collections import Counter

import numpy as np
import pytest

import runtime as rt


def of_bits(x):
    rng = np.random.Generator(np.random.PCG64(1))
    return x + rng.random()


def of_a_copy(x):
    rng = np.random.default_rng(1)
    other = copy.deepcopy(rng)
    return x + rng.random() - 2 * other.random()


def of_a_copied_object(x):
    one = Simulation(2)
    other = copy.deepcopy(one)
    return one.moved(x) - other.moved(x)


def of_spawned_ones(x):
    first, second = np.random.default_rng(1).spawn(2)
    return x + first.random() - second.random()


def of_a_sequence(x):
    rng = np.random.default_rng(np.random.SeedSequence(3))
    return x + rng.random()


def of_legacy_bits(x):
    rng = np.random.RandomState(np.random.MT19937(3))
    return x + rng.rand()


def of_the_standard_library(x):
    rng = random.Random(3)
    total = x * 0
    for i in range(4):
        if x > i:
            total = total + rng.random()
    return total, rng.randint(1, 6)


def in_a_branch(x):
    rng = np.random.default_rng(4)
    w = rng.normal(size=2)
    if x > 1:
        w = w + rng.normal()
    return w, rng.integers(10)


def in_an_operand(x):
    rng = np.random.RandomState(2)
    taken = 0
    for k in range(6):
        if x > 2 or rng.rand() < 0.5:
            taken += k
    return taken, rng.rand()


def made_in_a_loop(x):
    total = 0.0
    for i in range(3):
        rng = np.random.default_rng(i)
        if x > i:
            total += rng.normal()
    return total + x


def made_in_branches(x):
    if x > 1:
        rng = np.random.default_rng(0)
    else:
        rng = np.random.default_rng(1)
    return x + rng.random()


def two_of_one_seed(x):
    first, second = np.random.default_rng(1), np.random.default_rng(1)
    if x > 1:
        x = x + first.random()
    return x + second.random() - first.random()


def _scaled(rng, factor):
    return rng.normal() * factor


def given_to_a_function(x):
    rng = np.random.default_rng(4)
    y = x
    if x > 1:
        y = y + _scaled(rng, 2)
    return y + _scaled(rng, 3)


class Simulation:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def moved(self, x):
        for _ in range(3):
            x = x * 0.5 if self.rng.random() < x else x + 0.1
        return x


def in_an_object(x):
    return Simulation(3).moved(x)


def in_a_list(x):
    total = x * 0
    for rng in [np.random.default_rng(i) for i in range(3)]:
        if rng.random() < x:
            total = total + rng.normal()
    return total


def in_a_while_loop(x):
    rng, steps = np.random.default_rng(7), 0
    while x < 3:
        x = x + rng.exponential()
        steps += 1
    return x, steps


def shuffled(x):
    rng = np.random.default_rng(0)
    y = np.arange(4.0) * x
    for _ in range(3):
        if y[0] > y[1]:
            rng.shuffle(y)
        else:
            y = rng.permutation(y)
    return y


def of_a_seed_of_the_run(x):
    rng = np.random.default_rng(int(x * 8))
    return rng.integers(0, 10, size=3), rng.random()


def of_a_standard_seed_of_the_run(x):
    rng = random.Random(int(x * 8))
    while x < 3:
        x = x + rng.uniform(0, 1)
    return x, rng.randint(1, 6)


def of_bits_of_the_run(x):
    return np.random.Generator(np.random.PCG64(int(x * 8))).random()


def a_queue(x):
    jobs = queue.Queue()
    if x > 1:
        jobs.put(1.5)
    else:
        jobs.put(2.5)
        jobs.put(3.5)
    return jobs.qsize() + x, jobs.get()


def a_text(x):
    stream = io.StringIO()
    if x > 1:
        stream.write("big")
    else:
        stream.write("small")
    stream.write(" end")
    return stream.getvalue()


def a_recursion(x, rng=None):
    rng = np.random.default_rng(2) if rng is None else rng
    return 0.0 if x <= 0 else rng.random() + a_recursion(x - 1, rng)


def a_generator_of_each_level(x):
    rng = np.random.default_rng(3)
    if x <= 0:
        return rng.random()
    below = a_generator_of_each_level(x - 1)
    return below + rng.random() * x


PROGRAMS = [
    of_bits,
    of_a_copy,
    of_a_copied_object,
    of_spawned_ones,
    of_a_sequence,
    of_legacy_bits,
    of_the_standard_library,
    in_a_branch,
    in_an_operand,
    made_in_a_loop,
    made_in_branches,
    two_of_one_seed,
    given_to_a_function,
    in_an_object,
    in_a_list,
    in_a_while_loop,
    shuffled,
    of_a_seed_of_the_run,
    of_a_standard_seed_of_the_run,
    of_bits_of_the_run,
    a_queue,
    a_text,
    a_recursion,
    a_generator_of_each_level,
]
STARTS = (2.5, 0.5, 1.0, 2.5)


def assert_same(found, expected):
    assert type(found) is type(expected)
    if isinstance(expected, tuple):
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_each_call_starts_the_stream_of_a_generator_that_the_function_makes(function):
    traced = rt.function(function)
    for start in STARTS:
        assert_same(traced(np.float64(start)), function(np.float64(start)))


@pytest.mark.parametrize(
    "make",
    [
        random.Random,
        np.random.default_rng,
        np.random.RandomState,
        lambda: np.random.Generator(np.random.PCG64()),
        lambda: np.random.RandomState(np.random.MT19937()),
    ],
    ids=["Random", "default_rng", "RandomState", "Generator", "MT19937"],
)
def test_a_generator_without_a_seed_has_another_stream_in_each_call(make):
    def drawn(x):
        rng = make()
        return x + rng.uniform(0, 1)

    traced = rt.function(drawn)
    numbers = Counter(float(traced(np.float64(0))) for _ in range(6))
    assert len(numbers) == 6
    assert all(0 <= one <= 1 for one in numbers)


def test_a_generator_of_the_outside_goes_on():
    rng, other = np.random.default_rng(5), np.random.default_rng(5)

    def drawn(x, rng):
        return x + rng.random() if x > 1 else x

    @rt.function
    def traced(x):
        return drawn(x, rng)

    for start in STARTS * 2:
        assert traced(np.float64(start)) == drawn(np.float64(start), other)


def test_runs_in_several_threads_have_generators_of_their_own():
    from concurrent.futures import ThreadPoolExecutor

    traced = rt.function(in_a_while_loop)
    expected = in_a_while_loop(np.float64(-20))
    traced(np.float64(-20))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(traced, [np.float64(-20)] * 64))
    assert all(one == expected for one in found)


def test_a_copy_that_each_run_would_change_names_the_method():
    items, rng = list(range(20)), random.Random(0)

    @rt.function
    def f(x):
        if x > 0:
            rng.shuffle(items)
        return x * items[0]

    with pytest.raises(rt.errors.GivenArgumentError, match=r"<Random>.shuffle has changed its"):
        f(np.float64(1))


def test_texts_are_texts_in_a_recursion():
    def path(n, found=""):
        return found.strip("/") if n <= 0 else path(n - 1, found + "/" + str(n))

    assert rt.function(path)(np.int64(3), "a") == path(3, "a")
