"""Comparisons of tuples, lists, dicts and dataclass objects whose parts are staged.

The file is long because it is a collection of independent programs.
"""

import heapq
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
Z = np.array([3, 1, 2, 1, 0])
G = np.array([[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0]])
N = np.int64(2)
WALLS = frozenset({(3, 1), (5, 5)})
WLIST = [(3, 1), (5, 5)]
NANS = np.array([np.nan, 1.0, np.nan])
PRICES = {(3, 1): 2.5, (1, 2): 3.5}
F = np.array([0.1, 0.5], np.float32)
T = namedtuple("T", "a b")


@dataclass
class P:
    x: float
    y: float


@dataclass(frozen=True, order=True)
class Q:
    x: float
    y: float
    name: str = field(default="", compare=False)


class Plain:
    def __init__(self, x):
        self.x = x


class Eq:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Eq) and self.x == other.x

    def __hash__(self):
        return 1


@prog(Z)
def eq_if(z):
    a, b = z[0], z[1]
    if (a, b) == (3, 1):
        return 1.0
    return 2.0


@prog(Z)
def eq_value(z):
    return (z[0], z[1]) == (3, 1), (z[0], z[1]) != (3, 1), (z[0], z[1]) == (3, 2)


@prog(Z)
def lt_value(z):
    return (z[0], z[1]) < (3, 2), (z[0], z[1]) >= (3, 1), max((z[0], 1), (z[1], 2))


@prog(Z)
def eq_len(z):
    return (z[0], z[1]) == (3, 1, 0), (z[0],) < (3, 1), (z[0], z[1]) == [3, 1], (z[0], z[1]) != z[0]


@prog(Z)
def eq_loop(z):
    goal = (2, 1)
    count = 0
    for i in range(len(z)):
        for j in range(3):
            if (z[i], j) == goal:
                count += 1
            elif (z[i], j) != (1, 1):
                count += 10
    return count


@prog(Z)
def eq_in(z):
    return (
        (z[0], z[1]) in [(1, 2), (3, 1)],
        (z[0], 4) in ((3, 4), (5, 6)),
        (z[1], z[2]) not in [(1, 2)],
    )


@prog(Z)
def eq_in_set(z):
    blocked = {(1, 2), (3, 1)}
    n = 0
    for i in range(4):
        if (z[i], z[i + 1]) in blocked:
            n += 1
    return n


@prog(Z)
def tuple_key(z):
    seen = set()
    n = 0
    for i in range(4):
        p = (z[i], z[i] + 1)
        if p not in seen:
            seen.add(p)
            n += 1
    return n


@prog(Z)
def tuple_key_dict(z):
    d = {}
    for i in range(4):
        p = (z[i], z[i + 1])
        d[p] = d.get(p, 0) + i
    return d


@prog(Z)
def best_tuple(z):
    best = (0, 0)
    for i in range(len(z)):
        if z[i] > z[best[0]]:
            best = (i, z[i])
    return best == (0, 3), best != (1, 1)


@prog(Z)
def best_none(z):
    best = None
    for i in range(len(z)):
        if z[i] == 1:
            best = (i, z[i])
    return best == (3, 1)


@prog(X)
def list_eq(x):
    a = [x[0], x[1]]
    return a == [3.0, 1.0], a != [3.0, 1.0], a == [x[0], x[1]], a == [1.0], a < [3.0, 2.0]


@prog(X)
def list_eq_staged(x):
    a = [v for v in x if v > 2]
    b = []
    for v in x:
        if v > 2:
            b.append(v)
    return a == b, a == [3.0, 5.0, 4.0], a != b, b == sorted(b), a < [4.0], a[::-1] == a


@prog(X)
def palindrome(x):
    a = []
    for v in x:
        if v > 1.5:
            a.append(v)
    if a == a[::-1]:
        return 1
    return 0


@prog(G)
def grid_pos(g):
    r, c = 0, 0
    goal = (3, 3)
    steps = 0
    while (r, c) != goal and steps < 20:
        if c < 3 and g[r, c + 1] == 0:
            c += 1
        elif r < 3 and g[r + 1, c] == 0:
            r += 1
        else:
            break
        steps += 1
    return r, c, steps


