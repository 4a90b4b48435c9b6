"""Algorithms on graphs, sorting and searching, over arrays."""

import numpy as np
from collection import Collection

PROGRAMS = Collection()
example = PROGRAMS.example

rng = np.random.default_rng(7)
DISTANCES = np.where(rng.random((9, 9)) < 0.4, rng.integers(1, 20, (9, 9)), 999).astype(float)
np.fill_diagonal(DISTANCES, 0.0)
ADJACENCY = (rng.random((9, 9)) < 0.3).astype(np.int64)
ADJACENCY = ADJACENCY | ADJACENCY.T
EDGES = np.array([[0, 1, 4], [0, 2, 1], [2, 1, 2], [1, 3, 5], [2, 3, 8], [3, 4, 3]])
NUMBERS = rng.integers(0, 100, 15)
LINKS = rng.random((7, 7))


@example(DISTANCES)
def floyd_warshall(d):
    d = d.copy()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


@example(DISTANCES)
def floyd_warshall_by_rows(d):
    d = d.copy()
    for k in range(d.shape[0]):
        d[:] = np.minimum(d, d[:, k, np.newaxis] + d[np.newaxis, k, :])
    return d


@example(DISTANCES, 0)
def dijkstra(graph, source):
    n = graph.shape[0]
    distance = np.full(n, np.inf)
    visited = np.zeros(n, dtype=bool)
    distance[source] = 0
    for _ in range(n):
        u, smallest = -1, np.inf
        for v in range(n):
            if not visited[v] and distance[v] < smallest:
                u, smallest = v, distance[v]
        if u == -1:
            break
        visited[u] = True
        for v in range(n):
            if graph[u, v] < 999 and distance[u] + graph[u, v] < distance[v]:
                distance[v] = distance[u] + graph[u, v]
    return distance


@example(EDGES, 5)
def bellman_ford(edges, n):
    distance = np.full(n, np.inf)
    distance[0] = 0
    for _ in range(n - 1):
        changed = False
        for u, v, w in edges:
            if distance[u] + w < distance[v]:
                distance[v] = distance[u] + w
                changed = True
        if not changed:
            break
    return distance


@example(DISTANCES)
def prim(graph):
    n = len(graph)
    key = np.full(n, np.inf)
    parent = np.full(n, -1)
    inside = np.zeros(n, bool)
    key[0] = 0
    for _ in range(n):
        u = np.argmin(np.where(inside, np.inf, key))
        inside[u] = True
        for v in range(n):
            if 0 < graph[u, v] < key[v] and not inside[v]:
                key[v] = graph[u, v]
                parent[v] = u
    return parent, key.sum()


@example(EDGES, 5)
def kruskal(edges, n):
    parent = np.arange(n)

    def find(u):
        while parent[u] != u:
            u = parent[u]
        return u

    total = 0
    for k in np.argsort(edges[:, 2], kind="stable"):
        u, v, w = edges[k]
        a, b = find(u), find(v)
        if a != b:
            parent[a] = b
            total += w
    return total, parent


@example(ADJACENCY, 0)
def breadth_first(adjacency, start):
    n = len(adjacency)
    depth = np.full(n, -1)
    queue = np.zeros(n, dtype=int)
    head, tail = 0, 1
    queue[0] = start
    depth[start] = 0
    while head < tail:
        u = queue[head]
        head += 1
        for v in range(n):
            if adjacency[u, v] and depth[v] < 0:
                depth[v] = depth[u] + 1
                queue[tail] = v
                tail += 1
    return depth


@example(ADJACENCY)
def components(adjacency):
    n = adjacency.shape[0]
    label = np.arange(n)
    changed = True
    rounds = 0
    while changed:
        changed = False
        for i in range(n):
            for j in range(n):
                if adjacency[i, j] and label[j] < label[i]:
                    label[i] = label[j]
                    changed = True
        rounds += 1
    return label, rounds


@example(LINKS)
def page_rank(links):
    n = links.shape[0]
    m = links / links.sum(axis=0)
    rank = np.ones(n) / n
    for i in range(100):
        new = 0.15 / n + 0.85 * m @ rank
        if np.linalg.norm(new - rank, 1) < 1e-8:
            break
        rank = new
    return rank, i


