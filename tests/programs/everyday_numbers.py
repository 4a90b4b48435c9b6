"""Parsers of numbers, games, searches, statistics and controllers, as people write them."""

import math
from collections import Counter, deque, namedtuple
from dataclasses import dataclass

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
I = np.array([3, 1, 2, 5, 4])  # noqa: E741


@prog(I)
def parse_number(x):
    text = "".join(str(abs(int(v))) for v in x)
    n = 0
    for ch in text:
        n = n * 10 + (ord(ch) - 48)
    return text, n, int(text), float("1." + text)


@prog(I)
def luhn(x):
    total = 0
    for i, d in enumerate(reversed([abs(int(v)) % 10 for v in x])):
        if i % 2:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    return total % 10 == 0, total


@prog(I)
def roman(x):
    out = []
    for n in x:
        n = abs(int(n))
        s = ""
        for v, r in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
            while n >= v:
                s += r
                n -= v
        out.append(s)
    return out


@prog(I)
def to_base(x):
    out = []
    for n in x:
        n = abs(int(n))
        ds = []
        while True:
            n, r = divmod(n, 3)
            ds.append(r)
            if n == 0:
                break
        out.append("".join(map(str, reversed(ds))))
    return out


@prog(I)
def rpn(x):
    stack = []
    for tok in [x[0], x[1], "+", x[2], "*"]:
        if isinstance(tok, str):
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if tok == "+" else a * b)
        else:
            stack.append(tok)
    return stack


@prog(A)
def particles(x):
    @dataclass
    class Pt:
        p: float
        v: float
        alive: bool = True

    ps = [Pt(v, 1.0) for v in x]
    for _ in range(5):
        for q in ps:
            if not q.alive:
                continue
            q.p += q.v * 0.5
            if q.p > 5:
                q.v = -q.v
            if q.p < -1:
                q.alive = False
    return [(q.p, q.alive) for q in ps], sum(q.alive for q in ps)


@prog(A)
def predator(x):
    r, f = abs(x[0]) + 1, abs(x[1]) + 0.5
    hist = [(r, f)]
    for _ in range(20):
        r, f = r + 0.1 * r * (1 - f), f + 0.1 * f * (r - 1)
        hist.append((r, f))
        if r < 0.01 or f < 0.01:
            break
    return len(hist), hist[-1]


@prog(I)
def knapsack(x):
    cap = 8
    best = [0] * (cap + 1)
    for i, w in enumerate(x):
        w = abs(int(w)) + 1
        for c in range(cap, w - 1, -1):
            best[c] = max(best[c], best[c - w] + (i + 1) * 2)
    return best


@prog(I)
def lis(x):
    tails = []
    import bisect

    for v in x:
        k = bisect.bisect_left(tails, v)
        if k == len(tails):
            tails.append(v)
        else:
            tails[k] = v
    return len(tails), tails


@prog(I)
def two_sum(x):
    seen = {}
    for i, v in enumerate(x):
        if 7 - int(v) in seen:
            return seen[7 - int(v)], i
        seen[int(v)] = i
    return None


@prog(I)
def primes(x):
    def is_prime(n):
        if n < 2:
            return False
        i = 2
        while i * i <= n:
            if n % i == 0:
                return False
            i += 1
        return True

    return [int(v) for v in x if is_prime(v)], next((v for v in x if is_prime(v)), None)


@prog(I)
def elevator(x):
    floor, moved, path = 0, 0, []
    for target in x:
        step = 1 if target > floor else -1
        while floor != target:
            floor += step
            moved += 1
        path.append(floor)
    return moved, path


@prog(I)
def inventory(x):
    stock = {"a": 5, "b": 3}
    orders = []
    for i, v in enumerate(x):
        item = "a" if i % 2 == 0 else "b"
        take = min(stock[item], max(0, int(v)))
        stock[item] -= take
        if take < v:
            orders.append((item, int(v) - take))
    return stock, orders, sum(n for _, n in orders)


@prog(A)
def moving(x):
    win = deque(maxlen=3)
    out = []
    for v in x:
        win.append(v)
        out.append(sum(win) / len(win))
    return out


@prog(A)
def bisect_root(x):
    f = lambda t: t**3 - x[0] * t - 1
    a, b = 0.0, 5.0
    if f(a) * f(b) > 0:
        return None
    n = 0
    while b - a > 1e-6:
        m = (a + b) / 2
        if f(a) * f(m) <= 0:
            b = m
        else:
            a = m
        n += 1
    return a, n


@prog(A)
def matrix_power(x):
    m = [[1.0, x[0]], [0.0, 1.0]]
    r = [[1.0, 0.0], [0.0, 1.0]]
    n = 5
    while n:
        if n & 1:
            r = [[sum(a * b for a, b in zip(row, col)) for col in zip(*m)] for row in r]
        m = [[sum(a * b for a, b in zip(row, col)) for col in zip(*m)] for row in m]
        n >>= 1
    return r


@prog(A)
def vote(x):
    Ballot = namedtuple("Ballot", "who weight")
    bs = [Ballot(i % 2, v) for i, v in enumerate(x)]
    t = [0.0, 0.0]
    for b in bs:
        t[b.who] += b.weight
    win = "tie" if t[0] == t[1] else "left" if t[0] > t[1] else "right"
    return win, t


@prog(A)
def pid(x):
    class Pid:
        def __init__(self):
            self.i = 0.0
            self.prev = None

        def __call__(self, e):
            self.i = max(-5.0, min(5.0, self.i + e))
            d = 0.0 if self.prev is None else e - self.prev
            self.prev = e
            return 0.5 * e + 0.1 * self.i + 0.05 * d

    c = Pid()
    y = 0.0
    ys = []
    for target in x:
        y += c(target - y)
        ys.append(y)
    return ys


@prog(I)
def gcd_all(x):
    g = 0
    for v in x:
        g = math.gcd(g, int(v))
    return g, math.lcm(*[max(1, abs(int(v))) for v in x[:3]])


@prog(I)
def caesar(x):
    s = "".join(chr(97 + abs(int(v)) % 26) for v in x)
    return s, "".join(chr((ord(c) - 97 + 3) % 26 + 97) for c in s), s[::-1], s == s[::-1]


@prog(A)
def grade(x):
    def g(v):
        match v:
            case _ if v >= 5:
                return "A"
            case _ if v >= 2:
                return "B"
            case _:
                return "F"

    return [g(v) for v in x], Counter(g(v) for v in x)
