"""Programs that unpack arrays, loop over them, and compute with sizes and steps that are unknown.

The file is long because it is a collection of independent programs.
"""

import itertools

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
ROW = np.arange(3.0) + 1
TABLE = np.arange(6.0).reshape(2, 3)


@PROGRAMS.program(ROW)
def unpacked(x):
    a, b, c = x
    return a + b * c


@PROGRAMS.program(ROW)
def unpacked_bad(x):
    a, b = x
    return a + b


@PROGRAMS.program(ROW)
def unpacked_bad2(x):
    a, b, c, d = x
    return a + b


@PROGRAMS.program(TABLE)
def unpacked_rows(m):
    a, b = m
    a[:] = 7
    b += a
    return m, a


@PROGRAMS.program(TABLE)
def unpacked_nest(m):
    (a, b, c), (d, e, f) = m
    return a - f, b * d


@PROGRAMS.program(TABLE)
def unpacked_loop(m):
    t = 0.0
    for a, b, c in m:
        t = t + a * b - c
    return t


@PROGRAMS.program(TABLE, ROW)
def zip_loop(m, x):
    t = 0.0
    for r, v in zip(m, x):
        t = t + r.sum() * v
    return t


@PROGRAMS.program(ROW, ROW)
def zip_strict(m, x):
    t = 0.0
    for r, v in zip(m, x, strict=True):
        t = t + r * v
    return t


@PROGRAMS.program(ROW, ROW[:2])
def zip_strict_short(m, x):
    t = 0.0
    for r, v in zip(m, x, strict=True):
        t = t + r * v
    return t


@PROGRAMS.program(ROW[:2], ROW)
def zip_strict_long(m, x):
    t = 0.0
    for r, v in zip(m, x, strict=True):
        m[0] += v
    return t


@PROGRAMS.program(ROW, ROW, ROW[:1])
def zip_strict3(m, x, y):
    t = 0.0
    for r, v, w in zip(m, x, y, strict=True):
        m[0] += v
    return t


@PROGRAMS.program(TABLE)
def enumerate_unpacked(m):
    t = 0.0
    for i, (a, b, c) in enumerate(m):
        t = t + a * i + b * c
    return t


@PROGRAMS.program(np.int64(10), np.int64(3))
def range_step(n, s):
    t = 0
    for i in range(0, n, s):
        t = t * 2 + i
    return t


@PROGRAMS.program(np.int64(1), np.int64(-3))
def range_step_negative(n, s):
    t = 0
    for i in range(11, n, s):
        t = t * 2 + i
    return t, i


@PROGRAMS.program(np.int64(1), np.int64(0))
def range_step0(n, s):
    t = 0
    for i in range(11, n, s):
        t = t * 2 + i
    return t


@PROGRAMS.program(np.int64(10), np.int64(3))
def range_step_list(n, s):
    return list(range(1, n, s)), len(range(1, n, s)), [i * 2 for i in range(n, 0, -s)]


@PROGRAMS.program(np.int64(10), np.int64(3))
def range_step_reversed(n, s):
    return list(reversed(range(1, n, s))), 4 in range(1, n, s)


@PROGRAMS.program(np.int64(10), np.int64(3))
def range_step_sum(n, s):
    return sum(range(1, n, s)), max(range(1, n, s)), sum(i * i for i in range(0, n, s))


@PROGRAMS.program(np.int64(10), np.int64(3))
def range_item(n, s):
    r = range(1, n, s)
    return r[1], r[-1]


@PROGRAMS.program(np.int64(5))
def power_2(n):
    t = 0
    for i in range(n):
        t = t + 2**i
    return t


@PROGRAMS.program(np.int64(5))
def power_n(n):
    t = 0
    for i in range(n):
        t = t + i**2
    return t


@PROGRAMS.program(np.int64(5))
def power_ij(n):
    t = 0
    for i in range(n):
        for j in range(i):
            t = t + i**j
    return t


@PROGRAMS.program(np.int64(5))
def power_negative(n):
    t = []
    for i in range(n):
        t.append(2 ** (i - 2))
    return t


@PROGRAMS.program(np.int64(5), np.arange(4.0))
def power_of_array(n, x):
    m = int(n)
    return x * 2**m, x * m**2, 2.0**m, m**0.5, (-1) ** m, (-1) ** (m + 1) * x


@PROGRAMS.program(np.arange(5.0))
def power_of_length(x):
    n = len(x)
    return 2**n, n**2, n**-1, x / n**2


@PROGRAMS.program(np.int64(3))
def power_0(n):
    t = []
    for i in range(n):
        t.append(i ** (-1 + i))
    return t


