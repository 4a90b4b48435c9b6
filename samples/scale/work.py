"""The work that the recipes of this folder divide among processes and machines.

`escape_times` counts, for a block of points, how many steps each takes to leave a circle. Its
concrete function is sent to the workers as a graph: they neither import this module nor record
anything. One graph serves blocks of all shapes.
"""

import numpy as np

import runtime as rt


def escape_times(points):
    """How many of 60 steps of z = z * z + c each point c of a block stays within the radius 2."""
    z = np.zeros_like(points)
    steps = np.zeros(points.shape, np.int64)
    for _ in range(60):
        inside = np.abs(z) <= 2.0
        if not np.any(inside):
            break
        z = np.where(inside, z * z + points, z)
        steps = steps + inside
    return steps


def plane(rows=96, columns=64):
    """The points: complex128[rows, columns]."""
    x, y = np.linspace(-2.0, 0.6, columns), np.linspace(-1.2, 1.2, rows)
    return x + 1j * y[:, np.newaxis]


def graph():
    """The concrete function of `escape_times`, for blocks of any shape."""
    return rt.function(escape_times).get_concrete_function(
        rt.TensorSpec((None, None), np.complex128)
    )


def report(name, found, points):
    """Prints whether the divided work has the result of one process."""
    same = np.array_equal(found, escape_times(points))
    print(f"{name}: {found.shape[0]} x {found.shape[1]} points, the same as in one process: {same}")
