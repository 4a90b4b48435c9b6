"""`f.memory(...)`: the bytes that a call allocates, and bounds for loops of training."""

import tracemalloc

import numpy as np
import pytest

import runtime as rt
from runtime.engines import native
from runtime.observability.memory import Memory

ENGINES = [
    "numpy",
    pytest.param(
        "native",
        marks=pytest.mark.skipif(native.unusable() is not None, reason="needs machine code"),
    ),
]
OVERHEAD = 16_384  # bytes of objects, and of room in lists


def step(h, x, w, u):
    return np.tanh(x @ u + h @ w)


def forward(x, h, w, u, n):
    for i in range(n):
        h = step(h, x[i], w, u)
    return h


def loss(w, x, h, u, n):
    for i in range(n):
        h = step(h, x[i], w, u)
    return np.sum(h * h)


def descent(w, x, y, n):
    for _ in range(n):
        w = w - 0.01 * (x.T @ (x @ w - y))
    return w


def pair(x):
    y = np.exp(x)
    return y * 2 + y, np.sum(y)


def normal(*shape):
    return np.random.default_rng(0).normal(size=shape) / 10


STATE = normal(16, 64)
WEIGHTS, INPUTS = normal(64, 64), normal(32, 16, 32)
FROM_INPUT = normal(32, 64)


@pytest.mark.parametrize("engine", ENGINES)
def test_results_and_temporary_arrays_are_counted(engine):
    x = np.linspace(-1, 1, 100_000)
    found = rt.function(pair, engine=engine).memory(x)
    assert x.nbytes <= found.kept <= x.nbytes + OVERHEAD
    assert found.kept <= found.most <= 2 * x.nbytes + OVERHEAD
    assert not tracemalloc.is_tracing()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_recurrent_network_takes_the_memory_of_a_step(engine):
    function = rt.function(forward, engine=engine)
    few, many = (
        function.memory(INPUTS, STATE, WEIGHTS, FROM_INPUT, np.int64(n)).most for n in (4, 32)
    )
    assert many <= few + OVERHEAD
    assert many <= 4.25 * STATE.nbytes + OVERHEAD


@pytest.mark.parametrize("engine", ENGINES)
def test_its_gradient_keeps_a_state_for_each_step(engine):
    function = rt.function(rt.grad(loss), engine=engine)
    n = len(INPUTS)
    found = function.memory(WEIGHTS, INPUTS, STATE, FROM_INPUT, np.int64(n)).most
    kept = n * STATE.nbytes
    assert found <= 1.75 * kept, found / kept


@pytest.mark.parametrize("engine", ENGINES)
def test_training_takes_the_memory_of_a_step(engine):
    function = rt.function(descent, engine=engine)
    w, x, y = normal(400), normal(1000, 400), normal(1000)
    few, many = (function.memory(w, x, y, np.int64(n)).most for n in (2, 40))
    assert many <= few + OVERHEAD
    assert many <= 2 * y.nbytes + 2 * w.nbytes + OVERHEAD


def test_tracing_that_the_user_has_started_goes_on():
    function = rt.function(pair, engine="numpy")
    tracemalloc.start()
    try:
        function.memory(np.ones(10))
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_memory_of_xla_is_refused():
    function = rt.function(pair, engine="numpy")
    function.engine = "xla"
    with pytest.raises(TypeError, match="not counted"):
        function.memory(np.ones(3))


def test_a_report_has_units():
    assert str(Memory(3 << 20, 1536)) == "at most 3.0 MiB at once, of which 1.5 KiB are kept"
    assert str(Memory(12, 0)) == "at most 12 bytes at once, of which 0 bytes are kept"
