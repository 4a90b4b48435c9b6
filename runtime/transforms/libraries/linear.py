"""Derivatives of functions of SciPy that are linear along an axis.

    savgol_filter(x, 5, 2)     x @ images: the rows of the matrix are the results for unit vectors

A constant that such a function adds, as for values beyond the
ends, is its result for zeros.
"""

import inspect
import sys
from functools import partial

import numpy as np

from runtime.staging.calls.library_calls import record_library_call
from runtime.tracing.tensor import is_staged
from runtime.transforms.libraries.table import WithoutDerivative, stands_for

# The functions, and the argument in which each is linear.
LINEAR = {
    **dict.fromkeys(("fft.dct", "fft.idct", "fft.dst", "fft.idst"), "x"),
    **dict.fromkeys(("signal.filtfilt", "signal.sosfiltfilt", "signal.savgol_filter"), "x"),
    **dict.fromkeys(("signal.hilbert", "signal.decimate", "signal.resample_poly"), "x"),
    **dict.fromkeys(("signal.resample", "signal.upfirdn"), "x"),
    "signal.detrend": "data",
    "integrate.cumulative_simpson": "y",
}
MOST = 4096  # samples: the matrix has the square of it


def _register(name, argument):
    @stands_for(f"scipy.{name}")
    def applied(*args, **kwargs):
        images_of = _Images(name, argument)
        options = images_of.options(args, kwargs)
        axis = options.pop("axis")
        rows = np.moveaxis(options.pop(argument) * 1.0, axis, -1)
        size = np.shape(rows)[-1]
        if not isinstance(size, int) or size > MOST:
            raise NotImplementedError(f"{name} along an axis of more than {MOST} or unknown size")
        is_constant = not is_staged(list(options.values()))
        called = images_of if is_constant else partial(_recorded, images_of)
        images, start = called(size, **options)
        return np.moveaxis(rows @ images + start, -1, axis)


def _recorded(function, *args, **kwargs):
    return record_library_call(function, args, kwargs)


class _Images(WithoutDerivative):
    """The results of a function for unit vectors, less that for zeros, and this one."""

    def __init__(self, name, argument):
        self.name = f"scipy.{name} with respect to arguments other than {argument}"
        self.path, self.argument = f"scipy.{name}".rpartition("."), argument

    @property
    def function(self):
        return getattr(sys.modules[self.path[0]], self.path[2])

    def options(self, args, kwargs):
        """All arguments of a call by their names."""
        bound = inspect.signature(self.function).bind(*args, **kwargs)
        bound.apply_defaults()
        return dict(bound.arguments)

    def __call__(self, size, **options):
        options["axis"] = -1
        start = self.function(**{self.argument: np.zeros(size)}, **options)
        return self.function(**{self.argument: np.eye(size)}, **options) - start, start


for _name, _argument in LINEAR.items():
    _register(_name, _argument)


# -- Fourier transforms, which NumPy has, too ------------------------------------------------------


def _register_transform(name, transform):
    @stands_for(f"scipy.fft.{name}")
    def transformed(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
        return transform(x, n, axis, norm)


def _register_transform_of_axes(name, transform, axes):
    @stands_for(f"scipy.fft.{name}")
    def transformed(x, s=None, axes=axes, norm=None, overwrite_x=False, workers=None):
        return transform(x, s, axes, norm)


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    _register_transform(_name, getattr(np.fft, _name))
for _name in ("fft2", "ifft2", "rfft2", "irfft2"):
    _register_transform_of_axes(_name, getattr(np.fft, _name), (-2, -1))
for _name in ("fftn", "ifftn", "rfftn", "irfftn"):
    _register_transform_of_axes(_name, getattr(np.fft, _name), None)
