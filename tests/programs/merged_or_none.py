"""A list that may be one of two, beside None."""

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
F = np.float64
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0])
CALLS = ((A, F(1.0), F(1)), (A, F(0.0), F(1.0)), (A, F(0.0), F(0.0)), (A - 1, F(0.0), F(1.0)))


@program(*CALLS)
def merged_or_none(x, p, q):
    a = [v for v in x if v > 1]
    b = [v for v in x if v > 2]
    if p > 0:
        z = None
    else:
        if x[0] > 2:
            z = a
        else:
            z = b
    return z


@program(*CALLS)
def merged_in_branch_or_none(x, p, q):
    if p > 0:
        z = None
    else:
        a = [v for v in x if v > 1]
        b = [v for v in x if v > 2]
        if x[0] > 2:
            z = a
        else:
            z = b
    return z


@program(*CALLS)
def merged_either_way_or_none(x, p, q):
    a = [v for v in x if v > 1]
    b = [v for v in x if v > 2]
    if p > 0:
        z = None
    elif q > 0:
        if x[0] > 2:
            z = a
        else:
            z = b
    else:
        if x[0] > 2:
            z = b
        else:
            z = a
    return z


@program(*CALLS)
def none_at_both_ends(x, p, q):
    a = [v for v in x if v > 1]
    b = [v for v in x if v > 2]
    if p > 0:
        z = None
    elif q > 0:
        if x[0] > 2:
            z = a
        else:
            z = b
    else:
        z = None
    return z


@program(*CALLS)
def returned_or_none(x, p, q):
    a = [v for v in x if v > 1]
    b = [v for v in x if v > 2]
    if p > 0:
        return None
    if q > 0:
        if x[0] > 2:
            return a
        return b
    return None


def pick(x, a, b, q):
    if q > 0:
        if x[0] > 2:
            return a
        return b
    return None


@program(*CALLS)
def picked_or_none(x, p, q):
    a = [v for v in x if v > 1]
    b = [v for v in x if v > 2]
    if p > 0:
        return None
    if x[1] > 0:
        return pick(x, a, b, q)
    return pick(x, b, a, q)


@program(*CALLS)
def merged_in_else(x, p, q):
    a = [v for v in x if v > 1]
    b = [v for v in x if v > 2]
    if p > 0:
        z = a
    else:
        if x[0] > 2:
            z = a
        else:
            z = b
        z = z
    return sum(z)


@program(*CALLS)
def merged_twice(x, p, q):
    a = [v for v in x if v > 1]
    b = [v for v in x if v > 2]
    if q > 0:
        w = a
    else:
        w = b
    if p > 0:
        z = w
    else:
        if x[0] > 2:
            z = a
        else:
            z = b
    return sum(z)
