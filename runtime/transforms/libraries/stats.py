"""Derivatives of densities of `scipy.stats`: the normal distributions."""

import math
from functools import partial

import numpy as np

from runtime.transforms.libraries.table import call, stands_for_method

LOG_ROOT = math.log(2 * math.pi) / 2
NAMES = ("logpdf", "pdf", "logcdf", "cdf", "sf", "logsf")


def _normal(name, x, loc=0, scale=1):
    z = (x - loc) / scale
    if name.endswith("pdf"):
        found = -z * z / 2 - LOG_ROOT - np.log(scale * np.ones_like(z))
        return found if name == "logpdf" else np.exp(found)
    z = -z if name.endswith("sf") else z
    return call("special.log_ndtr" if name.startswith("log") else "special.ndtr", z)


class Normal:
    """A normal distribution with a mean and a deviation."""

    def __init__(self, loc=0, scale=1):
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
    size = np.shape(x)[-1] if np.shape(x) else 1
    mean = np.zeros(size) if mean is None else mean
    cov = cov * np.eye(size) if len(np.shape(cov)) == 0 else cov
    cov = np.diag(cov) if len(np.shape(cov)) == 1 else cov
    distance = x - mean
    rows = np.reshape(distance, (-1, size))
    squares = np.sum(
        rows * np.swapaxes(np.linalg.solve(cov, np.swapaxes(rows, 0, 1)), 0, 1), axis=1
    )
    found = -(squares + np.linalg.slogdet(cov)[1]) / 2 - size * LOG_ROOT
    return np.reshape(found, np.shape(distance)[:-1])[()]


@stands_for_method("multivariate_normal_gen.logpdf")
def _logpdf(owner, x, mean=None, cov=1, allow_singular=False):
    return _multivariate(x, mean, cov)


@stands_for_method("multivariate_normal_gen.pdf")
def _pdf(owner, x, mean=None, cov=1, allow_singular=False):
    return np.exp(_multivariate(x, mean, cov))


class MultivariateNormal:
    """A normal distribution of vectors, with a mean and a covariance."""

    def __init__(self, mean, cov):
        self.mean, self.cov = mean, cov

    def logpdf(self, x):
        """The logarithm of the density."""
        return _multivariate(x, self.mean, self.cov)

    def pdf(self, x):
        """The density."""
        return np.exp(self.logpdf(x))


@stands_for_method("multivariate_normal_gen.__call__")
def multivariate_normal(owner, mean=None, cov=1, allow_singular=False, seed=None):
    """The distribution with a mean and a covariance."""
    return MultivariateNormal(mean, cov)


@stands_for_method("multivariate_normal_frozen.logpdf")
def _frozen_logpdf(owner, x):
    return _multivariate(x, owner.mean, owner.cov_object.covariance)


@stands_for_method("multivariate_normal_frozen.pdf")
def _frozen_pdf(owner, x):
    return np.exp(_frozen_logpdf(owner, x))
