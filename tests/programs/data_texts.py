"""Texts of staged dicts, counters and sets."""

from collections import Counter, OrderedDict, defaultdict

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)
Z = np.array([3, 1, 2, 1, 0])


class Q:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Q({self.x})"


@prog(Z)
def text_with_format(z):
    d = {}
    for v in z:
        d[v] = d.get(v, 0) + 1
    return f"{d!r:>60}", f"{d!s:*<50}|"


@prog(Z)
def texts_by_percent(z):
    d = {}
    for v in z:
        d[v] = d.get(v, 0) + 1
    return "%s and %r" % (d, d), "{}|{:>1}".format(d, 3)


@prog(Z)
def format_of_dict(z):
    d = {}
    for v in z:
        d[v] = d.get(v, 0) + 1
    return f"{d:>60}"


@prog(Z)
def text_of_list(z):
    z = [z[0], 1]
    return f"{z!r:>20}"


@prog(Z)
def text_of_ordered_dict(z):
    d = OrderedDict()
    for v in z:
        d[v] = d.get(v, 0) + 1
    return str(d)


@prog(Z)
def text_of_default_dict(z):
    d = defaultdict(int)
    for v in z:
        d[v] += 1
    print(d)
    return str(d)


@prog(Z)
def text_of_lists(z):
    d = defaultdict(list)
    for i, v in enumerate(z):
        d[v].append(i * 0.5)
    print(d, dict(d))
    return str(d)


@prog(Z)
def text_of_counter(z):
    d = Counter()
    for v in z:
        d[v] += 1
    return str(d)


@prog(Z)
def texts_of_empty(z):
    d = Counter()
    o = OrderedDict()
    s = set()
    e = {}
    for v in z:
        if v > 5:
            d[v] += 1
            o[v] = 1
            s.add(int(v))
            e[v] = 2
    return str(d), str(o), str(s), str(e)


@prog(Z)
def text_of_set(z):
    s = set()
    for v in z:
        s.add(int(v))
    print(s)
    return str(s)


@prog(Z)
def texts_inside(z):
    d = {}
    for v in z:
        d[v] = d.get(v, 0) + 1
    return str([d, 1]), str({"a": d}), str((d,))


@prog(Z)
def text_with_strings(z):
    d = {}
    for v in z:
        d["a" if v > 1 else "b"] = v * 0.5
    return str(d)


@prog(Z)
def text_with_tuples(z):
    d = {}
    for i, v in enumerate(z):
        d[int(v), i % 2] = (v, i)
    return str(d)


@prog(Z)
def printed_in_loop(z):
    d = {}
    for i, v in enumerate(z):
        d[v] = i
        print(i, d)
    return len(d)


@prog(Z)
def text_of_known_keys(z):
    d = {"low": 0, "high": 0}
    for v in z:
        if v > 1:
            d["high"] += 1
        else:
            d["low"] += 1
    return f"{d}", str(d)


@prog(Z)
def text_of_dicts_inside(z):
    d = {}
    for i, v in enumerate(z):
        d[v] = {"n": i, "m": 2}
    return str(d)


@prog(Z)
def text_of_objects(z):
    q = Q(z[0])
    return f"{q!r:>20}|{q}|{z[0]!r:>5}|{(z[0], 1)!s:<12}|{z[0]:{z[1]}}"


@prog(Z)
def format_of_object(z):
    q = Q(z[0])
    return f"{q:>20}"
