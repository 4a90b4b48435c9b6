"""Variables that hold one of several dicts or sets with staged keys."""

from collections import Counter, defaultdict

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

Z = np.array([3, 1, 3, 2, 1, 3, 0, 5, 2])


def first(z):
    s = set()
    for v in z[:5]:
        s.add(v)
    return s


def second(z):
    s = set()
    for v in z[4:]:
        s.add(v)
    return s


def tab(z):
    d = {}
    for i, v in enumerate(z):
        d[v] = i
    return d


@prog(Z)
def set_if(z):
    a, b = first(z), second(z)
    s = a if z[0] > 2 else b
    return len(s), 3 in s, sorted(s)


@prog(Z)
def set_if_returned(z):
    a, b = first(z), second(z)
    return a if z[0] > 2 else b


@prog(Z, refused=STAGED)
def set_if_write_old(z):
    a, b = first(z), second(z)
    s = a if z[0] > 2 else b
    a.add(77)
    return len(s), 77 in s


@prog(Z, refused=STAGED)
def set_if_write_new(z):
    a, b = first(z), second(z)
    s = a if z[0] > 2 else b
    s.add(77)
    return len(s), 77 in a


@prog(Z)
def set_if_write_new_dead(z):
    a, b = first(z), second(z)
    s = a if z[0] > 2 else b
    del a, b
    s.add(77)
    return len(s), 77 in s


@prog(Z)
def set_if_stmt(z):
    a, b = first(z), second(z)
    if z[0] > 2:
        s = a
        a.add(55)
    else:
        s = b
    return len(s), 55 in s


@prog(Z)
def set_made_in_branches(z):
    if z[0] > 2:
        s = first(z)
    else:
        s = second(z)
    s.add(100)
    return s


@prog(Z)
def set_rebound_loop(z):
    s = set()
    for v in z:
        s = s | {v}
    return s


@prog(Z)
def set_rebound_loop_minus(z):
    s = set(range(6))
    for v in z[:3]:
        s = s - {v}
    return sorted(s)


@prog(Z)
def frontier(z):
    seen = {z[0]}
    level = {z[0]}
    n = 0
    while level:
        new = set()
        for v in level:
            for w in (v * 2 % 11, (v + 3) % 11):
                if w not in seen:
                    seen.add(w)
                    new.add(w)
        level = new
        n += 1
    return n, len(seen)


@prog(Z)
def life_set(z):
    live = set()
    for i, v in enumerate(z):
        live.add((i % 4, int(v) % 4))
    for _ in range(3):
        count = Counter()
        for x, y in live:
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx or dy:
                        count[(x + dx, y + dy)] += 1
        live = {c for c, n in count.items() if n == 3 or (n == 2 and c in live)}
    return sorted(live)


@prog(Z)
def dict_rebound_loop(z):
    d = {0: 1}
    for v in z:
        new = {}
        for k, n in d.items():
            new[k] = new.get(k, 0) + n
            new[k + v] = new.get(k + v, 0) + n
        d = new
    return d


@prog(Z)
def counter_rebound(z):
    ways = Counter({0: 1})
    for v in z[:5]:
        new = Counter()
        for total, n in ways.items():
            for face in (1, 2):
                new[total + face * v] += n
        ways = new
    return ways.most_common(2), sum(ways.values())


@prog(Z)
def defaultdict_rebound(z):
    ways = defaultdict(int)
    ways[0] = 1
    for v in z[:6]:
        new = defaultdict(int)
        for total, n in ways.items():
            new[total + v] += n
            new[abs(total - v)] += n
        ways = new
    return dict(ways)


@prog(Z)
def dict_if(z):
    a = tab(z[:4])
    b = tab(z[4:])
    d = a if z[0] > 2 else b
    return d, len(d), sorted(d.items())


@prog(Z)
def dict_if_get(z):
    a = tab(z[:4])
    b = tab(z[4:])
    d = a if z[0] > 2 else b
    return d.get(3, -1), d[z[0]], 1 in d


