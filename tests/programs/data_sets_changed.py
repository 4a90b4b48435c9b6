"""Dicts and sets that are elements of dicts and lists: what other names of them see.

The file is long because it is a collection of independent programs.
"""

from collections import Counter, defaultdict

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

EDGES = np.array([[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [1, 3]])
Z = np.array([3, 1, 3, 2, 1, 3, 0, 5, 2])


@prog(Z, refused=STAGED)
def alias_name(z):
    d = {}
    for v in z:
        s = set()
        d[v] = s
        s.add(v + 1)
    return d


@prog(Z, refused=STAGED)
def alias_two_keys(z):
    d = {}
    s = set()
    for v in z:
        d[v] = s
    d[z[0]].add(99)
    return d


@prog(Z)
def alias_read_then_write(z):
    d = defaultdict(set)
    for v in z:
        d[v % 3].add(v)
    a = d[0]
    d[0].add(77)
    return len(a), 77 in a, d


@prog(Z, refused=STAGED)
def alias_moved(z):
    d = defaultdict(set)
    for v in z:
        d[v].add(v)
    a = d[z[1]]
    del d[z[0]]
    a.add(5)
    return d


@prog(Z, refused=STAGED)
def alias_replaced(z):
    d = defaultdict(set)
    for v in z:
        d[v].add(v)
    a = d[z[1]]
    d[z[1]] = set()
    a.add(5)
    return d, len(a)


@prog(Z, refused=STAGED)
def alias_replaced2(z):
    d = defaultdict(list)
    for v in z:
        d[v].append(v)
    a = d[z[1]]
    d[z[1]] = []
    a.append(5)
    return d, len(a)


@prog(Z, refused=STAGED)
def alias_same_key(z):
    d = defaultdict(set)
    for v in z:
        d[v].add(v)
    d[100] = d[z[0]]
    d[100].add(7)
    return d


@prog(Z, refused=STAGED)
def alias_other_dict(z):
    d = defaultdict(set)
    e = {}
    for v in z:
        d[v].add(v)
        e[v] = d[v]
    d[z[0]].add(50)
    return d, e


@prog(Z)
def copied(z):
    d = defaultdict(set)
    e = {}
    for v in z:
        d[v].add(v)
        e[v] = set(d[v])
    d[z[0]].add(50)
    return d, e


@prog(Z)
def copied2(z):
    d = defaultdict(dict)
    for i, v in enumerate(z):
        d[v][i] = v
    e = {k: dict(w) for k, w in d.items()}
    d[z[0]][50] = 1
    return d, e


@prog(Z)
def popped(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    s = d.pop(z[0])
    s.add(100)
    return d, s


@prog(Z, refused=STAGED)
def swapped(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    d[z[0]], d[z[1]] = d[z[1]], d[z[0]]
    d[z[0]].add(33)
    return d


@prog(Z)
def ior(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v] |= {i, i + 1}
    return d


@prog(Z)
def ior_sub(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v] |= {i, i + 1}
        d[v] -= {3}
        d[v] &= set(range(8))
    return d


@prog(Z)
def update_values(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].update([i, v])
        d[v].discard(2)
    return d


@prog(Z)
def remove_missing(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    d[z[0]].remove(1000)
    return d


@prog(Z)
def key_missing_inner(z):
    d = {}
    for i, v in enumerate(z):
        d.setdefault(v, {})[i] = 1
    return d[z[0]][555]


@prog(Z)
def iter_order(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v % 2].add(v)
    out = []
    for k in d:
        for v in d[k]:
            out.append(v)
    return out


@prog(Z, refused=STAGED)
def iter_after_removal(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v % 2].add(v * 7)
    d[0].discard(14)
    out = []
    for k in d:
        for v in d[k]:
            out.append(v)
    return out


@prog(Z)
def loop_changes_set(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v % 2].add(v)
    t = 0
    for v in d[1]:
        d[1].add(v + 100)
        t += v
    return t


@prog(Z)
def loop_changes_dict(z):
    d = defaultdict(dict)
    for i, v in enumerate(z):
        d[v % 2][v] = i
    t = 0
    for v in d[1]:
        d[1][v + 100] = 1
        t += v
    return t


@prog(Z, refused=STAGED)
def loop_swaps_keys(z):
    d = defaultdict(dict)
    for i, v in enumerate(z):
        d[v % 2][v] = i
    t = 0
    w = d[1]
    for v in w:
        if v == 3:
            del d[1][3]
            d[1][103] = 1
        t += v
    return t


@prog(Z)
def text(z):
    d = defaultdict(set)
    e = defaultdict(dict)
    for i, v in enumerate(z):
        d[v].add(i)
        e[v][i] = 2
    print(d[z[0]], len(d))
    print(e)
    return f"{e}"


@prog(Z)
def values_loop(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    return (
        sum(len(s) for s in d.values()),
        max(len(s) for s in d.values()),
        [sorted(s) for s in d.values()],
    )


@prog(Z)
def values_changed(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    for s in d.values():
        s.add(1000)
    for k, s in d.items():
        s.add(k)
    return d


@prog(Z)
def list_of_sets(z):
    n = len(z)
    rows = [set() for _ in range(n)]
    for i, v in enumerate(z):
        rows[v].add(i)
    return rows, [len(r) for r in rows]


@prog(np.int64(4))
def list_of_sets_n(n):
    rows = [set() for _ in range(n)]
    for i in range(n):
        rows[i].add(i * i)
        rows[(i + 1) % n].add(i)
    return rows


@prog(np.int64(4))
def list_of_dicts_n(n):
    rows = [{} for _ in range(n)]
    for i in range(n):
        rows[i][i * 2] = i
        rows[(i + 1) % n][i] = 5
    return rows


@prog(np.int64(4))
def list_of_dicts_appended(n):
    rows = []
    for i in range(n):
        d = {}
        for j in range(i):
            d[j] = i
        rows.append(d)
    return rows, len(rows[2])


@prog(np.int64(5))
def sets_in_tuples(n):
    rows = []
    for i in range(n):
        s = {i, i + 1}
        rows.append((i, s))
    return rows, sum(len(s) for _, s in rows)


@prog(Z)
def get_default_set(z):
    d = {}
    for i, v in enumerate(z):
        d[v] = d.get(v, set()) | {i}
    return d


@prog(Z)
def get_default_list(z):
    d = {}
    for i, v in enumerate(z):
        d[v] = d.get(v, []) + [i]
    return d


@prog(EDGES)
def get_neighbors(edges):
    g = {}
    for u, v in edges:
        g.setdefault(u, []).append(v)
    out = []
    for u in range(6):
        for v in g.get(u, []):
            out.append(v)
    return out


@prog(EDGES)
def get_neighbors_tuple(edges):
    g = {}
    for u, v in edges:
        g.setdefault(u, []).append(v)
    out = []
    for u in range(6):
        for v in g.get(u, ()):
            out.append(v)
    return out


@prog(EDGES)
def get_neighbors_set(edges):
    g = {}
    for u, v in edges:
        g.setdefault(u, set()).add(v)
    n = 0
    for u in range(6):
        n += len(g.get(u, set()))
        if 3 in g.get(u, set()):
            n += 100
    return n


@prog(EDGES, refused=STAGED)
def get_then_write(edges):
    g = {}
    for u, v in edges:
        g.setdefault(u, []).append(v)
    row = g.get(edges[0, 0], [])
    row.append(100)
    return g


@prog(EDGES)
def if_in(edges):
    g = {}
    for u, v in edges:
        if u in g:
            g[u].add(v)
        else:
            g[u] = {v}
    return g


@prog(EDGES)
def if_in2(edges):
    g = {}
    for u, v in edges:
        if u in g:
            g[u][v] = 1
        else:
            g[u] = {v: 1}
    return g


@prog(EDGES)
def try_key(edges):
    g = {}
    for u, v in edges:
        try:
            g[u].add(v)
        except KeyError:
            g[u] = {v}
    return g


@prog(Z)
def counter_per_key(z):
    d = {}
    for i, v in enumerate(z):
        c = d.setdefault(v, Counter())
        c[i % 2] += 1
    return {k: c.most_common(1) for k, c in d.items()}


@prog(Z)
def lambda_dd(z):
    d = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for i, v in enumerate(z):
        d[v][i % 2][i % 3] += v
    return d[3][0][0], len(d), sum(len(a) for a in d.values())


@prog(Z, refused=STAGED)
def dict_of_dict_of_lists(z):
    d = defaultdict(lambda: defaultdict(list))
    for i, v in enumerate(z):
        d[v][i % 2].append(i)
    return [d[k][m] for k in sorted(d) for m in sorted(d[k])]


@prog(Z)
def set_equal(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i % 2)
    return d[z[0]] == {0, 1}, d[z[1]] == d[z[4]], d[z[0]] <= {0, 1, 2}


@prog(Z)
def dict_equal(z):
    d = defaultdict(dict)
    for i, v in enumerate(z):
        d[v][i % 2] = v
    return d[z[0]] == {0: 3, 1: 3}, d[z[1]] == d[z[4]]


@prog(Z)
def sorted_by_len(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    return [k for k, s in sorted(d.items(), key=lambda kv: (-len(kv[1]), kv[0]))]


@prog(Z)
def max_by_len(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    k = max(d, key=lambda k: len(d[k]))
    return k, d[k]


@prog(Z)
def filter_dict(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    e = {k: s for k, s in d.items() if len(s) > 1}
    return e


@prog(Z)
def var_after_branch(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    if z[0] > 2:
        s = d[z[0]]
    else:
        s = d[z[1]]
    return len(s), s


@prog(Z, refused=STAGED)
def best_set(z):
    d = defaultdict(set)
    for i, v in enumerate(z):
        d[v].add(i)
    best = set()
    for k in d:
        if len(d[k]) > len(best):
            best = d[k]
    return best


@prog(Z)
def same_set_by_two_names(z):
    s, q = set(), set()
    for _ in range(3):
        q = s
    s |= {z[2] % 3}
    return s, sorted(q)


@prog(Z, np.int64(1))
def default_of_a_defaultdict(z, n):
    b = defaultdict(list)
    r = b.get(n % 4, [])
    for i in range(len(z)):
        b[1] += [z[i % len(z)], i]
    return len(b), len(r)


@prog(Z, np.int64(1))
def default_of_a_defaultdict_at_once(z, n):
    b = defaultdict(list)
    b.pop(z[1], None)
    r = b.get(n, [])
    b[1] += [n % 4, z[0]]
    return len(b), len(r)


@prog(Z, np.int64(2))
def values_of_no_type(z, n):
    table = defaultdict(lambda: defaultdict(int))
    table[z[0]] = defaultdict(int)
    found = 0
    if n > 2:
        table[z[1]][n % 4] += 1
    else:
        found = table[z[1]].get(n % 4, 7)
    return found, len(table)


@prog(Z, refused=STAGED)
def added_in_a_branch_and_changed(z):
    rows = []
    a = [z[0]]
    if z[0] > 2:
        rows.append(a)
    a.append(2)
    return rows, len(rows)


@prog(Z)
def added_in_a_branch(z):
    rows = []
    a = [z[0]]
    if z[0] > 2:
        rows.append(a)
    return rows, len(rows)
