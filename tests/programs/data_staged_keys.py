"""Dicts and counters with staged keys: word counts, memo tables, histograms, adjacency lists.

The file is long because it is a collection of independent programs.
"""

from collections import Counter, OrderedDict, defaultdict

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

Z = np.array([3, 1, 3, 2, 1, 3, 0])
X = np.array([0.5, 2.0, 0.5, -0.0, 0.0, 7.25, 2.0])
N = np.int64(6)


@prog(Z)
def counts(z):
    d = {}
    for v in z:
        d[v] = d.get(v, 0) + 1
    return d, list(d), len(d)


@prog(X)
def counts_of_floats(x):
    d = {}
    for v in x:
        if v in d:
            d[v] += 1
        else:
            d[v] = 1
    return d, list(d.items())


@prog(Z)
def remainders(z):
    d = {0: 10, 1: 20}
    for v in z:
        d[int(v) % 3] = d.get(int(v) % 3, 0) + 1
    return d, list(d.values())


@prog(Z)
def keys_of_several_types(z):
    d = {}
    for v in z:
        d[v] = 1
    d[1.0] = 2
    d[True] = d[1] + 5
    d[7] = 9
    return list(d.values()), len(d), 1 in d, 2.5 in d


@prog(Z)
def pairs(z):
    d = {}
    for i in range(len(z)):
        key = (int(z[i]), i % 2)
        d[key] = d.get(key, 0) + i
    total = 0
    for (a, b), v in d.items():
        total = total * 3 + a + b * v
    return d, total, (3, 0) in d


@prog(Z)
def deleted(z):
    d = {}
    for v in z:
        if v in d:
            del d[v]
        else:
            d[v] = v * 2
    return d, list(d.keys()), list(d.values())


@prog(Z)
def popped(z):
    d = {}
    found = 0
    for v in z:
        found += d.pop(v, 100)
        d[v] = found
    last = d.pop(z[0])
    return d, found, last


@prog(N)
def popped_items(n):
    d = {}
    for i in range(n):
        d[i * i] = i
    k, v = d.popitem()
    return k, v, d


@prog(Z)
def missing_key(z):
    d = {}
    for v in z:
        d[v] = 1
    return d[z[0] + 50]


@prog(Z)
def deleted_missing_key(z):
    d = {}
    for v in z:
        d[v] = 1
    del d[z[0] + 50]
    return d


@prog(Z)
def missing_key_caught(z):
    d = {}
    for v in z:
        d[v] = 1
    try:
        return d[z[0] + 50]
    except KeyError:
        return -1


@prog(Z)
def set_defaults(z):
    d = {}
    total = 0
    for i in range(len(z)):
        total += d.setdefault(z[i], i)
    return d, total


@prog(Z)
def groups(z):
    d = {}
    for i in range(len(z)):
        d.setdefault(int(z[i]), []).append(i)
    return d


@prog(Z)
def groups_by_default(z):
    d = defaultdict(list)
    for i in range(len(z)):
        d[z[i]].append(i * 2)
    return d, len(d)


@prog(Z)
def default_counts(z):
    d = defaultdict(int)
    for v in z:
        d[v] += 1
    best = 0
    for k, v in d.items():
        if v > best:
            best = k
    return d, best, d[17], len(d)


@prog(X)
def default_sums(x):
    d = defaultdict(float)
    for i in range(len(x)):
        d[x[i] > 1] += x[i]
    return d


@prog(Z)
def default_without_factory(z):
    d = defaultdict(None)
    for v in z:
        d[v] = 2
    return d


@prog(Z)
def counter_of_array(z):
    c = Counter(z)
    return c, c.most_common(), c.most_common(2), c[1], c[99], len(c)


@prog(Z)
def counter_updated(z):
    c = Counter()
    c.update(z)
    for v in z:
        c[v] += 1
        c[v + 1] -= 1
    c.subtract(z)
    return c, c.total()


