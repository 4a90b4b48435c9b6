"""Tracing converted code: which operations are staged, when effects happen, and refusals.

The file is long because it is a collection of independent tests.
"""

import collections
import linecache
import traceback

import numpy as np
import pytest

import autograph
import runtime as rt


def source_of(fn, *args):
    return fn.get_concrete_function(*args).source


# -- one graph for each signature ------------------------------------------------------------------


def test_a_graph_is_traced_for_each_dtype_shape_and_python_value(capsys):
    @rt.function
    def double(x, n):
        print("Tracing!")
        return x * n

    double(np.array([1.0, 2.0]), 2)
    double(np.array([3.0, 4.0]), 2)  # the same
    double(np.array([3.0, 4.0, 5.0]), 2)  # another shape
    double(np.array([3, 4]), 2)  # another dtype
    double(np.array([3, 4]), 3)  # another Python int
    double(np.array([5, 6]), 3)  # the same
    assert capsys.readouterr().out == "Tracing!\n" * 4


def test_true_and_1_and_1_0_are_different_values_of_a_signature():
    @rt.function
    def same(x, flag):
        return x * flag

    results = [same(np.int64(3), flag) for flag in (1, True, 1.0)]
    assert [type(result) for result in results] == [np.int64, np.int64, np.float64]


def test_a_function_called_while_another_is_traced_becomes_part_of_its_graph():
    @rt.function
    def inner(a, x, b):
        return a @ x + b

    @rt.function
    def outer(x):
        return inner(x, np.array([[2.0], [3.0]]), 4.0)

    assert outer(np.array([[1.0, 2.0]])).tolist() == [[12.0]]
    assert "matmul" in str(outer.get_concrete_function(np.array([[1.0, 2.0]])).graph)


def test_a_decorated_method_is_bound_to_its_object():
    class Scale:
        def __init__(self, by):
            self.by = by

        @rt.function
        def apply(self, x):
            return x * self.by if x > 0 else x

    assert Scale(3).apply(np.float64(2.0)) == 6.0
    assert Scale(4).apply(np.float64(2.0)) == 8.0


# -- exact arithmetic ------------------------------------------------------------------------------


def test_a_counter_that_exceeds_its_dtype_wraps_as_in_numpy():
    @rt.function
    def count(start, n):
        total = start
        for _ in range(n):
            total = total + np.int8(1)
        return total

    expected = np.int8(120)
    with pytest.warns(RuntimeWarning, match="overflow"):
        for _ in range(10):
            expected = expected + np.int8(1)
    with pytest.warns(RuntimeWarning, match="overflow"):
        result = count(np.int8(120), np.int64(10))
    assert result == expected == -126 and result.dtype == np.int8


def test_collatz_wraps_when_a_step_exceeds_int64():
    def step(a):
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        return a

    start = np.int64(2**63 - 1)
    with pytest.warns(RuntimeWarning, match="overflow"):
        expected = step(start)
    with pytest.warns(RuntimeWarning, match="overflow"):
        result = rt.function(step)(start)
    assert result == expected and result.dtype == np.int64


def test_a_counter_that_cannot_exceed_its_dtype_is_a_python_int_in_the_program():
    @rt.function
    def triangle(n):
        total = 0
        for i in range(n):
            total += i
        return total

    source = source_of(triangle, np.int64(5))
    assert "for i in range(v):" in source and "np.int64(i" not in source
    assert triangle(np.int64(5)) == 10


# -- print and assert ------------------------------------------------------------------------------


def test_print_happens_once_per_trace_or_in_each_run(capsys):
    @rt.function
    def shout(x):
        print("tracing")
        print("x is", x)
        return x

    shout(np.int64(1))
    shout(np.int64(2))
    assert capsys.readouterr().out == "tracing\nx is 1\nx is 2\n"


def test_prints_keep_their_order_and_their_branch(capsys):
    @rt.function
    def walk(xs):
        for x in xs:
            if x > 1:
                print("large", x, sep=":", end="!\n")
            else:
                print("small")

    walk(np.array([1, 2, 3]))
    assert capsys.readouterr().out == "small\nlarge:2!\nlarge:3!\n"


def test_an_assertion_error_names_its_line():
    @rt.function
    def inverse(x):
        assert x != 0, "Do not pass zero!"
        return 1 / x

    with pytest.raises(AssertionError, match="^Do not pass zero!$") as caught:
        inverse(np.float64(0.0))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename == __file__ and last.line.startswith("assert x != 0")


