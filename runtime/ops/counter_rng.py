"""The random numbers of `rt.random`: they depend only on a key and a call counter.

    state = [key, key, calls]           u64[3]
    x = drawn(state, method='normal', given=(), named=(('size', (3,)),))
    state_1 = advanced(state)           [key, key, calls + 1]

Each call has its own stream, whose start is far from those of all other calls: Philox-4x64-10 with
the key and the counter (0, 0, calls, 0).  So the number of values that a method takes from its
stream, and the order of draws, do not change other draws.

J. K. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011); NumPy's implementation.
"""

import math
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from runtime.ir.derivative import NoDerivative
from runtime.ir.op import Op
from runtime.ir.slot import fill_slots
from runtime.ir.traits import NoTraits
from runtime.ir.types import TensorType
from runtime.ops.examples import call
from runtime.ops.sampling import results

STATE = TensorType(np.dtype(np.uint64), (3,))

_own = threading.local()  # a generator for each thread, whose state is set for each call


def generator_at(state: np.ndarray) -> np.random.Generator:
    """A NumPy generator at the start of the stream of a state.

    It is shared within the thread: use it before the next call of this function.
    """
    first, second, calls = state.tolist()
    if not hasattr(_own, "generator"):
        _own.generator = np.random.Generator(np.random.Philox(key=0))
    _own.generator.bit_generator.state = {
        "bit_generator": "Philox",
        "state": {"counter": (0, 0, calls, 0), "key": (first, second)},
        "buffer": (0, 0, 0, 0),
        "buffer_pos": 4,
        "has_uint32": 0,
        "uinteger": 0,
    }
    return _own.generator


# -- methods that NumPy generators lack ------------------------------------------------------------


def bernoulli(generator: np.random.Generator, p: Any = 0.5, size: Any = None) -> Any:
    """Bools that are true with probability `p`."""
    return np.less(generator.random(np.shape(p) if size is None else size), p)


def truncated_normal(
    generator: np.random.Generator, loc=0.0, scale=1.0, size=None, low=-2.0, high=2.0
) -> Any:
    """Normal numbers between `low` and `high` standard deviations from `loc`.

    Numbers outside are rejected and drawn again; where most would be rejected, proposals come from
    another distribution (C. P. Robert, Simulation of truncated normal variables, 1995).  Raises
    `ValueError` unless `low <= high`.
    """
    if not low <= high:
        raise ValueError(f"low is {low}, but high is {high}: nothing is between them")
    shape = np.broadcast_shapes(np.shape(loc), np.shape(scale)) if size is None else size
    found = np.empty(shape)
    flat, missing = found.reshape(-1), found.size
    while missing:
        drawn = _between(generator, float(low), float(high), missing)
        flat[len(flat) - missing : len(flat) - missing + len(drawn)] = drawn
        missing -= len(drawn)
    return (loc + scale * found)[()]


def _between(generator, low, high, count):
    """Standard normal numbers between bounds: those of `count` proposals that are accepted."""
    if high < 0 or high == 0 > low:
        return -_between(generator, -high, -low, count)
    if low <= 0 and high - low > math.sqrt(2 * math.pi):
        x = generator.standard_normal(count)
        return x[(low <= x) & (x <= high)]
    if low <= 0 or (high - low) * low < 1:
        x = generator.uniform(low, high, count)
        nearest = max(low, 0.0)
        return x[generator.random(count) <= np.exp((nearest**2 - x**2) / 2)]
    rate = (low + math.sqrt(low**2 + 4)) / 2
    x = low + generator.standard_exponential(count) / rate
    return x[(generator.random(count) <= np.exp(-((x - rate) ** 2) / 2)) & (x <= high)]


def children(generator: np.random.Generator, count: int) -> np.ndarray:
    """Keys for independent generators: u64[count, 2]."""
    return generator.bit_generator.random_raw(2 * count).reshape(count, 2)


METHODS: dict[str, Callable] = {
    method.__name__: method for method in (bernoulli, truncated_normal, children)
}


# Methods of generators that do not draw numbers.
NO_DRAWS = ("bit_generator", "spawn", "bytes")


# -- the ops ---------------------------------------------------------------------------------------


def draw(state: np.ndarray, method: str, args: tuple, options: dict) -> Any:
    """The result of a NumPy generator method, or of one of METHODS, at a state."""
    generator = generator_at(state)
    if method in METHODS:
        return METHODS[method](generator, *args, **options)
    if method.startswith("_") or method in NO_DRAWS:  # the text of a graph may name any
        raise ValueError(f"{method!r} is not a method of generators that draws numbers")
    return getattr(generator, method)(*args, **options)


@cache
def _rehearsed(method):
    def rehearsed(*args, **options):
        return draw(np.zeros(3, np.uint64), method, args, options)

    rehearsed.__name__ = method
    return rehearsed


def _drawn_rule(state, *types, method, given, named):
    found = results(_rehearsed(method), False, types, given, named)
    if found.structure.kind is not None:
        raise TypeError(f"{method} returns several values at once")
    return found.types


def _drawn(xp, operands, attributes):
    state, *others = operands
    options = {name: fill_slots(part, others) for name, part in attributes["named"]}
    return draw(state, attributes["method"], fill_slots(attributes["given"], others), options)


drawn = Op(
    "drawn",
    "The result of a method of a NumPy random generator at the start of a stream.",
    _drawn_rule,
    _drawn,
    arity=None,
    traits=NoTraits("The method that it calls is an attribute."),
    derivative=NoDerivative(
        "A drawn number is not a differentiable function of the distribution's parameters.",
        "Draw from a fixed distribution and transform: mean + spread * rng.normal(size=3).",
    ),
    examples=lambda: [
        call(np.zeros(3, np.uint64), method="normal", given=(), named=(("size", (3,)),))
    ],
)


def advance(state: np.ndarray) -> np.ndarray:
    """The state after one call; of each row of a table of states."""
    behind = state.copy()
    behind[..., 2] += 1
    return behind


advanced = Op(
    "advanced",
    "The state of a random generator after one call; of each row of a table of states.",
    lambda state: state,
    lambda xp, operands, attributes: advance(*operands),
    traits=NoTraits("The state of a generator is not a number to compute with."),
    examples=lambda: [call(np.zeros(3, np.uint64))],
)


def split(state: np.ndarray, count: int) -> np.ndarray:
    """The first states of the generators that `Generator.split` makes: u64[count, 3]."""
    keys = children(generator_at(state), count)
    return np.concatenate([keys, np.zeros((count, 1), np.uint64)], axis=1)


def _split_rule(state, *sizes, count=None):
    return TensorType(STATE.dtype, (count, 3))


split_state = Op(
    "split_state",
    "The states of as many independent generators as `count`, or a further operand, says.",
    _split_rule,
    lambda xp, operands, attributes: split(operands[0], *(operands[1:] or [attributes["count"]])),
    arity=None,
    traits=NoTraits("The state of a generator is not a number to compute with."),
    examples=lambda: [call(np.zeros(3, np.uint64), count=4), call(np.zeros(3, np.uint64), 2)],
)
