"""Uses of lists whose elements are objects, named tuples and dicts."""

import copy
import dataclasses
import json
from typing import Any, NamedTuple

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)


class Pt(NamedTuple):
    x: Any
    y: Any

    @property
    def norm(self):
        return self.x + self.y


class Q:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return True


@dataclasses.dataclass(order=True)
class Ordered:
    x: Any
    y: Any


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


@prog(X, N, refused=STAGED)
def custom_eq(x, n):
    qs = [Q(x[i]) for i in range(n)]
    return qs.index(Q(99.0)), Q(1.0) in qs, qs.count(Q(0.0))


@prog(X, N, refused=STAGED)
def ordered_sort(x, n):
    qs = [Ordered(x[i] % 2, -i) for i in range(n)]
    return [q.y for q in sorted(qs)]


@prog(X, N, refused=STAGED)
def dict_sort(x, n):
    qs = [{"a": x[i]} for i in range(n)]
    qs.sort()
    return qs


@prog(X, N, refused=STAGED)
def dict_index(x, n):
    qs = [{"a": x[i]} for i in range(n)]
    return qs.index({"a": 2.0}), {"a": 7.0} in qs


@prog(X, N)
def slots(x, n):
    qs = [Slots(x[i], i) for i in range(n)]
    return [q.a + q.b for q in qs]


@prog(X, N)
def slots_write(x, n):
    qs = [Slots(x[i], i) for i in range(n)]
    qs[0].a = 9.0
    return [q.a + q.b for q in qs]


@prog(X, N)
def nt_sort(x, n):
    ps = [Pt(x[i] % 2, -i) for i in range(n)]
    return sorted(ps), max(ps), min(ps), ps == sorted(ps)


@prog(X, N)
def nt_replace(x, n):
    ps = [Pt(x[i], 1.0) for i in range(n)]
    for i in range(n):
        ps[i] = ps[i]._replace(y=ps[i].x * 2)
    return ps, [p.norm for p in ps]


@prog(X, N)
def nt_unpack(x, n):
    ps = [Pt(x[i], i) for i in range(n)]
    s = 0.0
    for a, b in ps:
        s += a * b
    return s


@prog(X, N)
def nt_loop_var(x, n):
    ps = [Pt(x[i], i) for i in range(n)]
    last = ps[0]
    for p in ps:
        if p.x > last.x:
            last = p
    return last


@prog(X, N)
def extend(x, n):
    ps = []
    for i in range(n):
        ps.extend([Pt(x[i], i), Pt(-x[i], i)])
    return ps, ps[1:3], ps[::-1], ps + ps


@prog(X, N)
def insert(x, n):
    ps = []
    for i in range(n):
        ps.insert(0, {"x": x[i]})
    return ps


@prog(X, N)
def setitem(x, n):
    ps = [{"x": 0.0} for i in range(n)]
    for i in range(n):
        ps[i] = {"x": x[i]}
    return ps


@prog(X, N)
def ints_and_floats(x, n):
    ps = []
    for i in range(n):
        ps.append({"x": x[i] if x[i] > 2 else 0})
    return ps


@prog(X, N, refused=STAGED)
def other_keys(x, n):
    ps = []
    for i in range(n):
        if x[i] > 2:
            ps.append({"x": x[i]})
        else:
            ps.append({"y": x[i]})
    return ps


@prog(X, N, refused=STAGED)
def key_order(x, n):
    ps = []
    for i in range(n):
        if x[i] > 2:
            ps.append({"x": x[i], "y": 1})
        else:
            ps.append({"y": 2, "x": x[i]})
    return ps


@prog(X, N, refused=STAGED)
def raises(x, n):
    ps = [{"x": x[i]} for i in range(n)]
    if n > 2:
        raise ValueError(ps)
    return 1


@prog(X, N, refused=STAGED)
def host(x, n):
    ps = [{"x": float(x[i])} for i in range(n)]
    return json.dumps(ps)


@prog(X, N, refused=STAGED)
def deep(x, n):
    ps = [{"x": x[i]} for i in range(n)]
    qs = copy.deepcopy(ps)
    return qs


@prog(X, N)
def copied(x, n):
    ps = [Slots(x[i], 0.0) for i in range(n)]
    q = copy.copy(ps[0])
    q.a = 100.0
    return q.a, ps[0].a


@prog(X, N, refused=STAGED)
def in_place_array(x, n):
    ps = [{"x": x * i} for i in range(n)]
    ps[0]["x"][0] = 99.0
    return ps


