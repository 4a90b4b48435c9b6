"""Searches, filters, codes and small classes of everyday programs, as people write them.

The file is long because it is a collection of independent programs.
"""

import math
from collections import deque

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
INTS = np.array([3, 1, 2, 2, 5])
E = A[:0]
TEXT = np.array([72, 101, 108, 108, 111])


@program((INTS, 5), (INTS[:1], 2), (INTS[:0], 3))
def knapsack(weights, capacity):
    best = [0] * (capacity + 1)
    for w in weights:
        for c in range(capacity, int(w) - 1, -1):
            best[c] = max(best[c], best[c - int(w)] + w)
    return best[-1], best


@program(INTS, INTS[:0], A)
def longest_increasing(x):
    tails, lengths = [], []
    for v in x:
        k = 0
        while k < len(tails) and tails[k] < v:
            k += 1
        if k == len(tails):
            tails.append(v)
        else:
            tails[k] = v
        lengths.append(k + 1)
    return len(tails), lengths


@program((np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]]),), (np.zeros((1, 1)),))
def is_bipartite(adj):
    n = len(adj)
    color = [-1] * n
    for s in range(n):
        if color[s] != -1:
            continue
        color[s] = 0
        queue = deque([s])
        while queue:
            u = queue.popleft()
            for v in range(n):
                if adj[u, v]:
                    if color[v] == -1:
                        color[v] = 1 - color[u]
                        queue.append(v)
                    elif color[v] == color[u]:
                        return False, None
    return True, color


@program((A, 2.0), (E, 1.0), (-A, 3.0), (np.array([1, np.nan, 2]), 1.0))
def running_stats(x, alpha):
    mean, m2, n = 0.0, 0.0, 0
    lo = hi = None
    for v in x:
        if v != v:
            continue
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
        lo = v if lo is None else min(lo, v)
        hi = v if hi is None or v > hi else hi
    var = m2 / (n - 1) if n > 1 else None
    return n, mean, var, lo, hi


@program((A, 3), (A, 1), (E, 3), (A[:2], 3))
def moving_average(x, k):
    window, out = deque(maxlen=k), []
    for v in x:
        window.append(v)
        if len(window) == k:
            out.append(sum(window) / k)
    return out or None


@program(np.array([1, 0, 1, 1]), np.array([], dtype=int), np.array([0]))
def gray(bits):
    n = 0
    for b in bits:
        n = n * 2 + b
    g = n ^ (n >> 1)
    text = ""
    while g:
        text = str(g & 1) + text
        g >>= 1
    return n, text or "0"


@program((np.float64(37.0),), (np.float64(-3.5),), (0,), (np.int64(99),))
def roman(x):
    n = int(x)
    if n <= 0:
        return "none"
    out = ""
    for value, s in ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while n >= value:
            out += s
            n -= value
    return out


@program((A, A[::-1]), (INTS, INTS), (E, E))
def correlation(x, y):
    n = len(x)
    if n == 0:
        return math.nan
    mx, my = sum(x) / n, sum(y) / n
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    sx, sy = (math.sqrt(sum((v - m) ** 2 for v in z)) for z, m in ((x, mx), (y, my)))
    return sxy / (sx * sy) if sx and sy else 0


@program((A, 4.0), (A, 100.0), (E, 1.0))
def two_sum(x, target):
    seen = {}
    for i, v in enumerate(x):
        if target - v in seen:
            return seen[target - v], i
        seen[v] = i
    return None


@program(np.array([3, 3, 4, 2, 4, 4, 2, 4, 4]), INTS, np.array([], dtype=int))
def majority(x):
    count, cand = 0, None
    for v in x:
        if count == 0:
            cand = v
        count += 1 if v == cand else -1
    if cand is not None and sum(v == cand for v in x) * 2 > len(x):
        return cand
    return -1


@program((np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0])), (np.zeros((2, 2)), np.ones(2)))
def cramer(a, b):
    det = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
    if det == 0:
        return "singular"
    x = (b[0] * a[1, 1] - a[0, 1] * b[1]) / det
    y = (a[0, 0] * b[1] - b[0] * a[1, 0]) / det
    return x, y


@program((np.array([0.1, 0.5, 0.4]), 0.3), (np.array([1.0]), 0.3), (np.array([0.0, 0.0]), 0.5))
def roulette(w, u):
    total = w.sum()
    pick = u * total
    acc = 0.0
    for i, v in enumerate(w):
        acc += v
        if acc > pick:
            return i
    return len(w) - 1