def test_an_exception_in_a_branch_is_raised_by_runs_that_take_the_branch():
    @rt.function
    def positive(x):
        if x < 0:
            raise ValueError("negative", 3)
        return x

    assert positive(np.int64(3)) == 3
    with pytest.raises(ValueError) as caught:
        positive(np.int64(-3))
    assert caught.value.args == ("negative", 3)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.line == 'raise ValueError("negative", 3)'


def test_a_numpy_error_carries_the_users_line_and_caret():
    @rt.function
    def pick(x, i):
        y = np.take(x, i)
        return y + 1

    with pytest.raises(IndexError, match="index 7 is out of bounds") as caught:
        pick(np.arange(3), np.int64(7))
    mine = [e for e in traceback.extract_tb(caught.value.__traceback__) if e.filename == __file__]
    line = linecache.getline(__file__, mine[-1].lineno)
    assert line[mine[-1].colno : mine[-1].end_colno] == "np.take(x, i)"


# -- branches, loops, containers -------------------------------------------------------------------


def test_the_types_of_branches_are_kept():
    @rt.function
    def choose(x):
        if x > 0:
            y = 1
        else:
            y = 0.5
        return y

    assert type(choose(np.int64(1))) is int and choose(np.int64(-1)) == 0.5


def test_a_loop_keeps_the_types_of_its_variables():
    @rt.function
    def halve(n):
        x = 1
        for _ in range(n):
            x = x / 2
        return x

    assert halve(np.int64(3)) == 0.125 and type(halve(np.int64(0))) is int


def test_containers_in_branches_are_merged_item_by_item():
    @rt.function
    def update(x):
        seen = {"count": 0, "pair": (x, x)}
        if x > 0:
            seen["count"] += 1
            seen["pair"] = (x, 2 * x)
        return seen

    assert update(np.int64(3)) == {"count": 1, "pair": (3, 6)}
    assert update(np.int64(-3)) == {"count": 0, "pair": (-3, -3)}


def test_mutations_by_methods_and_closures_in_a_staged_branch_are_found():
    class Counter:
        def __init__(self):
            self.n = 0

        def add(self, by):
            self.n = self.n + by

    @rt.function
    def count(x):
        counter = Counter()
        last = [0]

        def note(value):
            last[0] = value

        if x > 0:
            counter.add(x)
            note(x)
        else:
            counter.add(1)
        return counter.n, last[0]

    assert count(np.int64(5)) == (5, 5)
    assert count(np.int64(-5)) == (1, 0)


def test_a_list_that_a_staged_loop_fills_is_stacked():
    @rt.function
    def squares(n):
        z = []
        autograph.set_element_type(z, np.float32)
        for i in range(n):
            z.append(i * i)
        return autograph.stack(z)

    result = squares(np.int64(4))
    assert result.tolist() == [0, 1, 4, 9] and result.dtype == np.float32
    assert squares(np.int64(0)).shape == (0,)


def test_an_unbound_name_raises_as_in_python():
    @rt.function
    def late(x):
        if x > 0:
            y = x
        return y

    assert late(np.int64(2)) == 2
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'y'"):
        late(np.int64(-2))


def test_a_write_into_an_argument_changes_it():
    @rt.function
    def fill(x, value):
        for i in range(len(x)):
            x[i] = value + i

    x = np.zeros(3)
    fill(x, np.float64(2.0))
    assert x.tolist() == [2.0, 3.0, 4.0]


def test_a_loop_that_exceeds_max_iterations_raises():
    @rt.function
    def spin(n):
        i = 0
        while i < n:
            autograph.set_loop_options(max_iterations=5)
            i += 1
        return i

    assert spin(np.int64(5)) == 5
    with pytest.raises(RuntimeError, match="max_iterations"):
        spin(np.int64(6))


def test_the_bound_of_a_loop_has_the_name_of_tensorflow_too():
    @rt.function
    def spin(n):
        i = 0
        while i < n:
            autograph.set_loop_options(maximum_iterations=5)
            i += 1
        return i

    with pytest.raises(RuntimeError, match="max_iterations"):
        spin(np.int64(6))
    with pytest.raises(TypeError, match="are one option"):
        autograph.set_loop_options(max_iterations=5, maximum_iterations=5)


