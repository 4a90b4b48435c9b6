"""Generators, and functions of the standard library that consume elements, on staged values."""

import collections
import heapq
import itertools

import consumed_generators
import consumers
import consumers_containers
import consumers_deques
import consumers_iterators
import consumers_lists
import first_elements
import grouped_elements
import left_iterators
import next_elements
import numpy as np
import pytest
from support.every_mode import check_in_every_mode

import runtime as rt

PROGRAMS = {
    **consumed_generators.PROGRAMS,
    **consumers.PROGRAMS,
    **consumers_containers.PROGRAMS,
    **consumers_deques.PROGRAMS,
    **consumers_iterators.PROGRAMS,
    **consumers_lists.PROGRAMS,
    **first_elements.PROGRAMS,
    **grouped_elements.PROGRAMS,
    **left_iterators.PROGRAMS,
    **next_elements.PROGRAMS,
}
ROW = np.array([3.0, 1.0, 2.0, 5.0])


def above(x, limit):
    for v in x:
        if v > limit:
            yield v * v


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


def test_the_gradient_of_consumed_elements():
    def total(x):
        result = 0.0
        for v in above(x, 1.5):
            result = result + v
        return result

    assert rt.function(rt.grad(total))(ROW).tolist() == [6.0, 0.0, 4.0, 10.0]


def test_a_batch_of_consumed_elements():
    batch = rt.function(rt.vmap(lambda x: sum(above(x, 1.5))))
    assert batch(np.array([ROW, ROW - 1])).tolist() == [38.0, 20.0]


def test_effects_happen_in_pythons_order(capsys):
    def noisy(x):
        for v in x:
            print("taken", v)
            if v > 1.5:
                yield v
        print("ended")

    def program(x):
        for v in noisy(x):
            print("used", v)
            if v > 2.5:
                break
        return v

    expected = program(ROW[1:]), capsys.readouterr().out
    staged = rt.function(program)
    for _ in range(2):
        assert (staged(ROW[1:]), capsys.readouterr().out) == expected


def test_what_the_consumer_raises_is_raised():
    def program(x):
        for v in above(x, 1.5):
            if v > 8:
                raise ValueError("too much")
        return v

    with pytest.raises(ValueError, match="too much"):
        rt.function(program)(ROW)


def test_a_generator_that_is_resumed_elsewhere_is_refused():
    def program(x):
        elements = above(x, 1.5)
        for v in elements:
            if v > 3:
                break
        return v + sum(elements)

    with pytest.raises(rt.StagingError, match="resumed in another place"):
        rt.function(program)(ROW)


def test_known_generators_may_be_resumed():
    def known(n):
        yield from range(n)

    def program(x):
        elements = known(6)
        for i in elements:
            if i == 2:
                break
        return x * sum(elements) + next(known(3))

    assert rt.function(program)(ROW).tolist() == (ROW * 12).tolist()


def test_the_gradient_through_a_deque_and_a_heap():
    def smoothed(x):
        recent, largest = collections.deque(maxlen=2), []
        total = 0.0
        for v in x:
            if v > 0:
                recent.append(v)
                heapq.heappush(largest, -v)
            total = total + sum(recent) * v
        return total - heapq.heappop(largest)

    given = np.array([1.0, -2.0, 3.0])
    step = 1e-6 * np.eye(3)
    expected = [(smoothed(given + d) - smoothed(given - d)) / 2e-6 for d in step]
    assert np.allclose(rt.function(rt.grad(smoothed))(given), expected)


def test_a_loop_that_changes_its_deque_is_refused():
    def f(x):
        queue, total = collections.deque([1.0, 2.0]), 0.0
        for value in x:
            if value > 1:
                queue.append(value)
        for one in queue:
            total = total + one
            if one == 2:
                queue.append(5.0)
        return total

    with pytest.raises(rt.StagingError, match="changed by a loop over its elements"):
        rt.function(f)(np.array([1.0, 3.0]))


@pytest.mark.parametrize("make", ["combinations", "product"])
def test_the_elements_are_taken_when_the_combinations_are_made(make):
    def f(x):
        taken = []

        def elements():
            for i in range(3):
                taken.append(i)
                yield x[i] * 2

        chosen = getattr(itertools, make)(elements(), *[2][: make == "combinations"])
        number, total = len(taken), 0.0
        for one in chosen:
            if x[0] > 1:
                total = total + one[0]
        return total, number

    x = np.array([2.0, 3.0, 4.0])
    assert rt.function(f)(x) == f(x)


TEXTS = {
    "f_string": lambda q, m: f"{q} {m!r} {m}",
    "str": lambda q, m: str(q) + repr(m),
    "percent": lambda q, m: "%s %r" % (q, m),  # noqa: UP031
    "format": lambda q, m: "{} {!r}".format(q, m),  # noqa: UP032
    "print": print,
}


@pytest.mark.parametrize("shown", TEXTS.values(), ids=TEXTS)
def test_the_text_of_a_deque_is_that_of_python(shown, capsys):
    def f(x):
        queue, last = collections.deque([1.0]), collections.deque([1, 2], maxlen=3)
        if x[0] > 9:
            queue.append(0.0)
        for value in x:
            if value > 1:
                queue.append(value)
                last.append(3)
        return shown(queue, last)

    staged = rt.function(f)
    for x in (np.array([2.0]), np.array([0.0, 5.0, 6.0])):
        assert (f(x), capsys.readouterr()) == (staged(x), capsys.readouterr())
