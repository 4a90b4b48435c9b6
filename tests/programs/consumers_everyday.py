"""Programs with a deque of chosen elements, texts of views, ints in other bases, and iterators that
lists take."""

from collections import deque

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
N = np.array([2, 0, 1, 0, 4])
EDGES = np.array([[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [4, 5]])


@prog(EDGES, 6)
def topological_order(edges, n):
    followers = [[] for _ in range(n)]
    missing = [0] * n
    for u, v in edges:
        followers[u].append(v)
        missing[v] += 1
    queue = deque(i for i in range(n) if missing[i] == 0)
    order = []
    while queue:
        u = queue.popleft()
        order.append(u)
        for v in followers[u]:
            missing[v] -= 1
            if missing[v] == 0:
                queue.append(v)
    return order


@prog(N)
def deques(values):
    chosen = deque((v for v in values if v > 0), maxlen=2)
    return deque(v * 2 for v in values), deque(map(abs, values)), deque(values, 2), chosen


@prog(N)
def texts_of_views(values):
    d = {}
    for v in values:
        d[v % 4] = v
    print(d.keys(), [d.items()])
    return str(d.keys()), f"{d.values()}", repr(d.items()), "%s, %d" % (d.keys(), len(d))


@prog(np.int64(-13), np.int64(0), np.array([5, 6]))
def bases(n, z, a):
    text = bin(n), hex(n), oct(n), bin(z), hex(a[0]), bin(a[1])[2:], bin(a[1]).count("1")
    return text, hex(len(a)), oct(True)


@prog(np.array([1, 2, 1, 1, 2]), np.int64(3))
def powers(text, n):
    m, k = len(text), int(n)
    remainders = pow(31, m - 1, 1000003), pow(k, 2, 7), pow(3, -1, k + 1), pow(k, 70, 10**20)
    return remainders, pow(2, k), pow(n, 2), pow(text, 2)


@prog(np.array([1, 2, 1, 1, 2, 1, 1, 2]), np.array([1, 1, 2]))
def rabin_karp(text, pattern):
    n, m = len(text), len(pattern)
    high = pow(31, m - 1, 1000003)
    p = t = 0
    for i in range(m):
        p = (31 * p + pattern[i]) % 1000003
        t = (31 * t + text[i]) % 1000003
    found = []
    for s in range(n - m + 1):
        if p == t and np.array_equal(text[s : s + m], pattern):
            found.append(s)
        if s < n - m:
            t = (31 * (t - text[s] * high) + text[s + m]) % 1000003
    return found


@prog(np.array([1, 3, 2, 0]))
def next_permutation(values):
    a = list(values)
    i = len(a) - 2
    while i >= 0 and a[i] >= a[i + 1]:
        i -= 1
    if i < 0:
        return a[::-1]
    j = len(a) - 1
    while a[j] <= a[i]:
        j -= 1
    a[i], a[j] = a[j], a[i]
    a[i + 1 :] = reversed(a[i + 1 :])
    return a


@prog(np.array([1, 3, 2, 0]), np.int64(1))
def lists_of_iterators(values, k):
    a = list(values)
    a[:k] = map(abs, a[:k])
    b = list(a)
    b[k:k] = range(k)
    b += reversed(a)
    b.extend(reversed(range(k)))
    a[k:] = reversed(a[k:])
    return a, b
