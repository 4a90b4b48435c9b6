"""Which root does Newton's method find from each point of the plane?  `rt.jvp` gives the slope.

python samples/newton_fractal.py --picture fractal.png     (pip install autograph-numpy[pictures])
"""

import sys

import numpy as np

import runtime as rt

ROOTS = np.exp(2j * np.pi * np.arange(3) / 3)


def cubic(z):
    return z**3 - 1


def basin(z):
    """The number of the root that is found from `z`, and the number of steps."""
    for step in range(60):
        value, slope = rt.jvp(cubic, (z,), (np.ones_like(z),))
        z = z - value / slope
        distances = abs(z - ROOTS)
        if np.min(distances) < 1e-6:
            return np.argmin(distances), step
    return np.int64(-1), 60


def plane(width, height):
    real, imaginary = np.linspace(-1.49, 1.51, width), np.linspace(1.52, -1.48, height)
    return real + 1j * imaginary[:, None]


basins = rt.function(rt.vmap(rt.vmap(basin)))
roots, steps = basins(plane(60, 26))
for row in roots:
    print("".join(".oO"[root] for root in row))
print("starts for each root:", np.bincount(roots.ravel()), "- most steps:", steps.max())

if "--picture" in sys.argv:
    from matplotlib import pyplot

    roots, steps = basins(plane(600, 600))
    colours = np.array([[0.9, 0.4, 0.3], [0.3, 0.7, 0.4], [0.3, 0.4, 0.9]])[roots]
    pyplot.imsave(sys.argv[-1], colours * np.exp(-steps / 20)[..., None])