@prog(G)
def astar2(grid):
    rows, cols = grid.shape
    goal = (rows - 1, cols - 1)
    heap = [(0, 0, 0)]
    best = np.full((rows, cols), 99)
    best[0, 0] = 0
    while heap:
        f, r, c = heapq.heappop(heap)
        if (r, c) == goal:
            return best[r, c]
        for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            nr, nc = r + dr, c + dc
            if 0 <= nr < rows and 0 <= nc < cols and grid[nr, nc] == 0:
                new = best[r, c] + 1
                if new < best[nr, nc]:
                    best[nr, nc] = new
                    heapq.heappush(heap, (new, nr, nc))
    return -1


@prog(Z)
def eq_mixed(z):
    return (
        (z[0], "a") == (3, "a"),
        (z[0], None) == (3, None),
        (z[0], "b") == (3, "a"),
        (z, 1) == (3, 1),
        ("a", z[0]) == ("a", 3),
    )


@prog(Z)
def eq_arrays(z):
    return (1, z) == (2, z), (z, 1) == (z, 1)


@prog(Z)
def eq_arrays_raise(z):
    return (1, z) == (1, z + 1)


@prog(Z)
def index_count(z):
    ps = [(1, 2), (3, 1), (z[0], z[1])]
    return ps.index((z[0], z[1])), ps.count((3, z[1]))


@prog(Z)
def eq_nested(z):
    return (
        ((z[0], z[1]), z[2]) == ((3, 1), 2),
        [(z[0], 1)] == [(3, 1)],
        [[z[0]]] == [[3]],
        ((z[0],),) < ((4,),),
    )


@prog(Z, N)
def list_n(z, n):
    a = [0] * n
    return a == [0, 0], a == [0, 0, 0]


@prog(Z)
def assert_eq(z):
    assert (z[0], z[1]) == (3, 1), "no"
    return z.sum()


@prog(Z)
def ternary(z):
    return 1 if (z[0], z[1]) == (3, 1) else 2


@prog(Z)
def shape_eq(z):
    y = z[z > 1]
    if y.shape == z.shape:
        return 1
    return 2


@prog(np.array([[1.0, 2.0], [3.0, 4.0]]))
def shape_eq2(m):
    if m.shape == m.T.shape and m.shape != (2, 3):
        return m @ m
    return m


@prog(Z)
def in_list_of_tuples(z):
    path = []
    r = c = 0
    for v in z:
        r = (r + v) % 3
        c = (c + 1) % 2
        if (r, c) in path:
            continue
        path.append((r, c))
    return path


@prog(Z)
def eq_sorted_lists(z):
    a = sorted(z)
    b = sorted(z[::-1])
    return a == b, list(z) == a


@prog(Z)
def while_list_break(z):
    s = [z[0]]
    while s:
        a = s.pop()
        if a == 1:
            break
        s.append(a - 1)
    return s


@prog(Z)
def while_list_return(z):
    s = [z[0]]
    while s:
        a = s.pop()
        if a == 1:
            return a
        s.append(a - 1)
    return -1


@prog(Z)
def while_list_break2(z):
    s = [(z[0], 1)]
    while s:
        a, b = s.pop()
        if (a, b) == (1, 1):
            break
        s.append((a - 1, b))
    return s


@prog(Z)
def while_list_break3(z):
    s = [(z[0], 1)]
    goal = (1, 1)
    while s:
        p = s.pop()
        if p == goal:
            break
        a, b = p
        s.append((a - 1, b))
    return s


@prog(Z)
def in_tuple(z):
    return 3 in (1, z[0]), z[0] in (1, 3), 2.0 in (1.0, z[0])


@prog(Z)
def in_const_set(z):
    return (
        (z[0], z[1]) in WALLS,
        (z[0], z[2]) in WALLS,
        (z[0], z[1]) in WLIST,
        (z[0], z[1]) not in {(1, 2): 1},
    )


@prog(Z)
def in_const_set_loop(z):
    n = 0
    for i in range(4):
        if (z[i], z[i + 1]) in WALLS:
            n += 1
        if (z[i], z[i + 1]) not in WLIST:
            n += 1
    return n


@prog(X)
def dc_eq(x):
    return (
        P(x[0], 1.0) == P(3.0, 1.0),
        P(x[0], x[1]) != P(3.0, x[1]),
        P(x[0], 1) == 3,
        (Q(x[0], 1), 1) < (Q(4.0, 2), 1),
        Q(x[0], 1, "a") == Q(3.0, 1, "b"),
    )


