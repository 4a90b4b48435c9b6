"""Methods and operators of sets and dicts with the keys that a run has."""

from support.engine_runs import Cases
from support.small_arrays import INTS, A, E, N

CASES = Cases()
program = CASES.program


@program(A, E, INTS, N)
def set_update(x):
    z = [int(v) for v in x if v > 1]
    t = set()
    t.update(z)
    return len(t), 7 in t


@program(A, E, INTS, N)
def set_update2(x):
    z = [int(v) for v in x if v > 1]
    t = {3, 5}
    t.update(z)
    return len(t), 7 in t


@program(A, E, INTS, N)
def set_star2(x):
    z = [int(v) for v in x if v > 1]
    t = {3, 5, *z}
    return len(t), 7 in t


@program(A, E, INTS, N)
def set_star1(x):
    z = [int(v) for v in x if v > 1]
    t = {*z}
    return len(t), 7 in t


@program(A, E, INTS, N)
def set_star3(x):
    z = {int(v) for v in x if v > 1}
    t = {*z} | {3}
    return len(t), 3 in t


def made(x):
    return {int(v) for v in x if v > 1}


@program(A, E, INTS, N)
def set_methods_of_lists(x):
    z = [int(v) for v in x if v > 1]
    out = []
    s = {3, 5}
    out += [len(s.union(z)), s.issubset(z), s.issuperset(z), s.isdisjoint(z)]
    out += [len(s.intersection(z)), len(s.difference(z)), len(s.symmetric_difference(z))]
    t = {3, 5}
    t.intersection_update(z)
    u = {3, 5}
    u.difference_update(z)
    w = {3, 5}
    w.symmetric_difference_update(z)
    return out, len(t), len(u), len(w), 3 in t


@program(A, E, INTS, N)
def set_methods_of_sets(x):
    z = made(x)
    out = []
    s = {3, 5}
    out += [len(s.union(z)), s.issubset(z), s.issuperset(z), s.isdisjoint(z)]
    out += [len(s.intersection(z)), len(s.difference(z)), len(s.symmetric_difference(z))]
    t = {3, 5}
    t.intersection_update(z)
    u = {3, 5}
    u.difference_update(z)
    w = {3, 5}
    w.symmetric_difference_update(z)
    v = {7}
    v.update(z)
    return out, len(t), len(u), len(w), len(v), 3 in t


@program(A, E, INTS, N)
def set_operators_of_sets(x):
    z = made(x)
    s = {3, 5}
    out = [len(s | z), len(s & z), len(s - z), len(s ^ z), s <= z, s >= z, s == z, s < z]
    t = {3, 5}
    t |= z
    u = {3, 5}
    u &= z
    w = {3, 5}
    w -= z
    v = {3, 5}
    v ^= z
    return out, len(t), len(u), len(w), len(v)


@program(A, E, INTS, N)
def set_update_array(x):
    s = {3, 5}
    s.update(x)
    t = {1.0}
    t.update(x[x > 1], (2.0,))
    return len(s), 2 in s, len(t)


@program(A, E, INTS, N)
def dict_updates(x):
    z = [(int(v), v) for v in x if v > 1]
    d = {3: 0.0}
    d.update(z)
    e = {5: 1.0}
    e.update(d)
    f = {3: 1.0} | d
    g = {**d, 4: 2.0}
    h = {**g, **d}
    d |= {8: 1.0}
    return d, e, f, g, h
