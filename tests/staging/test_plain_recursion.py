"""Functions that call themselves with plain arguments while a graph is recorded."""

import numpy as np
import pytest

import runtime as rt
from runtime.staging.control_flow import recursive_calls


class Tree:
    """A search tree, to which each call adds a node."""

    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def insert(self, value):
        side = "left" if value < self.value else "right"
        if getattr(self, side) is None:
            setattr(self, side, Tree(value))
        else:
            getattr(self, side).insert(value)

    def walk(self):
        left = self.left.walk() if self.left else []
        return [*left, self.value, *(self.right.walk() if self.right else [])]


def sorted_by_tree(x):
    tree = Tree(50)
    for i in range(60):
        tree.insert((i * 37) % 101)
    return x * np.array(tree.walk())


def counted(monkeypatch):
    """The snapshots that calls take."""
    taken = []

    class Counted(recursive_calls.HeapSnapshot):
        def __init__(self, *args, **kwargs):
            taken.append(kwargs)
            super().__init__(*args, **kwargs)

    monkeypatch.setattr(recursive_calls, "HeapSnapshot", Counted)
    return taken


def test_calls_with_plain_arguments_collect_nothing(monkeypatch):
    taken = counted(monkeypatch)
    x = np.float64(2.0)
    assert np.array_equal(rt.function(sorted_by_tree)(x), sorted_by_tree(x))
    assert len(taken) <= 1  # in the trial of the loop, whose counter is staged


class Countdown:
    """Steps whose number is known only in the run; no argument is staged."""

    def __init__(self, n):
        self.n, self.total = n, 0.0

    def step(self):
        if self.n > 0:
            self.total += self.n
            self.n -= 1
            self.step()


def by_attributes(x):
    countdown = Countdown(x)
    countdown.step()
    return countdown.total, countdown.n


def by_closure(x):
    def above(k):
        if k * k < x:
            return above(k + 1)
        return k

    return above(0)


def by_nonlocal(x):
    def halve():
        nonlocal x, steps
        if x > 1:
            x = x / 2
            steps = steps + 1
            halve()

    steps = 0
    halve()
    return x, steps


def by_list(x):
    held = [x, 0]

    def double():
        if held[0] < 100:
            held[0] = held[0] * 2
            held[1] = held[1] + 1
            double()

    held.append("plain")
    double()
    return tuple(held)


def with_changes_before(x):
    seen = []

    def climb(k):
        seen.append(k)
        if k < 3:
            climb(k + 1)
        if x > k:
            seen.append(-k)

    climb(0)
    return len(seen)


def two_of_them(x):
    def up():
        nonlocal x
        if x < 20:
            x = x * 3
            up()

    def down():
        nonlocal x
        if x > 2:
            x = x - 7
            down()

    up()
    down()
    return x


PROGRAMS = [by_attributes, by_closure, by_nonlocal, by_list, two_of_them]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("engine", ["native", "numpy"])
def test_calls_in_staged_blocks_are_recorded_in_a_second_recording(program, engine, monkeypatch):
    taken = counted(monkeypatch)
    traced = rt.function(program, engine=engine)
    for x in map(np.float64, (5.5, 0.5, 90.0, 130.0)):
        expected, found = program(x), traced(x)
        assert repr(np.asarray(found, object)) == repr(np.asarray(expected, object))
    assert taken and len(traced.pretty_printed_concrete_signatures().splitlines()) > 0
    assert "recursive" in str(traced.get_concrete_function(np.float64(1.0)).graph)


def test_changes_before_a_staged_block_are_made_once():
    for x in (-1.0, 0.5, 2.5):
        given = np.float64(x)
        try:
            found = rt.function(with_changes_before)(given)
        except rt.StagingError:
            continue
        assert found == with_changes_before(given)


def test_what_a_function_reads_once_is_not_read_twice():
    numbers = iter([3.0, 4.0, 5.0, 6.0])

    def program(x):
        def halve():
            nonlocal x
            if x > 1:
                x = x / 2
                halve()

        x = x * next(numbers)
        halve()
        return x

    traced = rt.function(program)
    assert [traced(np.float64(2.0)) for _ in range(3)] == [0.75, 1.0, 0.625]