@program((np.array([5, 3, 8, 1]), 3), (np.array([5]), 1), (np.array([2, 2]), 5))
def quick_select(x, k):
    a = list(x)
    if not 1 <= k <= len(a):
        raise IndexError(f"no element {k}")
    while True:
        pivot = a[0]
        small = [v for v in a if v < pivot]
        same = [v for v in a if v == pivot]
        if k <= len(small):
            a = small
        elif k <= len(small) + len(same):
            return pivot
        else:
            k -= len(small) + len(same)
            a = [v for v in a if v > pivot]


class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]

    def __mul__(self, other):
        return Matrix(
            [[sum(a * b for a, b in zip(r, c)) for c in zip(*other.rows)] for r in self.rows]
        )

    def __eq__(self, other):
        return self.rows == other.rows

    def __repr__(self):
        return f"Matrix({self.rows})"


@program(np.array([[1, 2], [3, 4]]), np.array([[0.5, 0], [0, 2]]))
def matrix_class(a):
    m = Matrix(a)
    s = m * m
    return repr(s), s == m, s.rows[0]


class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)

    def pop(self):
        return self.items.pop() if self.items else None

    def __len__(self):
        return len(self.items)


@program(np.array([3, -1, 4, -1, -1, -1, 7]), np.array([-1]), np.array([], dtype=int))
def stack_machine(ops):
    s, log = Stack(), []
    for op in ops:
        if op >= 0:
            s.push(op)
        else:
            log.append(s.pop())
    return len(s), log, s.items


@program((A,), (INTS,), (E,), (A[:1],))
def bubble(x):
    a = list(x)
    swaps = 0
    n = len(a)
    for i in range(n):
        done = True
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swaps += 1
                done = False
        if done:
            break
    return a, swaps


@program((A, 2.5), (E, 0.0))
def partition_by(x, t):
    low, high = [], []
    for v in x:
        (low if v < t else high).append(v)
    return low, high


@program(TEXT, np.array([], dtype=int))
def caesar(codes):
    out = []
    for c in codes:
        if 65 <= c <= 90:
            out.append(chr((c - 65 + 3) % 26 + 65))
        elif 97 <= c <= 122:
            out.append(chr((c - 97 + 3) % 26 + 97))
        else:
            out.append("?")
    return "".join(out)


@program(np.array([2.0, 3.0, 10.0, 11.0, 25.0]), np.array([1.0]), E, refused=True)
def cluster_1d(x):
    groups = []
    for v in sorted(x):
        if groups and v - groups[-1][-1] < 3:
            groups[-1].append(v)
        else:
            groups.append([v])
    return groups, [sum(g) / len(g) for g in groups], max(groups, key=len) if groups else None


@program((np.array([100.0, 102.0, 99.0, 105.0]),), (np.array([1.0]),), (E,))
def drawdown(prices):
    peak, worst, where = -math.inf, 0.0, None
    for i, q in enumerate(prices):
        if q > peak:
            peak, start = q, i
        d = (peak - q) / peak
        if d > worst:
            worst, where = d, (start, i)
    return worst, where


@program((np.array([1, 2, 3]), 7), (np.array([5]), 3), (np.array([2]), 3))
def coins(c, amount):
    INF = float("inf")
    need = [0] + [INF] * amount
    for a in range(1, amount + 1):
        for v in c:
            if v <= a and need[a - v] + 1 < need[a]:
                need[a] = need[a - v] + 1
    return need[amount] if need[amount] != INF else -1


@program((np.array([0.2, 0.7, 0.1]), np.array([[0.5, 0.5], [0.1, 0.9], [0.9, 0.1]])))
def entropy_gain(prior, cond):
    h = lambda q: -sum(v * math.log2(v) for v in q if v > 0)
    before = h(prior)
    after = sum(a * h(r) for a, r in zip(prior, cond))
    return before, after, before - after


@program((np.array([9, 4, 6, 5]),), (np.array([7]),), (np.array([1, 1]),))
def unit_fractions(x):
    total, terms = 0, []
    num, den = int(x[0]) % 7 + 1, int(x[-1]) + 9
    while num > 0 and len(terms) < 6:
        d = -(-den // num)
        terms.append(d)
        num, den = num * d - den, den * d
    return terms
