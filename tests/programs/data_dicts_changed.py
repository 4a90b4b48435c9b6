"""Dicts that are elements of staged lists, and that code changes by several names."""

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
Z = np.array([3, 1, 2, 1, 0])
N = np.int64(4)


def made(n):
    ps = []
    for i in range(n):
        ps.append({"n": 0, "s": i})
    return ps


@prog(Z, N)
def two_names(z, n):
    ps = made(n)
    p = ps[z[0]]
    q = ps[z[1]]
    r = ps[z[3]]
    p["n"] += 1
    q["n"] += 10
    r["s"] += 5
    return p["n"], q["n"], r["n"], q["s"], [d["n"] for d in ps], [d["s"] for d in ps]


@prog(Z, N)
def replaced(z, n):
    ps = made(n)
    p = ps[z[1]]
    ps[z[1]] = {"n": 7, "s": 7}
    return p["n"], ps[1]["n"]


@prog(Z, N, refused=STAGED)
def replaced_then_written(z, n):
    ps = made(n)
    p = ps[z[1]]
    ps[z[1]] = {"n": 7, "s": 7}
    p["n"] = 3
    return p["n"], ps[1]["n"]


@prog(Z, N, refused=STAGED)
def other_name(z, n):
    d = {"n": 0, "s": 1}
    ps = made(n)
    ps.append(d)
    ps[z[0] + 1]["n"] += 1
    return d["n"], ps[z[0]]["n"]


@prog(Z, refused=STAGED)
def twice(z):
    d = {"n": 0, "s": 1}
    ps = [d, d, {"n": 1, "s": 1}]
    ps[z[1]]["n"] += 1
    return [p["n"] for p in ps]


@prog(Z, refused=STAGED)
def repeated(z):
    ps = [{"n": 0}] * 3
    ps[z[1]]["n"] += 1
    return [p["n"] for p in ps]


@prog(Z, N, refused=STAGED)
def copied_list(z, n):
    ps = made(n)
    qs = ps[:]
    ps[z[1]]["n"] += 1
    return [q["n"] for q in qs]


@prog(Z, N)
def returned(z, n):
    ps = made(n)
    p = ps[z[1]]
    ps[z[3]]["n"] += 4
    return p["n"], p["s"], ps


@prog(Z, N)
def in_branch(z, n):
    ps = made(n)
    p = ps[z[1]]
    if z[0] > 2:
        p["n"] += 1
        ps[z[3]]["n"] += 4
    return p["n"], ps[1]["n"]


@prog(Z, N)
def in_loop_from_outside(z, n):
    ps = made(n)
    p = ps[z[1]]
    for v in z:
        if v > 0:
            p["n"] += v
            ps[v]["s"] += 1
    return p["n"], p["s"], [d["n"] for d in ps], [d["s"] for d in ps]


@prog(Z, N)
def as_arguments(z, n):
    ps = made(n)

    def bump(i):
        ps[i]["n"] += 1
        return 0

    def seen(p, k):
        return p["n"], k

    return seen(ps[z[1]], bump(z[3])), ps[1]["n"]


@prog(Z, N, refused=STAGED)
def new_key(z, n):
    ps = made(n)
    ps[z[1]]["new"] = 1
    return ps[1]["n"]


@prog(Z, N)
def other_type(z, n):
    ps = made(n)
    for v in z:
        if v > 1:
            ps[v]["s"] = v * 0.5
    return [d["s"] for d in ps]


@prog(Z, N)
def transfer(z, n):
    accounts = [{"id": i, "balance": 100.0} for i in range(n)]
    for k in range(len(z) - 1):
        source, target = accounts[z[k]], accounts[z[k + 1]]
        if source["balance"] >= 30.0:
            source["balance"] -= 30.0
            target["balance"] += 30.0
    return [a["balance"] for a in accounts]


@prog(Z)
def transfer_known(z):
    accounts = [{"id": i, "balance": 100.0} for i in range(4)]
    for k in range(len(z) - 1):
        source, target = accounts[z[k]], accounts[z[k + 1]]
        if source["balance"] >= 30.0:
            source["balance"] -= 30.0
            target["balance"] += 30.0
    return accounts


@prog(Z, N)
def held_by_object(z, n):
    ps = made(n)

    class Box:
        pass

    box = Box()
    box.p = ps[z[1]]
    ps[z[3]]["n"] += 4
    return box.p["n"]


