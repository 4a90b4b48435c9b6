"""Random numbers with the bits of NumPy: Philox-4x64-10 as operations on integers.

    state = [key, key, calls]     block b of the stream: ten rounds on (b + 1, 0, calls, 0)

A stream consists of u64, four in each block (`ops/counter_rng.py`).  `random` takes one of them for
each number, so all can be computed at once; other distributions take as many as they need.

J. K. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011), has the rounds.
"""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engines.xla.arithmetic import result_dtype
from runtime.engines.xla.evaluation import Evaluation
from runtime.engines.xla.lowering import NotLowered, lowers
from runtime.ir.graph import Node

MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
KEY_STEPS = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B  # the golden ratio, and the root of 3 less 1
ROUNDS = 10
WORTH_COMPILING = 1 << 14  # as many numbers as pay for rounds that XLA compiles one by one
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


@lowers("advanced")
def advanced(run: Evaluation, node: Node, state: Any) -> Any:
    """The state after one call."""
    return jnp.asarray(state).at[..., 2].add(np.uint64(1))


@lowers("drawn")
def drawn(run: Evaluation, node: Node, state: Any, *others: Any) -> Any:
    """Numbers of `random`, and of `uniform` and `bernoulli`, which are computed from them."""
    method, given = node.attributes["method"], node.attributes["given"]
    named = dict(node.attributes["named"])
    kind: Any = node.outputs[0].type
    shape, dtype = kind.shape, result_dtype(node)
    if others or not all(isinstance(size, int) for size in shape):
        raise NotLowered("random numbers have arguments that the run computes")
    if method == "random":
        return _random(jnp.asarray(state), shape, dtype)
    if method == "bernoulli":
        p = given[0] if given else named.get("p", 0.5)
        if np.ndim(p) == 0:
            return _random(jnp.asarray(state), shape, np.dtype(float)) < p
    if method == "uniform":
        low = given[0] if given else named.get("low", 0.0)
        high = given[1] if len(given) > 1 else named.get("high", 1.0)
        if np.ndim(low) == 0 and np.ndim(high) == 0:
            return _uniform(jnp.asarray(state), shape, float(low), float(high))
    raise NotLowered(f"only a run knows how many bits {method} takes")


def _uniform(state: Any, shape: tuple[int, ...], low: float, high: float) -> Any:
    """low + (high - low) * u, where contracting the product and the sum changes no bit."""
    width = high - low
    if not math.isfinite(width) or width < 0 or (low != 0 and math.frexp(width)[0] != 0.5):
        raise NotLowered("XLA rounds low + (high - low) * u once, and NumPy twice")
    return low + width * _random(state, shape, np.dtype(float))


def _random(state: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Floats from 0 to below 1: the upper 53 bits of 64, or for f32 the upper 24 of 32."""
    count = math.prod(shape)
    if dtype == np.float32:
        words = _stream(state, (count + 1) // 2)
        halves = jnp.stack([words & LOW, words >> HALF], axis=1).reshape(-1)[:count]
        found = (halves >> np.uint64(8)).astype(np.float32) * np.float32(2.0**-24)
    else:
        found = (_stream(state, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return found.reshape(shape)


def _stream(state: Any, count: int) -> Any:
    """The first numbers of the stream of a state: u64[count]."""
    blocks = jnp.arange(1, (count + 3) // 4 + 1, dtype=np.uint64)
    zero = jnp.zeros_like(blocks)
    c0, c1, c2, c3 = blocks, zero, zero + state[2], zero
    start = c0, c1, c2, c3, state[0], state[1]
    is_worth_compiling = count >= WORTH_COMPILING
    found = jax.lax.fori_loop(0, ROUNDS, _round, start, unroll=is_worth_compiling)
    return jnp.stack(found[:4], axis=1).reshape(-1)[:count]


def _round(_: Any, before: Any) -> Any:
    """The counters and keys after one round."""
    c0, c1, c2, c3, k0, k1 = before
    high_0, low_0 = _product(MULTIPLIERS[0], c0)
    high_1, low_1 = _product(MULTIPLIERS[1], c2)
    steps = np.uint64(KEY_STEPS[0]), np.uint64(KEY_STEPS[1])
    return high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0, k0 + steps[0], k1 + steps[1]


def _product(factor: int, x: Any) -> tuple[Any, Any]:
    """The upper and the lower 64 bits of a product, from products of halves."""
    a, b = np.uint64(factor >> 32), np.uint64(factor & 0xFFFFFFFF)
    c, d = x >> HALF, x & LOW
    middle = (b * d >> HALF) + (a * d & LOW) + (b * c & LOW)
    high = a * c + (a * d >> HALF) + (b * c >> HALF) + (middle >> HALF)
    return high, np.uint64(factor) * x
