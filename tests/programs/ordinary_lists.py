"""Functions of NumPy of lists in which nothing is staged, beside staged values."""

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import INTS, A, E, N

CASES = Cases()
program = CASES.program


@program(A, E, INTS, N)
def reductions_of_known_lists(x):
    v = [1, 2, 4]
    w = [[1.0, 2.0], [3.0, 4.0]]
    s = np.sum(x)
    parts = [np.sum(v), np.mean(v), np.std(v), np.median(v), np.prod(v), np.max(v), np.argmin(v)]
    both = np.sum(w), np.sum(w, axis=0), np.linalg.det(w), np.trace(w)
    return [part * s for part in parts], both, np.any(v), np.percentile(v, 50)


@program(A, E, INTS, N)
def arrays_of_known_lists(x):
    v = [1, 2, 4]
    w = [3, 1, 2]
    found = np.cumsum(v), np.diff(v), np.sort(w), np.argsort(w), np.unique(w), np.dot(v, w)
    joined = np.concatenate([v, w]), np.stack([v, w]), np.outer(v, w), np.where(v, w, v)
    inside = np.interp(1.5, v, w), np.polyfit(v, w, 1), np.add.reduce(v)
    return found, joined, inside, np.clip(v, 1, 2), np.roll(v, 1), np.flip(v), np.sum(x)


@program(A, E, INTS, N)
def known_lists_in_branches(x):
    v = [1, 2]
    if np.sum(x) > 0:
        y = np.sum(v) + np.sum(x)
    else:
        y = np.mean(v) + np.max(v)
    u = [1.0]
    for k in range(3):
        u.append(np.sum(u) + k)
    return y, np.sum(u)


@program(A, E, INTS, N)
def list_or_number_summed(x):
    v = [1, 2]
    if np.sum(x) < 0:
        v = 5
    return np.sum(v)
