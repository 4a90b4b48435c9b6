"""More loops over known elements: exceptions, jumps, counters, iterables and containers."""

import numpy as np
from support.known_loops import loop


class Pair:
    def __init__(self, i, v):
        self.i = i
        self.v = v


TABLE = {i: float(i) * 2 for i in range(20)}


@loop("peeled")
def tryindex(x):
    t = [1.0, 2.0, 3.0]
    s = 0.0
    for i in range(20):
        try:
            v = t[i]
        except IndexError:
            v = -1.0
        s = s + v * x[i]
    return s


@loop("unrolled")
def tryexc(x):
    s = 0.0
    for i in range(20):
        try:
            v = TABLE[i + 5]
        except Exception:
            v = -1.0
        s = s + v * x[i]
    return s


@loop("peeled")
def raises13(x):
    s = 0.0
    for i in range(20):
        print("at", i)
        if i == 13:
            raise ValueError(f"at {i}")
        s = s + x[i]
    return s


@loop("peeled")
def asserts(x):
    s = 0.0
    for i in range(20):
        assert i < 13, f"bad {i}"
        s = s + x[i]
    return s


@loop("unrolled")
def rs(x):
    g = np.random.RandomState(3)
    s = 0.0
    for i in range(20):
        s = s + g.rand() * x[i]
    return s


@loop("none")
def zero(x):
    i = 5
    s = x[0]
    for i in range(0):
        s = s * 2
    else:
        s = s + 1
    return s, i


@loop("staged")
def els(x):
    s = x[0]
    for i in range(20):
        s = s * 1.1
        if s > 3:
            break
    else:
        s = s + 100
    return s, i


@loop("staged")
def conts(x):
    s = x[0]
    for i in range(20):
        if x[i] > 1.2:
            continue
        s = s * 1.1 + i
    return s


@loop("staged")
def rets(x):
    s = x[0]
    for i in range(20):
        s = s * 1.1
        if s > 2:
            return s
    return s


@loop("staged")
def dels(x):
    s = x[0]
    for i in range(20):
        s = s * 1.1
        del i
    try:
        return s, i
    except NameError:
        return s


@loop("staged")
def rebind(x):
    s = x[0]
    for i in range(20):
        i = i * 2
        s = s + i
    return s, i


@loop("staged")
def unboundbefore(x):
    for i in range(20):
        q = x[i] * 2
    return q


@loop("staged")
def fact(x):
    a = 1
    y = x.copy()
    for i in range(1, 40):
        a = a * i
        y = y + 1
    return a, y


@loop("staged")
def fib(x):
    a, b = 0, 1
    y = x.copy()
    for i in range(120):
        a, b = b, a + b
        y = y + 1
    return a, y


@loop("staged")
def bigwhile(x):
    n = 10**30
    y = x.copy()
    k = 0
    while n > 1:
        n = n // 3
        y = y + 1
        k += 1
    return n, k, y


FIVE = 5


@loop("peeled")
def isfive(x):
    s = 0.0
    for i in range(20):
        if i is FIVE:
            s = s + 100
        s = s + x[i]
    return s


@loop("peeled")
def isint(x):
    s = 0.0
    for i in range(20):
        if isinstance(i, int) and type(i) is int:
            s = s + x[i]
    return s


@loop("staged")
def weak(x):
    a = np.float32(1.5)
    u = np.uint8(3)
    y = x.astype(np.float32)
    for i in range(20):
        y = y + i * a
        u = u + 1
    return y, u


@loop("staged")
def either(x):
    a = x.copy()
    b = x * 2
    for i in range(20):
        c = a if x[i] > 1 else b
        c[i] = 5.0
    return a, b


@loop("staged")
def tup(x):
    s = x[0]
    for c in (0.5, 1.5, 2.5, 3.5, 4.5) * 4:
        s = s * c + 1
    return s, c


@loop("staged")
def lst(x):
    s = x[0]
    for c in [1, 2, 3, 4, 5] * 5:
        s = s + c
    return s, c


@loop("none")
def arr(x):
    s = x[0]
    for c in np.linspace(0, 1, 30):
        s = s * c + 1
    return s, c


@loop("staged")
def enum(x):
    s = x[0]
    for i, c in enumerate([0.5, 1.5] * 10):
        s = s * c + i
    return s, i, c


@loop("staged")
def zp(x):
    s = x[0]
    for i, c in zip(range(3, 40), (0.5, 1.5) * 10):
        s = s * c + i
    return s, i, c


@loop("staged")
def rev(x):
    s = x[0]
    for i in reversed(range(20)):
        s = s * 0.5 + i * x[i]
    return s, i


@loop("staged")
def revl(x):
    s = x[0]
    for i in reversed([1.0, 2.0, 3.0] * 7):
        s = s * 0.5 + i
    return s, i


@loop("staged")
def plainarr(x):
    w = np.linspace(0, 1, 20)
    s = x[0]
    for i in range(20):
        w[0] = w[0] + 1.0
        s = s + x[i]
    return s, w


@loop("staged")
def plainarr2(x):
    w = np.linspace(0, 1, 20)
    s = x[0]
    for i in range(20):
        w += 1.0
        s = s + x[i]
    return s, w


@loop("staged")
def enumpart(x):
    e = enumerate([1.0, 2.0, 3.0] * 7)
    s = x[0]
    next(e)
    for i, c in e:
        s = s + i * c
    return s, list(e)


G = 0


@loop("staged")
def glob(x):
    global G
    G = 0
    s = x[0]
    for i in range(20):
        G += 1
        s = s + x[i]
    return s, G


@loop("staged")
def objattr(x):
    o = Pair(0, x[0])
    for i in range(20):
        o.v = o.v * 1.1 + x[i]
        o.i += 1
    return o.i, o.v


@loop("staged")
def dictacc(x):
    d = {"a": x[0], "b": 0}
    for i in range(20):
        d["a"] = d["a"] * 1.1
        d["b"] += i
    return d


@loop("staged")
def nested(x):
    a = np.zeros((6, 7))
    c = 0
    for i in range(6):
        for j in range(7):
            if (i + j) % 2 == 0:
                continue
            a[i, j] = x[i] * j + c
            c += 1
    return a, c


@loop("staged")
def whl(x):
    n = 0
    y = x.copy()
    while n < 100:
        n = n + 1
        y = y * 0.9 + n
    return n, y


@loop("staged")
def comp(x):
    s = x[0]
    for i in range(20):
        s = s + sum([x[j] for j in range(3)]) + sum(x[k] for k in range(i))
    return s


@loop("unrolled")
def behind_list(x):
    z = []
    n = 0
    for i in range(20):
        if i % 3 == 0:
            z.append(i)
        n += i
    return z, x[z], len(z)


@loop("staged")
def fmt(x):
    out = []
    y = x
    for i in range(20):
        out.append(f"{i:03d}")
        y = y * 1.01
    return out, y


@loop("unrolled")
def asserts_without_staged_values(x):
    for i in range(20):
        assert i < 13, f"bad {i}"
    return x


@loop("unrolled")
def raises_without_staged_values(x):
    total = 0
    for i in range(20):
        if total > 30:
            raise ValueError(f"at {i}")
        total += i
    return x
