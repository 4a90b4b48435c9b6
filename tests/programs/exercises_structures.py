"""Exercises of textbooks and courses: graphs, alignments, searches, machines, accounts."""

import bisect
import heapq
import itertools
import math
from collections import Counter

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
rng = np.random.default_rng(3)
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0, 2.5])
N = np.array([4, 1, 3, 7, 8, 12, 3])
M = rng.integers(0, 9, (5, 6))
F = rng.normal(size=(6, 3))
W = np.array([2, 3, 4, 5])
VAL = np.array([3, 4, 5, 6])


@prog(F)
def kmeans(x):
    k = 2
    c = x[:k].copy()
    for _ in range(10):
        labels = [min(range(k), key=lambda j: np.sum((p - c[j]) ** 2)) for p in x]
        new = []
        for j in range(k):
            members = [x[i] for i in range(len(x)) if labels[i] == j]
            new.append(np.mean(members, axis=0) if members else c[j])
        new = np.array(new)
        if np.allclose(new, c):
            break
        c = new
    return c, labels


@prog(F)
def knn(x):
    y = [i % 2 for i in range(len(x))]
    correct = 0
    for i, p in enumerate(x):
        d = sorted((np.linalg.norm(p - q), y[j]) for j, q in enumerate(x) if j != i)
        votes = Counter(lab for _, lab in d[:3])
        if votes.most_common(1)[0][0] == y[i]:
            correct += 1
    return correct / len(x)


@prog(N)
def bst(keys):
    left, right, key = [], [], []

    def insert(k):
        left.append(-1)
        right.append(-1)
        key.append(int(k))
        new = len(key) - 1
        if new == 0:
            return
        i = 0
        while True:
            if k < key[i]:
                if left[i] < 0:
                    left[i] = new
                    return
                i = left[i]
            else:
                if right[i] < 0:
                    right[i] = new
                    return
                i = right[i]

    for k in keys:
        insert(k)
    out, stack, i = [], [], 0
    while stack or i >= 0:
        while i >= 0:
            stack.append(i)
            i = left[i]
        i = stack.pop()
        out.append(key[i])
        i = right[i]
    return out


@prog(np.array([[0, 1], [1, 2], [3, 4], [2, 0]]))
def components(edges):
    parent = {}

    def find(a):
        parent.setdefault(a, a)
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        return a

    for a, b in edges:
        ra, rb = find(int(a)), find(int(b))
        if ra != rb:
            parent[ra] = rb
    groups = {}
    for v in list(parent):
        groups.setdefault(find(v), []).append(v)
    return sorted(sorted(g) for g in groups.values())


@prog(A, np.array([1.0, 3.0, 2.0, 4.0, 4.0, 1.0]))
def dtw(a, b):
    n, m = len(a), len(b)
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i, j] = abs(a[i - 1] - b[j - 1]) + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    path, i, j = [], n, m
    while i > 0 and j > 0:
        path.append((i - 1, j - 1))
        step = np.argmin([D[i - 1, j - 1], D[i - 1, j], D[i, j - 1]])
        if step == 0:
            i, j = i - 1, j - 1
        elif step == 1:
            i -= 1
        else:
            j -= 1
    return D[n, m], path[::-1]


@prog(N)
def longest_run(nums):
    best = current = 1
    start = best_start = 0
    for i in range(1, len(nums)):
        if nums[i] > nums[i - 1]:
            current += 1
        else:
            current, start = 1, i
        if current > best:
            best, best_start = current, start
    return nums[best_start : best_start + best]


@prog(N)
def lis(nums):
    tails = []
    for x in nums:
        i = bisect.bisect_left(tails, x)
        if i == len(tails):
            tails.append(x)
        else:
            tails[i] = x
    return len(tails), tails


class Matrix2:
    def __init__(self, a, b, c, d):
        self.v = (a, b, c, d)

    def __matmul__(self, o):
        a, b, c, d = self.v
        e, f, g, h = o.v
        return Matrix2(a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)

    def __pow__(self, n):
        r, base = Matrix2(1, 0, 0, 1), self
        while n:
            if n & 1:
                r = r @ base
            base = base @ base
            n >>= 1
        return r


