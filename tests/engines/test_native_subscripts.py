"""Subscripts of arrays with several axes, in machine code: integers, slices and new axes anywhere."""

import random

import numpy as np
import pytest
from loading import load
from native_runs import compared

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

PARTS = (":", ":", ":", "i", "0", "-1", "1:", ":-1", "::2", "::-1", "1:3", ":n", "2:2")
SIZES = (3, 4, 5)
FORMS = (
    "x{a} * 2 + 1",
    "np.copy(x{a} - y{a})",
    "x{a} + 1 - x{a}",
    "x{a}.sum() * 2",
    "x{a}[None] * 2",
    "np.exp(x{a}) + y{a}",
    "(x{a} * 2)[0:1] + 1",
    "np.where(x{a} > 1, x{a}, y{a})",
)
WRITES = ("x{a} = y{a} * 3", "x{a} += 1", "x{a} = x{a} - y{a}", "y{a} = 0")


def subscript(source, dimensions):
    """A subscript that leaves at least one axis of an array."""
    parts = [source.choice(PARTS) for _ in range(dimensions)]
    if all(part in ("i", "0", "-1") for part in parts):
        parts[source.randrange(dimensions)] = ":"
    if source.random() < 0.2:
        parts[source.randrange(dimensions)] = "..."
    if source.random() < 0.3:
        parts.insert(source.randrange(dimensions + 1), "None")
    return f"[{', '.join(parts)}]"


def program(source, dimensions):
    """A function whose lines read and write parts of two arrays, of which it returns all."""
    lines, results = [], []
    for k in range(8):
        at = subscript(source, dimensions)
        if source.random() < 0.25 and "None" not in at:
            lines.append(source.choice(WRITES).format(a=at))
        else:
            lines.append(f"v{k} = {source.choice(FORMS).format(a=at)}")
            results.append(f"v{k}")
    body = "".join(f"    {line}\n" for line in lines)
    head = "import numpy as np\n\n\ndef f(x, y, n):\n    x, y, i = x.copy(), y * 1, n - 1\n"
    return f"{head}{body}    return ({', '.join(results)}, x, y)\n"


def assert_alike(seed):
    source = random.Random(seed)
    dimensions = source.randint(1, 4)
    fn = load(program(source, dimensions), f"subscripts_{seed}.py").f
    shape = tuple(source.choice(SIZES) for _ in range(dimensions))
    dtype = source.choice(("f8", "f8", "f4", "i8"))
    x = (np.arange(np.prod(shape)) % 17).reshape(shape).astype(dtype)
    given = x, x[::-1].copy(), np.int64(2)
    functions = [rt.function(fn, engine=name) for name in ("native", "numpy")]
    compared(*functions, given)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(8))
def test_random_subscripts(seed):
    assert_alike(seed)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", range(100, 500, 10))
def test_more_random_subscripts(first):
    for seed in range(first, first + 10):
        assert_alike(seed)


@pytest.mark.parametrize(
    "at",
    ["[:, 1]", "[:, i, :]", "[:, :, 1]", "[:, 1, None]", "[:, i, 1:]", "[::-1, 0]", "[1, :, 2]"],
)
def test_an_integer_between_slices_leaves_a_gap(at):
    """The axes on both sides of it do not lie as in an array of their own."""
    lines = f"    x = x.copy()\n    v = x{at} + 1\n    x{at} = v * 2\n    return v, x\n"
    fn = load(f"def f(x, i):\n{lines}", "gaps.py").f
    compiled = rt.function(fn, engine="native")
    compared(compiled, fn, (np.arange(60.0).reshape(3, 4, 5), np.int64(2)))
    assert "native_1" in compiled.native()
