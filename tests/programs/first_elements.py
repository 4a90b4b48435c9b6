"""The first element of a generator expression, numbered elements, and iterators of own classes."""

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(3)


@prog(X)
def first_1(x):
    return next((i for i, v in enumerate(x) if v > 4), -1), next(
        (i for i, v in enumerate(x) if v > 40), -1
    )


@prog(X)
def first_2(x):
    k = next((v for v in x if v > 40), None)
    return 0.0 if k is None else k


@prog(X)
def first_3(x):
    return next(v for v in x if v > 4)


@prog(X)
def first_4(x):
    return next(v for v in x if v > 40)


@prog(X)
def first_5(x):
    return next((v * 2 for v in x), 0.0), next((i for i in range(3)), 7), next((i for i in ()), 7)


@prog(X)
def first_6(x):
    def f(v):
        print("asked", v)
        return v > 1.5

    return next((v for v in x[1:] if f(v)), 0.0)


@prog(X)
def first_7(x):
    return next((a * b for a in x for b in x if a * b > 12), 0.0)


@prog(X)
def first_8(x):
    return next((1 / (v - 4) for v in x if v < 2), 0.0), next((i for i in range(5) if x[i] > 4), 9)


@prog(X)
def first_9(x):
    t = 0.0
    for v in x:
        t = t + next((w for w in x if w > v), 0.0)
    return t


@prog(X)
def first_10(x):
    names = ["a", "b", "c", "d", "e"]
    return next((n for n, v in zip(names, x) if v > 4), "none")


@prog(X, refused=STAGED)
def first_11(x):
    it = iter(x)
    return next((v for v in it if v < 2), None), list(it)


@prog(X)
def first_12(x):
    if x[0] > 2:
        y = next((v for v in x if v > 4), 0.0)
    else:
        y = 1.0
    return y


@prog(X, N)
def numbered_1(x, n):
    t = 0.0
    for i, v in enumerate(x, n):
        if v > 1:
            t = t + i * v
    return t


@prog(X, N)
def numbered_2(x, n):
    return (
        list(enumerate(x, n)),
        list(enumerate(x, start=n + 1)),
        [i for i, v in enumerate(x, n) if v > 1],
    )


@prog(X, N)
def numbered_3(x, n):
    return list(enumerate(["a", "b"], n)), dict(enumerate(x, 1))


@prog(X)
def own_1(x):
    class Rows:
        def __init__(self, x):
            self.x = x
            self.i = 0

        def __iter__(self):
            return self

        def __next__(self):
            if self.i >= len(self.x):
                raise StopIteration
            self.i += 1
            return self.x[self.i - 1]

    r = Rows(x)
    return next(r) - next(r)


@prog(X, refused=SIZES)
def own_2(x):
    class Rows:
        def __init__(self, x):
            self.x = x

        def __len__(self):
            return len(self.x)

        def __getitem__(self, i):
            if i >= len(self.x):
                raise IndexError(i)
            return self.x[i] * 2

    t = 0.0
    for v in Rows(x):
        if v > 1:
            t = t + v
    return t


@prog(X, refused=SIZES)
def own_3(x):
    class Rows:
        def __init__(self, x):
            self.x = x
            self.i = 0

        def __iter__(self):
            return self

        def __next__(self):
            if self.i >= len(self.x):
                raise StopIteration
            self.i += 1
            return self.x[self.i - 1]

    a = next(Rows(x), None)
    t = 0.0
    for v in Rows(x):
        t = t + v
    return a, t, sum(Rows(x)), list(Rows(x))
