"""Lists that are repeated, and whose parts are replaced."""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)


@PROGRAMS.program(X, N)
def list_l1(x, n):
    return [0] * n


@PROGRAMS.program(X, N)
def list_l2(x, n):
    return [1.0, 2.0] * n


@PROGRAMS.program(X, N)
def list_l3(x, n):
    return n * [x[0]]


@PROGRAMS.program(X, N)
def list_l4(x, n):
    z = [0.0] * n
    for i in range(n):
        z[i] = x[i]
    return z


@PROGRAMS.program(X, N)
def list_l5(x, n):
    return [0] * int(n), [0] * len(x)


@PROGRAMS.program(X, N)
def list_l6(x, n):
    z = [None] * n
    return z


def grown(x, n):
    z = []
    for i in range(n):
        z.append(x[i])
    return z


@PROGRAMS.program(X, N)
def list_m1(x, n):
    z = grown(x, n)
    z[1:3] = [9.0, 8.0, 7.0]
    return z


@PROGRAMS.program(X, N)
def list_m2(x, n):
    z = grown(x, n)
    z[:0] = [9.0]
    z[2:] = []
    return z


@PROGRAMS.program(X, N)
def list_m3(x, n):
    z = grown(x, n)
    z[3:1] = [9.0]
    z[100:] = x[:2]
    z[:] = z
    return z


@PROGRAMS.program(X, N)
def list_m4(x, n):
    z = grown(x, n)
    for i in range(n):
        z[i : i + 1] = [x[i], 0.0]
    return z


@PROGRAMS.program(X, N)
def list_m5(x, n):
    z = grown(x, n)
    z[1:3] = (v * 2 for v in z)
    return z


@PROGRAMS.program(X, N)
def list_m6(x, n):
    z = [1.0] * n + [2.0] * (n - 3) + [0.0] * (n - 9)
    return z, (0,) * 3


@PROGRAMS.program(X, N)
def list_m7(x, n):
    z = [1.0, x[0]] * (n - 2)
    z.append(3.0)
    return sum(z), len([0] * n)


@PROGRAMS.program(X, N)
def list_m8(x, n):
    return [[0.0] * 3] * 2, x[0] * np.array([1.0]), n * x
