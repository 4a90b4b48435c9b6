"""Iterators that other code has made: a staged block takes no element, unless it is refused.

Whether a branch is taken, and how often a loop runs, is known only in the run; what the block takes
from an iterator while it is recorded would be missing ever after.
"""

import collections
import itertools
import sys
import types

import numpy as np
import pytest

import runtime as rt


def counting():
    number = 0.0
    while True:
        number += 1
        yield number


def delegating():
    for value in [1.0, 2.0, 3.0, 4.0, 5.0]:
        yield value


class Holder:
    pass


holder = Holder()

SOURCES = {
    "generator": counting,
    "started generator": lambda: itertools.islice(counting(), 1, None),
    "generator with a loop": delegating,
    "list": lambda: iter([1.0, 2.0, 3.0, 4.0, 5.0]),
    "tuple": lambda: iter((1.0, 2.0, 3.0, 4.0, 5.0)),
    "range": lambda: iter(range(1, 9)),
    "dict": lambda: iter({1.0: 0, 2.0: 0, 3.0: 0, 4.0: 0}),
    "values": lambda: iter({0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0}.values()),
    "reversed": lambda: reversed([1.0, 2.0, 3.0, 4.0]),
    "count": lambda: itertools.count(5.0),
    "whole count": lambda: itertools.count(5),
    "cycle": lambda: itertools.cycle([1.0, 2.0, 3.0]),
    "repeat": lambda: itertools.repeat(2.0, 4),
    "chain": lambda: itertools.chain([1.0], [2.0, 3.0], [4.0]),
    "accumulate": lambda: itertools.accumulate([1.0, 2.0, 3.0, 4.0]),
    "map": lambda: map(abs, [1.0, -2.0, 3.0, -4.0]),
    "filter": lambda: filter(None, [1.0, 0.0, 3.0, 4.0, 5.0]),
    "deque": lambda: iter(collections.deque([1.0, 2.0, 3.0, 4.0])),
    "set": lambda: iter({1.0, 2.0, 3.0, 4.0}),
    "file of numbers": lambda: map(float, iter(["1", "2", "3", "4"])),
}


def by_next(x):
    return x + next(holder.source)


def by_default(x):
    return x + next(holder.source, 7.0)


def by_method(x):
    return x + holder.source.__next__()


def by_loop(x):
    for value in holder.source:
        x = x + value
        if value > 1:
            break
    return x


def by_islice(x):
    return x + sum(list(itertools.islice(holder.source, 2)))


def by_zip(x):
    for value, _ in zip(holder.source, range(2)):
        x = x + value
    return x


def by_comprehension(x):
    return x + len([value for value, _ in zip(holder.source, "ab")])


def by_local_name(x):
    source = holder.source
    return x + next(source)


TAKERS = [
    by_next, by_default, by_method, by_loop, by_islice, by_zip, by_comprehension, by_local_name,
]  # fmt: skip


def in_branch(take):
    def f(x):
        if x > 0:
            x = take(x)
        return x

    return f


def in_loop(take):
    def f(x):
        total = x
        while total < 2:
            total = take(total) + 1
        return total

    return f


def in_ternary(take):
    return lambda x: take(x) if x > 0 else x


BLOCKS = [in_branch, in_loop, in_ternary]
CALLS = (-1.0, 2.0, -1.0, 1.0)


def outcomes(function, source):
    """The results of the calls, and the next elements of the source."""
    holder.source, found = source, []
    for x in CALLS:
        try:
            found.append(float(function(np.float64(x))))
        except Exception as error:
            found.append(type(error))
    return found, list(itertools.islice(holder.source, 3))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.__name__)
def test_nothing_is_taken_in_blocks_that_may_not_run(block):
    for take in TAKERS:
        for name, make in SOURCES.items():
            if take is not by_next and name not in ("generator", "list", "map", "count"):
                continue
            found, left = outcomes(rt.function(block(take)), make())
            assert set(found) == {rt.errors.IterationError}, (name, take)
            assert left == list(itertools.islice(make(), 3)), (name, take)


