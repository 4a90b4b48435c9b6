"""Views and aliases of staged arrays: a write through one is visible through all.

The file is long because it is a collection of independent tests.
"""

import copy

import numpy as np
import pytest

import runtime as rt

MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])
VECTOR = np.array([1.0, 2.0, 3.0, 4.0])
PROGRAMS = []


def program(*inputs):
    def register(fn):
        PROGRAMS.append(pytest.param(fn, inputs, id=fn.__name__))
        return fn

    return register


@program(MATRIX)
def element_of_a_row(x):
    x[0][1] = 5
    return x


@program(VECTOR)
def slice_that_is_written_and_added_to(x):
    v = x[1:3]
    v[0] = 50
    v += 1
    return x


@program(MATRIX)
def rows_of_a_loop(x):
    for r in x:
        if r[0] > 2:
            r[:] = 0
    return x


@program(VECTOR)
def slice_that_is_read_after_its_base_was_written(x):
    v = x[:2]
    x[0] = 9
    return v, v.sum()


@program(MATRIX)
def function_that_writes_into_its_argument(x):
    def double(row):
        row *= 2

    for i in range(2):
        double(x[i])
    return x


@program(np.float64(1))
@program(np.float64(-1))
def row_in_a_branch(c):
    k = np.zeros((2, 2))
    r = k[0]
    if c > 0:
        r[0] = 1
    return k, r


@program(VECTOR, np.int64(3))
def alias_in_a_loop(x, n):
    x = x * 1
    y = x
    for i in range(n):
        y += i
    return x, y


@program(VECTOR, np.int64(3))
def rows_of_a_table_in_a_loop(x, n):
    table = np.zeros((3, 2))
    for i in range(n):
        row = table[i]
        row[0] = x[i]
        row[1] = row[0] * 2
    return table


@program(VECTOR, np.float64(1))
@program(VECTOR, np.float64(-1))
def view_around_a_branch_that_writes(x, c):
    v = x[1:3]
    if c > 0:
        x[1] = 100.0
    return v.sum(), x


@program(VECTOR)
def picked_elements_are_a_copy(x):
    v = x[[0, 1]]
    v += 10
    w = x[x > 100] if False else x[np.array([2, 3])]
    w[0] = -1
    return x, v, w


@program(MATRIX)
def transposed_array_that_is_read(x):
    t = x.T
    x[0, 1] = 7
    return t


@program(MATRIX)
def reshaped_array_that_is_written(x):
    x.reshape(-1)[0] = 7
    flat = np.ravel(x)
    flat[1:3] *= 10
    x[1, 1] = -1
    return flat.sum(), flat


@program(MATRIX)
def reshaped_slice_of_an_array(x):
    x[1:].reshape(2, 1)[0] += 5
    x.T[::-1].reshape(2, 2, 1)[0, 0] = 9
    return x


@program(MATRIX)
def reversed_array_that_is_written(x):
    np.flip(x)[0, 0] = 5
    np.rot90(x)[1] = 8
    return x


@program(np.array([1 + 2j, 3 - 1j]))
def parts_of_complex_numbers_that_are_written(z):
    z.real[0] = 7
    z.imag += 1
    return z


@program(VECTOR)
def array_seen_as_another_dtype_that_is_written(x):
    x.view(np.int64)[0] = 0
    return x


@program(MATRIX)
def einsum_that_is_a_view(x):
    np.einsum("ii->i", x)[:] = 0
    np.diff(x, n=0)[0, 1] = 4
    return x


@program(np.array(2.0))
def array_without_dimensions(x):
    y = x
    y += 1
    x[...] = x * 2
    return y, x + 0


@program(MATRIX, np.float64(1))
@program(MATRIX, np.float64(-1))
def row_that_a_branch_chooses(x, c):
    row = x[0] if c > 0 else x[1]
    row[0] = 9
    x[0, 1] = 8
    return row.sum(), row


