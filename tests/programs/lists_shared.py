"""Lists in lists that have several names, or are in several places."""

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

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
def shared_a1(x, n):
    z = grown(x, n)
    row = z[0]
    row.append(9.0)
    return (z, row[1])


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a2(x, n):
    z = grown(x, n)
    row = z[0]
    z.insert(0, [7.0])
    row.append(9.0)
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a3(x, n):
    z = grown(x, n)
    row = z[-1]
    z.append([7.0])
    row.append(9.0)
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a4(x, n):
    z = grown(x, n)
    w = z[:]
    z[0].append(9.0)
    return (w, z)


@PROGRAMS.program(X, N)
def shared_a5(x, n):
    z = grown(x, n)
    w = list(z)
    w.append([1.0])
    return (w, z)


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a6(x, n):
    z = grown(x, n)
    w = z + z
    w[0].append(1.0)
    return w


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a7(x, n):
    a = [x[0]]
    b = [x[1]]
    z = [a, b]
    z[n - 3].append(9.0)
    return (a, z)


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a8(x, n):
    a = [x[0]]
    b = [x[1]]
    z = [a, b]
    a.append(5.0)
    z[n - 3].append(9.0)
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a9(x, n):
    z = [[x[0]], [x[1]]]
    first = z[0]
    for i in range(n):
        z[i % 2].append(x[i])
    return (first[0], len(first))


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a10(x, n):
    z = [[x[0]], [x[1]]]
    if x[0] > 2:
        z[n - 3].append(1.0)
    else:
        first = z[0]
        first.append(2.0)
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a11(x, n):
    row = []
    z = []
    for i in range(n):
        if x[i] > 1:
            row = [x[i]]
        z.append(row)
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a12(x, n):
    row = [1.0]
    z = []
    for i in range(n):
        if x[i] > 1:
            row = [x[i]]
        z.append(row)
        z[0].append(5.0)
    return z


@PROGRAMS.program(X, N)
def shared_a13(x, n):
    z = grown(x, n)
    r = z.pop()
    r.append(8.0)
    z.append(r)
    r2 = z[-1]
    r2.append(1.0)
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a14(x, n):
    z = grown(x, n)
    r = z.pop()
    z.append(r)
    r.append(8.0)
    return z


@PROGRAMS.program(X, N)
def shared_a15(x, n):
    z = grown(x, n)
    z[0], z[1] = (z[1], z[0])
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a16(x, n):
    z = grown(x, n)
    z[0] = z[1]
    z[0].append(1.0)
    return z


@PROGRAMS.program(X, N)
def shared_a17(x, n):
    z = grown(x, n)
    for row in z:
        row.append(row[0] * 2)
    return (z, [sum(r) for r in z], [len(r) for r in z])


@PROGRAMS.program(X, N)
def shared_a18(x, n):
    z = grown(x, n)
    for row in z:
        z[0].append(1.0)
        row.append(2.0)
    return z


@PROGRAMS.program(X, N)
def shared_a19(x, n):
    z = grown(x, n)
    t = 0.0
    for i in range(n):
        row = z[i]
        for j in range(i):
            row.append(x[j])
            t = t + row[-1]
    return (z, t)


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a20(x, n):
    z = grown(x, n)
    row = z[0]
    for i in range(n):
        row.append(x[i])
        if i == 1:
            z.insert(0, [0.0])
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a21(x, n):
    cur = []
    best = []
    for v in x:
        cur.append(v)
        if v > 2:
            best = cur
    cur.append(100.0)
    return (best, cur)


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a22(x, n):
    cur = []
    best = cur
    for v in x:
        if v > 2:
            cur = [v]
        cur.append(v)
    return (best, cur)


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a23(x, n):
    a = []
    b = []
    for v in x:
        if v > 2:
            a, b = (b, a)
        a.append(v)
    return (a, b)


@PROGRAMS.program(X, N, refused=STAGED)
def shared_a24(x, n):
    cur = []
    hold = {"k": cur}
    for v in x:
        if v > 4:
            cur = []
        cur.append(v)
    return (hold, cur)


@PROGRAMS.program(X, N)
def shared_a25(x, n):

    class Holder:
        pass

    o = Holder()
    o.cur = []
    o.all = []
    for v in x:
        if v > 4:
            o.all.append(o.cur)
            o.cur = []
        o.cur.append(v)
    o.all.append(o.cur)
    return o.all


@PROGRAMS.program(X, N)
def shared_a26(x, n):
    cur = [1.0]
    alls = []
    for v in x:
        alls.append(cur)
        if v > 2:
            cur = [v]
    return alls


@PROGRAMS.program(X, N, refused=SIZES)
def shared_a27(x, n):
    cur = [1.0]
    alls = []
    for v in x:
        cur = cur + [v]
        alls.append(cur)
    return alls


@PROGRAMS.program(X, N, refused=SIZES)
def shared_a28(x, n):
    cur = [1.0]
    alls = []
    for v in x:
        cur += [v]
        alls.append(cur)
    return alls


@PROGRAMS.program(X, N)
def shared_a29(x, n):
    cur = [1.0]
    alls = []
    for v in x:
        cur.append(v)
        alls.append(cur[:])
    return alls


@PROGRAMS.program(X, N)
def shared_a30(x, n):
    z = [[[x[0]]], [[x[1]]]]
    for i in range(n):
        z[i % 2][0].append(x[i])
    for i in range(n):
        z[i % 2].append([x[i]])
    return z
