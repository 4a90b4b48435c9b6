"""Variables and results that are a number, a text, a tuple, a list or an array in turn.

The file is long because it is a collection of independent programs.
"""

import math

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import A, B, E, M, N

CASES = Cases()
program = CASES.program


@program(A, N, E)
def minus_one_or_pair(x):
    best = -1
    for i in range(len(x)):
        for j in range(i):
            if x[i] < x[j]:
                best = (i, j)
    if best != -1:
        return x[best[0]] + x[best[1]]
    return 0.0


@program(A, N)
def minus_one_if(x):
    best = -1
    if x[0] > 0:
        best = (x[0], 2)
    if best != -1:
        return best[0]
    return 0.0


@program(A, N)
def minus_one_returned(x):
    best = -1
    if x[0] > 0:
        best = (x[0], 2)
    return best


@program(A, N)
def none_pair(x):
    best = None
    if x[0] > 0:
        best = (x[0], 2)
    if best is not None:
        return best[0] * best[1]
    return 0.0


@program(A, N)
def false_or_pair(x):
    found = False
    for i, v in enumerate(x):
        if v > 1.5:
            found = (i, v)
    if found:
        i, v = found
        return i * v
    return -1.0


@program(A, N)
def num_or_text(x):
    word = 0
    if x[0] > 0:
        word = "up"
    return word


@program(A, N)
def num_or_text_eq(x):
    word = 0
    if x[0] > 0:
        word = "up"
    if word == 0:
        return 1.0
    return len(word)


@program(A, N)
def num_or_list(x):
    r = 0
    if x[0] > 0:
        r = [x[0], x[1]]
    return r


@program(A, N)
def ret_num_or_tuple(x):
    if x[0] > 0:
        return x[0], x[1]
    return -1


@program(A, N)
def ret_text_or_num(x):
    if x[0] > 0:
        return x[0]
    return "negative"


@program(A, N)
def ret_array_or_none(x):
    if x[0] > 0:
        return x * 2
    return None


@program(A, N)
def ret_array_or_num(x):
    if x[0] > 0:
        return x * 2
    return -1


@program(A, N)
def ret_tuple_or_array(x):
    if x[0] > 0:
        return x * 2, 3
    return x


@program(A, N)
def ret_tuples_of_lengths(x):
    if x[0] > 0:
        return x[0], x[1]
    return x[0], x[1], x[2]


@program(A, N)
def roots(x):
    a, b, c = x
    d = b * b - 4 * a * c
    if d > 0:
        return (-b + math.sqrt(d)) / 2 / a, (-b - math.sqrt(d)) / 2 / a
    elif d == 0:
        return -b / 2 / a
    return None


@program(A, N)
def roots_list(x):
    a, b, c = x
    d = b * b - 4 * a * c
    if d > 0:
        return [(-b + math.sqrt(d)) / 2 / a, (-b - math.sqrt(d)) / 2 / a]
    elif d == 0:
        return [-b / 2 / a]
    return []


@program(A, N)
def none_text(x):
    w = None
    for v in x:
        if v > 1.5:
            w = "big"
    return w if w is not None else "small"


@program(A, N)
def none_list(x):
    w = None
    for v in x:
        if v > 1.5:
            if w is None:
                w = []
            w.append(v)
    return w


@program(A, N)
def loop_pair(x):
    best = -1
    for i, v in enumerate(x):
        if best == -1 or v > best[1]:
            best = (i, v)
    return best


@program(A, N)
def inf_or(x):
    best = math.inf
    arg = None
    for i, v in enumerate(x):
        if v < best:
            best, arg = v, (i, v)
    return best, arg


@program((A, 2.0), (A, 99.0))
def find_index(x, t):
    pos = "none"
    for i, v in enumerate(x):
        if v == t:
            pos = i
    return pos


@program((A, 2.0), (A, 99.0))
def find_ret(x, t):
    for i, v in enumerate(x):
        if v == t:
            return i
    return "not found"


@program((A, 2.0), (A, 99.0))
def find_ret_none(x, t):
    for i, v in enumerate(x):
        if v == t:
            return i, v
    return None