@program(VECTOR, VECTOR + 10, np.float64(1))
@program(VECTOR, VECTOR + 10, np.float64(-1))
def array_that_a_branch_chooses(x, z, c):
    if c > 0:
        y = x
    else:
        y = z
    x[0] = 100
    y[1] = 5
    if z[1] == 5:
        y += 1
    return y.sum(), y


@program(VECTOR, np.float64(1))
@program(VECTOR, np.float64(-1))
def array_or_its_successor(x, c):
    y = x
    if c > 0:
        y = x + 1
    y[0] = 7
    return x, y


@program(VECTOR, np.float64(1))
@program(VECTOR, np.float64(0))
@program(VECTOR, np.float64(1))
@program(VECTOR, np.float64(-1))
def array_that_is_written_in_one_branch_and_bound_again_in_another(x, c):
    y = x
    if c == 0:
        x = -x
    elif c > 0:
        pass
    else:
        x += 1
    x[1] = 9
    return x, y


@program(VECTOR, np.float64(-1))
def two_names_for_what_a_branch_makes(x, c):
    if c > 0:
        y = z = x + 1
    else:
        y = z = x - 1
    y[0] = 7
    return y, z


@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS)
def test_a_program_with_views_behaves_as_in_numpy(fn, inputs):
    mine, theirs = copy.deepcopy(inputs), copy.deepcopy(inputs)
    result, expected = rt.function(fn)(*mine), fn(*theirs)
    np.testing.assert_equal(result, expected)
    np.testing.assert_equal(mine, theirs)


def test_a_write_into_a_copy_that_the_graph_takes_for_a_view_is_refused():
    def write(x):
        x.T.reshape(-1)[0] = 7
        return x

    with pytest.raises(TypeError, match="reshape returns a copy of this array, not a view"):
        rt.function(write)(MATRIX.copy())


@pytest.mark.parametrize(
    "write",
    [lambda x: np.diagonal(x), lambda x: np.broadcast_to(x, (2, 2, 2))[0]],
)
def test_views_that_numpy_makes_read_only_are_read_only(write):
    def f(x):
        write(x)[0] = 5
        return x

    with pytest.raises(ValueError, match="assignment destination is read-only"):
        rt.function(f)(MATRIX.copy())


def test_a_write_into_an_array_that_names_share_on_one_path_only_is_refused():
    @rt.function
    def f(x, c):
        if c > 0:
            y = z = x + 1
        else:
            y, z = x + 1, x + 2
        y[0] = 7
        return z

    with pytest.raises(rt.StagingError, match="y is written into, and may share its memory"):
        f(VECTOR, np.float64(1))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_an_array_that_a_loop_rebinds_is_tracked_or_refused(count):
    def other_array(x, z, n):
        y = x
        for i in range(n):
            y = z
        y[0] = 3
        return y, x, z

    def new_array(x, z, n):
        y = x
        for i in range(n):
            y = y + z
        y[0] = 3
        return y, x, z

    for fn in (other_array, new_array):
        mine, theirs = [VECTOR.copy(), VECTOR + 10], [VECTOR.copy(), VECTOR + 10]
        np.testing.assert_equal(rt.function(fn)(*mine, np.int64(count)), fn(*theirs, count))
        np.testing.assert_equal(mine, theirs)


def test_a_view_that_a_loop_binds_may_be_read_after_it_but_not_written():
    def row(x, n, writes):
        y = x[0]
        for i in range(n):
            y = x[i]
            y[0] = 8
        if writes:
            y[:] = 5
        return y.sum(), x

    table = np.arange(6.0).reshape(3, 2)
    np.testing.assert_equal(
        rt.function(row)(table.copy(), np.int64(3), False), row(table.copy(), 3, False)
    )
    with pytest.raises(rt.StagingError, match="y is written into, and may share its memory"):
        rt.function(row)(table.copy(), np.int64(3), True)