@PROGRAMS.program(np.arange(5.0))
def while_length(z):
    while len(z) > 2:
        z = z[1:]
    return z


@PROGRAMS.program(np.arange(8.0))
def while_length2(z):
    k = 0
    while len(z) > 1:
        z = z[::2] + z[1::2]
        k += 1
    return z, k


@PROGRAMS.program(np.arange(8.0), np.int64(2))
def while_length3(z, n):
    while len(z) > n:
        z = z[:-1] * 2
    return z


@PROGRAMS.program(TABLE)
def rows(m):
    out = []
    for r in m:
        out.append(r.sum())
    return out


@PROGRAMS.program(TABLE)
def rows2(m):
    out = [r * 2 for r in m]
    return out[0] + out[1]


@PROGRAMS.program(TABLE)
def rows3(m):
    return [r.max() for r in m if r[0] > 1.0]


@PROGRAMS.program(TABLE)
def rows4(m):
    for i, r in enumerate(m):
        r[:] = r + i
    return m


@PROGRAMS.program(TABLE)
def rows5(m):
    for r, q in zip(m, m[::-1]):
        r[0] = q[1]
    return m


@PROGRAMS.program(TABLE)
def rows_of_transposed(m):
    t = 0.0
    for c in m.T:
        t = t * 2 + c[0]
    return t


@PROGRAMS.program(ROW)
def iterated_next(x):
    it = iter(x)
    a = next(it)
    t = 0.0
    for v in it:
        t = t + v * a
    return t


@PROGRAMS.program(ROW)
def iterated_zip_pair(x):
    t = 0.0
    for a, b in zip(x, x[1:]):
        t = t * 3 + a - b
    return t


@PROGRAMS.program(ROW)
def iterated_zip_list(x):
    t = 0.0
    for a, b in zip(x, [1, 2, 3, 4]):
        t = t * 3 + a - b
    return t


@PROGRAMS.program(ROW, refused=SIZES)
def iterated_zip_iter(x):
    g = iter([1, 2, 3, 4])
    t = 0.0
    for a, b in zip(x, g):
        t = t * 3 + a - b
    return t, list(g)


@PROGRAMS.program(ROW, refused=SIZES)
def iterated_zip_iter2(x):
    g = iter([1, 2, 3, 4, 5])
    t = 0.0
    for b, a in zip(g, x):
        t = t * 3 + a - b
    return t, list(g)


@PROGRAMS.program(ROW)
def iterated_zip_gen(x):
    def gen():
        k = 0
        while True:
            yield k
            k += 1

    t = 0.0
    for a, b in zip(x, gen()):
        t = t * 3 + a - b
    return t


@PROGRAMS.program(ROW)
def iterated_count(x):
    t = 0.0
    for a, b in zip(x, itertools.count(1)):
        t = t * 3 + a - b
    return t


@PROGRAMS.program(ROW)
def iterated_enum1(x):
    t = 0.0
    for i, a in enumerate(x, 1):
        t = t * 3 + a * i
    return t


@PROGRAMS.program(TABLE, refused=SIZES)
def iterated_zipstar(m):
    out = []
    for a, b in zip(*m):
        out.append(a * b)
    return out


@PROGRAMS.program(ROW)
def starred(x):
    a, *b = x
    return a, b


@PROGRAMS.program(ROW)
def unpacked_try(x):
    try:
        a, b = x
    except ValueError:
        a, b = x[0], x[1]
    return a + b


@PROGRAMS.program(ROW)
def swap(x):
    a, b, c = x
    a, b = b, a
    x[0], x[1] = x[1], x[0]
    return a, b, x


@PROGRAMS.program(ROW)
def as_tuple(x):
    return tuple(x)


@PROGRAMS.program(ROW)
def as_list(x):
    return list(x)


@PROGRAMS.program(ROW)
def star_argument(x):
    return max(*x)


@PROGRAMS.program(ROW)
def unpacked_shape(x):
    (n,) = x.shape
    return x * n


@PROGRAMS.program(TABLE)
def unpacked_shape2(x):
    n, m = x.shape
    return np.zeros((m, n)) + x.T


@PROGRAMS.program(TABLE)
def unpacked_exprs(m):
    (a, b) = m.sum(axis=1)
    c, d, e = m[0] * 2
    return a * b, c + d + e


@PROGRAMS.program(TABLE)
def unpacked_comp(m):
    return [a + c for a, b, c in m]


@PROGRAMS.program(TABLE)
def unpacked_lambda(m):
    f = lambda v: (lambda p, q, r: p + q * r)(*v)
    return f(m[0])
