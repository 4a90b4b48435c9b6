"""Lists that a run has, beside lists that hold None."""

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.array([1, 2, 3, 7])


@program((A, 2.5), (A, 10.0), (A[:0], 1.0), (N, 2))
def default_none(x, t):
    big = [v for v in x if v > t]
    head, *tail = big or [None]
    return head, tail


@program((A, 2.5), (A, 10.0), (A[:0], 1.0), (N, 2))
def list_or_none_list(x, t):
    big = [v for v in x if v > t]
    z = big if len(big) > 1 else [None]
    return z, len(z), z[0] is None


@program((A, 2.5), (A, 10.0), (A[:0], 1.0), (N, 2))
def pair_or_none_pair(x, t):
    big = [(i, v) for i, v in enumerate(x) if v > t]
    z = big if big else [(None, 0.0)]
    i, v = z[-1]
    return i, v


@program((A, 2.5), (A, 10.0), (A[:0], 1.0), (N, 2))
def none_first(x, t):
    big = [v for v in x if v > t]
    if big:
        z = [None] + big
    else:
        z = [None]
    return z


@program((A, 2.5), (A, 10.0), (A[:0], 1.0), (N, 2))
def grows_from_none(x, t):
    z = [None]
    for v in x:
        if v > t:
            z = z + [v]
    return z, z[-1]
