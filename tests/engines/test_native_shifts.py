"""Shifts and operations on bits in machine code, as Python and NumPy compute them."""

import heapq

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

COUNTS = [0, 1, 7, 8, 31, 32, 62, 63]


def shifted(xs, counts):
    found = []
    for x in xs:
        for count in counts:
            found.append((x << count, x >> count, ~x))
    return found


def shifted_ints(xs, counts):
    found = []
    for x in xs:
        for count in counts:
            a, b = int(x), int(count)
            found.append((a << b, a >> b, ~a, a >> 3, a << 2))
    return found


def mixed(xs, counts):
    total = 0
    for x in xs:
        for count in counts:
            total ^= (int(x) >> count) + (x >> int(count)) + (~(x > 3)) * 5
    return total


def same(program, *arguments):
    """Whether results, warnings and exceptions are those of the NumPy engine; returns how many
    pieces were left."""
    outcomes = []
    for engine in ("native", "numpy"):
        compiled = rt.function(program, engine=engine)
        try:
            outcomes.append([repr(compiled(*arguments)) for _ in range(3)])
        except Exception as error:
            outcomes.append([type(error).__name__, str(error)])
    assert outcomes[0] == outcomes[1]
    return outcomes[0]


@pytest.mark.parametrize("dtype", ["i8", "i4", "i1", "u8", "u1", "u2"])
@pytest.mark.parametrize("counts", [COUNTS, [64, 3], [1, 200]])
def test_numbers_of_numpy(dtype, counts):
    info = np.iinfo(dtype)
    xs = np.array([0, 1, 3, info.max, info.min, info.max // 3], dtype)
    fitting = [count for count in counts if count <= info.max]
    found = same(shifted, xs, np.array(fitting, dtype))
    assert found == [repr(shifted(xs, np.array(fitting, dtype)))] * 3


@pytest.mark.parametrize("xs", [[1, -1, 5], [2**61, -(2**62)], [2**63 - 1, -(2**63)], [0]])
@pytest.mark.parametrize("counts", [[0, 1, 5], COUNTS, [64, 2], [100]])
def test_ints_grow(xs, counts):
    found = same(shifted_ints, np.array(xs), np.array(counts))
    assert found == [repr(shifted_ints(np.array(xs), np.array(counts)))] * 3


def test_a_negative_count_raises():
    assert same(shifted_ints, np.array([1, 2]), np.array([1, -1]))[0] == "ValueError"


def test_mixed_operands_are_machine_code():
    arguments = np.array([1, -7, 2**40]), np.array([0, 3, 62])
    assert same(mixed, *arguments) == [repr(mixed(*arguments))] * 3
    for program in (shifted, shifted_ints, mixed):
        compiled = rt.function(program, engine="native")
        compiled(*arguments)
        assert "shift" not in compiled.native().partition("not native:")[2]
        assert "invert" not in compiled.native().partition("not native:")[2]


def bools(xs, ys):
    found = []
    for x in xs:
        for y in ys:
            p, q = x > y, x % 3 == 0
            found.append((p & q, p | q, p ^ q, bool(p) | bool(q), bool(p) & q, p ^ True))
    return found


def nearest_first(starts, targets, costs, n):
    distances = [np.inf] * n
    distances[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d <= distances[u]:
            for k in range(starts[u], starts[u + 1]):
                v = targets[k]
                if d + costs[k] < distances[v]:
                    distances[v] = d + costs[k]
                    heapq.heappush(heap, (d + costs[k], v))
    return distances


def test_bits_of_bools():
    arguments = np.array([1, 4, 9, 12]), np.array([0, 5, 12])
    assert same(bools, *arguments) == [repr(bools(*arguments))] * 3


def test_a_heap_of_tuples_is_machine_code():
    draw = np.random.default_rng(2)
    arguments = np.arange(0, 124, 3), draw.integers(0, 40, 124), draw.integers(1, 5, 124) / 2
    compiled = rt.function(nearest_first, engine="native")
    for _ in range(3):
        found = compiled(*arguments, np.int64(40))
        assert repr(found) == repr(nearest_first(*arguments, np.int64(40)))
    assert "not native" not in compiled.native()
