"""Limits of steps and of time: a loaded function may be an endless loop."""

import time

import numpy as np
import pytest

import runtime as rt
from runtime.errors import RunLimitError
from runtime.ir.graph import walk
from runtime.ops import run_limits
from runtime.saved.members import as_bytes, members_of


@pytest.fixture(autouse=True)
def no_limits_afterwards():
    """The limits of a run are those of its context until another run sets its own."""
    yield
    run_limits._budget.set(None)


@rt.function
def halved(x):
    while x > 1:
        x = x / 2
    return x


@rt.function
def nested(x, n):
    total = x
    for i in range(n):
        for j in range(i):
            total = total + x
    return total


@rt.function
def factorial(n):
    if n > 1:
        return n * factorial(n - 1)
    return n * 1


def loaded(function, *args, **limits):
    data = rt.saved.as_bytes(function.get_concrete_function(*args))
    return rt.saved.from_bytes(data, limits=rt.saved.Limits(**limits))


ENDLESS = np.float64(np.inf)
STEPS = "the run has made more than 5 steps\nThe code that has loaded the function allows no more"


@pytest.mark.parametrize("engine", ["numpy", "native", "eager"])
def test_a_run_makes_as_many_steps_as_it_may(engine):
    with rt.config.temporarily(engine=engine):
        fn = loaded(halved, 1.0 * ENDLESS, steps=5)
        for _ in range(3):  # each call has its own steps
            assert fn(np.float64(32.0)) == 1.0
            with pytest.raises(RunLimitError, match=STEPS):
                fn(np.float64(33.0))
            with pytest.raises(RunLimitError, match=STEPS):
                fn(ENDLESS)


def test_iterations_of_all_loops_are_counted_together():
    x, n = np.float64(1.0), np.int64(4)
    assert loaded(nested, x, n, steps=4 + 6)(x, n) == 7.0
    with pytest.raises(RunLimitError, match="more than 9 steps"):
        loaded(nested, x, n, steps=9)(x, n)


def test_recursive_calls_are_counted():
    fn = loaded(factorial, np.float64(4.0), steps=5)
    assert fn(np.float64(4.0)) == 24.0
    with pytest.raises(RunLimitError, match=STEPS):
        fn(np.float64(50.0))


def test_a_run_ends_after_its_time():
    fn = loaded(halved, ENDLESS, seconds=0.05)
    start = time.monotonic()
    with pytest.raises(RunLimitError, match="the run has taken more than 0.05 seconds"):
        fn(ENDLESS)
    assert 0.05 <= time.monotonic() - start < 20
    assert fn(np.float64(4.0)) == 1.0


TRANSFORMED = {
    "function": lambda fn: rt.function(lambda x: fn(x) + 1.0),
    "grad": lambda fn: rt.grad(fn),
    "vmap": lambda fn: lambda x: rt.vmap(fn)(np.stack([x, x])),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_limits_hold_in_functions_that_contain_a_loaded_one(name):
    fn = TRANSFORMED[name](loaded(halved, ENDLESS, steps=40))
    fn(np.float64(4.0))
    with pytest.raises(RunLimitError, match="more than 40 steps"):
        fn(ENDLESS)


def test_a_file_cannot_set_limits_itself():
    files = members_of(rt.saved.as_bytes(halved.get_concrete_function(ENDLESS)), rt.saved.Limits())
    outer = rt.function(lambda x: loaded_function(x) + 1.0)
    loaded_function = rt.saved.from_bytes(as_bytes(files), limits=rt.saved.Limits(steps=5))
    data = rt.saved.as_bytes(outer.get_concrete_function(ENDLESS))
    names = [node.op.name for node in walk(outer.graphs[0].graph)]
    assert names.count("limit_run") == names.count("count_step") == 1
    again = rt.saved.from_bytes(data)  # the limits stay with the process that has set them
    assert not {"limit_run", "count_step"} & {n.op.name for n in walk(again.graphs[0].graph)}
    assert again(np.float64(2.0**40)) == 2.0


def test_without_limits_a_graph_is_as_it_was():
    fn = loaded(halved, ENDLESS)
    assert str(fn.graphs[0].graph).splitlines()[1:] == str(halved.graphs[0].graph).splitlines()[1:]
