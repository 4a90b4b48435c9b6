"""`try` around code that runs as a graph: exact or refused; a handler is never skipped."""

import contextlib
import math
import time

import numpy as np
import pytest
from support.outcomes import check_same, outcome, quiet, same_exactly

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


def divided(x, i):
    try:
        return x[0] + 1 / (int(i) - 1)
    except ZeroDivisionError:
        return x[1]


def whether_it_is_regular(x, i):
    try:
        np.linalg.inv(x.reshape(2, 2))
    except np.linalg.LinAlgError as error:
        return str(error)
    return "regular"


def in_each_iteration(x, i):
    total = 0.0
    for k in range(i + 3):
        try:
            total = total + x[k]
        except IndexError:
            total = total - 1.0
            break
    return total


def cleaned_up(x, i):
    try:
        y = x[i]
    finally:
        x = x + 1
    return y, x


def until_the_end(x, i):
    total = 0.0
    while True:
        try:
            total = total + x[i]
        except IndexError:
            return total
        i = i + 1


class Counted:
    """A counter that handlers change, too."""

    def __init__(self):
        self.calls = self.errors = 0

    def element(self, x, i):
        self.calls += 1
        try:
            return x[i] * self.calls
        except IndexError:
            self.errors += 1
            return x[0] * self.errors


LEFT_TO_PYTHON = [
    raised,
    *(index_error, any_error, no_number, root, in_a_called_function, divided),
    *(whether_it_is_regular, in_each_iteration, cleaned_up, until_the_end),
]
GIVEN = [
    (np.arange(4.0), np.int64(1)),
    (np.arange(4.0), np.int64(9)),
    (np.array([-1.0, 2.0, -2.0, 4.0]), np.int64(2)),
    (np.array([np.nan, 2.0, np.inf, 4.0]), np.int64(-1)),
    (np.arange(4.0), np.int64(1)),
]


@pytest.mark.parametrize("function", LEFT_TO_PYTHON)
@pytest.mark.parametrize("first", range(3))
def test_a_run_whose_exception_a_handler_catches_is_left_to_python(function, first):
    staged = rt.function(function)
    with quiet():
        for given in GIVEN[first:]:
            check_same(outcome(staged, given), outcome(function, given), same_exactly)
    assert len(staged.graphs) == 1


def test_a_handler_counts_as_python_does():
    plain, other = Counted(), Counted()
    staged = rt.function(other.element)
    for given in GIVEN * 2:
        check_same(outcome(staged, given), outcome(plain.element, given), same_exactly)
    assert vars(other) == vars(plain)


def test_a_gradient_is_left_to_python_too():
    def total(x):
        try:
            return np.sum(np.linalg.inv(x))
        except np.linalg.LinAlgError:
            return np.sum(x**2)

    slope = rt.function(rt.grad(total))
    regular, singular = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([[1.0, 2.0], [2.0, 4.0]])
    inverse = np.linalg.inv(regular)
    np.testing.assert_allclose(slope(regular), -inverse.T @ np.ones((2, 2)) @ inverse.T)
    with contextlib.suppress(rt.StagingError):
        np.testing.assert_allclose(slope(singular), 2 * singular)


def down_to_the_end(x, i):
    try:
        return x[i] + down_to_the_end(x, i + 1)
    except IndexError:
        return 0.0


def test_a_recursion_that_only_an_exception_ends_is_refused():
    with pytest.raises(rt.StagingError, match="IndexError, which only a run can raise"):
        rt.function(down_to_the_end)(np.arange(4.0), np.int64(1))


def printed(x, i):
    print("element")
    try:
        return x[i]
    except IndexError:
        return 0.0


def drawn(x, i):
    start = time.perf_counter()
    try:
        return x[i] + start
    except IndexError:
        return 0.0


@pytest.mark.parametrize("function", [cleaning_up, printed, drawn])
def test_an_exception_that_a_handler_would_catch_is_refused_after_an_effect(function):
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
