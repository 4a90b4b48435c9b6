"""Derivatives of `scipy.signal.windows` with respect to their parameters."""

import numpy as np

from runtime.ops.adjoints.selection import array
from runtime.transforms.libraries.table import call, stands_for

WINDOWS = "scipy.signal.windows"


def _places(M, sym):
    """The places of the samples, 0 in the middle, and how far the outermost one is from it."""
    half = (M - 1 if sym else M) / 2
    return np.arange(M) - half, half


@stands_for(f"{WINDOWS}.gaussian")
def gaussian(M, std, sym=True):
    """exp(-x^2 / (2 std^2))"""
    x, _ = _places(M, sym)
    return np.exp(-0.5 * (x / std) ** 2)


@stands_for(f"{WINDOWS}.general_gaussian")
def general_gaussian(M, p, sig, sym=True):
    """exp(-|x / sig|^(2 p) / 2)"""
    x, _ = _places(M, sym)
    return np.exp(-0.5 * np.abs(x / sig) ** (2 * p))


@stands_for(f"{WINDOWS}.exponential")
def exponential(M, center=None, tau=1.0, sym=True):
    """exp(-|x - center| / tau)"""
    x, half = _places(M, sym)
    return np.exp(-np.abs(x if center is None else x + half - center) / tau)


@stands_for(f"{WINDOWS}.kaiser")
def kaiser(M, beta, sym=True):
    """I0(beta sqrt(1 - (x / half)^2)) / I0(beta)"""
    x, half = _places(M, sym)
    ratio = np.sqrt(np.maximum(1 - (x / half) ** 2, 0.0))
    return call("special.i0", beta * ratio) / call("special.i0", beta)


@stands_for(f"{WINDOWS}.general_cosine")
def general_cosine(M, a, sym=True):
    """The sum of a[k] cos(k pi x / half)."""
    x, half = _places(M, sym)
    a = array(a)
    return sum((a[k] * np.cos(k * np.pi * x / half) for k in range(np.shape(a)[0])), start=0.0)


@stands_for(f"{WINDOWS}.general_hamming")
def general_hamming(M, alpha, sym=True):
    """alpha + (1 - alpha) cos(pi x / half)"""
    return general_cosine(M, [alpha, 1.0 - alpha], sym)
