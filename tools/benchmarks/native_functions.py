"""Functions of arrays such as exp, and gradients, by each engine: the least time of a call.

The engines run in turns.  Least times are the ones that other work on the machine changes least.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import runtime as rt
from benchmarks.native import fused_sum, normal, slope_of_chain, softmax
from benchmarks.timing import benchmark, shown, timed

ENGINES = ("numpy", "native", "native-fast")


def log_likelihood(weights, means, scales, points):
    """That of a Gaussian mixture; many exponentials underflow."""
    distances = scales[None] * (points[:, None, :] - means[None])
    logs = weights - 0.5 * np.sum(distances * distances, axis=2) + np.sum(np.log(scales), axis=1)
    highest = np.max(logs, axis=1, keepdims=True)
    return np.sum(np.log(np.sum(np.exp(logs - highest), axis=1)) + highest[:, 0])


MIXTURE = normal(25), normal(25, 10), np.exp(normal(25, 10)), normal(1000, 10)
ROWS: list[tuple[str, Callable[..., Any], tuple[Any, ...], int]] = [
    ("sum of tanh * exp, 1e3 f32", fused_sum, (normal(1000, dtype=np.float32),), 60),
    ("sum of tanh * exp, 1e6 f32", fused_sum, (normal(10**6, dtype=np.float32),), 3),
    ("sum of tanh * exp, 1e3 f64", fused_sum, (normal(1000),), 60),
    ("sum of tanh * exp, 1e6 f64", fused_sum, (normal(10**6),), 3),
    ("softmax, 64 x 64", softmax, (normal(64, 64),), 40),
    ("softmax, 1,000 x 1,000", softmax, (normal(1000, 1000),), 3),
    ("gradient of 100 x tanh, 64 f64", slope_of_chain, (normal(64), normal(64)), 60),
    ("log-likelihood of a mixture", log_likelihood, MIXTURE, 5),
    ("its gradient, by the means", rt.grad(log_likelihood, argnums=1), MIXTURE, 5),
]


@benchmark("native-functions")
def native_functions(rounds: int) -> None:
    """Prints the least time of a call for each row and engine."""
    print(f"\nthe least time of a call ({rounds} rounds)")
    for row, fn, arguments, number in ROWS:
        functions = {name: rt.function(fn, engine=name) for name in ENGINES}
        expected = functions["numpy"](*arguments)
        for function in functions.values():
            assert np.allclose(function(*arguments), expected, rtol=1e-4, atol=1e-12), row
            function(*arguments)
        least = dict.fromkeys(functions, float("inf"))
        for _ in range(rounds):
            for name, function in functions.items():
                for _ in range(number):
                    _, taken = timed(partial(function, *arguments))
                    least[name] = min(least[name], taken)
        times = "   ".join(f"{name} {shown(taken):>10}" for name, taken in least.items())
        print(f"  {row:<34}{times}")
