"""Iterators that a loop, a quantifier or another iterator has left before their end."""

import itertools

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])


@prog(X, refused=STAGED)
def left_1(x):
    it = iter(x)
    f = any(v > 4 for v in it)
    return f, list(it)


@prog(X, refused=STAGED)
def left_2(x):
    it = iter(x)
    f = all(v > 1 for v in it)
    return f, sum(it)


@prog(X, refused=STAGED)
def left_3(x):
    it = iter(x)
    f = any(map(lambda v: v > 4, it))
    return f, list(it)


@prog(X, refused=STAGED)
def left_4(x):
    it = iter(x)
    f = 2.0 in (v for v in it)
    return f, list(it)


@prog(X, refused=STAGED)
def left_5(x):
    it = iter(x)
    for a, b in zip(it, x):
        if a < 2:
            break
    return a, list(it)


@prog(X, refused=STAGED)
def left_6(x):
    it = iter(x)
    for a in map(lambda v: v, it):
        if a < 2:
            break
    return a, list(it)


@prog(X, refused=STAGED)
def left_7(x):
    it = iter(x)
    for a, b in enumerate(it):
        if b < 2:
            break
    return a, list(it)


@prog(X, refused=STAGED)
def left_8(x):
    it = iter(x)

    def first(it):
        for v in it:
            if v < 2:
                return v

    return first(it), list(it)


@prog(X, refused=STAGED)
def left_9(x):
    it = iter(x)
    for a in itertools.islice(it, 4):
        if a < 2:
            break
    return a, list(it)


@prog(X, refused=STAGED)
def left_10(x):
    it = iter(x)
    t = list(itertools.takewhile(lambda v: v > 1, it))
    return t, list(it)


@prog(X)
def left_11(x):
    it = iter(x)
    t = list(itertools.dropwhile(lambda v: v > 1, it))
    return t, list(it)


@prog(X, refused=STAGED)
def left_12(x):
    it = iter(x)
    t = next((v for v in it if v < 2), None)
    return t, list(it)


@prog(X, refused=STAGED)
def left_13(x):
    g = (v * 2 for v in x)
    f = any(v > 4 for v in g)
    return f, list(g)


@prog(X, refused=STAGED)
def left_14(x):
    def g():
        for v in x:
            yield v

    it = g()
    f = any(v > 4 for v in it)
    return f, list(it)


@prog(X, refused=STAGED)
def left_15(x):
    it = iter([v * 2 for v in x])
    f = any(v > 4 for v in it)
    return f, list(it)


@prog(X, refused=STAGED)
def left_16(x):
    it = zip(x, x[1:])
    f = any(a > b for a, b in it)
    return f, list(it)


@prog(X, refused=STAGED)
def left_17(x):
    it = iter(x)
    b = zip(it, it)
    for a in it:
        if a < 2:
            break
    return list(b)


@prog(X)
def left_18(x):
    it = iter(x)
    y = list(v for v in it if v > 1)
    return y, list(it)


@prog(X, refused=SIZES)
def left_19(x):
    it = iter(x)
    w = [i for i, v in zip(range(3), it) if v > 2]
    return w, list(it)


@prog(X, refused=SIZES)
def left_20(x):
    it = iter(x)
    w = [i for i, v in zip(it, range(3)) if v > 2]
    return w, list(it)


@prog(X, refused=STAGED)
def left_21(x):
    c = itertools.chain(iter(x), [1.0])
    w = 2.0 in c
    return w, list(c)


@prog(X, refused=STAGED)
def left_22(x):
    a, b = itertools.tee(x)
    w = 2.0 in a
    return w, list(a), list(b)


@prog(X, refused=STAGED)
def left_23(x):
    a, b = itertools.tee(iter(x))
    for v in a:
        if v < 2:
            break
    return list(a), list(b)


@prog(X, refused=STAGED)
def left_24(x):
    it = iter(x)
    while True:
        v = next(it, None)
        if v is None or v < 2:
            break
    return v, list(it)


@prog(X, refused=SIZES)
def left_25(x):
    it = iter(x)
    m = max(itertools.islice(it, 2))
    return m, min(it)


@prog(X, refused=STAGED)
def left_26(x):
    class H:
        def __init__(self):
            self.it = iter(x)

        def first(self):
            for v in self.it:
                if v < 2:
                    return v

    h = H()
    return h.first(), list(h.it)


@prog(X, refused=STAGED)
def left_27(x):
    it = (v * 2 for v in x if v > 1)
    if x[0] > 2:
        a = sum(it)
    else:
        a = 0.0
    return a, sum(it)


@prog(X, refused=STAGED)
def left_28(x):
    f = filter(lambda v: v > 1, x)
    a = any(v > 4 for v in f)
    return a, list(f)


@prog(X, refused=STAGED)
def left_29(x):
    f = filter(lambda v: v > 1, x)
    for v in f:
        if v > 2:
            break
    return v, list(f)


@prog(X, refused=STAGED)
def left_30(x):
    f = itertools.accumulate(x)
    for v in f:
        if v > 3:
            break
    return v, list(f)


@prog(X, refused=STAGED)
def left_31(x):
    f = reversed(list(x))
    g = any(v > 4 for v in f)
    return g, list(f)


@prog(X, refused=STAGED)
def left_32(x):
    z = [1, 2, 3, 4, 5]
    it = iter(z)
    t = 0.0
    for v in x:
        if v > 1:
            for k in it:
                t = t + k * v
                break
    return t, list(it)


@prog(X, refused=STAGED)
def left_33(x):
    r = iter(range(5))
    t = 0
    for v, k in zip(x, r):
        if v < 2:
            break
    return k, list(r)
