"""Heaps, queues, lists and statistics of staged values."""

import collections
import heapq
import statistics

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


@PROGRAMS.program(X, N)
def counter(x, n):
    c = collections.Counter([1, 2, 2])
    return x * c[2]


@PROGRAMS.program(np.array([1, 2, 2, 3]))
def counter2(x):
    c = collections.Counter(x)
    return c[2], c.most_common(1)


@PROGRAMS.program(X, N)
def heap1(x, n):
    h = []
    for v in x:
        heapq.heappush(h, v)
    return heapq.heappop(h), heapq.heappop(h), len(h)


@PROGRAMS.program(X, N)
def heap2(x, n):
    h = grown(x, n)
    heapq.heapify(h)
    t = 0.0
    while h:
        t = t * 2 + heapq.heappop(h)
    return t


@PROGRAMS.program(X, N)
def heap3(x, n):
    h = []
    for i in range(n):
        heapq.heappush(h, (x[i], i))
    out = []
    while len(h) > 0:
        d, i = heapq.heappop(h)
        out.append(i)
    return out


@PROGRAMS.program(X, N)
def heap4(x, n):
    return (
        heapq.nlargest(2, x),
        heapq.nsmallest(3, grown(x, n)),
        heapq.nlargest(2, x, key=lambda v: -v),
    )


@PROGRAMS.program(X, N)
def heap5(x, n):
    h = grown(x, n)
    heapq.heapify(h)
    a = heapq.heappushpop(h, 2.5)
    b = heapq.heapreplace(h, 9.0)
    return a, b, h


@PROGRAMS.program(X, N)
def heap6(x, n):
    return list(heapq.merge(sorted(x[:2]), sorted(x[2:])))


@PROGRAMS.program(X, N)
def stats(x, n):
    return (
        statistics.mean(x),
        statistics.median(x),
        statistics.stdev(x),
        statistics.pstdev(x),
        statistics.variance(x),
        statistics.fmean(x),
    )


@PROGRAMS.program(X, N)
def stats2(x, n):
    return (
        statistics.mean(grown(x, n)),
        statistics.median([x[0], x[1], x[2]]),
        statistics.median(grown(x, n)),
    )


@PROGRAMS.program(X, N)
def lempty(x, n):
    z = []
    for v in x:
        if v > 100:
            z.append(v)
    return z, len(z)


G = np.array([[0, 4, 1, 0], [0, 0, 0, 1], [0, 2, 0, 5], [0, 0, 0, 0]], float)


@PROGRAMS.program(G, np.int64(0))
def dijkstra(g, s):
    n = len(g)
    dist = np.full(n, np.inf)
    dist[s] = 0.0
    heap = [(0.0, s)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v in range(n):
            w = g[u, v]
            if w > 0 and d + w < dist[v]:
                dist[v] = d + w
                heapq.heappush(heap, (dist[v], v))
    return dist


@PROGRAMS.program(G, np.int64(0))
def dijkstra2(g, s):
    n = len(g)
    dist = [float("inf")] * n
    dist[s] = 0.0
    heap = [(0.0, s)]
    done = [False] * n
    while len(heap) > 0:
        d, u = heapq.heappop(heap)
        if done[u]:
            continue
        done[u] = True
        for v in range(n):
            if g[u, v] > 0:
                nd = d + g[u, v]
                if nd < dist[v]:
                    dist[v] = nd
                    heapq.heappush(heap, (nd, v))
    return dist


@PROGRAMS.program(np.array([3.0, 1.0, 2.0, 5.0]))
def huff(x):
    h = list(x)
    heapq.heapify(h)
    t = 0.0
    while len(h) > 1:
        a = heapq.heappop(h)
        b = heapq.heappop(h)
        t += a + b
        heapq.heappush(h, a + b)
    return t


@PROGRAMS.program(np.array([3.0, 1.0, 2.0, 5.0]))
def topk(x):
    h = []
    for v in x:
        if len(h) < 2:
            heapq.heappush(h, v)
        elif v > h[0]:
            heapq.heapreplace(h, v)
    return sorted(h)


@PROGRAMS.program(np.array([3.0, 1.0, 2.0, 5.0]))
def running_median(x):
    lo, hi, out = [], [], []
    for v in x:
        heapq.heappush(lo, -heapq.heappushpop(hi, v))
        if len(lo) > len(hi):
            heapq.heappush(hi, -heapq.heappop(lo))
        out.append(hi[0] if len(hi) > len(lo) else (hi[0] - lo[0]) / 2)
    return out