@prog(X, N, refused=STAGED)
def in_place_array2(x, n):
    ps = []
    for i in range(n):
        a = x * i
        ps.append(Pt(a, i))
        a[0] = 99.0
    return ps


@prog(X, N)
def stored(x, n):
    q = Q([])
    for i in range(n):
        q.v.append(Pt(x[i], i))
    return q.v


@prog(X, N)
def comprehension_dict(x, n):
    ps = [Pt(x[i], i) for i in range(n)]
    return {"a": [p._asdict() for p in ps]}


@prog(X, N, refused=STAGED)
def branch_lists(x, n):
    if n > 2:
        ps = [Pt(x[i], i) for i in range(n)]
    else:
        ps = [(x[i], i) for i in range(n)]
    return ps


@prog(X, N)
def pops(x, n):
    ps = [Pt(x[i], i) for i in range(n)]
    p = ps.pop()
    q = ps.pop(0)
    return p, q, ps, p.x


@prog(X, N)
def isinst(x, n):
    ps = [Pt(x[i], i) for i in range(n)]
    return isinstance(ps[0], Pt), isinstance(ps[1], tuple), type(ps[0]) is Pt, len(ps[0])


@prog(X, N)
def isinst_dict(x, n):
    ps = [{"x": x[i]} for i in range(n)]
    return (
        isinstance(ps[0], dict),
        type(ps[0]) is dict,
        len(ps[0]),
        list(ps[0]),
        list(ps[0].items()),
    )


@prog(X, N)
def early_return(x, n):
    ps = [Pt(x[i], i) for i in range(n)]
    for p in ps:
        if p.x < 2:
            return p
    return None


@prog(X, N)
def zipped(x, n):
    ps = [Pt(x[i], i) for i in range(n)]
    return (
        [a.x * b for a, b in zip(ps, x)],
        [i for i, p in enumerate(ps) if p.x > 1],
        list(map(lambda p: p.x, ps)),
    )


@prog(X, N)
def print_element(x, n):
    ps = [{"x": x[i]} for i in range(n)]
    qs = [Pt(x[i], i) for i in range(n)]
    print(ps[0], qs[0])
    return f"{ps[1]}", str(qs[1]), repr(ps[2])


@prog(X, N)
def print_object(x, n):
    ps = [Ordered(x[i], i) for i in range(n)]
    print(ps[0])
    return str(ps[1])


@prog(X, N, refused=STAGED)
def raise_element(x, n):
    ps = [Pt(x[i], i) for i in range(n)]
    if x[0] > 1:
        raise ValueError(ps[0])
    return 1


def kept(d):
    import os

    return os.path.join(str(sorted(d)), str(d["x"]))


@prog(X, N)
def host_element(x, n):
    ps = [{"x": x[i]} for i in range(n)]
    return json.dumps({"x": 1.0}), "{x}".format(**ps[0]), "{}".format(ps[0])


@prog(X, N, refused=STAGED)
def json_element(x, n):
    ps = [{"x": float(x[i])} for i in range(n)]
    return json.dumps(ps[0])


@prog(X, N)
def eq_elements(x, n):
    ps = [{"x": x[i]} for i in range(n)]
    qs = [Pt(x[i], i) for i in range(n)]
    return ps[0] == {"x": 3.0}, qs[0] == Pt(3.0, 0), qs[0] == qs[1], ps[0] != ps[1]


class Plain:
    def __init__(self, v):
        self.v = v


@prog(X, N, refused=STAGED)
def eq_plain(x, n):
    ps = [Plain(x[i]) for i in range(n)]
    return ps[0] == ps[0], ps[0] is ps[0], ps[0] is ps[1]


@prog(X, N, refused=STAGED)
def in_dict(x, n):
    ps = [Plain(x[i]) for i in range(n)]
    d = {ps[0]: 1}
    return d[ps[0]]


@prog(X, N, refused=STAGED)
def is_dict_same(x, n):
    ps = [{"x": x[i]} for i in range(n)]
    return ps[0] is ps[0], ps[0] is ps[1]


@prog(X, N, refused=STAGED)
def is_obj_same(x, n):
    ps = [Plain(x[i]) for i in range(n)]
    return ps[0] is ps[0], ps[0] is ps[1]


@prog(X, N)
def is_none_dict(x, n):
    ps = [{"x": x[i]} for i in range(n)]
    return ps[0] is None, ps[1] is not None
