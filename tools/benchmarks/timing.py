"""Contestants run alternately, round after round, after their results were compared."""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

import runtime as rt

BENCHMARKS: dict[str, Callable] = {}
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def benchmark(name):
    """Registers a function that returns contestants: names, and the functions that they run."""

    def register(function):
        BENCHMARKS[name] = function
        return function

    return register


def compare(
    name: str,
    contestants: dict[str, Callable],
    rounds: int,
    number: int = 1,
    tolerance: float = 0.0,
) -> None:
    """Checks that the contestants agree, times them in turns, prints medians and ratios."""
    results = {who: run() for who, run in contestants.items()}
    first = next(iter(results.values()))
    for who, result in results.items():
        if not np.allclose(result, first, rtol=tolerance, atol=tolerance, equal_nan=True):
            raise SystemExit(f"{name}: {who} gives {result!r}, not {first!r}")
    times = {who: [] for who in contestants}
    for _ in range(rounds):
        for who, run in contestants.items():
            start = time.perf_counter()
            for _ in range(number):
                run()
            times[who].append((time.perf_counter() - start) / number)
    medians = {who: statistics.median(taken) for who, taken in times.items()}
    base = next(iter(medians.values()))
    print(f"\n{name} ({rounds} rounds)")
    for who, median in medians.items():
        print(f"  {who:<40}{shown(median):>12}   x{median / base:.2f}")


def shown(seconds: float) -> str:
    """A time in a unit that suits it."""
    size, unit = next((u for u in UNITS if seconds >= u[0]), UNITS[-1])
    return f"{seconds / size:.2f} {unit}"


@contextmanager
def one_core() -> Iterator[None]:
    """Holds this thread, and threads that it starts, to one core, where the system can.

    XLA runs large kernels in threads of its own, whatever its options say.
    """
    before = getattr(os, "sched_getaffinity", lambda _: None)(0)
    if before is not None:
        os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        if before is not None:
            os.sched_setaffinity(0, before)


def timed(run):
    """The result of a call, and the seconds that it takes."""
    start = time.perf_counter()
    result = run()
    return result, time.perf_counter() - start


def side_by_side(name, fn, arguments, rounds, number=1):
    graph = rt.function(fn)
    run = graph.get_concrete_function(*arguments).compiled
    compare(
        name,
        {
            "Python over NumPy": lambda: fn(*arguments),
            "graph": lambda: graph(*arguments),
            "its program": lambda: run(*arguments)[0],
        },
        rounds,
        number,
    )
