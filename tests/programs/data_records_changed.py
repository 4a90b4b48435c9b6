"""Elements of lists that are objects and dicts, and other names of them."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)


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


@prog(X, N, refused=STAGED)
def best_written(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    best = None
    for p in ps:
        if best is None or p.x > best.x:
            best = p
    best.v = 100.0
    return [q.v for q in ps]


@prog(X, N)
def best_read(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    best = None
    for p in ps:
        if best is None or p.x > best.x:
            best = p
    return best.x, best


@prog(X, N, refused=STAGED)
def best_dict_written(x, n):
    ps = [{"x": x[i], "v": 0.0} for i in range(n)]
    best = ps[0]
    for p in ps:
        if p["x"] > best["x"]:
            best = p
    best["v"] = 100.0
    return ps


@prog(X, N, refused=STAGED)
def choice_written(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    q = ps[0] if x[0] > 1 else ps[1]
    q.v = 5.0
    return [p.v for p in ps]


@prog(X, N)
def max_written(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    q = max(ps, key=lambda p: p.x)
    q.v = 5.0
    return [p.v for p in ps]


@prog(X, N, refused=STAGED)
def pop_written(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    q = ps.pop()
    q.v = 5.0
    return q.v, [p.v for p in ps]


@prog(X, N, refused=STAGED)
def given_dict_changed(x, n):
    ps = []
    d = {"v": 0.0}
    for i in range(n):
        ps.append(d)
        d["v"] = x[i]
    return ps


@prog(X, N, refused=STAGED)
def given_dict_changed_after(x, n):
    ps = []
    for i in range(n):
        d = {"v": x[i]}
        ps.append(d)
        d["v"] = 0.0
    return ps


@prog(X, N, refused=STAGED)
def given_dict_shared(x, n):
    ps = []
    d = {"v": x[0]}
    for i in range(n):
        ps.append(d)
    d["v"] = 7.0
    return ps


@prog(X, N, refused=STAGED)
def formatted(x, n):
    rows = []
    for i in range(n):
        rows.append({"x": x[i]})
    return f"{rows}"


@prog(X, N, refused=STAGED)
def printed(x, n):
    rows = []
    for i in range(n):
        rows.append(Pt(x[i], i))
    print(rows)
    print(rows[0])
    return str(rows[1])


@prog(X, N)
def dict_copy_changed(x, n):
    rows = [{"x": x[i]} for i in range(n)]
    out = []
    for r in rows:
        s = dict(r)
        s["y"] = s["x"] * 2
        out.append(s)
    return out


@prog(X, N)
def star_merge(x, n):
    rows = [{"x": x[i]} for i in range(n)]
    return [{**r, "y": r["x"] + 1} for r in rows]


@prog(X, N, refused=STAGED)
def other_classes(x, n):
    out = []
    for i in range(n):
        if x[i] > 2:
            out.append(Pt(x[i], i))
        else:
            out.append((x[i], i))
    return out


@prog(X, N)
def as_table(x, n):
    rows = [Pt(x[i], i) for i in range(n)]
    return np.array([r.x for r in rows]), np.array(rows)


@prog(X, N)
def nested_forms(x, n):
    rows = [F(Pt(x[i], i), {"a": x[i]}) for i in range(n)]
    return rows[1].x.y, rows[0].k["a"], rows


@prog(X, N)
def none_or_object(x, n):
    out = [None] * n
    for i in range(n):
        if x[i] > 1:
            out[i] = Pt(x[i], i)
    return out, [o.y for o in out if o is not None]


@prog(X, N, refused=STAGED)
def del_attr(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    del ps[0].v
    return 1


@prog(X, N)
def dict_of_rows(x, n):
    table = {"rows": []}
    for i in range(n):
        table["rows"].append({"i": i, "x": x[i]})
    return table


@prog(X, N, refused=STAGED)
def vars_written(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    vars(ps[0])["v"] = 5.0
    return [p.v for p in ps]


@prog(X, N, refused=STAGED)
def obj_dunder_dict(x, n):
    ps = [P(x[i], 0.0) for i in range(n)]
    return ps[0].__dict__


@prog(X, N)
def attr_list(x, n):
    ps = [P([x[i]], 0.0) for i in range(n)]
    ps[0].x.append(5.0)
    return [p.x for p in ps]
