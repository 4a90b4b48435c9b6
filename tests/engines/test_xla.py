"""The XLA engine: pieces run on JAX's devices; whatever is unusual is left to NumPy.

The file is long because it is a collection of independent tests.
"""

import math
import threading
import warnings

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the XLA engine needs the extra `jax`")

from warning_records import recorded_warnings  # noqa: E402

import runtime as rt  # noqa: E402


def on_device(function):
    """The function on the XLA engine."""
    return rt.function(function, engine="xla")


def pieces_of(function):
    """How many pieces the last graph of a function has."""
    text = function.native()
    return sum(line.startswith("xla_") for line in text.splitlines())


def collatz(a):
    steps = 0
    while a != 1:
        a = a // 2 if a % 2 == 0 else 3 * a + 1
        steps += 1
    return steps


def newton(x):
    for _ in range(50):
        step = (x * x - 2.0) / (2.0 * x)
        x = x - step
        if abs(step) < 1e-12:
            break
    return x


def network(x, w, b):
    hidden = np.tanh(x @ w + b)
    hidden[0] = 3.0
    exp = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    return exp / exp.sum(axis=1, keepdims=True)


def test_scalars_and_loops_have_python_types():
    f = on_device(collatz)
    assert (f(np.int64(27)), type(f(np.int64(27)))) == (111, int)
    assert pieces_of(f) == 1 and "not on a device" not in f.native()
    found = on_device(newton)(np.float64(1.0))
    assert type(found) is np.float64 and found == pytest.approx(math.sqrt(2), abs=1e-15)


def test_arrays_and_products():
    rng = np.random.default_rng(0)
    given = rng.normal(size=(8, 5)), rng.normal(size=(5, 3)), rng.normal(size=3)
    found = on_device(network)(*given)
    np.testing.assert_allclose(found, network(*given), rtol=1e-13)
    found[0, 0] = 5.0  # the caller's own, writable
    assert found.dtype == np.float64


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint64", "float16", "float32"])
def test_dtypes_are_numpys(dtype):
    def f(x):
        return x + 1, x * x, x.sum(), x.mean(), x / 2, x == x[0], np.maximum(x, 3)

    x = np.arange(5).astype(dtype)
    found = on_device(f)(x)
    for one, other in zip(found, f(x), strict=True):
        assert (type(one), one.dtype) == (type(other), other.dtype)
        np.testing.assert_allclose(one, other, rtol=1e-3 if dtype == "float16" else 1e-6)


def test_the_setting_of_the_user_for_64_bits_is_left_alone():
    before = jax.config.jax_enable_x64
    assert on_device(lambda x: x / 3)(np.float64(1)) == 1 / 3
    assert jax.config.jax_enable_x64 == before


# -- unusual values -------------------------------------------------------------------------------


