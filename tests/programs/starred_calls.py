"""Stars before lists of which only the run knows the length, and tuples of such a length.

The file is long because it is a collection of independent programs.
"""

import itertools
import math

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import INTS, A, B, E

CASES = Cases()
program = CASES.program


def combined(a, b, c):
    return a * b + c


def first_or_zero(*v):
    return v[0] if v else 0.0


def added(*v):
    t = 0.0
    for x in v:
        t += x
    return t


@program(A, E, INTS)
def star_grown(x):
    v = []
    for a in x:
        if a > 1:
            v.append(a)
    return added(*v)


@program(A, INTS)
def star_grown_exact(x):
    v = []
    for a in x:
        v.append(a * 2)
    return combined(*v)


@program(A, INTS, E, A[:1])
def first_rest(x):
    items = []
    for a in x:
        if a > 0:
            items.append(a)
    first, *rest = items
    return first, rest


@program(A, INTS, E, A[:1])
def first_rest_sum(x):
    items = [a for a in x if a > 0]
    first, *rest, last = items
    return first, sum(rest), last


@program(A, INTS)
def np_max_pair(x):
    pair = (x, x[::-1])
    return np.maximum(*pair)


@program(A, INTS)
def np_max_pair_list(x):
    pair = [w * 2 for w in (x, x[::-1])]
    return np.maximum(*pair)


@program((B, A))
def ab_known(x, y):
    ws = [x, x * 2]
    a, b = [np.sum(w) for w in ws]
    return a - b


@program((A, B))
def qkv(y, x):
    q, k, v = (y @ w for w in (x, x * 2, x + 1))
    return q, k, v


@program((A, np.arange(18.0).reshape(3, 3, 2)))
def qkv_array(y, ws):
    q, k, v = (y @ w for w in ws)
    return q, k, v


@program((A, np.arange(18.0).reshape(3, 3, 2)))
def qkv_array_list(y, ws):
    q, k, v = [y @ w for w in ws]
    return q + k * v


@program((A, [np.ones((3, 2)), np.zeros((3, 2)), np.full((3, 2), 2.0)]))
def qkv_list_arg(y, ws):
    q, k, v = (y @ w for w in ws)
    return q, k, v


@program((A, np.split(np.arange(18.0).reshape(3, 6), 3, axis=1)))
def qkv_split(y, ws):
    w = np.concatenate(ws, axis=1)
    q, k, v = np.split(y @ w, 3)
    return q, k, v


@program((A, np.arange(18.0).reshape(3, 6)))
def qkv_split2(y, w):
    q, k, v = [part * 2 for part in np.split(y @ w, 3)]
    return q, k, v


@program((A, B), (INTS, B))
def star_lists(a, b):
    u = [x for x in a if x > 1]
    w = []
    for r in b:
        w.append(r[0])
    return [*u, *w]


@program(A, INTS)
def print_items(x):
    items = []
    for a in x:
        if a > 1:
            items.append(a)
    print(*items)
    print(*items, sep=", ")
    print("items:", *items, sep="|", end="\n\n")
    return len(items)


@program(A, INTS, E)
def max_items(x):
    xs = [a for a in x if a > 1]
    return max(*xs)


@program(A, INTS, E, A[:1])
def max_items_more(x):
    xs = [a for a in x if a > 1]
    return max(0, *xs), min(*xs, 5.0, 7)


@program(B, B[:0], B[:1])
def zip_star(x):
    pairs = []
    for r in x:
        if r[0] > 0:
            pairs.append((r[0], r[1]))
    xs, ys = zip(*pairs)
    return xs, ys


@program(B, B[:0], B[:1])
def zip_star_list(x):
    rows = [r * 2 for r in x if r[0] > 0.7]
    return list(zip(*rows))


@program(B)
def transpose(x):
    return [list(c) for c in zip(*x)]


@program(B)
def hyp(x):
    return [np.hypot(*r) for r in x]


def dist(p, q):
    return np.hypot(p[0] - q[0], p[1] - q[1])


@program(B)
def closest(x):
    pts = [tuple(r) for r in x]
    best = None
    for i in range(len(pts)):
        for j in range(i):
            d = dist(pts[i], pts[j])
            if best is None or d < best[0]:
                best = (d, i, j)
    d, i, j = best
    return d, i, j


