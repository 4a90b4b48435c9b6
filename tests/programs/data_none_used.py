"""Uses of lists that hold None in some places."""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)
Z = np.array([3, 1, 2, 1, 0, 3, 3])


@prog(X, N)
def o_array_with_none(x, n):
    out = [None] * n
    out[0] = x[0]
    return np.array(out)


@prog(X, N)
def o_sum_none(x, n):
    out = [None] * n
    for i in range(n - 1):
        out[i] = x[i]
    return sum(out)


@prog(X, N)
def o_sum_filled(x, n):
    out = [None] * n
    for i in range(n):
        out[i] = x[i]
    return sum(out), max(out), sorted(out), min(out)


@prog(X, N)
def o_print(x, n):
    out = [None] * n
    out[1] = x[0]
    print(out)
    print(out[0], out[1])
    return f"{out[0]} {out[1]} {out}"


@prog(X, N)
def o_strings(x, n):
    out = []
    for i in range(n):
        out.append("big" if x[i] > 2 else None)
    return out


@prog(X, N)
def o_mixed(x, n):
    out = []
    for i in range(n):
        if x[i] > 4:
            out.append(1)
        elif x[i] > 2:
            out.append(x[i])
        else:
            out.append(None)
    return out


@prog(X, N)
def o_lists(x, n):
    out = [None] * n
    for i in range(n):
        if x[i] > 2:
            out[i] = [x[i]]
    return out


@prog(X, N)
def o_compare(x, n):
    a = [None] * n
    b = [None] * n
    a[0] = x[0]
    return a == b, a == a, a != b


@prog(X, N)
def o_truth(x, n):
    out = [None] * n
    for i in range(n):
        out[i] = x[i] - 2
    s = 0
    for v in out:
        if v:
            s += 1
    return s


@prog(X, N)
def o_or(x, n):
    out = [None] * n
    for i in range(n):
        if x[i] > 2:
            out[i] = x[i]
    return [v or -1.0 for v in out]


@prog(X, N)
def o_eq_none(x, n):
    out = [None] * n
    out[n - 1] = x[0]
    return [v == None for v in out], out[0] != None  # noqa: E711


@prog(X, N)
def o_error(x, n):
    out = [None] * n
    out[n - 1] = x[0]
    return out[n - 1] * 2 + out[0]


@prog(X, N)
def o_slice(x, n):
    out = [None] * n
    for i in range(n):
        if i > 1:
            out[i] = x[i]
    return out[1:3], out[::-1], out + [1.0], [None] + out


@prog(X, N)
def o_pop(x, n):
    out = [None] * n
    out[n - 1] = x[0]
    a = out.pop()
    b = out.pop(0)
    return a, b is None, out


@prog(X, N)
def o_while(x, n):
    nxt = [None] * n
    for i in range(n - 1):
        nxt[i] = i + 1
    total, k = 0.0, 0
    while k is not None:
        total += x[k]
        k = nxt[k]
    return total


@prog(X, N)
def o_int_array(x, n):
    out = [None] * n
    for i in range(n):
        out[i] = i
    return np.array(out), np.asarray(out, dtype=float), np.mean(out)


@prog(X, N, refused=STAGED)
def o_arrays_read(x, n):
    out = [None] * n
    for i in range(n):
        out[i] = x * i
    return out[1], np.vstack(out), np.sum(out)


@prog(X, N)
def o_neg(x, n):
    table = [-1] * n
    for i in range(n):
        table[i] = None if x[i] > 2 else i
    return table


@prog(X, N)
def o_default(x, n):
    d = {"a": None}
    for i in range(n):
        if d["a"] is None:
            d["a"] = x[i]
    return d


@prog(X, N)
def o_str(x, n):
    return str([None] * n), repr([None, n])


@prog(X, N)
def o_known(x, n):
    z = [None, x[0], None]
    return z[n - 3], z[n - 2] is None, z


@prog(X, N)
def o_known_loop(x, n):
    z = [None, x[0], None]
    for i in range(3):
        if z[i] is None:
            z[i] = x[i] * n
    return z
