"""The rows of the native engine's goals that the table does not have, beside numba and JAX.

JAX has its arguments on the device, and the number of steps of a loop as a constant.  Numba runs
the programs that are no gradients.  A peer that refuses a program is left out.
"""

import importlib.util
import os
import time
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

import runtime as rt
from benchmarks import goal_programs as programs
from benchmarks.native import collatz_sum, normal
from benchmarks.table import ONE_THREAD
from benchmarks.timing import benchmark, one_core, shown, timed

SINGLE = np.float32
# name, function, arguments, arguments that the gradient is taken of (or None), calls in a round
Row = tuple[str, Callable[..., Any], tuple[Any, ...], tuple[int, ...] | None, int]


def _cell(batch, inputs, units, gates, steps=0):
    """The arguments of a recurrent network: weights, rows, states."""
    weights = (
        normal(inputs, gates * units, dtype=SINGLE) / SINGLE(inputs**0.5),
        normal(units, gates * units, dtype=SINGLE) / SINGLE(units**0.5),
        normal(gates * units, dtype=SINGLE),
    )
    rows = normal(*([steps] if steps else []), batch, inputs, dtype=SINGLE)
    states = (np.zeros((batch, units), SINGLE),) * (1 if gates == 1 else 2)
    return weights, rows, states, np.int64(steps)


def _network(*sizes):
    layers = [
        part
        for n, m in zip(sizes, sizes[1:], strict=False)
        for part in (normal(n, m, dtype=SINGLE) / SINGLE(n**0.5), normal(m, dtype=SINGLE))
    ]
    return normal(60 * 28, sizes[0], dtype=SINGLE), *layers


def _bundle(cameras, points, seen):
    return (
        normal(cameras, 11),
        normal(points, 3) + 5.0,
        normal(seen),
        np.arange(seen) % cameras,
        np.arange(seen) * 7 % points,
        normal(seen, 2),
    )


def _recurrent_rows() -> list[Row]:
    rows: list[Row] = []
    kinds = (
        ("RNN", 1, programs.recurrent_states, programs.recurrent_loss),
        ("LSTM", 4, programs.lstm_states, programs.lstm_loss),
    )
    for name, gates, forward, loss in kinds:
        for size in ((32, 256, 256), (4, 32, 64 if gates == 1 else 32)):
            weights, x, states, n = _cell(*size, gates, 64)
            calls = 1 if size[0] == 32 else 20
            label = f"{name} B{size[0]} I{size[1]} H{size[2]} T64"
            rows.append((f"{label}, forward", forward, (x, *states, *weights, n), None, calls))
            given = (*weights, x, *states, n)
            rows.append((f"{label}, forward + backward", loss, given, (0, 1, 2), calls))
    return rows


def rows() -> list[Row]:
    """All rows."""
    weights, x, states, _ = _cell(10, 10, 10, 4)
    letters = np.eye(14)[np.arange(101) ** 2 % 14]
    return [
        (
            "100 products of int32 10 x 10",
            programs.power,
            (np.ones((10, 10), np.int32), np.int64(100)),
            None,
            50,
        ),
        ("LSTM step, 10 units, batch 10", programs.lstm_step, (x, *states, *weights), None, 500),
        ("network 28, 10, 20, 30", programs.network, _network(28, 10, 20, 30), None, 20),
        ("network 28, 1000, 2000, 3000", programs.network, _network(28, 1000, 2000, 3000), None, 1),
        ("gradient of a cube", programs.cube, (np.float64(0.5),), (0,), 2000),
        ("gradient through a branch", programs.branch, (np.float64(0.5),), (0,), 2000),
        (
            "gradient of a mixture, d 10, k 25, n 1,000",
            programs.mixture,
            (
                normal(25),
                normal(25, 10),
                normal(25, 10),
                np.tril(normal(25, 10, 10), -1),
                normal(1000, 10),
            ),
            (0, 1, 2, 3),
            3,
        ),
        ("gradient of a bundle 20/200/800", programs.bundle, _bundle(20, 200, 800), (0, 1, 2), 10),
        (
            "gradient of two layers of 14 letters, 100 steps",
            programs.letters_loss,
            (normal(16, 14), normal(3, 14), normal(4, 14), letters, np.int64(100)),
            (0, 1),
            20,
        ),
        *_recurrent_rows(),
        (
            "product and mean 1000 x 1000",
            programs.product_and_mean,
            (normal(1000, 1000),) * 2,
            None,
            1,
        ),
        ("quicksort of 10,000", programs.quicksort, (normal(10_000),), None, 2),
        ("Collatz, sum to 10,000, Python int", collatz_sum_of_int, (np.int64(10_000),), None, 1),
    ]


