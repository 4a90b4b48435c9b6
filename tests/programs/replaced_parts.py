"""Parts of lists that are replaced, at bounds that are staged or count from the end."""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0])
BOUNDS = (-9, -3, -1, 0, 2, 3, 9)


@prog(X, np.array(BOUNDS), np.array(BOUNDS[::-1]))
def at_staged_bounds(x, starts, stops):
    found = []
    for start in starts:
        for stop in stops:
            z = [v for v in x if v > -1]
            z[start:stop] = [7.0, 8.0, 9.0]
            found.append(len(z))
            found.append(z.index(7.0))
    return found


@prog(X, np.array(BOUNDS))
def with_one_bound(x, bounds):
    found = []
    for bound in bounds:
        z, w = [v for v in x if v > 1], list(x)
        z[bound:] = [7.0]
        w[:bound] = []
        found.append((len(z), len(w), sum(z), sum(w)))
    return found


@prog(X)
def at_bounds_from_the_end(x):
    z = []
    for v in x:
        if v > 0:
            z.append(v)
    z[-2:] = [z[-1], z[-2], 0.5]
    z[-9:-4] = [1.0]
    z[:-1] = z[:-1][::-1]
    return z


@prog(X, 2, np.int64(1))
def of_a_list_that_is_known(x, n, m):
    z = [x[0], x[1], x[2]]
    z[:n] = [x[3]]
    z[m:m] = [9.0, 8.0]
    return z


@prog(X)
def by_another_name(x):
    z = [v for v in x if v > 1]
    w = z
    n = len(z) - 1
    z[1:n] = w
    return z, len(w), w is z


@prog(X, np.uint8(1))
def by_what_no_list_takes(x, n):
    z = [v for v in x if v > 1]
    z[n:] = n
    return z


@prog(np.array([3, 1, 2]))
def pancakes(stack):
    stack, flips = list(stack), []
    for size in range(len(stack), 1, -1):
        top = stack.index(max(stack[:size]))
        if top != size - 1:
            stack[: top + 1] = stack[: top + 1][::-1]
            stack[:size] = stack[:size][::-1]
            flips.append(size)
    return stack, flips
