"""Numbers that a function itself changes: exact from the first call, and two graphs at most."""

import threading
import warnings

import numpy as np
import pytest
from own_numbers import FEW, Counting, Toggling
from support.outcomes import same_exactly

import runtime as rt

X = np.array([1.0, 2.0])
METHODS = [
    (kind, name) for kind in (Counting, Toggling) for name in vars(kind) if not name.startswith("_")
]


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def called(function, count, between=lambda i: None):
    """The results or errors of some calls, one after the other."""
    found = []
    for i in range(count):
        try:
            found.append(function(X))
        except Exception as error:
            found.append((type(error), str(error).splitlines()[0]))
        between(i)
    return found


@pytest.mark.parametrize("mode", ["staged", "eager"])
@pytest.mark.parametrize(
    ("kind", "name"), METHODS, ids=lambda part: getattr(part, "__name__", part)
)
def test_every_call_is_pythons(kind, name, mode, capsys):
    plain, other = kind(), kind()
    expected = called(getattr(plain, name), 9)
    printed = capsys.readouterr().out
    with rt.config.temporarily(run_functions_eagerly=mode == "eager"):
        staged = rt.function(getattr(other, name))
        assert same_exactly(called(staged, 9), expected)
    assert capsys.readouterr().out == printed
    assert repr(vars(other)) == repr(vars(plain))
    if mode == "staged" and name in FEW:
        assert len(staged.graphs) <= 2


def assigned(instance, values):
    """Assigns values to a counter between the calls."""

    def between(i):
        if i in values and values[i] is None:
            del instance.t
        elif i in values:
            instance.t = values[i]

    return between


@pytest.mark.parametrize(
    "values",
    [
        {3: 100, 5: 0},
        {2: 1.5, 4: 7},
        {2: True, 4: np.int64(3)},
        {2: 2**70},
        {2: None, 3: 5},
        {0: 0, 1: 0, 2: 0},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["multiplied", "returned", "started_again", "raised"])
def test_a_value_from_outside_is_used(name, values):
    plain, other = Counting(), Counting()
    expected = called(getattr(plain, name), 8, assigned(plain, values))
    found = called(rt.function(getattr(other, name)), 8, assigned(other, values))
    assert same_exactly(found, expected)
    assert repr(vars(other)) == repr(vars(plain))


def test_another_thread_goes_on():
    plain, other = Counting(), Counting()
    expected, found = called(plain.multiplied, 9), []
    staged = rt.function(other.multiplied)
    for _ in range(3):
        thread = threading.Thread(target=lambda: found.extend(called(staged, 3)))
        thread.start()
        thread.join(30)
    assert same_exactly(found, expected)
    assert len(staged.graphs) == 2


def test_each_object_counts_for_itself():
    class Stepping:
        def __init__(self):
            self.t = 0

        @rt.function
        def step(self, x):
            self.t += 1
            return x * self.t

    three = [Stepping() for _ in range(3)]
    for i in range(1, 5):
        assert [one.step(X).tolist() for one in three] == [(X * i).tolist()] * 3
    assert len(Stepping.step.graphs) == 6


def test_variables_of_modules_and_of_outer_functions_count():
    def make():
        n = 0

        def step(x):
            nonlocal n
            n += 1
            return x * n

        return step

    staged = rt.function(make())
    assert same_exactly(called(staged, 6), called(make(), 6))
    assert len(staged.graphs) == 2


def test_a_gradient_counts():
    adam = Counting()
    slope = rt.function(rt.grad(lambda g: np.sum(adam.like_adam(g))))
    plain = Counting()
    for _ in range(5):
        plain.like_adam(X)
        np.testing.assert_allclose(slope(X), 0.1 / (1 - 0.9**plain.t))
    assert adam.t == plain.t
    assert len(slope.graphs) == 2


def test_the_message_names_the_number():
    counting = Counting()
    staged = rt.function(counting.multiplied)
    called(staged, 3)
    assert "t was 0, and is 1" in staged.explain_retraces()
