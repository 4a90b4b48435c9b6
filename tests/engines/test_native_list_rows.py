"""Lists of lists as machine code: rows that are read, changed, moved and shared, as in Python."""

import copy
import time

import numpy as np
import pytest
from allocated import bytes_left_by
from support.outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

N = np.int64(12)
A, B = np.array([1, 2, 0, 3, 1, 2, 2]), np.array([2, 0, 1, 1, 3, 2])
EDGES = np.random.default_rng(3).integers(0, 12, (60, 2))
X = np.linspace(-2.0, 3.0, 12)


def grid(n):
    g = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            g[i][j] = i * j + 1
    return g


def common(a, b, m, n):
    t = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if a[i - 1] == b[j - 1]:
                t[i][j] = t[i - 1][j - 1] + 1
            else:
                t[i][j] = max(t[i - 1][j], t[i][j - 1])
    return t[m][n], t


def distances(edges, n):
    graph = [[] for _ in range(n)]
    for a, b in edges:
        graph[a].append(b)
        graph[b].append(a)
    dist = [-1] * n
    dist[0] = 0
    queue = [0]
    head = 0
    while head < len(queue):
        u = queue[head]
        head += 1
        for v in graph[u]:
            if dist[v] < 0:
                dist[v] = dist[u] + 1
                queue.append(v)
    return dist


def many_rows(n):
    rows = [[0] for _ in range(n)]
    for i in range(40 * n):
        rows[i % n].append(i)
    return rows


def both_ends(n):
    g = [[i, -i] for i in range(n)]
    for i in range(n):
        g[-1 - i][-1] += g[i][0]
    return g


def pairs(edges, n):
    graph = [[(0, 0)] for _ in range(n)]
    for a, b in edges:
        graph[a].append((b, a * b))
    total = 0
    for row in graph:
        for v, w in row:
            total += w - v
    return total, graph


def swapped(x, n):
    rows = [[x[i], x[i] * 2] for i in range(n)]
    for i in range(n - 1):
        if rows[i][0] < rows[i + 1][1]:
            rows[i], rows[i + 1] = rows[i + 1], rows[i]
    return rows


def taken_off(n):
    rows = [[i] for i in range(n)]
    total = 0
    while len(rows) > 2:
        row = rows.pop()
        total += row[0]
    for i in range(n):
        rows.append([i, total])
    return rows, total


def first_removed(n):
    rows = [[i] for i in range(n)]
    total = 0
    while len(rows) > 2:
        total = total * 3 % 1009 + rows.pop(0)[0]
    return rows, total


def rows_of_branches(x, n):
    rows = [[0.0] * 3 for _ in range(n)]
    for i in range(n):
        if x[i] > 0:
            rows[i][1] = x[i]
        elif x[i] < -1:
            rows[i] = [x[i], x[i], x[i]]
        else:
            rows[0][2] = rows[i][0] - 1
    return rows


def read_before_it_changes(n):
    g = [[i] * 3 for i in range(n)]
    total = 0
    for i in range(n):
        before = g[i][1]
        g[i][1] = before + g[(i + 1) % n][0]
        total += g[i][1] - before
    return total, g


def a_row_that_leaves(n):
    g = [[i] * 3 for i in range(n)]
    for i in range(n):
        g[i][2] += 1
    return g[1], g


def one_row_twice(n):
    row = [0, 1]
    for i in range(n):
        row.append(i)
    rows = [row, row]
    return rows


def lengths(edges, n):
    groups = [[] for _ in range(n)]
    for a, b in edges:
        groups[a].append(b)
    longest = 0
    for group in groups:
        if len(group) > longest:
            longest = len(group)
    return longest


def beyond_the_end(n):
    g = [[0] * 3 for _ in range(n)]
    for i in range(n):
        g[i][i] = 1
    return g


def no_such_row(n):
    g = [[0] * 3 for _ in range(n)]
    for i in range(n + 1):
        g[i][0] = 1
    return g


def large_numbers(n):
    g = [[1, 1] for _ in range(n)]
    for i in range(1, n):
        g[i][0] = g[i - 1][0] * 1000000007
    return g


def warned(x, n):
    g = [[0.0] for _ in range(n)]
    for i in range(n):
        g[i][0] = x[i] / (x[i] - x[3])
    return g


def copies(n):
    g = [[i, i] for i in range(n)]
    total = 0
    for i in range(n):
        row = g[i]
        other = row[:] if i % 2 == 0 else g[0][:]
        total += other[0] + len(row)
    return total


SIZES = np.int64(len(A)), np.int64(len(B))
WHOLE = (
    (grid, (N,)),
    (common, (A, B, *SIZES)),
    (distances, (EDGES, N)),
    (many_rows, (N,)),
    (both_ends, (N,)),
    (pairs, (EDGES, N)),
    (swapped, (X, N)),
    (taken_off, (N,)),
    (first_removed, (N,)),
    (rows_of_branches, (X, N)),
    (read_before_it_changes, (N,)),
    (lengths, (EDGES, N)),
)
OTHERS = (
    (a_row_that_leaves, (N,)),
    (one_row_twice, (N,)),
    (beyond_the_end, (N,)),
    (no_such_row, (N,)),
    (large_numbers, (N,)),
    (warned, (X, N)),
    (copies, (N,)),
)


@pytest.mark.parametrize("fn, arguments", WHOLE + OTHERS)
def test_rows_are_those_of_python(fn, arguments):
    compiled, by_numpy = (rt.function(fn, engine=name) for name in ("native", "numpy"))
    with quiet():
        wanted = outcome(fn, arguments)
        check_same(outcome(by_numpy, arguments), wanted, same_exactly)
        for _ in range(3):
            check_same(outcome(compiled, arguments), wanted, same_exactly)


@pytest.mark.parametrize("fn, arguments", WHOLE)
def test_loops_over_rows_are_machine_code(fn, arguments):
    compiled = rt.function(fn, engine="native")
    compiled(*copy.deepcopy(arguments))
    assert "    loop (" not in compiled.native()


def test_a_row_in_two_places_is_one_list():
    compiled = rt.function(one_row_twice, engine="native")
    for _ in range(3):
        first, second = compiled(N)
        assert first is second


def test_a_row_that_is_returned_is_that_of_its_list():
    compiled = rt.function(a_row_that_leaves, engine="native")
    for _ in range(3):
        row, rows = compiled(N)
        assert row is rows[1]


@pytest.mark.parametrize("fn", [many_rows, taken_off, beyond_the_end, one_row_twice])
def test_rows_are_freed(fn):
    compiled = rt.function(fn, engine="native")

    def call():
        for _ in range(50):
            with quiet():
                outcome(compiled, (N,))

    call()
    assert bytes_left_by(call) < 10_000


def filled(n, m):
    g = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            g[i][j] = i + j
    return g[0][0]


def test_a_change_of_a_row_copies_nothing():
    """As many changes take as long in few long rows as in many short ones; copies of long rows
    would take a thousand times as long."""
    compiled = rt.function(filled, engine="native")

    def least(*sizes):
        taken = []
        for _ in range(5):
            start = time.process_time()
            compiled(*map(np.int64, sizes))
            taken.append(time.process_time() - start)
        return min(taken)

    assert least(2, 20_000) < 20 * least(400, 100)
