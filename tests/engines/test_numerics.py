"""`check_numerics`: the first operation that computes nan or inf from finite numbers raises."""

import traceback

import numpy as np
import pytest
from warning_records import recorded_warnings

import runtime as rt


@pytest.fixture(autouse=True)
def without_numpys_warnings():
    with np.errstate(all="ignore"):
        yield


def checked(fn, *arguments):
    with rt.config.temporarily(check_numerics=True):
        return rt.function(fn)(*arguments)


def refused(fn, *arguments):
    with pytest.raises(FloatingPointError) as caught:
        checked(fn, *arguments)
    return caught.value


def test_the_error_names_the_operation_the_line_the_reason_and_a_remedy():
    def ratio(a, b):
        total = a + b
        return total / (b - 1.0)

    error = refused(ratio, np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 3.0]))
    what, where, line, caret, why, remedy = str(error).splitlines()
    assert what == "divide makes inf of finite numbers"
    assert where.startswith(f"  {__file__}, line ") and where.endswith(", in ratio")
    assert line == "      return total / (b - 1.0)"
    assert caret == "             ^^^^^^^^^^^^^^^^^"
    assert why == (
        "The result is f64[3], inf at [1] (1 of 3 elements).  It was computed from "
        "total: f64[3], from 1.0 to 6.0; v: f64[3], from -1.0 to 2.0."
    )
    assert remedy.startswith("Keep such numbers away from it with an `if` or `np.where`")
    assert traceback.extract_tb(error.__traceback__)[-1].line == "return total / (b - 1.0)"
    assert not hasattr(error, "__notes__")


@pytest.mark.parametrize(
    ("fn", "arguments", "what"),
    [
        (lambda x: np.log(x), [np.float64(0.0)], "log makes -inf"),
        (lambda x: np.sqrt(x), [np.array([1.0, -1.0])], "sqrt makes nan"),
        (lambda x: np.exp(x), [np.float64(1000.0)], "exp makes inf"),
        (lambda x: x / x, [np.zeros((2, 2))], "divide makes nan"),
        (lambda x: x * x, [np.float32(1e30)], "multiply makes inf"),
        (lambda x: x.astype(np.float32), [np.array([1.0, 1e300])], "cast makes inf"),
        (lambda x: x @ x, [np.full((2, 2), 1e200)], "matmul makes inf"),
        (lambda x: x.sum(), [np.array([1e308, 1e308])], "sum makes inf"),
        (lambda x: np.linalg.inv(x) / 0, [np.eye(2)], "divide makes "),
        (lambda x: x * 1e300 * 1j * x, [np.float64(1e300)], "multiply makes "),
        (lambda x, i: x / i, [np.ones(2), np.array([1, 0])], "divide makes inf"),
        (lambda x: float(x) * 1e300, [np.float64(1e300)], "multiply makes inf"),
        (lambda x: np.modf(x * 1e300)[0], [np.float64(1e300)], "multiply makes inf"),
    ],
)
def test_every_operation_that_computes_floats_is_checked(fn, arguments, what):
    assert str(refused(fn, *arguments)).startswith(what)


def test_a_store_that_overflows_the_dtype_of_its_array_is_found():
    def store(x, y):
        x = x + 1
        x[1:] = y
        return x

    error = refused(store, np.ones(3, np.float32), np.array([1.0, 1e300]))
    assert str(error).startswith("setitem makes inf of finite numbers")
    assert "y: f64[2], from 1.0 to 1e+300." in str(error)


def test_a_loop_fails_in_the_iteration_at_fault_after_earlier_effects(capsys):
    def grow(x, i):
        while i < 10:
            print(i)
            x = x * x
            i = i + 1
        return x

    error = refused(grow, np.float64(1e50), np.int64(0))
    assert "multiply makes inf" in str(error)
    assert capsys.readouterr().out == "0\n1\n2\n"


def test_a_nan_element_does_not_hide_another_that_becomes_nan():
    x = np.array([np.nan, 1.0, 0.0])
    error = refused(lambda x: 1.0 / x, x)
    assert "inf at [2] (1 of 3 elements)" in str(error)


@pytest.mark.parametrize(
    ("fn", "arguments"),
    [
        (lambda x: x * 2 + x.sum(), [np.array([np.nan, 1.0])]),
        (lambda x: x - x, [np.array([np.inf, 1.0])]),
        (lambda x: x @ x, [np.array([[np.inf, 1.0], [0.0, 1.0]])]),
        (lambda x: np.where(x > 0, x, np.nan), [np.array([-1.0, 1.0])]),
        (lambda x: np.full(3, np.inf) + x, [np.float64(1.0)]),
        (lambda x: np.pad(x, 1, constant_values=np.nan), [np.ones(2)]),
        (lambda x: np.isnan(x) | (x / 2 > np.inf), [np.ones(2)]),
    ],
)
def test_operands_that_are_already_nan_or_inf_are_accepted(fn, arguments):
    assert np.array_equal(checked(fn, *arguments), fn(*arguments), equal_nan=True)


def test_nan_may_be_stored_explicitly():
    def store(x):
        x = x + 1
        x[0] = np.nan
        return x

    assert np.isnan(checked(store, np.ones(3))).tolist() == [True, False, False]


def test_results_and_their_types_are_those_of_the_plain_program():
    def mixed(x, n):
        total, i, found = 0.0, 0, []
        y = x + 1.5
        while i < n:
            if i % 2 == 0:
                y = y * 0.5
                y[0] = i
            total = total + y.sum()
            found.append(total)
            i = i + 1
        return y, total, found[0], i

    arguments = np.arange(4.0), np.int64(5)
    plain, with_checks = rt.function(mixed)(*arguments), checked(mixed, *arguments)
    assert np.array_equal(plain[0], with_checks[0]) and plain[1:] == with_checks[1:]
    assert list(map(type, plain)) == list(map(type, with_checks))


def test_without_the_setting_the_program_is_unchanged():
    fn = rt.function(lambda x: 1.0 / x)
    x = np.zeros(2)
    source = fn.get_concrete_function(x).source
    with rt.config.temporarily(check_numerics=True), pytest.raises(FloatingPointError):
        fn(x)
    assert np.isinf(fn(x)).all()
    assert fn.get_concrete_function(x).source == source and "check" not in source


def test_a_session_is_checked_too():
    with rt.Graph().as_default():
        x = rt.placeholder(np.float64, name="x")
        y = np.log(x)
    with rt.config.temporarily(check_numerics=True):
        assert rt.Session().run(y, {x: 1.0}) == 0.0
        with pytest.raises(FloatingPointError, match="log makes -inf of finite numbers"):
            rt.Session().run(y, {x: 0.0})


def test_numpy_warnings_are_unchanged():
    with np.errstate(all="warn"), recorded_warnings() as found:
        refused(lambda x: 1.0 / x, np.float64(0.0))
    assert [str(warning.message) for warning in found] == [
        "divide by zero encountered in scalar divide"
    ]
