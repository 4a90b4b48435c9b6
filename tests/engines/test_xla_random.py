"""Random numbers that XLA computes have the bits of NumPy (`engines/xla/random_numbers.py`)."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA engine needs the extra `jax`")

import runtime as rt  # noqa: E402


def drawn(engine, draw, seed):
    """The result of a function of a generator, by an engine, and what the engine says about it."""
    generator = rt.random.Generator(seed)
    fn = rt.function(lambda: draw(generator), engine=engine)
    return fn(), fn


def summed(generator):
    total = np.zeros((2, 3))
    for _ in range(3):
        total = total + generator.random((2, 3))
    return total


def scaled(generator):
    return generator.random(5, dtype=np.float32), generator.uniform(-1, 1, 4), generator.random()


def chances(generator):
    return generator.bernoulli(0.25, (3, 5)), generator.uniform(high=3.0, size=2)


@pytest.mark.parametrize("draw", [summed, scaled, chances])
@pytest.mark.parametrize("seed", [0, 2**64 + 3])
def test_bits_are_those_of_numpy(draw, seed):
    found, fn = drawn("xla", draw, seed)
    expected, _ = drawn("numpy", draw, seed)
    for one, other in zip(found, expected, strict=True):
        assert type(one) is type(other)
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
    assert "drawn" not in fn.native().partition("not on a device")[2]


def test_a_distribution_that_takes_any_number_of_bits_is_drawn_by_numpy():
    for draw in (lambda g: g.normal(size=3), lambda g: g.uniform(1, 4, 5)):
        found, fn = drawn("xla", draw, 1)
        assert found.tobytes() == drawn("numpy", draw, 1)[0].tobytes()
        assert "drawn" in fn.native().partition("not on a device")[2]


@pytest.mark.thorough
@pytest.mark.parametrize("count", [1, 3, 4, 5, 1000, 100_003])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_streams_of_any_length(count, dtype):
    for seed in range(4):
        found, _ = drawn("xla", lambda g: g.random(count, dtype=dtype), seed)
        expected, _ = drawn("numpy", lambda g: g.random(count, dtype=dtype), seed)
        assert found.tobytes() == expected.tobytes()
