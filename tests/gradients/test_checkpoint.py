"""Residuals of gradients, and `rt.checkpoint`, `rt.custom_gradient` and `rt.stop_gradient`.

Stored residuals are read from the graph: they are lists to which loops append.
"""

import functools
import random

import numpy as np
import pytest
from allocated import peak_bytes_of

import runtime as rt
from runtime.ir.graph import copy, walk
from runtime.passes import optimized

X = np.array([0.5, -1.25, 2.0])


def kept(gradient, *given):
    """The types of the values that the loops of a gradient store in each iteration."""
    graph = optimized(copy(gradient.get_concrete_function(*given).graph))
    return sorted(str(n.inputs[1].type) for n in walk(graph) if n.op.name == "list_append")


SIZE = 10_000


def most_held(gradient, *given):
    """The peak number of arrays of SIZE floats that a run allocates."""
    gradient(*given)  # traces
    return peak_bytes_of(lambda: gradient(*given)) / (8 * SIZE)


# -- residuals -------------------------------------------------------------------------------------


def chain(w, x, n):
    for _ in range(n):
        x = np.tanh(w * x)
    return np.sum(x)


def test_a_loop_stores_only_the_variables_with_which_an_iteration_starts():
    assert kept(rt.grad(chain), X, X, np.int64(5)) == ["f64[3]"]
    assert kept(rt.grad(chain, (0, 1)), np.float64(1.0), np.float64(2.0), np.int64(5)) == ["f64"]


@pytest.mark.slow
def test_a_run_stores_one_value_per_iteration():
    gradient, x = rt.grad(chain), np.linspace(0.5, 1.5, SIZE)
    for turns in (10, 100):
        assert turns <= most_held(gradient, x, x, np.int64(turns)) <= turns + 10


def test_a_linear_loop_stores_nothing():
    def total(x, y, n):
        for i in range(n):
            y = y + 3 * x[i % 3] - x[0] / 2
        return y

    gradient = rt.grad(total)
    assert kept(gradient, X, np.float64(0.0), np.int64(5)) == []
    np.testing.assert_array_equal(gradient(X, np.float64(0.0), np.int64(5)), [3.5, 6.0, 3.0])


def test_an_element_read_at_the_iteration_index_is_read_again():
    def squares(x, n):
        total = 0.0
        for i in range(1, n, 2):
            if x[i] > 0:
                total = total + x[i] * x[i]
        return total

    assert kept(rt.grad(squares), X, np.int64(3)) == []
    np.testing.assert_array_equal(rt.grad(squares)(X * [1, -1, 1], np.int64(3)), [0.0, 2.5, 0.0])


def test_loop_invariant_values_are_not_stored():
    def products(w, x, n):
        for _ in range(n):
            x = w.T @ np.sin(w)[0] * x
        return np.sum(x)

    assert kept(rt.grad(products, 0), np.outer(X, X), X, np.int64(3)) == ["f64[3]"]


def test_only_the_sizes_of_an_array_are_stored_if_only_they_are_needed():
    spec = rt.TensorSpec((None,), np.float64)

    @functools.partial(rt.function, input_signature=[spec, rt.TensorSpec((), np.int64)])
    def slope(x, n):
        def fn(x):
            total = 0.0
            for _ in range(n):
                total = total + np.sum(x[: n + 1])
            return total

        return rt.grad(fn)(x)

    assert not any(part.startswith("f64[") for part in kept(slope, X, np.int64(2)))
    np.testing.assert_array_equal(slope(X, np.int64(2)), [2.0, 2.0, 2.0])


@pytest.mark.slow
def test_rows_of_a_table_that_is_written_are_stored_but_not_the_table():
    def fn(x, n):
        table = np.outer(x, x)
        for i in range(n):
            table[i] = table[i - 1] * x[i]
        return np.sum(table)

    gradient, x = rt.grad(fn), np.linspace(0.9, 1.1, 100)
    assert most_held(gradient, x, np.int64(100)) <= 10  # tables of 100 times 100
    steps = [(fn(x + 1e-6 * e, 100) - fn(x - 1e-6 * e, 100)) / 2e-6 for e in np.eye(100)[:3]]
    np.testing.assert_allclose(gradient(x, np.int64(100))[:3], steps, rtol=1e-6)


