"""Programs that use `range(n)`, or a list that a loop has grown, where NumPy takes an array.

`n` is staged: an argument that is an array's element, or the length of an array of unknown size.
"""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
Y = np.array([0, 1, 1, 0, 1])
P = np.linspace(0.1, 1.0, 10).reshape(5, 2)
N = np.int64(4)


# -- ranges as arrays ------------------------------------------------------------------------------


@prog(P, Y)
def gradient_of_scores(scores, labels):
    gradient = scores.copy()
    gradient[range(len(labels)), labels] -= 1
    return gradient / len(labels), -np.log(scores[range(len(labels)), labels]).mean()


@prog(X, N)
def subscripts(x, n):
    return x[range(n)], x[range(0, n, 2)], x[(range(n),)], np.zeros(4)[range(n)], x[range(0)]


@prog(X, N)
def written(x, n):
    x[range(1, n)] = 0.0
    x[range(n)] += 1.0
    return x


@prog(X, N)
def arrays_of_ranges(x, n):
    made = np.array(range(n)), np.asarray(range(n), dtype=float), np.array([*range(n)])
    return made, np.stack([np.array(range(n)), np.array(range(n))])


@prog(X, N)
def operands(x, n):
    x = x[:n]
    sums = x + range(n), range(n) + x, x < range(n), np.add(x, range(n)), np.dot(x, range(n))
    return sums, np.outer(range(n), range(n)), np.sum(range(n)), np.mean(range(n))


@prog(X, N)
def functions(x, n):
    return np.interp(1.5, range(n), x[:n]), np.take(x, range(n)), np.delete(x, range(n))


@prog(X, N)
def drawn(x, n):
    rng = np.random.default_rng(3)
    np.random.seed(3)
    return rng.permutation(range(n)), rng.choice(range(n)), np.random.permutation(range(n))


# -- ranges as ranges ------------------------------------------------------------------------------


@prog(X, N)
def members(x, n):
    known = 3 in range(n), -1 in range(n), 4 in range(n), 2.0 in range(n), 2.5 in range(n)
    staged = n in range(5), n in range(0, 10, 3), n in range(10, 0, -2), x[2] in range(n)
    return known, staged, 5 in range(n, 9), n in range(n), float("nan") in range(n)


@prog(X, N)
def equal_ranges(x, n):
    return range(n) == range(4), range(n) != range(4), range(n) == range(2, n), range(n) == 3


@prog(X, np.int64(0))
def truth_of_ranges(x, n):
    return bool(range(n)), bool(range(n + 1)), 1 if range(n) else 2, not range(n)


@prog(X, N)
def returned(x, n):
    return range(n), [range(1, n)], {"r": range(0, n, 2)}


@prog(X, N)
def texts(x, n):
    print(range(n))
    return str(range(n)), f"{range(1, n)}", "%s of %d" % (range(0, n, 2), n), repr([range(n)])


@prog(X, N)
def kinds(x, n):
    return isinstance(range(n), range), type(range(n)) is range, isinstance(range(n), list)


@prog(X, N)
def parts(x, n):
    r = range(n)
    return r[1:], r[::-1], r[1:3], r[-2:], r[:-1], r[n - 1 :], r[5:1:-2], len(r[1:]), list(r[::2])


@prog(X, N, refused=STAGED)
def range_as_a_key(x, n):
    return {range(n): 1}


# -- lists that a loop has grown -------------------------------------------------------------------


@prog(X, N)
def found_places(x, n):
    found = [i for i in range(len(x)) if x[i] > 2]
    y = x.copy()
    y[found] = 0
    return x[found], x.reshape(-1, 1)[found, 0], y


@prog(X, N)
def found_nothing(x, n):
    found = []
    for i in range(len(x)):
        if x[i] > 100:
            found.append(i)
    return x[found], np.delete(x, found), np.take(x, found)


@prog(X, N)
def functions_of_places(x, n):
    found = [i for i in range(len(x)) if x[i] > 2]
    return np.delete(x, found), np.take(x, found), np.insert(x, found, -1.0)


@prog(X, N)
def mask_in_a_list(x, n):
    keep = [v > 1 for v in x]
    y = x.copy()
    y[keep] = -1
    return x[keep], y, x[[bool(v > n) for v in x]]


@prog(X, N)
def constant_at_places(x, n):
    table = np.arange(10)
    found = [i for i in range(len(x)) if x[i] > 2]
    return table[found], table[[n, n - 1]]
