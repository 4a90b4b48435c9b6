"""dtypes follow NumPy's rules (NEP 50): weak Python scalars, overflows, casts in place."""

import operator
import warnings

import numpy as np
import pytest
from outcomes import result_and_warnings, same_exactly
from warning_records import recorded_warnings

import runtime as rt

ARRAYS = [
    np.array([3, -100, 7], np.int8),
    np.array([3, 200, 7], np.uint8),
    np.array([2, -5, 0]),
    np.array([0.5, -1.5, 2.25], np.float32),
    np.array([0.5, np.nan, -2.0]),
    np.array([True, False, True]),
    np.array([1 + 2j, -1j, 0], np.complex64),
    np.int8(100),
    np.uint8(250),
    np.float32(1.5),
    np.array(7, np.int16),
]
NUMBERS = [2, -1, 300, 2**70, 0, 0.5, 1e300, True, 1j, np.int8(5), np.float64(0.5), np.uint8(7)]
OPERATORS = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.and_, operator.lshift, operator.eq, operator.lt,
]  # fmt: skip
IN_PLACE = [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv]


def both(function, array, *others):
    """The outcomes of a function in a graph and without one: results, warnings, array contents."""
    found = []
    for fn in (rt.function(function), function):
        given = array.copy() if isinstance(array, np.ndarray) else array
        result, caught = result_and_warnings(
            lambda **kw: fn(*kw.values()), {"x": given, **_named(others)}
        )
        found.append((result, caught, given))
    return found


def _named(others):
    return {f"y{i}": other for i, other in enumerate(others)}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("operate", OPERATORS, ids=lambda operate: operate.__name__)
def test_an_operator_has_the_dtype_value_and_warnings_of_numpy(operate):
    for array in ARRAYS:
        for number in NUMBERS:
            for function in (lambda x, y: operate(x, y), lambda x, y: operate(y, x)):
                mine, theirs = both(function, array, number)
                assert same_exactly(mine[0], theirs[0]), (array, number, mine[0], theirs[0])
                assert mine[1] == theirs[1], (array, number)


@pytest.mark.parametrize("operate", IN_PLACE, ids=lambda operate: operate.__name__)
def test_an_operation_in_place_keeps_the_dtype_or_raises_as_numpy_does(operate):
    def change(x, y):
        return operate(x, y)

    for array in ARRAYS:
        for number in NUMBERS:
            mine, theirs = both(change, array, number)
            assert same_exactly(mine[0], theirs[0]), (array, number, mine[0], theirs[0])
            assert mine[1] == theirs[1], (array, number)
            assert same_exactly(mine[2], theirs[2])


def test_a_python_int_out_of_range_raises_overflow_error():
    with pytest.raises(OverflowError, match="Python integer 300 out of bounds for int8"):
        rt.function(lambda x: x + 300)(np.int8(1))


def test_a_cast_that_is_not_allowed_raises_the_error_class_of_numpy():
    def add(x):
        x += 0.5
        return x

    with pytest.raises(np._core._exceptions._UFuncOutputCastingError) as caught:
        rt.function(add)(np.array([1, 2]))
    with pytest.raises(np._core._exceptions._UFuncOutputCastingError) as expected:
        add(np.array([1, 2]))
    assert str(caught.value) == str(expected.value)


def test_errstate_suppresses_warnings_until_its_block_ends():
    @rt.function
    def f(x, fails):
        with np.errstate(divide="ignore"):
            y = 1 / x
            if fails:
                raise KeyError("left early")
        return y, 2 / x

    before = np.geterr()
    with recorded_warnings() as caught:
        f(np.zeros(2), False)
    assert len(caught) == 1
    with pytest.raises(KeyError):
        f(np.zeros(2), True)
    assert np.geterr() == before


def test_equal_arguments_of_different_types_are_distinguished():
    def f(i):
        return np.append(i, 1), np.append(i, 1.0), np.append(i, True)

    i = np.array([1, 2])
    assert same_exactly(rt.function(f)(i), f(i))


def test_a_cast_while_recording_looks_at_no_memory_that_is_not_set(monkeypatch):
    """The check of the casting rule once cast an uninitialised scalar, which may hold a nan."""
    monkeypatch.setattr(np, "empty", lambda shape, dtype=float, **_: np.full(shape, np.nan, dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rt.function(lambda x: x.astype(int))(np.float64(-1.0)) == -1