def step(w, x):
    for _ in range(3):
        x = np.sin(np.exp(-w * x * x)) + x
    return x


def stepwise(make):
    def fn(w, x, n):
        for _ in range(n):
            x = make(step)(w, x)
        return np.sum(x)

    return fn


def plainly(fn):
    return fn


def test_a_checkpoint_stores_only_the_variables_of_an_iteration():
    given = X, X, np.int64(4)
    assert kept(rt.grad(stepwise(rt.checkpoint)), *given) == ["f64[3]"]
    assert len(kept(rt.grad(stepwise(plainly)), *given)) > 3


def test_gradients_with_and_without_checkpoints_are_equal():
    given = X, X, np.int64(4)
    for order in range(1, 3):
        make = [rt.grad(stepwise(rt.checkpoint)), rt.grad(stepwise(plainly))]
        if order == 2:
            make = [rt.grad(lambda *a, g=g: np.sum(g(*a))) for g in make]
        np.testing.assert_allclose(*(g(*given) for g in make), rtol=1e-13)


@pytest.mark.slow
def test_two_loops_with_a_checkpoint_store_the_square_root():
    def turns(w, x, m):
        for _ in range(m):
            x = np.tanh(w * x)
        return x

    def fn(make, w, x, n, m):
        for _ in range(n):
            x = make(turns)(w, x, m)
        return np.sum(x)

    x = np.linspace(0.5, 1.5, SIZE)
    given = x, x, np.int64(30), np.int64(30)
    sparing = rt.grad(lambda *a: fn(rt.checkpoint, *a))
    lavish = rt.grad(lambda *a: fn(plainly, *a))
    np.testing.assert_allclose(sparing(*given), lavish(*given), rtol=1e-12)
    assert most_held(sparing, *given) <= 30 + 30 + 10
    assert most_held(lavish, *given) >= 30 * 30


# -- checkpoints are calls -------------------------------------------------------------------------


def test_outside_of_graphs_a_checkpoint_is_the_function():
    assert rt.checkpoint(lambda x, y: (x, y))(1, y="2") == (1, "2")


def test_side_effects_in_a_checkpoint_are_kept():
    class Counter:
        def __init__(self, x):
            self.total, self.log = x, []

        def add(self, x):
            self.total = self.total * x
            self.log.append(x)
            return self.total

    def fn(x):
        outer = x * 2
        items = [x]
        counter = Counter(x)

        def inner(v):
            nonlocal outer
            outer = outer * v
            items.append(v)
            return {"v": v, "none": None}

        found = rt.checkpoint(inner)(x)
        found["v"] = found["v"] + rt.checkpoint(counter.add)(x)
        again = rt.checkpoint(functools.partial(inner, x * 1.0))()
        return outer + found["v"] + counter.total * again["v"] + sum(items) + counter.log[0]

    # 2x^3 + (x + x^2) + x^3 + 3x + x
    x = np.float64(3.0)
    assert rt.function(fn)(x) == fn(x) == 3 * 27 + 9 + 15
    assert rt.grad(fn)(x) == 9 * 9 + 2 * 3 + 5


def test_a_checkpoint_that_raises_or_prints(capsys):
    def noisy(x):
        print(x)
        if x > 2:
            raise ValueError("too large")
        return x * x

    gradient = rt.grad(lambda x: rt.checkpoint(noisy)(x))
    assert gradient(np.float64(2.0)) == 4.0
    assert capsys.readouterr().out == "2.0\n"
    with pytest.raises(ValueError, match="too large"):
        gradient(np.float64(3.0))


def test_numpy_random_numbers_in_a_checkpoint_are_refused():
    def noisy(x):
        return x * np.random.random()

    with pytest.raises(rt.StagingError, match="(?s)random numbers.*checkpoint.*rt.random"):
        rt.grad(lambda x: rt.checkpoint(noisy)(x))(np.float64(3.0))


