"""Slices in machine code: read by kernels, written in place, kept from changing while in use."""

import random

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from loading import load  # noqa: E402
from outcomes import outcome  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def jacobi(x, n):
    x = x.copy()
    for _ in range(n):
        x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return x


def shifted(x, n):
    for _ in range(n):
        x[1:] = x[:-1]
        x[:2] = x[2:4] * 2
    return x


def kept(x, n):
    old = x[1:]
    for _ in range(n):
        x[:-1] = old + 1
    return x, old * 1


def returned(x, n):
    y = x * 2
    part = y[1:-1]
    total = 0.0
    for i in range(n):
        row = part[::-1]
        total = total + np.sum(row * row) + row[i]
    return part, total, x[::2], y[1:] - y[:-1]


def same(found, expected):
    assert type(found) is type(expected)
    if isinstance(found, tuple):
        for one, other in zip(found, expected, strict=True):
            same(one, other)
        return
    found, expected = np.asarray(found), np.asarray(expected)
    assert (found.dtype, found.shape, found.strides) == (
        expected.dtype,
        expected.shape,
        expected.strides,
    )
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("fn", [shifted, kept, returned])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_slices_show_and_write_what_they_do_in_numpy(fn, n):
    compiled = rt.function(fn, engine="native")
    for size in (6, 9, 40):
        given = np.arange(size) * 1.5
        seen = outcome(compiled, (given.copy(), np.int64(n)))
        expected = outcome(fn, (given.copy(), np.int64(n)))
        assert repr(seen.error) == repr(expected.error)
        same(seen.result, expected.result)
        same(seen.arguments, expected.arguments)
        shares = [np.shares_memory(seen.result[0], seen.arguments[0])]
        shares.append(np.shares_memory(expected.result[0], expected.arguments[0]))
        assert shares[0] == shares[1]


@pytest.mark.parametrize("shape", [(3, 3), (5, 40), (40, 21)])
def test_jacobi_sweeps_are_one_piece(shape):
    compiled = rt.function(jacobi, engine="native")
    x = np.random.default_rng(1).normal(size=shape)
    same(compiled(x, np.int64(7)), jacobi(x, 7))
    assert "not native" not in compiled.native()
    concrete = compiled.get_concrete_function(x, np.int64(7))
    piece = concrete.compiled.plain.pieces[0]
    by_name = {"x": x, "n": np.int64(7)}
    assert piece.function(*(by_name[value.hint] for value in piece.inputs))[0] is True


def columns(x, y, n):
    x = x.copy()
    x[:, 0] = y[:, 1] + 1
    x[:, n] = x[:, n] - x[:, 0]
    x[::2, 1] = y[::2, 0]
    x[1:, ::-1] = y[:-1]
    return x


def steps(x, y, n):
    x = x.copy()
    for _ in range(n):
        x[::3] = y[::3] + x[::3]
        x[::-2] = x[::2] * y[::2]
        x[1::2] = y[1::2]
    return x


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["b1", "i1", "i4", "u8", "f4", "f8"])
def test_writes_to_elements_that_are_not_next_to_each_other(dtype):
    """More elements than a register has lanes, and some that are left over."""
    random = np.random.default_rng(5)
    for rows in (1, 7, 8, 33, 64, 100):
        for fn, shape in ((steps, (rows,)), (columns, (rows, 2))):
            if (dtype, fn) == ("b1", columns):
                continue  # NumPy subtracts no bools
            x, y = ((random.normal(size=shape) * 9).astype(dtype) for _ in range(2))
            compiled = rt.function(fn, engine="native")
            seen = outcome(compiled, (x, y, np.int64(1)))
            expected = outcome(fn, (x, y, np.int64(1)))
            assert repr(seen.error) == repr(expected.error)
            same(seen.result, expected.result)
            assert "native_1" in compiled.native()


# -- random programs -------------------------------------------------------------------------------

SLICES = ("1:", ":-1", "::2", "::-1", "2:5", ":n", "n:", "-3:", ":", "i:i + 2", "1:n:2")
HEAD = "import numpy as np\n\n\ndef f(x, y, n):\n    x = x.copy()\n    y = y * 1\n    i = n - n\n"


def program(source):
    """A loop that reads, writes and keeps slices of two arrays."""
    lines, names = [], ["x", "y"]
    for k in range(source.randint(2, 5)):
        way = source.random()
        target, other = source.choice(names), source.choice(names)
        first, second = source.choice(SLICES), source.choice(SLICES)
        if way < 0.3:
            lines.append(f"v{k} = {other}[{first}]")
            names.append(f"v{k}")
        elif way < 0.65:
            target = source.choice("xy")
            lines.append(f"{target}[{first}] = np.sum({other}[{second}]) * {target}[{first}]")
        elif way < 0.8:
            lines.append(f"{source.choice('xy')}[{first}] = {other}[{first}]")
        else:
            lines.append(f"w{k} = {target} + 1 - {other}[{first}].max()")
            names.append(f"w{k}")
    results = ", ".join(f"{name} * 1" for name in names)
    half = len(lines) // 2
    looped = "".join(f"        {line}\n" for line in lines[:half]) or "        pass\n"
    straight = "".join(f"    {line}\n" for line in lines[half:])
    before = "".join(f"    {name} = x\n" for name in names[2:])
    return (
        f"{HEAD}{before}    for j in range(n):\n        i = i + 1\n{looped}{straight}"
        f"    return ({results}, x, y)\n"
    )


def assert_alike(seed):
    fn = load(program(random.Random(seed)), f"slices_{seed}.py").f
    functions = [rt.function(fn, engine=name) for name in ("native", "numpy")]
    for n in (2, 3):
        given = np.arange(7.0) / 3, np.arange(7.0)[::-1] / 7, np.int64(n)
        found, expected = (outcome(function, given) for function in functions)
        assert repr(found.error) == repr(expected.error)
        if found.error is None:
            same(found.result, expected.result)
            same(found.arguments, expected.arguments)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed):
    assert_alike(seed)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", range(100, 400, 20))
def test_more_random_programs(first):
    for seed in range(first, first + 20):
        assert_alike(seed)


def test_axes_of_a_transposed_array_in_any_form():
    def f(x):
        return x.transpose(np.argsort([1, 0])) * 2, x.transpose(np.arange(2)) * 2, x.T * 2

    x = np.arange(6.0).reshape(2, 3)
    same(rt.function(f, engine="native")(x), f(x))
