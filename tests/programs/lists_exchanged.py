"""Elements of lists that change places, and elements that are put back."""

from collections import defaultdict

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)
Z = np.array([3, 1, 2, 1, 0])
M = np.array([[0.0, 3.0, 9.0], [2.0, 0.0, 4.0], [7.0, 1.0, 0.0]])


class P:
    def __init__(self, x, w):
        self.x = x
        self.w = w


@prog(X, N)
def exchanged_rows(x, n):
    g = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]]
    k = n - 3
    g[0], g[k] = g[k], g[0]
    return g


@prog(np.array([[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [2.0, 1.0, 3.0]]))
def elimination_with_pivots(a):
    m = [list(r) for r in a]
    n = len(m)
    for c in range(n):
        p = c
        for r in range(c + 1, n):
            if abs(m[r][c]) > abs(m[p][c]):
                p = r
        m[c], m[p] = m[p], m[c]
        for r in range(c + 1, n):
            f = m[r][c] / m[c][c]
            for j in range(c, n):
                m[r][j] -= f * m[c][j]
    return m


@prog(X, N)
def rows_in_order(x, n):
    rows = [[x[i], i] for i in range(n)]
    for i in range(n):
        for j in range(n - 1 - i):
            if rows[j][0] > rows[j + 1][0]:
                rows[j], rows[j + 1] = rows[j + 1], rows[j]
    return rows


@prog(X, N)
def lengthened_in_place(x, n):
    z = [[] for _ in range(n)]
    for i in range(n):
        z[i % 2] += [x[i]]
        z[i] += [1.0, 2.0]
    return z


@prog(X, N)
def repeated_in_place(x, n):
    z = [[x[i]] for i in range(n)]
    for i in range(n):
        z[i] *= 2
    return z


@prog(X, N)
def objects_put_back(x, n):
    z = [P(x[i], i) for i in range(n)]
    for i in range(n):
        p = z[i]
        p.w += 10
        z[i] = p
    return [p.w for p in z]


@prog(X, N)
def changed_objects_exchanged(x, n):
    z = [P(x[i], i) for i in range(n)]
    for i in range(n):
        z[i].w += 1
    for i in range(n - 1):
        if z[i].x > z[i + 1].x:
            z[i], z[i + 1] = z[i + 1], z[i]
        z[i].w *= 2
    return [(p.w, p.x) for p in z]


@prog(X, N)
def objects_in_order(x, n):
    z = [P(x[i], i) for i in range(n)]
    for i in range(n - 1):
        for j in range(n - 1 - i):
            if z[j].x > z[j + 1].x:
                z[j], z[j + 1] = z[j + 1], z[j]
    return [(p.w, p.x) for p in z]


@prog(X, N)
def exchanged_and_written(x, n):
    g = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]]
    for k in range(n - 1):
        g[0], g[k] = g[k], g[0]
        g[k][0] += 1
        g[0][1] *= 2
    return g


@prog(X, N, refused=STAGED)
def exchanged_while_held(x, n):
    g = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]]
    k = n - 3
    row = g[0]
    g[0], g[k] = g[k], g[0]
    row[0] = 7.0
    return g, row


@prog(X, N)
def rotated_rows(x, n):
    g = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]]
    k = n - 3
    g[0], g[k], g[2] = g[k], g[2], g[0]
    g[0][0] += 1
    return g


@prog(X, N)
def exchanged_with_itself(x, n):
    g = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]]
    k = n - 4
    g[0], g[k] = g[k], g[0]
    g[0][0] += 1
    return g


@prog(X, N, refused=STAGED)
def exchanged_by_a_variable(x, n):
    g = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]]
    k = n - 3
    t = g[0]
    g[0] = g[k]
    g[k] = t
    g[0][0] += 1
    return g


@prog(X, N)
def first_and_last_exchanged(x, n):
    g = [[x[i], x[i] * 2] for i in range(n)]
    g[0], g[-1] = g[-1], g[0]
    g[n - 1][0] += 1
    return g


@prog(np.array([[4.0, 1.0], [2.0, 3.0], [0.0, 9.0]]), np.int64(2))
def exchanged_views(a, k):
    a[0], a[k] = a[k], a[0]
    return a


@prog(Z)
def list_of_key_lengthened(z):
    d = {}
    for i, v in enumerate(z):
        if v not in d:
            d[v] = []
        d[v] += [i]
    return d


@prog(Z)
def list_of_default_lengthened(z):
    d = defaultdict(list)
    for i, v in enumerate(z):
        d[v] += [i]
    return dict(d)


@prog(Z)
def copy_of_lists(z):
    d = defaultdict(list)
    for i, v in enumerate(z):
        d[v].append(i)
    return dict(d)


@prog(M, np.int64(3))
def by_name_temp(m, n):
    rows = [[m[i, j] for j in range(3)] for i in range(3)]
    for k in range(3):
        p = k
        for i in range(k + 1, 3):
            if abs(rows[i][k]) > abs(rows[p][k]):
                p = i
        t = rows[k]
        rows[k] = rows[p]
        rows[p] = t
    return rows


@prog(M, np.int64(3))
def by_name_temp_n(m, n):
    rows = []
    for i in range(n):
        rows.append([m[i, 0], m[i, 1]])
    j = 0
    for i in range(n):
        if m[i, 0] > m[j, 0]:
            j = i
    t = rows[0]
    rows[0] = rows[j]
    rows[j] = t
    return rows


@prog(M)
def by_name_arrays(m):
    m = m.copy()
    t = m[0]
    m[0] = m[2]
    m[2] = t
    return m


@prog(X)
def by_name_scalars(x):
    z = [v for v in x if v > 1.5]
    for i in range(2):
        t = z[i]
        z[i] = z[i + 1]
        z[i + 1] = t
    return z


@prog(M, refused=STAGED)
def by_name_name_read(m):
    rows = []
    for i in range(3):
        if m[i, 1] >= 0:
            rows.append([m[i, 0], m[i, 1]])
    t = rows[0]
    rows[0] = rows[1]
    rows[1] = t
    t.append(1.0)
    return rows


class SwappedPoint:
    def __init__(self, x, y):
        self.x, self.y = x, y


@prog(X)
def by_name_objects(x):
    ps = []
    for v in x:
        if v > 1.5:
            ps.append(SwappedPoint(v, v * 2))
    for p in ps:
        p.y = p.y + 1
    i, j = 0, 2
    t = ps[i]
    ps[i] = ps[j]
    ps[j] = t
    ps[0].x = 9.0
    return [p.x for p in ps], [p.y for p in ps]


@prog(Z)
def by_name_bubble(z):
    rows = []
    for v in z:
        rows.append([v, v * 2])
    n = len(rows)
    for i in range(n):
        for j in range(n - 1 - i):
            if rows[j][0] > rows[j + 1][0]:
                t = rows[j]
                rows[j] = rows[j + 1]
                rows[j + 1] = t
    return rows
