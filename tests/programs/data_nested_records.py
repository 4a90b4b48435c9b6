"""Dicts and objects inside of others that are elements of staged lists and dicts."""

from dataclasses import dataclass, field

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

K = np.array([3, 1, 3, 2, 1, 3])
V = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.5])


@prog(K, V)
def nested_const(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"low": {"n": 0, "s": 0.0}, "high": {"n": 0, "s": 0.0}, "all": []}
        if v > 3:
            d[k]["high"]["n"] += 1
            d[k]["high"]["s"] += v
        else:
            d[k]["low"]["n"] += 1
            d[k]["low"]["s"] += v
        d[k]["all"].append(v)
    return {k: (r["low"]["n"], r["high"]["n"], r["high"]["s"], r["all"]) for k, r in d.items()}


@prog(K, V, refused=STAGED)
def nested_replaced(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"low": {"n": 0, "s": 0.0}, "m": 0}
        lo = d[k]["low"]
        lo["n"] += 1
        d[k]["low"] = {"n": lo["n"] + 10, "s": v}
        lo = d[k]["low"]
        lo["s"] += 1
    return d


@prog(K, V, refused=STAGED)
def nested_detached(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"low": {"n": 0, "s": 0.0}, "m": 0}
        lo = d[k]["low"]
        d[k]["low"] = {"n": 10, "s": v}
        lo["n"] += 1
    return d


@prog(K, V)
def new_key(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0.0}
        d[k]["n"] += 1
        if v > 3:
            d[k]["big"] = v
    return d


@prog(K, V, refused=STAGED)
def new_key_lists(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0.0, "l": []}
        d[k]["n"] += 1
        if v > 3:
            d[k]["big"] = v
    return d


@dataclass
class Point:
    x: float
    y: float


@dataclass
class Body:
    pos: Point
    vel: Point
    trail: list = field(default_factory=list)

    def step(self, dt):
        self.trail.append(self.pos.x)
        self.pos.x += self.vel.x * dt
        self.pos.y += self.vel.y * dt


@prog(K, V)
def bodies(ks, vs):
    bs = [Body(Point(k, v), Point(v, k)) for k, v in zip(ks, vs)]
    for t in range(3):
        for b in bs:
            b.step(0.5)
    return [(b.pos.x, b.pos.y, b.trail) for b in bs]


@prog(K, V)
def bodies_found(ks, vs):
    bs = [Body(Point(k, v), Point(v, k)) for k, v in zip(ks, vs)]
    for k in ks:
        bs[k].step(0.5)
        p = bs[k].pos
        p.x *= 2
        q = bs[k].vel
        q.y = p.x
    return [(b.pos.x, b.pos.y, b.vel.y, b.trail) for b in bs]


@prog(K, V)
def bodies_replaced(ks, vs):
    bs = [Body(Point(k, v), Point(v, k)) for k, v in zip(ks, vs)]
    for k in ks:
        b = bs[k]
        b.pos = Point(b.pos.x + 1, b.pos.y * 2)
        b.pos.x += 3
    return [(b.pos.x, b.pos.y) for b in bs]


@prog(K, V, refused=STAGED)
def bodies_shared(ks, vs):
    bs = [Body(Point(k, v), Point(v, k)) for k, v in zip(ks, vs)]
    for k in ks:
        bs[0].pos = bs[k].pos
        bs[k].pos.x += 1
    return [(b.pos.x, b.pos.y) for b in bs]


@prog(K, V, refused=STAGED)
def out_list(ks, vs):
    d = {}
    out = []
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "s": 0.0}
        out.append(d[k])
        d[k]["n"] += 1
    return [r["n"] for r in out], d


@prog(K, V, refused=STAGED)
def out_list_after(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "s": 0.0}
        d[k]["n"] += 1
    out = sorted(d.values(), key=lambda r: r["n"])
    out[0]["n"] = 100
    return out[0]["n"], d


@prog(K, V, refused=STAGED)
def out_list_after2(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "s": 0.0}
        d[k]["n"] += 1
    out = []
    for k in d:
        out.append(d[k])
    d[3]["n"] = 100
    return [r["n"] for r in out], d


@prog(K, V)
def out_obj(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = Point(0.0, 1.0)
        p = d[k]
        p.x += v
        d[k].y += p.x
    out = []
    for k in d:
        q = d[k]
        out.append(q)
    best = max(d.values(), key=lambda p: p.x)
    return [r.x for r in out], best.y


@prog(K, V, refused=STAGED)
def get_record(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"n": 0, "l": []})
        r = d.get(k)
        r["n"] += 1
        r["l"].append(v)
    return d


@prog(K, V)
def matrix_of_records(ks, vs):
    grid = [[{"n": 0, "l": []} for _ in range(3)] for _ in range(4)]
    for k, v in zip(ks, vs):
        cell = grid[k][int(v) % 3]
        cell["n"] += 1
        cell["l"].append(v)
    return [[c["n"] for c in row] for row in grid]
