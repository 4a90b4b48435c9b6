"""Variables that hold values of several kinds, None and dicts among them.

The file is long because it is a collection of independent programs.
"""

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import INTS, A, E, N

CASES = Cases()
program = CASES.program


@program(A, E, INTS, N)
def merged_dict_in_branch(x):
    t = {"a": 1.0}
    s = np.sum(x)
    if s > 0:
        t = {**t, "b": s}
    t["c"] = s * 2
    return t


@program(A, E, INTS, N)
def merged_dict_in_branch2(x):
    t = {"a": 1.0, "b": 0.0}
    s = np.sum(x)
    if s > 0:
        t = {**t, "b": s}
    t["a"] += s
    return t, t["b"]


@program(A, E, INTS, N)
def merged_dict_in_loop(x):
    t = {"a": 1.0, "b": 0.0}
    for v in x:
        if v > 1:
            t = {**t, "b": t["b"] + v}
    t["a"] = 2.0
    return t


@program(A, E, INTS, N)
def dict_or_number(x):
    s = np.sum(x)
    if s > 0:
        r = {"s": s}
    else:
        r = 0
    if isinstance(r, dict):
        return r["s"]
    return r


@program(A, E, INTS, N)
def dict_or_number2(x):
    s = np.sum(x)
    r = {"s": s, "n": 1} if s > 0 else -1.0
    return r


@program(INTS, A, N, E)
def many_kinds(x):
    r = None
    for v in x:
        if v == 1:
            r = 1
        elif v == 2:
            r = (1, v)
        elif v == 3:
            r = "three"
        elif v == -1:
            r = [v]
        elif v == -2:
            r = {"a": v}
    return r


@program(INTS, A, N, E)
def many_kinds_function(x):
    def kind(v):
        if v == 1:
            return 1
        if v == 2:
            return (1, v)
        if v == 3:
            return "three"
        if v == -1:
            return [v]
        if v == -2:
            return {"a": v}
        return None

    return kind(np.sum(x)), kind(np.max(x) if len(x) else 0)


@program(A, E, INTS, N)
def dict_or_number3(x):
    s = np.sum(x)
    d = {"s": s, "n": 1}
    r = d if s > 0 else -1.0
    d["n"] = 5
    return r, d


@program(A, E, INTS, N)
def dict_or_number4(x):
    s = np.sum(x)
    d = {"s": s, "n": 1}
    r = d if s > 0 else -1.0
    if isinstance(r, dict):
        r["n"] = 7
    return r, d


@program(A, E, INTS, N)
def dict_or_number5(x):
    s = np.sum(x)
    d = {"s": s, "n": 1}
    r = d if s > 0 else -1.0
    if isinstance(r, dict):
        r["new"] = 7
    return r, d


@program(A, E, INTS, N)
def dict_or_number6(x):
    s = np.sum(x)
    r = {"s": s, "n": 1} if s > 0 else -1.0
    q = r
    if isinstance(r, dict):
        r["n"] = 7
    return r, q


@program(A, E, INTS, N)
def dict_or_number7(x):
    r = 0
    for v in x:
        if v > 1:
            if isinstance(r, dict):
                r["n"] += v
            else:
                r = {"n": v}
    return r


@program(A, E, INTS, N)
def dict_or_list(x):
    s = np.sum(x)
    r = {"s": s, "n": 1} if s > 0 else [s]
    return r, len(r), type(r).__name__, str(r)


@program(A, E, INTS, N)
def dict_or_none_or_text(x):
    s = np.sum(x)
    if s > 5:
        r = {"s": s}
    elif s > 0:
        r = None
    else:
        r = "none"
    return r, r == "none", r is None, bool(r)


@program(A, E, INTS, N)
def dict_or_number8(x):
    s = np.sum(x)
    d = {"s": s, "n": 1}
    r = d if s > 0 else -1.0
    return r is d, r == d, r


@program(A, E, INTS, N)
def dict_or_number9(x):
    s = np.sum(x)
    d = {"s": s, "n": 1}

    def f(v):
        return d if v > 0 else -1.0

    r = f(s)
    q = f(s * 2)
    if isinstance(q, dict):
        q["n"] = 9
    return r, q, d


@program(A, E, INTS, N)
def two_dicts_or_number(x):
    s = np.sum(x)
    if s > 5:
        r = {"a": s}
    elif s > 0:
        r = {"a": s, "b": 1.0}
    else:
        r = -1
    return r


def parse(v):
    if v > 2:
        return {"kind": "big", "value": v}
    if v > 0:
        return ("small", v)
    return None


