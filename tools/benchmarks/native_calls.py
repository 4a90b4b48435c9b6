"""One call of a small function: as machine code, by the NumPy engine, by numba, and in Python.

The call is written out in the timed loop, with nothing around it.  Numba is left out where it is
not installed, and where it refuses a function.
"""

import importlib.util
import statistics
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as rt
from benchmarks.timing import benchmark, shown

OFFSET = np.linspace(0.0, 1.0, 8)


class Layer:
    """An object whose attributes a function reads."""

    def __init__(self) -> None:
        self.w, self.scale, self.shift, self.is_shifted = np.arange(8.0), 2.5, 1.0, True


def plus_one(x):
    return x + 1


def same(x):
    return x


def huber(x):
    if abs(x) < 1.0:
        return 0.5 * x * x
    return abs(x) - 0.5


def relu(x):
    return x if x > 0 else 0.0


def area(radius):
    return 3.1415 * radius**2


def two_results(x):
    return x + 1, x + 2


def twenty(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t):  # noqa: E741
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t


def affine(layer, x):
    y = (x * layer.w) * layer.scale + OFFSET
    return y + layer.shift if layer.is_shifted else y


def cube(x):
    return x * x * x


def slope_of_cube(x):
    return 3.0 * x * x


NUMBER, THREE = np.float64(0.5), np.arange(3.0)
ROWS: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("a scalar: Huber", huber, (NUMBER,)),
    ("a scalar: relu", relu, (NUMBER,)),
    ("a scalar: area", area, (NUMBER,)),
    ("the argument, 3 elements", same, (THREE,)),
    ("x + 1, 3 elements", plus_one, (THREE,)),
    ("two results, 3 elements", two_results, (THREE,)),
    ("20 arrays of 3 elements", twenty, (THREE,) * 20),
    ("an object with attributes, 8 elements", affine, (Layer(), np.arange(8.0))),
    ("the slope of a cube", cube, (NUMBER,)),
]


@benchmark("native-calls")
def native_calls(rounds: int) -> None:
    """Prints the median of each contestant for each row."""
    for row, fn, arguments in ROWS:
        compare_calls(row, _contestants(fn, arguments), arguments, rounds)


def _contestants(fn: Callable[..., Any], arguments: tuple[Any, ...]) -> dict[str, Any]:
    of_graph = rt.grad(fn) if fn is cube else fn
    plain = slope_of_cube if fn is cube else fn
    found = {
        "native": rt.function(of_graph, engine="native"),
        "NumPy engine": rt.function(of_graph, engine="numpy"),
        "plain": plain,
    }
    if importlib.util.find_spec("numba") is not None:
        compiled = importlib.import_module("numba").njit(plain)
        try:
            compiled(*arguments)
            found["numba"] = compiled
        except Exception as error:
            print(f"  numba refuses it: {type(error).__name__}")
    return found


def compare_calls(
    row: str, contestants: dict[str, Any], arguments: tuple[Any, ...], rounds: int
) -> None:
    """Checks that all agree, times calls in turns, and prints medians and ratios."""
    given = {f"a{i}": value for i, value in enumerate(arguments)}
    expected = contestants["plain"](*arguments)
    timers, times = {}, {}
    for who, function in contestants.items():
        for _ in range(3):
            assert np.allclose(function(*arguments), expected), who
        call = f"f({', '.join(given)})"
        timers[who], times[who] = timeit.Timer(call, globals={"f": function, **given}), []
    for _ in range(rounds):
        for who, timer in timers.items():
            times[who].append(timer.timeit(2000) / 2000)
    medians = {who: statistics.median(taken) for who, taken in times.items()}
    print(f"\n{row} ({rounds} rounds)")
    for who, median in medians.items():
        least = shown(min(times[who]))
        print(
            f"  {who:<20}{shown(median):>12}   least {least:>10}   x{median / medians['plain']:.2f}"
        )