@program(A, INTS)
def stack_star(x):
    v = []
    while len(v) < 4:
        v.append(x * len(v))
    return np.stack([*v]), np.maximum.reduce([*v])


@program(A, INTS, E)
def tuple_of_grown(x):
    v = []
    for a in x:
        if a > 1:
            v.append(a)
    return tuple(v)


@program(A, INTS, E)
def swap(x):
    v = [a for a in x if a > 1]
    a, b = v
    return a - b


@program(A, INTS, E)
def chained(x):
    v = [a for a in x if a > 1]
    w = [*v, 0.0, *v[::-1]]
    return w, len(w)


def kw(a, b=2, *rest, k=0):
    return a + b + len(rest) + k


@program(A, INTS, E)
def star_kw(x):
    v = [a for a in x if a > 1]
    return kw(*v, k=3)


@program(A, INTS, E)
def join_star(x):
    v = [a for a in x if a > 1]
    return "{} {}".format(*v)


@program(A, INTS, E)
def method_star(x):
    v = [int(a) for a in x]
    out = []
    out.extend([*v, *v])
    return np.zeros((2, 3)).reshape(*v[:2] if False else (3, 2)), out


@program(
    (np.array([2, 3]),),
)
def reshape_star(s):
    v = [int(a) for a in s]
    return np.arange(6).reshape(*v)


@program(
    (np.array([2, 3]),),
)
def zeros_of(s):
    dims = [int(a) for a in s]
    return np.zeros(dims), np.ones(tuple(dims))


@program((A, np.array([1.0, 2.0])))
def polyval_star(x, c):
    c0, *cs = c
    y = c0
    for k in cs:
        y = y * x + k
    return y


@program(A)
def mymax(x):
    return max(*x), min(*x, 0), sum([*x]), {*x} == {1.0, 2.0, 3.0}


def with_parameters(a, *rest, k=1, **kw):
    return a, len(rest), rest, k, sorted(kw)


def of_any_number(*v):
    return (
        max(v) if v else None,
        sum(v),
        v[0] if v else 0,
        [x * 2 for x in v],
        v[1:],
        v + (1,),
        isinstance(v, tuple),
        2.0 in v,
    )


def summed_by_recursion(*v):
    if not v:
        return 0
    return v[0] + summed_by_recursion(*v[1:])


@program(A, E, INTS, A[:2])
def own_parameters_with_star(x):
    z = [v for v in x if v > 1]
    return (
        with_parameters(1, *z),
        with_parameters(*z, k=3) if len(z) > 0 else 0,
        with_parameters(1, 2, *z, 5, k=2, m=3),
    )


@program(A, E, INTS, A[:2])
def uses_of_own_tuple(x):
    z = [v for v in x if v > 1]
    return of_any_number(*z)


@program(A, E, INTS, A[:2])
def recursion_with_star(x):
    z = [v for v in x if v > 1]
    return summed_by_recursion(*z)


@program(A, INTS, A[:2], -A)
def uses_of_a_tuple(x):
    t = tuple([v for v in x if v > 1])
    a = (
        len(t),
        t[:1],
        t + t,
        t * 2,
        list(t),
        sum(t),
        sorted(t),
        tuple(reversed(t)),
        t == (3.0, 2.0),
        t != (),
        t < (5.0,),
    )
    b = (
        str(t),
        f"{t}",
        repr(t),
        bool(t),
        [v for v in t],
        np.array(t) if len(t) else 0,
        np.sum(t),
        any(t),
        all(t),
    )
    print(t, len(t))
    return a, b, t


@program(A, E, INTS, A[:2], -A)
def parts_of_a_tuple(x):
    t = tuple(v * 2 for v in x if v > 1)
    if len(t) > 1:
        a, *b = t
        return t[0], t[-1], a, b, enumerate(t) is None
    return None


@program(A, E, INTS, A[:2], -A)
def item_and_index_of_a_tuple(x):
    t = tuple(v * 2 for v in x if v > 1)
    return t[1], t.index(4.0)


