"""Results and side effects on attributes, items and variables: every run produces them again."""

import collections
import dataclasses

import numpy as np
import pytest

import runtime as rt

total = np.float64(0.0)
seen = []


@pytest.fixture(autouse=True)
def globals_as_they_were():
    global total
    yield
    total = np.float64(0.0)
    seen.clear()


class Model:
    def __init__(self):
        self.w = np.zeros(2)
        self.losses = []
        self.best = None
        self.parts = {"last": 0.0}

    @rt.function
    def step(self, x):
        gradient = self.w - x
        self.w = self.w - 0.5 * gradient
        loss = np.sum(gradient * gradient)
        self.losses.append(loss)
        self.parts["last"] = loss
        if self.best is None:
            self.best = loss
        elif loss < self.best:
            self.best = loss
        return self.w


def test_a_model_is_trained_by_its_method():
    staged, plain = Model(), Model()
    for _ in range(4):
        found = staged.step(np.ones(2))
        assert found is staged.w
        rt.eager(plain.step)(np.ones(2))
        assert staged.w.tolist() == plain.w.tolist()
        assert staged.losses == plain.losses
        assert (staged.best, staged.parts) == (plain.best, plain.parts)
        assert all(type(loss) is np.float64 for loss in staged.losses)


def test_two_objects_keep_their_own_state():
    one, other = Model(), Model()
    one.step(np.ones(2)), other.step(np.full(2, 4.0)), one.step(np.ones(2))
    assert (one.w.tolist(), other.w.tolist()) == ([0.75, 0.75], [2.0, 2.0])


def test_every_run_rebinds_a_global_variable():
    @rt.function
    def add(x):
        global total
        total = total + x
        seen.append(total)
        return total

    assert [float(add(np.float64(x))) for x in (1, 2, 3)] == [1, 3, 6]
    assert total == 6 and seen == [1, 3, 6]
    assert len(add.graphs) == 1


def test_every_run_rebinds_a_variable_of_an_outer_function():
    best = np.float64(-1.0)

    @rt.function
    def keep(x):
        nonlocal best
        best = np.maximum(best, x)

    for x in (3, 7, 5):
        keep(np.float64(x))
    assert best == 7


def test_mutations_of_container_arguments_are_visible_to_the_caller():
    @rt.function
    def change(d, items, x):
        d["a"] = d["a"] + x
        d["new"] = x * 2
        d["n"] = 3
        del d["gone"]
        items.append(x)
        items[0] = "first"
        items.append("last")
        return d, len(items)

    for _ in range(2):
        d, items = {"a": np.float64(1), "gone": 0}, [1, 2]
        found, count = change(d, items, np.float64(5))
        assert found is d and count == 4
        assert d == {"a": 6, "new": 10, "n": 3}
        assert items == ["first", 2, 5, "last"]


@dataclasses.dataclass
class Point:
    x: object
    y: object


Pair = collections.namedtuple("Pair", "a b")


def test_every_run_creates_the_objects_it_returns():
    @rt.function
    def made(x):
        point = Point(x, x * 2) if x > 0 else Point(-x, 0.0)
        return point, [point, Pair(x, "b")], {"p": Point([x, 1], None)}

    for x in (2.0, -3.0, 2.0):
        point, (same, pair), inside = made(np.float64(x))
        assert same is point and type(point) is Point
        assert point == (Point(x, x * 2) if x > 0 else Point(-x, 0.0))
        assert pair == Pair(x, "b")
        assert inside == {"p": Point([x, 1], None)}
    assert len(made.graphs) == 1


def test_every_run_creates_the_constant_arrays_it_returns():
    ones = rt.function(lambda x: np.ones(3))
    first = ones(np.float64(1))
    first[0] = 9
    assert ones(np.float64(1)).tolist() == [1, 1, 1]


def test_objects_are_unchanged_when_tracing_fails():
    model = Model()
    before = model.w

    @rt.function
    def fails(x):
        model.w = model.w + x
        model.losses.append(x)
        return np.nditer([x, x])

    with pytest.raises(rt.StagingError):
        fails(np.eye(2))
    assert model.w is before and model.losses == []


def test_callable_objects_partials_and_built_in_functions_run_as_graphs():
    class Scaled:
        w = np.full(2, 3.0)

        def __call__(self, x):
            return x * self.w

    import functools

    x = np.array([-1.0, 2.0])
    assert rt.function(Scaled())(x).tolist() == [-3, 6]
    assert rt.function(functools.partial(np.multiply, 2))(x).tolist() == [-2, 4]
    assert rt.function(abs)(x).tolist() == [1, 2]
    assert rt.function(np.sin)(x).tolist() == np.sin(x).tolist()


def test_a_returned_view_of_a_written_argument_is_a_view_of_the_callers_array():
    @rt.function
    def f(x):
        x[0] = 5
        return x[1:], x.T, x[::-1]

    x = np.arange(3.0)
    tail, same, reverse = f(x)
    tail[0], reverse[0] = 9, 7
    assert x.tolist() == [5, 9, 7] and same.tolist() == [5, 9, 7]


@pytest.mark.parametrize(
    "function",
    [lambda x: lambda: x, lambda x: (x for _ in range(2)), lambda x: map(lambda y: y + x, [1])],
)
def test_results_that_would_keep_working_with_staged_values_are_refused(function):
    with pytest.raises(rt.StagingError, match="that works with staged values"):
        rt.function(function)(np.float64(1))