# -- user-defined gradients ------------------------------------------------------------------------


@rt.custom_gradient
def softplus(x):
    e = np.exp(x)
    return np.log(1 + e), lambda d: d * (1 - 1 / (1 + e))


def test_a_user_defined_gradient_is_used():
    x = np.float64(100.0)
    assert rt.grad(softplus)(x) == 1.0
    assert softplus(x) == 100.0
    assert rt.grad(lambda x, n: sum(softplus(x) for _ in range(3)))(x, 3) == 3.0


def test_a_user_defined_gradient_is_differentiated():
    @rt.custom_gradient
    def cube(x):
        return x**3, lambda d: d * 3 * x * x

    assert rt.grad(rt.grad(cube))(np.float64(2.0)) == 12.0


def test_a_user_defined_gradient_in_a_staged_loop():
    @rt.custom_gradient
    def product(x, y):
        def gradient(d):
            return (d * y, d * x * 10) if d > 0 else (d * y, None)

        return x * y, lambda d: (d * y, d * x * 10)

    def fn(x, y, n):
        for _ in range(n):
            x = product(x, y)
        return x

    by_x, by_y = rt.grad(fn, (0, 1))(np.float64(2.0), np.float64(3.0), np.int64(3))
    assert (by_x, by_y) == (27.0, 10 * 3 * 2 * 9.0)


def test_a_user_defined_gradient_of_the_wrong_type_is_refused():
    @rt.custom_gradient
    def one(x, y):
        return x * y, lambda d: d

    with pytest.raises(rt.StagingError, match="returns 1 cotangents for 2 arguments"):
        rt.grad(one)(np.float64(2.0), np.float64(3.0))

    @rt.custom_gradient
    def shaped(x):
        return np.sum(x), lambda d: d

    with pytest.raises(
        rt.StagingError, match=r"cotangent of type f64 for an argument of type f64\[3\]"
    ):
        rt.grad(shaped)(X)


def test_stop_gradient_reaches_into_containers():
    def fn(x):
        held = rt.stop_gradient({"x": x, "n": 3, "more": [x, None]})
        return x * held["x"] * held["n"] * held["more"][0]

    assert rt.grad(fn)(np.float64(2.0)) == 12.0
    assert rt.stop_gradient(4.0) == 4.0


def halved(v):
    return np.tanh(v) * 0.5


def test_functions_are_transformed_for_the_first_time_in_staged_blocks():
    def f(x):
        for _ in range(np.int64(3)):
            x = rt.checkpoint(halved)(x)
        if x > 0:
            x = np.sum(rt.vmap(halved)(np.array([1.0, 2.0]))) + x
        else:
            x = rt.jvp(halved, (x,), (1.0,))[1]
        if x > 0.1:
            x = rt.grad(halved)(x)
        return x

    def plain(x):
        for _ in range(3):
            x = halved(x)
        if x > 0:
            x = halved(1.0) + halved(2.0) + x
        else:
            x = 0.5 * (1 - np.tanh(x) ** 2)
        return 0.5 * (1 - np.tanh(x) ** 2) if x > 0.1 else x

    for x in (3.0, -3.0):
        assert np.isclose(rt.function(f)(np.float64(x)), plain(x))
        difference = (plain(x + 1e-6) - plain(x - 1e-6)) / 2e-6
        assert np.isclose(rt.grad(f)(np.float64(x)), difference, rtol=1e-5, atol=1e-9)


def test_a_result_of_a_function_of_python_is_refused():
    """It would be computed again; without a use it is an effect of the first computation."""
    calls = []

    def noted(x):
        rt.host_call(calls.append, 1)
        return np.sin(x) * x

    def used(x):
        return np.sin(x * float(random.choices([2.0])[0])) * x

    slope = rt.grad(rt.checkpoint(noted))(1.0)
    assert slope == rt.grad(noted)(1.0) and calls == [1, 1]
    with pytest.raises(
        rt.StagingError, match="the result of a function of Python is used in a check"
    ):
        rt.grad(rt.checkpoint(used))(1.0)
