"""`rt.GradientTape`, in graphs and with eager operations."""

import numpy as np
import pytest

import runtime as rt

X = np.array([0.5, -1.25, 2.0])


def eagerly(fn):
    return fn


BOTH = pytest.mark.parametrize("where", [eagerly, rt.function], ids=["eager", "graph"])


@BOTH
def test_a_tape_returns_the_gradient_of_the_operations_it_recorded(where):
    @where
    def fn(x):
        with rt.GradientTape() as tape:
            x = tape.watch(x)
            y = x * x * x
        return tape.gradient(y, x)

    np.testing.assert_array_equal(fn(X), 3 * X * X)
    assert fn(np.float64(3.0)) == 27.0


@BOTH
def test_the_gradient_of_an_array_is_that_of_its_sum_or_weighted_by_output_gradients(where):
    @where
    def fn(x, weights):
        with rt.GradientTape(persistent=True) as tape:
            x = tape.watch(x)
            y = x * x
        return tape.gradient(y, x), tape.gradient(y, x, output_gradients=weights)

    plain, weighted = fn(X, np.array([1.0, 0.0, -2.0]))
    np.testing.assert_array_equal(plain, 2 * X)
    np.testing.assert_array_equal(weighted, 2 * X * [1.0, 0.0, -2.0])


@BOTH
def test_sources_and_targets_may_be_containers(where):
    @where
    def fn(x, y):
        with rt.GradientTape() as tape:
            held = tape.watch({"x": x, "rest": [y, 2.0]})
            targets = [held["x"] * held["rest"][0], held["rest"][0] * held["rest"][1]]
        return tape.gradient(targets, held)

    got = fn(np.float64(3.0), np.float64(5.0))
    assert (got["x"], got["rest"]) == (5.0, [3.0 + 2.0, 5.0])


@BOTH
def test_unconnected_sources_have_no_gradient_or_zeros(where):
    @where
    def fn(x, y):
        with rt.GradientTape(persistent=True) as tape:
            x, y = tape.watch((x, y))
            z = x * 2
        nothing = tape.gradient(z, y)
        zeros = tape.gradient(z, [x, y], unconnected_gradients="zero")
        return nothing is None, zeros

    is_none, (by_x, by_y) = fn(X, X)
    assert is_none
    np.testing.assert_array_equal(by_x, np.full(3, 2.0))
    np.testing.assert_array_equal(by_y, np.zeros(3))


@BOTH
def test_values_that_are_not_watched_are_constants(where):
    @where
    def fn(x):
        with rt.GradientTape() as tape:
            watched = tape.watch(x)
            y = watched * x
        return tape.gradient(y, watched)

    np.testing.assert_array_equal(fn(X), X)


@BOTH
def test_stop_gradient_returns_a_constant(where):
    @where
    def fn(x):
        with rt.GradientTape() as tape:
            x = tape.watch(x)
            y = x * rt.stop_gradient(x * x)
        return tape.gradient(y, x)

    np.testing.assert_array_equal(fn(X), X * X)


@BOTH
def test_nested_tapes_compute_second_derivatives(where):
    @where
    def fn(x):
        with rt.GradientTape() as outer:
            x = outer.watch(x)
            with rt.GradientTape() as inner:
                inside = inner.watch(x)
                y = inside * inside * inside
            slope = inner.gradient(y, inside)
        return slope, outer.gradient(slope, x)

    assert fn(np.float64(2.0)) == (12.0, 12.0)


@BOTH
def test_the_jacobian_of_a_tape(where):
    matrix = np.arange(6.0).reshape(2, 3)

    @where
    def fn(x):
        with rt.GradientTape() as tape:
            x = tape.watch(x)
            y = matrix @ (x * x)
        return tape.jacobian(y, x)

    np.testing.assert_allclose(fn(X), matrix * 2 * X, rtol=1e-15)


