"""Derivatives of `scipy.ndimage`: filters.

Each is computed from shifted images: the image is continued beyond its borders as the mode says.
Linear filters add them with weights; the others select one of them for each element.
"""

import itertools

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


def _shifted(input, sizes, mode, cval, origin):
    """The places in a window of some sizes, each with the image shifted by it."""
    origins = (origin,) * len(sizes) if isinstance(origin, int) else tuple(origin)
    before = [size // 2 + shift for size, shift in zip(sizes, origins, strict=True)]
    after = [size - 1 - start for size, start in zip(sizes, before, strict=True)]
    options = {"constant_values": cval} if "constant" in mode else {}
    pads = tuple(zip(before, after, strict=True))
    padded = np.pad(input * 1.0, pads, MODES[mode], **options)
    for place in itertools.product(*map(range, sizes)):
        part = tuple(slice(i, i + size) for i, size in zip(place, np.shape(input), strict=True))
        yield place, padded[part]


@stands_for("scipy.ndimage.correlate")
def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The sum of the image, shifted, times the weights."""
    if axes is not None or output is not None:
        raise NotImplementedError("a filter with axes or an output")
    weights = array(weights)
    shifted = _shifted(input, np.shape(weights), mode, cval, origin)
    return sum((weights[place] * one for place, one in shifted), start=0.0)


@stands_for("scipy.ndimage.convolve")
def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The sum of the image, shifted, times the weights in reverse."""
    weights = array(weights)
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
    if radius is None:
        if not isinstance(sigma, (int, float)):
            raise NotImplementedError("a filter with a staged sigma and without a radius")
        radius = int(truncate * float(sigma) + 0.5)
    places = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 * (places / sigma) ** 2)
    weights = weights / np.sum(weights) * _hermite(places, sigma, order)
    return correlate1d(input, np.flip(weights), axis, output, mode, cval)


def _hermite(x, sigma, order):
    """The factor by which a derivative of a Gaussian differs from it."""
    before, factor = 0.0, 1.0
    for i in range(order):
        before, factor = factor, -(x * factor + i * before) / sigma**2
    return factor


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
    rank = len(np.shape(input))
    sigmas, orders, modes, radii = (_for_axes(one, rank) for one in (sigma, order, mode, radius))
    for axis, given in enumerate(zip(sigmas, orders, modes, radii, strict=True)):
        one, degree, beyond, reach = given
        if not isinstance(one, (int, float)) or one > 1e-15:
            options = {"mode": beyond, "cval": cval, "truncate": truncate, "radius": reach}
            input = gaussian_filter1d(input, one, axis, degree, output, **options)
    return input


def _for_axes(given, rank):
    """An argument of a filter for each axis: one for all, or a sequence of them."""
    return tuple(given) if isinstance(given, (tuple, list)) else (given,) * rank


@stands_for("scipy.ndimage.gaussian_laplace")
def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None):
    """The sum of the second derivatives of the smoothed image."""
    return sum(_gaussian_derivatives(input, sigma, 2, mode, cval, axes, output))


@stands_for("scipy.ndimage.gaussian_gradient_magnitude")
def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None):
    """The length of the gradient of the smoothed image."""
    parts = _gaussian_derivatives(input, sigma, 1, mode, cval, axes, output)
    return np.sqrt(sum(one * one for one in parts))


def _gaussian_derivatives(input, sigma, degree, mode, cval, axes, output):
    rank = len(np.shape(input))
    for axis in range(rank):
        order = tuple(degree * (axis == other) for other in range(rank))
        yield gaussian_filter(input, sigma, order, output, mode, cval, axes=axes)


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


# -- filters that select ---------------------------------------------------------------------------


def _window(input, size, footprint, options):
    """The shifted images in a window, along a new first axis."""
    known = {"mode": "reflect", "cval": 0.0, "origin": 0, "output": None, "axes": None, **options}
    if known["axes"] is not None or known["output"] is not None or len(known) > 5:
        raise NotImplementedError("a filter with axes or an output")
    sizes = _for_axes(size, len(np.shape(input))) if footprint is None else np.shape(footprint)
    shifted = _shifted(input, sizes, known["mode"], known["cval"], known["origin"])
    return np.stack([one for place, one in shifted if footprint is None or footprint[place]])


@stands_for("scipy.ndimage.maximum_filter")
def maximum_filter(input, size=None, footprint=None, **options):
    """The largest element of a window around each."""
    return np.max(_window(input, size, footprint, options), axis=0)


@stands_for("scipy.ndimage.minimum_filter")
def minimum_filter(input, size=None, footprint=None, **options):
    """The smallest element of a window around each."""
    return np.min(_window(input, size, footprint, options), axis=0)


@stands_for("scipy.ndimage.rank_filter")
def rank_filter(input, rank, size=None, footprint=None, **options):
    """The element of a window around each that has a place in their order."""
    return np.sort(_window(input, size, footprint, options), axis=0)[rank]


@stands_for("scipy.ndimage.median_filter")
def median_filter(input, size=None, footprint=None, **options):
    """The middle element of a window around each, the upper one of two."""
    ordered = np.sort(_window(input, size, footprint, options), axis=0)
    return ordered[np.shape(ordered)[0] // 2]


@stands_for("scipy.ndimage.percentile_filter")
def percentile_filter(input, percentile, size=None, footprint=None, **options):
    """The element of a window around each below which a part of them is."""
    ordered = np.sort(_window(input, size, footprint, options), axis=0)
    if not isinstance(percentile, (int, float)):
        raise NotImplementedError("percentile_filter with a staged percentile")
    count = np.shape(ordered)[0]
    share = percentile + 100.0 if percentile < 0 else float(percentile)
    return ordered[min(int(count * share / 100.0), count - 1)]


def _register_along_axis(name, select):
    @stands_for(f"scipy.ndimage.{name}")
    def filtered(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
        sizes, origins = ([alone] * len(np.shape(input)) for alone in (1, 0))
        sizes[axis], origins[axis] = size, origin
        options = {"output": output, "mode": mode, "cval": cval, "origin": origins}
        return select(input, sizes, **options)


_register_along_axis("maximum_filter1d", maximum_filter)
_register_along_axis("minimum_filter1d", minimum_filter)
