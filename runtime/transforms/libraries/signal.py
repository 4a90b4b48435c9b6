"""Derivatives of `scipy.signal`: filters and convolutions."""

import numpy as np

from runtime.ops.adjoints.selection import array
from runtime.transforms.libraries.table import call, stands_for
from runtime.transforms.markers import custom_gradient


@stands_for("scipy.signal.lfilter")
def lfilter(b, a, x, axis=-1, zi=None):
    """The output of a filter, from coefficients and a signal."""
    if zi is not None:
        raise NotImplementedError("lfilter with a state, zi")
    a, b = np.reshape(array(a), (-1,)) * 1.0, np.reshape(array(b), (-1,)) * 1.0
    rows = np.moveaxis(array(x) * 1.0, axis, -1)
    return np.moveaxis(_filtered(b / a[0], a / a[0], rows), -1, axis)


@custom_gradient
def _filtered(b, a, x):
    """The output of a filter whose coefficient a[0] is 1, along the last axis."""
    y = call("signal.lfilter", b, a, x)

    def gradient(d):
        one = np.ones(1)
        recursive, delayed = call("signal.lfilter", one, a, x), call("signal.lfilter", one, a, y)
        back = np.flip(call("signal.lfilter", b, a, np.flip(d, -1)), -1)
        d_b = [_product(d, recursive, k) for k in range(np.shape(b)[0])]
        d_a = [-_product(d, delayed, k) for k in range(np.shape(a)[0])]
        return np.stack(d_b), np.stack(d_a), back

    return y, gradient


def _product(d, signal, delay):
    size = np.shape(signal)[-1]
    if delay >= size:
        return np.sum(d) * 0.0
    return np.sum(d[..., delay:] * signal[..., : size - delay])


@stands_for("scipy.signal.sosfilt")
def sosfilt(sos, x, axis=-1, zi=None):
    """The output of a filter in sections of the second order."""
    if zi is not None:
        raise NotImplementedError("sosfilt with a state, zi")
    for i in range(np.shape(sos)[0]):
        x = lfilter(sos[i][:3], sos[i][3:], x, axis)
    return x


def _full(first, second):
    """The whole convolution of two arrays of one rank."""
    if len(np.shape(first)) == 1:
        return np.convolve(first, second)
    shape = [m + n - 1 for m, n in zip(np.shape(first), np.shape(second), strict=True)]
    axes = tuple(range(len(shape)))
    found = np.fft.ifftn(
        np.fft.fftn(first, shape, axes) * np.fft.fftn(second, shape, axes), axes=axes
    )
    return (
        found
        if "c" in (np.result_type(first).kind, np.result_type(second).kind)
        else np.real(found)
    )


def _part(whole, first, second, mode):
    """The part of a convolution that a mode selects."""
    if mode == "full":
        return whole
    sizes = list(zip(np.shape(first), np.shape(second), strict=True))
    if mode == "same":
        keep = [(m, (m + n - 1 - m) // 2) for m, n in sizes]
    else:
        if any(m < n for m, n in sizes):
            sizes = [(n, m) for m, n in sizes]
        keep = [(m - n + 1, n - 1) for m, n in sizes]
    return whole[tuple(slice(start, start + count) for count, start in keep)]


@stands_for("scipy.signal.convolve", "scipy.signal.fftconvolve", "scipy.signal.oaconvolve")
def convolve(in1, in2, mode="full", method="auto", axes=None):
    """The convolution of two arrays."""
    if axes is not None:
        raise NotImplementedError("a convolution along some axes")
    return _part(_full(in1, in2), in1, in2, mode)


# The boundaries of SciPy, as the modes of `np.pad`.
BOUNDARIES = {"fill": "constant", "symm": "symmetric", "wrap": "wrap"}


@stands_for("scipy.signal.convolve2d")
def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """The convolution of two matrices."""
    if boundary == "fill" and isinstance(fillvalue, int) and fillvalue == 0:
        return convolve(in1, in2, mode)
    if mode == "valid":
        return convolve(in1, in2, mode)
    pads = [(size - 1, size - 1) for size in np.shape(in2)]
    options = {"constant_values": fillvalue} if boundary == "fill" else {}
    whole = convolve(np.pad(in1 * 1.0, pads, BOUNDARIES[boundary], **options), in2, "valid")
    return _part(whole, in1, in2, mode)


@stands_for("scipy.signal.correlate")
def correlate(in1, in2, mode="full", method="auto"):
    """The correlation of two arrays."""
    if mode == "valid" and np.shape(in1) < np.shape(in2):
        return np.conj(np.flip(correlate(in2, in1, mode)))
    return convolve(in1, np.conj(np.flip(in2)), mode)


@stands_for("scipy.signal.correlate2d")
def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """The correlation of two matrices."""
    if any(m < n for m, n in zip(np.shape(in1), np.shape(in2), strict=True)):
        raise NotImplementedError("correlate2d of a matrix with a larger one")
    if mode != "same":
        return convolve2d(in1, np.conj(np.flip(in2)), mode, boundary, fillvalue)
    whole = convolve2d(in1, np.conj(np.flip(in2)), "full", boundary, fillvalue)
    sizes = zip(np.shape(in1), np.shape(in2), strict=True)
    return whole[tuple(slice(n // 2, n // 2 + m) for m, n in sizes)]