@program((A, 2.0), (A, 99.0))
def find_ret_m1(x, t):
    for i, v in enumerate(x):
        if v == t:
            return i, v
    return -1


@program(B)
def saddle(x):
    where = -1
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] == x[i].min() and x[i, j] == x[:, j].max():
                where = (i, j)
    if where == -1:
        return "no saddle point"
    return f"saddle at {where[0]},{where[1]}"


@program(A, N)
def for_over(x):
    v = (x[0], x[1]) if x[0] > 0 else x * 2
    t = 0.0
    z = []
    for a in v:
        t = t + a
        z.append(a)
    return t, z, len(v), v[1], list(v), sum(v)


@program(A, N)
def array_or_number_in_place(x):
    y = x if x[0] > 0 else 5
    y += 1
    return y, x[0]


@program(A, N)
def array_or_number_with_two_names(x):
    y = x if x[0] > 0 else 5
    z = y
    z *= 2
    return y, z, x.sum()


@program(A, N)
def array_or_number_used(x):
    y = x if x[0] > 0 else 5
    return (
        isinstance(y, int),
        isinstance(y, np.ndarray),
        y + 1,
        2 * y,
        -y,
        y == 5,
        np.sum(y),
        np.maximum(y, 1),
        str(y),
        f"{y}",
        y * x,
        x * y,
        x - y,
    )


@program(A, N)
def text_or_tuple_used(x):
    y = "abc" if x[0] > 0 else (1, x[1])
    return (
        len(y),
        y[1],
        y * 2,
        y == "abc",
        y != (1, 2),
        "abc" == y,
        isinstance(y, str),
        isinstance(y, (tuple, list)),
        type(y) is tuple,
        y is None,
        y + y,
        not y,
        bool(y),
        [y, y],
    )


@program(A, N, refused=True)
def list_or_number_used(x):
    y = [x[0], 2.0] if x[0] > 0 else 3.5
    z = y
    if isinstance(y, list):
        y.append(1.0)
        r = y[-1] + y[0]
    else:
        r = y * 2
    return r, y, z


@program(A, N)
def none_number_or_text(x):
    y = None
    if x[0] > 0:
        y = 3.0
    if x[1] < -0.5:
        y = "low"
    return y is None, y, y == 3.0, (y or "default"), f"<{y}>"


@program(A, N)
def added_to_a_tuple_or_number(x):
    y = (1, 2) if x[0] > 0 else 3.5
    return y + 1.0


@program(A, N)
def unpacked_tuple_or_number(x):
    y = (1, 2) if x[0] < 0 else x[2]
    a, b = y
    return a


@program(A, N)
def method_of_text_or_number(x):
    y = "text" if x[0] < 0 else x[2]
    return y.upper()


@program(A, N)
def float_of_text_or_number(x):
    y = "4.5" if x[0] < 0 else x[2]
    return float(y), np.array([y, 1.0]) if False else 1


@program(A, N)
def array_of_kinds(x):
    y = 4 if x[0] < 0 else x
    return np.array([y, y])


@program(A, N, refused=True)
def tuple_grown_in_a_counted_loop(x):
    t = ()
    for i in range(int(abs(x[0]))):
        t = t + (x[i],)
    return t


@program(A, N)
def tuple_grown_in_branches(x):
    t = ()
    for v in x:
        if v > 1.5:
            t = t + (v,)
    return t


@program(A, N, refused=True)
def nested_tuples(x):
    t = 0
    n = x[0]
    while n > 0:
        t = (t, n)
        n -= 1
    return t


@program(A, N)
def used_in_call(x):
    def f(a):
        if isinstance(a, tuple):
            return a[0] * 2
        return a

    y = (1, x[1]) if x[0] > 0 else 3.5
    return f(y), f(f(y))


@program(A, N)
def in_list(x):
    z = []
    for v in x:
        z.append((v, 1) if v > 1 else -1)
    return z


@program(A, N)
def in_known_list(x):
    z = [0, 0, 0]
    for i in range(3):
        if x[i] > 1:
            z[i] = (x[i], i)
    return z