def collatz_sum_of_int(n):
    return collatz_sum(int(n))


def _made(fn, wanted) -> dict[str, Callable[..., Any]]:
    """Functions that make the callable of a row, by the name of what runs it."""
    of = fn if wanted is None else rt.grad(fn, argnums=wanted)
    found = {
        "native": lambda: rt.function(of, engine="native"),
        "native-fast": lambda: rt.function(of, engine="native-fast"),
        "numpy": lambda: rt.function(of, engine="numpy"),
    }
    if importlib.util.find_spec("numba") is not None and wanted is None:
        njit = importlib.import_module("numba").njit
        of_numba = {"collatz_sum": njit(collatz_sum), "sigmoid": njit(programs.sigmoid)}
        of_numba["lstm_step"] = njit(_with(programs.lstm_step, of_numba))
        found["numba"] = lambda: njit(_with(fn, of_numba))
    if importlib.util.find_spec("jax") is not None:
        found["jax.jit"] = lambda: _by_jax(fn, wanted)
    if wanted is None:
        found["Python over NumPy"] = lambda: fn
    return found


def _with(fn, names):
    return FunctionType(fn.__code__, {**fn.__globals__, **names}, fn.__name__)


def _by_jax(fn, wanted):
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
    jax, of_jax = importlib.import_module("jax"), importlib.import_module("jax.numpy")
    jax.config.update("jax_enable_x64", True)
    names = {"np": of_jax, "sigmoid": jax.nn.sigmoid}
    same = programs.jax_programs().get(fn) or _with(fn, names)
    given: dict[str, Any] = {}

    def call(*arguments):
        if not given:
            arrays = [a for a in arguments if not isinstance(a, np.int64)]
            counts = [int(a) for a in arguments if isinstance(a, np.int64)]  # they are last
            if not arrays:
                raise NotImplementedError("it would be computed while it is traced")

            def of_arrays(*arrays):
                return same(*arrays, *counts)

            made = of_arrays if wanted is None else jax.grad(of_arrays, argnums=wanted)
            given["run"], given["arrays"] = jax.jit(made), jax.device_put(arrays)
        return jax.block_until_ready(given["run"](*given["arrays"]))

    return call


def _is_close(result, expected) -> bool:
    if isinstance(expected, (tuple, list)):
        return all(map(_is_close, result, expected))
    expected, result = np.asarray(expected), np.asarray(result)
    limit = 1e-9 if expected.dtype == np.float64 else 2e-3
    return np.allclose(result, expected, rtol=limit, atol=limit * max(np.max(np.abs(expected)), 1))


@benchmark("goals")
def goals(rounds: int) -> None:
    """Prints first calls, and the least time of a call; contestants run in turns on one core."""
    with one_core():
        _goals(rounds)


def _goals(rounds: int) -> None:
    for name, fn, arguments, wanted, calls in rows():
        expected = rt.function(
            fn if wanted is None else rt.grad(fn, argnums=wanted), engine="numpy"
        )(*arguments)
        ready, first = {}, {}
        for who, make in _made(fn, wanted).items():
            try:
                run = make()
                result, first[who] = timed(lambda run=run, given=arguments: run(*given))
                assert _is_close(result, expected), f"{name}: {who} has another result"
            except Exception as error:
                if not who.startswith("numba") and not who.startswith("jax"):
                    raise
                print(f"  {who}: {type(error).__name__} {str(error)[:100]!r}")
                continue
            run(*arguments)
            run(*arguments)
            ready[who] = run
        least = _least(ready, arguments, rounds, calls)
        print(f"\n{name}", flush=True)
        for who, taken in least.items():
            ratio = f"x{taken / least['native']:.2f}"
            print(f"  {who:<20}{shown(taken):>12}  {ratio:>8}   first call {shown(first[who])}")


def _least(ready, arguments, rounds, calls):
    least = dict.fromkeys(ready, float("inf"))
    for _ in range(rounds):
        for who, run in ready.items():
            start = time.perf_counter()
            for _ in range(calls):
                run(*arguments)
            least[who] = min(least[who], (time.perf_counter() - start) / calls)
    return least