@program(A, E, INTS, N)
def parsed(x):
    out = []
    for v in x:
        p = parse(v)
        if p is None:
            out.append("none")
        elif isinstance(p, tuple):
            out.append(p[0])
        else:
            out.append(p["kind"])
    return out


def node(v):
    if v > 2:
        return {"op": "+", "args": [v, v]}
    return v


@program(A, E, INTS, N)
def evaluated(x):
    t = 0.0
    for v in x:
        n = node(v)
        if isinstance(n, dict):
            t += sum(n["args"])
        else:
            t += n
    return t


def shape_of(v):
    if v > 2:
        return {"kind": "big", "value": v}
    if v > 0:
        return ("small", v)
    return None


@program(A, E, INTS, N)
def none_kinds_uses(x):
    out = []
    for v in x:
        p = shape_of(v)
        if not p:
            out.append(0.0)
            continue
        if isinstance(p, dict):
            out.append(p["value"])
        elif type(p) is tuple:
            out.append(p[1] * 2)
    q = shape_of(np.sum(x))
    r = q or "nothing"
    print(
        q,
        r,
        q is not None,
        q == None,  # noqa: E711
        q != None,  # noqa: E711
        isinstance(q, (tuple, type(None))),
        type(q).__name__,
    )
    return out, q, r


@program(A, E, INTS, N)
def none_kinds_loop(x):
    best = None
    for i, v in enumerate(x):
        if best is None:
            best = v
        elif isinstance(best, tuple):
            if v > best[0]:
                best = (v, i)
        elif v < best:
            best = (v, i)
    return best


@program(A, E, INTS, N)
def none_fails(x):
    p = shape_of(np.sum(x))
    return p[1]


@program(A, E, INTS, N)
def none_len(x):
    p = shape_of(np.sum(x))
    return len(p)


@program(A, E, INTS, N)
def none_match(x):
    match shape_of(np.sum(x)):
        case None:
            return 0
        case (a, b):
            return b
        case {"kind": k, "value": v}:
            return v, k


@program(A, E, INTS, N)
def none_kinds_alias(x):
    s = np.sum(x)
    d = {"n": 1, "s": s}
    p = None
    if s > 0:
        p = d
    if s > 100:
        p = (1, 2)
    d["n"] = 5
    if isinstance(p, dict):
        p["s"] = 7.0
    return p, d


@program(A, E, INTS, N)
def none_kinds_alias_list(x):
    s = np.sum(x)
    z = [s]
    p = None
    if s > 0:
        p = z
    if s > 100:
        p = "text"
    z.append(2.0)
    if isinstance(p, list):
        p.append(s)
    return p, z


@program(A, E, INTS, N)
def bool_or_tuple(x):
    s = np.sum(x)
    p = s > 0
    if s > 100:
        p = bool(s > 200)
    q = True
    if s > 2:
        q = (1, s)
    return q is True, q is False, q is not True, q


@program(A, E, INTS, N)
def set_or_none_or_number(x):
    s = np.sum(x)
    if s > 5:
        r = {int(v) for v in x}
    elif s > 0:
        r = None
    else:
        r = 0
    return isinstance(r, set), r is None, len(r) if isinstance(r, set) else -1


@program(A, E, INTS, N)
def tuple_of_run_or_number(x):
    t = tuple(v for v in x if v > 1)
    r = t if len(t) > 0 else -1
    return r, isinstance(r, tuple), r == -1


@program(A, E, INTS, N, A[:2])
def tuple_grows_while1(x):
    t = (0.0,)
    i = 0
    while i < len(x) and x[i] > 0.5:
        t = (*t, x[i])
        i += 1
    return t, t[-1], sum(t)


@program(A, E, INTS, N, A[:2])
def tuple_grows_add1(x):
    t = (0.0,)
    for v in x:
        if v > 1:
            t = t + (v,)
    return t, t[-1], sum(t), len(t)


@program(A, E, INTS, N, A[:2])
def tuple_grows_drop(x):
    t = (0.0, 1.0)
    for v in x:
        if v > 1:
            t = t[1:] + (v, v)
    return t


@program(A, E, INTS, N, A[:2])
def tuple_grows_reset(x):
    t, best = (), ()
    for v in x:
        if v > 1:
            t = t + (v,)
        else:
            t = ()
        if len(t) > len(best):
            best = t
    return best, t


@program(np.array([1, 2, 2, 3, 2]), E, INTS, N, A[:2])
def tuple_paths(x):
    paths = [()]
    for v in x:
        paths = paths + [p + (int(v),) for p in paths if len(p) < 2]
    return paths
