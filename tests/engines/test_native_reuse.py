"""Results in the memory of operands that nothing reads any more, as machine code."""

import random

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from loading import load  # noqa: E402
from native_runs import compared, same_bits  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

# Statements in which an operand is read again by a later stage, a reduction, a view or a value.
STATEMENTS = (
    "x = x * 0.5 + y",
    "y = x - y",
    "x, y = y + 1, x * 2",
    "z = x + y; y = np.tanh(z) * x",
    "x = np.tanh(x + y) + x",
    "z = x * 2; x = np.exp(-abs(x)) + z * x",
    "s = s + np.sum(x); x = x + s * 0.1",
    "x = x + np.max(x)",
    "x = x + x[::-1]",
    "z = x; x = x * y; y = z + x",
    "part = x[1:]; x = x + 1; s = s + part.max()",
    "y = np.where(x > y, x, y) * 0.9",
    "x = x * x - x",
    "z = y + 1; x = z * x; y = z",
    "y = y + x.sum() if s > 1 else y * 0.5",
    "if s > 0:\n            x = x - 1\n        else:\n            y = x + y",
    "x = x * 1; x[0] = 3.0; y = y + x",
    "z = x.astype('f4') * 2; x = x + z",
)
HEAD = "import numpy as np\n\n\ndef f(x, y, n):\n    s, z = 0.5, x\n"


def program(source):
    chosen = source.sample(STATEMENTS, source.randint(2, 6))
    before = f"    {source.choice(('x = x * 1', 'y = y + x', 'x = x.copy()', 'y = x + 0'))}\n"
    body = "".join(f"        {line}\n" for line in chosen)
    returned = source.choice(("x, y, s", "x, s, x * 1", "y, x, z, s"))
    return f"{HEAD}{before}    for _ in range(n):\n{body}    return {returned}\n"


def assert_alike(seed):
    fn = load(program(random.Random(seed)), f"reuse_{seed}.py").f
    source = np.random.default_rng(seed)
    for size in (4, 48, 700):
        for engine in ("native", "native-fast"):
            functions = [rt.function(fn, engine=engine)]
            if engine == "native":
                functions.append(rt.function(fn, engine="numpy"))
            given = source.normal(size=size), source.normal(size=size), np.int64(3)
            before = [one.copy() for one in given]
            if engine == "native":
                compared(*functions, given)
                same_bits(tuple(given[1:2]), tuple(before[1:2]))
            else:
                with np.errstate(all="ignore"):
                    found = functions[0](*(one.copy() for one in given))
                    expected = rt.function(fn, engine="numpy")(*(one.copy() for one in given))
                for one, other in zip(found, expected, strict=True):
                    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_random_programs(seed):
    assert_alike(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(100, 300, 20))
def test_more_random_programs(first):
    for seed in range(first, first + 20):
        assert_alike(seed)


def test_a_loop_writes_its_array_in_place():
    def chain(x, w, n):
        for _ in range(n):
            x = x * w + 0.5
        return x

    compiled = rt.function(chain, engine="native")
    x, w = np.arange(6.0), np.linspace(0, 1, 6)
    kept = x.copy()
    same_bits(compiled(x, w, np.int64(4)), chain(x, w, 4))
    same_bits(x, kept)
    assert "taken" in compiled.native(x, w, np.int64(4), what="ir")
    same_bits(compiled(x, x, np.int64(4)), chain(x, x, 4))
    same_bits(compiled(np.ones(6), w, np.int64(1)), chain(np.ones(6), w, 1))


def test_an_array_that_is_returned_or_stacked_keeps_its_elements():
    def history(x, n):
        found, before = [x * 1], x * 1
        for _ in range(n):
            before = x * 2
            x = before + 1
            found.append(x)
        return np.stack(found), before, x

    for n in (0, 1, 5):
        functions = [rt.function(history, engine=name) for name in ("native", "numpy")]
        compared(*functions, (np.arange(4.0), np.int64(n)))


def test_references_of_many_arrays_stay_in_memory():
    """LLVM would join each of them at each way out, which takes quadratic time."""

    def many(x, w, turns):
        kept = []
        for turn in range(turns):
            w = w - x @ w
            kept.append(w.sum())
            if turn > 0 and abs(kept[-1] - kept[-2]) < 1e-9:
                break
        return w, np.array(kept)

    for turns, has_volatile in ((2, False), (10, True)):
        compiled = rt.function(many, engine="native")
        x, w = np.eye(2) / 3, np.arange(2.0)
        for _ in range(3):
            found, expected = compiled(x, w, turns), many(x, w, turns)
            assert all(map(np.array_equal, found, expected))
        assert ("store volatile" in compiled.native(what="ir")) is has_volatile
