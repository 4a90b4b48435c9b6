"""Gradients through branches, loops and lists: closed forms, unrolled graphs, complex steps."""

import numpy as np
import pytest
from complex_steps import check, complex_step
from loading import load

import autograph
import runtime as rt
from runtime.ir.graph import walk

# -- branches --------------------------------------------------------------------------------------


def either(x):
    if np.real(x) > 1:
        y = x * x
    else:
        y = np.sin(x)
    return y * x


@pytest.mark.parametrize("x", [0.5, 1.5])
def test_a_gradient_follows_the_branch_taken(x):
    check(either, np.float64(x))


def guarded(x):
    if np.real(x) < 0:
        return -x * x
    if np.real(x) < 1:
        return x**3
    if np.real(x) > 10:
        return x * 0.0
    return np.exp(x)


@pytest.mark.parametrize("x", [-2.0, 0.5, 3.0, 11.0])
def test_guard_clauses(x):
    check(guarded, np.float64(x))


def bound_on_one_side(x, n):
    if n > 2:
        y = x * x
    if n > 2:
        return y * 3
    return x


@pytest.mark.parametrize("n", [1, 3])
def test_a_variable_that_one_branch_binds(n):
    check(bound_on_one_side, np.float64(1.5), np.int64(n))


def none_on_one_side(x):
    best = None
    for v in x:
        if best is None or np.real(v) > np.real(best):
            best = v
    return best * best if best is not None else x.sum()


def test_none_in_one_branch():
    check(none_on_one_side, np.array([0.5, 2.0, -1.0]))


def test_conditional_expressions_and_boolean_operators():
    def fn(x, y):
        z = x * x if np.real(x) > np.real(y) else y * x
        return z if np.real(x) > 0 and np.real(y) > 0 else z * z

    for x, y in ((1.0, 2.0), (2.0, 1.0), (-1.0, 1.0)):
        check(fn, np.float64(x), np.float64(y))


# -- loops -----------------------------------------------------------------------------------------


def test_the_gradient_of_a_cube_computed_by_a_loop_is_27_at_3():
    def power(x, n):
        result = 1.0
        while n > 0:
            result = result * x
            n = n - 1
        return result

    assert rt.grad(power)(np.float64(3.0), np.int64(3)) == 27.0


def test_the_gradient_of_a_sum_of_squares_after_a_loop_and_a_branch_is_12_at_6():
    def fn(x):
        total = 0.0
        for v in x:
            if v > 0:
                total = total + v * v
            else:
                total = total - v
        return total

    np.testing.assert_array_equal(rt.grad(fn)(np.array([6.0, 6.0])), [12.0, 12.0])


def chain(w, x, n):
    for _ in range(n):
        x = np.tanh(w * x)
    return x


def test_a_loop_of_a_hundred_iterations_has_the_gradient_of_the_unrolled_loop():
    w, x = np.float64(1.3), np.float64(0.4)
    staged = rt.grad(chain, (0, 1))(w, x, np.int64(100))
    kept = rt.grad(lambda w, x: chain(w, x, 100), (0, 1))

    def unrolled_chain(w, x):
        for _ in range(100):
            autograph.set_loop_options(unroll=True)
            x = chain(w, x, 1)
        return x

    unrolled = rt.grad(unrolled_chain, (0, 1))
    graph = unrolled.get_concrete_function(w, x).graph
    assert not any(node.op.name == "loop" for node in walk(graph))
    assert staged == kept(w, x) == unrolled(w, x)
    np.testing.assert_allclose(staged[0], complex_step(chain, w, x, 100), rtol=1e-13)


@pytest.mark.parametrize("n", [0, 1, 2, 17])
def test_the_trip_count_is_known_only_at_run_time(n):
    check(chain, np.float64(1.1), np.float64(0.4), np.int64(n))


def test_the_trip_count_may_depend_on_the_differentiated_argument():
    def fn(x):
        turns = 0
        while np.real(x) > 0.1:
            x = x * 0.7 * np.cos(x * 0.1)
            turns += 1
        return x * turns

    for x in (0.05, 0.9, 3.0):
        check(fn, np.float64(x))


def test_newtons_iteration():
    def root(a):
        x = a
        while abs(np.real(x * x - a)) > 1e-13:
            x = x - (x * x - a) / (2 * x)
        return x

    slope = rt.grad(root)
    assert abs(slope(np.float64(2.0)) - 0.5 / np.sqrt(2)) < 1e-12
    assert abs(rt.grad(slope)(np.float64(2.0)) + 0.25 * 2**-1.5) < 1e-9


