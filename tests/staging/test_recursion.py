"""Functions that call themselves under a staged condition."""

import re

import numpy as np
import pytest

import runtime as rt


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def greatest_common_divisor(a, b):
    return a if b == 0 else greatest_common_divisor(b, a % b)


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half if n % 2 == 0 else half * half * x


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def depth_of_a_python_number(x, depth=0):
    if x < 1:
        return depth
    return depth_of_a_python_number(x / 2, depth + 1)


def through_a_closure(n):
    def go(k):
        if k <= 0:
            return 0.0
        return go(k - 1) + k * n

    return go(n) + go(n + 1)


def several_results(n):
    if n == 0:
        return 0, {"sum": 0.5}
    count, more = several_results(n - 1)
    return count + 1, {"sum": more["sum"] + n}


def wider_than_its_end(n):
    if n <= 0:
        return 0
    return wider_than_its_end(n - 1) + 0.5


def inside_a_loop(n):
    if n <= 0:
        return 1
    total = 0
    for i in range(n):
        total += inside_a_loop(n - 1 - i)
    return total


def array_by_array(x, n):
    if n == 0:
        return x
    return array_by_array(np.tanh(x) + n, n - 1)


def halves(a):
    if len(a) <= 1:
        return a.sum()
    middle = len(a) // 2
    return halves(a[:middle]) * 2 + halves(a[middle:])


CASES = {
    factorial: [(0,), (1,), (6,)],
    fibonacci: [(0,), (12,)],
    ackermann: [(2, 3)],
    greatest_common_divisor: [(48, 36), (7, 0)],
    power: [(2.0, 10), (1.5, 0)],
    is_even: [(4,), (5,)],
    depth_of_a_python_number: [(100.0,), (0.5,)],
    through_a_closure: [(4,)],
    several_results: [(3,), (0,)],
    wider_than_its_end: [(4,)],
    inside_a_loop: [(5,)],
    array_by_array: [(np.arange(3.0), 4)],
}


def scalar(value):
    return value if isinstance(value, np.ndarray) else np.asarray(value)[()]


def flat(value):
    if isinstance(value, (tuple, list)):
        return [x for item in value for x in flat(item)]
    if isinstance(value, dict):
        return flat(list(value.values()))
    return np.ravel(value).tolist()


@pytest.mark.parametrize("function", CASES)
def test_recursive_functions_return_what_python_returns(function):
    staged = rt.function(function)
    for arguments in CASES[function]:
        given = [scalar(argument) for argument in arguments]
        assert flat(staged(*given)) == flat(function(*given))
        graph = staged.get_concrete_function(*given).graph
        assert "again(" in str(graph)
        assert str(rt.parse(str(graph))) == str(graph)


def test_arrays_of_sizes_known_only_at_run_time():
    staged = rt.function(halves, input_signature=[rt.TensorSpec((None,))])
    for n in range(9):
        assert staged(np.arange(float(n))) == halves(np.arange(float(n)))


def quicksort(a, low, high):
    if low < high:
        middle = low
        for k in range(low, high):
            if a[k] < a[high]:
                a[k], a[middle] = a[middle], a[k]
                middle += 1
        a[middle], a[high] = a[high], a[middle]
        quicksort(a, low, middle - 1)
        quicksort(a, middle + 1, high)


table = np.zeros(10)


def fill(n):
    if n >= 0:
        fill(n - 1)
        table[n] = n * n


def test_written_arrays_are_passed_from_call_to_call():
    numbers = np.random.default_rng(3).random(20)
    expected = np.sort(numbers)
    rt.function(quicksort)(numbers, np.int64(0), np.int64(19))
    assert numbers.tolist() == expected.tolist()
    rt.function(fill)(np.int64(9))
    assert table.tolist() == [n * n for n in range(10)]


def test_printing_happens_in_order(capsys):
    def countdown(n):
        if n > 0:
            print("in", n)
            countdown(n - 1)
            print("out", n)

    rt.function(countdown)(np.int64(2))
    assert capsys.readouterr().out == "in 2\nin 1\nout 1\nout 2\n"


class Node:
    def __init__(self, value, *children):
        self.value, self.children = value, children

    def total(self, x):
        found = self.value * x
        for child in self.children:
            if x > 0:
                found = found + child.total(x)
        return found


def test_a_tree_of_python_objects_is_walked_while_tracing():
    tree = Node(1.0, Node(2.0), Node(3.0, Node(4.0)))
    staged = rt.function(tree.total)
    for x in (2.0, -2.0):
        assert staged(np.float64(x)) == tree.total(x)
    assert "again(" not in str(staged.graphs[0].graph)


