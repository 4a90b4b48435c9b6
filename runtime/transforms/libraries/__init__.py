"""Derivatives of functions of installed packages.

Each of the modules registers functions by the names of those that they stand for: the same results,
computed by operations that have derivatives.  Graphs call the package for the values.
"""

from runtime.transforms.libraries import (  # noqa: F401  (fill the table)
    eigenvalues,
    factors,
    integrate,
    interpolate,
    linalg,
    linear,
    ndimage,
    optimize,
    rotations,
    signal,
    spatial,
    stats,
    windows,
)
