"""Objects, named tuples and dicts as elements of lists."""

import collections
import dataclasses
from typing import Any, NamedTuple

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)
Z = np.array([3, 1, 2, 1, 0, 3, 3])


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def move(self, dt):
        self.x = self.x + self.v * dt

    def energy(self):
        return 0.5 * self.v**2


@dataclasses.dataclass
class P:
    x: Any
    v: Any = 0.0


class Pt(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass(frozen=True)
class F:
    x: Any
    k: Any


@prog(X, N)
def append_object(x, n):
    ps = []
    for i in range(n):
        ps.append(Particle(x[i], i * 0.5))
    return [p.x for p in ps], [p.v for p in ps]


@prog(X, N)
def comp_object(x, n):
    ps = [Particle(x[i], 1.0) for i in range(n)]
    for p in ps:
        p.move(0.1)
    return [p.x for p in ps]


@prog(X, N)
def comp_dataclass(x, n):
    ps = [P(x[i]) for i in range(n)]
    return sum(p.x for p in ps)


@prog(X, N)
def returned_dataclass(x, n):
    return [P(x[i], i) for i in range(n)]


@prog(X, N)
def returned_namedtuple(x, n):
    return [Pt(x[i], i) for i in range(n)]


@prog(X, N)
def namedtuple_append(x, n):
    out = []
    for i in range(n):
        out.append(Pt(x=x[i], y=i))
    return [p.x + p.y for p in out], out[0].x, out[-1]


@prog(X, N)
def namedtuple_max(x, n):
    out = []
    for i in range(n):
        out.append(Pt(x[i], i))
    best = max(out, key=lambda p: p.x)
    return best.y, best


@prog(X, N)
def namedtuple_sort(x, n):
    out = [Pt(x[i], i) for i in range(n)]
    out.sort(key=lambda p: p.x)
    return [p.y for p in out]


@prog(X, N)
def dataclass_sorted(x, n):
    out = [P(x[i], i) for i in range(n)]
    return [p.v for p in sorted(out, key=lambda p: -p.x)]


@prog(X, N)
def set_attr_at(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    ps[n - 1].v = 7.0
    ps[0].x += 1
    return [(p.x, p.v) for p in ps]


@prog(X, N)
def set_attr_at_known(x, n):
    ps = [P(x[i], 0.0) for i in range(4)]
    ps[n - 1].v = 7.0
    return [(p.x, p.v) for p in ps]


@prog(X, N)
def loop_known_objects(x, n):
    ps = [P(x[i], 1.0) for i in range(4)]
    for k in range(n):
        for p in ps:
            p.x += p.v * 0.1
            p.v *= 0.9
    return [(p.x, p.v) for p in ps]


@prog(X, N)
def loop_unknown_objects(x, n):
    ps = [P(x[i], 1.0) for i in range(n)]
    for k in range(3):
        for p in ps:
            p.x += p.v * 0.1
            if p.x > 3:
                p.v = -p.v
    return [(p.x, p.v) for p in ps]


@prog(X, N)
def enumerate_objects(x, n):
    ps = [P(x[i], 1.0) for i in range(n)]
    for i, p in enumerate(ps):
        p.x = p.x * i
    return [p.x for p in ps]


@prog(X, N)
def pairs(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    for i in range(n):
        for j in range(n):
            if i != j:
                ps[i].v += ps[j].x - ps[i].x
    return [p.v for p in ps]


@prog(X, N)
def filtered(x, n):
    ps = [P(x[i], i) for i in range(n)]
    alive = [p for p in ps if p.x > 1.5]
    return [p.v for p in alive]


@prog(X, N, refused=STAGED)
def filter_rebind(x, n):
    ps = [P(x[i], 1.0) for i in range(n)]
    for t in range(3):
        for p in ps:
            p.x -= 0.7
        ps = [p for p in ps if p.x > 0]
    return [p.x for p in ps]


@prog(X, N)
def frozen_append(x, n):
    out = []
    for i in range(n):
        if x[i] > 1:
            out.append(F(x[i], i))
    return [f.k for f in out]


@prog(X, N)
def dict_elements(x, n):
    rows = []
    for i in range(n):
        rows.append({"x": x[i], "i": i})
    return rows


@prog(X, N)
def dict_elements_read(x, n):
    rows = []
    for i in range(n):
        rows.append({"x": x[i], "i": i})
    return [r["x"] * r["i"] for r in rows], rows[-1]["x"]


@prog(X, N)
def dict_elements_write(x, n):
    rows = [{"x": x[i], "n": 0} for i in range(n)]
    for i in range(n):
        rows[i]["n"] += 1
        rows[0]["x"] += 1.0
    return rows


@prog(X, N)
def dict_elements_sort(x, n):
    rows = [{"x": x[i], "i": i} for i in range(n)]
    rows.sort(key=lambda r: r["x"])
    return [r["i"] for r in rows]


@prog(X, N)
def object_best(x, n):
    best = None
    for i in range(n):
        p = P(x[i], i)
        if best is None or p.x > best.x:
            best = p
    return best.x, best.v


@prog(X, N)
def object_swap(x, n):
    ps = [P(x[i], i) for i in range(n)]
    for i in range(n - 1):
        if ps[i].x > ps[i + 1].x:
            ps[i], ps[i + 1] = ps[i + 1], ps[i]
    return [p.x for p in ps]


@prog(X, N)
def object_arrays(x, n):
    ps = []
    for i in range(n):
        ps.append(Particle(x * i, x[:2] + i))
    total = np.zeros(5)
    for p in ps:
        total = total + p.x
    return total, ps[1].v


@prog(X, N, refused=STAGED)
def object_alias(x, n):
    p = P(x[0], 0.0)
    ps = []
    for i in range(n):
        ps.append(p)
        p.v += 1
    return [q.v for q in ps]


@prog(X, N, refused=STAGED)
def object_alias_after(x, n):
    ps = []
    for i in range(n):
        p = P(x[i], 0.0)
        ps.append(p)
        p.v = 5.0
    return [q.v for q in ps]


@prog(X, N)
def object_part_after(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    p = ps[1]
    ps[1].v = 3.0
    return p.v


@prog(X, N)
def object_iter_returned(x, n):
    ps = [Particle(x[i], 0.0) for i in range(n)]
    e = 0.0
    for p in ps:
        e += p.energy() + p.x
    return e


@prog(X, N)
def object_zip(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    for p, v in zip(ps, x):
        p.v = v
    return [p.v for p in ps]


@prog(X, N)
def dc_replace(x, n):
    ps = []
    p = P(x[0], 1.0)
    for i in range(n):
        p = dataclasses.replace(p, x=p.x + p.v)
        ps.append(p)
    return [q.x for q in ps]


@prog(X, N, refused=STAGED)
def tree_nodes(x, n):
    nodes = []
    for i in range(n):
        nodes.append({"left": -1, "right": -1, "val": x[i]})
        if i > 0:
            cur = 0
            while True:
                side = "left" if x[i] < nodes[cur]["val"] else "right"
                if nodes[cur][side] == -1:
                    nodes[cur][side] = i
                    break
                cur = nodes[cur][side]
    return [(d["left"], d["right"]) for d in nodes]


@prog(X, N)
def in_object(x, n):
    ps = [Pt(x[i], i) for i in range(n)]
    return Pt(1.0, 1) in ps, ps.index(Pt(2.0, 2))


@prog(X, N)
def deque_objects(x, n):
    q = collections.deque()
    for i in range(n):
        q.append(P(x[i], i))
    s = 0.0
    while q:
        p = q.popleft()
        s = s * 2 + p.x
    return s


@prog(X, N)
def list_in_object_in_list(x, n):
    class Node:
        def __init__(self, v):
            self.v = v
            self.children = []

    nodes = [Node(x[i]) for i in range(n)]
    for i in range(1, n):
        nodes[i // 2].children.append(i)
    return [nd.children for nd in nodes]