def test_break_continue_and_return_in_loops():
    def fn(x, a):
        for i, v in enumerate(a):
            if np.real(v) < 0:
                continue
            x = x * v + i
            if np.real(x) > 20:
                return x * x
            if i > 4:
                break
        else:
            x = x * 3
        return x * v

    for a in ([1.0, -2.0, 3.0], [2.0, 3.0, -1.0, 9.0, 4.0], [0.1] * 8):
        check(fn, np.float64(0.7), np.array(a))


def test_nested_loops_with_branches():
    def fn(x, n):
        total = x * 0.0
        for i in range(n):
            y = x
            for j in range(i):
                if j % 2 == 0:
                    y = np.sin(y * x)
                else:
                    total = total + y
                    y = y * y
            while np.real(y) > 0.2:
                y = y * 0.5
            total = total + y * i
        return total

    check(fn, np.float64(0.8), np.int64(5))


def test_a_loop_in_a_branch():
    def fn(x, n):
        if np.real(x) > 0.5:
            for _ in range(n):
                x = np.sin(x) * x
        return x * x

    check(fn, np.float64(0.9), np.int64(4))
    check(fn, np.float64(0.3), np.int64(4))


def test_a_variable_that_every_iteration_overwrites():
    def fn(x, y, n):
        for _ in range(n):
            x = y * 2
        return x * x

    for n in (0, 3):
        by_x, by_y = rt.grad(fn, (0, 1))(np.float64(1.5), np.float64(2.0), np.int64(n))
        assert (by_x, by_y) == ((3.0, 0.0) if n == 0 else (0.0, 16.0))


def test_variables_that_are_swapped():
    def fn(a, n):
        c, x = a, 0.0
        for i in range(n):
            c = c * 2
            for j in range(n):
                x = x + c[j]
                a, c = c, a
        return x

    slope, a = rt.grad(fn), np.array([1.0, 2.0, 3.0])
    for _ in range(2):  # a run must not affect the next one
        np.testing.assert_array_equal(slope(a, np.int64(2)), [6.0, 2.0, 0.0])


def test_rows_and_elements_of_arrays():
    def fn(x, n):
        total = 0.0
        for row in x:
            for v in row[:n]:
                total = total + v * v * row[0]
        for i in range(n):
            total = total + x[i - 1, i] * x[1, i]
        return total

    check(fn, np.arange(12.0).reshape(3, 4) / 7, np.int64(3))


# -- gradients in graphs, and of gradients ---------------------------------------------------------


def test_a_gradient_in_a_staged_loop():
    @rt.function
    def descend(x, n):
        for _ in range(n):
            x = x - 0.1 * rt.grad(lambda v: np.sum((v - 3.0) ** 2))(x)
        return x

    wanted = 3.0 + (np.array([1.0, -2.0]) - 3.0) * 0.8**20
    np.testing.assert_allclose(descend(np.array([1.0, -2.0]), np.int64(20)), wanted, rtol=1e-13)


def test_a_gradient_in_a_staged_branch():
    @rt.function
    def fn(x):
        if x > 1:
            return rt.grad(lambda v: v**3)(x)
        return x

    assert (fn(np.float64(2.0)), fn(np.float64(0.5))) == (12.0, 0.5)


def test_a_gradient_through_a_loop_of_gradient_steps():
    def tuned(rate, n):
        x = np.float64(1.0)
        for _ in range(n):
            x = x - rate * rt.grad(lambda v: v * v)(x)
        return x

    got = rt.grad(tuned)(np.float64(0.1), np.int64(5))
    np.testing.assert_allclose(got, 5 * (1 - 0.2) ** 4 * -2, rtol=1e-13)


def test_the_third_derivative_of_a_while():
    def power(x, n):
        result = x * 0.0 + 1.0
        while n > 0:
            result = result * x
            n = n - 1
        return result

    third = rt.grad(rt.grad(rt.grad(power)))
    assert third(np.float64(2.0), np.int64(5)) == 60 * 4.0
    assert third(np.float64(2.0), np.int64(2)) == 0.0


def test_jacobian_and_hessian_of_loops():
    def powers(x, n):
        y = x
        for _ in range(n):
            y = y * x
        return y

    x = np.array([1.5, -2.0])
    found = rt.jacobian(powers)(x, np.int64(2))
    np.testing.assert_allclose(found, np.diag(3 * x**2), rtol=1e-14)
    curved = rt.hessian(lambda x, n: np.sum(powers(x, n)))(x, np.int64(2))
    np.testing.assert_allclose(curved, np.diag(6 * x), rtol=1e-14)


