"""The first calls of functions as machine code, in new processes, without the object cache.

The first call converts, records, optimises and compiles; the second one compiles the rest that the
first one has left.  Modules and LLVM are loaded before, by a call of another function.
"""

import os
import statistics
import subprocess
import sys
import time

import numpy as np

import runtime as rt
from benchmarks import goal_programs, goals, loop_programs
from benchmarks.timing import benchmark, shown

CALLS = 4


def collatz(a):
    steps = 0
    while a != 1:
        a = a // 2 if a % 2 == 0 else 3 * a + 1
        steps += 1
    return steps


def loss(w1, w2, x, y):
    error = np.tanh(x @ w1) @ w2 - y
    return np.mean(error * error)


def mlp_step(w1, w2, x, y):
    d1, d2 = rt.grad(loss, argnums=(0, 1))(w1, w2, x, y)
    return w1 - 0.1 * d1, w2 - 0.1 * d2


def other(x):
    total = 0.0
    for v in x:
        if v > 0:
            total = total + v * 2
    return total


def _programs():
    weights, x, state, _ = goals._cell(10, 10, 10, 4)
    weights_64, x_64, state_64, n = goals._cell(4, 32, 32, 4, 64)
    lstm = rt.grad(goal_programs.lstm_loss, argnums=(0, 1, 2))
    mandelbrot, made, _ = loop_programs.PROGRAMS["Mandelbrot 200 x 200"]
    rng = np.random.default_rng(0)
    layers = [rng.normal(size=size) for size in ((28, 28), (28, 10), (60, 28), (60, 10))]
    return {
        "Collatz, a scalar": (collatz, (np.int64(27),)),
        "Mandelbrot 200 x 200": (getattr(loop_programs, mandelbrot), made()),
        "ten nested loops": (loop_programs.ten_loops, (np.zeros(8),)),
        "LSTM step, 10 units": (goal_programs.lstm_step, (x, *state, *weights)),
        "gradient of an LSTM, 64 steps": (lstm, (*weights_64, x_64, *state_64, n)),
        "step of an MLP, 60 rows": (mlp_step, layers),
    }


@benchmark("native-first-calls")
def native_first_calls(rounds: int) -> None:
    """Prints the median CPU times of the first calls of each program."""
    print(f"\ncalls 1 to {CALLS}, as machine code ({rounds} rounds)")
    for name in _programs():
        taken = [_measured(name) for _ in range(rounds)]
        medians = [statistics.median(times) for times in zip(*taken, strict=True)]
        print(f"  {name:<32}" + "".join(f"{shown(time):>12}" for time in medians))


def _measured(name: str) -> list[float]:
    command = [sys.executable, "-m", "benchmarks.native_first_calls", name]
    folder = os.path.dirname(os.path.dirname(__file__))
    paths = [os.path.dirname(os.path.dirname(rt.__file__)), folder]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)
    return list(map(float, done.stdout.split()))


def _run(name: str) -> None:
    function, arguments = _programs()[name]
    rt.config.use_object_cache(None)
    rt.function(other, engine="native")(np.arange(10.0))
    compiled = rt.function(function, engine="native")
    for _ in range(CALLS):
        start = time.process_time()
        compiled(*arguments)
        print(time.process_time() - start)


if __name__ == "__main__":
    _run(sys.argv[1])
