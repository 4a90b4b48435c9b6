"""Lists that hold None in some places: memo tables, hash tables, parents, results to come."""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)
Z = np.array([3, 1, 2, 1, 0, 3, 3])


@prog(N)
def memo_fib(n):
    memo = [None] * (n + 1)

    def fib(k):
        if k < 2:
            return k
        if memo[k] is not None:
            return memo[k]
        r = fib(k - 1) + fib(k - 2)
        memo[k] = r
        return r

    return fib(n)


@prog(X, N)
def none_fill(x, n):
    out = [None] * n
    for i in range(n):
        out[i] = x[i] * 2
    return out


@prog(X, N)
def none_fill_known(x, n):
    out = [None] * 5
    for i in range(n):
        out[i] = x[i] * 2
    return out


@prog(X, N)
def none_fill_rev(x, n):
    out = [None] * n
    for i in range(n):
        out[n - 1 - i] = x[i]
    return np.array(out)


@prog(X, N)
def none_partial(x, n):
    out = [None] * n
    for i in range(n):
        if x[i] > 2:
            out[i] = x[i]
    return out


@prog(X, N)
def none_append(x, n):
    out = []
    for i in range(n):
        v = x[i]
        out.append(v if v > 2 else None)
    return out


@prog(X, N)
def none_append_if(x, n):
    out = []
    for i in range(n):
        if x[i] > 2:
            out.append(x[i])
        else:
            out.append(None)
    return out


@prog(X, N)
def none_tested(x, n):
    out = []
    for i in range(n):
        out.append(x[i] if x[i] > 2 else None)
    s = 0.0
    for v in out:
        if v is not None:
            s += v
    return s


@prog(X, N)
def none_comp(x, n):
    out = [v if v > 2 else None for v in x]
    return out, [w for w in out if w is not None]


@prog(Z, N)
def hash_table(z, n):
    size = 8
    table = [None] * size
    for k in z:
        h = (k * 5) % size
        while table[h] is not None and table[h] != k:
            h = (h + 1) % size
        table[h] = k
    return table


@prog(Z, N)
def hash_table_n(z, n):
    table = [None] * (2 * n)
    for k in z:
        h = (k * 5) % (2 * n)
        while table[h] is not None and table[h] != k:
            h = (h + 1) % (2 * n)
        table[h] = k
    return table, [t is None for t in table]


@prog(Z, N)
def hash_pairs(z, n):
    size = 8
    table = [None] * size
    for i in range(n):
        k = z[i]
        h = (k * 3) % size
        while table[h] is not None and table[h][0] != k:
            h = (h + 1) % size
        table[h] = (k, i)
    return table


@prog(Z, N)
def parents(z, n):
    parent = [None] * n
    for i in range(1, n):
        parent[i] = (i - 1) // 2
    depth = []
    for i in range(n):
        d = 0
        p = parent[i]
        while p is not None:
            d += 1
            p = parent[p]
        depth.append(d)
    return parent, depth


@prog(Z, N)
def union_find(z, n):
    parent = [None] * 6

    def find(i):
        while parent[i] is not None:
            i = parent[i]
        return i

    for i in range(n):
        a, b = find(z[i]), find(z[i + 1])
        if a != b:
            parent[a] = b
    return parent


@prog(Z, N)
def dist_none(z, n):
    dist = [None] * 5
    dist[0] = 0
    queue = [0]
    while queue:
        u = queue.pop(0)
        for v in (u + 1, u * 2):
            if v < 5 and dist[v] is None:
                dist[v] = dist[u] + 1
                queue.append(v)
    return dist


@prog(X, N)
def none_count(x, n):
    out = [None] * n
    for i in range(n):
        if x[i] > 2:
            out[i] = i
    return out.count(None), None in out


@prog(X, N)
def none_arrays(x, n):
    out = [None] * n
    for i in range(n):
        out[i] = x * i
    return np.stack(out)


@prog(X, N)
def none_first(x, n):
    out = [None]
    for i in range(n):
        out.append(x[i])
    return out


@prog(X, N)
def none_prev(x, n):
    prev = None
    out = []
    for i in range(n):
        out.append(prev)
        prev = x[i]
    return out


@prog(X, N)
def none_only(x, n):
    out = []
    for i in range(n):
        out.append(None)
    return out, len(out)


@prog(X, N)
def none_replace(x, n):
    out = [x[i] for i in range(n)]
    for i in range(n):
        if x[i] > 2:
            out[i] = None
    return out


@prog(X, N)
def none_error(x, n):
    out = [None] * n
    out[0] = x[0]
    return out[0] + out[1]


@prog(X, N)
def none_tuple(x, n):
    out = []
    for i in range(n):
        out.append((i, None if x[i] > 2 else x[i]))
    return out


@prog(X, N)
def none_table2(x, n):
    t = [[None] * 3 for _ in range(3)]
    for i in range(n):
        t[i % 3][(i * 2) % 3] = x[i]
    return t


@prog(X, N)
def none_memo_dict(x, n):
    memo = [None] * 10
    calls = 0
    k = n
    for i in range(n):
        if memo[i % 2] is None:
            memo[i % 2] = x[i]
            calls += 1
    return calls, memo


@prog(X, N)
def none_min(x, n):
    best = [None, None]
    for i in range(n):
        k = i % 2
        if best[k] is None or x[i] < best[k]:
            best[k] = x[i]
    return best


@prog(X, N)
def none_if_else(x, n):
    out = []
    for v in x:
        out.append(None if v > 2 else v)
    return [0.0 if o is None else o for o in out]
