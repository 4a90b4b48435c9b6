"""Gradients of functions: their arguments, their results, and refusals.

Expected values are closed forms, or complex steps of the same Python function.
"""

import numpy as np
import pytest

import runtime as rt

# Each case creates its functions again.
pytestmark = pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")

X = np.array([0.5, -1.25, 2.0])


def cube(x):
    return x * x * x


# -- the forms -------------------------------------------------------------------------------------


def test_grad_returns_the_gradient_of_a_scalar():
    assert rt.grad(cube)(np.float64(3.0)) == 27.0


def test_grad_of_an_array_has_its_shape_and_dtype():
    got = rt.grad(lambda x: np.sum(cube(x)))(X)
    np.testing.assert_allclose(got, 3 * X * X, rtol=1e-15)


def test_value_and_grad_returns_both():
    assert rt.value_and_grad(cube)(np.float64(2.0)) == (8.0, 12.0)


def test_argnums_selects_the_arguments():
    product = rt.grad(lambda x, y, z: x * y * y * z, (1, 0))
    assert product(np.float64(2.0), np.float64(3.0), np.float64(5.0)) == (60.0, 45.0)


def test_a_tuple_of_one_in_argnums_returns_a_tuple_of_one():
    assert rt.grad(cube, (0,))(np.float64(3.0)) == (27.0,)


def test_auxiliary_results_are_returned_too():
    def fn(x):
        return x * x, {"twice": 2 * x, "text": "as it is"}

    gradient, aux = rt.grad(fn, has_aux=True)(np.float64(3.0))
    assert (gradient, aux) == (6.0, {"twice": 6.0, "text": "as it is"})
    (value, aux), gradient = rt.value_and_grad(fn, has_aux=True)(np.float64(3.0))
    assert (value, aux["twice"], gradient) == (9.0, 6.0, 6.0)


def test_arguments_may_be_nested_containers():
    def fn(parameters, x):
        w, (b, c) = parameters["w"], parameters["rest"]
        return np.sum(w * x) + b * b + 4 * c[0]

    given = {"w": X, "rest": (np.float64(3.0), [np.float64(1.0)])}
    got = rt.grad(fn)(given, np.arange(3.0))
    np.testing.assert_array_equal(got["w"], [0.0, 1.0, 2.0])
    assert got["rest"] == (6.0, [4.0])


def test_vjp_pulls_any_cotangent_back():
    value, pullback = rt.vjp(lambda x, y: x * y, X, X + 1)
    np.testing.assert_array_equal(value, X * (X + 1))
    by_x, by_y = pullback(np.array([1.0, 2.0, 0.0]))
    np.testing.assert_array_equal(by_x, (X + 1) * [1.0, 2.0, 0.0])
    np.testing.assert_array_equal(by_y, X * [1.0, 2.0, 0.0])


def test_vjp_returns_none_for_integers():
    value, pullback = rt.vjp(lambda x, n: x * n, 2.0, 3)
    assert (value, pullback(1.0)) == (6.0, (3.0, None))


def test_jacobian_has_the_shapes_of_result_and_argument():
    matrix = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(rt.jacobian(lambda x: matrix @ x)(X), matrix)
    found = rt.jacobian(lambda x: np.outer(x, x))(X)
    wanted = np.einsum("ij,k->jki", np.eye(3), X) + np.einsum("ij,k->kji", np.eye(3), X)
    np.testing.assert_array_equal(found, wanted)


def test_jacobian_of_a_jacobian():
    found = rt.jacobian(rt.jacobian(lambda x: x * x * x))(X)
    wanted = np.zeros((3, 3, 3))
    wanted[np.arange(3), np.arange(3), np.arange(3)] = 6 * X
    np.testing.assert_allclose(found, wanted, rtol=1e-15)


def test_hessian_of_a_quadratic_form_with_a_loop():
    a = np.array([[2.0, 1.0, 0.0], [0.0, 3.0, 5.0], [1.0, 0.0, 4.0]])

    def form(x, n):
        total = 0.0
        for i in range(n):
            total = total + x[i] * (a @ x)[i]
        return total

    found = rt.hessian(form)(X, np.int64(3))
    np.testing.assert_allclose(found, a + a.T, rtol=1e-14)


