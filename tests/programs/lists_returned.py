"""Functions that return one variable in several places."""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)


@prog(X)
def returned_from_a_loop(x):
    ys = []
    for v in x:
        ys.append(v)
        if v > 4:
            return ys
    return ys


@prog(X)
def returned_from_nested_loops(x):
    ys = []
    for v in x:
        for w in x:
            if w > v:
                ys.append(w)
                if len(ys) > 3:
                    return ys
    return ys


@prog(X)
def returned_rows(x):
    rows = []
    for v in x:
        rows.append([v])
        rows[-1].append(v * 2)
        if v > 4:
            return rows
    return rows


@prog(X)
def returned_dict(x):
    counts = {}
    for v in x:
        counts[v] = counts.get(v, 0) + 1
        if len(counts) > 2:
            return counts
    return counts


@prog(X)
def returned_and_bound_again(x):
    ys = []
    for v in x:
        ys = ys + [v]
        if v > 4:
            return ys
        ys = ys + [0.0]
    return ys


@prog(X, N)
def returned_argument(x, n):
    for i in range(n):
        x[i] = x[i] * 2
        if x[i] > 5:
            return x
    x[0] = 0.0
    return x


@prog(X)
def returned_number(x):
    total = 0
    for v in x:
        total += v
        if total > 5:
            return total
    return total


@prog(X)
def returned_in_branches(x):
    y = x * 2
    if x[0] > 2:
        y = y + 1
        if x[1] > 0:
            return y
        y = y - 5
    return y


@prog(X)
def returned_before_else(x):
    ys = []
    for v in x:
        if v > 9:
            return ys
        ys.append(v)
    else:
        ys.append(-1.0)
    return ys


@prog(X)
def returned_inside_while(x):
    ys = [x[0]]
    while ys[-1] < 100:
        ys.append(ys[-1] * 3)
        if len(ys) > 3:
            return ys
    ys.append(0.0)
    return ys


@prog(X, N)
def returned_despite_finally(x, n):
    ys = [n]
    try:
        if x[0] > 2:
            return ys
        ys = [n, n]
    finally:
        ys = [0]
    return ys
