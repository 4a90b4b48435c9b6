"""`a is b` of staged values, and attributes of functions that staged blocks change."""

import numpy as np
import pytest

import runtime as rt

NOTHING = None
FIVE = 5
MISSING = object()


def small_ints(n):
    i = int(n)
    return i is FIVE, i is not FIVE, FIVE is i


def elements(n):
    for i in range(n):
        if i is FIVE:
            return i
    return -1


def chosen(n):
    x = 5 if n > 2 else 7
    return x is FIVE


def a_name_for_none(n):
    best = None
    if n > 2:
        best = n
    return best is NOTHING, best is not NOTHING, best is MISSING


def a_name_for_true(n):
    yes, flag = True, bool(n > 2)
    return flag is yes, flag is not yes, n is MISSING


def numpy_scalars(n):
    return n is FIVE, n is n


def arrays(n):
    x = np.zeros(3) + n
    y = x
    return x is y, x is not y, (x + 1) is x, x[1:] is x


@pytest.mark.parametrize(
    "function",
    [small_ints, elements, chosen, a_name_for_none, a_name_for_true, numpy_scalars, arrays],
)
def test_identity_is_that_of_python(function):
    for n in (0, 3, 5, 8):
        assert rt.function(function)(np.int64(n)) == function(np.int64(n))


def texts(n):
    s = "a"
    if n > 2:
        s = "b"
    return s is function_name


function_name = "b"


def two_staged_ints(n):
    a, b = int(n), int(n) + 0
    return a is b


def large_ints(n):
    return int(n) is LARGE


LARGE = 10**6


@pytest.mark.parametrize("function", [texts, two_staged_ints, large_ints])
def test_identity_that_depends_on_the_run_is_refused(function):
    with pytest.raises(rt.StagingError, match="is compared by `is`"):
        rt.function(function)(np.int64(3))


def helper():
    return helper.calls


def of_a_global_function(n):
    helper.calls = 0
    if n > 1:
        helper.calls += 1
    return helper()


def of_a_nested_function(n):
    def inner():
        inner.n += 2

    inner.n = 0
    for _ in range(n):
        inner()
    return inner.n


def of_a_recursive_function(n):
    def inner(k):
        inner.n += k
        if k > 0:
            inner(k - 1)

    inner.n = 0
    inner(n)
    return inner.n


@pytest.mark.parametrize(
    "function", [of_a_global_function, of_a_nested_function, of_a_recursive_function]
)
def test_attributes_of_functions_are_followed(function):
    for n in (0, 1, 4):
        assert rt.function(function)(np.int64(n)) == function(n)


def test_an_attribute_that_exists_on_one_path_is_refused():
    def marked(n):
        if n > 1:
            marked.new = 3
        return hasattr(marked, "new")

    with pytest.raises(rt.StagingError, match="marked.new exists after one path"):
        rt.function(marked)(np.int64(3))
