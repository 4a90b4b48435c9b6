"""Norms, `full_like`, `clip` and functions of `math` in ONNX models."""

import math

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="the `test` extra installs it")
from onnx_runs import check, run  # noqa: E402

from runtime.errors import ExportError  # noqa: E402

ANY = np.array([1.0, -2.0, np.nan, np.inf, 0.5, -np.inf])
FLOATS = np.array([1.0, -2.0, 0.25, 5.0])
INTEGERS = np.array([3, -4, 10])
MATRIX = np.arange(6.0).reshape(2, 3) - 2

CASES = [
    (lambda x: np.linalg.norm(x), FLOATS),
    (lambda x: np.linalg.norm(x), FLOATS.astype("f4")),
    (lambda x: np.linalg.norm(x), INTEGERS),
    (lambda x: np.linalg.norm(x[:0]), FLOATS),
    (lambda x: np.linalg.norm(x), ANY),
    (lambda x: np.linalg.norm(x), MATRIX),
    (lambda x: np.linalg.norm(x, axis=1), MATRIX),
    (lambda x: np.linalg.norm(x, axis=(0, 1), keepdims=True), MATRIX),
    (lambda m, x: np.full_like(m, x[0]), MATRIX, FLOATS),
    (lambda m, x: np.full_like(m, x[0], dtype=np.float32), MATRIX, FLOATS),
    (lambda m: np.full_like(m, 2), INTEGERS),
    (lambda x: np.clip(x, -1, 1), ANY),
    (lambda x: np.clip(x, 0, None), ANY),
    (lambda x, y: np.clip(x, y, 2), ANY, ANY[::-1].copy()),
    (lambda x, y: np.clip(x, y[0], y), FLOATS, FLOATS[::-1].copy()),
    (lambda x: x.clip(0, 5), INTEGERS.astype("i4")),
    (lambda x: math.sqrt(x[0]) + math.cos(x[1]) * math.sin(x[2]), FLOATS),
    (lambda x: math.sqrt(x[2]), ANY),
]


@pytest.mark.parametrize("case", CASES)
def test_the_model_computes_what_numpy_does(case):
    check(*case)


@pytest.mark.parametrize(
    "function, x", [(lambda x: math.sqrt(x[1]), FLOATS), (lambda x: math.cos(x[3]), ANY)]
)
def test_a_run_ends_where_python_raises(function, x):
    with pytest.raises(ValueError):
        function(x)
    with pytest.raises(Exception) as found:
        run(function, x)
    assert not isinstance(found.value, ExportError)


def test_other_norms_are_refused():
    with pytest.raises(ExportError, match="linalg.norm with ord="):
        run(lambda x: np.linalg.norm(x, ord=1), FLOATS)
