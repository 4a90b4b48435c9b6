"""Dicts by staged keys, whose values are dicts, lists, sets, counters or objects of several fields."""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
K = np.array([3, 1, 3, 2, 1, 3])
V = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.5])
F = np.array([0.5, 2.5, 0.5, 0.5])
N = np.array([1.0, np.nan, 0.25, -0.0])
CALLS = (K, V), (K[:1], V), (K[:0], V[:0])


@program(*CALLS)
def record_make(k, v):
    d = {}
    for i in range(len(k)):
        if k[i] not in d:
            d[k[i]] = {"n": 0, "total": 0.0}
        d[k[i]]["n"] += 1
        d[k[i]]["total"] += v[i]
    return d


@program(*CALLS)
def record_items(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"n": 0, "items": []}
        d[k]["n"] += 1
        d[k]["items"].append(v)
    return d


@program(*CALLS)
def record_items_int(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        k = int(k)
        if k not in d:
            d[k] = {"n": 0, "items": []}
        d[k]["n"] += 1
        d[k]["items"].append(float(v))
    return {k: (r["n"], sum(r["items"]) / r["n"]) for k, r in d.items()}


@program(*CALLS)
def setdefault_list(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        d.setdefault(k, []).append(v)
    return d


@program(*CALLS)
def setdefault_record(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        r = d.setdefault(k, {"n": 0, "s": 0.0})
        r["n"] += 1
        r["s"] += v
    return d


@program(*CALLS)
def setdefault_list2(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        r = d.setdefault(k, [0, 0.0])
        r[0] += 1
        r[1] += v
    return {k: r[1] / r[0] for k, r in d.items()}


@program(*CALLS)
def default_pair(ks, vs):
    d = defaultdict(lambda: [0, 0.0])
    for k, v in zip(ks, vs):
        d[k][0] += 1
        d[k][1] += v
    return {k: s / n for k, (n, s) in d.items()}


@program(*CALLS)
def default_record(ks, vs):
    d = defaultdict(lambda: {"count": 0, "sum": 0.0, "max": -np.inf})
    for k, v in zip(ks, vs):
        r = d[k]
        r["count"] += 1
        r["sum"] += v
        if v > r["max"]:
            r["max"] = v
    return {k: r["sum"] / r["count"] for k, r in d.items()}, [r["max"] for r in d.values()]


@program(*CALLS)
def default_dict(ks, vs):
    d = defaultdict(dict)
    for k, v in zip(ks, vs):
        d[k][int(v) % 2] = v
    return d


@program(*CALLS)
def default_dict_count(ks, vs):
    d = defaultdict(dict)
    for a, v in zip(ks, vs):
        b = int(v) % 2
        if b not in d[a]:
            d[a][b] = 0
        d[a][b] += 1
    return {k: dict(inner) for k, inner in d.items()}


@program(*CALLS)
def default_default_int(ks, vs):
    d = defaultdict(lambda: defaultdict(int))
    for a, v in zip(ks, vs):
        d[a][int(v) % 2] += 1
    return {k: dict(inner) for k, inner in d.items()}


@program(*CALLS)
def default_counter(ks, vs):
    d = defaultdict(Counter)
    for a, v in zip(ks, vs):
        d[a][int(v) % 2] += 1
    return {k: c.most_common(1)[0][0] for k, c in d.items()}


@program(*CALLS)
def keyed_transitions(ks, vs):
    table = {}
    for a, b in zip(ks[:-1], ks[1:]):
        if a not in table:
            table[a] = {}
        table[a][b] = table[a].get(b, 0) + 1
    return table


@program(*CALLS)
def keyed_markov(ks, vs):
    table = {}
    for a, b in zip(ks[:-1], ks[1:]):
        row = table.setdefault(a, {})
        row[b] = row.get(b, 0) + 1
    return {a: {b: n / sum(row.values()) for b, n in row.items()} for a, row in table.items()}


@program(*CALLS)
def adjacency_sets(ks, vs):
    g = {}
    for a, b in zip(ks[:-1], ks[1:]):
        if a not in g:
            g[a] = set()
        if b not in g:
            g[b] = set()
        g[a].add(b)
        g[b].add(a)
    return {a: sorted(n) for a, n in g.items()}


@dataclass
class Stat:
    n: int = 0
    total: float = 0.0
    best: float = 0.0

    def add(self, v):
        self.n += 1
        self.total += v
        if v > self.best:
            self.best = v

    def mean(self):
        return self.total / self.n


@program(*CALLS)
def keyed_objects(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = Stat()
        d[k].add(v)
    return {k: s.mean() for k, s in d.items()}


@program(*CALLS)
def objects_default(ks, vs):
    d = defaultdict(Stat)
    for k, v in zip(ks, vs):
        d[k].add(v)
    return sorted((k, s.n, s.best) for k, s in d.items())


class Account:
    def __init__(self, owner):
        self.owner = owner
        self.balance = 0.0
        self.history = []

    def deposit(self, v):
        self.balance += v
        self.history.append(v)


@program(*CALLS)
def keyed_accounts(ks, vs):
    accounts = {}
    for k, v in zip(ks, vs):
        if k not in accounts:
            accounts[k] = Account(k)
        accounts[k].deposit(v)
    return {k: (a.balance, a.history) for k, a in accounts.items()}


@program(*CALLS)
def keyed_accounts_named(ks, vs):
    accounts = {}
    for k, v in zip(ks, vs):
        if k not in accounts:
            accounts[k] = Account(k)
        a = accounts[k]
        a.balance += v
        a.history.append(v)
    return [(k, a.balance, len(a.history)) for k, a in accounts.items()]


@program(*CALLS)
def tried_keys(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        try:
            d[k].append(v)
        except KeyError:
            d[k] = [v]
    return d


@program(*CALLS)
def if_in_else(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k in d:
            d[k]["n"] += 1
            d[k]["last"] = v
        else:
            d[k] = {"n": 1, "last": v}
    return sorted(d.items(), key=lambda p: p[0])[0][1]["n"], len(d)


@program(*CALLS)
def nested_records(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = {"low": {"n": 0}, "high": {"n": 0}}
        d[k]["high" if v > 3 else "low"]["n"] += 1
    return {k: (r["low"]["n"], r["high"]["n"]) for k, r in d.items()}


@program(*CALLS)
def inventory_copy(ks, vs):
    stock = {}
    for k, v in zip(ks, vs):
        old = stock.get(k, {"qty": 0, "cost": 0.0})
        stock[k] = {"qty": old["qty"] + 1, "cost": old["cost"] + v}
    return stock


@program(*CALLS)
def record_items_method(ks, vs):
    groups = {}
    for k, v in zip(ks, vs):
        groups.setdefault(k, {"values": [], "count": 0})
        groups[k]["values"].append(v)
        groups[k]["count"] += 1
    out = []
    for k in sorted(groups):
        g = groups[k]
        out.append((k, np.mean(g["values"]), g["count"]))
    return out


@program(*CALLS)
def items_update(ks, vs):
    d = {}
    for k, v in zip(ks, vs):
        if k not in d:
            d[k] = dict(n=0, s=0.0)
        d[k].update(n=d[k]["n"] + 1, s=d[k]["s"] + v)
    return d


@program(*CALLS)
def default_set_len(ks, vs):
    d = defaultdict(set)
    for k, v in zip(ks, vs):
        d[k].add(int(v))
    return {k: len(s) for k, s in d.items()}


@program(*CALLS)
def graph_weights(ks, vs):
    g = {}
    for a, b, w in zip(ks[:-1], ks[1:], vs):
        g.setdefault(a, {})[b] = w
        g.setdefault(b, {})[a] = w
    total = 0.0
    for a in g:
        for b in g[a]:
            total += g[a][b]
    return total / 2, max(g, key=lambda a: len(g[a]))


@program(*CALLS)
def record_optional(ks, vs):
    last = {}
    for i, k in enumerate(ks):
        if k not in last:
            last[k] = {"first": i, "last": None}
        else:
            last[k]["last"] = i
    return {k: r["last"] for k, r in last.items()}
