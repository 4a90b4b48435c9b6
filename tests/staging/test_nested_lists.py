"""Lists of lists whose places or lengths only the run knows, and lists with several names."""

import lists_exchanged
import lists_nested
import lists_returned
import lists_shared
import lists_starred
import lists_used
import numpy as np
import pytest
from support.every_mode import check_in_every_mode

import runtime as rt

PROGRAMS = {
    **lists_exchanged.PROGRAMS,
    **lists_nested.PROGRAMS,
    **lists_returned.PROGRAMS,
    **lists_shared.PROGRAMS,
    **lists_starred.PROGRAMS,
    **lists_used.PROGRAMS,
}
ROW = np.array([3.0, 1.0, 2.0, 5.0])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


def test_the_gradient_through_a_list_of_lists():
    def total(x):
        buckets = [[] for _ in range(2)]
        for v in x:
            buckets[int(v) % 2].append(v * v)
        result = 0.0
        for bucket in buckets:
            for v in bucket:
                result = result + v
        return result

    assert rt.function(rt.grad(total))(ROW).tolist() == (2 * ROW).tolist()
    batch = rt.function(rt.vmap(total))(np.array([ROW, ROW + 1]))
    assert batch.tolist() == [total(ROW), total(ROW + 1)]


def test_the_gradient_of_a_list_that_a_loop_binds_again():
    def last(x, n):
        path = [x[0]]
        for i in range(n):
            path = path + [path[-1] * x[i]]
        return sum(path)

    assert rt.function(rt.grad(last))(ROW, np.int64(3)).tolist() == [25.0, 27.0, 9.0, 0.0]


def test_the_gradient_of_a_table():
    def table(x, n):
        rows = [[0.0] * 4 for _ in range(n)]
        for i in range(n):
            for j in range(4):
                rows[i][j] = x[i] * x[j]
        return rows[1][2] + rows[2][2] + rows[0][3]

    assert rt.function(rt.grad(table))(ROW, np.int64(3)).tolist() == [5.0, 2.0, 5.0, 3.0]


def test_the_gradient_of_an_elimination_with_pivots():
    def determinant(a):
        m = [list(row) for row in a]
        n, sign = len(m), 1.0
        for c in range(n):
            p = c
            for r in range(c + 1, n):
                if abs(m[r][c]) > abs(m[p][c]):
                    p = r
            if p != c:
                m[c], m[p] = m[p], m[c]
                sign = -sign
            for r in range(c + 1, n):
                factor = m[r][c] / m[c][c]
                for j in range(c, n):
                    m[r][j] -= factor * m[c][j]
        return sign * m[0][0] * m[1][1] * m[2][2]

    a = np.array([[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [4.0, 1.0, 3.0]])
    wanted = np.linalg.det(a) * np.linalg.inv(a).T
    np.testing.assert_allclose(rt.function(rt.grad(determinant))(a), wanted, atol=1e-12)


def test_the_gradient_of_a_list_with_a_star():
    def weighted(x, n):
        found = [x[i] * x[i] for i in range(n)]
        first, *rest, last = [*found, x[0]]
        return first * last + sum(rest)

    assert rt.function(rt.grad(weighted))(ROW, np.int64(3)).tolist() == [27.0, 2.0, 4.0, 0.0]
