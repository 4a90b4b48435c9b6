"""Loops of generated programs: conditions are in the `while` statement or in a variable."""

import re
import traceback

import numpy as np
import pytest

import runtime as rt

pytestmark = pytest.mark.usefixtures("numpy_programs")

N = np.int64(5)


def source(fn, *arguments):
    """The generated program, after a check that it returns what Python returns."""
    found, wanted = rt.function(fn)(*arguments), fn(*arguments)
    assert type(found) is type(wanted) and np.array_equal(found, wanted)
    return rt.function(fn).get_concrete_function(*arguments).source


def test_a_condition_on_loop_variables_is_in_the_while_statement():
    def total(n):
        s, i = np.int64(0), 0
        while i < n:
            s += i
            i += i + 1
        return s

    assert source(total, N) == (
        "def total(n):\n"
        "    n = int(n)\n"
        "    s = np.int64(0)\n"
        "    i = 0\n"
        "    while i < n:\n"
        "        s = s + i\n"
        "        i = i + (i + 1)\n"
        "    return (s,)"
    )


def test_a_condition_of_several_operations_is_in_the_while_statement():
    def shrink(x):
        while np.abs(x).sum() > 1.0:
            x = x / 2
        return x

    assert "    while abs(x).sum() > 1.0:\n" in source(shrink, np.ones(8))


def test_an_element_in_a_condition_is_read_in_each_iteration():
    def skip(x, i):
        while x[i] > 0:
            i = i + 1
        return i

    assert "while x[i] > 0:" in source(skip, np.array([1.0, 2.0, -1.0]), np.int64(0))


def test_an_exception_in_a_condition_names_the_line_and_the_operation():
    def skip(x, i):
        while x[i] > 0:
            i = i + 1
        return i

    with pytest.raises(IndexError) as caught:
        rt.function(skip)(np.ones(3), np.int64(0))
    assert caught.value.__notes__ == ["This is getitem of x: f64[3] and i: i64."]
    (entry,) = traceback.extract_tb(caught.tb)[-1:]
    assert entry.line == "while x[i] > 0:"


def test_a_condition_followed_by_an_effect_is_in_a_variable(capsys):
    def noisy(n):
        i = np.int64(0)
        going_on = i < n
        while going_on:
            i = i + 1
            going_on = i < n
            print(i)
        return i

    assert re.search(r"while \w+:", source(noisy, N))
    assert capsys.readouterr().out.split()[:5] == ["1", "2", "3", "4", "5"]


def test_a_condition_that_is_used_elsewhere_or_differs_at_the_end_is_in_a_variable():
    def used(n):
        i, going_on = np.int64(0), n > 0
        while going_on:
            i = i + 1
            going_on = i < n
        return i if going_on else -i

    def differs(n):
        i, going_on = np.int64(0), n > 2
        while going_on:
            i = i + 1
            going_on = i < n
        return i

    for fn in (used, differs):
        assert re.search(r"while \w+:", source(fn, N))
        source(fn, np.int64(1))


def test_a_condition_reads_the_new_values_of_swapped_variables():
    def greatest_common_divisor(a, b):
        while b != 0:
            a, b = b, a % b
        return a

    assert "while b != 0:" in source(greatest_common_divisor, np.int64(48), np.int64(36))


def test_a_loop_without_iterations_runs_none():
    def total(n):
        s = np.int64(7)
        while s < n:
            s = s + 1
        return s

    source(total, N)


def test_integers_that_start_as_constants_or_arguments_are_python_ints():
    def count(i, n):
        turns = 0
        while i < n:
            turns = turns + 1
            i = i + 1
        return i, turns

    shown = source(count, np.int64(-3), N)
    assert (
        "    n = int(n)\n    i = int(i)\n" in shown or "    i = int(i)\n    n = int(n)\n" in shown
    )
    assert source(count, np.int64(2**63 - 5), np.int64(2**63 - 1)) == shown


def test_a_sum_wraps_around_and_warns_as_in_numpy():
    def total(n):
        s, i = np.int64(2**62), 0
        while i < n:
            s = s + s
            i = i + 1
        return s

    with pytest.warns(RuntimeWarning, match="overflow encountered in scalar add"):
        assert source(total, np.int64(2))


def test_a_condition_with_branches_is_in_a_variable():
    def smallest_divisor(n):
        d = 2
        while True:
            if n % d == 0:
                return np.int64(d)
            if d * d > n:
                break
            d += 1
        return n

    for n in (91, 97, 2):
        assert re.search(r"while \w+:", source(smallest_divisor, np.int64(n)))
