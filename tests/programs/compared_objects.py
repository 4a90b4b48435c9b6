"""Comparisons of containers that hold more than numbers: members, objects, strings, None, arrays."""

import datetime
import enum

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
Z = np.array([3, 1, 2, 1, 0])
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])


class Color(str, enum.Enum):
    RED = "r"
    BLUE = "b"


class Kind(enum.Enum):
    A = 1
    B = 2


class Key:
    def __init__(self, k):
        self.k = k

    def __eq__(self, other):
        return isinstance(other, Key) and self.k == other.k

    def __hash__(self):
        return hash(self.k)


class Graph:
    def __init__(self, n):
        self.nodes = [self] * n
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    __hash__ = None


TABLE = {("a", Color.RED): 1, (Key(1), 2): 2}


@prog(Z)
def plain_keys(z):
    n = 0
    for v in z:
        if ("a", Color.RED) in TABLE and (Key(1), 2) in TABLE:
            n += v
        if Color.RED == "r" and Kind.A != Kind.B and (Kind.A, v) == (Kind.A, 1):
            n += 10
        if Key(1) in [Key(2), Key(1)] and Key(3) not in (Key(1),):
            n += 100
    return n


@prog(Z)
def enum_states(z):
    state = Kind.A
    n = 0
    for v in z:
        if state == Kind.A and v > 1:
            state = Kind.B
        elif state == Kind.B:
            state = Kind.A
            n += v
    return n, state == Kind.B


@prog(Z)
def dates(z):
    a = datetime.date(2020, 1, 1)
    return (a, z[0]) == (a, 3), (a, 1) < (a, z[0])


@prog(Z)
def cyclic(z):
    g, h = Graph(3), Graph(3)
    return (g, z[0]) == (h, 3), g == h


@prog(X)
def objects_without_eq(x):
    class P:
        pass

    a, b = P(), P()
    a.v = x[0]
    return (a, 1) == (a, 1), (a, x[0]) == (b, 3.0), a == b, a in [b, a], (x[0], a) != (3.0, b)


@prog(X)
def strings(x):
    name = "big" if x[0] > 2 else "small"
    return (
        (name, 1) == ("big", 1),
        name == "big",
        (name, x[1]) in [("big", 1.0)],
        {"k": name} == {"k": "small"},
    )


@prog(X)
def none_parts(x):
    best = None
    for i in range(3):
        if x[i] > 2:
            best = i
    return (best, 1) == (0, 1), (best, 1) == (None, 1), (None, x[0]) == (None, 3.0)


@prog(X)
def bool_value(x):
    a = (x[0] > 2, x[1] > 2)
    return a == (True, False), a, a < (True, True)


@prog(X)
def shapes(x):
    y = x[x > 1.5]
    if y.shape == (4,):
        return 1
    if y.shape != x.shape and x.shape == (5,):
        return 2
    return y.shape == x.shape


@prog(X)
def walrus(x):
    if (t := (x[0], x[1])) == (3.0, 1.0):
        return t
    return (0.0, 0.0)


@prog(X)
def inside_comprehension(x):
    return [i for i in range(4) if (x[i], 1) == (2.0, 1)], any((v, 1) == (5.0, 1) for v in x)


@prog(X)
def inside_function(x):
    def f(a, b):
        return (a, b) == (b, a)

    return f(x[0], 3.0), f(x[0], x[1])


@prog(X)
def remainder(x):
    pairs = [(v, v * 2) for v in x if v > 1.5]
    return (
        pairs == [(3.0, 6.0)],
        pairs[0] == (3.0, 6.0),
        (2.0, 4.0) in pairs,
        pairs.index((5.0, 10.0)),
        pairs.count((1.0, 2.0)),
    )


@prog(X)
def deep(x):
    a = {"p": [(x[0], {"q": x[1]})]}
    b = {"p": [(3.0, {"q": 1.0})]}
    return a == b, a != b, [a] == [b], (a, 1) == (b, 1)


@prog(X)
def raises_type(x):
    return (x[0], None) < (3.0, 1)


@prog(X)
def no_raise(x):
    return (x[0], None) < (4.0, 1)


@prog(X)
def arrays_in_list(x):
    return [x, 1] == [x, 1], [x[:2]] == [x[:3]]


@prog(X)
def array_eq_tuple(x):
    return x[:2] == (3.0, 1.0), (x[:2] == (3.0, 1.0)).all(), (3.0, 1.0) == x[:2]