def test_a_view_that_is_written_before_a_loop_rebinds_it_is_refused():
    @rt.function
    def f(x, n):
        y = x[0]
        for i in range(n):
            y[:] = i
            y = x[i]
        return x

    with pytest.raises(rt.StagingError, match="y is written into at the start of an iteration"):
        f(MATRIX.copy(), np.int64(2))


def test_an_array_from_a_staged_list_may_be_read_but_not_written():
    def f(x, n, writes):
        z = []
        for i in range(n):
            z.append(x * i)
        if writes:
            z[1][0] = 100
        return z[1] + 1, z[n - 1].sum()

    np.testing.assert_equal(rt.function(f)(VECTOR, np.int64(3), False), f(VECTOR, 3, False))
    with pytest.raises(rt.StagingError, match="an array of a staged list is written into"):
        rt.function(f)(VECTOR, np.int64(3), True)


# -- constant arrays -------------------------------------------------------------------------------


def test_constant_arrays_are_fresh_for_each_caller_and_keep_their_identity():
    @rt.function
    def f(x):
        c = np.array([1.0, 2.0])
        return c if x > 0 else np.array([3.0, 4.0]), c

    first, second = f(np.float64(1.0))
    assert first is second
    first[:] = 9.0
    np.testing.assert_equal(f(np.float64(1.0)), ([1.0, 2.0], [1.0, 2.0]))
    np.testing.assert_equal(f(np.float64(-1.0)), ([3.0, 4.0], [1.0, 2.0]))


def test_a_list_of_constant_arrays_is_a_list():
    @rt.function
    def f(n):
        c, z = np.array([1.0, 2.0]), []
        for i in range(n):
            z.append(c)
        return z

    made = f(np.int64(2))
    assert type(made) is list and made[0] is made[1]
    np.testing.assert_equal(made, [np.array([1.0, 2.0])] * 2)


def test_an_array_with_a_second_name_on_one_path_only_is_not_read_after_a_write():
    def none_elsewhere(x):
        y = x if x[0] > 0 else None
        x[0] = 5
        return y[0] if y is not None else -1.0

    def unbound_elsewhere(x):
        if x[0] > 0:
            y = x
        x[0] = 5
        return y[0]

    def written_through_the_second(x):
        y = x if x[0] > 0 else None
        y[0] = 5
        return x

    for function in (none_elsewhere, unbound_elsewhere, written_through_the_second):
        with pytest.raises(rt.StagingError, match="share|written into through"):
            rt.function(function)(np.ones(2))


def test_an_array_with_a_second_name_on_one_path_only_is_read_before_a_write():
    @rt.function
    def f(x):
        y = x if x[0] > 0 else None
        z = y[0] + 1 if y is not None else -1.0
        x[0] = z
        return z

    for start in (1.0, -1.0):
        x = np.full(2, start)
        assert f(x) == x[0] == (2.0 if start > 0 else -1.0)


def test_an_array_with_a_second_name_is_not_written_in_a_loop_that_rebinds_it():
    def two_names(n):
        a = np.zeros(2)
        b = a
        for _ in range(n):
            a[0] = a[0] + 1
            a = a * 1.0
        return a, b

    def one_name(n):
        a = np.zeros(2)
        for _ in range(n):
            a[0] = a[0] + 1
            a = a * 1.0
        return a

    with pytest.raises(rt.StagingError, match="may share its memory"):
        rt.function(two_names)(np.int64(2))
    assert rt.function(one_name)(np.int64(2)).tolist() == one_name(2).tolist()


def test_an_array_joined_with_its_view_by_an_iteration_is_not_written_in_a_loop():
    def turned(a, n):
        t = 0
        while True:
            t += 1
            if t > n:
                break
            a[t % 4] = -t
            a = a[::-1]
        return a

    with pytest.raises(rt.StagingError, match="is written into at the start of an iteration"):
        rt.function(turned)(np.arange(4), np.int64(3))
