"""Adjoints of Fourier transforms.

The adjoint of a transform is the inverse transform with the opposite scaling.

    fft(a, n)       pads or crops a to n; so d is transformed back, then cropped or padded
    rfft(a)         the first half of fft(a) for real a; the adjoint pads d to the full spectrum
    irfft(a)        the inner elements of the half spectrum count twice
    fftn, hfft      compositions of these
"""

import numpy as np

from runtime.ops.adjoints.selection import padded
from runtime.ops.adjoints.sizes import counted

SWAPPED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def fitted(x, size, axis):
    """x, cropped or zero-padded at the end to a size along an axis."""
    now = np.shape(x)[axis]
    if now is size:
        return x
    if not (isinstance(now, int) and isinstance(size, int)):
        x = padded(x, 0, size, axis)  # long enough in either case; cropped below
        now = None
    if now is None or now > size:
        return x[(*(slice(None),) * (axis % np.ndim(x)), slice(0, size))]
    return padded(x, 0, size - now, axis)


def fft(d, r, a, n=None, axis=-1, norm=None):
    """The inverse transform of d."""
    return {"a": fitted(np.fft.ifft(d, axis=axis, norm=SWAPPED[norm]), np.shape(a)[axis], axis)}


def ifft(d, r, a, n=None, axis=-1, norm=None):
    """The forward transform of d."""
    return {"a": fitted(np.fft.fft(d, axis=axis, norm=SWAPPED[norm]), np.shape(a)[axis], axis)}


def rfft(d, r, a, n=None, axis=-1, norm=None):
    """The inverse transform of d, padded with zeros to a full spectrum; its real part."""
    size = np.shape(a)[axis] if n is None else n
    full = np.real(np.fft.ifft(fitted(d, size, axis), axis=axis, norm=SWAPPED[norm]))
    return {"a": fitted(full, np.shape(a)[axis], axis)}


def irfft(d, r, a, n=None, axis=-1, norm=None):
    """The real transform of d; elements that represent two frequencies count twice."""
    found = np.fft.rfft(d, axis=axis, norm=SWAPPED[norm])
    size = np.shape(d)[axis]
    places = counted(np.shape(found)[axis])
    is_single = (places == 0) | (2 * places == size)
    weights = np.where(is_single, 1.0, 2.0).astype(np.real(d).dtype)
    shape = [1] * np.ndim(found)
    shape[axis] = -1
    return {"a": fitted(found * np.reshape(weights, tuple(shape)), np.shape(a)[axis], axis)}


def _axes(a, s, axes):
    """The axes of a transform and the sizes along them, None where the size is unchanged."""
    if axes is None:
        axes = range(np.ndim(a)) if s is None else range(-len(s), 0)
    axes = tuple(axes)
    return axes, tuple(None if size == -1 else size for size in s or (None,) * len(axes))


def _along_all(transform):
    def transformed(a, s=None, axes=None, norm=None):
        axes, sizes = _axes(a, s, axes)
        for axis, size in zip(reversed(axes), reversed(sizes), strict=True):
            a = transform(a, size, axis, norm)
        return a

    return transformed


def rfftn(a, s=None, axes=None, norm=None):
    """A real transform along the last axis, then complex ones along the others."""
    axes, sizes = _axes(a, s, axes)
    a = np.fft.rfft(a, sizes[-1], axes[-1], norm)
    for axis, size in zip(axes[:-1], sizes[:-1], strict=True):
        a = np.fft.fft(a, size, axis, norm)
    return a


def irfftn(a, s=None, axes=None, norm=None):
    """Inverse transforms along all axes but the last, then a real inverse along that one."""
    axes, sizes = _axes(a, s, axes)
    for axis, size in zip(axes[:-1], sizes[:-1], strict=True):
        a = np.fft.ifft(a, size, axis, norm)
    return np.fft.irfft(a, sizes[-1], axes[-1], norm)


def _of_plane(function):
    return lambda a, s=None, axes=(-2, -1), norm=None: function(a, s, axes, norm)


def hfft(a, n=None, axis=-1, norm=None):
    """The transform of a Hermitian-symmetric signal, whose spectrum is real."""
    return np.fft.irfft(np.conjugate(a), n, axis, SWAPPED[norm])


def ihfft(a, n=None, axis=-1, norm=None):
    """The inverse of `hfft`."""
    return np.conjugate(np.fft.rfft(a, n, axis, SWAPPED[norm]))


ADJOINTS = {
    np.fft.fft: fft,
    np.fft.ifft: ifft,
    np.fft.irfft: irfft,
    np.fft.rfft: rfft,
    np.fft.fftshift: lambda d, r, x, axes=None: {"x": np.fft.ifftshift(d, axes)},
    np.fft.ifftshift: lambda d, r, x, axes=None: {"x": np.fft.fftshift(d, axes)},
}
_fftn, _ifftn = _along_all(np.fft.fft), _along_all(np.fft.ifft)
COMPOSITIONS = {
    np.fft.fftn: _fftn,
    np.fft.ifftn: _ifftn,
    np.fft.rfftn: rfftn,
    np.fft.irfftn: irfftn,
    np.fft.fft2: _of_plane(_fftn),
    np.fft.ifft2: _of_plane(_ifftn),
    np.fft.rfft2: _of_plane(rfftn),
    np.fft.irfft2: _of_plane(irfftn),
    np.fft.hfft: hfft,
    np.fft.ihfft: ihfft,
}