@example(ADJACENCY)
def triangles(adjacency):
    n = len(adjacency)
    count = 0
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                if adjacency[i, j] and adjacency[j, k] and adjacency[i, k]:
                    count += 1
    return count


@example(ADJACENCY)
def greedy_colours(adjacency):
    n = len(adjacency)
    colour = np.full(n, -1)
    for v in range(n):
        used = np.zeros(n, dtype=bool)
        for u in range(n):
            if adjacency[v, u] and colour[u] >= 0:
                used[colour[u]] = True
        c = 0
        while used[c]:
            c += 1
        colour[v] = c
    return colour


@example(np.triu(ADJACENCY, 1))
def topological_order(adjacency):
    n = len(adjacency)
    degree = adjacency.sum(axis=0)
    order = np.zeros(n, dtype=int)
    done = np.zeros(n, dtype=bool)
    for position in range(n):
        for v in range(n):
            if degree[v] == 0 and not done[v]:
                break
        done[v] = True
        order[position] = v
        degree = degree - adjacency[v]
    return order


@example(NUMBERS)
def bubble_sort(x):
    x = x.copy()
    n = len(x)
    for i in range(n):
        swapped = False
        for j in range(n - i - 1):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
                swapped = True
        if not swapped:
            break
    return x


@example(NUMBERS)
def insertion_sort(x):
    for i in range(1, len(x)):
        key = x[i]
        j = i - 1
        while j >= 0 and x[j] > key:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = key


@example(NUMBERS)
def selection_sort(x):
    x = x.copy()
    for i in range(len(x)):
        k = i + np.argmin(x[i:])
        x[i], x[k] = x[k], x[i]
    return x


@example(NUMBERS)
def heap_sort(x):
    x = x.copy()
    n = len(x)

    def sift(root, end):
        while True:
            child = 2 * root + 1
            if child > end:
                break
            if child + 1 <= end and x[child] < x[child + 1]:
                child += 1
            if x[root] < x[child]:
                x[root], x[child] = x[child], x[root]
                root = child
            else:
                break

    for start in range((n - 2) // 2, -1, -1):
        sift(start, n - 1)
    for end in range(n - 1, 0, -1):
        x[0], x[end] = x[end], x[0]
        sift(0, end - 1)
    return x


@example(NUMBERS)
def shell_sort(x):
    x = x.copy()
    gap = len(x) // 2
    while gap > 0:
        for i in range(gap, len(x)):
            t = x[i]
            j = i
            while j >= gap and x[j - gap] > t:
                x[j] = x[j - gap]
                j -= gap
            x[j] = t
        gap //= 2
    return x


@example(np.sort(NUMBERS), 40)
def binary_search(x, target):
    low, high = 0, len(x) - 1
    while low <= high:
        middle = (low + high) // 2
        if x[middle] == target:
            return middle
        elif x[middle] < target:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@example(np.sort(NUMBERS[:8]), np.sort(NUMBERS[8:]))
def merge(a, b):
    out = np.empty(len(a) + len(b), dtype=a.dtype)
    i = j = 0
    for k in range(len(out)):
        if i < len(a) and (j >= len(b) or a[i] <= b[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
    return out


@example(50)
def sieve(n):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            prime[i * i :: i] = False
        i += 1
    return np.nonzero(prime)[0]


@example(NUMBERS)
def reversed_in_place(x):
    i, j = 0, len(x) - 1
    while i < j:
        x[i], x[j] = x[j], x[i]
        i += 1
        j -= 1


@example(rng.random((10, 2)))
def closest_pair(points):
    best = float("inf")
    pair = (0, 0)
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            d = ((points[i] - points[j]) ** 2).sum() ** 0.5
            if d < best:
                best = d
                pair = (i, j)
    return best, pair


@example(rng.random((8, 2)))
def nearest_neighbour_tour(cities):
    n = len(cities)
    visited = [False] * n
    tour = [0]
    visited[0] = True
    length = 0.0
    for _ in range(n - 1):
        last = tour[-1]
        best, best_distance = -1, np.inf
        for c in range(n):
            if not visited[c]:
                d = np.linalg.norm(cities[last] - cities[c])
                if d < best_distance:
                    best, best_distance = c, d
        visited[best] = True
        tour.append(best)
        length += best_distance
    return tour, length
