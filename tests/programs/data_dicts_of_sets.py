"""Dicts of dicts and sets under staged keys: graphs, tables of counts, indexes."""

import heapq
from collections import Counter, defaultdict, deque

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

EDGES = np.array([[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [1, 3]])
WEDGES = np.array([[0, 1, 4], [0, 2, 1], [2, 1, 2], [1, 3, 5], [2, 3, 8]])
Z = np.array([3, 1, 3, 2, 1, 3, 0, 5, 2])


@prog(EDGES)
def graph_sets(edges):
    graph = defaultdict(set)
    for u, v in edges:
        graph[u].add(v)
        graph[v].add(u)
    return len(graph), sum(len(s) for s in graph.values())


@prog(EDGES)
def graph_sets_plain(edges):
    graph = {}
    for u, v in edges:
        if u not in graph:
            graph[u] = set()
        graph[u].add(v)
    return 1 in graph[0], 3 in graph[1], len(graph[1])


@prog(EDGES)
def graph_setdefault_set(edges):
    graph = {}
    for u, v in edges:
        graph.setdefault(u, set()).add(v)
        graph.setdefault(v, set()).add(u)
    return graph


@prog(WEDGES)
def weighted_dict_of_dicts(edges):
    graph = defaultdict(dict)
    for u, v, w in edges:
        graph[u][v] = w
        graph[v][u] = w
    return graph


@prog(WEDGES)
def weighted_dict_plain(edges):
    graph = {}
    for u, v, w in edges:
        if u not in graph:
            graph[u] = {}
        if v not in graph:
            graph[v] = {}
        graph[u][v] = w
        graph[v][u] = w
    total = 0
    for u in graph:
        for v in graph[u]:
            total += graph[u][v]
    return total


@prog(WEDGES)
def weighted_items(edges):
    graph = {}
    for u, v, w in edges:
        graph.setdefault(int(u), {})[int(v)] = int(w)
    best = 0
    for u, nbrs in graph.items():
        for v, w in nbrs.items():
            best = max(best, w)
    return best


@prog(EDGES)
def bfs_set_graph(edges):
    graph = defaultdict(set)
    for u, v in edges:
        graph[u].add(v)
        graph[v].add(u)
    seen = {0}
    queue = deque([0])
    order = []
    while queue:
        u = queue.popleft()
        order.append(u)
        for v in sorted(graph[u]):
            if v not in seen:
                seen.add(v)
                queue.append(v)
    return order


@prog(WEDGES)
def dijkstra_dd(edges):
    graph = defaultdict(dict)
    for u, v, w in edges:
        graph[u][v] = w
    dist = {0: 0}
    heap = [(0, 0)]
    done = set()
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v, w in graph[u].items():
            nd = d + w
            if v not in dist or nd < dist[v]:
                dist[v] = nd
                heapq.heappush(heap, (nd, v))
    return dist


@prog(Z)
def intersect_many(z):
    common = None
    for i in range(len(z) - 3):
        s = set(z[i : i + 4])
        common = s if common is None else common & s
    return sorted(common)


@prog(Z)
def jaccard(z):
    a, b = set(z[:5]), set(z[4:])
    return len(a & b) / len(a | b)


@prog(Z)
def inverted_index(z):
    index = defaultdict(set)
    for i, v in enumerate(z):
        index[v].add(i)
    return {k: len(v) for k, v in index.items()}


@prog(Z)
def transitions(z):
    t = defaultdict(lambda: defaultdict(int))
    for a, b in zip(z[:-1], z[1:]):
        t[a][b] += 1
    return t[3][1], t[1][3], len(t)


@prog(Z)
def transitions_counter(z):
    t = defaultdict(Counter)
    for a, b in zip(z[:-1], z[1:]):
        t[int(a)][int(b)] += 1
    return {k: dict(v) for k, v in t.items()}


@prog(Z)
def nested_setdefault(z):
    d = {}
    for i in range(len(z) - 1):
        d.setdefault(z[i], {}).setdefault(z[i + 1], []).append(i)
    return d


@prog(Z)
def markov_probs(z):
    counts = {}
    for a, b in zip(z, z[1:]):
        row = counts.setdefault(a, {})
        row[b] = row.get(b, 0) + 1
    probs = {}
    for a, row in counts.items():
        total = sum(row.values())
        probs[a] = {b: c / total for b, c in row.items()}
    return probs


@prog(EDGES)
def has_cycle(edges):
    graph = defaultdict(list)
    for u, v in edges:
        graph[u].append(v)
    state = {}

    def visit(u):
        state[u] = 1
        for v in graph[u]:
            s = state.get(v, 0)
            if s == 1:
                return True
            if s == 0 and visit(v):
                return True
        state[u] = 2
        return False

    return visit(0)


@prog(EDGES)
def triangles(edges):
    adj = defaultdict(set)
    for u, v in edges:
        adj[u].add(v)
        adj[v].add(u)
    count = 0
    for u, v in edges:
        count += len(adj[u] & adj[v])
    return count // 3


class Account:
    def __init__(self):
        self.balance = 0
        self.history = []

    def deposit(self, x):
        self.balance += x
        self.history.append(x)


@prog(Z)
def rec_if(z):
    acc = {}
    for i, v in enumerate(z):
        if v not in acc:
            acc[v] = {"balance": 0, "count": 0}
        acc[v]["balance"] += i
        acc[v]["count"] += 1
    return acc


@prog(Z)
def rec_setdefault(z):
    acc = {}
    for i, v in enumerate(z):
        a = acc.setdefault(v, {"balance": 0, "count": 0})
        a["balance"] += i
        a["count"] += 1
    return acc


@prog(Z)
def rec_setdefault_chain(z):
    acc = {}
    for i, v in enumerate(z):
        acc.setdefault(v, {"balance": 0})["balance"] += i
    return acc


@prog(Z)
def rec_default(z):
    acc = defaultdict(lambda: {"balance": 0, "count": 0})
    for i, v in enumerate(z):
        acc[v]["balance"] += i
    return dict(acc)


@prog(Z)
def rec_lists(z):
    acc = {}
    for i, v in enumerate(z):
        acc.setdefault(v, {"items": []})["items"].append(i)
    return acc


@prog(Z)
def rec_lists2(z):
    acc = {}
    for i, v in enumerate(z):
        if v not in acc:
            acc[v] = {"n": 0, "items": []}
        acc[v]["items"].append(i)
        acc[v]["n"] += 1
    return acc


@prog(Z)
def rec_pair(z):
    acc = {}
    for i, v in enumerate(z):
        s = acc.setdefault(v, [0, 0])
        s[0] += i
        s[1] += 1
    return {k: a / b for k, (a, b) in acc.items()}


@prog(Z)
def rec_tuple(z):
    acc = {}
    for i, v in enumerate(z):
        a, b = acc.get(v, (0, 0))
        acc[v] = (a + i, b + 1)
    return acc


@prog(Z)
def rec_object(z):
    acc = {}
    for i, v in enumerate(z):
        if v not in acc:
            acc[v] = Account()
        acc[v].deposit(i)
    return {k: (a.balance, a.history) for k, a in acc.items()}