def test_recursion_may_be_as_deep_as_in_python():
    def deep(n):
        return 0 if n == 0 else deep(n - 1) + 1

    staged = rt.function(deep)
    assert staged(np.int64(200)) == 200
    with pytest.raises(RecursionError):
        staged(np.int64(10**6))


def without_an_end(n):
    if n > 0:
        return without_an_end(n - 1)
    return without_an_end(n + 1)


count = 0


def counts(n):
    global count
    if n <= 0:
        return 0
    count = n
    return counts(n - 1) + 1


def test_a_global_variable_is_passed_from_call_to_call():
    global count
    count = 0
    assert rt.function(counts)(np.int64(3)) == 3
    assert count == 1


def of_two_kinds(n):
    if n <= 0:
        return np.zeros(2)
    return (of_two_kinds(n - 1), 1)


def others_share_memory(a, b, n):
    if n > 0:
        a[0] += 1
        others_share_memory(a, a, n - 1)
        b[0] += 1


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (without_an_end, (np.int64(1),), "every path through it calls it again"),
        (of_two_kinds, (np.int64(3),), "the types do not settle"),
        (
            others_share_memory,
            (np.zeros(2), np.zeros(2), np.int64(2)),
            "share memory in one call and not in another",
        ),
    ],
)
def test_unsupported_recursion_is_refused(function, arguments, expected):
    with pytest.raises(rt.StagingError, match=re.escape(expected)):
        rt.function(function)(*arguments)


def test_a_recursive_function_writes_into_a_0_d_array():
    def f(x, n):
        box = np.array(0.0)

        def go(n, a):
            a[...] = a + n
            return a * 2 if n < 1 else go(n - 1, a)

        first = go(n, box)
        go(n, x)
        return first, box

    x, y = np.array(1.0), np.array(1.0)
    assert repr(rt.function(f)(x, np.int64(3))) == repr(f(y, 3)) == "(np.float64(12.0), array(6.))"
    assert x == y == 7.0


def counts_down(a, n):
    a[n] += n
    if a[n] > 4:
        raise ValueError("too large")
    counts_down(a, n - 1) if n > 0 else None
    a[n] = -1


@pytest.mark.parametrize("start", [0.0, 2.0])
def test_writes_before_an_exception_are_visible(start):
    found, expected = np.full(4, start), np.full(4, start)
    outcomes = []
    for function, array in ((counts_down, expected), (rt.function(counts_down), found)):
        try:
            outcomes.append(function(array, np.int64(3)))
        except ValueError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]
    assert found.tolist() == expected.tolist()
    array, expected = np.array([9.0, 0.0, 0.0, 0.0]), np.array([9.0, 0.0, 0.0, 0.0])
    for function, given in ((counts_down, expected), (rt.function(counts_down), array)):
        with pytest.raises(ValueError, match="too large"):
            function(given, np.int64(3))
    assert array.tolist() == expected.tolist()


def test_a_variable_that_may_be_none_is_not_taken_for_recursion():
    def best_before(values):
        best = None

        def known():
            return best

        shown = None
        for value in values:
            if value > 3:
                best = value
            else:
                shown = known()
        return shown

    staged = rt.function(best_before)
    assert staged(np.array([5.0, 1.0])) == 5.0
    assert staged(np.array([1.0, 5.0])) is None


def halved(a, n):
    if n <= 0:
        return a.sum()
    a[n % 4] += 0.5
    return halved(a[::-1], n - 1) * 0.5


def test_an_array_of_its_own_may_be_passed_on_as_a_view():
    def f(v, n):
        u = v * 2.0
        return halved(u, n), u

    staged = rt.function(f)
    for n in (0, 1, 3):
        wanted, found = f(np.arange(4.0), np.int64(n)), staged(np.arange(4.0), np.int64(n))
        assert found[0] == wanted[0]
        assert found[1].tolist() == wanted[1].tolist()


@pytest.mark.parametrize("is_view", [False, True])
def test_a_view_of_a_chosen_array_is_not_written_into_as_the_array(is_view):
    def f(v, n):
        u, w = v * 2.0, v * 3.0
        chosen = u if v[0] < 3.0 else w
        return halved(chosen[::-1] if is_view else chosen, n), u, w

    with pytest.raises(rt.StagingError, match="share memory in one call and not in another"):
        rt.function(f)(np.arange(4.0), np.int64(2))
