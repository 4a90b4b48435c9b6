"""Functions of `scipy.special` that are no ufuncs, written with ops that have derivatives.

    logsumexp(a)      log(sum(exp(a - m))) + m, with m = max(a)

Graphs call SciPy for the values; these functions are differentiated instead.
"""

import numpy as np

from runtime.ir.derivative import NoDerivative
from runtime.ir.op import find
from runtime.ops.adjoints.selection import array


def _largest(a, axis):
    """The finite extreme that is subtracted before exponentials; a constant for derivatives."""
    largest = np.max(a, axis=axis, keepdims=True)
    return find("stop_gradient")(np.where(np.isfinite(largest), largest, 0))


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    """log(sum(b * exp(a)))."""
    if return_sign:
        return NoDerivative("logsumexp is called with return_sign.", "Leave it out.")
    a = array(a)
    largest = _largest(a, axis)
    terms = np.exp(a - largest)
    total = np.sum(terms if b is None else array(b) * terms, axis=axis, keepdims=True)
    found = np.log(total) + largest
    return found if keepdims else np.squeeze(found, axis)[()]


def softmax(x, axis=None):
    """exp(x) / sum(exp(x))."""
    x = array(x)
    terms = np.exp(x - _largest(x, axis))
    return terms / np.sum(terms, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    """The logarithm of softmax(x)."""
    x = array(x)
    moved = x - _largest(x, axis)
    return moved - np.log(np.sum(np.exp(moved), axis=axis, keepdims=True))


COMPOSITIONS = {function.__name__: function for function in (logsumexp, softmax, log_softmax)}
