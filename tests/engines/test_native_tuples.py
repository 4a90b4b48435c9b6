"""Tuples, and values that may be None, are registers: loops with lists of them are pieces."""

import gc
import sys
import traceback
from itertools import count

import numpy as np
import pytest
from support.every_mode import with_unknown_sizes

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)
X = np.array([3.0, -1.0, 2.5, 5.0, -0.0, np.nan])
N = np.int64(7)


def sorted_by_a_stack(x):
    """Quicksort with a stack of the ranges that are to be sorted."""
    x = x.copy()
    ranges = [(0, len(x) - 1)]
    while ranges:
        low, high = ranges.pop()
        if low >= high:
            continue
        pivot, i, j = x[(low + high) // 2], low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while x[j] > pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        ranges.append((low, j))
        ranges.append((i, high))
    return x


def nested(x, n):
    rows = []
    for i in range(n):
        rows.append((x[i % 6], i, (i > 2, 2.5)) if i % 3 else (x[0], -i, (False, 0.5)))
    total = 0.0
    for a, b, (c, d) in rows:
        total = total + a * b - d if c else total
    return rows, total


def of_several_dtypes(x, n):
    singles, bytes_, shorts = np.float32(x) / 3, np.arange(6, dtype="u1"), -np.arange(6, dtype="i2")
    rows = []
    for i in range(n):
        k = i % 6
        rows.append((singles[k], bytes_[k], shorts[k], x[k] > 1, i % 2 == 0))
    return rows, rows[-1], rows + rows * 2


def of_one_item(x, n):
    rows = [(x[0],)]
    for i in range(n):
        rows.append((rows[i][0] + i,))
    return rows


def with_kinds_of_the_run(x, n):
    rows, k, v = [], 0, 0.5
    for i in range(n):
        rows.append((k, v, i))
        k = n if i % 2 else 1
        v = x[i % 6] if i % 3 else 1.5
    return rows, k, v


def replaced_and_removed(x, n):
    rows = []
    for i in range(n):
        rows.append((x[i % 6], i))
    for i in range(n):
        rows[i] = (rows[i][0] * 2, rows[-i][1])
    out = rows.pop(1)
    last = rows.pop()
    del rows[0]
    return rows, out, last, len(rows)


def one_list_twice(x, n):
    rows = [(x[0], 1)]
    for i in range(n):
        rows.append((x[1], i))
    return rows, rows, list(rows)


def none_in_places(x, n):
    found = [None] * n
    for i in range(n):
        if x[i % 6] > 2:
            found[i] = x[i % 6] * i
    total = 0.0
    for one in found:
        if one is not None:
            total = total + one
    return found, total


def none_until_found(x, n):
    best = None
    for i in range(n):
        if x[i % 6] > 0 and (best is None or x[i % 6] < best):
            best = x[i % 6]
    return best


def none_among_tuples(x, n):
    slots = [None] * 5
    for i in range(n):
        slots[i * i % 5] = (x[i % 6], i)
    total = 0
    for one in slots:
        if one is not None:
            total = total + one[1]
    return slots, total


def memoised(n):
    known = [None] * 20

    def fibonacci(k):
        if k < 2:
            return k
        if known[k] is None:
            known[k] = fibonacci(k - 1) + fibonacci(k - 2)
        return known[k]

    return fibonacci(n)


def of_points(x, n):
    points = []
    for i in range(n):
        points.append({"x": x[i % 6], "i": i})
    total = 0.0
    for point in points:
        total = total + point["x"] * point["i"]
    return points, total


PROGRAMS = {
    function.__name__: (function, arguments)
    for function, arguments in (
        (sorted_by_a_stack, (np.random.default_rng(3).normal(size=60),)),
        *((function, (X, N)) for function in (
            nested, of_several_dtypes, of_one_item, with_kinds_of_the_run, replaced_and_removed,
            one_list_twice, none_in_places, none_until_found, none_among_tuples, of_points,
        )),
    )
}  # fmt: skip


def shape_of(value):
    """A value with the types and bits of all its parts, and which of its lists are one object."""
    numbers, known = count(), {}

    def shown(one):
        if isinstance(one, list | dict) and id(one) in known:
            return "again", known[id(one)]
        if isinstance(one, tuple | list):
            known[id(one)] = next(numbers)
            return type(one), [shown(part) for part in one]
        if isinstance(one, dict):
            known[id(one)] = next(numbers)
            return type(one), [(key, shown(part)) for key, part in one.items()]
        array = np.asarray(one)
        if array.dtype == object:
            return type(one), one
        return type(one), array.dtype, array.shape, array.tobytes()

    return shown(value)


def loops_in_numpy(function):
    return [line for line in function.native().splitlines() if line.startswith("    loop (")]


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_have_the_bits_of_python(name):
    function, arguments = PROGRAMS[name]
    signature = tuple(map(with_unknown_sizes, arguments))
    for compiled in (
        rt.function(function, engine="native"),
        rt.function(function, engine="native", input_signature=signature),
    ):
        for _ in range(2):
            assert shape_of(compiled(*arguments)) == shape_of(function(*arguments))
        assert not loops_in_numpy(compiled), compiled.native()


def test_a_function_that_calls_itself_looks_into_a_list_of_results():
    compiled = rt.function(memoised, engine="native")
    assert compiled(np.int64(19)) == memoised(19)


def test_lists_of_tuples_enter_and_leave():
    def totals(rows, n):
        total, least = 0.0, 100
        for _ in range(n):
            for weight, (k, v) in rows:
                total = total + weight * v
                least = k if k < least else least
        return rows, total, least

    compiled = rt.function(totals, engine="native")
    rows = [
        (1.5, (3, np.float64(2.0))),
        (2.0, (-1, np.float64(0.25))),
        (-0.0, (2**40, np.float64(1))),
    ]
    assert shape_of(compiled(rows, np.int64(3))) == shape_of(totals(rows, np.int64(3)))


def test_errors_name_the_line_of_the_user():
    def beyond(n):
        rows = [(n, 1.5)]
        for i in range(n):
            rows.append((n + i, 0.5))
            if i == 4:
                rows[i + 9] = (n, 2.5)
        return rows

    def emptied(n):
        rows = [(1, n)]
        for _ in range(n):
            rows.pop()
        return rows

    for fn in (beyond, emptied):
        compiled = rt.function(fn, engine="native")
        assert compiled(np.int64(1)) == fn(1)
        seen = []
        for function, n in ((compiled, np.int64(7)), (fn, 7)):
            with pytest.raises(IndexError) as error:
                function(n)
            last = traceback.extract_tb(error.value.__traceback__)[-1]
            seen.append((str(error.value), last.line))
        assert seen[0] == seen[1]


def test_integers_that_leave_64_bits_are_pythons():
    def powers(n):
        rows = [(1, 0.5)]
        for i in range(n):
            rows.append((rows[-1][0] * 10, 1.0 * i))
        return rows

    assert rt.function(powers, engine="native")(np.int64(30)) == powers(30)


def test_calls_keep_no_reference():
    def f(x, n):
        rows, found = [], [None] * n
        for i in range(n):
            rows.append((x[i], i))
            found[i] = rows[i] if i % 2 else None
        return rows, found

    compiled = rt.function(f, engine="native")
    x = np.arange(40.0)
    for calls in (50, 400):
        for _ in range(calls):
            compiled(x, np.int64(30))
            with pytest.raises(IndexError):
                compiled(x, np.int64(45))
        gc.collect()
        now = len(gc.get_objects()), sys.getrefcount(None), sys.getrefcount(x)
        if calls == 50:
            before = now
    assert now[2] == before[2]
    assert abs(now[0] - before[0]) < 100 and abs(now[1] - before[1]) < 3000
