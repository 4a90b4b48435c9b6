"""Variables that hold a list that is an element of a staged list, after a branch or a loop.

The file is long because it is a collection of independent programs.
"""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

Z = np.array([3, 1, 3, 2, 1, 3, 0, 5, 2])
N = np.int64(9)


def rows(z):
    d = [[] for _ in range(len(z))]
    for i, v in enumerate(z):
        d[v].append(i)
    return d


def grow(n):
    d = []
    for i in range(n):
        d.append([i, i + 1])
    return d


@prog(Z, N)
def best_if(z, n):
    d = grow(n)
    best = []
    if z[0] > 2:
        best = d[z[0]]
    return best, len(best)


@prog(Z, N)
def best_ifelse(z, n):
    d = grow(n)
    if z[0] > 2:
        best = d[z[0]]
    else:
        best = d[z[1]]
    return best, len(best)


@prog(Z, N, refused=STAGED)
def best_write_after(z, n):
    d = grow(n)
    best = []
    if z[0] > 2:
        best = d[z[0]]
    best.append(100)
    return d, best


@prog(Z, N, refused=STAGED)
def best_stale(z, n):
    d = grow(n)
    best = []
    if z[0] > 2:
        best = d[z[0]]
    d[3].append(100)
    return d, best[-1]


@prog(Z, N, refused=STAGED)
def best_stale_ifelse(z, n):
    d = grow(n)
    if z[0] > 2:
        best = d[z[0]]
    else:
        best = d[z[1]]
    d[3].append(100)
    return d, best[-1]


@prog(Z, N, refused=STAGED)
def best_write_ifelse(z, n):
    d = grow(n)
    if z[0] > 2:
        best = d[z[0]]
    else:
        best = d[z[1]]
    best.append(100)
    return d, best


@prog(Z, N)
def best_write_in_branch(z, n):
    d = grow(n)
    best = []
    if z[0] > 2:
        best = d[z[0]]
        best.append(7)
    return len(d), best


@prog(Z, N)
def best_before(z, n):
    d = grow(n)
    row = d[2]
    best = []
    if z[0] > 2:
        best = row
    return len(d), best


@prog(Z, N, refused=STAGED)
def best_before_write(z, n):
    d = grow(n)
    row = d[2]
    best = [5]
    if z[0] > 2:
        best = row
    best.append(3)
    return d, best


@prog(Z, N, refused=STAGED)
def best_before_write2(z, n):
    d = grow(n)
    row = d[2]
    best = [5]
    if z[0] > 2:
        best = row
    row.append(3)
    return d, best[-1]


@prog(Z, N)
def best_loop(z, n):
    d = rows(z)
    best = []
    for k in range(n):
        if len(d[k]) > len(best):
            best = d[k]
    return best


@prog(Z, N)
def best_loop_for(z, n):
    d = grow(n)
    best = d[0]
    for row in d:
        if row[0] * 7 % 5 > best[0] * 7 % 5:
            best = row
    return best


@prog(Z, N, refused=STAGED)
def best_loop_write(z, n):
    d = rows(z)
    best = []
    for k in range(n):
        if len(d[k]) > len(best):
            best = d[k]
            best.append(4)
    return best, d


@prog(Z, N, refused=STAGED)
def best_loop_write2(z, n):
    d = rows(z)
    best = []
    for k in range(n):
        if len(d[k]) > len(best):
            best = d[k]
        d[k].append(9)
    return best, d


@prog(Z, N)
def last_row(z, n):
    d = rows(z)
    for row in d:
        pass
    return row


@prog(Z, N, refused=STAGED)
def last_row_write(z, n):
    d = rows(z)
    for row in d:
        row.append(1)
    row.append(2)
    return row, d


@prog(Z, N)
def while_row(z, n):
    d = grow(n)
    row = d[0]
    i = 0
    while row[0] < 5:
        i += 1
        row = d[i]
    return row, i


@prog(Z, N, refused=STAGED)
def while_row_write(z, n):
    d = grow(n)
    row = d[0]
    i = 0
    while row[0] < 5:
        i += 1
        row = d[i]
    row.append(7)
    return d


@prog(Z, N)
def cond_expr(z, n):
    d = grow(n)
    row = d[2] if z[0] > 2 else d[3]
    return row[0], row


@prog(Z, N, refused=STAGED)
def cond_expr_write(z, n):
    d = grow(n)
    row = d[2] if z[0] > 2 else d[3]
    row.append(5)
    return row[0], row, d


@prog(Z, N, refused=STAGED)
def is_row(z, n):
    d = grow(n)
    best = []
    if z[0] > 2:
        best = d[2]
    return best is d[2]