@prog(Z, refused=STAGED)
def dict_if_stale(z):
    a = tab(z[:4])
    b = tab(z[4:])
    d = a if z[0] > 2 else b
    a[99] = 1
    return d.get(99, -1)


@prog(Z, refused=STAGED)
def dict_if_value_stale(z):
    a = tab(z[:4])
    b = tab(z[4:])
    d = a if z[0] > 2 else b
    a[3] = 123
    return d.get(3, -1)


@prog(Z)
def dict_if_write(z):
    a = tab(z[:4])
    b = tab(z[4:])
    d = a if z[0] > 2 else b
    d[3] = 55
    return a.get(3, -1)


@prog(Z, refused=SIZES)
def dict_swap(z):
    old = {}
    new = {}
    for v in z:
        new[v] = old.get(v, 0) + 1
        old, new = new, old
    return sorted(old.items()), sorted(new.items())


@prog(Z)
def maybe_none_set(z):
    best = None
    for i in range(len(z) - 2):
        s = set(z[i : i + 3])
        if best is None or len(s) > len(best):
            best = s
    return sorted(best)


@prog(Z, refused=SIZES)
def maybe_none_set_loop(z):
    best = None
    for i in range(len(z) - 2):
        s = set(z[i : i + 3])
        if best is None or len(s) > len(best):
            best = s
    t = 0
    for v in best:
        t += v
    return t, len(best), 3 in best


@prog(Z)
def best_group(z):
    groups = {}
    for i, v in enumerate(z):
        groups.setdefault(v, set()).add(i)
    best = set()
    for k, s in groups.items():
        if len(s) > len(best):
            best = s
    return best


@prog(Z, refused=STAGED)
def best_group_write(z):
    groups = {}
    for i, v in enumerate(z):
        groups.setdefault(v, set()).add(i)
    best = set()
    for k, s in groups.items():
        if len(s) > len(best):
            best = s
    best.add(1000)
    return groups


@prog(Z, refused=STAGED)
def best_group_stale(z):
    groups = {}
    for i, v in enumerate(z):
        groups.setdefault(v, set()).add(i)
    best = set()
    for k, s in groups.items():
        if len(s) > len(best):
            best = s
    groups[z[0]].add(1000)
    return len(best)


@prog(Z)
def iterate_joined(z):
    a, b = first(z), second(z)
    s = a if z[0] > 2 else b
    return [v for v in s]


@prog(Z)
def unbound_set(z):
    if z[0] > 2:
        s = first(z)
    return len(s)


@prog(Z)
def return_early(z):
    s = first(z)
    for v in z:
        if v == 5:
            return s
        s.add(v * 10)
    return set()


@prog(Z, refused=STAGED)
def isin_joined(z):
    a, b = first(z), second(z)
    s = a if z[0] > 2 else b
    return s is a


@prog(Z)
def both_same(z):
    a = first(z)
    if z[0] > 2:
        s = a
        x = 1
    else:
        s = a
        x = 2
    s.add(x * 50)
    return a


@prog(Z)
def dict_of_lists_if(z):
    a = {}
    b = {}
    for i, v in enumerate(z):
        a.setdefault(v, []).append(i)
        b.setdefault(v + 1, []).append(i)
    d = a if z[0] > 2 else b
    return d[3], len(d)


@prog(Z, refused=STAGED)
def dict_of_lists_if_write(z):
    a = {}
    b = {}
    for i, v in enumerate(z):
        a.setdefault(v, []).append(i)
        b.setdefault(v + 1, []).append(i)
    d = a if z[0] > 2 else b
    a[3].append(7)
    return d[3], len(d)


@prog(Z, refused=STAGED)
def dict_of_lists_if_write2(z):
    a = {}
    b = {}
    for i, v in enumerate(z):
        a.setdefault(v, []).append(i)
        b.setdefault(v + 1, []).append(i)
    d = a if z[0] > 2 else b
    d[3].append(7)
    return a[3], len(d)
