"""Stars in lists and among targets, and staged lists that are unpacked."""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)
Z = np.array([3, 1, 2, 1, 0])


@prog(X, N)
def first_and_rest(x, n):
    ys = []
    for i in range(n):
        ys.append(x[i])
    a, *b = ys
    return a, b


@prog(X, N)
def first_rest_and_last(x, n):
    ys = []
    for i in range(n):
        ys.append(x[i])
    a, *b, c = ys
    return a, b, c


@prog(X, N)
def rest_of_array(x, n):
    a, *b = x
    return a, b


@prog(X, N)
def last_of_comprehension(x, n):
    *b, c = [x[i] * 2 for i in range(n)]
    return b, c


@prog(X, N)
def generator_in_list(x, n):
    def gen(n):
        for i in range(n):
            yield x[i] * 2

    return [*gen(n)]


@prog(X, N)
def generator_between(x, n):
    def gen(n):
        for i in range(n):
            if x[i] > 2:
                yield x[i] * 2

    return [0.0, *gen(n), 1.0]


@prog(Z)
def dict_in_list(z):
    d = {}
    for v in z:
        d[v] = d.get(v, 0) + 1
    return [*d], [*d.values()]


@prog(X, N)
def list_in_list(x, n):
    ys = []
    for i in range(n):
        ys.append(x[i])
    return [*ys, 1.0], [0.0, *ys]


@prog(X, N)
def unpacked_list(x, n):
    ys = []
    for i in range(n):
        ys.append(x[i])
    a, b, c, d = ys
    return a, d


@prog(X, N)
def too_many_to_unpack(x, n):
    ys = []
    for i in range(n):
        ys.append(x[i])
    a, b = ys
    return a


@prog(X, N)
def unpacked_rows(x, n):
    rows = [[x[i], i] for i in range(n)]
    t = 0.0
    for a, b in rows:
        t += a * b
    return t


@prog(X, N)
def unpacked_row(x, n):
    rows = [[x[i], x[i] + i] for i in range(n)]
    t = 0.0
    for i in range(n):
        a, b = rows[i]
        t += a * b
    return t


@prog(X, N)
def too_few_beside_star(x, n):
    ys = []
    for i in range(n - 3):
        ys.append(x[i])
    a, *b, c = ys
    return a


@prog(X, N, refused=STAGED)
def write_into_first(x, n):
    rows = [[x[i]] for i in range(n)]
    first, *rest = rows
    first[0] = 9.0
    return rows


@prog(X, N)
def copy_by_star(x, n):
    rows = [x[i] for i in range(n)]
    more = [*rows]
    more.append(1.0)
    rows[0] = 8.0
    return rows, more


@prog(X, N)
def arrays_in_list(x, n):
    return [*x, n], [*x[:2], *x[3:]]


@prog(X, N)
def ranges_in_list(x, n):
    return [*range(n)], [*range(3), n]


@prog(X, N)
def star_of_number(x, n):
    return [*n]


@prog(X, N)
def unpacked_number(x, n):
    a, *b = n
    return a


@prog(X, N)
def queue_of_stars(x, n):
    queue = [0]
    seen = []
    while queue:
        u, *queue = queue
        seen = [*seen, u]
        if u < n:
            queue = [*queue, u + 1, u + 3]
    return seen


@prog(X, N)
def zip_in_list(x, n):
    return [*zip(x, range(n))]


@prog(X, N)
def map_in_list(x, n):
    return [*map(lambda v: v * 2, x)]


@prog(X, N)
def enumerate_in_list(x, n):
    return [*enumerate(x)]


@prog(X, N)
def star_order(x, n):
    def f(k):
        print("f", x[k])
        return k

    def g(k):
        for i in range(k):
            print("g", x[i])
            yield i

    return [f(1), *g(2), f(3), *g(n - 3)]


@prog(X)
def star_gen(x):
    return [*(v for v in x if v > 2)], sum([*(v * 2 for v in x if v > 2), 1.0])
