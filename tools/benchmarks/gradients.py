"""Gradients of loops beside the loops themselves, and the time to trace them."""

import statistics

import numpy as np

import runtime as rt
from benchmarks.timing import benchmark, shown, timed

ITERATIONS = np.int64(300)


def scalar_chain(w, x, n):
    for _ in range(n):
        x = np.tanh(w * x)
    return x


def vector_chain(w, x, n):
    for _ in range(n):
        x = np.tanh(w * x)
    return np.sum(x)


def recurrent(w, u, h, rows):
    for row in rows:
        h = np.tanh(w @ h + u @ row)
    return np.sum(h)


def with_a_branch(w, x, n):
    total = 0.0
    for i in range(n):
        v = x[i] * w
        if v > 0.0:
            total += v * v
        else:
            total -= v
    return total


def newton(a, n):
    x = a
    for _ in range(n):
        x = x - (x * x - a) / (2.0 * x)
    return x


def cases():
    """Names, functions, their arguments, and the positions that are differentiated."""
    rng = np.random.default_rng(0)
    w, u = rng.normal(size=(2, 64, 64)) / 8
    vector, rows = 1 + rng.normal(size=100) / 100, rng.normal(size=(300, 64))
    one, half = np.float64(1.0), np.float64(0.5)
    yield "x = tanh(w * x), numbers", scalar_chain, (one, half, ITERATIONS), 0
    yield "x = tanh(w * x), 100 elements", vector_chain, (vector, vector, ITERATIONS), 0
    yield "h = tanh(w @ h + u @ x[i]), 64 x 64", recurrent, (w, u, np.zeros(64), rows), (0, 1)
    yield (
        "a branch for each element of an array",
        with_a_branch,
        (half, rows.ravel(), ITERATIONS),
        0,
    )
    yield "Newton's iteration", newton, (2 * one, ITERATIONS), 0


@benchmark("gradients")
def gradients(rounds):
    """A loop of 300 iterations, and its gradient, which contains it."""
    print(f"\nloops of 300 iterations ({rounds} rounds): the loop, its gradient, and the ratio")
    for name, fn, given, places in cases():
        runs = rt.function(fn), rt.grad(fn, places)
        taken: tuple[list[float], list[float]] = ([], [])
        for run in runs:
            run(*given)
        for _ in range(rounds):
            for run, times in zip(runs, taken, strict=True):
                times.append(timed(lambda run=run, given=given: run(*given))[1])
        loop, gradient = map(statistics.median, taken)
        print(f"  {name:<40}{shown(loop):>12}{shown(gradient):>12}   x{gradient / loop:.2f}")


def lstm(parameters, rows, targets):
    """The loss of an LSTM over the rows of a text, with a loop over its steps."""
    w, u, b, v = parameters
    size = b.shape[0] // 4
    h = c = np.zeros(size)
    loss = 0.0
    for t in range(len(rows)):
        gates = w @ rows[t] + u @ h + b
        i, f, o = (1 / (1 + np.exp(-gates[k * size : (k + 1) * size])) for k in range(3))
        c = f * c + i * np.tanh(gates[3 * size :])
        h = o * np.tanh(c)
        scores = v @ h
        loss = loss + np.log(np.sum(np.exp(scores - scores.max()))) + scores.max()
        loss = loss - scores[targets[t]]
    return loss


@benchmark("differentiation")
def differentiation(rounds):
    """Recording, differentiating, optimising and writing the program of an LSTM's gradient."""
    rng = np.random.default_rng(0)
    shapes = (32, 20), (32, 8), (32,), (20, 8)
    parameters = tuple(rng.normal(size=shape) / 4 for shape in shapes)
    spec = rt.TensorSpec
    signature = [
        tuple(spec(shape) for shape in shapes),
        spec((None, 20)),
        spec((None,), np.int64),
    ]
    given = parameters, np.eye(20)[:10], np.arange(10)
    times = []
    for _ in range(min(rounds, 9)):
        gradient = rt.grad(lstm)

        def slopes(parameters, rows, targets, gradient=gradient):
            return gradient(parameters, rows, targets)

        staged = rt.function(slopes, input_signature=signature)
        times.append(timed(lambda staged=staged: staged(*given))[1])
    print(f"\nthe first call of the gradient of an LSTM ({len(times)} rounds)")
    print(f"  {'the first time':<40}{shown(times[0]):>12}")
    print(f"  {'again, with the conversion cached':<40}{shown(statistics.median(times[1:])):>12}")
