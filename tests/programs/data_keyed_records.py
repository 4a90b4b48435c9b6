"""Other names of dicts and objects that hold lists and are values of staged dicts."""

from collections import namedtuple

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

K = np.array([3, 1, 3, 2, 1, 3])
V = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.5])


@prog(K, V, refused=STAGED)
def replaced_field(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "items": []}
        row = d[k]["items"]
        d[k]["items"] = []
        row.append(v)
        d[k]["n"] += 1
    return d


@prog(K, V)
def replaced_field_then(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "items": []}
        d[k]["items"] = d[k]["items"] + [v]
        d[k]["items"] += [v, v]
        d[k]["n"] += len(d[k]["items"])
    return d


@prog(K, V, refused=STAGED)
def named_before(ks, vs):
    d = {}
    items = []
    for k, v in zip(ks, vs):
        items = [v]
        if k not in d:
            d[k] = {"n": 0, "items": items}
        items.append(v)
        d[k]["n"] += 1
    return d


@prog(K, V)
def name_of_record(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "items": []}
        r = d[k]
        r["items"].append(v)
        r["n"] = len(r["items"])
        t = r["items"]
        t.append(-v)
        r["n"] += len(d[k]["items"])
    return d


@prog(K, V, refused=STAGED)
def shared_between(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"a": [], "b": []}
        d[k]["a"].append(v)
        if v > 3:
            d[k]["b"] = d[k]["a"]
        d[k]["b"].append(0.0)
    return d


@prog(K, V)
def copied_record(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"a": [], "n": 0}
        d[k]["a"].append(v)
        c = dict(d[k])
        c["n"] = 5
        c["a"].append(9.0)
    return d


@prog(K, V)
def copied_later(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"a": [], "n": 0})["a"].append(v)
    e = dict(d[1])
    d[1]["n"] = 7
    d[1]["a"].append(8.0)
    return e, d


@prog(K, V, refused=STAGED)
def kept_list(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"a": [], "n": 0})["a"].append(v)
    rows = [d[k]["a"] for k in d]
    d[1]["a"].append(8.0)
    return rows, d


@prog(K, V)
def popped_record(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"a": [], "n": 0})["a"].append(v)
    r = d.pop(3)
    r["a"].append(1.0)
    return r["a"], d


@prog(K, V, refused=STAGED)
def deleted_record(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"a": [], "n": 0})["a"].append(v)
    r = d[3]["a"]
    del d[3]
    r.append(1.0)
    return r, d


class Acc:
    def __init__(self, k):
        self.k = k
        self.h = []
        self.total = 0.0

    def put(self, v):
        self.h.append(v)
        self.total += v

    def last(self):
        return self.h[-1]

    def reset(self):
        old = self.h
        self.h = []
        return len(old)


@prog(K, V, refused=STAGED)
def objects_reset(ks, vs):
    d = {}
    resets = []
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = Acc(k)
        d[k].put(v)
        if d[k].total > 5:
            resets.append(d[k].reset())
    return {k: (a.h, a.total) for k, a in d.items()}, resets


@prog(K, V)
def objects_list(ks, vs):
    accs = [Acc(i) for i in range(len(ks))]
    for k, v in zip(ks, vs):
        accs[k].put(v)
        a = accs[k]
        a.put(-v)
        a.total += a.last()
    return [a.h for a in accs], [a.total for a in accs]


@prog(K, V)
def records_list(ks, vs):
    rows = [{"id": i, "items": [], "seen": False} for i in range(len(ks))]
    for k, v in zip(ks, vs):
        rows[k]["items"].append(v)
        rows[k]["seen"] = True
    return rows


Row = namedtuple("Row", "k items")


@prog(K, V)
def named_tuples(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = Row(k, [])
        d[k].items.append(v)
    return d


@prog(K, V)
def named_tuples_read(ks, vs):
    rows = []
    for k, v in zip(ks, vs):
        rows.append(Row(k, [v] * k))
    return max(rows, key=lambda r: len(r.items)).k, [len(r.items) for r in rows]


@prog(K, V)
def record_of_sets(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"seen": set(), "count": 0, "by": {}}
        d[k]["seen"].add(int(v))
        d[k]["count"] += 1
        d[k]["by"][int(v) % 3] = d[k]["by"].get(int(v) % 3, 0) + 1
    return {k: (sorted(r["seen"]), r["count"], r["by"]) for k, r in d.items()}


@prog(K, V)
def loops_over(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"items": [], "mean": 0.0})["items"].append(v)
    for r in d.values():
        r["mean"] = sum(r["items"]) / len(r["items"])
    best = None
    for k, r in d.items():
        if best is None or r["mean"] > d[best]["mean"]:
            best = k
    return best, d


@prog(K, V)
def sorted_records(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, {"items": [], "n": 0})["items"].append(v)
        d[k]["n"] += 1
    out = []
    for k, r in sorted(d.items(), key=lambda p: (-p[1]["n"], p[0])):
        out.append((k, r["n"], max(r["items"])))
    return out


@prog(K, V)
def break_inside(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"items": [], "n": 0}
        r = d[k]
        r["items"].append(v)
        if len(r["items"]) > 2:
            break
        r["n"] += 1
    return d


@prog(K, V, refused=STAGED)
def two_names(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"items": [], "n": 0}
        r = d[k]
        s = d[k]
        r["items"].append(v)
        s["items"].append(2 * v)
        r["n"] += len(s["items"])
        s["n"] += r["n"]
        r["items"] = [v]
        s["items"].append(3.0)
    return d


@prog(K, V, refused=STAGED)
def two_objects(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = Acc(k)
        r, s = d[k], d[k]
        r.put(v)
        h = s.h
        s.reset()
        r.put(v + 1)
        h.append(4.0)
    return {k: a.h for k, a in d.items()}


@prog(K, V)
def exchange(ks, vs):
    rows = [{"id": i, "items": []} for i in range(len(ks))]
    for k, v in zip(ks, vs):
        rows[k]["items"].append(v)
        rows[0], rows[k] = rows[k], rows[0]
        rows[0]["items"].append(-v)
    return rows


@prog(K, V, refused=STAGED)
def exchange_fields(ks, vs):
    rows = [{"a": [], "b": [0.0]} for i in range(len(ks))]
    for k, v in zip(ks, vs):
        rows[k]["a"].append(v)
        rows[k]["a"], rows[k]["b"] = rows[k]["b"], rows[k]["a"]
    return rows


@prog(K, V, refused=STAGED)
def field_from_other(ks, vs):
    rows = [{"a": [], "n": 0} for i in range(len(ks))]
    for k, v in zip(ks, vs):
        rows[k]["a"].append(v)
        rows[0]["a"] = rows[k]["a"]
        rows[k]["a"].append(5.0)
    return rows
