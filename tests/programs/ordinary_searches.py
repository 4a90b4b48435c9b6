"""Graphs, dynamic programming and small machine learning, as people write them.

The file is long because it is a collection of independent programs.
"""

import heapq
import math
from collections import Counter, deque

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import INTS, A, B, E, N

CASES = Cases()
program = CASES.program


NAN = np.array([1.0, np.nan, 2.0])
W = np.array(
    [[0.0, 4.0, 1.0, np.inf], [4.0, 0.0, 2.0, 5.0], [1.0, 2.0, 0.0, 8.0], [np.inf, 5.0, 8.0, 0.0]]
)


@program((W, 0), (W[:1, :1], 0), (np.full((3, 3), np.inf), 2))
def dijkstra(weights, source):
    n = len(weights)
    dist = {i: math.inf for i in range(n)}
    dist[source] = 0.0
    previous = {}
    queue = [(0.0, source)]
    done = set()
    while queue:
        d, u = heapq.heappop(queue)
        if u in done:
            continue
        done.add(u)
        for v in range(n):
            w = weights[u, v]
            if v != u and np.isfinite(w) and d + w < dist[v]:
                dist[v] = d + w
                previous[v] = u
                heapq.heappush(queue, (dist[v], v))
    return dist, previous


@program(W, W[:1, :1], np.full((3, 3), np.inf))
def prim(weights):
    n = len(weights)
    inside = [0]
    edges = []
    total = 0.0
    while len(inside) < n:
        best = None
        for u in inside:
            for v in range(n):
                if v not in inside and weights[u, v] < np.inf:
                    if best is None or weights[u, v] < best[2]:
                        best = (u, v, weights[u, v])
        if best is None:
            return None
        edges.append(best[:2])
        total += best[2]
        inside.append(best[1])
    return total, edges


@program(np.array([[0, 1], [1, 2], [0, 3]]), np.zeros((0, 2), int), np.array([[0, 1], [1, 0]]))
def topological_order(edges):
    n = int(edges.max()) + 1 if len(edges) else 0
    incoming = [0] * n
    children = [[] for _ in range(n)]
    for a, b in edges:
        incoming[b] += 1
        children[a].append(b)
    ready = deque(i for i in range(n) if incoming[i] == 0)
    order = []
    while ready:
        u = ready.popleft()
        order.append(int(u))
        for v in children[u]:
            incoming[v] -= 1
            if incoming[v] == 0:
                ready.append(v)
    if len(order) < n:
        raise ValueError(f"cycle after {len(order)} of {n}")
    return order


@program((np.array([1, 3, 4]), 6), (np.array([5]), 3), (np.array([], int), 0), (np.array([2]), 0))
def coin_change(coins, amount):
    best = [0] + [math.inf] * amount
    used = [None] * (amount + 1)
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a and best[a - c] + 1 < best[a]:
                best[a] = best[a - c] + 1
                used[a] = int(c)
    if best[amount] == math.inf:
        return -1, []
    change = []
    while amount > 0:
        change.append(used[amount])
        amount -= used[amount]
    return best[-1], change


@program(np.array([30, 35, 15, 5]), np.array([2, 3]), np.array([7]))
def matrix_chain(dims):
    n = len(dims) - 1
    cost = np.zeros((n + 1, n + 1))
    split = {}
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            options = [
                (cost[i, k] + cost[k + 1, j] + dims[i] * dims[k + 1] * dims[j + 1], k)
                for k in range(i, j)
            ]
            cost[i, j], split[i, j] = min(options)

    def show(i, j):
        if i == j:
            return f"A{i}"
        k = split[i, j]
        return f"({show(i, k)}{show(k + 1, j)})"

    return cost[0, n - 1] if n else 0.0, show(0, n - 1) if n else ""


@program((A, 3), (NAN, 2), (E, 2), (np.array([5.0, 1.0, 4.0, 2.0, 8.0]), 2), refused=True)
def kmeans_1d(x, k):
    if len(x) < k:
        return None
    centers = list(x[:k])
    for _ in range(10):
        groups = [[] for _ in range(k)]
        for v in x:
            distances = [abs(v - c) for c in centers]
            groups[distances.index(min(distances))].append(v)
        new = [sum(g) / len(g) if g else c for g, c in zip(groups, centers)]
        if new == centers:
            break
        centers = new
    return centers, [len(g) for g in groups]


@program(
    (B, np.array([0, 1, 0]), np.array([2.0, 2.0]), 2),
    (B, np.array([0, 1, 1]), np.array([np.nan, 0.0]), 3),
    (B[:0], np.array([], int), np.array([0.0, 0.0]), 1),
)
def knn(points, labels, query, k):
    scored = sorted((float(np.hypot(*(p - query))), int(l)) for p, l in zip(points, labels))
    votes = Counter(l for _, l in scored[:k])
    if not votes:
        return None
    winner, count = votes.most_common(1)[0]
    return winner, count / k


@program((A, INTS, 0.1, 20), (A, N, 10.0, 5), (E, E, 0.1, 3))
def linear_fit(x, y, rate, steps):
    w, b = 0.0, 0.0
    losses = []
    for step in range(steps):
        error = w * x + b - y
        loss = float(np.mean(error**2)) if len(x) else 0.0
        losses.append(loss)
        if step > 0 and loss > losses[-2] * 10:
            return "diverged", step
        w -= rate * 2 * np.sum(error * x) / max(len(x), 1)
        b -= rate * 2 * np.sum(error) / max(len(x), 1)
    return round(w, 3), round(b, 3), losses[-1]


@program((B, np.array([1, -1, 1])), (B[:0], np.array([], int)), (-B, np.array([1, 1, 1])))
def perceptron(X, y):
    w = np.zeros(X.shape[1])
    b = 0
    mistakes = 0
    for epoch in range(20):
        clean = True
        for xi, yi in zip(X, y):
            if yi * (w @ xi + b) <= 0:
                w += yi * xi
                b += yi
                mistakes += 1
                clean = False
        if clean:
            return w, b, epoch
    return w, b, None
