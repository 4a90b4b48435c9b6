"""Activations and losses.

Arrays have any floating dtype, which is also that of the results.
"""

from typing import Any

import numpy as np

from runtime import random
from runtime.transforms.markers import custom_gradient, stop_gradient

# -- activations -----------------------------------------------------------------------------------


def relu(x: Any) -> Any:
    """The larger of x and 0.  Its derivative at 0 is 0."""
    return _positive_part(x)


@custom_gradient
def _positive_part(x):
    # Between equal operands, np.maximum splits its gradient in halves.
    return np.maximum(x, 0), lambda d: np.where(x > 0, d, 0)


def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), without overflow."""
    return 0.5 * np.tanh(0.5 * x) + 0.5


def softplus(x: Any) -> Any:
    """log(1 + exp(x)), without overflow."""
    return np.logaddexp(x, 0)


def gelu(x: Any) -> Any:
    """x times the normal distribution function, by its approximation with tanh (Hendrycks and
    Gimpel, 2016)."""
    return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


def softmax(x: Any, axis: int = -1) -> Any:
    """exp(x), divided by its sum along an axis; without overflow."""
    exponentials = np.exp(x - stop_gradient(np.max(x, axis=axis, keepdims=True)))
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)


def log_softmax(x: Any, axis: int = -1) -> Any:
    """The logarithm of `softmax`, accurate also where that underflows."""
    shifted = x - stop_gradient(np.max(x, axis=axis, keepdims=True))
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


# -- losses ----------------------------------------------------------------------------------------


def cross_entropy(logits: Any, labels: Any) -> Any:
    """The mean cross-entropy of predictions, in nats.

    `logits` is `f[..., n]`; its softmax is the prediction.  `labels` are the classes, integers
    `[...]` from 0 to n - 1, or their probabilities, `f[..., n]`.

    Raises `ValueError` if the labels have another rank.
    """
    labels = np.asarray(labels) if isinstance(labels, list) else labels
    if isinstance(labels, np.ndarray) and labels.dtype.kind not in "biufc":
        raise TypeError(
            "the labels are not numbers\nThey are classes, counted from 0, or probabilities.\n"
            "Number the classes: names, labels = np.unique(labels, return_inverse=True)"
        )
    if np.ndim(labels) == np.ndim(logits):
        return -np.mean(np.sum(labels * log_softmax(logits), axis=-1))
    if np.ndim(labels) != np.ndim(logits) - 1:
        raise ValueError(
            f"the labels have {np.ndim(labels)} dimensions, and the logits {np.ndim(logits)}; "
            "classes have one less, probabilities as many"
        )
    return _cross_entropy(logits.reshape((-1, logits.shape[-1])), labels.reshape(-1))


@custom_gradient
def _cross_entropy(logits, classes):
    shifted = logits - np.max(logits, axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    sums = np.sum(exponentials, axis=-1, keepdims=True)
    rows = np.arange(logits.shape[0])

    def gradient(d):
        """With respect to the logits: predicted less actual probabilities."""
        differences = exponentials / sums
        differences[rows, classes] -= 1
        return differences * (d / logits.shape[0]), None

    return -np.mean((shifted - np.log(sums))[rows, classes]), gradient


def binary_cross_entropy(logits: Any, labels: Any) -> Any:
    """The mean cross-entropy of yes-or-no predictions, in nats.

    The sigmoid of `logits` is the prediction; `labels`, of the same shape, are 0 or 1, or
    probabilities.
    """
    _check_ranks(logits, labels)
    return np.mean(softplus(logits) - logits * labels)


def mean_squared_error(predictions: Any, targets: Any) -> Any:
    """The mean of the squared differences of arrays of one shape; one of them may be a scalar."""
    _check_ranks(predictions, targets)
    return np.mean(np.square(predictions - targets))


def _check_ranks(predictions, targets):
    """Raises `ValueError` where [n, 1] would be broadcast with [n] to [n, n]."""
    if np.ndim(predictions) != np.ndim(targets) and np.ndim(predictions) and np.ndim(targets):
        raise ValueError(
            f"predictions have {np.ndim(predictions)} dimensions, and targets {np.ndim(targets)}: "
            "give both the same shape, with reshape or y[:, None]"
        )


# -- other -----------------------------------------------------------------------------------------


def one_hot(classes: Any, count: int, dtype: Any = float) -> Any:
    """Vectors of zeros with a one at the index of each class: `f[..., count]` for `i[...]`.

    >>> one_hot(np.array([2, 0]), 3)
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    return np.equal(np.expand_dims(classes, -1), np.arange(count)).astype(dtype)


def dropout(x: Any, rate: float, generator: Any = None) -> Any:
    """`x` with a random fraction `rate` of its elements set to zero, and the others divided by
    1 - rate, so that its mean does not change (Srivastava et al., 2014)."""
    draw = random if generator is None else generator
    kept = draw.random(x.shape) >= rate
    return np.where(kept, x / (1 - rate), 0)
