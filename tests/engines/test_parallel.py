"""Independent parts of a run in several threads: the same bits, exceptions, warnings, output."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warning_records import recorded_warnings

import runtime as rt
from runtime.analyses import cost_model
from runtime.analyses.parallel_regions import ParallelRegion, parallel_regions
from runtime.engines.numpy import compile_graph
from runtime.engines.registry import Options
from runtime.passes import optimized

X = np.linspace(0.1, 1.0, 200 * 300).reshape(200, 300)


@pytest.fixture
def everything_is_worth_it(monkeypatch):
    """Makes every set of independent parts a parallel region."""
    for name in ("LEAST_GAIN", "LEAST_TASK", "START", "SWITCH"):
        monkeypatch.setattr(f"runtime.analyses.parallel_regions.{name}", 0.0)


def source(fn, *arguments, threads=2):
    graph = rt.function(fn).get_concrete_function(*arguments).graph
    copied = optimized(rt.parse(rt.show(graph)))
    return compile_graph(copied, Options(threads=threads)).source


def in_threads(fn, *arguments, number=2):
    with rt.config.temporarily(threads=number):
        return fn(*arguments)


def chains(x, y):
    for _ in range(3):
        x = np.tanh(x * 0.5)
    for _ in range(3):
        y = np.sin(y + 0.5)
    return x.sum() + y.sum()


def test_two_independent_chains_become_two_parts():
    def two(x, y):
        a = np.tanh(x)
        b = np.sin(y)
        c = a * x
        d = b * np.sqrt(y)
        return np.exp(c) - d, c

    assert source(two, X, X) == (
        "def two_part(x):\n"
        "    a = np.tanh(x)\n"
        "    c = a * x\n"
        "    del a\n"
        "    v_1 = np.exp(c)\n"
        "    return (c, v_1)\n"
        "\n"
        "def two_part_1(y):\n"
        "    b = np.sin(y)\n"
        "    d = b * np.sqrt(y)\n"
        "    del b\n"
        "    return (d,)\n"
        "\n"
        "def two(x, y):\n"
        "    done = _together((two_part, x), (two_part_1, y))\n"
        "    if done is None:\n"
        "        a = np.tanh(x)\n"
        "        b = np.sin(y)\n"
        "        c = a * x\n"
        "        del a\n"
        "        d = b * np.sqrt(y)\n"
        "        del b\n"
        "        v_1 = np.exp(c)\n"
        "    else:\n"
        "        (c, v_1), (d,) = done\n"
        "    del done\n"
        "    v_2 = v_1 - d\n"
        "    del v_1, d\n"
        "    return (v_2, c)"
    )


@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_results_have_the_same_bits_for_every_number_of_threads(number):
    assert in_threads(rt.function(chains), X, X[::-1], number=number).tobytes() == (
        chains(X, X[::-1]).tobytes()
    )


def test_small_work_stays_in_one_thread_and_one_thread_is_the_default():
    fn = rt.function(chains)
    concrete = fn.get_concrete_function(X, X)
    assert "together" not in concrete.source
    assert "together" not in source(chains, X[:20], X[:20])
    assert rt.config.threads() == 1


def test_work_of_unknown_size_stays_in_one_thread():
    with rt.Graph().as_default() as graph:
        x = rt.placeholder(np.float64, (None, 300), name="x")
        graph.graph.outputs = [np.sin(x)._value, np.cos(x)._value]
        assert "together" not in compile_graph(graph.graph, Options(threads=2)).source


def test_branches_and_loop_bodies_have_their_own_parts():
    def fn(x, y, n):
        while n > 0:
            if n % 2 == 0:
                x, y = np.tanh(x), np.sin(y)
            n = n - 1
        return x, y

    assert source(fn, np.ones((500, 500)), np.ones((500, 500)), np.int64(3)).count("together") == 1


def test_matrix_products_are_parts_if_blas_has_one_thread(monkeypatch):
    x, n = np.ones((500, 500)), np.ones((300, 300), int)

    def products(x, y):
        return x @ x, y @ y

    for name in cost_model.SETTINGS_OF_BLAS:
        monkeypatch.delenv(name, raising=False)
    assert "together" not in source(products, x, x)
    assert "together" in source(products, n, n)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert "together" in source(products, x, x)
    expected = products(x, n)
    assert all(map(np.array_equal, in_threads(rt.function(products), x, n), expected))


# -- exceptions, warnings, effects -----------------------------------------------------------------


def two_that_fail(x, y, i, j):
    a = np.tanh(x)
    b = np.sin(y)
    c = a[i]
    d = b[j]
    return c, d, np.exp(a), np.exp(b)


def caught(fn, *arguments):
    with pytest.raises(Exception) as found:
        fn(*arguments)
    return found.value


@pytest.mark.parametrize(("i", "j"), [(900, 1), (1, 800), (900, 800), (800, 900)])
def test_the_exception_is_the_first_in_program_order(everything_is_worth_it, i, j):
    arguments = X, X, np.int64(i), np.int64(j)
    fn = rt.function(two_that_fail)
    assert "together" in source(two_that_fail, *arguments)
    wanted, plain = caught(two_that_fail, *arguments), caught(fn, *arguments)
    for _ in range(20):
        found = caught(in_threads, fn, *arguments)
        assert type(found) is type(wanted) is IndexError
        assert str(found) == str(wanted) and found.__notes__ == plain.__notes__
        assert found.__traceback__.tb_next is not None


def two_that_warn(x, y):
    a = np.log(x - 1.0)
    b = np.exp(y * 1e4)
    c = 1.0 / (x - 1.0)
    return a, b, c


def test_warnings_are_those_of_one_thread_in_their_order(everything_is_worth_it):
    assert "together" in source(two_that_warn, X, X)
    seen = []
    for number in (1, 2):
        with recorded_warnings() as found:
            in_threads(rt.function(two_that_warn), X, X, number=number)
        seen.append([(w.category, str(w.message)) for w in found])
    assert seen[0] == seen[1] and [str(text).split()[0] for _, text in seen[0]] == [
        "divide",
        "invalid",
        "overflow",
        "divide",
    ]


def test_errstate_settings_hold_in_threads(everything_is_worth_it):
    fn = rt.function(two_that_warn)
    with np.errstate(all="ignore"):
        plain, parallel = fn(X, X), in_threads(fn, X, X)
        assert all(map(lambda a, b: a.tobytes() == b.tobytes(), plain, parallel))
    with np.errstate(all="raise"):
        wanted, found = caught(fn, X, X), caught(in_threads, fn, X, X)
    assert type(found) is FloatingPointError and str(found) == str(wanted)
    assert found.__notes__ == wanted.__notes__ == ["This is log of v: f64[200, 300]."]


def test_effects_keep_their_order(everything_is_worth_it, capsys):
    def fn(x, y):
        a, b = x + 1, y + 1
        print("first", a.sum())
        c, d = a * 2, b * 2
        assert d.sum() < 0, "not negative"
        print("second", c.sum())
        return c, d

    with pytest.raises(AssertionError, match="not negative"):
        in_threads(rt.function(fn), np.ones(3), np.ones(3))
    assert capsys.readouterr().out == "first 6.0\n"
    assert source(fn, np.ones(3), np.ones(3)).count("together") == 2


def test_writes_into_memory_run_alone(everything_is_worth_it):
    def fn(x, y):
        a = x + 1
        b = a * 2
        a[0] = 100.0
        c = y * 3
        d = a * 4
        return b, c, d

    for _ in range(20):
        found = in_threads(rt.function(fn), np.ones(3), np.ones(3))
        assert list(map(list, found)) == [[4.0] * 3, [3.0] * 3, [400.0, 8.0, 8.0]]
    lines = source(fn, np.ones(3), np.ones(3)).splitlines()
    assert "    a[0] = 100.0" in lines
    before = lines[lines.index("def fn(x, y):") : lines.index("    a[0] = 100.0")]
    assert len(before) == 3 and not any("together" in line for line in before)


# -- threads ---------------------------------------------------------------------------------------


def test_many_callers_share_the_threads_without_deadlock(everything_is_worth_it):
    fn = rt.function(chains)
    wanted, found = chains(X, X), []

    def call():
        found.extend(in_threads(fn, X, X, number=2) for _ in range(5))

    callers = [threading.Thread(target=call) for _ in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == [wanted] * 40


# -- parallel regions ------------------------------------------------------------------------------


def test_common_operands_are_computed_before_the_parallel_region():
    def fork(x):
        h = np.exp(x * 2.0)
        return np.sort(h), np.cos(h) * np.tanh(h)

    graph = optimized(
        rt.parse(rt.show(rt.function(fork).get_concrete_function(np.ones((400, 400))).graph))
    )
    *alone, window = parallel_regions(graph.nodes, lambda node: True, lambda node: node.inputs)
    assert [node.op.name for node in alone] == ["multiply", "exp"]
    assert isinstance(window, ParallelRegion)
    assert [[node.op.name for node in part] for part in window.tasks] == [
        ["sort"],
        ["cos", "tanh", "multiply"],
    ]


OPERATIONS = (
    lambda x, y: x + y,
    lambda x, y: x * y - 1.0,
    lambda x, y: x @ y,
    lambda x, y: np.sin(x),
    lambda x, y: np.where(x > y, x, y * 0.5),
    lambda x, y: x.sum(axis=0) + y,
    lambda x, y: np.sort(x, axis=1),
    lambda x, y: x[::-1],
    lambda x, y: x.T,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*(st.integers(0, 30) for _ in range(3))), min_size=2, max_size=25))
def test_random_programs_have_the_same_bits_in_threads(steps):
    def fn(x, y):
        found = [x, y]
        for operation, left, right in steps:
            run = OPERATIONS[operation % len(OPERATIONS)]
            found.append(run(found[left % len(found)], found[right % len(found)]))
        return tuple(found)

    x, y = X[:4, :4], X[10:14, 20:24]
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        for name in ("LEAST_GAIN", "LEAST_TASK", "START", "SWITCH"):
            patch.setattr(f"runtime.analyses.parallel_regions.{name}", 0.0)
        parallel = in_threads(rt.function(fn), x, y, number=3)
        plain = rt.function(fn)(x, y)
    assert [a.tobytes() for a in parallel] == [b.tobytes() for b in plain]
    assert [a.tobytes() for a in plain] == [b.tobytes() for b in fn(x, y)]