def test_an_exception_passes_a_handler_for_another_type():
    @rt.function
    def divide(a, b):
        try:
            if b == 0:
                raise ZeroDivisionError("zero")
            with np.errstate(all="ignore"):
                assert a != 7, "seven"
            result = a / b
        except KeyError:
            result = -1.0
        return result

    assert divide(np.float64(1.0), np.float64(2.0)) == 0.5
    with pytest.raises(ZeroDivisionError, match="zero"):
        divide(np.float64(1.0), np.float64(0.0))
    with pytest.raises(AssertionError, match="seven"):
        divide(np.float64(7.0), np.float64(1.0))


# -- refusals --------------------------------------------------------------------------------------


def refusal(fn, *args):
    with pytest.raises(rt.StagingError) as caught:
        rt.function(fn)(*args)
    return str(caught.value)


def test_the_error_about_an_unsupported_numpy_function_names_the_nearest_supported_one():
    text = refusal(lambda x: np.linalg.eigvals(x)[0] if x[0, 0] > 9 else 0.0, np.eye(3))
    assert "np.linalg.eigvals does not work on staged values" in text
    assert "np.linalg.eigvalsh" in text


def asserts_before_finally(x):
    try:
        assert x != 0
    finally:
        print("done")
    return x


def one_sided_key(x, found={}):  # noqa: B006
    if x > 0:
        found["a"] = 1
    return len(found)


def changed_set(x, seen={1}):  # noqa: B006
    if x > 0:
        seen.add(2)
    return len(seen)


def changed_deque(x, seen=collections.deque()):  # noqa: B008
    for i in range(x):
        seen.append(i)
    return len(seen)


def started_iterator(x):
    numbers = iter([1, 2, 3])
    if x > 0:
        next(numbers)
    return next(numbers)


@pytest.mark.parametrize(
    ("fn", "words"),
    [
        (asserts_before_finally, "AssertionError, which only a run can raise, is inside a `try`"),
        (one_sided_key, "found['a'] exists after one path"),
        (changed_set, "a set is changed in a staged branch or loop"),
        (changed_deque, "a deque is changed in a staged branch or loop"),
        (started_iterator, "an element is taken from a list_iterator"),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_unsupported_constructs_are_refused(fn, words):
    assert words in refusal(fn, np.int64(1))


def test_refusals_show_file_line_and_caret():
    def strange(x):
        return bytes([1, 2, x])

    text = refusal(strange, np.int64(2))
    assert "test_staging.py" in text and "bytes([1, 2, x])" in text and "^" in text


class Box:
    def __init__(self):
        self.value, self.items, self.table = 0, [0], np.zeros(3)

    def put(self, i, value):
        self.value = value
        self.items.append(value)
        self.table[i] = value
        return True

    def held(self):
        return self.value, len(self.items), self.table


def arms_of_a_chain(n):
    box = Box()
    if n > 50:
        pass
    elif n > 40:
        box.put(0, n)
    elif n > 20:
        box.put(1, n)
    else:
        box.put(2, n)
    return box.held()


def operands_of_and_and_or(n):
    box = Box()
    if n > 20 and n > 30 and box.put(0, n) and box.put(1, n):
        box.put(2, n)
    return box.held(), n < 35 or box.put(1, 7) or box.put(2, 8)


def operands_of_a_ternary(n):
    box = Box()
    chosen = box.put(0, n) if n > 40 else box.put(1, n) if n > 20 else False
    return chosen, box.held()


@pytest.mark.parametrize("n", [10, 30, 45, 60])
@pytest.mark.parametrize("fn", [arms_of_a_chain, operands_of_and_and_or, operands_of_a_ternary])
def test_mutations_by_later_operands_of_a_chain_are_found(fn, n):
    np.testing.assert_equal(rt.function(fn)(np.int64(n)), fn(np.int64(n)))


def test_a_comparison_of_a_comparison_behaves_as_in_numpy():
    def f(x, n):
        k = 0
        while k < n:
            k = k + 1
        return (x > 1) <= (x > k), (x > 1) == k

    for result in rt.function(f)(np.int64(3), np.int64(2)):
        assert type(result) is np.bool


def test_a_branch_reads_the_old_value_of_a_variable_that_the_other_branch_binds():
    @rt.function
    def known(x):
        y, z = 1, 0
        if x > 0:
            y = 5
        else:
            z = y
        return z

    @rt.function
    def in_a_test(x):
        y = 1
        if x > 10:
            y = 5
        elif x > y:
            return x
        return x * 2

    assert (known(np.int64(1)), known(np.int64(-1))) == (0, 1)
    assert (in_a_test(np.int64(3)), in_a_test(np.int64(0)), in_a_test(np.int64(11))) == (3, 0, 22)
