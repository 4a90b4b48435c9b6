"""Iterators of staged values, which give their elements once."""

import functools
import itertools

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)


@PROGRAMS.program(X, N, refused=STAGED)
def once_i1(x, n):
    p = zip(x, x[1:])
    t = 0.0
    if x[0] > 2:
        t = sum((a * b for a, b in p))
    return (t, list(p))


@PROGRAMS.program(X, N, refused=STAGED)
def once_i2(x, n):
    p = map(lambda v: v * 2, x)
    t = 0.0
    for i in range(n):
        t = t + sum(p) + i
    return t


@PROGRAMS.program(X, N, refused=STAGED)
def once_i3(x, n):
    it = map(lambda v: v, x)
    return [a * b for a, b in zip(it, it)]


@PROGRAMS.program(X, N)
def once_i4(x, n):
    seen = []

    def f(v):
        seen.append(v)
        return v * 2

    return (sum(map(f, x)), len(seen))


@PROGRAMS.program(X, N, refused=STAGED)
def once_i5(x, n):
    p = map(lambda v: v > 2, x)
    a = any(p)
    return (a, list(p))


@PROGRAMS.program(X, N, refused=STAGED)
def once_i6(x, n):
    p = map(lambda v: v * 1.0, x)
    a = 2.0 in p
    return (a, list(p))


@PROGRAMS.program(X, N)
def once_i7(x, n):
    p = enumerate(x)
    a = min(p)
    b = sorted(p)
    c = list(p)
    return (a, b, c)


@PROGRAMS.program(X, N, refused=SIZES)
def once_i8(x, n):
    e = enumerate(x)
    z = list(zip(e, x))
    return (z, list(e))


@PROGRAMS.program(X, N, refused=STAGED)
def once_i9(x, n):
    p = zip(x, range(n))
    t = 0.0
    for a, b in p:
        if a > 4:
            break
        t = t + a
    return (t, sum((a for a, b in p)))


@PROGRAMS.program(X, N)
def once_i10(x, n):
    p = reversed(x)
    t = 0.0
    for v in p:
        t = t * 2 + v
    for v in p:
        t = t + 100
    return (t, tuple(p))


@PROGRAMS.program(X, N)
def once_i11(x, n):
    p = reversed(range(n))
    q = list(p)
    return (q, list(p), max(q))


@PROGRAMS.program(X, N)
def once_i12(x, n):
    p = iter(zip(x, x))
    a = next(p)
    return (a, list(p))


@PROGRAMS.program(X, N)
def once_i13(x, n):
    a = itertools.accumulate(x)
    l = list(a)
    return (l, list(a))


@PROGRAMS.program(X, N)
def once_i14(x, n):
    f = filter(lambda v: v > 2, x)
    t = 0.0
    for v in f:
        t = t + v
    for v in f:
        t = t + v
    return (t, len(list(f)))


@PROGRAMS.program(X, N)
def once_i15(x, n):
    z = []
    for i in range(n):
        p = zip(x, x[1:])
        z.append(sum((a * b for a, b in p)))
    return z


@PROGRAMS.program(X, N)
def once_i16(x, n):
    p = zip(x, range(5))
    d = dict(((k, v) for v, k in p))
    return (d, list(p))


@PROGRAMS.program(X, N)
def once_i17(x, n):
    return (
        list(zip(reversed(x), range(n))),
        [i for i, _ in enumerate(reversed(x))],
        list(map(lambda a, b: a - b, reversed(x), x)),
    )


@PROGRAMS.program(X, N)
def once_i18(x, n):
    p = map(lambda v: v * 2, x)
    f = functools.reduce(lambda a, b: a + b, p)
    return (f, list(p))


@PROGRAMS.program(X, N)
def once_i19(x, n):
    p = map(lambda v: v * 2, x)
    a = [*p]
    b = [v for v in p]
    c, *d = [1, *p, 2]
    return (a, b, c, d)


@PROGRAMS.program(X, N)
def once_i20(x, n):
    p = enumerate(x)
    a = [v for i, v in p if v > 2]
    return (a, [v for i, v in p])


@PROGRAMS.program(X, N)
def once_i21(x, n):
    e = enumerate(x)
    for i, v in e:
        pass
    else:
        w = i
    return (w, list(e))


@PROGRAMS.program(X, N)
def once_i22(x, n):
    return (list(zip(x, x[:n], strict=False)), len(list(zip(x, x, strict=True))))


@PROGRAMS.program(X, N)
def once_i23(x, n):
    p = zip(x, x)
    np_ = np.array(list(p))
    return (np_, len(list(p)))


@PROGRAMS.program(X, N)
def once_i24(x, n):
    p = reversed(list(range(n)))
    return (list(p), list(p))


@PROGRAMS.program(X, N)
def once_i25(x, n):
    z = []
    for v in x:
        if v > 1:
            z.append(v)
    p = reversed(z)
    a = list(p)
    z.reverse()
    return (a, list(p), z)


@PROGRAMS.program(X, N)
def once_i26(x, n):
    z = []
    t = 0.0
    for v in x:
        if v > 1:
            z.append(v)
    for v in reversed(z):
        t = t * 0.5 + v
    for i, v in zip(range(n), reversed(z)):
        t = t + i * v
    return t


@PROGRAMS.program(X, N, refused=STAGED)
def once_i27(x, n):
    p = map(lambda v: v * 2, x)
    if x[0] > 2:
        a = list(p)
    else:
        a = list(p)
    return a


@PROGRAMS.program(X, N, refused=SIZES)
def once_i28(x, n):
    it = iter(x)
    p = zip(it, it)
    return (list(p), list(p), next(it, None))


@PROGRAMS.program(X, N)
def once_i29(x, n):
    p = map(lambda v: v * 2, x)
    q = p
    a = max(p)
    return (a, sum(q))


@PROGRAMS.program(X, N)
def once_i30(x, n):
    z = list(x)
    z.extend(map(lambda v: v * 2, x))
    z += reversed(x)
    return z
