"""`itertools.groupby`, `heapq.merge` and `itertools.accumulate` of staged elements."""

import heapq
import itertools

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
B = np.array([7.0, 2.0])
E = np.array([])
I = np.array([1, 1, 2, 3, 3, 3])  # noqa: E741
J = np.array([5, 5])
F = np.array([1.0, np.nan, np.nan, 2.0])


@prog(I)
def groupby_plain(x):
    return [(k, len(list(g))) for k, g in itertools.groupby(x)]


@prog(I)
def groupby_sum(x):
    out = []
    for k, g in itertools.groupby(x):
        out.append((k, sum(g)))
    return out


@prog(I)
def groupby_key(x):
    return [(k, [v for v in g]) for k, g in itertools.groupby(x, key=lambda v: v > 2)]


@prog(I)
def groupby_max(x):
    return max((len(list(g)) for _, g in itertools.groupby(x)), default=0)


@prog(A, B)
def merge2(x, y):
    return list(heapq.merge(sorted(x), sorted(y)))


@prog(A, B)
def merge_for(x, y):
    t = 0.0
    for v in heapq.merge(np.sort(x), np.sort(y)):
        t = t * 2 + v
    return t


@prog(A, B)
def merge_rev(x, y):
    return list(heapq.merge(sorted(x, reverse=True), sorted(y, reverse=True), reverse=True))


@prog(A, B)
def merge_key(x, y):
    return list(
        heapq.merge(sorted(x, key=lambda v: -v), sorted(y, key=lambda v: -v), key=lambda v: -v)
    )


@prog(E)
def starmap_acc(x):
    return (
        list(itertools.accumulate(x)),
        list(itertools.starmap(lambda a, b: a * b, zip(x, x))),
        list(itertools.accumulate(x, max)),
    )


@prog(I, refused=STAGED)
def saved(x):
    gs = [(k, g) for k, g in itertools.groupby(x)]
    return [(k, len(list(g))) for k, g in gs]


@prog(I)
def twice(x):
    return [(sum(g), len(list(g))) for k, g in itertools.groupby(x)]


@prog(I, refused=STAGED)
def last(x):
    for k, g in itertools.groupby(x):
        pass
    return list(g)


@prog(I, refused=STAGED)
def saved_loop(x):
    keep = []
    for k, g in itertools.groupby(x):
        keep.append(g)
    return [list(g) for g in keep]


@prog(I, refused=STAGED)
def as_list(x):
    l = list(itertools.groupby(x))
    return [list(g) for _, g in l]


@prog(I)
def as_dict(x):
    return {int(k): len(list(g)) for k, g in itertools.groupby(x)}


@prog(I)
def first_of_group(x):
    return [next(g) for _, g in itertools.groupby(x)]


@prog(F)
def nans(x):
    return [len(list(g)) for _, g in itertools.groupby(x)]


@prog(F)
def nans_list(x):
    return [len(list(g)) for _, g in itertools.groupby([v for v in x])]


@prog(I, refused=STAGED)
def key_prints(x):
    def key(v):
        print("k", v)
        return v

    for k, g in itertools.groupby(x, key=key):
        print("g", k, sum(g))


@prog(I)
def runs_break(x):
    best = 0
    for k, g in itertools.groupby(x):
        n = len(list(g))
        if n > 2:
            break
        best = max(best, n)
    return best


@prog(I)
def rle(x):
    out = []
    for k, g in itertools.groupby(x):
        c = sum(1 for _ in g)
        out.append(c)
        out.append(k)
    return out


@prog(I)
def sorted_group(x):
    return {k: sum(v for v in g) for k, g in itertools.groupby(sorted(x), key=lambda v: v % 2 == 0)}


@prog(I)
def unconsumed(x):
    return [k for k, g in itertools.groupby(x)]


@prog(I)
def any_group(x):
    return any(len(list(g)) > 2 for k, g in itertools.groupby(x))


@prog(np.array([1.0, -1.0, -2.0, 3.0]))
def sign_groups(x):
    return [(k, max(g)) for k, g in itertools.groupby(x, key=lambda v: v > 0)]


@prog(I, J)
def merge_next(x, y):
    return next(heapq.merge(np.sort(x), np.sort(y)))


@prog(I, J)
def merge_prints(x, y):
    for v in heapq.merge(np.sort(x), np.sort(y)):
        print(v)
        if v > 4:
            break


@prog(F, F)
def merge_nan(x, y):
    return list(heapq.merge(x, y)), list(heapq.merge(x, y, reverse=True))


@prog(I, J)
def merge_tuples(x, y):
    return list(heapq.merge([(v, 0) for v in x], [(v, 1) for v in y]))
