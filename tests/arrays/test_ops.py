"""Every NumPy function that graphs support returns what NumPy returns: values, dtypes, shapes."""

import numpy as np
import pytest
from numpy_calls import INTEGERS, MATRIX, OPERANDS, UFUNCS
from outcomes import result_or_error, same_exactly

import runtime as rt
from runtime.ir import op as ops

REFUSALS = TypeError, ValueError, OverflowError


@pytest.mark.sampled(3)
@pytest.mark.parametrize("record", UFUNCS, ids=lambda record: record.name)
def test_a_ufunc_behaves_as_in_numpy(record):
    answered = 0
    for operands in OPERANDS[record.numpy.nin]:
        expected = result_or_error(record.numpy, operands, REFUSALS)
        result = result_or_error(rt.function(lambda *xs: record.numpy(*xs)), operands, REFUSALS)
        if isinstance(expected, Exception):
            assert isinstance(result, Exception), (operands, result)
            continue
        assert same_exactly(result, expected), (operands, result, expected)
        answered += 1
    assert answered


CALLS = {
    "sum": [lambda x: np.sum(x), lambda x: np.sum(x, axis=0), lambda x: x.sum(1, keepdims=True)],
    "prod": [lambda x: np.prod(x), lambda x: x.prod(axis=-1)],
    "mean": [lambda x: np.mean(x), lambda x: x.mean(axis=0), lambda x: np.mean(x, axis=(0, 1))],
    "var": [lambda x: np.var(x), lambda x: x.std(axis=1)],
    "extremes": [lambda x: (x.max(), x.min(axis=0)), lambda x: np.max(x, axis=1, keepdims=True)],
    "positions": [lambda x: (x.argmax(), np.argmin(x, axis=1)), lambda x: np.argsort(x, axis=0)],
    "cumulative": [lambda x: (np.cumsum(x), x.cumsum(axis=1), np.cumprod(x, axis=0))],
    "logic": [lambda x: (np.any(x > 1), np.all(x > -9, axis=0))],
    "shapes": [lambda x: (x.T, x.reshape(3, 2), x.reshape(-1), np.ravel(x), x.flatten())],
    "axes": [
        lambda x: (np.transpose(x), x.swapaxes(0, 1), np.expand_dims(x, 1), x[None].squeeze(0))
    ],
    "joining": [lambda x: (np.concatenate([x, x]), np.stack([x, x], axis=1), np.vstack([x, x]))],
    "sides": [lambda x: (np.hstack([x, x]), np.concatenate([x, x], axis=1))],
    "moving": [lambda x: (np.flip(x), np.flip(x, 0), np.roll(x, 1), np.roll(x, -1, axis=1))],
    "sorting": [lambda x: (np.sort(x), np.sort(x, axis=0))],
    "choice": [lambda x: np.where(x > 0, x, -1), lambda x: np.where(x > 0, 1.5, x)],
    "taking": [lambda x: np.take(x, [2, 0]), lambda x: np.take(x, [1, 0], axis=1)],
    "products": [lambda x: (x @ x.T, np.dot(x, x.T), np.outer(x[0], x[1]), x[0] @ x[1])],
    "limits": [lambda x: (np.clip(x, -1, 2), np.clip(x, 0, None), x.clip(0, 1))],
    "rounding": [lambda x: (np.round(x), np.round(x / 7, 2), x.round(1))],
    "norms": [lambda x: (np.linalg.norm(x), np.linalg.norm(x, axis=1))],
    "casting": [lambda x: (x.astype(np.float32), x.astype(int), x.astype(bool))],
    "broadcasting": [lambda x: np.broadcast_to(x[0], (4, 3)) + 0],
    "integers": [lambda x: (x[0], x[1, 2], x[-1], x[..., 0])],
    "slices": [lambda x: (x[:, 1:], x[::-1], x[:1, ::2], x[None, :, 0], x[..., None])],
    "arrays": [lambda x: (x[[1, 0]], x[:, [0, 0, 2]], x[[0, 1], [2, 1]], x[np.array([[0], [1]])])],
    "about": [lambda x: (x.shape, x.ndim, x.size, x.dtype, len(x))],
    "operators": [lambda x: (-x, abs(x), x + 1, 2 - x, x * x, x / 2, x // 2, x % 3, x**2)],
    "reflected": [lambda x: (1 - x, 2 * x, 7 // (x + 20), 7 % (x + 20), 2 ** (x / 4))],
    "comparisons": [lambda x: (x > 0, x <= 1, x == 4, x != 4, 1 < x)],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("array", [MATRIX, INTEGERS], ids=["floats", "integers"])
def test_functions_methods_and_subscripts_behave_as_in_numpy(name, array):
    for call in CALLS[name]:
        assert same_exactly(rt.function(call)(array), call(array))


def test_python_scalars_stay_weakly_typed():
    def widen(x):
        return x + 1, x * 2.5, x / 2

    for start in (np.float32(1.5), np.int8(3), np.array([1], np.uint8)):
        assert same_exactly(rt.function(widen)(start), widen(start))


def test_every_op_has_a_sentence_of_documentation():
    for record in ops.records():
        assert record.doc.endswith("."), record.name


def test_an_expression_whose_method_is_called_is_parenthesised():
    def spread(x):
        return np.sqrt(np.sum(x * x) / x.size), np.reshape(-x, (2, 2)), np.max(x - x.mean())

    x = np.array([1.0, 2.0, 4.0, 8.0])
    run = rt.function(spread)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(run(x), spread(x)))
    assert "(x * x).sum()" in run.get_concrete_function(x).source
