"""Loops over known elements: each equals Python's loop, and is staged, or unrolled, as it says.

`staged`: from the first iteration on; `peeled`: after some iterations; `unrolled`: in a trial that
was undone; `again`: the function was recorded again, with every loop unrolled; `none`: not tried.
"""

import io
import struct
from collections import deque

import numpy as np

LOOPS = {}


def loop(outcome):
    def add(function):
        LOOPS[function.__name__] = function, outcome
        return function

    return add


NAMES = {20: "k"}


@loop("staged")
def behind_key(x):
    n = 0
    y = x.copy()
    for i in range(20):
        n += 1
        y = y * 1.01
    return NAMES[n], y


@loop("staged")
def behind_shape(x):
    n = 0
    y = x.copy()
    for i in range(20):
        n += 1
        y = y * 1.01
    return np.zeros(n) + y


@loop("staged")
def counter_behind(x):
    y = x.copy()
    for i in range(20):
        y = y * 1.01
    return np.zeros(i), i, y


@loop("unrolled")
def closures(x):
    fs = []
    for i in range(20):
        fs.append(lambda y: y + i)
    return fs[3](x), fs[7](x)


@loop("staged")
def prints(x):
    s = x[0]
    for i in range(20):
        print("i", i)
        s = s * x[i]
        if i % 7 == 0:
            print("s", s)
    print("done")
    return s


@loop("unrolled")
def next_iter(x):
    it = iter(range(100))
    s = 0.0
    for i in range(20):
        s = s + x[i] * next(it)
    return s


@loop("unrolled")
def zip_outside(x):
    z = zip(range(40), range(40))
    s = 0.0
    for i in range(20):
        a, b = next(z)
        s = s + x[i] * a
    return s, next(z)


@loop("unrolled")
def buf_write(x):
    b = io.StringIO()
    s = 0.0
    for i in range(20):
        b.write("a")
        s = s + x[i]
    return s, b.getvalue()


@loop("unrolled")
def packs(x):
    s = 0.0
    for i in range(20):
        s = s + struct.pack("B", i)[0] * x[i]
    return s


@loop("unrolled")
def dq(x):
    q = deque()
    s = 0.0
    for i in range(20):
        q.append(i)
        s = s + x[i]
    return s, list(q)


def bump():
    bump.n += 1


bump.n = 0


@loop("peeled")
def fattr(x):
    bump.n = 0
    s = 0.0
    for i in range(20):
        bump()
        s = s + x[i]
    return s, bump.n


@loop("peeled")
def acc(x):
    a = 0
    for i in range(20):
        a = a + x[i]
    return a


@loop("peeled")
def negacc(x):
    a = 0
    for i in range(20):
        a = -a
        a = a * a + x[i]
    return a


@loop("none")
def invacc(x):
    a = 0
    for i in range(20):
        a = 1 / a
    return a + x


@loop("peeled")
def join15(x):
    s = 1.5
    y = x.copy()
    for i in range(20):
        s = i // 1
        y = y + s
    return s, y


@loop("peeled")
def noneh(x):
    h = None
    for i in range(20):
        h = x[i] if h is None else h * 0.5 + x[i]
    return h


@loop("unrolled")
def swap(x):
    a, b = 1, 2.5
    y = x.copy()
    for i in range(21):
        a, b = b, a
        y = y + a
    return a, b, y


@loop("unrolled")
def known_branch(x):
    s = 0.0
    for i in range(20):
        y = 0 if i == 0 else x[i]
        s = s + y
    return s, y


@loop("peeled")
def tuple_branch(x):
    s = 0.0
    y = 0
    for i in range(20):
        if i % 2:
            y = (i, s)
        s = s + x[i]
    return s, y


@loop("peeled")
def inner_zero(x):
    t = 0.5
    s = 0.0
    for i in range(20):
        for j in range(i):
            t = abs(i)
        s = s + x[i] * t
    return s, t


@loop("peeled")
def alias(x):
    a = x.copy()
    b = a
    for i in range(20):
        a[0] += 2.0
        b = b * 0.5 + i
    return a, b


@loop("staged")
def concat(x):
    y = x[:1]
    for i in range(1, 20):
        y = np.concatenate([y, x[i : i + 1]])
    return y, y.shape


@loop("peeled")
def powers(x):
    s = 0.0
    for i in range(20):
        s = s + (-1) ** i * x[i] / 2**i + i**2
    return s


D = {i: float(i) * 2 for i in range(20)}


@loop("unrolled")
def dictget(x):
    s = 0.0
    for i in range(20):
        s = s + D[i] * x[i]
    return s


@loop("unrolled")
def fkey(x):
    d = {f"w{i}": i for i in range(20)}
    s = 0.0
    for i in range(20):
        s = s + d[f"w{i}"] * x[i]
    return s


@loop("unrolled")
def seenadd(x):
    seen = set()
    s = 0.0
    for i in range(20):
        seen.add(i)
        s = s + x[i]
    return s, seen


@loop("unrolled")
def misc(x):
    s = 0.0
    L = list(range(20))
    out = []
    for i in range(20):
        s = (
            s
            + L.index(i) * x[i]
            + len("a" * i)
            + len([0] * i)
            + len(bytes([i]))
            + i.bit_length()
            + len(str(i))
        )
        out.append(chr(65 + i))
    return s, out


LAYERS = [(lambda v, k=k: v * k) for k in range(20)]


@loop("unrolled")
def layers(x):
    y = x.copy()
    for i in range(20):
        y = LAYERS[i](y)
    return y


class P:
    def __init__(s, i, v):
        s.i = i
        s.v = v


@loop("staged")
def objs(x):
    ps = []
    for i in range(20):
        ps.append(P(i, x[i]))
    return [(p.i, p.v) for p in ps]


@loop("staged")
def strs(x):
    t = ""
    s = x[0]
    for i in range(20):
        t += "ab"
        s = s * x[i]
    return t, s


@loop("staged")
def boolflag(x):
    found = False
    s = 0.0
    for i in range(20):
        if x[i] > 1.0 and not found:
            found = True
            s = s + i
    return found, s


@loop("peeled")
def bestidx(x):
    best = -1
    bv = -1.0
    for i in range(20):
        if x[i] > bv:
            bv = x[i]
            best = i
    return best, bv