@BOTH
def test_python_and_staged_control_flow_on_a_tape(where):
    @where
    def fn(x, n):
        with rt.GradientTape() as tape:
            x = tape.watch(x)
            y = x
            for i in range(n):
                if y > 2:
                    break
                y = y * x + i
            while y < 100:
                y = y * y
        return y, tape.gradient(y, x)

    # The first loop stops after one iteration, since 1.5 ** 2 > 2; the second squares: x ** 16.
    y, slope = fn(np.float64(1.5), np.int64(4))
    assert y == 1.5**16
    np.testing.assert_allclose(slope, 16 * 1.5**15, rtol=1e-14)


@BOTH
def test_a_user_defined_gradient_on_a_tape(where):
    @rt.custom_gradient
    def clipped(x):
        return x * x, lambda d: np.minimum(d * 2 * x, 1.0)

    @where
    def fn(x):
        with rt.GradientTape() as tape:
            x = tape.watch(x)
            y = clipped(x)
        return tape.gradient(y, x)

    np.testing.assert_array_equal(fn(X), [1.0, -2.5, 1.0])


def test_a_tape_in_a_staged_loop():
    @rt.function
    def descend(x, n):
        for _ in range(n):
            with rt.GradientTape() as tape:
                here = tape.watch(x)
                loss = np.sum((here - 3.0) ** 2)
            x = x - 0.25 * tape.gradient(loss, here)
        return x

    np.testing.assert_array_equal(descend(np.array([7.0]), np.int64(3)), [3.5])


def test_variables_are_watched_automatically():
    v = rt.Variable(np.array([1.0, 2.0]))
    with rt.GradientTape() as tape:
        y = np.sum(v * v * v)
    np.testing.assert_array_equal(tape.gradient(y, v), [3.0, 12.0])


def test_values_on_an_eager_tape_print_and_compare_like_scalars(capsys):
    with rt.GradientTape() as tape:
        x = tape.watch(np.float64(3.0))
        y = x * x
        assert y > 8 and float(y) == 9.0 and f"{y:.1f}" == "9.0"
        print(y)
    assert capsys.readouterr().out == "9.0\n"
    assert tape.gradient(y, x) == 6.0


# -- refusals --------------------------------------------------------------------------------------


@BOTH
def test_a_tape_computes_gradients_once_unless_it_is_persistent(where):
    @where
    def fn(x):
        with rt.GradientTape() as tape:
            x = tape.watch(x)
            y = x * x
        tape.gradient(y, x)
        return tape.gradient(y, x)

    with pytest.raises(rt.StagingError, match="(?s)used a second time.*persistent=True"):
        fn(X)


def test_a_tape_that_was_not_entered_is_refused():
    tape = rt.GradientTape()
    with pytest.raises(rt.StagingError, match="(?s)watch is called.*not been entered"):
        tape.watch(X)
    with pytest.raises(rt.StagingError, match="(?s)gradient is called.*not been entered"):
        tape.gradient(X, X)


def test_a_tape_is_entered_once():
    with rt.GradientTape() as tape:
        with pytest.raises(rt.StagingError, match="entered a second time"):
            tape.__enter__()


@BOTH
def test_integers_are_not_watched(where):
    @where
    def fn(n):
        with rt.GradientTape() as tape:
            tape.watch(n)

    with pytest.raises(TypeError, match="argument of watch is i64"):
        fn(np.int64(3))


def test_an_array_that_the_tape_has_not_recorded_is_refused():
    with rt.GradientTape() as tape:
        y = tape.watch(X) * 2
    with pytest.raises(rt.StagingError, match=r"(?s)does not know.*x = tape.watch\(x\)"):
        tape.gradient(y, X)


def test_an_unknown_option_for_unconnected_gradients_is_refused():
    with rt.GradientTape() as tape:
        x = tape.watch(X)
    with pytest.raises(ValueError, match="unconnected_gradients is 'none' or 'zero'"):
        tape.gradient(x, x, unconnected_gradients="zeros")


