"""Heaps of tuples with tuples inside."""

import heapq

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

N = np.int64(4)
X = np.array([3.0, 1.0, 2.0, 1.0, 0.5])
K = np.array([3, 1, 2, 1, 7])


@prog(N)
def grid_distances(n):
    f = [(0, (0, 0))]
    t = 0
    while f:
        _, current = heapq.heappop(f)
        r, c = current
        t += r + c
        if r < n:
            heapq.heappush(f, (r + 1, (r + 1, c)))
    return t


@prog(X, N)
def floats_inside(x, n):
    heap = []
    for i in range(n):
        heapq.heappush(heap, (i % 2, (x[i], -i)))
    out = []
    while heap:
        out.append(heapq.heappop(heap))
    return out


@prog(K, N)
def pairs_inside(k, n):
    heap = []
    for i in range(n):
        heapq.heappush(heap, (0.5 * k[i], (k[i] % 2, -i)))
    out = []
    while heap:
        out.append(heapq.heappop(heap))
    return out


@prog(K, N)
def pairs_first(k, n):
    heap = [((k[i], 1), i) for i in range(n)]
    heapq.heapify(heap)
    return heapq.heappop(heap), heapq.heappushpop(heap, ((2, 0), 9)), heapq.nsmallest(2, heap)