def test_iterations_that_do_not_take_a_branch_contribute_no_nan():
    def fn(x, n):
        total = x * 0.0
        for i in range(n):
            if i > 0:
                total = total + np.sqrt(x * i + (i - 1.0))
            total = np.where(x < 1, total + x, np.log(x))
        return total

    with np.errstate(all="ignore"):
        assert np.isfinite(rt.grad(lambda x: fn(x + 1.0, 1))(np.float64(-1.0)))
        assert rt.grad(fn)(np.float64(0.0), np.int64(1)) == 1.0
        assert rt.grad(rt.grad(fn))(np.float64(0.0), np.int64(1)) == 0.0


def test_elements_that_a_where_does_not_select_contribute_no_nan_in_a_loop():
    def fn(w, x, n):
        for _ in range(n):
            x = np.where(x > 0.5, w * np.sqrt(x - 0.5) + 0.5, w * x)
        return np.sum(x)

    w, x = np.array([0.5, 0.9, 2.0]), np.array([0.75, 0.5, 0.25])
    with np.errstate(all="ignore"):
        by_w, by_x = rt.grad(fn, (0, 1))(w, x, np.int64(2))
    # Iterations map 0.75 to itself, by w * sqrt(x - 0.5) + 0.5, and the others to w * w * x.
    np.testing.assert_allclose(by_w, [1.5 * np.sqrt(0.25), 0.9, 2 * 2 * 0.25], rtol=1e-14)
    np.testing.assert_allclose(by_x, [(0.5 / (2 * 0.5)) ** 2, 0.81, 4.0], rtol=1e-14)


def test_a_loop_of_matrix_products_yields_no_nan():
    def fn(w, x, n):
        for _ in range(n):
            y = w @ x
            x = np.where(x > 0.5, y * np.sqrt(x - 0.5), y)
        return np.sum(x)

    w = np.array([[0.3, 0.2, 0.7], [0.1, 0.9, 0.4], [0.5, 0.6, 0.2]])
    x = np.array([0.7, 0.5, 0.2])  # at 0.5 the slope of the root is infinite
    with np.errstate(all="ignore"):
        found = rt.grad(fn)(w, x, np.int64(3))
        for place in np.ndindex(3, 3):
            ahead, behind = w.copy(), w.copy()
            ahead[place] += 1e-6
            behind[place] -= 1e-6
            assert abs(found[place] - (fn(ahead, x, 3) - fn(behind, x, 3)) / 2e-6) < 1e-8


def test_a_legitimate_nan_is_kept():
    def fn(w, x, n):
        for _ in range(n):
            x = w * x
        return np.sum(x)

    by_w = rt.grad(fn)(np.array([1.0, np.nan]), np.array([2.0, 2.0]), np.int64(2))
    np.testing.assert_array_equal(by_w, [4.0, np.nan])


def test_a_recurrent_layer():
    def fn(w, u, h, rows):
        for row in rows:
            h = np.tanh(w @ h + row @ u)
        return h @ h

    rng = np.random.default_rng(3)
    w, u = rng.normal(size=(3, 3)), rng.normal(size=(2, 3))
    rows = rng.normal(size=(6, 2))
    check(fn, w, u, np.ones(3), rows)
    check(lambda u, w: fn(w, u, np.ones(3), rows), u, w)
    doubled = rt.grad(lambda w: np.sum(rt.grad(fn)(w, u, np.ones(3), rows) ** 2))
    step = 1e-5
    first = rt.grad(fn)
    for place in ((0, 0), (1, 2)):
        moved = [w.copy(), w.copy()]
        moved[0][place] += step
        moved[1][place] -= step
        one, other = (np.sum(first(v, u, np.ones(3), rows) ** 2) for v in moved)
        assert abs(doubled(w)[place] - (one - other) / (2 * step)) < 1e-6


def test_the_error_names_the_line_that_cannot_be_differentiated():
    source = """\
import numpy as np

def f(x, n):
    for _ in range(n):
        x = np.pad(x, 1, mode="mean")
    return np.sum(x)
"""
    fn = load(source, "<a program>").f
    with pytest.raises(
        rt.StagingError, match="(?s)pad cannot be differentiated.*<a program>, line 5"
    ):
        rt.grad(lambda x: fn(x, 2))(np.ones(3))
