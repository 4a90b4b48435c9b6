"""Dicts and objects with lists that are elements of rows, and how names of them are used."""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

K = np.array([3, 1, 3, 2, 1, 3])
V = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.5])


class Cell:
    def __init__(self):
        self.n = 0
        self.l = []

    def hit(self, v):
        self.n += 1
        self.l.append(v)


@prog(K, V)
def grid_two_names(ks, vs):
    grid = [[{"n": 0, "l": []} for _ in range(3)] for _ in range(4)]
    for k, v in zip(ks, vs):
        a = grid[k][int(v) % 3]
        b = grid[k][int(v) % 3]
        a["n"] += 1
        b["n"] += 10
        a["l"].append(v)
        a["n"] += len(b["l"])
    return [[(c["n"], c["l"]) for c in row] for row in grid]


@prog(K, V)
def grid_row_name(ks, vs):
    grid = [[{"n": 0, "l": []} for _ in range(3)] for _ in range(4)]
    for k, v in zip(ks, vs):
        row = grid[k]
        cell = row[0]
        cell["n"] += 1
        grid[k][0]["n"] += 5
        row[1]["n"] += cell["n"]
    return [[c["n"] for c in row] for row in grid]


@prog(K, V, refused=STAGED)
def grid_replaced(ks, vs):
    grid = [[{"n": 0, "l": []} for _ in range(3)] for _ in range(4)]
    for k, v in zip(ks, vs):
        cell = grid[k][0]
        grid[k][0] = {"n": 7, "l": [v]}
        cell["n"] += 1
    return [[c["n"] for c in row] for row in grid]


@prog(K, V, refused=STAGED)
def grid_row_replaced(ks, vs):
    grid = [[{"n": 0, "l": []} for _ in range(3)] for _ in range(4)]
    for k, v in zip(ks, vs):
        cell = grid[k][0]
        grid[k] = [{"n": 7, "l": [v]}]
        cell["n"] += 1
    return [[c["n"] for c in row] for row in grid]


@prog(K, V)
def grid_objects(ks, vs):
    grid = [[Cell() for _ in range(3)] for _ in range(4)]
    for k, v in zip(ks, vs):
        a = grid[k][int(v) % 3]
        b = grid[k][int(v) % 3]
        a.hit(v)
        b.hit(-v)
        a.n += b.n
    return [[(c.n, c.l) for c in row] for row in grid]


@prog(K, V, refused=STAGED)
def grid_appended(ks, vs):
    grid = [[] for _ in range(4)]
    for k, v in zip(ks, vs):
        grid[k].append({"n": 0, "l": []})
        cell = grid[k][-1]
        cell["n"] += 1
        grid[k].append({"n": 5, "l": [v]})
        cell["n"] += 1
    return grid


@prog(K, V)
def grid_appended_first(ks, vs):
    grid = [[] for _ in range(4)]
    for k, v in zip(ks, vs):
        grid[k].append({"n": 0, "l": []})
        cell = grid[k][0]
        cell["n"] += 1
        grid[k].append({"n": 5, "l": [v]})
        cell["l"].append(v)
    return grid


@prog(K, V)
def iterated(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"n": 0, "l": []})["l"].append(v)
    for k, r in d.items():
        r["n"] = len(r["l"])
        r["l"].append(0.0)
        r["l"].sort()
    return d


@prog(K, V)
def iterated_objects(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = Cell()
        d[k].hit(v)
    for c in d.values():
        c.l.sort(reverse=True)
        c.n = c.n * 2
        c.l.append(float(c.n))
    return [(k, d[k].n, d[k].l) for k in d]


@prog(K, V)
def passed(ks, vs):
    def bump(r, v):
        r["n"] += 1
        if v > 2:
            r["l"].append(v)
        return r

    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "l": []}
        x = bump(d[k], v)
        x["n"] += len(x["l"])
    return d


@prog(K, V, refused=STAGED)
def chosen_record(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"n": 0, "l": []})
    for k, v in zip(ks, vs):
        r = d[k] if v > 3 else d[3]
        r["n"] += 1
    return d


@prog(K, V, refused=STAGED)
def chosen_list(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"a": [], "b": []})
    for k, v in zip(ks, vs):
        r = d[k]["a"] if v > 3 else d[k]["b"]
        r.append(v)
    return d


@prog(K, V, refused=STAGED)
def chosen_key(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"a": [], "b": []})
        d[k]["a" if v > 3 else "b"].append(v)
    return d


@prog(K, V, refused=STAGED)
def inner_loop(ks, vs):
    d = {}
    for k in ks:
        r = d.setdefault(k, {"n": 0, "l": []})
        for v in vs:
            if v > k:
                r["l"].append(v)
                r["n"] += 1
            if r["n"] > 4:
                r["l"] = []
                r["n"] = 0
    return d


@prog(K, V)
def later_key(ks, vs):
    d = {}
    last = None
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "next": [], "far": {}}
        if last is not None:
            d[last]["next"].append(k)
            d[last]["far"][k] = v
        last = k
        d[k]["n"] += 1
    return d
