"""Programs that make arrays of staged lists of tuples."""

from collections import namedtuple

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
Point = namedtuple("Point", "x y")
ROW = np.array([3.0, -1.0, 2.0, 0.5])
POINTS = np.random.default_rng(1).normal(size=(12, 2))


@PROGRAMS.program(POINTS, refused=SIZES)
def convex_hull(points):
    def turn(o, a, b):
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    points = sorted(map(tuple, points))
    lower, upper = [], []
    for p in points:
        while len(lower) >= 2 and turn(lower[-2], lower[-1], p) <= 0:
            lower.pop()
        lower.append(p)
    for p in reversed(points):
        while len(upper) >= 2 and turn(upper[-2], upper[-1], p) <= 0:
            upper.pop()
        upper.append(p)
    return np.array(lower[:-1] + upper[:-1])


@PROGRAMS.program(ROW)
def of_numbers_of_several_kinds(x):
    found = []
    for i in range(len(x)):
        if x[i] > 0:
            found.append((i, x[i], True))
    table = np.array(found)
    return table, table.shape, np.asarray(found, np.float32), table[:, 1].sum()


@PROGRAMS.program(np.array([3, 1, 2]))
def of_integers(x):
    pairs = [(0, 0)]
    while pairs[-1][0] < x.sum():
        i, total = pairs[-1]
        pairs.append((i + 1, total * 2 + 1))
    return np.array(pairs), np.stack(pairs), np.vstack(pairs), np.mean(pairs, axis=0), np.max(pairs)


@PROGRAMS.program(ROW)
def of_named_tuples(x):
    points = []
    for v in x:
        if v > 1:
            points.append(Point(v, v * v))
    return np.linalg.norm(np.array(points), axis=1), np.concatenate(points)


@PROGRAMS.program(ROW)
def of_one_number(x):
    found = []
    for v in x:
        if v > 0:
            found.append((v,))
    return np.array(found)


@PROGRAMS.program(np.array([3.0 + 1j, -1.0]))
def of_complex_numbers(x):
    found = []
    for v in x:
        if v.real < 5:
            found.append((v.real, v * 2))
    return np.array(found)
