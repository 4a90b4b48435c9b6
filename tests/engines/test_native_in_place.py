"""Operations that write into parts of arrays, of sizes that the run knows, as machine code."""

import linecache

import exact_outcomes
import numpy as np
import pytest
from loading import load

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

PARTS = {
    "column": "a[k:, k]",
    "row": "a[k, k:]",
    "block": "a[k:, k:]",
    "reversed": "a[k::-1, 0]",
    "steps": "a[k::2, 1]",
    "rows": "a[:k + 1]",
    "copy": "part.copy()",
}
OTHERS = {
    "number": "3",
    "float": "0.5",
    "element": "a[0, 0]",
    "itself": "part",
    "last": "part[..., -1:]",
    "row": "b[:k + 1]",
    "fixed": "b[:2]",
    "of another size": "b[:k + 2]",
    "overlapping": "a[:a.shape[0] - k, 0]",
}
STATEMENTS = {
    "add": "part += other",
    "subtract": "part -= other",
    "multiply": "part *= other",
    "divide": "part /= other",
    "floor_divide": "part //= other",
    "remainder": "part %= other",
    "maximum": "np.maximum(part, other, out=part)",
    "negative": "np.negative(part, out=part)",
    "sqrt": "np.sqrt(part, out=part)",
    "other first": "np.subtract(other, part, out=part)",
    "power": "part **= 2",
    "where": "np.add(part, other, out=part, where=part > 1)",
}
PROGRAM = """import numpy as np


def f(a, b, n):
    for k in range(n):
        part = a[k:, 0]
        part = {part}
        other = {other}
        {statement}
        if k == 0:
            a[-1, -1] += 1
    return a
"""


def given(dtype):
    a = np.random.default_rng(3).integers(1, 9, (5, 5)).astype(dtype)
    b = np.random.default_rng(4).integers(1, 5, 7).astype(dtype)
    return [(a.copy(), b.copy(), np.int64(n)) for n in (0, 1, 3, 5)]


def program(**parts):
    source = PROGRAM.format(**parts)
    name = f"<in place {sorted(parts.items())}>"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    return load(source, name).f


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("part", PARTS)
def test_parts_change_as_numpys(part, statement):
    for number, other in enumerate(OTHERS):
        fn = program(part=PARTS[part], other=OTHERS[other], statement=STATEMENTS[statement])
        told = f"{statement} {part} {other}"
        for dtype in ("f8", "f4", "i8", "u1")[number % 2 :: 2]:
            exact_outcomes.is_refused(fn, given(dtype), "native", told)


UPDATES = ["add", "subtract", "multiply", "divide", "maximum", "negative", "other first"]


@pytest.mark.parametrize("statement", UPDATES)
@pytest.mark.parametrize("part", ["column", "row", "block", "rows"])
def test_loops_around_such_updates_are_machine_code(part, statement):
    fn = program(part=PARTS[part], other="a[0, 0]", statement=STATEMENTS[statement])
    compiled = rt.function(fn, engine="native")
    compiled(*given("f8")[2])
    assert "    loop (" not in compiled.native()
