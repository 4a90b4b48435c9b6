"""Keys, sums and truths of grown lists that hold pairs, arrays and objects, and complex scalars.

The file is long because it is a collection of independent programs.
"""

import cmath
from dataclasses import dataclass
from operator import attrgetter, itemgetter

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import INTS, A, B, E, N

CASES = Cases()
program = CASES.program


@program(A, N, E, INTS)
def sort_pairs_key(x):
    z = []
    for i, v in enumerate(x):
        if v > 0:
            z.append((v, i))
    z.sort(key=lambda p: p[0])
    return z


@program(A, N, E, INTS)
def sorted_pairs_rev(x):
    z = [(i, v) for i, v in enumerate(x) if v > 0]
    return sorted(z, key=lambda p: p[1], reverse=True)


@program(A, N, E, INTS)
def sorted_pairs_neg(x):
    z = [(i, v) for i, v in enumerate(x) if v > 0]
    return sorted(z, key=lambda p: (-p[1], p[0]))


@program(B, -B)
def sort_arrays(x):
    z = []
    for r in x:
        if r[0] > 0:
            z.append((r.sum(), r))
    z.sort(key=lambda p: p[0])
    return z


@program(B, -B)
def sorted_arrays(x):
    z = []
    for r in x:
        if r[0] > 0:
            z.append((r.sum(), r))
    return [r for s, r in sorted(z, key=lambda p: -p[0])]


@program(B, -B)
def max_arrays(x):
    z = []
    for r in x:
        if r[0] > 0:
            z.append((r.sum(), r))
    return max(z, key=lambda p: p[0])


@program(B, -B)
def min_arrays_default(x):
    z = []
    for r in x:
        if r[0] > 0:
            z.append((r.sum(), r))
    return min(z, key=lambda p: p[0], default=None)


@program(B, -B)
def min_pairs_default(x):
    z = [(r[0], r[1]) for r in x if r[0] > 0]
    return min(z, key=lambda p: p[1], default=(0.0, 0.0))


@program(B, -B)
def min_pairs_default_none(x):
    z = [(r[0], r[1]) for r in x if r[0] > 0]
    best = min(z, key=lambda p: p[1], default=None)
    return 0.0 if best is None else best[0]


@program(B, -B)
def max_rows(x):
    z = [r for r in x if r[0] > 0]
    return max(z, key=lambda r: r[1])


@program(B, -B)
def sorted_rows(x):
    z = [r for r in x if r[0] > 0]
    return sorted(z, key=np.sum)


@program(B, -B)
def sort_rows_known(x):
    z = [r for r in x]
    z.sort(key=lambda r: r[1])
    return z


@program(B, -B)
def sort_known_pairs_arrays(x):
    pop = [(np.sum(r), r) for r in x]
    pop.sort(key=lambda p: p[0], reverse=True)
    return pop[0][1], [f for f, _ in pop]


@program(B, -B)
def sorted_known_pairs_arrays(x):
    pop = [(np.sum(r), r) for r in x]
    best = sorted(pop, key=lambda p: p[0])[:2]
    return [r for _, r in best]


@program(B, -B)
def max_known_pairs_arrays(x):
    pop = [(np.sum(r), r) for r in x]
    f, r = max(pop, key=lambda p: p[0])
    return f, r


@program(B, -B)
def max_key_index(x):
    best = max(range(len(x)), key=lambda i: x[i, 1])
    worst = min(range(len(x)), key=lambda i: x[i].sum())
    order = sorted(range(len(x)), key=lambda i: x[i, 0])
    return best, worst, order


@program(A, N, E, INTS)
def dict_list(x):
    z = [{"v": v, "i": i} for i, v in enumerate(x) if v > 0]
    z.sort(key=lambda d: d["v"])
    return z


@program(A, N, E, INTS)
def dict_max(x):
    z = [{"v": v, "i": i} for i, v in enumerate(x) if v > 0]
    return max(z, key=lambda d: d["v"])


@dataclass
class Item:
    v: float
    i: int


@program(A, N, E, INTS)
def obj_sorted(x):
    z = [Item(v, i) for i, v in enumerate(x) if v > 0]
    return [o.i for o in sorted(z, key=lambda d: d.v)]


@program(A, N, E, INTS)
def obj_max(x):
    z = [Item(v, i) for i, v in enumerate(x) if v > 0]
    return max(z, key=lambda d: d.v).i


@program(A, N, E, INTS)
def obj_sort(x):
    z = [Item(v, i) for i, v in enumerate(x) if v > 0]
    z.sort(key=lambda d: (d.v, -d.i))
    return [(o.i, o.v) for o in z]


@program(A, N, E, INTS)
def key_itemgetter(x):
    z = [(i, v) for i, v in enumerate(x) if v > 0]
    return sorted(z, key=itemgetter(1)), max(z, key=itemgetter(1), default=0)


@program(A, N, E, INTS)
def key_attr(x):
    z = [Item(v, i) for i, v in enumerate(x) if v > 0]
    return [o.i for o in sorted(z, key=attrgetter("v"))]


@program(A, N, E, INTS)
def zip_sorted(x):
    z = [v for v in x if v > 0]
    w = [2 * v for v in z]
    return sorted(zip(z, w)), [b for a, b in sorted(zip(z, w), key=lambda t: t[1])]