@prog(Z, N)
def returned_row_early(z, n):
    d = grow(n)
    for row in d:
        if row[0] > 4:
            return row
    return []


@prog(Z, N, refused=STAGED)
def append_to_chosen(z, n):
    a = [1]
    b = [2]
    d = grow(n)
    for v in z:
        row = a if v > 2 else d[0]
        row.append(v)
    return a, d


@prog(Z, N)
def local_owner(z, n):
    best = []
    if z[0] > 2:
        d = grow(n)
        best = d[2]
        d[2].append(5)
    best.append(3)
    return best


@prog(Z, N)
def local_owner2(z, n):
    best = []
    if z[0] > 2:
        d = grow(n)
        best = d[2]
    return best


@prog(Z, N)
def same_both(z, n):
    d = grow(n)
    row = d[1]
    if z[0] > 2:
        best = row
        x = 1
    else:
        best = row
        x = 2
    best.append(x)
    return d


@prog(Z, N, refused=STAGED)
def two_names(z, n):
    d = grow(n)
    a = b = []
    if z[0] > 2:
        a = b = d[2]
    return a, b


@prog(Z, N)
def changed_then_named(z, n):
    d = grow(n)
    best = []
    if z[0] > 2:
        d[3].append(50)
        best = d[3]
    return best


@prog(Z, N)
def named_then_changed(z, n):
    d = grow(n)
    best = []
    if z[0] > 2:
        best = d[3]
        d[3].append(50)
    return best


@prog(Z, N)
def other_changed(z, n):
    d = grow(n)
    best = []
    if z[0] > 2:
        best = d[3]
    else:
        d[3].append(50)
    return best


@prog(Z, N, refused=STAGED)
def loop_changed_then_named(z, n):
    d = grow(n)
    best = []
    for v in z:
        d[v].append(50)
        if len(d[v]) > len(best):
            best = d[v]
    return best


@prog(Z, N)
def loop_exit_read(z, n):
    d = rows(z)
    best = d[0]
    for k in range(n):
        if len(d[k]) > len(best):
            best = d[k]
    return sum(best), best[0]


@prog(Z, N)
def none_or_row(z, n):
    d = grow(n)
    best = None
    if z[0] > 2:
        best = d[3]
    return -1 if best is None else best[1]


@prog(Z, N, refused=STAGED)
def none_or_row_written(z, n):
    d = grow(n)
    best = None
    if z[0] > 2:
        best = d[3]
    if best is not None:
        best.append(3)
    return d


@prog(Z, N, refused=STAGED)
def none_or_row_stale(z, n):
    d = grow(n)
    best = None
    if z[0] > 2:
        best = d[3]
    d[3].append(5)
    return -1 if best is None else best[-1]


@prog(Z, N)
def none_or_row_loop(z, n):
    d = grow(n)
    best = None
    for row in d:
        if best is None or row[0] * 7 % 5 > best[0] * 7 % 5:
            best = row
    return best[0], len(best)


@prog(Z, N)
def none_expr(z, n):
    d = grow(n)
    best = d[3] if z[0] > 2 else None
    return -1 if best is None else best[1]


@prog(Z, N)
def none_expr_changed(z, n):
    d = grow(n)

    def f():
        d[3].append(4)
        return d[3]

    best = f() if z[0] > 2 else None
    return -1 if best is None else best[-1]


@prog(Z, N)
def unbound_row(z, n):
    d = grow(n)
    if z[0] > 2:
        best = d[3]
    return best[1]


@prog(Z, N)
def get_none_set(z, n):
    d = {}
    for i, v in enumerate(z):
        d.setdefault(v, set()).add(i)
    s = d.get(3)
    t = d.get(4)
    return (0 if s is None else len(s)), (0 if t is None else len(t))


@prog(Z, N)
def get_none_set_written(z, n):
    d = {}
    for i, v in enumerate(z):
        d.setdefault(v, set()).add(i)
    s = d.get(3)
    if s is not None:
        s.add(99)
    return d


@prog(N, refused=STAGED)
def deep(n):
    z = []
    for i in range(n):
        z.append([[i, 1], [i, 2], [i, 3]])
    one, other = z[0], z[0]
    x = one[0]
    other.pop(0)
    return x[1], z


@prog(N, refused=STAGED)
def deep_from_the_end(n):
    z = []
    for i in range(n):
        z.append([[i, 1], [i, 2], [i, 3]])
    x = z[0][-1]
    z[0].append([5, 5])
    return x[1], z


@prog(N, refused=STAGED)
def deep_write(n):
    z = []
    for i in range(n):
        z.append([[i, 1], [i, 2], [i, 3]])
    x = z[0][0]
    z[0].insert(0, [7, 7])
    x.append(5)
    return z
