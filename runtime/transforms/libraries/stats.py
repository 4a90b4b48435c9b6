"""Derivatives of densities of `scipy.stats`: the normal distributions."""

import math
from functools import partial

import numpy as np

from runtime.transforms.libraries.table import StandInObject, call, stands_for_method

LOG_ROOT = math.log(2 * math.pi) / 2
NAMES = ("logpdf", "pdf", "logcdf", "cdf", "sf", "logsf", "ppf", "isf")


def _normal(name, x, loc=0, scale=1):
    if name in ("ppf", "isf"):
        z = call("special.ndtri", x)
        return loc + scale * (z if name == "ppf" else -z)
    z = (x - loc) / scale
    if name.endswith("pdf"):
        found = -z * z / 2 - LOG_ROOT - np.log(scale * np.ones_like(z))
        return found if name == "logpdf" else np.exp(found)
    z = -z if name.endswith("sf") else z
    return call("special.log_ndtr" if name.startswith("log") else "special.ndtr", z)


class Normal(StandInObject):
    """A normal distribution with a mean and a deviation."""

    def __init__(self, loc=0, scale=1):
        self.mean, self.std = (lambda: loc * np.ones_like(scale)), (lambda: scale)
        for name in NAMES:
            setattr(self, name, partial(_normal, name, loc=loc, scale=scale))


for _name in NAMES:
    stands_for_method(f"norm_gen.{_name}")(
        lambda owner, *args, _name=_name, **kwargs: _normal(_name, *args, **kwargs)
    )


@stands_for_method("norm_gen.__call__", "norm_gen.freeze")
def normal(owner, loc=0, scale=1):
    """The distribution with a mean and a deviation."""
    return Normal(loc, scale)


def _frozen(name, owner, x):
    if type(owner.dist).__name__ != "norm_gen":
        raise NotImplementedError(f"the density of {type(owner.dist).__name__}")
    return _normal(name, x, *owner.args, **owner.kwds)


for _name in NAMES:
    stands_for_method(f"rv_frozen.{_name}")(partial(_frozen, _name))


def _multivariate(x, mean=None, cov=1, allow_singular=False):
    if allow_singular:
        raise NotImplementedError("multivariate_normal with allow_singular")
    size = _size(mean, cov)
    mean = np.reshape(0.0 if mean is None else mean, (-1,))
    rank = len(np.shape(cov))
    cov = np.reshape(cov, (1, 1)) if size == 1 else cov * np.eye(size) if rank < 2 else cov
    cov = np.tril(cov) + np.swapaxes(np.tril(cov, -1), 0, 1)  # the triangle that SciPy reads
    places = np.reshape(x, (-1, 1)) if len(np.shape(x)) < 2 and size == 1 else x
    distance = places - mean
    rows = np.reshape(distance, (-1, size))
    solved = np.swapaxes(np.linalg.solve(cov, np.swapaxes(rows, 0, 1)), 0, 1)
    squares = np.sum(rows * solved, axis=1)
    found = -(squares + np.linalg.slogdet(cov)[1]) / 2 - size * LOG_ROOT
    return np.squeeze(np.reshape(found, np.shape(distance)[:-1]))[()]


def _size(mean, cov):
    """The number of dimensions, as SciPy finds it."""
    if mean is not None:
        return math.prod(np.shape(mean))
    return 1 if len(np.shape(cov)) < 2 else np.shape(cov)[0]


@stands_for_method("multivariate_normal_gen.logpdf")
def _logpdf(owner, x, mean=None, cov=1, allow_singular=False):
    return _multivariate(x, mean, cov, allow_singular)


@stands_for_method("multivariate_normal_gen.pdf")
def _pdf(owner, x, mean=None, cov=1, allow_singular=False):
    return np.exp(_multivariate(x, mean, cov, allow_singular))


class MultivariateNormal(StandInObject):
    """A normal distribution of vectors, with a mean and a covariance."""

    def __init__(self, mean, cov, allow_singular=False):
        self.mean, self.cov, self._singular = mean, cov, allow_singular

    def logpdf(self, x):
        """The logarithm of the density."""
        return _multivariate(x, self.mean, self.cov, self._singular)

    def pdf(self, x):
        """The density."""
        return np.exp(self.logpdf(x))


@stands_for_method("multivariate_normal_gen.__call__")
def multivariate_normal(owner, mean=None, cov=1, allow_singular=False, seed=None):
    """The distribution with a mean and a covariance."""
    return MultivariateNormal(mean, cov, allow_singular)


@stands_for_method("multivariate_normal_frozen.logpdf")
def _frozen_logpdf(owner, x):
    return _multivariate(x, owner.mean, owner.cov_object.covariance, owner.allow_singular)


@stands_for_method("multivariate_normal_frozen.pdf")
def _frozen_pdf(owner, x):
    return np.exp(_frozen_logpdf(owner, x))