@pytest.mark.parametrize("take", [by_next, by_method, by_local_name, by_zip])
def test_elements_are_taken_as_in_python_outside_of_blocks(take):
    for name in ("generator", "list", "count", "cycle", "map"):
        expected = outcomes(take, SOURCES[name]())
        for way in (rt.function, lambda f: rt.function(lambda x: rt.jvp(f, (x,), (1.0,))[0])):
            assert outcomes(way(take), SOURCES[name]()) == expected, name


def unpacked(x):
    if x > 0:
        a, *rest = holder.source
        x = x + a
    return x


def asked(x):
    if x > 0 and 2.0 in holder.source:
        x = x + 1
    return x


def sent(x):
    if x > 0:
        x = x + holder.source.send(None)
    return x


@pytest.mark.parametrize("function", [unpacked, asked, sent], ids=lambda f: f.__name__)
def test_statements_that_take_elements_are_refused(function):
    holder.source = delegating()
    with pytest.raises(rt.errors.IterationError, match="an element is taken from"):
        rt.function(function)(np.float64(1.0))


def made_inside(x):
    if x > 0:
        source = iter([1.0, 2.0, 3.0])
        x = x + next(source) * next(source)
    return x


def generator_inside(x):
    if x > 0:
        source = counting()
        next(source)
        x = x + next(source)
    return x


def first_of_many(x):
    while x < 9:
        x = x + next(value for value in (1.0, 2.0, 3.0) if value > 1)
    return x


def users_iterator(x):
    class Numbers:
        def __init__(self):
            self.number = x

        def __next__(self):
            self.number = self.number + 1
            return self.number

    numbers = Numbers()
    if x > 0:
        x = x + next(numbers)
    return x + next(numbers)


@pytest.mark.parametrize(
    "function",
    [made_inside, generator_inside, first_of_many, users_iterator],
    ids=lambda f: f.__name__,
)
def test_iterators_of_the_block_itself_and_of_the_user_are_exact(function):
    staged = rt.function(function)
    for x in CALLS:
        assert float(staged(np.float64(x))) == function(x)
    assert len(staged.graphs) == 1


def made_before(x):
    source = iter([1.0, 2.0, 3.0])
    if x > 0:
        x = x + next(source)
    return x + next(source)


def test_an_iterator_of_the_function_itself_is_from_outside_of_its_branches():
    with pytest.raises(rt.errors.IterationError) as caught:
        rt.function(made_before)(np.float64(1.0))
    assert "x = x + next(source)" in str(caught.value)


# -- the user's modules -----------------------------------------------------------------------------

MODULE = """
total, source = 0.0, iter([2.0, 3.0, 4.0])


def put(x):
    global total
    total = x


def take():
    return next(source)
"""


@pytest.fixture
def users_module(tmp_path, monkeypatch):
    path = tmp_path / "users_module.py"
    path.write_text(MODULE)
    module = types.ModuleType("users_module")
    module.__file__ = str(path)
    exec(compile(MODULE, str(path), "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, "users_module", module)
    return module


def test_functions_reached_through_their_module_change_its_variables_in_each_run(users_module):
    @rt.function
    def keep(x):
        if x > 0:
            users_module.put(x * 2)
        return x

    for x, expected in ((-1.0, 0.0), (3.0, 6.0), (-1.0, 6.0), (2.0, 4.0)):
        keep(np.float64(x))
        assert users_module.total == expected


@pytest.mark.parametrize("take", ["take()", "source.__next__()"])
def test_iterators_reached_through_a_module_are_refused(users_module, take):
    name = take.partition(".")[0].removesuffix("()")

    def staged(x):
        if x > 0:
            source = getattr(users_module, name)
            x = x + (users_module.take() if name == "take" else next(source))
        return x

    with pytest.raises(rt.errors.IterationError):
        rt.function(staged)(np.float64(-1.0))
    assert next(users_module.source) == 2.0