@prog(np.int64(30))
def fib_matrix(n):
    return (Matrix2(1, 1, 1, 0) ** n).v[1]


@prog(A)
def bank_interest(rates):
    accounts = [{"id": i, "balance": 100.0 * (i + 1), "log": []} for i in range(3)]
    for year, r in enumerate(rates):
        for acc in accounts:
            gain = acc["balance"] * r / 100
            acc["balance"] += gain
            if gain > 5:
                acc["log"].append((year, round(gain, 2)))
    richest = max(accounts, key=lambda a: a["balance"])
    return richest["id"], [len(a["log"]) for a in accounts], accounts[0]["balance"]


@prog(N)
def running_median(nums):
    low, high, out = [], [], []
    for x in nums:
        x = int(x)
        if not low or x <= -low[0]:
            heapq.heappush(low, -x)
        else:
            heapq.heappush(high, x)
        if len(low) > len(high) + 1:
            heapq.heappush(high, -heapq.heappop(low))
        elif len(high) > len(low):
            heapq.heappush(low, -heapq.heappop(high))
        out.append(-low[0] if len(low) > len(high) else (high[0] - low[0]) / 2)
    return out


@prog(A)
def simpson_adaptive(x):
    def f(t):
        return math.sin(t) * math.exp(-t / 4)

    def rec(a, b, fa, fm, fb, whole, eps, depth):
        m = (a + b) / 2
        lm, rm = (a + m) / 2, (m + b) / 2
        flm, frm = f(lm), f(rm)
        left = (m - a) / 6 * (fa + 4 * flm + fm)
        right = (b - m) / 6 * (fm + 4 * frm + fb)
        if depth <= 0 or abs(left + right - whole) < 15 * eps:
            return left + right + (left + right - whole) / 15
        return rec(a, m, fa, flm, fm, left, eps / 2, depth - 1) + rec(
            m, b, fm, frm, fb, right, eps / 2, depth - 1
        )

    a, b = 0.0, x[0]
    fa, fm, fb = f(a), f((a + b) / 2), f(b)
    return rec(a, b, fa, fm, fb, (b - a) / 6 * (fa + 4 * fm + fb), 1e-6, 20)


@prog(N)
def run_length(nums):
    out = [(k, len(list(g))) for k, g in itertools.groupby(n % 3 for n in nums)]
    decoded = [k for k, n in out for _ in range(n)]
    return out, decoded


@prog(M)
def spiral(m):
    out = []
    top, bottom, left, right = 0, m.shape[0] - 1, 0, m.shape[1] - 1
    while top <= bottom and left <= right:
        for j in range(left, right + 1):
            out.append(m[top, j])
        top += 1
        for i in range(top, bottom + 1):
            out.append(m[i, right])
        right -= 1
        if top <= bottom:
            for j in range(right, left - 1, -1):
                out.append(m[bottom, j])
            bottom -= 1
        if left <= right:
            for i in range(bottom, top - 1, -1):
                out.append(m[i, left])
            left += 1
    return out


@prog(A, A[::-1].copy())
def order_book(bids, asks):
    book = {"bid": sorted(bids, reverse=True), "ask": sorted(asks)}
    trades = []
    while book["bid"] and book["ask"] and book["bid"][0] >= book["ask"][0]:
        b, a = book["bid"].pop(0), book["ask"].pop(0)
        trades.append(round((a + b) / 2, 3))
    return trades, len(book["bid"])


@prog(N)
def state_machine(tokens):
    state, counts = "idle", {"idle": 0, "run": 0, "stop": 0}
    table = {
        "idle": {0: "run", 1: "idle"},
        "run": {0: "stop", 1: "run"},
        "stop": {0: "idle", 1: "run"},
    }
    for t in tokens:
        state = table[state][int(t) % 2]
        counts[state] += 1
    return state, counts