@program(A, E, INTS, A[:2], -A)
def tuple_of_two(x):
    if len(x) > 1 and x[0] > 0:
        t = tuple(v * 2 for v in x if v > 1)
    else:
        t = tuple(v * 3 for v in x if v < 1)
    return t


@program(A, E, INTS, A[:2], -A)
def longest_tuple(x):
    best = ()
    for i in range(len(x)):
        cand = tuple(v for v in x if v > i)
        if len(cand) > len(best):
            best = cand
    return best


@program(A, E, INTS, A[:2], -A)
def list_of_tuples(x):
    out = []
    for i in range(len(x)):
        out.append(tuple(v for v in x if v > i))
    return out


@program(A, E, INTS, A[:2], -A)
def tuple_added_to(x):
    t = ()
    for v in x:
        t += (v,)
    return t


@program(B, B[:0], B[:1], -B)
def columns_of_pairs(x):
    pts = []
    for r in x:
        if r[0] > 0:
            pts.append((r[0], r[1], 1))
    if not pts:
        return 0.0
    xs, ys, ks = zip(*pts)
    return sum(xs) / len(xs), max(ys), xs, list(ys), np.mean(xs), min(ks)


@program(B, B[:0], B[:1], -B)
def columns_of_rows(x):
    rows = [r for r in x if r[0] > 0]
    return [sum(c) for c in zip(*rows)], [list(c) for c in zip(*rows)], list(map(max, zip(*rows)))


@program(B, B[:0], B[:1], -B, refused=True)
def columns_of_lists(x):
    rows = [[r[0], r[1]] for r in x if r[0] > 0]
    return [list(c) for c in zip(*rows)]


@program(B, -B)
def columns_of_sorted_pairs(x):
    pts = sorted((r[0], r[1]) for r in x)
    xs, ys = zip(*pts)
    return xs, ys, np.array(xs), dict(zip(xs, ys)) if False else 0


@program(INTS, INTS[:1], INTS[:0])
def greatest_divisor(x):
    z = [int(v) * 2 for v in x if v > 1]
    return math.gcd(*z), math.lcm(*z)


@program(A, E)
def printed_with_star(x):
    z = [v for v in x if v > 1]
    print("values", *z, sep="\n")
    print(*z, *z)
    print(*[round(v, 1) for v in z], end="!\n")
    print(*(f"{v:.2f}" for v in z))
    print(*map(str, z))
    print(*sorted(z), *reversed(z))
    print(*enumerate(z))
    return max(*z, 0, 1), min(0, *z)


@program(A, E)
def chained_lists(x):
    z = [[v, v + 1] for v in x if v > 1]
    return list(itertools.chain(*z)), sum(itertools.chain(*z)), [*itertools.chain(*z)]


@program(A, E, A[:1])
def ufuncs_with_star(x):
    z = [v for v in x if v > 1]
    return np.maximum(*z), np.hypot(*z), math.hypot(*z)


@program(A, E, A[:1])
def builtins_with_star(x):
    z = [v for v in x if v > 1]
    return pow(*z), divmod(*z)


class P3:
    def __init__(self, a, b=0.0):
        self.a, self.b = a, b

    def m(self, *v):
        return self.a + sum(v)


@program(A, E, A[:1])
def object_with_star(x):
    z = [v for v in x if v > 1]
    q = P3(*z)
    return q.a, q.b, q.m(*z)


@program((A, np.array([2, 1])), (A, np.array([0])), (A, np.array([1])))
def shape_from_list(x, n):
    z = []
    for v in n:
        z.append(int(v))
    return np.zeros(z), np.zeros(tuple(z)).shape


@program(A, E)
def set_with_star(x):
    z = [v for v in x if v > 1]
    return {*z} == {3.0, 2.0}, (*z, 1) == (3.0, 2.0, 1), [*z, *z]


@program(A, E)
def tuples_with_star(x):
    z = [v for v in x if v > 1]
    return (*z, 1) == (3.0, 2.0, 1.0), (*z, *z), (0.0, *z)


@program(A, -A)
def tuple_with_star_or_known(x):
    z = [v for v in x if v > 1]
    t = (1.0, 2.0)
    if x[0] > 0:
        t = (*z, 5.0)
    return t, len(t), t[0]
