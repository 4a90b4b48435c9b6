"""`rt.jvp`: values and tangents, compared with central differences, gradients and closed forms."""

import numpy as np
import pytest

import runtime as rt

POINT = np.array([0.4, -0.7, 1.3])
MATRIX = np.array([[3.1, 0.4, -0.2], [0.5, 2.7, 0.6], [-0.3, 0.8, 3.9]])
NUMBERS = np.array([0.5, -1.2, 2.0, 3.0])

CALLS = [
    lambda x: np.linalg.inv(x),
    lambda x: np.linalg.det(x),
    lambda x: np.linalg.solve(x, x[0]),
    lambda x: np.linalg.norm(x),
    lambda x: np.linalg.cholesky(x @ x.T),
    lambda x: np.linalg.eigvalsh(x + x.T),
    lambda x: np.linalg.svd(x)[1],
    lambda x: np.linalg.qr(x)[1],
    lambda x: np.sort(x, axis=None),
    lambda x: np.max(x),
    lambda x: np.prod(x),
    lambda x: np.var(x),
    lambda x: np.std(x, axis=0),
    lambda x: np.mean(x, axis=1),
    lambda x: np.median(x),
    lambda x: np.percentile(x, 40),
    lambda x: np.cumprod(x),
    lambda x: np.trace(x),
    lambda x: np.sum(x, keepdims=True),
    lambda x: x @ x,
    lambda x: x.T @ x[0],
    lambda x: np.outer(x[0], x[1]),
    lambda x: np.einsum("ij,jk->ik", x, x),
    lambda x: np.convolve(x[0], x[1]),
    lambda x: np.abs(np.fft.fft(x[0])),
    lambda x: np.arctan2(x, x.T + 9),
    lambda x: np.clip(x, -1, 2),
    lambda x: np.where(x > 0, x**2, np.exp(x)),
    lambda x: np.maximum(x, 0),
    lambda x: np.concatenate([x, x * 2]).reshape(-1)[1:],
    lambda x: np.tile(x, 2),
    lambda x: x[[0, 0, 1]],
    lambda x: np.diff(x),
    lambda x: x[0] + x * x[:, :1],
    lambda x: x**3,
    lambda x: 2.0**x,
]


def difference(fn, x, t, step=1e-6):
    return (np.asarray(fn(x + step * t)) - np.asarray(fn(x - step * t))) / (2 * step)


