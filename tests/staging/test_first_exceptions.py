"""The first exception of a program is raised, also if nothing needs the value of the operation.

An operation that fails may come before one that the recording knows to fail, or before one in the
same line; the passes may read its result from elsewhere.
"""

import numpy as np
import pytest
from support.outcomes import outcome

import runtime as rt


def then_a_known_failure(x, n):
    u = x[n, 0]
    return u, np.zeros(2) + np.zeros(3)


def then_a_failing_conversion(x, n):
    u = np.linalg.inv(x)
    return u, int("a")


def then_a_failing_shape(x, n):
    total = np.zeros(1)
    for _ in range(3):
        k = x[n, 0]
        total += np.zeros(2)
    return total, k


def in_the_same_line(x, n):
    x[0, 0], x[-1, 0] = x[n, 0], x[-3, 0]
    return x


def division_in_the_same_line(x, n):
    x[0, 0], x[-1, 0] = 1 // int(x[0, 0]), x[n, 0]
    return x


def branches_that_return_one_array(x, n):
    if x[n, 0] == 7:
        return x, 0
    return x, 0


def branches_of_a_copy(x, n):
    x = x.copy()
    old = np.linalg.inv(x)[0, 0]
    if old == 7:
        return x
    return x


def nested_branches(x, n):
    old = x[n, 0]
    if old > 1:
        if old > 2:
            return x
        return x
    return x


def branch_that_binds_another_name(x, n):
    if x[n, 0] > 1:
        y = x
    else:
        z = x
        y = x
    return y


def variable_that_a_loop_keeps(x, n):
    kept, i = x, 0
    while i < n:
        if x[n + i, 0] > 1:
            kept = kept
        i += 1
    return kept


def size_after_a_write(x, n):
    y = x.copy()
    y[n, 0] = 5.0
    return len(y)


def size_after_a_loop_of_writes(x, n):
    y = x.copy()
    for i in range(n + 1):
        y[i, 0] = 5.0
    return y.shape[0]


PROGRAMS = [
    then_a_known_failure, then_a_failing_conversion, then_a_failing_shape, in_the_same_line,
    division_in_the_same_line, branches_that_return_one_array, branches_of_a_copy, nested_branches,
    branch_that_binds_another_name, variable_that_a_loop_keeps, size_after_a_write,
    size_after_a_loop_of_writes,
]  # fmt: skip
SIGNATURES = [
    None,
    (rt.TensorSpec((None, None), np.float64), rt.TensorSpec((), np.int64)),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("signature", SIGNATURES, ids=["sizes", "no sizes"])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_the_first_exception_is_pythons(function, signature, engine):
    given = np.zeros((1, 1)), np.int64(1)
    wanted = outcome(function, given)
    assert wanted.error is not None
    compiled = rt.function(function, engine=engine, input_signature=signature)
    for _ in range(2):
        got = outcome(compiled, given)
        assert (type(got.error), str(got.error)) == (type(wanted.error), str(wanted.error))
        assert np.array_equal(got.arguments[0], wanted.arguments[0])
