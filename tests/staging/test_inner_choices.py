"""Arrays that nested branches choose: names are followed to them, by reads and by writes."""

import itertools

import numpy as np
import pytest

import runtime as rt


def two_levels(x, y, z, p, q):
    if p > 0:
        if q > 0:
            v = x
        else:
            v = y
    else:
        v = z
    v[0] = 9
    return (x, y, z, v)


def one_sided(x, y, z, p, q):
    v = z
    if p > 0:
        if q > 0:
            v = x
    v += 1
    x[1] = 5
    return (x, y, z, v, v * 2)


def chain_of_conditions(x, y, z, p, q):
    if p > 0:
        v = x
    elif q > 0:
        v = y
    elif q < -1:
        v = z + 1
    else:
        v = z[:]
    v[0] = 9
    y[1] = 4
    return (x, y, z, v)


def own_array_of_a_branch(x, y, z, p, q):
    v = z
    if p > 0:
        w = y * 2
        if q > 0:
            v = w
        else:
            v = x
        v[1] = 7
        w[2] = 8
    v[0] = 9
    return (x, y, z, v)


def written_inside(x, y, z, p, q):
    v = z
    if p > 0:
        if q > 0:
            v = x
        v[1] = 7
        x[2] = 3
    else:
        if q > 0:
            v = y[::-1]
        v[0] = 1
    v[0] = v[0] + 9
    return (x, y, z, v)


def swapped_inside(x, y, z, p, q):
    u, v = (x, y)
    if p > 0:
        if q > 0:
            u, v = (v, u)
        u[0] = 4
    u[1] = 1
    v[2] = 2
    return (x, y, z, u, v)


def chosen_by_a_loop(x, y, z, p, q):
    u = x
    if p > 0:
        for i in range(np.int64(q)):
            u = y
    u[2] = 1
    return (x, y, z, u)


def view_of_a_choice(x, y, z, p, q):
    v = z
    if p > 0:
        v = (x if q > 0 else y)[1:]
    v[0] = 1
    return (x, y, z, v)


def two_names(x, y, z, p, q):
    v = w = z
    if p > 0:
        if q > 0:
            v = x
        w = v
    v[0] = 1
    w[1] = 2
    return (x, y, z, v, w)


def item_of_a_dict(x, y, z, p, q):
    d = {"a": z}
    if p > 0:
        if q > 0:
            d["a"] = x
        else:
            d["a"] = y + 1
    d["a"][0] = 3
    return (x, y, z, d)


def chosen_twice(x, y, z, p, q):
    v = z
    if p > 0:
        if q > 1:
            v = x
        elif q > 0:
            v = y
        if v[0] > 0:
            v = x
    v[0] = 3
    return (x, y, z, v)


def with_an_exception(x, y, z, p, q):
    v = z
    if p > 0:
        if q < 0:
            raise ValueError("q")
        if q > 0:
            v = x
    v[0] = 3
    return (x, y, z, v)


EXACT = (
    *(two_levels, one_sided, chain_of_conditions, written_inside, swapped_inside),
    *(chosen_by_a_loop, view_of_a_choice, two_names, item_of_a_dict, chosen_twice),
    with_an_exception,
)
SIGNS = tuple(itertools.product((1, -1), (2, 1, 0, -2)))


def arguments(p, q):
    arrays = np.arange(3.0), np.arange(3.0) + 10, np.arange(3.0) - 5
    return *arrays, np.float64(p), np.float64(q)


def observed(function, given):
    """What a call shows: its result or error, and the arguments after it."""
    try:
        result = function(*given)
    except ValueError as error:
        result = error
    return repr((result, given))


def name(value):
    return getattr(value, "__name__", "")


@pytest.mark.parametrize("program", EXACT, ids=name)
def test_a_write_goes_to_the_array_that_nested_branches_choose(program):
    staged = rt.function(program)
    for signs in SIGNS:
        wanted = observed(program, arguments(*signs))
        assert observed(staged, arguments(*signs)) == wanted, signs


def test_an_array_of_a_branch_with_two_names_is_refused():
    with pytest.raises(rt.StagingError, match="may share its memory"):
        rt.function(own_array_of_a_branch)(*arguments(1, 1))


def computed_index(b, c, n):
    return (b[(n + 1) % 3] if np.any(c > 0.8) else c) * 2


def two_computed_indices(b, c, n):
    b[n] = np.where(c > 0, c, (b[n % 3] if np.any(c > 0.5) else b[(n + 1) % 3]))
    return b


@pytest.mark.parametrize("program", [computed_index, two_computed_indices], ids=name)
def test_a_conditional_expression_may_compute_the_index_of_a_view(program):
    staged = rt.function(program)
    for n, c in itertools.product((0, 1, 2), ([0.1, 0.9, 0.3], [0.1, 0.6, -0.3], [-1.0, 0, 0])):
        given = np.arange(9.0).reshape(3, 3), np.array(c), np.int64(n)
        assert np.array_equal(staged(*given), program(*given))


def test_a_view_at_a_computed_index_has_a_gradient():
    def loss(b, c, n):
        return np.sum(computed_index(b, c, n))

    b, n = np.arange(9.0).reshape(3, 3), np.int64(1)
    in_b, in_c = rt.grad(loss, argnums=(0, 1))(b, np.array([0.1, 0.9, 0.3]), n)
    assert in_b.tolist() == [[0.0] * 3, [0.0] * 3, [2.0] * 3] and not in_c.any()


def test_a_write_at_the_start_of_an_iteration_is_not_lost_in_a_choice():
    @rt.function
    def f(n, x, y):
        v = y + 0.0
        kept = {"v": v}
        if n:
            kept["v"] = y.copy()
        for _ in range(n + 1):
            v[1] = 1
            v = x * 0.5
        return kept

    with pytest.raises(rt.StagingError, match="at the start of an iteration"):
        f(np.int64(0), np.arange(3.0), np.arange(3.0))
