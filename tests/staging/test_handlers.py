"""`try` around code that runs as a graph: exact or refused; a handler is never skipped."""

import contextlib
import math

import numpy as np
import pytest

import runtime as rt


def index_error(x, i):
    try:
        return x[i]
    except IndexError:
        return -1.0


def any_error(x, i):
    try:
        return np.linalg.inv(x.reshape(2, 2))
    except Exception:
        return x


def no_number(x, i):
    try:
        return int(x[0])
    except (ValueError, OverflowError):
        return 0


def root(x, i):
    try:
        return math.sqrt(x[0])
    except ValueError:
        return 0.0


def in_a_called_function(x, i):
    def element():
        return x[i]

    try:
        return element()
    except LookupError:
        return 0.0


def cleaning_up(x, i):
    try:
        y = x[i]
    finally:
        print("done")
    return y


def raised(x, i):
    try:
        if i > 0:
            raise ValueError
    except ValueError:
        return x
    return -x


@pytest.mark.parametrize(
    "function", [index_error, any_error, no_number, root, in_a_called_function, cleaning_up, raised]
)
def test_an_exception_of_a_run_that_a_handler_would_catch_is_refused(function):
    with pytest.raises(rt.StagingError, match="which only a run can raise, is inside a `try`"):
        rt.function(function)(np.arange(4.0), np.int64(1))


def other_error(x, i):
    try:
        return x[i]
    except ZeroDivisionError:
        return -1.0


def nothing_raises(x, i):
    try:
        y = x * 2 + i
    except ValueError:
        y = x
    else:
        y = y + 1
    finally:
        z = y.sum()
    return z


def known_index(x, i):
    try:
        return x[3] + x[-4] + x[1:9].sum() + i
    except IndexError:
        return x[0] + i


def raised_while_recording(x, i):
    try:
        table = {"a": x}
        return table["b"]
    except KeyError as error:
        return x + len(error.args)


def in_a_with(x, i):
    with contextlib.nullcontext():
        return x[i]


@pytest.mark.parametrize(
    "function", [other_error, nothing_raises, known_index, raised_while_recording, in_a_with]
)
def test_a_try_around_unstaged_code_behaves_as_in_python(function):
    x, i = np.arange(4.0), np.int64(1)
    assert np.array_equal(rt.function(function)(x, i), function(x, i))


def test_an_exception_of_a_run_that_no_handler_would_catch_is_raised():
    with pytest.raises(IndexError, match="index 9 is out of bounds"):
        rt.function(other_error)(np.arange(4.0), np.int64(9))
