"""Places that share arrays or objects through branches and loops: as in Python, or refused."""

import copy
import itertools

import numpy as np
import pytest

import runtime as rt


class P:
    def __init__(self, w):
        self.w = w


# -- arrays that one branch writes into ------------------------------------------------------------


def chosen_and_swapped(n, x, q):
    r, w = x if n else np.abs(x), x.copy()
    if n:
        for _ in range(n):
            w, r = r, w
    else:
        r[1] = 3.5
    return r, w


def chosen_in_a_list(n, x, q):
    r, w = [x if n else np.abs(x)], x.copy()
    if n:
        for _ in range(n):
            w, r[0] = r[0], w
    else:
        r[0][1] = 3.5
    return r, w


def view_and_swapped(n, x, q):
    r, w = x[1:], x.copy()[1:]
    if n > 1:
        for _ in range(n):
            w, r = r, w
    else:
        x[1] = 7.5
        r[1] = 3.5
    return r, w, x


def view_of_a_choice(n, x, q):
    r, w = (x if n else np.abs(x))[1:], x.copy()
    if n > 1:
        for _ in range(n):
            r = r + 1.0
    else:
        r[1] = w[0]
    return r, w, x


# -- loop variables that hold one array before the loop --------------------------------------------


def first_write_seen_by_a_variable(n, x, q):
    u = x.copy()
    e, q = u, x.copy()
    for _ in range(n + 1):
        u[1] = 3.5
        u = u * 0.5
        q, e = e, q
    return e, q, u


def first_write_seen_in_a_dict(n, x, q):
    u = x.copy()
    e = {"a": u}
    for _ in range(n + 1):
        u[1] = 3.5
        u = u * 0.5
        q, e = e, q
    return e, q, u


def first_write_seen_in_a_list(n, x, q):
    u = x.copy()
    e = [u]
    for _ in range(n + 1):
        u[1] = 3.5
        u = u * 0.5
        e[0] = e[0] + 1
    return e, u


def one_array_without_writes(n, x, q):
    u = e = x.copy()
    for _ in range(n + 1):
        u = u * 0.5
        e = e + u
    return e, u


# -- objects ---------------------------------------------------------------------------------------


def one_object_of_two_branches(n, x, q):
    a, b = P(x[0]), P(1.0)
    if n:
        if x[1] > 1.5:
            a = P(x[1])
        b = a
    b.w = 7.0
    return a.w, b.w, a is b


def three_names(n, x, q):
    a, b, c = P(x[0]), P(1.0), P(2.0)
    if n:
        if x[1] > 1.5:
            a = P(x[1])
        b = c = a
    else:
        c = b
    a.w = a.w + 1
    return a.w, b.w, c.w, a is b, b is c, a is c


def joined_twice(n, x, q):
    b, c = P([x[0]]), P([x[1]])
    if x[1] > 1.5:
        c = P(c.w)
    if n:
        b = c
    return b is c


def bound_in_a_loop(n, x, q):
    b, c = P(x), P(x)
    if x[1] > 1.5:
        c = P(x)
    for _ in range(n):
        b = c
    return b is c


def object_or_none_of_a_branch(n, x, q):
    r = None
    if x[1] > 1.5:
        c = P(float(x[0]))
        r = c if n else None
    return r.w if r else 1.0


def parts_or_none_of_a_branch(n, x, q):
    r = None
    if x[1] > 1.5:
        c = {"p": [P(float(x[0]))]}
        r = c if n else None
        if n > 1:
            c["p"][0].w = 5.0
    return r["p"][0].w if r is not None else 1.0


EXACT = (
    chosen_and_swapped,
    chosen_in_a_list,
    view_and_swapped,
    view_of_a_choice,
    one_array_without_writes,
    one_object_of_two_branches,
    three_names,
    joined_twice,
    bound_in_a_loop,
    object_or_none_of_a_branch,
    parts_or_none_of_a_branch,
)
REFUSED = (
    first_write_seen_by_a_variable,
    first_write_seen_in_a_dict,
    first_write_seen_in_a_list,
)


def observed(fn, given):
    given = copy.deepcopy(given)
    return repr((fn(*given), given))


@pytest.mark.parametrize("fn", EXACT)
def test_programs_are_exact(fn):
    staged = rt.function(fn)
    for n, second in itertools.product((0, 1, 2, 3), (1.0, 2.0)):
        given = (np.int64(n), np.array([1.0, second, 3.0]), {"a": np.zeros(3)})
        assert observed(staged, given) == observed(fn, given)


@pytest.mark.parametrize("fn", REFUSED)
def test_a_write_that_another_loop_variable_may_see_is_refused(fn):
    given = (np.int64(1), np.array([1.0, 2.0, 3.0]), {"a": np.zeros(3)})
    with pytest.raises(rt.StagingError, match="may share its memory"):
        rt.function(fn)(*given)