@program(A, N)
def in_dict(x):
    d = {"a": 0}
    if x[0] > 1:
        d["a"] = "text"
    return d, d["a"]


class S:
    pass


@program(A, N)
def in_obj(x):
    s = S()
    s.best = -1
    for i, v in enumerate(x):
        if s.best == -1 or v > s.best[0]:
            s.best = (v, i)
    return s.best


@program(A, N)
def tuple_or_number_in_place(x):
    y = (1.0, 2.0, x[0]) if x[0] > 0 else x[1]
    z = x
    z += y
    z[0] *= y[1] if isinstance(y, tuple) else y
    return x, z, x - y, y * x if not isinstance(y, tuple) else 0


@program(A, N)
def tuple_or_none_in_place(x):
    y = None
    if x[0] > 0:
        y = (1.0, 2.0, x[0])
    z = x
    if y is not None:
        z += y
    return x, z


@program(A)
def tuple_or_none_added(x):
    y = None
    if x[0] > 0:
        y = (1.0, 2.0, x[0])
    z = x
    z += y
    return x, z, x + y, y < x if False else 1


@program(A, N)
def functions_of_arrays_of_kinds(x):
    y = 4.0 if x[0] < 0 else x
    return (
        np.stack([y * np.ones(3), x]),
        np.vstack((x, y + x)),
        np.where(x > 1, y, 0),
        np.concatenate([np.atleast_1d(y), x]),
        np.full(3, y),
        np.asarray(y),
    )


@program(A, N)
def range_of_two(x):
    r = range(3) if x[0] > 0 else range(5)
    out = []
    for i in r:
        out.append(i)
    return out, len(r)


@program((M, 2), (-M, 0), refused=True)
def row_bound_in_a_loop(x, n):
    view = x
    for i in range(int(x[2, 1]) if x[2, 1] > 0 else 0):
        view = x[i % 3]
    x[...] = 0
    return view


@program(M, -M)
def row_written_through_the_array(x):
    y = x[0] if x[1, 1] > 0 else 5
    x[0] += 1
    return y, x


@program(M, -M)
def row_or_number_added_to(x):
    y = x[0] if x[1, 1] > 0 else 5
    y += 1
    return y, x


@program(M, -M)
def row_found_then_written(x):
    y = -1
    for i in range(3):
        if x[i, 1] > 2:
            y = x[i]
            break
    x[1] = 7
    return y, x


@program(M, -M)
def row_found_is_written(x):
    y = -1
    i = 0
    while i < 3:
        if x[i, 1] > 2:
            y = x[i]
        i += 1
    if isinstance(y, np.ndarray):
        y[0] = 99
    return y, x


@program(M, -M)
def tuple_with_a_row(x):
    y = (x[0], 1) if x[1, 1] > 0 else 0
    x[0, 0] = 50
    if y != 0 if isinstance(y, int) else True:
        y[0][1] = 60
    return y, x


@program(M, -M)
def list_or_text(x):
    z = [x[0, 0]]
    y = z if x[1, 1] > 0 else "none"
    z.append(x[0, 1])
    return y, z, y is z


@program(M, -M)
def list_or_text_appended(x):
    z = [x[0, 0]]
    y = z if x[1, 1] > 0 else "none"
    if isinstance(y, list):
        y.append(5.0)
    return y, z, len(z)


@program(M, -M, refused=True)
def array_or_row_scaled(x):
    y = x if x[1, 1] > 0 else x[0]
    y *= 2
    w = y.T
    w[0] = 3
    return y, x, y is x, y.shape, y.sum(), y[0]


@program(M, -M)
def slice_written_in_a_function(x):
    y = x[:2] if x[1, 1] > 0 else 3

    def g(v):
        v[0] = 77 if isinstance(v, np.ndarray) else 0

    if isinstance(y, np.ndarray):
        g(y)
    return y, x


class Box:
    pass


@program(M, -M)
def attribute_of_kinds(x):
    b = Box()
    b.v = 0
    if x[1, 1] > 0:
        b.v = x[0]
    b.v += 1
    return b.v, x


