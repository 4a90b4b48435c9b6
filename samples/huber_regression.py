"""A line through points of which some are far off.  Huber's loss grows linearly beyond a distance,
so that these points pull less than in least squares.  Both are shown.

python samples/huber_regression.py --picture line.png      (pip install autograph-numpy[pictures])
"""

import sys

import numpy as np

import runtime as rt


def huber(distance, limit=1.0):
    if np.abs(distance) <= limit:
        return distance * distance / 2
    return limit * (np.abs(distance) - limit / 2)


def loss(line, x, y):
    slope, height = line
    return np.mean(rt.vmap(huber)(slope * x + height - y))


@rt.function
def fitted(line, x, y, steps):
    columns = np.stack([x, np.ones(len(x))])
    curvature = columns @ columns.T / len(x)  # that of least squares, the largest of the loss
    for step in range(steps):
        value, gradient = rt.value_and_grad(loss)(line, x, y)
        if step % 10 == 0:
            print(f"step {step}: loss {value:.6f}")
        if np.max(np.abs(gradient)) < 1e-6:
            print(f"converged after {step} steps")
            break
        line = line - np.linalg.solve(curvature, gradient)
    return line


generator = np.random.default_rng(3)
x = np.linspace(0.0, 10.0, 60)
y = 0.5 * x + 1.0 + 0.3 * generator.normal(size=60)
y[45::3] -= 8.0  # outliers

least_squares = np.polyfit(x, y, 1)
line = fitted(least_squares, x, y, np.int64(500))
print("least squares:", least_squares.round(3))
print("Huber:", line.round(3), "true: [0.5 1. ]")

if "--picture" in sys.argv:
    from matplotlib import pyplot

    pyplot.plot(x, y, "k.", label="points")
    pyplot.plot(x, np.polyval(least_squares, x), "--", label="least squares")
    pyplot.plot(x, np.polyval(line, x), label="Huber")
    pyplot.legend()
    pyplot.savefig(sys.argv[-1])