@prog(X)
def counter_of_counts(x):
    counts = {}
    for v in x:
        counts[v] = v * 0.0 if v < 1 else v > 2
    c = Counter(counts)
    d = Counter(c)
    d.update(c)
    return c, d


@prog(Z)
def counter_of_list(z):
    odd = []
    for v in z:
        if v % 2 == 1:
            odd.append(int(v))
    c = Counter(odd)
    return c, list(c.elements()), sorted(c), c.most_common(1)


@prog(Z)
def counter_of_generator(z):
    return Counter(int(v) % 2 for v in z)


@prog(Z)
def ordered(z):
    d = OrderedDict()
    for v in z:
        d[v] = v + 1
        d.move_to_end(v)
    first = d.popitem(last=False)
    return d, first, list(d)


@prog(N)
def least_recently_used(n):
    cache, misses = OrderedDict(), 0
    for i in range(n * 3):
        page = (i * i) % 7
        if page in cache:
            cache.move_to_end(page)
        else:
            misses += 1
            cache[page] = i
            if len(cache) > 2:
                cache.popitem(last=False)
    return misses, cache


@prog(N)
def memo_table(n):
    memo = {0: 0, 1: 1}
    for i in range(2, n + 3):
        memo[i] = memo[i - 1] + memo[i - 2]
    return memo[n], memo


@prog(N)
def longest_collatz(n):
    known = {1: 1}
    best = 1
    for start in range(2, n + 6):
        k = start
        steps = 0
        while k not in known:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        known[start] = known[k] + steps
        if known[start] > known[best]:
            best = start
    return best, known


@prog(N)
def cycle_found(n):
    seen = {}
    k = n
    step = 0
    while k not in seen:
        seen[k] = step
        k = (k * k + 1) % 11
        step += 1
    return seen[k], step - seen[k]


@prog(Z)
def two_sum(z):
    places = {}
    for i in range(len(z)):
        if 4 - z[i] in places:
            return places[4 - z[i]], i
        places[z[i]] = i
    return -1, -1


@prog(Z)
def values_changed_in_loop(z):
    d = {}
    for v in z:
        d[v] = v
    for k in d:
        d[k] = d[k] * 10
    for k, v in d.items():
        d[k] = v + k
    total = 0
    for v in d.values():
        total = total * 2 + v
    return d, total


@prog(Z)
def grown_in_loop(z):
    d = {}
    for v in z:
        d[v] = v
    for k in d:
        d[k + 100] = 1
    return d


@prog(Z)
def grown_and_left(z):
    d = {}
    for v in z:
        d[v] = v
    for k in d:
        if k == 1:
            d[k + 100] = 1
            break
    return d


@prog(Z)
def grown_in_copied_loop(z):
    d = {}
    for v in z:
        d[v] = v
    for k in list(d):
        d[k + 100] = k
        if k > 2:
            del d[k]
    return d


@prog(Z, refused=STAGED)
def deleted_in_loop(z):
    d = {}
    for v in z:
        d[v] = v
    for k in d:
        if k == 2:
            del d[k]
    return d


@prog(Z)
def consumed(z):
    d = {}
    for i in range(len(z)):
        d[z[i]] = i * 0.5
    return (
        sorted(d),
        sorted(d.items()),
        sorted(d, key=d.get),
        max(d),
        min(d.values()),
        max(d, key=lambda k: d[k]),
        sum(d.values()),
        sum(d),
        any(d),
        all(d.values()),
        list(reversed(list(d))),
        [k + v for k, v in d.items()],
        np.array(list(d.values())),
    )


@prog(Z)
def zipped(z):
    d = {}
    for v in z:
        d[v] = v * v
    total = 0
    for i, k in enumerate(d):
        total += i * k
    for k, v in zip(d, d.values()):
        total = total * 2 + k - v
    for w in map(lambda v: v + 1, d.values()):
        total += w
    return total


