"""Gradients of loops that collect arrays or numbers in lists: whole calls of machine code."""

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from native_runs import compared  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402
from runtime.engines.native import entry, program  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def states(x, w, n):
    kept = []
    for i in range(n):
        x = np.tanh(x * w + 0.1 * i)
        kept.append(x)
    return np.stack(kept)


def sum_of_squares(x, w, n):
    found = states(x, w, n)
    return np.sum(found * found)


def plain_sum(x, w, n):
    return np.sum(states(x, w, n))


def read_from_both_ends(x, w, n):
    kept = [x]
    for i in range(n):
        x = np.tanh(x * w)
        kept.append(x)
        kept.append(x * kept[i])
    return np.sum(np.stack(kept) * 0.5) + np.sum(kept[-1] * kept[0])


def last_ones(x, w, n):
    kept = []
    for i in range(n):
        x = x * w - 0.1 * i
        kept.append(x)
        if i % 3 == 0:
            kept.append(x * x)
    return np.sum(np.stack(kept, axis=0)[-2:])


def numbers(x, w, n):
    kept = []
    total = x[0]
    for i in range(n):
        total = total * w[i % 3] + 0.5
        kept.append(total)
    return np.sum(np.stack(kept) ** 2)


def two_lists(x, w, n):
    first, second = [], []
    for _ in range(n):
        x = np.tanh(x * w)
        first.append(x)
        second.append(x * w)
    return np.sum(np.stack(first) * np.stack(second))


PROGRAMS = [sum_of_squares, plain_sum, read_from_both_ends, last_ones, numbers, two_lists]
ARRAYS = {
    "f8": (np.array([0.3, -0.2, 0.5]), np.array([1.1, 0.7, -0.4])),
    "f4": (np.array([0.3, -0.2, 0.5], np.float32), np.array([1.1, 0.7, -0.4], np.float32)),
}


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("dtype", ARRAYS)
def test_gradients_have_the_bits_of_the_numpy_engine(function, dtype):
    x, w = ARRAYS[dtype]
    slope = rt.grad(function, argnums=(0, 1))
    found = rt.function(slope, engine="native")
    expected = rt.function(slope, engine="numpy")
    for n in (0, 1, 7, 7, 7, 2):  # NumPy raises for no arrays
        compared(found, expected, (x, w, np.int64(n)))


@pytest.mark.parametrize("function", [states, last_ones])
def test_stacks_of_arrays_have_the_bits_of_the_numpy_engine(function):
    for x, w in (*ARRAYS.values(), (np.ones((2, 0, 3)), np.ones(3))):
        found, expected = (rt.function(function, engine=name) for name in ("native", "numpy"))
        for n in (1, 5, 5, 0, 5):
            compared(found, expected, (x, w, np.int64(n)))


def test_a_gradient_through_a_list_is_one_call(monkeypatch):
    made = []
    entry_of = program.entry

    def noted(*arguments):
        made.append(entry_of(*arguments))
        return made[-1]

    monkeypatch.setattr(program, "entry", noted)
    x, w = ARRAYS["f8"]
    run = rt.function(rt.grad(sum_of_squares, argnums=(0, 1)), engine="native")
    for _ in range(3):
        run(x, w, np.int64(5))
    assert made and all(made)


def test_long_gradients_over_lists_are_one_call():
    def layers(x, w, n):
        kept = []
        for _ in range(n):
            for _ in range(6):
                x = np.tanh(x * w) * 0.5 + np.sin(x)
            kept.append(x)
        return np.sum(np.stack(kept) ** 2)

    x, w = ARRAYS["f8"]
    graph = rt.function(rt.grad(layers)).get_concrete_function(x, w, np.int64(3)).graph
    assert str(graph).count(" = ") > entry.MOST_NODES
    found, expected = (rt.function(rt.grad(layers), engine=e) for e in ("native", "numpy"))
    for _ in range(3):
        compared(found, expected, (x, w, np.int64(3)))
