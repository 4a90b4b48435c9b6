"""Functions of SciPy in graphs, with known and with unknown sizes: the bits of plain Python."""

import warnings

import numpy as np
import pytest
from library_programs import copies, same_bits
from scipy_calls import scipy_calls

import runtime as rt
from runtime.ir.pytree import flatten

pytest.importorskip("scipy", reason="SciPy is not installed: pip install autograph-numpy[scipy]")

CALLS = scipy_calls()
EACH = 9  # of these, one is tried by default


def unknown(value):
    if not isinstance(value, np.ndarray):
        return rt.TensorSpec((), value.dtype)
    return rt.TensorSpec((None,) * value.ndim, value.dtype)


def check(function, arguments, signature=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(*copies(arguments))
        staged = rt.function(function, input_signature=signature)
        assert same_bits(staged(*copies(arguments)), expected)
        assert same_bits(staged(*copies(arguments)), expected)  # of the cached graph


def test_the_collection_has_the_size_that_is_promised():
    assert len(CALLS) >= 138


@pytest.mark.parametrize("number", range(0, len(CALLS), EACH), ids=lambda i: CALLS[i][0])
def test_calls_with_known_sizes_have_the_bits_of_python(number):
    check(*CALLS[number][1:])


@pytest.mark.parametrize("number", range(4, len(CALLS), EACH), ids=lambda i: CALLS[i][0])
def test_calls_with_unknown_sizes_have_the_bits_of_python(number):
    _, function, arguments = CALLS[number]
    check(function, arguments, [unknown(one) for one in arguments])


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(CALLS)), ids=lambda i: CALLS[i][0])
def test_every_call_has_the_bits_of_python(number):
    _, function, arguments = CALLS[number]
    check(function, arguments)
    check(function, arguments, [unknown(one) for one in arguments])


# Calls whose results have a type that only a run knows: a batch needs it before.
WITHOUT_TYPE = (
    "interpolate.barycentric_interpolate(",
    "linalg.eig(",
    "linalg.fractional_matrix_power(",
    "linalg.lstsq(",
    "signal.resample(",
    "signal.tf2zpk(",
    "stats.iqr(",
    "stats.spearmanr(x, y).correlation",
)


def of_batch(function, arguments):
    """The leaves of the results for two elements: those of a batch, and those of Python."""
    batch = [np.stack([np.asarray(one), np.asarray(one) * 1]) for one in arguments]
    for one in batch:
        if one.ndim == 2 and one.dtype == float and not np.all(one[:, 1:] >= one[:, :-1]):
            one[1] = one[0, ::-1]  # another element; places that are sorted stay so
    elements = [[one[i] for one in batch] for i in (0, 1)]
    expected = [flatten(function(*copies(given)))[0] for given in elements]
    return batch, [np.stack(pair) for pair in zip(*expected, strict=True)]


def check_batch(name, function, arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batch, expected = of_batch(function, arguments)
        if name.startswith(WITHOUT_TYPE):
            with pytest.raises(rt.errors.BatchError, match=r"rt.library_call\("):
                rt.vmap(function)(*batch)
            return
        found = flatten(rt.vmap(function)(*batch))[0]
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert same_bits(np.asarray(one), other)


@pytest.mark.parametrize("number", range(2, len(CALLS), EACH), ids=lambda i: CALLS[i][0])
def test_batches_have_the_bits_of_a_loop(number):
    check_batch(*CALLS[number])


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(CALLS)), ids=lambda i: CALLS[i][0])
def test_every_batch_has_the_bits_of_a_loop(number):
    check_batch(*CALLS[number])
