"""Tables and graphs of lists that code outside has made, read where a run decides."""

import heapq
from collections import deque

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
TABLE = [
    [],
    [(3, 0)],
    [(0, 1)],
    [(3, 1)],
    [(1, 2)],
    [(3, 0), (1, 2)],
    [(0, 2)],
    [(3, 2)],
    [(2, 3)],
    [(2, 0)],
    [(0, 1), (2, 3)],
    [(2, 1)],
    [(3, 1)],
    [(0, 1)],
    [(3, 0)],
    [],
]
Z = np.array([[0.0, 0.2, 0.1], [0.3, 0.9, 0.2], [0.1, 0.8, 0.7]])


@program((Z, 0.5), (Z, 2.0), (Z[:2, :2], 0.25))
def marching_squares(z, level):
    segments = []
    rows, cols = z.shape
    for i in range(rows - 1):
        for j in range(cols - 1):
            case = 0
            if z[i, j] > level:
                case |= 1
            if z[i, j + 1] > level:
                case |= 2
            if z[i + 1, j + 1] > level:
                case |= 4
            if z[i + 1, j] > level:
                case |= 8
            for a, b in TABLE[case]:
                segments.append((i, j, a, b))
    return segments


GRAPH = [[1, 2], [3], [3, 4], [5], [], []]


@program((GRAPH, np.int64(0)), (GRAPH, np.int64(3)), ([[1], [0]], np.int64(0)))
def bfs_list(graph, start):
    dist = {start: 0}
    queue = deque([start])
    while queue:
        u = queue.popleft()
        for v in graph[u]:
            if v not in dist:
                dist[v] = dist[u] + 1
                queue.append(v)
    return dist


WG = [[(1, 4.0), (2, 1.0)], [(3, 1.0)], [(1, 2.0), (3, 5.0)], []]


@program((WG, np.int64(0)), (WG, np.int64(3)), (WG, np.int64(1)))
def dijkstra_list(graph, source):
    dist = [float("inf")] * len(graph)
    dist[source] = 0.0
    heap = [(0.0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in graph[u]:
            if d + w < dist[v]:
                dist[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return dist


NAMES = [["a", "b"], ["c"], []]


@program((np.array([0, 2, 1]),), (np.array([1]),), (np.array([3]),), (np.array([-1]),))
def joined_names(ks):
    out = []
    for k in ks:
        out += NAMES[k]
    return "-".join(out), len(NAMES[ks[0]])


@program((np.array([0, 2, 1]),), (np.array([1]),), (np.array([3]),), (np.array([-1]),))
def row_returned(ks):
    return GRAPH[ks[0]]


@program(
    (np.array([0, 2, 1]),), (np.array([1]),), (np.array([3]),), (np.array([-1]),), refused=True
)
def row_is(ks):
    return GRAPH[ks[0]] is GRAPH[0]


@program(
    (
        [[1.0], [2.0, 3.0]],
        np.array([0, 1]),
    ),
    (
        [[1.0], [2.0]],
        np.array([1, 1]),
    ),
    refused=True,
)
def row_changed(rows, ks):
    r = rows[ks[0]]
    r.append(5.0)
    return sum(r), rows


@program(
    (
        [[1.0], [2.0, 3.0]],
        np.array([0, 1]),
    ),
    (
        [[1.0], [2.0]],
        np.array([1, 1]),
    ),
    refused=True,
)
def table_changed(rows, ks):
    r = rows[ks[0]]
    rows[0].append(5.0)
    return sum(r)


@program(
    (
        [[1.0], [2.0, 3.0]],
        np.array([0, 1]),
    ),
    (
        [[1.0], [2.0]],
        np.array([1, 1]),
    ),
)
def row_items(rows, ks):
    return (
        rows[ks[0]][0],
        rows[ks[1]][-1],
        max(rows[ks[0]]),
        2.0 in rows[ks[1]],
        [v * 2 for v in rows[ks[0]]],
    )


@program(
    (
        [[1.0], [2.0, 3.0]],
        np.array([0, 1]),
    ),
    (
        [[1.0], [2.0]],
        np.array([1, 1]),
    ),
    refused=True,
)
def row_set(rows, ks):
    rows[ks[0]][0] = 7.0
    return rows


@program(
    (
        [[1.0], [2.0, 3.0]],
        np.array([0, 1]),
    ),
    (
        [[1.0], [2.0]],
        np.array([1, 1]),
    ),
)
def rows_collected(rows, ks):
    out = []
    for k in ks:
        out.append(rows[k])
    return out


@program(
    (
        [[1.0], [2.0, 3.0]],
        np.array([0, 1]),
    ),
    (
        [[1.0], [2.0]],
        np.array([1, 1]),
    ),
)
def rows_stored(rows, ks):
    d = {"r": rows[ks[0]]}
    return d


PHONE = {"2": ["a", "b"], "3": ["d", "e"]}


@program((np.array([2, 3]),), (np.array([3]),), (np.array([], int),))
def phone_letters(digits):
    words = [""]
    for d in digits:
        words = [w + c for w in words for c in PHONE[str(d)]]
    return words


DG = {0: [1, 2], 1: [3], 2: [3], 3: []}


@program((DG, np.int64(0)), (DG, np.int64(3)))
def bfs_dict(graph, start):
    seen = {start}
    queue = [start]
    order = []
    while queue:
        u = queue.pop(0)
        order.append(u)
        for v in graph[u]:
            if v not in seen:
                seen.add(v)
                queue.append(v)
    return order


@program((DG, np.int64(0)), (DG, np.int64(3)))
def dfs_rec(graph, start):
    seen = set()
    order = []

    def visit(u):
        seen.add(u)
        order.append(u)
        for v in graph[u]:
            if v not in seen:
                visit(v)

    visit(start)
    return order


@program((GRAPH, np.int64(0)), (GRAPH, np.int64(3)))
def dfs_rec_list(graph, start):
    seen = [False] * len(graph)
    order = []

    def visit(u):
        seen[u] = True
        order.append(u)
        for v in graph[u]:
            if not seen[v]:
                visit(v)

    visit(start)
    return order


@program((GRAPH, np.int64(0)), (GRAPH, np.int64(3)))
def two_colors(graph, start):
    color = [-1] * len(graph)
    color[start] = 0
    stack = [start]
    while stack:
        u = stack.pop()
        for v in graph[u]:
            if color[v] == -1:
                color[v] = 1 - color[u]
                stack.append(v)
            elif color[v] == color[u]:
                return False, color
    return True, color
