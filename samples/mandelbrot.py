"""The Mandelbrot set: a function of one point, with a loop of its own, becomes one of all points.

python samples/mandelbrot.py --picture mandelbrot.png      (pip install autograph-numpy[pictures])
"""

import sys

import numpy as np

import runtime as rt


def escape_time(c, limit):
    """The number of steps after which the orbit of 0 leaves the circle of radius 2."""
    z, steps = 0j, 0
    while steps < limit and abs(z) <= 2:
        z = z * z + c
        steps += 1
    return steps


def plane(width, height):
    real, imaginary = np.linspace(-2.1, 0.7, width), np.linspace(1.15, -1.15, height)
    return real + 1j * imaginary[:, None]


@rt.function
def picture(points, limit):
    return rt.vmap(rt.vmap(escape_time, in_axes=(0, None)), in_axes=(0, None))(points, limit)


counts = picture(plane(64, 24), np.int64(100))
for row in counts:
    print("".join(" .:-=+*%#@"[min(int(np.log2(steps)), 9)] for steps in row))
print("points of the set:", np.sum(counts == 100), "of", counts.size)

if "--picture" in sys.argv:
    from matplotlib import pyplot

    large = picture(plane(900, 740), np.int64(200))
    pyplot.imsave(sys.argv[-1], np.log(large), cmap="magma")
