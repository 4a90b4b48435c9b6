"""Generator expressions that are no argument of `sum`, `list` and the like."""

import itertools

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
program = PROGRAMS.program
X = np.array([0.5, -1.5, 1.0, 2.0])


def positive(a):
    for v in a:
        if v > 0:
            yield v


def total(elements):
    t = 0.0
    for v in elements:
        t += v
    return t


@program(X)
def in_a_loop(a):
    t = 0.0
    for v in (w * 2 for w in a if w > 0):
        t += v
    return t


def delegating(a):
    yield from (w * 2.0 for w in a if w > a[0])
    yield a[1]


@program(X)
def delegated(a):
    return list(delegating(a))


@program(X)
def nested(a):
    return sum(w for w in (w + 1 for w in positive(a) if w < 3) if w > 1)


@program(X)
def extending(a):
    z = []
    z.extend(w for w in a if w > 0)
    z += (w for w in positive(a))
    return z


@program(X)
def used_up(a):
    it = (w for w in a if w > 0)
    return list(it), list(it)


@program(X)
def left(a):
    for i, v in enumerate(w for w in a if w > 0):
        if v > 1:
            return i, v
    return -1, 0.0


@program(X)
def searched(a):
    return 0.5 in (w for w in a if w > 0), max((w for w in positive(a) if w < 2), default=0.0)


@program(X, refused=SIZES)
def first_and_others(a):
    it = (w for w in a)
    x = next(it)
    return x, list(it)


@program(X)
def in_zip(a):
    return [x + y for x, y in zip((w for w in a if w > -9), a)]  # noqa: B905


@program(X)
def given(a):
    return total(w for w in a if w > 0), total(w for w in positive(a))


@program(X)
def late_bound(a):
    k = 3.0
    made = (w * k for w in a if w > 0)
    k = 5.0
    return sum(made), np.array(list(made)).size


@program(X)
def in_functions(a):
    found = list(map(abs, (w for w in a if w < 0)))
    found += itertools.accumulate(w for w in a if w > 0)
    return found, any((w > 0 for w in (v for v in a if v < 9)))


@program(X)
def in_a_comprehension(a):
    return [(x, y) for x in a for y in (w for w in a if w > x)]


@program(X)
def binding(a):
    last = 0.0
    for v in (last := w for w in a if w > 0):
        last = last + v
    return last


@program(np.int64(4))
def over_a_range(n):
    t = 0
    for v in (i * i for i in range(n) if i % 2):
        t += v
    return t, type(i for i in range(n)).__name__, (i for i in range(n)).__qualname__