@prog(Z)
def comprehended(z):
    d = {int(v): i for i, v in enumerate(z)}
    e = {k: v for k, v in d.items() if v > 2}
    f = {v: k for k, v in d.items()}
    return d, e, f


@prog(Z)
def constructed(z):
    d = dict(zip(z, range(len(z))))
    e = dict(d)
    e[50] = 1
    f = d.copy()
    f.clear()
    return d, e, f, d == e, d == dict(e), f == {}, d != e


@prog(Z)
def updated(z):
    d = {}
    e = {}
    for v in z:
        d[v] = 1
        e[v + 1] = 2
    d.update(e)
    g = d | {5: 9}
    g |= {z[0]: 77}
    d.update({8: 8})
    return d, e, g


@prog(Z)
def branch_with_a_key(z):
    d = {}
    if z[0] > 2:
        d["big"] = 1
    else:
        d["small"] = 2
    if z[1] > 2:
        d["big"] = 5
    return d, "big" in d, len(d), d.get("small", -1)


@prog(Z)
def branch_with_keys_of_values(z):
    d = {z[0]: 1.0, z[1]: 2.0}
    if z[0] > z[1]:
        d[z[2]] = 3.0
    return d


@prog(Z)
def names(z):
    d = {}
    for v in z:
        key = "odd" if v % 2 == 1 else "even"
        d[key] = d.get(key, 0) + 1
    return d, sorted(d)


@prog(Z)
def texts(z):
    d = {}
    for v in z:
        d[f"k{int(v)}"] = int(v)
    return d


@prog(Z)
def text_of_dict(z):
    d = {}
    for v in z:
        d[int(v)] = 1
    return f"{d}"


class Histogram:
    def __init__(self):
        self.counts = {}

    def add(self, v):
        self.counts[v] = self.counts.get(v, 0) + 1


@prog(Z)
def in_objects(z):
    h = Histogram()
    for v in z:
        h.add(v % 2)
    return h.counts, h.counts[z[1] % 2]


@prog(Z)
def in_containers(z):
    held = {"a": {}, "b": {}}
    for v in z:
        if v > 1:
            held["a"][v] = 1
        else:
            held["b"][v] = held["b"].get(v, 0) + 2
    return held


@prog(Z)
def of_arrays(z):
    d = {}
    for v in z:
        d[v] = np.array([v, v * 2.0])
    return d, d[z[0]] + d[z[1]]


@prog(Z)
def inner_dict(z):
    total = 0
    for i in range(len(z)):
        d = {}
        for j in range(i):
            d[z[j]] = j
        total += len(d) * (i + 1)
    return total


@prog(Z)
def counts_until(z):
    d = {}
    i = 0
    while i < len(z) and d.get(z[i], 0) < 2:
        d[z[i]] = d.get(z[i], 0) + 1
        i += 1
    return i, d


@prog(np.array([1.0, np.nan, 1.0, np.nan]))
def with_nan(x):
    d = {}
    for v in x:
        d[v] = d.get(v, 0) + 1
    return len(d), list(d.values())


@prog(np.array([0.1, 0.5, 0.1], np.float32))
def with_float32(x):
    d = {0.1: 5, 0.5: 6}
    for v in x:
        d[v] = d.get(v, 0) + 1
    return len(d), list(d.values())


@prog(np.array([[1, 2], [3, 4]]))
def with_rows(x):
    d = {}
    for row in x:
        d[row] = 1
    return d


@prog(np.array([[1, 2], [1, 2], [3, 4]]))
def with_rows_as_tuples(x):
    d = {}
    for row in x:
        key = (row[0], row[1])
        d[key] = d.get(key, 0) + 1
    return d


@prog(Z)
def shortest_paths(z):
    edges = {0: [1, 2], 1: [2, 3], 2: [0], 3: []}
    distance = {int(z[6]): 0}
    queue = [int(z[6])]
    while queue:
        node = queue.pop(0)
        for other in edges[node]:
            if other not in distance:
                distance[other] = distance[node] + 1
                queue.append(other)
    return distance