def check(fn, x, t):
    value, tangent = rt.jvp(fn, (x,), (t,))
    np.testing.assert_allclose(value, fn(x), rtol=1e-12)
    wanted = difference(fn, x, t)
    assert np.shape(tangent) == np.shape(wanted)
    np.testing.assert_allclose(tangent, wanted, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("call", CALLS)
def test_the_tangent_of_a_function_is_its_derivative_along_a_direction(call):
    check(call, MATRIX, np.random.default_rng(0).standard_normal((3, 3)))


# -- control flow ----------------------------------------------------------------------------------


def chosen(x):
    if x > 0:
        return np.log(x) * x
    return x * x


def one_side(x):
    y = np.float64(2.0)
    if x > 0:
        y = x * x
    return y * 3


def grown(x):
    y = x
    while y * y < 50:
        y = y * y + 1.0
    return y


def nested(x):
    s, i = x * 0, 0
    while s < 3:
        j = 0
        while j < 2 + i % 2 and s < 4:
            s = s + abs(x) * 0.5 + 0.1
            j += 1
        i += 1
    return s * s


def listed(x):
    z = []
    for i in range(3):
        z.append(x * x * i)
    z[1] = z[2] * x
    return np.stack(z).sum() + z[-1]


def written(x):
    w = np.zeros(3)
    for i in range(3):
        w[i] = x**i
    w[1:] *= x
    return w.sum()


def left(x):
    total = 0.0
    for element in [x, x * 2, x * 3]:
        if element > 2:
            return total * x
        total = total + element
    return total


PROGRAMS = [chosen, one_side, grown, nested, listed, written, left]


@pytest.mark.parametrize("x", [0.7, -0.6, 1.4])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_tangents_go_through_control_flow(fn, x):
    check(fn, np.float64(x), np.float64(0.5))
    check(rt.function(fn), np.float64(x), np.float64(-2.0))
    assert np.isclose(rt.jvp(fn, (x,), (1.0,))[1], rt.grad(fn)(x))


def test_a_loop_stores_nothing_for_its_tangent():
    def tangent(x):
        return rt.jvp(grown, (x,), (np.float64(1),))[1]

    graph = str(rt.function(tangent).get_concrete_function(np.float64(0.5)).graph)
    assert "loop(" in graph and "list" not in graph


def test_the_tangent_of_a_value_independent_of_the_argument_is_zero():
    def f(x, y):
        total = y
        for i in range(4):
            total = total * 1.5 + i
        return total, x * y, 3.0

    value, tangent = rt.jvp(f, (2.0, 3.0), (1.0, None))
    assert tangent == (0.0, 3.0, 0.0)
    assert value[1] == 6.0


def test_a_recurrence_of_a_hundred_iterations():
    def f(w):
        x = np.float64(0.5)
        for _ in range(np.int64(100)):
            x = np.tanh(w * x)
        return x

    w, x, t = 1.2, 0.5, 0.0
    for _ in range(100):
        x, t = np.tanh(w * x), (x + w * t) * (1 - np.tanh(w * x) ** 2)
    value, tangent = rt.jvp(f, (np.float64(w),), (np.float64(1),))
    assert np.isclose(value, x, rtol=1e-14) and np.isclose(tangent, t, rtol=1e-12)


# -- arguments and results -------------------------------------------------------------------------


def test_tangents_have_the_structure_of_arguments_and_results():
    def f(d, n):
        return {"sum": d["x"] + d["y"][0], "n": n, "kind": "sum"}

    given = {"x": POINT, "y": [np.float32(2)]}
    value, tangent = rt.jvp(f, (given, 3), ({"x": POINT * 2, "y": [None]}, None))
    np.testing.assert_array_equal(value["sum"], POINT + 2)
    np.testing.assert_array_equal(tangent["sum"], POINT * 2)
    assert (value["n"], value["kind"], tangent["n"], tangent["kind"]) == (3, "sum", None, None)


def test_tangents_have_the_dtype_of_their_values():
    value, tangent = rt.jvp(lambda x: x * 2, (POINT.astype(np.float32),), (POINT,))
    assert value.dtype == tangent.dtype == np.float32
    assert type(rt.jvp(lambda x: x * x, (3.0,), (2,))[1]) is float


def test_complex_tangents_are_derivatives_along_a_direction():
    z, t = np.array([1 + 2j, 0.5 - 1j]), np.array([1j, 2.0])
    np.testing.assert_allclose(rt.jvp(lambda z: z * z * 1j, (z,), (t,))[1], 2j * z * t)
    np.testing.assert_allclose(rt.jvp(np.abs, (z,), (t,))[1], np.real(np.conj(z) * t) / abs(z))


def test_one_array_passed_twice_has_separate_tangents():
    assert rt.jvp(lambda x, y: x * y, (POINT, POINT), (POINT * 0 + 1, None))[1].tolist() == list(
        POINT
    )


def test_writes_into_an_argument_are_visible_to_the_caller():
    def f(x):
        x[0] = x[1] * x[2]
        return x.sum()

    array = POINT.copy()
    value, tangent = rt.jvp(f, (array,), (np.ones(3),))
    np.testing.assert_allclose(array, [POINT[1] * POINT[2], *POINT[1:]])
    assert np.isclose(tangent, POINT[1] + POINT[2] + 2)


@pytest.mark.parametrize(
    "primals, tangents, error",
    [
        ((1.0,), (1.0, 2.0), "a tangent for each argument: 1 arguments, 2 tangents"),
        ((1,), (1.0,), "an argument of jvp is int, but has a tangent"),
        ((NUMBERS,), (NUMBERS[:2],), r"is f64\[4\], but its tangent is f64\[2\]"),
        (([1.0],), (1.0,), r"is \[\*\], but its tangent is a value"),
    ],
)
def test_the_error_about_a_tangent_of_the_wrong_type_explains_it(primals, tangents, error):
    with pytest.raises((TypeError, ValueError), match=error):
        rt.jvp(lambda x: x, primals, tangents)


def test_the_error_about_a_missing_derivative_says_so():
    def f(n, x):
        if n < 1:
            return x
        return f(n - 1, x) * x

    with pytest.raises(rt.StagingError, match="cannot be differentiated"):
        rt.jvp(f, (np.int64(3), 2.0), (None, 1.0))


# -- composition -----------------------------------------------------------------------------------


def test_forward_and_reverse_mode_are_composed():
    second = rt.grad(rt.grad(grown))(0.5)
    assert np.isclose(rt.grad(lambda x: rt.jvp(grown, (x,), (1.0,))[1])(0.5), second)
    assert np.isclose(rt.jvp(rt.grad(grown), (0.5,), (1.0,))[1], second)
    assert np.isclose(rt.jvp(lambda x: rt.jvp(grown, (x,), (1.0,))[1], (0.5,), (1.0,))[1], second)


@pytest.mark.parametrize("fn", [chosen, grown, nested])
def test_batches_of_tangents_and_tangents_of_batches(fn):
    slopes = [rt.grad(fn)(x) for x in NUMBERS]
    each = rt.vmap(lambda x: rt.jvp(fn, (x,), (np.float64(1),))[1])
    np.testing.assert_allclose(each(NUMBERS), slopes)
    whole = rt.jvp(lambda xs: rt.vmap(fn)(xs), (NUMBERS,), (np.ones(4),))[1]
    np.testing.assert_allclose(whole, slopes)


def test_batches_and_tangents_may_be_nested():
    def f(w):
        return rt.vmap(lambda x: chosen(w * x))(NUMBERS).sum()

    each = rt.vmap(lambda w: rt.jvp(f, (w,), (np.float64(1),))[1])
    np.testing.assert_allclose(each(NUMBERS), [rt.grad(f)(w) for w in NUMBERS])


def test_user_defined_gradients_and_checkpoints_work_with_tangents():
    @rt.custom_gradient
    def seven(x):
        return x * x, lambda d: d * 7 * x

    assert rt.jvp(seven, (3.0,), (2.0,)) == (9.0, 42.0)
    assert rt.jvp(lambda x: x * rt.stop_gradient(x), (3.0,), (1.0,)) == (9.0, 3.0)
    wanted = rt.jvp(grown, (0.5,), (1.0,))
    assert rt.jvp(rt.checkpoint(grown), (0.5,), (1.0,)) == wanted


def test_functions_that_run_as_python_have_tangents():
    wanted = rt.jvp(grown, (0.5,), (1.0,))
    rt.config.run_functions_eagerly(True)
    try:
        assert rt.jvp(grown, (0.5,), (1.0,)) == wanted
    finally:
        rt.config.run_functions_eagerly(False)


def test_list_elements_carry_tangents():
    def f(x):
        z, i = [], 0
        while i < 4 + 0 * int(x):
            z.append(x * i - x * x)
            i += 1
        z.insert(1, x)
        return max(z) * sum(z) + sorted(z)[1] + z[1:][0]

    value, tangent = rt.jvp(f, (1.3,), (1.0,))
    assert value == f(1.3)
    assert np.isclose(tangent, (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6)


def test_a_batch_inside_of_a_batch_that_returns_its_elements_has_their_tangents():
    def pushed(row):
        doubled = row * 2
        value, tangent = rt.jvp(lambda x: rt.vmap(lambda y: y)(x), (doubled,), (row,))
        return doubled + value, tangent

    table = np.arange(6.0).reshape(2, 3)
    value, tangent = rt.vmap(pushed)(table)
    np.testing.assert_array_equal(value, 4 * table)
    np.testing.assert_array_equal(tangent, table)


# -- calls outside of graphs -----------------------------------------------------------------------


def test_calls_of_jvp_and_vjp_are_recorded_once():
    traces = []

    def square(x):
        traces.append(None)
        return x * x

    class Model:
        def __init__(self, scale):
            self.scale = np.array(scale)

        def loss(self, x):
            traces.append(None)
            return np.sum(x * x * self.scale)

    one, other = Model(1.0), Model(2.0)
    for call in (
        lambda x: rt.jvp(square, (x,), (1.0,)),
        lambda x: rt.vjp(square, x)[1](1.0),
        lambda x: rt.jvp(one.loss, (x,), (1.0,)),
        lambda x: rt.vjp(one.loss, x)[1](1.0),
    ):
        call(2.0)
        traces.clear()
        results = [call(x) for x in (2.0, 3.0)]
        assert not traces and results[0] != results[1]
    assert rt.jvp(other.loss, (3.0,), (1.0,)) == (18.0, 12.0)
    one.scale[()] = 5.0
    assert rt.jvp(one.loss, (3.0,), (1.0,)) == (45.0, 30.0)
    assert rt.vjp(one.loss, 3.0)[1](1.0) == (30.0,)


@pytest.mark.parametrize("name", ["max", "min", "prod", "cumprod", "sum", "square", "exp", "mean"])
@pytest.mark.parametrize("x", [1 + 2j, 1.3, np.complex128(1 + 2j), np.array(1 + 2j)])
def test_the_tangent_of_a_function_of_one_number(name, x):
    function = getattr(np, name)
    direction = (0.3 + 1j) * (1 if np.iscomplexobj(x) else 0.5)
    direction = direction if np.iscomplexobj(x) else direction.real
    _, tangent = rt.jvp(function, (x,), (direction,))
    expected = (function(x + 1e-6 * direction) - function(x - 1e-6 * direction)) / 2e-6
    np.testing.assert_allclose(tangent, expected, rtol=1e-6)


def test_generators_that_a_transformed_function_makes():
    def noisy(x):
        return x * np.random.RandomState(3).normal() + np.random.default_rng(1).normal()

    value, tangent = rt.jvp(noisy, (2.0,), (1.0,))
    assert value == noisy(2.0) and tangent == np.random.RandomState(3).normal()
    rows = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(rt.vmap(noisy)(rows), [noisy(row) for row in rows])
    assert rt.grad(noisy)(2.0) == tangent