def test_a_gradient_can_be_called_in_other_graphs():
    slope = rt.grad(cube)

    @rt.function
    def newton(x):
        while abs(slope(x) - 12.0) > 1e-12:
            x = x - (slope(x) - 12.0) / rt.grad(slope)(x)
        return x

    assert abs(newton(np.float64(5.0)) - 2.0) < 1e-12


def test_gradients_of_graph_functions_methods_lambdas_and_closures():
    class Scaled:
        def __init__(self, factor):
            self.factor = factor

        def loss(self, x):
            return self.factor * x * x

        def __call__(self, x):
            return self.loss(x) + x

    factor = np.float64(3.0)
    x = np.float64(2.0)
    assert rt.grad(rt.function(cube))(x) == 12.0
    assert rt.grad(Scaled(5.0).loss)(x) == 20.0
    assert rt.grad(Scaled(5.0))(x) == 21.0
    assert rt.grad(lambda x: factor * x)(x) == 3.0


def test_gradients_of_gradients_of_gradients():
    fourth = rt.grad(rt.grad(rt.grad(lambda x: x**5)))
    assert fourth(np.float64(2.0)) == 240.0


# -- dtypes, structures, aliases -------------------------------------------------------------------


def test_the_gradient_of_a_python_float_is_a_python_float():
    got = rt.grad(cube)(3.0)
    assert (type(got), got) == (float, 27.0)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_gradient_has_the_dtype_of_the_argument(dtype):
    got = rt.grad(lambda x: np.sum(x * 2.5 * x))(np.array([1, 2], dtype))
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, [5, 10])


def test_a_gradient_with_respect_to_single_precision_through_double_precision():
    got = rt.grad(lambda x: np.sum(x * np.arange(2.0)))(np.array([1, 2], np.float32))
    assert (got.dtype, got.tolist()) == (np.float32, [0.0, 1.0])


def test_complex_intermediate_values():
    def fn(x):
        z = np.exp(1j * x)
        return (z * np.conj(z) * z).real

    got = rt.grad(fn)(np.float64(0.7))
    assert abs(got + np.sin(0.7)) < 1e-15


def test_the_gradient_of_a_complex_argument_is_the_steepest_ascent():
    z = np.array([1.0 + 2.0j, -0.5j])
    got = rt.grad(lambda z: np.sum(np.abs(z) ** 2))(z)
    assert got.dtype == complex
    np.testing.assert_allclose(got, 2 * z, rtol=1e-14)


def test_arguments_that_are_one_array_have_separate_gradients():
    by_x, by_y = rt.grad(lambda x, y: np.sum(x * x * y), (0, 1))(X, X)
    np.testing.assert_array_equal(by_x, 2 * X * X)
    np.testing.assert_array_equal(by_y, X * X)


def test_an_argument_that_is_also_read_as_a_global_is_a_constant_there():
    got = rt.grad(lambda x: np.sum(x * X))(X)
    np.testing.assert_array_equal(got, X)


def test_an_argument_that_is_not_used_has_a_gradient_of_zeros():
    by_x, by_y = rt.grad(lambda x, y: np.sum(x), (0, 1))(X, X)
    np.testing.assert_array_equal(by_x, np.ones(3))
    np.testing.assert_array_equal(by_y, np.zeros(3))


def test_a_constant_has_a_gradient_of_zeros():
    assert rt.grad(lambda x: 4.0)(np.float64(2.0)) == 0.0


def test_an_argument_that_is_written_into():
    def fn(x, y):
        x[1] = y
        x[2] *= x[0]
        return np.sum(x * x)

    given = X.copy()
    by_x, by_y = rt.grad(fn, (0, 1))(given, np.float64(3.0))
    np.testing.assert_allclose(by_x, [2 * 0.5 + 2 * 0.5 * 4.0, 0.0, 2 * 2.0 * 0.25], rtol=1e-15)
    assert by_y == 6.0
    np.testing.assert_array_equal(given, [0.5, 3.0, 1.0])


