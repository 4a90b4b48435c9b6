"""Operations that fail for the widest type of an operand, and warnings of runs that are repeated."""

import warnings

import numpy as np
import pytest
from warning_records import recorded_warnings

import runtime as rt

ENGINES = ["native", "numpy"]


# -- an operation that fails for the widest type of an operand ---------------------------------------


def scaled(a, x, n):
    y = n
    if n > 5:
        y = x
    a *= y
    return a


def scaled_out(a, x, n):
    y = n
    if n > 5:
        y = x
    np.multiply(a, y, out=a)
    return a


def halved(a, x, n):
    y = x
    if n > 5:
        y = x * 2
    a *= y
    return a


@pytest.mark.parametrize("function", [scaled, scaled_out])
@pytest.mark.parametrize("n", [3, 7])
def test_an_exception_of_the_widest_type_is_not_that_of_each_run(function, n):
    given = np.array([100, 3], np.int8), np.float32(1.5), np.int64(n)
    with pytest.raises(rt.StagingError, match=r"of type i64 \| f32, .* UFuncTypeError"):
        rt.function(function)(*given)


def test_an_exception_of_every_type_is_that_of_the_run():
    given = np.array([100, 3], np.int8), np.float32(1.5), np.int64(3)
    with pytest.raises(TypeError) as expected:
        halved(*given)
    with pytest.raises(TypeError) as found:
        rt.function(halved)(*given)
    assert type(found.value) is type(expected.value) and str(found.value) == str(expected.value)


# -- warnings --------------------------------------------------------------------------------------


def real(a, n):
    return (a * 1j).astype(np.float32)


def raised(a, n):
    a = a / 0
    if n > 2:
        raise ValueError(f"{a}")
    return a


def raised_in_turns(a, n):
    for i in range(n):
        a = a / 0
        if i > 1:
            raise ValueError(f"{a}")
    return a


def handled(a, n):
    a = a / 0
    try:
        if n > 2:
            raise ValueError(f"{a}")
        b = a
    except ValueError as error:
        b = a - a
        print(str(error))
    return b


def warnings_of(function, action):
    with recorded_warnings() as caught:
        warnings.simplefilter(action)
        try:
            function(np.array([1.5, 0.0]), np.int64(3))
        except (ValueError, Warning) as error:
            caught.append(repr(error))
    return [one if isinstance(one, str) else (str(one.message), one.lineno) for one in caught]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("action", ["always", "error"])
@pytest.mark.parametrize("function", [real, raised, raised_in_turns, handled])
def test_each_warning_is_shown_as_often_as_in_python(function, action, engine):
    staged = rt.function(function, engine=engine)
    expected = warnings_of(function, action)
    assert expected
    for _ in range(3):
        assert warnings_of(staged, action) == expected