@prog(X)
def dc_in(x):
    ps = [P(x[0], x[1]), P(x[1], x[2])]
    return P(1.0, 2.0) in ps, P(9.0, x[0]) in ps


@prog(X)
def dc_first(x):
    best = P(0.0, 0.0)
    for i in range(4):
        p = P(x[i], x[i + 1])
        if p == P(1.0, 2.0):
            best = p
    return best.x


@prog(X)
def dc_next(x):
    ps = [P(x[0], x[1]), P(x[1], x[2])]
    found = next((p for p in ps if p == P(1.0, 2.0)), None)
    return found is None


@prog(X)
def plain_in(x):
    a, b = Plain(x[0]), Plain(x[1])
    return a in [a, b], (a, 1) == (a, 1), (a, 1) == (b, 1), [a, b].index(b)


@prog(Z)
def nt(z):
    t = T(z[0], z[1])
    return t == (3, 1), (t, 1) < (T(3, 2), 1), t == T(3, 1), t in [T(1, 2), T(3, 1)]


@prog(Z)
def nt_staged(z):
    ts = []
    for i in range(4):
        if z[i] > 0:
            ts.append(T(z[i], z[i + 1]))
    return T(1, 2) in ts, ts.index(T(1, 2)), T(7, 7) in ts, (1, 2) in ts


@prog(Z)
def dict_eq(z):
    return (
        {"a": z[0], "b": 1} == {"b": 1, "a": 3},
        {"a": z[0]} == {"a": 1},
        {"a": z[0]} != {"b": z[0]},
        [{"n": z[0]}] == [{"n": 3}],
    )


@prog(Z)
def prices(z):
    total = 0.0
    for i in range(4):
        total += PRICES.get((z[i], z[i + 1]), 0.0)
    return total, PRICES[z[0], z[1]], (z[1], z[2]) in PRICES


@prog(Z)
def prices_missing(z):
    return PRICES[z[0], z[2]]


@prog(NANS)
def nans(x):
    a = x[0]
    b = x[0]
    t = (a, 1)
    return (
        t == (a, 1),
        (a, 1) == (b, 1),
        t == t,
        t in [(b, 1)],
        t in [(b, 1), (a, 1)],
        (a,) < (b,),
        [a] == [a],
        [a] == [b],
        (x[0],) != (x[2],),
    )


@prog(NANS)
def nans_loop(x):
    best = (0.0, 1.0)
    n = 0
    for v in x:
        old = (v, 1.0)
        if v != v:
            best = old
        if best == old:
            n += 1
        if best == (x[0], 1.0):
            n += 10
    return n


@prog(F)
def f32_keys(x):
    d = {0.1: 1, 0.5: 2}
    return (
        d.get(x[0], 0),
        d.get(x[1], 0),
        x[0] in d,
        (x[0], 1) in {(0.1, 1)},
        (x[1], 1) in {(0.5, 1)},
    )


@prog(Z)
def unhash(z):
    return (z[0], [1]) in {(3, 1)}


@prog(Z)
def unhash2(z):
    return (z, 1) in PRICES


@prog(Z)
def sorted_tuples(z):
    ps = [(z[0], 1), (z[1], 2), (z[3], 0)]
    return sorted(ps), max(ps), min(ps)


@prog(Z)
def sort_key(z):
    ps = [(z[0], 1), (z[1], 2), (z[3], 0)]
    ps.sort(key=lambda p: (p[0], -p[1]))
    return ps


@prog(Z)
def remove_tuple(z):
    ps = [(3, 1), (1, 2)]
    ps.remove((z[0], z[1]))
    return ps


@prog(Z)
def is_sorted(z):
    a = []
    for v in z:
        if v > 0:
            a.append(v)
    return a <= [1, 2], a > [3, 1], a >= a[:2], sorted(a) < a


@prog(Z)
def raise_cmp(z):
    return (z[0], 1) < (3, "a")


@prog(Z)
def raise_cmp2(z):
    return (z[0], 1) < [3, 1]


@prog(X)
def floats(x):
    count = 0
    for i in range(4):
        if (x[i], x[i + 1]) > (2.0, 0.0):
            count += 1
        if [x[i], 1.0] == [2.0, 1.0]:
            count += 10
    return count