def test_views_are_views_to_gradients():
    def fn(x):
        y = x * 1.0
        part = y[1:]
        part *= 3.0
        y[::-1][0] += y[0]
        return np.sum(y * y)

    a, b, c = X
    wanted = [2 * a + 2 * (3 * c + a), 18 * b, 6 * (3 * c + a)]
    np.testing.assert_allclose(rt.grad(fn)(X), wanted, rtol=1e-14)


def test_arrays_without_elements_and_without_dimensions():
    empty = rt.grad(lambda x: np.sum(x * x) + 1.0)(np.zeros((0, 3)))
    assert empty.shape == (0, 3)
    box = rt.grad(lambda x: np.sum(x * x))(np.array(3.0))
    assert (box.shape, float(box)) == ((), 6.0)


def test_arrays_of_sizes_known_only_at_run_time():
    @rt.function(input_signature=[rt.TensorSpec((None, 3), np.float64)])
    def slopes(x):
        return rt.grad(lambda x: np.sum((x - x.mean(axis=0)) ** 2))(x)

    x = np.arange(12.0).reshape(4, 3) ** 2
    np.testing.assert_allclose(slopes(x), 2 * (x - x.mean(axis=0)), atol=1e-12)
    np.testing.assert_allclose(slopes(x[:2]), 2 * (x[:2] - x[:2].mean(axis=0)), atol=1e-12)


def test_linear_algebra():
    a = np.array([[3.0, 1.0], [0.5, 2.0]])
    b = np.array([1.0, -2.0])

    def fn(a, b):
        return np.sum(np.linalg.solve(a, b)) + np.log(np.linalg.det(a))

    by_a, by_b = rt.grad(fn, (0, 1))(a, b)
    inverse = np.linalg.inv(a)
    np.testing.assert_allclose(by_b, inverse.T @ np.ones(2), rtol=1e-13)
    wanted = -np.outer(inverse.T @ np.ones(2), inverse @ b) + inverse.T
    np.testing.assert_allclose(by_a, wanted, rtol=1e-13)


# -- no nan from the branch that is not taken ------------------------------------------------------

AT_ZERO = {
    "sqrt": lambda x: np.where(x < 1, x, np.sqrt(x)),
    "log": lambda x: np.where(x < 1, x, np.log(x)),
    "division": lambda x: np.where(x < 1, x, 1 / x),
    "power": lambda x: np.where(x < 1, x, x**0.5 + x**-1.5 + x**x),
    "arctan2": lambda x: np.where(x < 1, x, np.arctan2(x, x)),
    "hypot": lambda x: np.where(x < 1, x, np.hypot(x, x)),
    "norm": lambda x: np.where(x < 1, x, np.sqrt(x * x + x * x)),
    "arccos": lambda x: np.where(x < 1, x, np.arccos(x + 1)),
    "maximum": lambda x: np.where(x < 1, x, np.maximum(np.log(x), 1 / x)),
}


@pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")
@pytest.mark.parametrize("fn", AT_ZERO.values(), ids=AT_ZERO)
def test_the_branch_of_a_where_that_is_not_taken_contributes_no_nan(fn):
    zero, zeros = np.float64(0.0), np.zeros(2)
    with np.errstate(all="ignore"):  # NumPy warns about the value itself
        assert rt.grad(fn)(zero) == 1.0
        assert rt.grad(rt.grad(fn))(zero) == 0.0
        np.testing.assert_array_equal(rt.grad(lambda x: np.sum(fn(x)))(zeros), [1.0, 1.0])
        np.testing.assert_array_equal(rt.hessian(lambda x: np.sum(fn(x)))(zeros), np.zeros((2, 2)))


def test_the_branch_of_an_if_that_is_not_taken_contributes_no_nan():
    def fn(x):
        if x < 1:
            return x * 2
        return np.sqrt(x) + np.log(x)

    assert rt.grad(fn)(np.float64(0.0)) == 2.0
    assert rt.grad(rt.grad(fn))(np.float64(0.0)) == 0.0


