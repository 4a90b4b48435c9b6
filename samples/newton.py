"""Newton's method on Rosenbrock's valley: derivatives of a function, a linear system, and a line
search of its own in each step; one graph, called once."""

import numpy as np

import runtime as rt


def rosenbrock(x):
    return np.sum(100 * np.square(x[1:] - x[:-1] ** 2) + np.square(1 - x[:-1]))


@rt.function
def minimum(x, steps, tolerance=1e-10):
    for step in range(steps):
        value, slope = rt.value_and_grad(rosenbrock)(x)
        print(f"step {step:2d}: f = {value:.3e}, |gradient| = {np.linalg.norm(slope):.3e}")
        if np.linalg.norm(slope) < tolerance:
            break
        direction = -np.linalg.solve(rt.hessian(rosenbrock)(x), slope)
        if direction @ slope >= 0:  # uphill: the curvature is not positive here
            direction = -slope
        length = 1.0
        while rosenbrock(x + length * direction) > value + 1e-4 * length * (direction @ slope):
            length = length / 2
        x = x + length * direction
    return x


found = minimum(np.array([-1.2, 1.0]), steps=np.int64(100))
print("minimum at", found.round(8))