@program(A, N, E, INTS)
def enum_max(x):
    z = [v for v in x if v > 0]
    return max(enumerate(z), key=lambda t: t[1])


@program(A, N, E, INTS)
def many_sum(x):
    z = [(v, i) for i, v in enumerate(x) if v > 0]
    return (
        sum(v * i for v, i in z),
        sum(v for v, _ in z) / max(len(z), 1),
        any(v > 2 for v, _ in z),
        all(i >= 0 for _, i in z),
    )


@program(B, -B)
def sum_of_arrays(x):
    z = []
    for r in x:
        if r[0] > 0:
            z.append((r[0], r))
    return sum(a * r for a, r in z)


@program(B, -B)
def sum_of_arrays_list(x):
    z = []
    for r in x:
        if r[0] > 0:
            z.append(r)
    return sum(z), sum(r * 2 for r in z), np.sum(z, axis=0)


@program(B, -B)
def adaboost(x):
    y = np.where(x[:, 1] > 0, 1.0, -1.0)
    w = np.ones(len(x)) / len(x)
    models = []
    for t in range(4):
        best = None
        for j in range(x.shape[1]):
            for thr in x[:, j]:
                pred = np.where(x[:, j] > thr, 1.0, -1.0)
                err = np.sum(w[pred != y])
                if best is None or err < best[0]:
                    best = (err, j, thr)
        err, j, thr = best
        if err >= 0.5:
            break
        alpha = 0.5 * np.log((1 - err) / max(err, 1e-10))
        pred = np.where(x[:, j] > thr, 1.0, -1.0)
        w = w * np.exp(-alpha * y * pred)
        w = w / w.sum()
        models.append((alpha, j, thr))
    score = sum(a * np.where(x[:, j] > t, 1.0, -1.0) for a, j, t in models)
    return np.sign(score)


@program(A, N)
def tuples_lengths(x):
    z = []
    for v in x:
        if v > 1.5:
            z.append((v, 1))
        else:
            z.append((v,))
    return z


@program(A, N)
def tuples_lengths_len(x):
    z = [("op", v) if v > 1.5 else ("nop",) for v in x]
    return sum(len(t) for t in z)


@program(A, N)
def lists_lengths(x):
    z = []
    for v in x:
        if v > 1.5:
            z.append([v, 1.0])
        else:
            z.append([v])
    return z, sum(len(t) for t in z)


@program((1 + 2j,), (0j,), (-1 + 0j,))
def complex_argument(z):
    z = np.complex128(z) if not isinstance(z, complex) else z
    return cmath.sqrt(z), abs(z), cmath.phase(z)


@program(np.array([1 + 2j, 0j, -1 + 0j, 3 - 4j]))
def complex_functions(x):
    out = []
    for z in x:
        out.append(cmath.sqrt(z))
        out.append(cmath.phase(z))
        out.append(cmath.exp(z))
        out.append(cmath.polar(z)[0])
        out.append(cmath.sin(z))
        out.append(cmath.isnan(z))
    return out


@program(np.array([1, 0, 4.0]), np.array([1, 2, -5.0]), np.array([0, 2, -5.0]))
def quad(c):
    d = cmath.sqrt(c[1] ** 2 - 4 * c[0] * c[2])
    return (-c[1] + d) / (2 * c[0]), (-c[1] - d) / (2 * c[0])


@program(np.array([1 + 2j, 0j, -1 + 0j, 3 - 4j]))
def complex_polar(x):
    t = 0
    for z in x:
        r, phi = cmath.polar(z)
        t += cmath.rect(r, phi / 2)
    return (
        t,
        cmath.isclose(t, t),
        cmath.log(x[0]),
        cmath.log(x[0], 2),
        cmath.log10(x[3]),
        cmath.exp(2j * cmath.pi * x[0].real),
    )


@program((True, A), (False, A))
def b_and_3(b, x):
    c = x[0] > 2
    return c and 3, c and "yes", c or 3, (not c) and 2.5


@program(A, N, np.zeros(3))
def or_default(x):
    y = x[0] or 5
    z = x[0] and "text"
    w = x[1] or None
    return y, z, w


@program(A, N)
def any_objs(x):
    z = [v if v > 0 else None for v in x]
    return any(z), all(z), [v for v in z if v]


@program(A, N)
def any_lists(x):
    z = [[v] if v > 0 else [] for v in x]
    return any(z), all(z)


@program(A, N)
def any_items(x):
    z = [Item(v, i) for i, v in enumerate(x) if v > 0]
    return any(z), all(z), any([Item(1.0, 2)])


@program(A, N)
def name_or(x):
    name = "" if x[0] < 0 else "bob"
    return name or "anonymous"


@program(np.array([1 + 2j, 0j, -1 + 0j, 3 - 4j]))
def complex_hyperbolic(x):
    return (
        [cmath.tanh(z) + cmath.acos(z) + cmath.asinh(z) + cmath.atan(z) + cmath.cosh(z) for z in x],
        cmath.isfinite(x[0]),
        cmath.isinf(x[1]),
    )


@program(np.array([1, 2, 0.0]), np.array([-1, -2, np.nan]))
def complex_of_reals(x):
    out = []
    for v in x:
        out.append(cmath.sqrt(v))
        out.append(cmath.log(v))
    return out


@program(3, 0, -2)
def complex_of_number(n):
    return cmath.sqrt(n), cmath.phase(n)