def test_a_tape_in_a_graph_computes_gradients_only_in_that_graph():
    tapes = []

    @rt.function
    def fn(x):
        with rt.GradientTape() as tape:
            y = tape.watch(x)
        tapes.append((tape, y))
        return x

    fn(np.float64(2.0))
    tape, y = tapes[0]
    with pytest.raises(rt.StagingError, match="used outside of the code where it was entered"):
        tape.gradient(y, y)


def test_a_gradient_in_a_loop_of_values_from_earlier_iterations():
    @rt.function
    def fn(x, n):
        with rt.GradientTape(persistent=True) as tape:
            x = tape.watch(x)
            y, slope = x, x * 0.0
            for _ in range(n):
                y = y * x
                slope = tape.gradient(y, x)
        return slope

    with pytest.raises(rt.StagingError, match="(?s)earlier iterations.*after the loop"):
        fn(np.float64(2.0), np.int64(3))


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize(
    ("assigned", "expected"),
    [(lambda v: 2 * v, 12.0), (lambda v: v + 1.0, 5.0), (lambda v: 7.0, None)],
)
def test_a_gradient_is_with_respect_to_the_value_before_the_block_assigns(
    staged, assigned, expected
):
    v = rt.Variable(1.5)

    def slope():
        with rt.GradientTape() as tape:
            v.assign(assigned(v))
            y = v * v
        return tape.gradient(y, v)

    assert (rt.function(slope) if staged else slope)() == expected


# -- variables that are assigned to ----------------------------------------------------------------


def assigned_inside(v, tape, x):
    with tape:
        y = v * v * x
        v.assign(v * 3.0)
        z = v * v * x
    return y, z


def assigned_afterwards(v, tape, x):
    with tape:
        y = v * v
        z = v * v * v
    v.assign(7.0)
    return y, z


def another_value(v, tape, x):
    with tape:
        y = v * v
        v.assign(9.0)
        z = v * v
    return y, z


def elements(v, tape, x):
    with tape:
        y = v * v
        v[...] = v * x
        z = v * v
    return y, z


def in_a_branch(v, tape, x):
    with tape:
        y = v * x
        if x > 0:
            v.assign(v * x)
        z = v * v
    return y, z


def in_a_loop(v, tape, x):
    with tape:
        y = v * x
        for _ in range(3):
            v.assign(v * x)
        z = v * v
    return y, z


ASSIGNED = {  # the gradients with respect to the first value, 2; x is 5
    assigned_inside: (20.0, 180.0),  # 2 v x, and 9 * 2 v x
    assigned_afterwards: (4.0, 12.0),
    another_value: (4.0, None),
    elements: (4.0, 100.0),
    in_a_branch: (5.0, 100.0),
    in_a_loop: (5.0, 62500.0),
}


@pytest.mark.parametrize("program", ASSIGNED, ids=lambda program: program.__name__)
@pytest.mark.parametrize("mode", ["plain", "eager", "graph"])
def test_gradients_are_with_respect_to_the_first_value_of_a_variable(program, mode):
    v = rt.Variable(2.0)

    def gradients(x):
        tape = rt.GradientTape(persistent=True)
        y, z = program(v, tape, x)
        return tape.gradient(y, v), tape.gradient(z, v)

    called = gradients if mode == "plain" else rt.function(gradients)
    with rt.config.temporarily(run_functions_eagerly=mode == "eager"):
        assert called(np.float64(5.0)) == ASSIGNED[program]


def test_a_function_may_assign_to_a_variable_while_a_tape_records():
    v = rt.Variable(2.0)
    replace = rt.function(lambda: v.assign(10.0))
    with rt.GradientTape(persistent=True) as tape:
        y = v * v
        replace()
        z = v * v
    assert (tape.gradient(y, v), tape.gradient(z, v)) == (4.0, None)
