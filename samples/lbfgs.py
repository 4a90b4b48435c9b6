"""L-BFGS: a minimiser that estimates curvature from its last steps, as one graph.  It fits a curve
with three waves to noisy points; the loss is any function with a gradient."""

import numpy as np

import runtime as rt


def direction(slope, steps, changes, used):
    """The two-loop recursion (Nocedal, 1980) over the last `used` steps, the oldest first."""
    q = slope
    weights = np.zeros(len(steps))
    for i in range(used - 1, -1, -1):
        weights[i] = (steps[i] @ q) / (changes[i] @ steps[i])
        q = q - weights[i] * changes[i]
    if used > 0:
        q = q * (steps[used - 1] @ changes[used - 1]) / (changes[used - 1] @ changes[used - 1])
    for i in range(used):
        q = q + (weights[i] - (changes[i] @ q) / (changes[i] @ steps[i])) * steps[i]
    return -q


@rt.function
def minimum(loss, x, data, most_steps, memory=6, tolerance=1e-5):
    """The minimum that is found from `x`."""
    steps, changes = np.zeros((memory, len(x))), np.zeros((memory, len(x)))
    used = 0
    value, slope = rt.value_and_grad(loss)(x, data)
    for step in range(most_steps):
        if np.max(np.abs(slope)) < tolerance:
            print(f"converged: loss {value:.4f}")
            break
        way = direction(slope, steps, changes, used)
        length = 1.0 if used > 0 else 1.0 / np.sum(np.abs(slope))
        while loss(x + length * way, data) > value + 1e-4 * length * (way @ slope):
            length = length / 2
        following = x + length * way
        value, new = rt.value_and_grad(loss)(following, data)
        if used == memory:
            steps, changes = np.roll(steps, -1, axis=0), np.roll(changes, -1, axis=0)
            used -= 1
        if (new - slope) @ way > 0:  # the curvature is positive: it is remembered
            steps[used], changes[used] = following - x, new - slope
            used += 1
        x, slope = following, new
        if step % 5 == 0:
            print(f"step {step:3d}: loss {value:.4f}")
    return x


def waves(parameters, time):
    heights, speeds, starts = parameters.reshape(3, 3)
    return np.sum(heights[:, None] * np.sin(speeds[:, None] * time + starts[:, None]), axis=0)


def misfit(parameters, data):
    time, measured = data
    return np.mean(np.square(waves(parameters, time) - measured))


TRUE = np.array([[1.0, 0.6, 0.3], [1.0, 2.5, 4.2], [0.2, 1.0, -0.5]])
time = np.linspace(0, 10, 200)
measured = waves(TRUE, time) + 0.05 * np.random.default_rng(0).normal(size=200)
guess = np.array([[0.5, 0.5, 0.5], [0.9, 2.4, 4.3], [0.0, 0.0, 0.0]]).ravel()
found = minimum(misfit, guess, (time, measured), np.int64(200))
print("found:", *found.reshape(3, 3).round(2), sep="\n")
