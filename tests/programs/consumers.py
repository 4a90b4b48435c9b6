"""Functions of the standard library that make iterators, on staged values."""

import functools
import itertools
import operator

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)


def grown(x, n):
    z = []
    for i in range(n):
        z.append(x[i])
    return z


@PROGRAMS.program(X)
def takew(x):
    t = 0.0
    for a in itertools.takewhile(lambda v: v > 2 or v == 1, x):
        t = t + a
    return t


@PROGRAMS.program(X)
def dropw(x):
    return list(itertools.dropwhile(lambda v: v > 2, x)), sum(
        itertools.takewhile(lambda v: v > 2, x)
    )


@PROGRAMS.program(X, N)
def chain_(x, n):
    t = 0.0
    for v in itertools.chain(grown(x, n), x, [1.0]):
        t = t * 2 + v
    return t, list(itertools.chain(grown(x, n), [7.0]))


@PROGRAMS.program(X, N)
def islice_(x, n):
    t = 0.0
    for v in itertools.islice(x, n):
        t = t * 2 + v
    for v in itertools.islice(grown(x, n), 1, 3):
        t = t * 2 + v
    return t, list(itertools.islice(x, 1, n, 2))


@PROGRAMS.program(X, N)
def combos(x, n):
    t = 0.0
    for a, b in itertools.combinations(grown(x, n), 2):
        t = t * 2 + a * b
    return t, list(itertools.combinations(grown(x, n), 2))


@PROGRAMS.program(X, N)
def perms(x, n):
    t = 0.0
    for a, b in itertools.permutations(x[:3], 2):
        t = t * 2 + a * b
    return t


@PROGRAMS.program(X, N)
def prods(x, n):
    t = 0.0
    for a, b in itertools.product(grown(x, n), x):
        t = t * 2 + a * b
    return t


@PROGRAMS.program(X, N)
def accum(x, n):
    return (
        list(itertools.accumulate(grown(x, n))),
        list(itertools.accumulate(x, max)),
        list(itertools.accumulate(x, lambda a, b: a * b, initial=1.0)),
    )


@PROGRAMS.program(X, N)
def pairw(x, n):
    t = 0
    for a, b in itertools.pairwise(x):
        if a < b:
            t += 1
    for a, b in itertools.pairwise(grown(x, n)):
        t += a * b
    return t


@PROGRAMS.program(np.array([1, 1, 2, 2, 2, 3]))
def groupb(x):
    return [(k, len(list(g))) for k, g in itertools.groupby(x)]


@PROGRAMS.program(np.array([1, 1, 2, 2, 2, 3]))
def groupb2(x):
    out = []
    for k, g in itertools.groupby(x, key=lambda v: v > 1):
        out.append(sum(g))
    return out


@PROGRAMS.program(X, N)
def ziplong(x, n):
    t = 0.0
    for a, b in itertools.zip_longest(x, x[:2], fillvalue=0.0):
        t = t * 2 + a * b
    return t


@PROGRAMS.program(X, N)
def starm(x, n):
    return list(itertools.starmap(lambda a, b: a * b, zip(x, x))), sum(
        itertools.starmap(operator.mul, [(x[0], x[1]), (x[2], x[3])])
    )


@PROGRAMS.program(X, N)
def rep(x, n):
    t = 0.0
    for v in itertools.repeat(x[0], 3):
        t += v
    for v, w in zip(x, itertools.cycle([1.0, -1.0])):
        t += v * w
    return t


@PROGRAMS.program(X, N)
def repn(x, n):
    t = 0.0
    for v in itertools.repeat(x[0], n):
        t += v
    return t


@PROGRAMS.program(X, N)
def count_(x, n):
    t = 0.0
    for i, v in zip(itertools.count(), grown(x, n)):
        t += i * v
    return t


@PROGRAMS.program(X, N)
def filterf(x, n):
    return (
        list(itertools.filterfalse(lambda v: v > 2, x)),
        list(itertools.compress(x, x > 2)),
        list(filter(lambda v: v > 2, x)),
    )


@PROGRAMS.program(X, N)
def red(x, n):
    return (
        functools.reduce(operator.mul, grown(x, n)),
        functools.reduce(lambda a, b: max(a, b), x),
        functools.reduce(operator.add, filter(lambda v: v > 2, x)),
    )


@PROGRAMS.program(X, N)
def starcomb(x, n):
    return [a + b for a, b in itertools.combinations(x, 2) if a > b]


@PROGRAMS.program(X, N)
def countw(x, n):
    for k in itertools.count(1):
        if k * k > n:
            break
    return k


@PROGRAMS.program(X, N)
def nextgen(x, n):
    return next(v for v in x if v < 2), next((i for i, v in enumerate(x) if v > 100), -1)


@PROGRAMS.program(X, N)
def chainfrom(x, n):
    return list(itertools.chain.from_iterable([grown(x, n), x])), sum(
        itertools.chain.from_iterable([x, x])
    )


@PROGRAMS.program(X, N)
def ops(x, n):
    return (
        operator.add(x[0], n),
        operator.mul(x[0], n),
        operator.itemgetter(1)(x),
        operator.lt(x[0], x[1]),
        sorted(x, key=operator.neg),
        max(x, key=operator.neg),
    )


@PROGRAMS.program(X, N)
def minmaxkey(x, n):
    return (
        min(grown(x, n), key=lambda v: (v - 2) ** 2),
        max(range(4), key=lambda i: x[i]),
        sorted(grown(x, n), key=lambda v: -v),
    )


@PROGRAMS.program(X, N)
def sortedt(x, n):
    return (
        sorted([(x[i], i) for i in range(4)]),
        sorted(zip(x, range(5)), key=lambda p: p[0]),
        sorted(range(4), key=lambda i: x[i]),
    )
