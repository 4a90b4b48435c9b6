"""Stars, growing tuples, and generators beside other iterables, of lengths that a run has.

The file is long because it is a collection of independent programs.
"""

import itertools
import math

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import INTS, A, E, N

CASES = Cases()
program = CASES.program


@program(A, E, INTS, N)
def first_of_conditional(x):
    hits = [v for v in x if v > 1.5]
    first, *rest = hits if hits else [0.0]
    return first, rest


@program(A, E, INTS, N)
def last_of_conditional(x):
    hits = [v for v in x if v > 1.5]
    *rest, last = hits or [0.0, 1.0]
    return last, rest, len(rest)


@program(A, E, INTS, N)
def set_of_star(x):
    z = [int(v) for v in x if v > 1]
    w = [int(v) + 1 for v in x if v < 3]
    u = {*z}
    t = {*z, *w, 7}
    return sorted(u), len(t), 7 in t, 3 in u


@program(A, E, INTS, N)
def lists_of_stars(x):
    z = [v for v in x if v > 1]
    w = [v + 1 for v in x if v < 3]
    return [*z, *w], (*z, *w), (0.0, *z), (*z, 1.0), [*z, *w, 2.0]


@program(A, E, INTS, N, A[:2])
def maximum_of_star(x):
    z = [v for v in x if v > 0][:2]
    return np.maximum(*z)


@program(A, E, INTS, N, A[:2])
def hypot_of_star(x):
    z = [v for v in x if v > 1]
    return np.hypot(*z)


@program(A, E, INTS, N, A[:2])
def mhypot_of_star(x):
    z = [v for v in x if v > 1]
    return math.hypot(*z)


@program(A, E, INTS, N, A[:2])
def atan2_of_star(x):
    z = [v for v in x if v > 1]
    return math.atan2(*z), math.dist(z, z)


@program(A, E, INTS, N, A[:2])
def tuple_grows_iadd(x):
    t = ()
    for v in x:
        if v > 1:
            t += (v,)
    return t


@program(A, E, INTS, N, A[:2])
def tuple_grows_add(x):
    t = ()
    for v in x:
        if v > 1:
            t = t + (v * 2,)
    return t, len(t)


@program(A, E, INTS, N, A[:2])
def tuple_grows_while(x):
    t = (0.0,)
    i = 0
    while i < len(x) and x[i] > 0.5:
        t = (*t, x[i])
        i += 1
    return t, t[-1], sum(t)


def positives(x):
    for v in x:
        if v > 1:
            yield v


@program(A, E, INTS, N, A[:2])
def tuple_of_generator(x):
    return tuple(positives(x))


@program(A, E, INTS, N, A[:2])
def list_of_generator(x):
    z = list(positives(x))
    return z, len(z)


@program(A, E, INTS, N, A[:2])
def zip_of_generator(x):
    out = []
    for v, i in zip(positives(x), range(2)):
        out.append(v * i)
    return out


@program(A, E, INTS, N, A[:2])
def zip_of_generator_n(x):
    n = int(np.sum(x > 0))
    return [v * i for v, i in zip(positives(x), range(n))]


@program(A, E, INTS, N, A[:2])
def zip_of_range_first(x):
    n = int(np.sum(x > 0))
    return [(i, v) for i, v in zip(range(n), positives(x))]


@program(A, E, INTS, N, np.array([2, 3, 2, 2, 1]))
def dict_sorted(x):
    d = {}
    for v in x:
        k = int(v)
        d[k] = d.get(k, 0) + 1
    e = dict(sorted(d.items()))
    return e, list(e)


@program(A, E, INTS, N, np.array([2, 3, 2, 2, 1]))
def dict_sorted_key(x):
    d = {}
    for v in x:
        k = int(v)
        d[k] = d.get(k, 0) + 1
    e = dict(sorted(d.items(), key=lambda kv: -kv[1]))
    return e, list(e.values())


@program((A, "abca"), (E, ""), (INTS, "b b"))
def dict_sorted_texts(x, text):
    d = {}
    for c in text:
        d[c] = d.get(c, 0) + x.sum()
    e = dict(sorted(d.items(), key=lambda kv: (-kv[1], kv[0])))
    return e


@program((["ab", "abc", "b"], 1), ([], 0), (["a", "a"], 2))
def trie_plain(words, n):
    root = {}
    for w in words:
        node = root
        for ch in w:
            node = node.setdefault(ch, {})
        node["$"] = n
    return root


@program(INTS, np.array([1, 1, 1, 1, 2, 1, 1]), np.array([], int))
def lzw_text(x):
    table = {chr(97 + k): k for k in range(4)}
    w = ""
    out = []
    for v in x:
        c = chr(97 + int(v))
        if w + c in table:
            w = w + c
        else:
            out.append(table[w])
            table[w + c] = len(table)
            w = c
    if w:
        out.append(table[w])
    return out


@program(A, E, INTS, N, A[:2])
def islice_of_generator(x):
    n = int(np.sum(x > 0)) - 1
    return list(itertools.islice(positives(x), max(n, 0)))


def told(x):
    for v in x:
        print("next", v)
        if v > 1:
            yield v


@program(A, E, INTS, N, A[:2])
def zip_told(x):
    n = int(np.sum(x > 1)) - 1
    a = [(i, v) for i, v in zip(range(n), told(x))]
    b = [(i, v) for v, i in zip(told(x), range(n))]
    return a, b


@program(A, E, INTS, N, A[:2], refused=True)
def zip_resumed(x):
    n = int(np.sum(x > 1)) - 1
    g = told(x)
    a = [(i, v) for i, v in zip(range(n), g)]
    return a, list(g)


@program(A, E, INTS, N, A[:2])
def zip_three(x):
    n = int(np.sum(x > 1)) - 1
    return [t for t in zip(x, told(x), itertools.count(2))], [
        t for t in zip(enumerate(x), told(x), range(n))
    ]
