"""Containers that a branch of the library chooses among older ones."""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)


@prog(X, N)
def brk_dict(x, n):
    h = {"y": []}
    for i in range(n):
        h["y"].append(x[i])
        if x[i] > 4:
            break
    return h


class Held:
    def __init__(self):
        self.y = []


@prog(X, N)
def or_list(x, n):
    a = [x[0]]
    b = a or [n]
    b.append(x[1])
    return a, b


@prog(X, N, refused=STAGED)
def or_list2(x, n):
    a = []
    for i in range(n):
        a.append(x[i])
    b = a or [1.0]
    b.append(x[1])
    return a, b


@prog(X, N)
def max_lists(x, n):
    a = [x[0]]
    b = [x[1], x[2]]
    c = max(a, b, key=lambda r: r[0])
    c.append(x[3])
    return a, b


@prog(X, N, refused=STAGED)
def max_dicts(x, n):
    a = {"v": x[0]}
    b = {"v": x[1]}
    c = max([a, b], key=lambda r: r["v"])
    c["v"] = 100.0
    return a, b


@prog(X, N)
def pick_dict(x, n):
    d = {3: {"v": x[0]}, 4: {"v": x[1]}}
    d[n]["v"] = 100.0
    return d


@prog(X, N)
def pick_obj(x, n):
    d = {3: Held(), 4: Held()}
    d[n].y = x[0]
    return d[3].y, d[4].y


@prog(X, N, refused=STAGED)
def pick_get(x, n):
    d = {3: [x[0]], 4: [x[1]]}
    r = d.get(n, [0.0])
    r.append(1.0)
    return d


@prog(X, N)
def pick_tern(x, n):
    a = [x[0]]
    b = [x[1]]
    (a if n > 2 else b).append(1.0)
    return a, b