def test_an_infinite_derivative_on_the_branch_taken_stays_infinite():
    assert rt.grad(lambda x: np.where(x < 1, np.sqrt(x), x))(np.float64(0.0)) == np.inf


# -- refusals --------------------------------------------------------------------------------------


def test_integers_have_no_gradient():
    with pytest.raises(TypeError, match="argument 0 is i64.*no derivatives(?s:.*)astype"):
        rt.grad(lambda n: n * 2.0)(np.int64(3))


def test_only_a_scalar_result_has_a_gradient():
    with pytest.raises(TypeError, match=r"which returns f64\[3\](?s:.*)jacobian"):
        rt.grad(lambda x: x * 2)(X)


def test_only_a_real_result_has_a_gradient():
    with pytest.raises(TypeError, match="which returns c128"):
        rt.grad(lambda x: x * 2j)(np.float64(1.0))


def test_argnums_of_a_missing_argument_is_refused():
    with pytest.raises(TypeError, match="argnums=2, but there is only 1 positional argument"):
        rt.grad(cube, 2)(np.float64(1.0))


def test_argnums_must_be_positions_or_names():
    with pytest.raises(TypeError, match="argnums are positions or names of arguments, not 0.5"):
        rt.grad(lambda x: x, argnums=0.5)
    with pytest.raises(TypeError, match="argnums are positions or names of arguments"):
        rt.grad(lambda x: x, argnums=(0, None))


def test_objects_that_are_not_callable_are_refused():
    with pytest.raises(TypeError, match="rt.grad is applied to a value: float"):
        rt.grad(3.0)


def test_recursion_under_a_staged_condition_is_explained():
    def total(x, n):
        if n <= 0:
            return x
        return total(x * x, n - 1) + x

    with pytest.raises(rt.StagingError, match="(?s)cannot be differentiated.*calls itself.*loop"):
        rt.grad(total)(np.float64(1.5), np.int64(3))


def test_a_cotangent_of_the_wrong_type_is_refused():
    _, pullback = rt.vjp(lambda x: x * 2, X)
    with pytest.raises(ValueError, match=r"the result is f64\[3\], but its cotangent is f64\[2\]"):
        pullback(np.ones(2))


@pytest.mark.parametrize(
    ("fn", "told"),
    [
        (lambda x: (x.sum(), x), "returns a tuple"),
        (lambda x: None, "returns None"),
        (rt.custom_gradient(lambda x: x.sum()), "does not return a pair"),
    ],
)
def test_the_error_about_a_result_that_is_not_a_scalar_names_its_type(fn, told):
    with pytest.raises(rt.StagingError, match=told):
        rt.grad(fn)(np.ones(2))


def test_the_error_about_an_argument_that_cannot_be_differentiated_names_its_type():
    class Line:
        def __init__(self, slope):
            self.slope = slope

    with pytest.raises(rt.StagingError, match="contains Line"):
        rt.grad(lambda line, x: np.sum(line.slope * x))(Line(np.ones(2)), np.ones(2))


def test_the_error_about_a_tape_used_twice_names_the_line_of_the_second_use():
    with rt.GradientTape() as tape:
        x = tape.watch(np.ones(2))
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(rt.StagingError, match="again = tape.gradient"):
        again = tape.gradient(y, x)  # noqa: F841


@pytest.mark.parametrize("power", [lambda x, n: x**n, np.power])
@pytest.mark.parametrize("exponent", [0, 1, 2, 3, -1, 0.5, 2.5, True])
def test_the_slope_of_a_power_by_a_number_keeps_the_dtype(power, exponent):
    def total(x):
        return np.sum(power(x, exponent))

    for dtype in (np.float32, np.float64):
        x = np.array([0.5, 1.5, 3.0], dtype)
        run = rt.function(rt.grad(total))
        found, n = run(x), float(exponent)
        assert found.dtype == dtype
        assert "where" not in run.source(x) and "cast" not in run.source(x)
        limit = 1e-6 if dtype == np.float32 else 1e-14
        np.testing.assert_allclose(found, n * x.astype(float) ** (n - 1), rtol=limit)
