"""`np.diag_indices_from`, `triu_indices_from` and `tril_indices_from`, also of unknown sizes."""

import numpy as np
import pytest
from support.outcomes import check_same, outcome, same_exactly

import runtime as rt


def diagonal(x):
    return np.diag_indices_from(x)


def diagonal_written(x):
    x[np.diag_indices_from(x)] += 0.5
    return x


def upper(x):
    return np.triu_indices_from(x), np.triu_indices_from(x, 1)


def lower(x):
    return np.tril_indices_from(x, k=-1), x[np.tril_indices_from(x)]


ARRAYS = [np.ones((3, 3)), np.ones((2, 4)), np.ones((2, 2, 2)), np.ones(3), np.ones((0, 0))]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.shape))
@pytest.mark.parametrize("function", [diagonal, diagonal_written, upper, lower])
def test_the_indices_are_numpys(function, array):
    any_size = (rt.TensorSpec((None,) * array.ndim, np.float64),)
    some_size = (rt.TensorSpec((*array.shape[:1], *[None] * (array.ndim - 1)), np.float64),)
    wanted = outcome(function, (array,))
    for signature in (None, any_size, some_size):
        got = outcome(rt.function(function, input_signature=signature), (array,))
        check_same(got, wanted, same_exactly)
