"""Lists of numbers in machine code: every result, type, error and identity is NumPy's."""

import functools
import gc
import random
import sys
import traceback

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from allocated import blocks_left_by  # noqa: E402
from loading import load  # noqa: E402
from outcomes import outcome, same_exactly  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def squares(n):
    xs = []
    for i in range(n):
        xs.append(i * i)
    return np.stack(xs)


def primes(n):
    found = []
    for k in range(2, n):
        is_prime = True
        for p in found:
            if p * p > k:
                break
            if k % p == 0:
                is_prime = False
                break
        if is_prime:
            found.append(k)
    return found


def visited(n):
    """A stack that grows and shrinks, and a queue."""
    stack, queue, total = [n], [n], 0
    while stack:
        v = stack.pop()
        total += v
        if v > 1:
            stack.append(v // 2)
            stack.append(v // 3)
        queue.append(v)
        if len(queue) > 5:
            total += queue.pop(0) * len(queue)
    return total, queue


def ways(n):
    table = [0] * (n + 1)
    table[0] = 1
    for step in (1, 2, 5):
        for i in range(step, n + 1):
            table[i] = table[i] + table[i - step]
    return table, table[-1]


def kinds(n):
    """Elements of other types, and of two types in one list."""
    flags, halves, mixed, half = [], [], [0.5], n * np.float64(0.5)
    for i in range(n):
        flags.append(i % 3 == 0)
        halves.append(half * i)
        mixed.append(mixed[-1] * halves[i])
    return flags, halves, mixed, np.array(halves), np.array(mixed), np.array(flags)


def shared(n):
    """Lists that are kept while another one changes."""
    xs = [1, 2]
    old = xs + [3]
    ys = xs + old
    for i in range(n):
        ys = xs + old
        if i % 2 == 0:
            xs = ys
        old = old + [i]
        old[0] = len(xs)
    return xs, old, ys


CASES = [(squares, 6), (primes, 60), (visited, 30), (ways, 23), (kinds, 5), (shared, 4)]


@pytest.mark.parametrize(("fn", "n"), CASES, ids=lambda value: getattr(value, "__name__", None))
def test_loops_over_lists_are_native(fn, n):
    compiled = rt.function(fn, engine="native")
    for given in (np.int64(n), np.int64(1), np.int64(n + 3)):
        found, expected = outcome(compiled, (given,)), outcome(rt.function(fn), (given,))
        assert repr(found.error) == repr(expected.error)
        assert same_exactly(found.result, expected.result)
        assert same_exactly(found.result, fn(given))
    text = compiled.native()
    assert "list" not in text.partition("not native")[2], text


def kept(xs, n):
    total, ys = 0, xs
    for i in range(n):
        total += xs[i]
        if total > 100:
            ys = xs + [total]
    return total, ys, xs


def test_lists_of_the_caller():
    functions = [rt.function(kept, engine=name) for name in ("native", "numpy")]
    for given in ([3, 4, 5], [90, 20, 1], [2**62, 2**62, 2**62], [1], [2**70, 1]):
        results = []
        for function in functions:
            xs = list(given)
            found = outcome(function, (xs, np.int64(2)))
            are_same = [one is xs for one in found.result or ()]
            results.append((repr(found.error), found.result, found.arguments, are_same))
        assert same_exactly(*results), given


def test_two_results_that_are_one_list():
    def f(n):
        xs = []
        for i in range(n):
            xs.append(i)
        ys = xs
        if n > 3:
            ys = [n]
        return xs, ys

    compiled, expected = (rt.function(f, engine=name) for name in ("native", "numpy"))
    for n in (2, 5):
        xs, ys = compiled(np.int64(n))
        wanted, others = expected(np.int64(n))
        assert (xs is ys) == (wanted is others)
        assert (xs, ys) == (wanted, others) == f(n)


def test_errors_name_the_line_of_the_user():
    def f(n):
        xs = [n]
        for i in range(n):
            xs.append(i)
            if i == 4:
                xs[i + 9] = 1
        return xs

    def g(n):
        xs = [n]
        for _ in range(n):
            xs.pop()
        return xs

    for fn in (f, g):
        compiled = rt.function(fn, engine="native")
        assert compiled(np.int64(1)) == fn(1)
        seen = []
        for function, n in ((compiled, np.int64(7)), (fn, 7)):
            with pytest.raises(IndexError) as error:
                function(n)
            last = traceback.extract_tb(error.value.__traceback__)[-1]
            seen.append((str(error.value), last.line))
        assert seen[0] == seen[1]


def test_numbers_that_do_not_fit_are_pythons():
    def f(n):
        xs = [1]
        for _ in range(n):
            xs.append(xs[-1] * 10)
        return xs

    assert rt.function(f, engine="native")(np.int64(30)) == f(30)


def test_a_repetition_of_any_count():
    def f(n, xs):
        ys = xs * n
        for i in range(len(ys)):
            ys[i] = ys[i] + i
        return ys

    compiled = rt.function(f, engine="native")
    for n in (-2, 0, 1, 2, 3, 7, 8):
        for xs in ([], [5], [1, 2, 3]):
            if xs:
                assert compiled(np.int64(n), xs) == f(n, list(xs)), (n, xs)


def _called(function, operands):
    for _ in range(5000):
        function(*operands)


def test_calls_keep_no_reference():
    def f(xs, n):
        ys, zs = [], [1.5] * n
        for i in range(n):
            ys.append(xs[i] * 2.0)
            zs[i] = ys[i] if i < 30 else xs[i + 1]
        return ys, zs

    compiled = rt.function(f, engine="native")
    xs = [float(i) for i in range(40)]
    (piece,) = compiled.get_concrete_function(xs, np.int64(9)).compiled.plain.pieces
    for n, is_done in ((30, True), (40, False)):
        by_name = {"xs": xs, "n": np.int64(n)}
        operands = [by_name[value.hint] for value in piece.inputs]
        assert piece.function(*operands)[0] is is_done
        objects = [xs, *xs[:5], *operands]
        gc.collect()
        before = [sys.getrefcount(one) for one in objects]
        assert blocks_left_by(functools.partial(_called, piece.function, operands)) < 1000
        assert [sys.getrefcount(one) for one in objects] == before


def test_no_list_enters_a_piece_in_a_loop_of_numpy():
    """It would be read as a whole in every iteration."""

    def f(n):
        xs, total = [n] * n, n
        for i in range(n):
            print(end="")
            for j in range(n):
                total += xs[j] * i
        return total

    compiled = rt.function(f, engine="native")
    assert compiled(np.int64(3)) == f(3)
    assert "read as a whole" in compiled.native()


# -- random programs -------------------------------------------------------------------------------

VALUES = {
    "int": ("i", "n", "i * 3 - n", "len(xs)", "xs[0]", "-1", "ys[i % len(ys)] + i"),
    "float": ("i / 2", "0.5", "n / 3.0", "xs[-1] * 1.5", "ys[i % len(ys)] - 1.0"),
    "np": ("v[i]", "v[0] * 2.0", "xs[-1] + v[i]", "ys[i % len(ys)] - v[i]"),
}
STARTS = {"int": ("[n, 1]", "[7]", "[0] * (n + 2)"), "float": ("[1.5]", "[0.25, -2.0] * 2")}
STARTS["np"] = ("[v[0]]", "[v[1], v[2]]")


def program(source):
    """A loop that grows, reads and changes two lists of one type."""
    kind = source.choice(list(VALUES))
    lines = [f"xs = {source.choice(STARTS[kind])}", f"ys = {source.choice(STARTS[kind])}"]
    lines += ["total = 0", "for i in range(n):"]
    for _ in range(source.randint(2, 5)):
        indent = "    "
        if source.random() < 0.3:
            test = source.choice(["i % 2 == 0", "len(xs) > 3", "xs[0] > ys[-1]"])
            lines.append(f"    if {test}:")
            indent = "        "
        name, value = source.choice("xy") + "s", source.choice(VALUES[kind])
        lines.append(
            indent
            + source.choice(
                [
                    f"{name}.append({value})",
                    f"{name}[i % len({name})] = {value}",
                    f"{name}[{source.choice(['i', '-i', '0', '-1'])}] = {value}",
                    f"total += {name}[{source.choice(['i', '0', '-1', '-i - 1'])}]",
                    f"total += {name}.pop({source.choice(['', '0', '-1', 'i // 2'])})",
                    "xs = xs + ys",
                    "xs, ys = ys, xs",
                    "xs = ys + [xs[0]]",
                    f"{name} = {name} * 2",
                ]
            )
        )
    lines.append(source.choice(["return xs, ys, total", "return np.array(xs), ys, total"]))
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef f(v, n):\n{body}"


def assert_alike(seed):
    """Compares engines; returns whether all lists are native."""
    fn = load(program(random.Random(seed)), f"lists_{seed}.py").f
    functions = [rt.function(fn, engine=name) for name in ("native", "numpy")]
    for n in (0, 1, 3, 6):
        given = np.arange(1.0, 7.0) / 3, np.int64(n)
        found, expected = (outcome(function, given) for function in functions)
        assert repr(found.error) == repr(expected.error)
        assert same_exactly(found.result, expected.result)
        if isinstance(found.result, tuple) and type(found.result[0]) is list:
            alias = found.result[0] is found.result[1]
            assert alias == (expected.result[0] is expected.result[1])
    native_text = functions[0].native() if functions[0].graphs else "not native: list"
    return "list" not in native_text.partition("not native")[2]


@pytest.mark.filterwarnings("ignore")
def test_random_programs():
    assert sum(map(assert_alike, range(12))) > 3


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", range(100, 500, 40))
def test_more_random_programs(first):
    assert sum(map(assert_alike, range(first, first + 40))) > 12


def test_a_list_that_a_loop_of_the_numpy_program_changes_enters_no_piece():
    """A piece would read all of it in each iteration."""

    def counted(xs):
        found = {}
        for i in range(len(xs)):
            k = str(xs[i])
            found[k] = found.get(k, 0) + 1
        return list(found), list(found.values())

    xs = np.arange(40) % 7
    compiled = rt.function(counted, engine="native")
    assert compiled(xs) == counted(xs)
    assert "list" not in compiled.native().partition("not native:")[0]
