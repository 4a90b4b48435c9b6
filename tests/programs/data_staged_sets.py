"""Sets with staged elements: visited sets, duplicates, set algebra."""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

Z = np.array([3, 1, 3, 2, 1, 3, 0])
W = np.array([3, 8, 1, 9])
X = np.array([0.5, 2.0, 0.5, -0.0, 0.0, 7.25, 2.0])
N = np.int64(6)


@prog(Z)
def visited(z):
    seen = set()
    i = 0
    steps = 0
    while i not in seen:
        seen.add(i)
        i = int(z[i])
        steps += 1
    return steps, seen, len(seen)


@prog(Z)
def first_duplicate(z):
    seen = set()
    for v in z:
        if v in seen:
            return v
        seen.add(v)
    return -1


@prog(Z)
def distinct(z):
    return len(set(z)), set(z), sorted(set(z))


@prog(Z)
def distinct_in_list(z):
    found = []
    for v in z:
        if v > 0:
            found.append(int(v))
    s = set(found)
    return s, max(s), min(s), sum(s), list(s)


@prog(X)
def floats(x):
    s = set()
    for v in x:
        s.add(v)
    return s, len(s), 0.0 in s, 3.0 in s


@prog(N)
def order_of_added(n):
    s = set()
    for i in range(n * 5):
        s.add((i * 37) % 101)
    total = 0
    for v in s:
        total = (total * 3 + v) % 1000003
    return list(s), total, [v + 1 for v in s]


@prog(Z, refused=STAGED)
def order_after_removal(z):
    s = set()
    for v in z:
        s.add(v)
    s.discard(1)
    return list(s)


@prog(Z, W)
def sorted_after_changes(z, w):
    a, b = set(z), set(w)
    c = a | b
    c.discard(z[0])
    return sorted(c), sorted(a & b), max(a - b), min(c)


@prog(Z, refused=STAGED)
def arbitrary_element(z):
    s = set(z)
    return s.pop()


@prog(Z)
def removed(z):
    s = set()
    for v in z:
        if v in s:
            s.remove(v)
        else:
            s.add(v)
    s.discard(77)
    return s, len(s)


@prog(Z)
def removed_missing(z):
    s = set(z)
    s.remove(z[0] + 100)
    return s


@prog(Z, W)
def algebra(z, w):
    a, b = set(z), set(w)
    return a | b, a & b, a - b, b - a, a ^ b, len(a | b), len(a & b)


@prog(Z, W)
def methods(z, w):
    a, b = set(z), set(w)
    c = a.union(b)
    d = a.intersection(b)
    e = a.difference(b)
    f = a.symmetric_difference(b)
    a.update(b)
    return a, c, d, e, f, d.issubset(c), c.issuperset(d), d.isdisjoint(e), d <= c, d < d, c >= e


@prog(Z, W)
def changed_in_place(z, w):
    a, b = set(z), set(w)
    a |= b
    b &= {1, 3, 50}
    c = a.copy()
    c -= b
    c.add(1000)
    return a, b, c, a == b, a != b, b == {1, 3}, len(c), c == c.copy()


@prog(Z)
def with_display(z):
    seen = {0}
    for v in z:
        seen |= {v}
    seen = seen | {z[0] + 1}
    return seen, {z[0], z[1]}


@prog(Z)
def comprehended(z):
    s = {int(v) * 2 for v in z if v > 0}
    t = {v for v in z}
    return s, len(t), t


@prog(Z)
def in_branches(z):
    s = {1, 2}
    if z[0] > 2:
        s.add(9)
    else:
        s.clear()
    return s, 9 in s


@prog(Z)
def pairs(z):
    s = set()
    for i in range(len(z) - 1):
        s.add((int(z[i]), int(z[i + 1])))
    return s, (3, 1) in s, (1, 1) in s


@prog(Z)
def emptied(z):
    waiting = set()
    for v in z:
        waiting.add(v)
    rounds = 0
    while waiting:
        waiting.discard(rounds)
        rounds += 1
    return rounds, waiting, not waiting


@prog(np.array([2, 7, 3, 8, 5]))
def sieve(z):
    n = z[3] * 3
    composite = set()
    primes = []
    for i in range(2, n):
        if i not in composite:
            primes.append(i)
            for j in range(i * i, n, i):
                composite.add(j)
    return primes, len(composite)


@prog(np.array([[0, 1, 0], [0, 0, 0], [1, 0, 0]]))
def flood(grid):
    start = (int(grid[0, 0]), 0)
    seen = {start}
    queue = [start]
    while queue:
        i, j = queue.pop(0)
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            a, b = i + di, j + dj
            inside = 0 <= a < grid.shape[0] and 0 <= b < grid.shape[1]
            if inside and grid[a, b] == 0 and (a, b) not in seen:
                seen.add((a, b))
                queue.append((a, b))
    return len(seen), sorted(seen)


@prog(np.array([1.0, np.nan, np.nan]))
def with_nan(x):
    s = set()
    for v in x:
        s.add(v)
    return len(s)


@prog(Z)
def text_of_set(z):
    s = set(z)
    return str(s)


@prog(Z)
def passed_to_functions(z):
    def note(seen, v):
        if v not in seen:
            seen.add(v)
            return 1
        return 0

    seen = set()
    total = 0
    for v in z:
        total += note(seen, v)
    return total, seen
