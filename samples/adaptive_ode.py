"""Foxes and rabbits (Lotka and Volterra): a solver that chooses its steps, and the gradient through
it, by which the parameters of the equations are fitted to a few counts.

python samples/adaptive_ode.py --picture counts.png        (pip install autograph-numpy[pictures])
"""

import sys

import numpy as np

import runtime as rt


def change(parameters, animals):
    growth, hunt, feed, loss = parameters
    rabbits, foxes = animals
    eaten = rabbits * foxes
    return np.stack([growth * rabbits - hunt * eaten, feed * eaten - loss * foxes])


def after(parameters, animals, time, tolerance=1e-4):
    """The animals after a time: Heun's method, with steps as long as its error allows."""
    passed, step = 0.0, 0.1
    while passed < time:
        step = np.minimum(step, time - passed)
        first = change(parameters, animals)
        second = change(parameters, animals + step * first)
        error = np.max(np.abs(second - first)) * step / 2
        if error <= tolerance * np.max(animals):
            passed = passed + step
            animals = animals + step * (first + second) / 2
        # How long steps are is no part of the gradient.
        rate = rt.stop_gradient(tolerance * np.max(animals) / np.maximum(error, 1e-12))
        step = step * np.clip(0.9 * np.sqrt(rate), 0.2, 2.0)
    return animals


def misfit(logarithms, start, times, counts):
    parameters = np.exp(logarithms)
    total, animals, now = 0.0, start, 0.0
    for time, count in zip(times, counts, strict=True):
        animals = after(parameters, animals, time - now)
        now = time
        total += np.sum(np.square(np.log(animals / count)))
    return total


@rt.function
def fitted(logarithms, start, times, counts, steps):
    mean, square = np.zeros(4), np.zeros(4)
    for step in range(1, steps + 1):
        value, slope = rt.value_and_grad(misfit)(logarithms, start, times, counts)
        if step % 25 == 1:
            print(f"step {step:3d}: misfit {value:.4f}, parameters", np.exp(logarithms).round(3))
        mean, square = 0.8 * mean + 0.2 * slope, 0.99 * square + 0.01 * slope * slope
        logarithms = logarithms - 0.02 * mean / np.sqrt(square / (1 - 0.99**step))
    return np.exp(logarithms)


TRUE = np.array([1.0, 0.5, 0.25, 0.75])
start, times = np.array([4.0, 1.0]), np.arange(1.0, 9.0)
simulate = rt.function(after)
exact = np.array([simulate(TRUE, start, time) for time in times])
counts = exact * np.exp(0.05 * np.random.default_rng(0).normal(size=exact.shape))
guess = np.log([0.7, 0.7, 0.4, 0.5])
found = fitted(guess, start, times, counts, np.int64(100))
print("fitted:", found.round(3), "true:", TRUE)

if "--picture" in sys.argv:
    from matplotlib import pyplot

    fine = np.linspace(0.01, times[-1], 200)
    for animals, name in enumerate(("rabbits", "foxes")):
        pyplot.plot(fine, [simulate(found, start, time)[animals] for time in fine], label=name)
        pyplot.plot(times, counts[:, animals], "ko", label="counts" if animals else None)
    pyplot.legend()
    pyplot.savefig(sys.argv[-1])