@prog(Z, N)
def whole_reads(z, n):
    ps = made(n)
    p = ps[z[1]]
    ps[z[3]]["n"] += 4
    q = dict(p)
    p["n"] += 1
    return (
        q,
        {**p},
        list(p.items()),
        list(p.values()),
        p.get("n"),
        len(p),
        "n" in p,
        p == q,
        p.copy(),
    )


@prog(Z, N, refused=STAGED)
def sorted_written(z, n):
    ps = made(n)
    for v in z:
        ps[v]["n"] += 1
    ps.sort(key=lambda d: -d["n"])
    ps[0]["s"] = 100
    return [(d["n"], d["s"]) for d in ps]


@prog(Z, N, refused=STAGED)
def moved_name(z, n):
    ps = made(n)
    p = ps[z[0]]
    p["n"] = 5
    ps.reverse()
    p["n"] += 1
    return [d["n"] for d in ps]


@prog(Z, N, refused=STAGED)
def popped(z, n):
    ps = made(n)
    ps[z[0]]["n"] = 1
    d = ps.pop()
    d["n"] += 1
    return d["n"], len(ps)


@prog(Z, N, refused=STAGED)
def best_of(z, n):
    ps = made(n)
    ps[z[0]]["n"] = 7
    best = ps[0]
    for p in ps:
        if p["n"] > best["n"]:
            best = p
    best["s"] = 50
    return [d["s"] for d in ps]


@prog(Z, N, refused=SIZES)
def carried(z, n):
    ps = made(n)
    p = ps[0]
    total = 0
    for v in z:
        total += p["n"]
        p = ps[v]
        p["n"] += 1
    return total


@prog(Z, N, refused=STAGED)
def in_two_lists(z, n):
    ps = made(n)
    qs = []
    for v in z:
        if v > 0:
            qs.append(ps[v])
    ps[z[1]]["n"] += 1
    return [q["n"] for q in qs]


@prog(Z, N, refused=STAGED)
def appended_by_name(z, n):
    ps = []
    for i in range(n):
        p = {"n": i, "s": 0}
        p["s"] += 1
        ps.append(p)
    for p in ps:
        p["n"] *= 2
    return [p["n"] for p in ps], ps[z[1]]["s"]


@prog(Z, N)
def while_queue(z, n):
    jobs = [{"left": v, "done": 0} for v in z]
    t = 0
    while t < 3:
        for job in jobs:
            if job["left"] > 0:
                job["left"] -= 1
                job["done"] += t
        t += 1
    return [j["done"] for j in jobs], sum(j["left"] for j in jobs)


@prog(Z, N)
def exchanged_rows(z, n):
    ps = made(n)
    ps[z[0]]["n"] = 7
    i, j = z[1], z[0]
    ps[i], ps[j] = ps[j], ps[i]
    ps[i]["s"] += 1
    return [(d["n"], d["s"]) for d in ps]


@prog(Z, N)
def nested_lists(z, n):
    ps = []
    for i in range(n):
        ps.append({"xs": [i], "s": i})
    for v in z:
        ps[v]["s"] += len(ps[v]["xs"])
    return [d["s"] for d in ps]


@prog(X)
def stats(x):
    bins = [{"count": 0, "total": 0.0} for _ in range(3)]
    for v in x:
        k = int(v) % 3
        bins[k]["count"] += 1
        bins[k]["total"] += v
    return [b["total"] / b["count"] if b["count"] else 0.0 for b in bins]


@prog(Z)
def dict_elem_aug(z):
    ps = [{"n": 0, "s": 0} for _ in range(4)]
    for v in z:
        ps[v]["n"] += 1
        ps[v]["s"] += v
    return [p["n"] for p in ps], ps[1]["s"]


@prog(Z, np.int64(3))
def dict_elem_aug_n(z, n):
    ps = []
    for i in range(n + 1):
        ps.append({"n": 0, "s": i})
    for v in z:
        ps[v]["n"] += 1
    return [p["n"] for p in ps]


@prog(Z, np.int64(3))
def dict_elem_name(z, n):
    ps = []
    for i in range(n + 1):
        ps.append({"n": 0, "s": i})
    for v in z:
        p = ps[v]
        p["n"] += 1
        p["s"] = p["s"] * 2
    return [p["n"] for p in ps], [p["s"] for p in ps]


@prog(Z, np.int64(3))
def dict_elem_loop(z, n):
    ps = []
    for i in range(n + 1):
        ps.append({"n": 0, "s": i})
    for p in ps:
        p["n"] = p["s"] + 1
    return [p["n"] for p in ps]
