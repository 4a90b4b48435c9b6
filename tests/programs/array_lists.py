"""Programs that make Python lists of arrays by `tolist`, and go on with Python numbers."""

from collections import Counter

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
ROW = np.array([3.0, 1.0, 2.0])
NARROW = ROW.astype(np.float32)
COUNTS = np.array([3, 1, 3, 1, 2])
TABLE = np.array([[3, 1], [2, 2], [5, 0]])


@PROGRAMS.program(ROW)
def row(x):
    return x.tolist()


@PROGRAMS.program(TABLE)
def table(x):
    return x.tolist(), len(x.tolist())


@PROGRAMS.program(np.array([True, False]))
def bools(x):
    return x.tolist()


@PROGRAMS.program(np.ones((2, 2, 2), complex))
def cube(x):
    return x.tolist()


@PROGRAMS.program(np.zeros(0))
def empty(x):
    return x.tolist(), sum(x.tolist())


@PROGRAMS.program(np.zeros((2, 0), "i4"))
def empty_rows(x):
    return x.tolist()


@PROGRAMS.program(NARROW)
def sorted_in_place(x):
    z = x.tolist()
    z.append(7.5)
    z.sort()
    return z, z[1] + x[0], sum(z), max(z)


@PROGRAMS.program(TABLE)
def sums_of_rows(x):
    out = []
    for one in x.tolist():
        out.append(sum(one))
    return out


@PROGRAMS.program(TABLE)
def unpacked_rows(x):
    return [a * b for a, b in x.tolist()], sorted(x.tolist())


@PROGRAMS.program(COUNTS)
def keys(x):
    return sorted(set(x.tolist())), dict.fromkeys(x.tolist()), Counter(x.tolist()).most_common(2)


@PROGRAMS.program(COUNTS)
def halves(x):
    return [v / 2 for v in x[x > 1].tolist()]


@PROGRAMS.program(ROW)
def found_places(x):
    return np.argwhere(x > 1).tolist(), np.nonzero(x > 1)[0].tolist(), np.unique(x).tolist()
