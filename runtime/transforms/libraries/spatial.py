"""Derivatives of `scipy.spatial`: distances of points."""

import math

import numpy as np

from runtime.transforms.libraries.table import stands_for


def _distances(x, y, metric, w=None, *, p=2):
    """The distances along the last axis of two arrays that broadcast, with weights w."""
    step = x - y
    weights = 1.0 if w is None else w
    match metric:
        case "euclidean":
            return np.sqrt(np.sum(weights * step * step, axis=-1))
        case "sqeuclidean":
            return np.sum(weights * step * step, axis=-1)
        case "cityblock":
            return np.sum(weights * np.abs(step), axis=-1)
        case "minkowski":
            return np.sum(weights * np.abs(step) ** p, axis=-1) ** (1 / p)
        case "chebyshev" if w is None:
            return np.max(np.abs(step), axis=-1)
        case "cosine":
            return _apart(x, y, weights)
        case "correlation":
            return _apart(x - _mean(x, w), y - _mean(y, w), weights)
        case "canberra":
            total = np.abs(x) + np.abs(y)
            parts = np.abs(step) / np.where(total == 0, 1.0, total)
            return np.sum(weights * parts, axis=-1)
        case "braycurtis":
            return np.sum(weights * np.abs(step), -1) / np.sum(weights * np.abs(x + y), -1)
    raise NotImplementedError(f"the metric {metric} with these options")


def _apart(x, y, w):
    """One minus the cosine of the angle between vectors."""
    lengths = np.sqrt(np.sum(w * x * x, axis=-1) * np.sum(w * y * y, axis=-1))
    return 1 - np.sum(w * x * y, axis=-1) / lengths


def _mean(x, w):
    if w is None:
        return np.mean(x, axis=-1, keepdims=True)
    return np.sum(w * x, axis=-1, keepdims=True) / np.sum(w)


def _mahalanobis(x, y, inverse):
    step = x - y
    return np.sqrt(np.sum(step * (step @ np.swapaxes(inverse, -1, -2)), axis=-1))


def _pairs(x, y, metric, options):
    """The distances along the last axis, for `cdist` and `pdist`."""
    if not isinstance(metric, str):
        raise NotImplementedError("distances by another function")
    options = {key: value for key, value in options.items() if value is not None}
    if metric == "mahalanobis" and set(options) == {"VI"}:
        return _mahalanobis(x, y, options["VI"])
    if metric == "seuclidean" and set(options) == {"V"}:
        return _distances(x, y, "euclidean", 1 / np.asarray(options["V"]))
    if not set(options) <= ({"w", "p"} if metric == "minkowski" else {"w"}):
        raise NotImplementedError(f"the metric {metric} with {', '.join(options)}")
    return _distances(x, y, metric.lower(), **options)


DISTANCE = "scipy.spatial.distance"


@stands_for(f"{DISTANCE}.cdist")
def cdist(XA, XB, metric="euclidean", **options):
    """The distances of all pairs of points."""
    return _pairs(np.expand_dims(XA, 1), np.expand_dims(XB, 0), metric, options)


@stands_for(f"{DISTANCE}.pdist")
def pdist(X, metric="euclidean", **options):
    """The distances of all pairs of points among one set."""
    first, second = np.triu_indices(np.shape(X)[0], 1)
    return _pairs(X[first], X[second], metric, options)


def _register_metric(name):
    @stands_for(f"{DISTANCE}.{name}")
    def distance(u, v, w=None):
        return _distances(u, v, name, w)


for _name in (
    "euclidean",
    "sqeuclidean",
    "cityblock",
    "chebyshev",
    "cosine",
    "canberra",
    "braycurtis",
):
    _register_metric(_name)


@stands_for(f"{DISTANCE}.correlation")
def correlation(u, v, w=None, centered=True):
    """One minus the correlation of two vectors."""
    return _distances(u, v, "correlation" if centered else "cosine", w)


@stands_for(f"{DISTANCE}.minkowski")
def minkowski(u, v, p=2, w=None):
    """The distance of two vectors by the norm of an order."""
    return _distances(u, v, "minkowski", w, p=p)


@stands_for(f"{DISTANCE}.mahalanobis")
def mahalanobis(u, v, VI):
    """The distance of two vectors, measured by the inverse of a covariance."""
    return _mahalanobis(u, v, VI)


@stands_for("scipy.spatial.minkowski_distance")
def minkowski_distance(x, y, p=2.0):
    """The distances of points along the last axis."""
    return _distances(x, y, "minkowski", p=p)


@stands_for("scipy.spatial.distance_matrix")
def distance_matrix(x, y, p=2.0, threshold=1000000):
    """The distances of all pairs of points."""
    return _distances(np.expand_dims(x, 1), np.expand_dims(y, 0), "minkowski", p=p)


@stands_for(f"{DISTANCE}.squareform")
def squareform(X, force="no", checks=True):
    """The matrix of the distances of pairs, or these from the matrix."""
    size = np.shape(X)[0]
    if force != "no" or not isinstance(size, int):
        raise NotImplementedError("squareform of an unknown size, or with a force")
    if len(np.shape(X)) == 2:
        return X[np.triu_indices(size, 1)]
    count = (1 + math.isqrt(1 + 8 * size)) // 2
    places = np.zeros((count, count), int)
    places[np.triu_indices(count, 1)] = np.arange(size)
    return np.where(np.eye(count) == 1, 0.0, X[places + places.T])
