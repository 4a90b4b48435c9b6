"""Derivatives of `scipy.ndimage`: filters that are linear in the image.

Each is a sum over the weights of shifted images: the image is continued beyond its borders as the
mode says.
"""

import itertools
import math

import numpy as np

from runtime.ops.adjoints.selection import array
from runtime.transforms.libraries.table import stands_for

# The modes of SciPy, as those of `np.pad`.
MODES = {
    "reflect": "symmetric",
    "grid-mirror": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": "constant",
    "grid-constant": "constant",
}


@stands_for("scipy.ndimage.correlate")
def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The sum of the image, shifted, times the weights."""
    if axes is not None or output is not None:
        raise NotImplementedError("a filter with axes or an output")
    sizes = np.shape(weights)
    origins = (origin,) * len(sizes) if isinstance(origin, int) else tuple(origin)
    before = [size // 2 + shift for size, shift in zip(sizes, origins, strict=True)]
    after = [size - 1 - start for size, start in zip(sizes, before, strict=True)]
    options = {"constant_values": cval} if "constant" in mode else {}
    pads = tuple(zip(before, after, strict=True))
    padded = np.pad(input * 1.0, pads, MODES[mode], **options)
    total = 0.0
    for place in itertools.product(*map(range, sizes)):
        part = tuple(slice(i, i + size) for i, size in zip(place, np.shape(input), strict=True))
        total = total + weights[place] * padded[part]
    return total


@stands_for("scipy.ndimage.convolve")
def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The sum of the image, shifted, times the weights in reverse."""
    sizes = np.shape(weights)
    origins = (origin,) * len(sizes) if isinstance(origin, int) else tuple(origin)
    turned = tuple(-shift - (1 - size % 2) for size, shift in zip(sizes, origins, strict=True))
    return correlate(input, np.flip(weights), output, mode, cval, turned, axes=axes)


@stands_for("scipy.ndimage.correlate1d")
def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The correlation along an axis."""
    rank = len(np.shape(input))
    shape = [1] * rank
    shape[axis] = -1
    origins = [0] * rank
    origins[axis] = origin
    kernel = np.reshape(array(weights), shape)
    return correlate(input, kernel, output, mode, cval, origins)


@stands_for("scipy.ndimage.convolve1d")
def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The convolution along an axis."""
    weights = np.flip(array(weights))
    shift = -origin - (1 - np.shape(weights)[0] % 2)
    return correlate1d(input, weights, axis, output, mode, cval, shift)


@stands_for("scipy.ndimage.gaussian_filter1d")
def gaussian_filter1d(
    input,
    sigma,
    axis=-1,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
):
    """The image, smoothed along an axis."""
    if order:
        raise NotImplementedError("gaussian_filter1d with an order")
    if not isinstance(sigma, (int, float)):
        raise NotImplementedError("a filter with a staged sigma")
    radius = int(truncate * float(sigma) + 0.5) if radius is None else radius
    weights = [math.exp(-0.5 * (i / sigma) ** 2) for i in range(-radius, radius + 1)]
    return correlate1d(input, np.array(weights) / sum(weights), axis, output, mode, cval)


@stands_for("scipy.ndimage.gaussian_filter")
def gaussian_filter(
    input,
    sigma,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
    axes=None,
):
    """The image, smoothed along all axes."""
    if axes is not None:
        raise NotImplementedError("gaussian_filter with axes")
    sigmas = (sigma,) * len(np.shape(input)) if isinstance(sigma, (int, float)) else sigma
    for axis, one in enumerate(sigmas):
        input = gaussian_filter1d(
            input, one, axis, order, output, mode, cval, truncate, radius=radius
        )
    return input


@stands_for("scipy.ndimage.uniform_filter1d")
def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The means of neighbours along an axis."""
    return correlate1d(input, np.ones(size) / size, axis, output, mode, cval, origin)


@stands_for("scipy.ndimage.uniform_filter")
def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The means of neighbours along all axes."""
    if axes is not None:
        raise NotImplementedError("uniform_filter with axes")
    rank = len(np.shape(input))
    for axis, one in enumerate((size,) * rank if isinstance(size, int) else size):
        input = uniform_filter1d(input, one, axis, output, mode, cval, origin)
    return input


def _derivative(input, axis, output, mode, cval, smooth):
    found = correlate1d(input, np.array([-1.0, 0.0, 1.0]), axis, output, mode, cval)
    for other in range(len(np.shape(input))):
        if other != axis % len(np.shape(input)):
            found = correlate1d(found, smooth, other, None, mode, cval)
    return found


@stands_for("scipy.ndimage.sobel")
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Sobel's derivative along an axis."""
    return _derivative(input, axis, output, mode, cval, np.array([1.0, 2.0, 1.0]))


@stands_for("scipy.ndimage.prewitt")
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Prewitt's derivative along an axis."""
    return _derivative(input, axis, output, mode, cval, np.ones(3))


@stands_for("scipy.ndimage.laplace")
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """The sum of second differences."""
    if axes is not None:
        raise NotImplementedError("laplace with axes")
    kernel = np.array([1.0, -2.0, 1.0])
    parts = [
        correlate1d(input, kernel, axis, output, mode, cval) for axis in range(len(np.shape(input)))
    ]
    return sum(parts[1:], parts[0])
