"""Records with lists: in functions, copies, texts, comparisons, trees and graphs of objects."""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

K = np.array([3, 1, 3, 2, 1, 3])
V = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.5])


@prog(K, V)
def given_in_args(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        added(d, k, v)
    return d


def added(d, k, v):
    if k not in d:
        d[k] = {"n": 0, "items": []}
    entry = d[k]
    entry["n"] += 1
    entry["items"].append(v)


@prog(K, V)
def closure_list(ks, vs):
    d = {}
    hist = []
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "items": []}
        d[k]["items"].append(v)
        hist.append(list(d[k]["items"]))
    return d, hist


@prog(K, V)
def kept_slice(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "items": []}
        d[k]["items"].append(v)
        d[k]["n"] = sum(d[k]["items"][-2:])
    return d


@prog(K, V)
def raised(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "items": []}
        d[k]["items"].append(v)
        if len(d[k]["items"]) > 2:
            raise ValueError(f"{k}: {d[k]['items']}")
    return d


@prog(K, V)
def printed(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "items": []}
        d[k]["items"].append(v)
        print(k, d[k])
    return str(d)


@prog(K, V)
def compared(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "items": []}
        d[k]["items"].append(v)
    return d[1] == d[3], d[1]["items"] == [2.0, 5.0], d[1] == {"n": 0, "items": [2.0, 5.0]}


@prog(K, V)
def argument_dict(ks, vs):
    d = {3: {"n": 0, "items": []}, 1: {"n": 0, "items": []}, 2: {"n": 5, "items": [0.5]}}
    for k, v in zip(ks, vs):
        d[k]["items"].append(v)
        d[k]["n"] += 1
    return d


@prog(K, V)
def argument_dict_int(ks, vs):
    d = {i: {"n": 0, "items": []} for i in range(4)}
    for k, v in zip(ks, vs):
        d[int(k)]["items"].append(v)
        d[int(k)]["n"] += 1
    return d


@prog(K, V)
def deep(ks, vs):
    tree = {}
    for k, v in zip(ks, vs):
        node = tree.setdefault(k, {})
        leaf = node.setdefault(int(v) % 2, {"n": 0, "items": []})
        leaf["n"] += 1
        leaf["items"].append(v)
    return tree


@prog(K, V)
def deleted_values(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"n": 0, "items": []})["items"].append(v)
    for k in list(d):
        if len(d[k]["items"]) < 2:
            del d[k]
    return d, len(d)


@prog(K, V)
def popped_items(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"q": [], "n": 0})["q"].append(v)
    out = []
    while d:
        k, r = d.popitem()
        out.append((k, r["q"].pop(0), len(r["q"])))
    return out


@prog(K, V)
def unpack_values(ks, vs):
    d = defaultrecord(ks, vs)
    n, items = d[3].values()
    return n, items, list(d[1]), "n" in d[2], len(d[2])


def defaultrecord(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        r = d.setdefault(k, {"n": 0, "items": []})
        r["n"] += 1
        r["items"].append(v)
    return d


class Node:
    def __init__(self, name):
        self.name = name
        self.edges = {}
        self.visited = False

    def connect(self, other, w):
        self.edges[other] = w


@prog(K, V)
def graph_objects(ks, vs):
    nodes = {}
    for a, b, w in zip(ks[:-1], ks[1:], vs):
        for n in (a, b):
            if n not in nodes:
                nodes[n] = Node(n)
        nodes[a].connect(b, w)
        nodes[b].connect(a, w)
    order, stack = [], [ks[0]]
    while stack:
        n = stack.pop()
        if nodes[n].visited:
            continue
        nodes[n].visited = True
        order.append(n)
        for m in sorted(nodes[n].edges):
            stack.append(m)
    return order