UNUSUAL = {
    "division of Python's floats": (lambda x: float(x) / (float(x) - 1.0), np.float64(1.0)),
    "division of arrays": (lambda x: 1.0 / x, np.array([1.0, 0.0])),
    "root of a negative number": (lambda x: np.sqrt(x), np.array([-1.0])),
    "overflow": (lambda x: np.exp(x), np.array([1e3])),
    "an infinite operand": (lambda x: x - x, np.array([np.inf])),
    "an index": (lambda x: x[int(x[0])], np.array([7.0, 1.0])),
    "a negative index": (lambda x: x[-int(x[0])], np.array([7.0, 1.0])),
    "indices": (lambda x: x[np.array([0, 1]) * int(x[0])], np.array([7.0, 1.0])),
    "nan as an integer": (lambda x: x.astype(np.int64), np.array([np.nan])),
    "an int of more than 64 bits": (lambda n: int(n) * int(n), np.int64(2**62)),
    "a scalar that wraps": (lambda n: n * n, np.int64(2**62)),
    "an integer division": (lambda n: n // (n - n), np.array([3])),
    "module math": (lambda x: math.sqrt(x), np.float64(-1.0)),
    "a singular sum": (lambda x: x.sum(), np.array([np.inf, -np.inf])),
    "a reduction of nothing": (lambda x: x.max(), np.zeros(0)),
    "a narrow cast": (lambda x: x.astype(np.float32), np.array([1e300])),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_warnings_and_exceptions_are_numpys(name):
    function, given = UNUSUAL[name]

    def seen(f):
        with recorded_warnings() as caught:
            try:
                result = f(given)
            except Exception as error:
                result = type(error), str(error)
        return repr(result), [str(one.message) for one in caught]

    assert seen(on_device(function)) == seen(function)


def test_a_failing_assert_ends_a_loop_and_names_the_users_line():
    def f(x):
        while x > 0:
            x = x - 1
            assert x != 3, "three"
        return x

    g = on_device(f)
    assert g(np.int64(2)) == 0
    with pytest.raises(AssertionError, match="three") as caught:
        g(np.int64(6))
    assert caught.traceback[-1].path.name == "test_xla.py"


def test_a_branch_that_is_not_taken_does_not_fail():
    f = on_device(lambda x: 1.0 / x if x != 0 else x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(np.float64(0.0)) == 0.0 and f(np.float64(4.0)) == 0.25


def test_a_print_divides_a_graph_into_pieces(capsys):
    @on_device
    def f(x):
        y = np.tanh(x) * 2.0
        print(y.sum())
        for i in range(3):
            y = y * x[i]
        return y

    x = np.arange(1.0, 4.0)
    found = f(x)
    np.testing.assert_allclose(found, np.tanh(x) * 2.0 * 6.0, rtol=1e-14)
    assert float(capsys.readouterr().out) == pytest.approx((np.tanh(x) * 2.0).sum())
    assert pieces_of(f) == 2 and "print (test_xla.py:" in f.native()


# -- whose array is it? ----------------------------------------------------------------------------


def test_an_argument_that_is_returned_is_the_argument():
    @on_device
    def f(x, n):
        y = x
        while n > 0:
            y = y * 2.0
            n = n - 1
        return y

    x = np.arange(3.0)
    assert f(x, np.int64(0)) is x
    found = f(x, np.int64(2))
    assert found is not x and found.tolist() == [0, 4, 8]


def test_the_chosen_array_is_the_callers():
    f = on_device(lambda x, y, p: x if p > 0 else y)
    x, y = np.ones(2), np.zeros(2)
    assert f(x, y, np.int64(1)) is x and f(x, y, np.int64(0)) is y


def test_one_array_under_two_names_stays_one():
    @on_device
    def f(x, n):
        y = np.tanh(x)
        z = y
        while n > 0:
            z = z + 1.0
            n = n - 1
        return y, z

    one, other = f(np.ones(2), np.int64(0))
    assert one is other
    one, other = f(np.ones(2), np.int64(1))
    assert one is not other and np.array_equal(one + 1.0, other)


def test_views_are_views():
    def f(x, n):
        y = x * 2.0
        return y, y[1:], y.T, (x[:1] if n > 0 else x[1:])

    x = np.arange(3.0)
    y, part, turned, chosen = on_device(f)(x, np.int64(0))
    assert np.shares_memory(y, part) and np.shares_memory(y, turned)
    assert np.shares_memory(x, chosen)


@pytest.mark.parametrize("n", [0, 1])
def test_views_of_one_array_that_a_branch_leaves_share_memory(n):
    def f(x, n):
        if n > 0:
            y = np.tanh(x)
            part = y[1:]
            two = part[1:], part[:1]
            one = y
        else:
            one, two = x * 2.0, (x + 1.0, x + 2.0)
        return one, two

    x = np.arange(4.0)
    g = on_device(f)
    for h in (f, g):
        one, two = h(x, np.int64(n))
        assert [np.shares_memory(one, part) for part in two] == [n > 0] * 2
        assert not np.shares_memory(*two)


def test_a_broadcast_array_that_a_branch_leaves_is_read_only():
    def f(v, n):
        y = v * 2.0
        return np.broadcast_to(y, (2, 3)) if n > 0 else np.zeros((2, 3))

    g = on_device(f)
    for n in (0, 1):
        assert g(np.ones(3), np.int64(n)).flags.writeable == f(np.ones(3), n).flags.writeable


def test_big_ints_are_compared_exactly():
    f = on_device(lambda x: float(x) == 2**53 + 1)
    assert f(np.float64(2.0**53)) is False


def test_writes_into_an_argument_are_seen():
    def f(x, v):
        x[1] = v
        x[np.array([0, 0])] = np.array([v, 2.0 * v])
        x[x > 5.0] = 5.0
        return x.sum()

    one, other = np.arange(8.0), np.arange(8.0)
    assert on_device(f)(one, np.float64(2.5)) == f(other, np.float64(2.5))
    assert one.tolist() == other.tolist()


def test_the_last_of_several_writes_to_one_place_remains():
    def f(x, at, v):
        x = x.copy()
        x[at] = v
        return x

    at = np.array([3, 1, 3, 0, 3])
    given = np.zeros(4), at, np.arange(5.0)
    assert on_device(f)(*given).tolist() == f(*given).tolist() == [3, 1, 0, 4]


# -- shapes and threads ----------------------------------------------------------------------------


def test_a_graph_of_unknown_sizes_is_compiled_for_each_shape():
    f = rt.function(
        lambda x: x / x.shape[0] + np.ones(x.shape[0]).sum(),
        input_signature=[rt.TensorSpec((None,), np.float64)],
        engine="xla",
    )
    for n in (1, 3, 5):
        assert f(np.ones(n)).tolist() == [1 / n + n] * n
    assert len(f.concrete_functions if hasattr(f, "concrete_functions") else [f]) == 1
    assert f.native(what="ir").count("HloModule") == 3


def test_threads_run_one_graph():
    f = on_device(collatz)
    numbers = list(range(1, 40))
    found = {}

    def work(part):
        for n in part:
            found[n] = f(np.int64(n))

    threads = [threading.Thread(target=work, args=(numbers[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: collatz(n) for n in numbers}


def test_gradients_run_on_devices():
    def loss(w, x):
        return np.sum(np.tanh(x @ w) ** 2) / x.shape[0]

    w, x = np.linspace(0, 1, 6).reshape(3, 2), np.linspace(-1, 1, 12).reshape(4, 3)
    gradient = rt.function(rt.grad(loss), engine="xla")
    np.testing.assert_allclose(gradient(w, x), rt.grad(loss)(w, x), rtol=1e-13)
    assert pieces_of(gradient) == 1


def test_the_word_for_another_view_is_refused():
    f = on_device(collatz)
    f(np.int64(3))
    with pytest.raises(ValueError, match="pieces, ir for the engine 'xla', not 'assembly'"):
        f.native(what="assembly")


def test_blocks_of_errstate_are_inside_of_pieces():
    def f(x, n):
        with np.errstate(all="ignore"):
            y = 1.0 / x
            m = n * n
        return y, m

    g = on_device(f)
    given = np.array([0.0, 2.0]), np.int64(2**62)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = g(*given)
    assert repr(found) == repr(f(*given)) and "not on a device" not in g.native()


def test_a_block_of_errstate_with_a_print_in_it_is_numpys(capsys):
    @on_device
    def f(x):
        with np.errstate(divide="ignore"):
            y = 1.0 / x
            print(y.sum())
            z = y / x
        return z + 2.0 / x

    assert f(np.ones(2)).tolist() == [3.0, 3.0]
    assert capsys.readouterr().out == "2.0\n"
    assert "a block of np.errstate has nodes in NumPy" in f.native()
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert f(np.zeros(2)).shape == (2,)


# -- lists -----------------------------------------------------------------------------------------


def numbers(n):
    found = []
    for i in range(n):
        if i % 3 != 2:
            found.append(i * 0.5)
    return found


def stacked(x, n):
    rows = []
    while n > 0:
        x = np.tanh(x) + 1.0
        rows.append(x)
        n = n - 1
    last = rows[-1]
    rows[0] = last * 2.0
    return np.stack(rows), len(rows)


def popped(n):
    stack, total = [0], 0
    while stack:
        i = stack.pop()
        total = total + i
        if i < n:
            stack.append(i + 1)
            stack.append(i + 2)
    return total


def test_lists_of_any_length():
    f = on_device(numbers)
    for n in (3, 100, 0, 7, 40):
        assert f(np.int64(n)) == numbers(n)
    assert pieces_of(f) == 1 and "not on a device" not in f.native()


def test_lists_of_arrays_are_stacked():
    f = on_device(stacked)
    for n in (1, 16, 30, 30, 2):
        found, expected = f(np.ones(3), np.int64(n)), stacked(np.ones(3), n)
        assert found[1] == n
        np.testing.assert_allclose(found[0], expected[0], rtol=1e-14)
    assert pieces_of(f) == 1
    with pytest.raises(IndexError, match="list index out of range"):
        f(np.ones(3), np.int64(0))


def test_a_stack_of_numbers():
    f = on_device(popped)
    for n in (0, 1, 9):
        assert f(np.int64(n)) == popped(n)
    assert pieces_of(f) == 1
    with pytest.raises(IndexError):
        on_device(lambda n: [n][:0].pop() if n > 0 else n)(np.int64(1))


@pytest.mark.parametrize("n", [0, 1, 5, 40])
def test_gradients_of_loops(n):
    def loss(w, x, h, n):
        for t in range(n):
            h = np.tanh(x[t % 4] @ w + h)
        return np.sum(h)

    given = np.linspace(0, 0.3, 9).reshape(3, 3), np.ones((4, 3)), np.zeros(3), np.int64(n)
    gradient = rt.function(rt.grad(loss), engine="xla")
    np.testing.assert_allclose(gradient(*given), rt.grad(loss)(*given), rtol=1e-12)
    assert pieces_of(gradient) == 1