@program(M, -M, refused=True)
def item_of_kinds(x):
    d = {"k": 0}
    if x[1, 1] > 0:
        d["k"] = [x[0, 0]]
    if d["k"]:
        d["k"].append(2.0)
    return d, x


@program(M, -M)
def best_row_is_written(x):
    best = 0
    for r in x:
        if r[1] > 2:
            best = (r, r.sum())
    if best:
        best[0][0] = 100
    return best, x


@program(A, N)
def tuple_or_number_formatted(x):
    y = (1, x[0]) if x[0] > 0 else 3
    return "%s" % (y,), "%s and %d" % (y, 5), "<%r>" % (y,)


@program(A, N)
def tuple_or_none_formatted(x):
    y = None
    if x[0] > 0:
        y = (1, x[0])
    return "%s" % (y,), "%s and %d" % (y, 5), [y, 1], f"{[y, 1]}", str({"a": y})


@program(A, N)
def text_or_number_formatted(x):
    y = "ab" if x[0] > 0 else 3
    return (
        "%s" % y,
        "%5s|" % y,
        "{}{}".format(y, 1),
        "{:>5}".format(y),
        ", ".join([str(y)]),
        f"{y:>4}",
        f"{y!r}",
    )


@program(A, N)
def tuples_formatted(x):
    y = (4, 2) if x[0] > 0 else (5, 6)
    z = (4, 2) if x[0] > 0 else 7
    return "%d %d" % y, "%s" % (z,), f"{z}", (z, z), [z], {"k": z}


@program(A, N)
def tuple_or_number_as_arguments(x):
    z = (4, 2) if x[0] > 0 else 7
    return "%d" % z


@program(A, N)
def int_or_float_rounded(x):
    ph = float(x[0]) if x[0] > 0 else 7
    return round(ph, 6), round(ph), round(ph, 0) if x[0] > 0 else 1


@program(A, N)
def int_or_scalar_rounded(x):
    ph = x[0] if x[0] > 0 else 7
    return round(ph, 2)


@program(A, N)
def int_or_scalar_in_builtins(x):
    ph = x[0] if x[0] > 0 else 7
    return (
        math.floor(ph),
        math.sqrt(ph),
        abs(ph),
        -ph,
        ph**2,
        ph // 2,
        divmod(ph, 2),
        min(ph, 3),
        max(ph, 9),
        float(ph),
        int(ph),
        str(ph),
        f"{ph}",
        bool(ph),
    )


@program(A, N)
def int_or_scalar_in_ufuncs(x):
    ph = x[0] if x[0] > 0 else 7
    return np.sqrt(ph), np.abs(ph), np.maximum(ph, 2)


@program(A, N)
def int_or_scalar_in_math(x):
    ph = x[0] if x[0] > 0 else 7
    return (
        math.floor(ph),
        math.ceil(ph),
        math.trunc(ph),
        math.isclose(ph, 7),
        math.isnan(ph),
        math.copysign(ph, -1),
    )


@program(A, N)
def int_or_float_in_lists(x):
    ph = 2.5 if x[0] > 0 else 7
    return sum([ph, 1]), [ph, 1], sorted([ph, 3.0]), ph == 7, ph in (7, 2), hash(ph) if False else 0


@program(A, -A, B[0], np.array([0.5, 2.0]))
def dict_of_a_branch_beside_a_number(x):
    y = {"a": x[0]}
    if x[1] > 1:
        y = {"a": x[0] * 3}
    z = x[0] > 0 and y
    if x[0] > 0:
        y["a"] = 7.0
    return z, y


@program(A, -A, B[0], np.array([0.5, 2.0]))
def dict_of_a_branch_beside_a_text(x):
    y = {"a": x[0]} if x[1] > 1 else {"a": x[1]}
    z = y if x[0] > 0 else "none"
    if x[0] > 0:
        z["a"] += 1
    return z, y


@program(A, -A, B[0], np.array([0.5, 2.0]))
def dict_of_a_list_beside_a_number(x):
    rows = [{"a": v, "n": 1} for v in x if v > 0]
    return rows[0] if len(rows) > 1 else 3
