"""Functions of one element with control flow, with batches of elements, for tests of `rt.vmap`."""

import math

import numpy as np
from batch_expressions import (
    COMPLEX,
    MATRICES,
    NUMBERS,
    PLACES,
    POSITIVE,
    SINGLES,
    VECTORS,
    WHOLE,
)

BATCHES = {}


def program(*batches):
    """Notes the function with batches of its arguments."""

    def noted(function):
        BATCHES[function] = batches
        return function

    return noted


@program(NUMBERS)
def early(x):
    if x < -0.5:
        return -1.0
    y = x * 2
    if y > 1:
        return y
    return y + 10


@program(NUMBERS, VECTORS)
def rebind(x, v):
    if x > 0:
        v = v * 2
    elif v[0] > 0:
        v = v + x
    return v


@program(VECTORS)
def setmask(v):
    v = v.copy()
    v[v < 0] = 0
    v[1:] += 1
    return v


@program(VECTORS, PLACES)
def setidx(v, i):
    w2 = np.zeros(4)
    w2[i] = v[i]
    w2[i] += 1
    w2[:2] = v[2:]
    return w2


@program(VECTORS)
def inplace_arg(v):
    v = v * 1
    for i in range(4):
        v[i] = v[i] + i
    return v


@program(WHOLE)
def collatz(a):
    a = abs(a) + 1
    n = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        n += 1
    return n


@program(POSITIVE)
def newton(x):
    y = x
    k = 0
    while abs(y * y - x) > 1e-10:
        y = 0.5 * (y + x / y)
        k += 1
        if k > 50:
            break
    return (y, k)


@program(VECTORS)
def forbreak(v):
    t = 0.0
    for e in v:
        if e > 1:
            break
        if e < -1:
            continue
        t += e
    else:
        t = t * 100
    return t


@program(PLACES, VECTORS)
def tripcount(n, v):
    s = 0.0
    for i in range(n + 1):
        s += v[i]
    return s


@program(PLACES, VECTORS)
def nested(n, v):
    s = 0.0
    for i in range(n + 2):
        j = 0
        while v[j] < s and j < 3:
            j += 1
            s += 0.5
        s += v[i % 4] * j
    return s


@program(NUMBERS)
def listy(x):
    z = []
    for i in range(np.int64(3)):
        z.append(x * i)
    return np.stack(z)


@program(NUMBERS)
def listret(x):
    z = []
    for i in range(5):
        z.append(x * i)
    return z


@program(VECTORS, PLACES)
def listget(v, i):
    z = []
    for e in v:
        z.append(e * 2)
    return (z[i] + z[0] + z[-1], len(z))


@program(PLACES)
def pyints(n):
    c = 0
    for i in range(n):
        c += i
    return c * 2.5


@program(NUMBERS)
def asserts(x):
    assert x < 100, f"too large {x}"
    if x > 50:
        raise ValueError("bad", x)
    return x


@program(NUMBERS, VECTORS)
def closures(x, v):

    def g(y):
        return y * x

    return sum([g(e) for e in v])


@program(VECTORS)
def best(v):
    b = None
    for e in v:
        if b is None or e > b:
            b = e
    return b


@program(VECTORS)
def match(v):
    x = v[0]
    match int(abs(x) * 2):
        case 0:
            y = 1.0
        case 1 | 2:
            y = x
        case n:
            y = x * n
    return y


@program(WHOLE)
def fact(n):

    def f(k):
        if k <= 1:
            return np.int64(1)
        return k * f(k - 1)

    return f(abs(n))


@program(VECTORS)
def ragged(v):
    t = 0.0
    for e in v[v > 0]:
        t = t * 2 + e
    return (t, np.sum(v[v < 0]), v[v > 0].size)


@program(VECTORS, PLACES)
def dyn(v, i):
    return (v[i : i + 2], v[:i].sum())


@program(VECTORS)
def sorter(v):
    z = []
    for e in v:
        z.append(e)
    return (sorted(z)[0], max(z), z.index(v[2]))


@program(NUMBERS)
def tern(x):
    y = math.sqrt(x) if x > 0 else 0.0
    return y + (1 / x if x != 0 else 0)


@program(MATRICES, VECTORS)
def power(m, v):
    for _ in range(20):
        v = m @ v
        v = v / np.linalg.norm(v)
    return v @ m @ v


@program(MATRICES)
def cholinv(m):
    if np.linalg.det(m) > 0:
        return np.linalg.inv(m)
    return np.zeros((4, 4))


@program(VECTORS)
def enum(v):
    t = 0.0
    for i, (a, b) in enumerate(zip(v, v[::-1])):
        t += i * a * b
    return t


@program(SINGLES)
def weak(x):
    y = 1.0
    while y < abs(x) * 4:
        y = y * 1.5
    return (x * y, y)


@program(VECTORS)
def whilearr(v):
    while np.any(v > 0.1):
        v = v * 0.5 - 0.01
    return v


@program(NUMBERS)
def unbound(x):
    if x > -100:
        y = x
    return y


@program(VECTORS, PLACES)
def listset(v, i):
    z = [v[0], v[1], v[2]]
    z[i] = v[3]
    return z[0] + 2 * z[1] + 3 * z[2]


@program(VECTORS, PLACES)
def listins(v, i):
    z = []
    for e in v:
        z.append(e)
    z.insert(i, v[0] * 9)
    z.pop()
    return np.stack(z)


@program(VECTORS)
def tup(v):
    z = []
    for i, e in enumerate(v):
        z.append((i, e))
    a, b = z[1]
    return b * a


@program(COMPLEX)
def cplx(z):
    k = 0
    c = z[0]
    w_ = c * 0
    while abs(w_) < 2 and k < 20:
        w_ = w_ * w_ + c
        k += 1
    return k


@program(NUMBERS)
def whilecapt(x):
    y = x * 3
    s = 0.0
    while s < abs(x):
        s += 0.1 * abs(y) + 0.01
    return s + y
