"""Generators with staged conditions and loops around their `yield`."""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
X = np.arange(5.0)


@PROGRAMS.program(X)
def gen_sum(x):
    def gen(v):
        for k in range(len(v)):
            if v[k] > 1:
                yield v[k] * 2

    return sum(gen(x))


def above(v, c):
    for k in v:
        if k > c:
            yield k * 2


@PROGRAMS.program(X)
def gen_top(x):
    return sum(above(x, 1))


@PROGRAMS.program(X)
def gen_for(x):
    t = 0.0
    for y in above(x, 1.5):
        t = t + y * y
    return t


@PROGRAMS.program(X)
def gen_int(x):
    n = 0
    for y in above(x, 1.5):
        n += 1
    return n


@PROGRAMS.program(X)
def gen_break(x):
    t = 0.0
    for y in above(x, 1.5):
        if y > 5:
            break
        t = t + y
    else:
        t = -1.0
    return t, y


def upto(v):
    i = 0
    while v[i] < 3:
        yield v[i]
        i += 1


@PROGRAMS.program(X)
def gen_while(x):
    t = 0.0
    for y in upto(x):
        t = t + y * y
    return t


@PROGRAMS.program(X)
def gen_list(x):
    return list(above(x, 1)), sorted(above(x, 2)), max(above(x, 0)), min(upto(x))


@PROGRAMS.program(X)
def gen_comp(x):
    return [y + 1 for y in above(x, 1)]


@PROGRAMS.program(X)
def gen_genexp(x):
    return sum(y + 1 for y in above(x, 1))


@PROGRAMS.program(X)
def gen_genexp2(x):
    return sum(y + 1 for y in above(x, 1) if y > 5)


def sq(it):
    for v in it:
        yield v * v


def skipneg(it):
    for v in it:
        if v < 2:
            continue
        yield v


@PROGRAMS.program(X)
def pipeline(x):
    return sum(sq(skipneg(x)))


@PROGRAMS.program(X)
def pipeline2(x):
    t = 0.0
    for v in skipneg(sq(above(x, 0))):
        t += v
    return t


def yf(x):
    yield from above(x, 1)
    yield x[0]


@PROGRAMS.program(X)
def yieldfrom(x):
    return list(yf(x))


@PROGRAMS.program(X)
def anyall(x):
    return any(v > 5 for v in above(x, 1)), any(sq(above(x, 1))), all(skipneg(x))


@PROGRAMS.program(X)
def np_arr(x):
    return np.array(list(above(x, 1)))


def collatz(n):
    while n != 1:
        yield n
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
    yield 1


@PROGRAMS.program(np.int64(7))
def coll(n):
    return list(collatz(n)), max(collatz(n)), sum(collatz(n))


@PROGRAMS.program(np.int64(7))
def coll_len(n):
    return len(list(collatz(n)))


def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


@PROGRAMS.program(np.int64(50))
def fibs(n):
    t = 0
    for f in fib():
        if f > n:
            break
        t += f
    return t


def effects(x, log):
    try:
        for v in x:
            log.append("y")
            if v > 1:
                yield v
    finally:
        log.append("closed")


@PROGRAMS.program(X)
def fin(x):
    log = []
    t = 0.0
    for v in effects(x, log):
        if v > 2:
            break
        t += v
    return t, log


def sub(x):
    n = 0
    for v in x:
        if v > 1:
            yield v
            n += 1
    return n


def outer(x):
    n = yield from sub(x)
    yield n * 100.0


@PROGRAMS.program(X)
def yf_value(x):
    return list(outer(x))


class C:
    def __init__(s, x):
        s.x = x

    def big(s):
        for v in s.x:
            if v > 1:
                yield v


@PROGRAMS.program(X)
def method(x):
    return sum(C(x).big())


@PROGRAMS.program(X)
def enum(x):
    t = 0.0
    for i, v in enumerate(above(x, 1)):
        t += i * v
    return t


@PROGRAMS.program(X)
def mapp(x):
    return sum(map(lambda v: v + 1, above(x, 1)))


@PROGRAMS.program(X)
def nxt(x):
    return next(above(x, 1))


@PROGRAMS.program(X, refused=STAGED)
def resumed(x):
    g = above(x, 1)
    t = 0.0
    for v in g:
        t += v
        if v > 4:
            break
    for v in g:
        t += v * 100
    return t


@PROGRAMS.program(X)
def ext(x):
    z = []
    z.extend(above(x, 1))
    z += above(x, 2)
    return z


@PROGRAMS.program(X, refused=STAGED)
def unp(x):
    a, b, c = above(x, 1)
    return a + b + c


@PROGRAMS.program(X)
def unk(x):
    t = 0.0
    for v in above(x, 1):
        for w in above(x, v / 2):
            t += w * v
    return t
