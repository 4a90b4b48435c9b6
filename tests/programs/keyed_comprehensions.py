"""Dicts and sets that a comprehension over constants makes, and that get staged keys."""

import collections
import heapq
import math
from collections import Counter, defaultdict

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
I = np.array([3, 1, 2, 5, 4])  # noqa: E741


@prog(I)
def comp_dict(x):
    dist = {i: math.inf for i in range(10)}
    for v in x:
        dist[int(v)] = 1
    return dist


@prog(I)
def comp_dict_while(x):
    dist = {i: math.inf for i in range(10)}
    i = 0
    while i < x[1]:
        dist[int(x[i])] = i
        i += 1
    return dist


@prog(I)
def comp_heap(x):
    dist = {i: math.inf for i in range(10)}
    dist[0] = 0
    pq = [(0, 0)]
    while pq:
        d, u = heapq.heappop(pq)
        if d > dist[u]:
            continue
        v = (u + 1) % 10
        if d + x[0] < dist[v]:
            dist[v] = d + int(x[0])
            heapq.heappush(pq, (d + int(x[0]), v))
    return dist


@prog(I)
def graph_known(x):
    g = {0: [(1, 2)], 1: [(2, 3)], 2: [(0, 1)]}
    u, t = 0, 0
    while t < x[0]:
        for v, w in g[u]:
            t += w
            u = v
    return u, t


@prog(I)
def graph_dd(x):
    g = defaultdict(list)
    for i, v in enumerate(x):
        g[i % 3].append(((i + 1) % 3, int(v) + 1))
    u, t = 0, 0
    while t < x[0]:
        for v, w in g[u]:
            t += w
            u = v
    return u, t


@prog(I)
def both(x):
    g = defaultdict(list)
    for i, v in enumerate(x):
        g[i % 3].append(((i + 1) % 3, int(v) + 1))
    dist = {i: math.inf for i in range(3)}
    dist[0] = 0
    pq = [(0, 0)]
    while pq:
        d, u = heapq.heappop(pq)
        if d > dist[u]:
            continue
        for v, w in g[u]:
            if d + w < dist[v]:
                dist[v] = d + w
                heapq.heappush(pq, (d + w, v))
    return dist


@prog(I)
def both_no_heap(x):
    g = defaultdict(list)
    for i, v in enumerate(x):
        g[i % 3].append(((i + 1) % 3, int(v) + 1))
    dist = {i: math.inf for i in range(3)}
    dist[0] = 0
    for _ in range(3):
        for u in range(3):
            for v, w in g[u]:
                if dist[u] + w < dist[v]:
                    dist[v] = dist[u] + w
    return dist


@prog(I)
def comp_zero(x):
    dist = {i: 0 for i in range(10)}
    for v in x:
        dist[int(v)] = 1
    return dist


@prog(I)
def lit_inf(x):
    dist = {0: math.inf, 1: math.inf, 2: math.inf}
    for v in x:
        dist[int(v)] = 1
    return dist


@prog(I)
def comp_inf_float(x):
    dist = {i: math.inf for i in range(10)}
    for v in x:
        dist[int(v)] = 1.0
    return dist


@prog(I)
def list_inf(x):
    dist = [math.inf] * 10
    for v in x:
        dist[int(v)] = 1
    return dist


@prog(I)
def comp_loop(x):
    dist = {}
    for i in range(10):
        dist[i] = 0
    for v in x:
        dist[int(v)] = 1
    return dist


@prog(I)
def fromkeys(x):
    dist = dict.fromkeys(range(10), 0)
    for v in x:
        dist[int(v)] = 1
    return dist


@prog(I)
def dict_zip(x):
    dist = dict(zip(range(10), [0] * 10))
    for v in x:
        dist[int(v)] = 1
    return dist


@prog(I)
def comp_two(x):
    dist = {i: 0 for i in range(10)}
    prev = {i: -1 for i in range(10)}
    for v in x:
        dist[int(v)] = 1
        prev[int(v)] = 2
    return dist, prev


@prog(I)
def set_comp(x):
    s = {i * 2 for i in range(4)}
    for v in x:
        s.add(int(v))
    return sorted(s), len(s)


@prog(I)
def set_comp_discard(x):
    free = {i for i in range(10)}
    for v in x:
        free.discard(int(v))
    return sorted(free), 3 in free


@prog(I)
def comp_nested(x):
    g = {i: [] for i in range(10)}
    for i, v in enumerate(x):
        g[int(v)].append(i)
    return g


@prog(I)
def comp_dict_dict(x):
    g = {i: {} for i in range(10)}
    for i, v in enumerate(x):
        g[int(v)][i] = int(v)
    return g


@prog(I)
def comp_values(x):
    d = {k: v for k, v in zip("abc", x)}
    d["z"] = 1
    for v in x:
        if v > 3:
            d["a"] = v
    return d


@prog(I)
def comp_ident(x):
    d = {i: 0 for i in range(3)}
    e = d
    if x[0] > 0:
        d[int(x[0])] = 5
    return e, e is d


@prog(I)
def comp_arg(x):
    def put(d, k):
        d[k] = d.get(k, 0) + 1

    d = {i: 0 for i in range(3)}
    for v in x:
        put(d, int(v))
    return d, sum(d.values()), max(d, key=d.get)


@prog(I)
def comp_in_loop(x):
    out = []
    for j in range(2):
        d = {i: 0 for i in range(3)}
        for v in x:
            d[int(v)] = j
        out.append(len(d))
    return out


@prog(I)
def comp_line(x):
    d, e = {i: 0 for i in range(3)}, {i: "a" for i in range(3)}
    for v in x:
        d[int(v)] = 1
    return d, e


@prog(I)
def comp_obj(x):
    class C:
        def __init__(self, n):
            self.count = {i: 0 for i in range(n)}

        def add(self, k):
            self.count[k] = self.count.get(k, 0) + 1

    c = C(10)
    for v in x:
        c.add(int(v))
    return c.count


@prog(I)
def counted_generator(x):
    return Counter(int(v) for v in x)


@prog(I)
def counted_pairs(x):
    chosen = {int(v) for v in x}
    return sorted(Counter(v + d for v in chosen for d in (0, 1) if d or v).items())


@prog(I)
def counted_texts(x):
    return collections.Counter("a" if v > 2 else "b" for v in x).most_common()


class Holder:
    """A class that another name could hide."""

    def __init__(self, items):
        self.items = items


deque = Holder


@prog(I, refused=SIZES)
def another_class_of_that_name(x):
    held = deque(int(v) for v in x)
    first = next(held.items)
    return first, list(held.items), list(held.items)
