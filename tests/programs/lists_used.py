"""Uses of lists of lists: methods, functions, results."""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(3)
Z = np.array([2, 1, 2, 0, 0])


def grown(x, n):
    z = []
    for i in range(n):
        z.append([x[i]])
    return z


@PROGRAMS.program(X, N)
def used_a31(x, n):
    z = grown(x, n)
    return (z == grown(x, n), [x[0]] in z, z.index([x[1]]), z.count([x[1]]), len(z), z[0] == z[1])


@PROGRAMS.program(X, N, refused=STAGED)
def used_a32(x, n):
    z = grown(x, n)
    return (sorted(z), max(z))


@PROGRAMS.program(X, N)
def used_a33(x, n):
    z = grown(x, n)
    z.reverse()
    z.sort()
    return z


@PROGRAMS.program(X, N)
def used_a34(x, n):
    z = grown(x, n)
    return (np.array(z), np.array(z).sum(axis=0))


@PROGRAMS.program(X, N)
def used_a35(x, n):
    z = grown(x, n)
    z.append([1.0, 2.0])
    return np.array(z)


@PROGRAMS.program(X, N)
def used_a36(x, n):
    z = grown(x, n)
    print(z, f"{z[0]}")
    return str(z)


@PROGRAMS.program(X, N)
def used_a37(x, n):
    z = grown(x, n)
    return ([list(r) for r in z], list(map(sum, z)), sum(map(len, z)))


@PROGRAMS.program(X, N, refused=STAGED)
def used_a38(x, n):
    z = grown(x, n)
    return (z[0] is z[0], z[0] is z[1])


@PROGRAMS.program(X, N)
def used_a39(x, n):
    z = grown(x, n)
    return (z, z[0])


@PROGRAMS.program(X, N)
def used_a40(x, n):
    z = grown(x, n)
    return z[0]


@PROGRAMS.program(X, N)
def used_a41(x, n):
    z = [[0] * 3 for _ in range(n)]
    z[0][1] = x[0]
    z[1][2] = True
    return z


@PROGRAMS.program(X, N)
def used_a42(x, n):
    z = [[] for _ in range(n)]
    w = [[] for _ in range(n)]
    for i in range(n):
        z[i].append(x[i])
        w[n - 1 - i].append(i)
    return (z, w)


@PROGRAMS.program(X, N, refused=STAGED)
def used_a43(x, n):

    def add(z, row, v):
        z.append(row)
        row.append(v)

    z = []
    for i in range(n):
        add(z, [x[i]], 2.0)
    return z


@PROGRAMS.program(X, N)
def used_a44(x, n):
    z = grown(x, n)
    del z[0]
    z[0][0] = 4.0
    z.remove([4.0])
    return z


@PROGRAMS.program(X, N)
def used_a45(x, n):
    z = grown(x, n)
    y = 0.0
    while z:
        r = z.pop()
        if len(r) < 3:
            r.append(1.0)
            z.append(r + [2.0])
        y = y + r[0]
    return y


@PROGRAMS.program(X, N)
def used_a46(x, n):
    z = grown(x, n)

    def f(rows):
        rows[0].append(5.0)
        return rows[0]

    r = f(z)
    r.append(6.0)
    return z


@PROGRAMS.program([[1.0], [2.0]], X, N, refused=STAGED)
def used_a47(z, x, n):
    z[n - 3].append(x[0])
    return z


@PROGRAMS.program([[1.0], [2.0]], X, N, refused=STAGED)
def used_a48(g, x, n):
    z = []
    for i in range(n):
        z.append(g[0])
    return z


@PROGRAMS.program([1.0], X, N, refused=STAGED)
def used_a49(r, x, n):
    z = [[0.0]]
    for i in range(n):
        z.append([x[i]])
    z.append(r)
    r.append(2.0)
    return z


@PROGRAMS.program(X, N)
def used_a50(x, n):
    z = [[0.0]]
    for i in range(n):
        z.append([x[i]])
    return z * 2


@PROGRAMS.program(X, N)
def used_a51(x, n):
    z = grown(x, n)
    w = [z[0], z[1]]
    w[0].append(1.0)
    return (z, w)


@PROGRAMS.program(X, N)
def used_a52(x, n):
    z = grown(x, n)
    t = (z[0], 1)
    t[0].append(1.0)
    return z


@PROGRAMS.program(X, N)
def used_a53(x, n):
    prev = [1.0]
    rows = [prev]
    for i in range(n):
        row = [prev[0] + x[i]]
        rows.append(row)
        prev = row
    return (rows, prev)


@PROGRAMS.program(X, N)
def used_a54(x, n):
    prev = [1.0]
    rows = []
    for i in range(n):
        row = [prev[0] + x[i]]
        prev = row
        rows.append(row[:])
    return (rows, prev)


@PROGRAMS.program(X, N)
def used_a55(x, n):
    seen = []
    path = []
    for v in x:
        path = path + [v]
        if v > 2:
            seen.append(path)
            path = []
    return (seen, path)


@PROGRAMS.program(X, N)
def used_a56(x, n):
    path = [0.0]
    best = path
    for v in x:
        path = path + [v]
        if v > best[-1]:
            best = path
    return (best, path)


@PROGRAMS.program(X, N)
def used_a59(x, n):
    a = [1.0]
    for i in range(n - 3):
        a = a + [x[i]]
    a.append(5.0)
    return a


@PROGRAMS.program(X, N)
def used_a60(x, n):
    z = grown(x, n)
    z.extend([[x[0]], [x[1]]])
    z += [[x[2]]]
    z[n][0] = 0.0
    return z
