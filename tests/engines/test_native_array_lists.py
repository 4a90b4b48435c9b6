"""Lists of arrays of one shape in the machine code of a call: copies that no other code sees."""

import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from allocated import blocks_left_by  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.analyses.liveness import Uses  # noqa: E402
from runtime.engines import native  # noqa: E402
from runtime.engines.native.lists import reads_in_place  # noqa: E402
from runtime.ir.graph import walk  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def chain(x, w):
    for _ in range(20):
        x = np.tanh(w * x)
    return np.sum(x)


def branches(x, w, n):
    total = np.zeros(3)
    for i in range(n):
        x = np.sin(x * w) if i % 2 == 0 else x * x
        total = total + x * w
    return np.sum(total)


def matrices(x, w, n):
    for i in range(n):
        x = np.tanh(x @ w) * 0.5 + i
    return np.mean(x)


def kept(x, n):
    xs = [x]
    for i in range(n):
        xs.append(xs[i] * 0.5 + xs[-1])
    return xs[n // 2] + xs[-1] - xs[0]


def stale(x, n):
    xs = [x]
    for i in range(n):
        y = xs[-1] + 1
        xs.append(y)
        y = y * 100
        xs.append(y + xs[i])
    return np.sum(xs[-1]) + len(xs)


def lagging(x, n):
    xs = [x]
    for i in range(n):
        a, b = xs[i], xs[-1]
        xs.append(a * 0.5 - b)
        xs.append(b * 0.5 + a)  # the list has grown since a and b were read
    return xs[-1] + xs[n]


def chosen(x, n):
    xs = [x, x + 1]
    for i in range(n):
        a = xs[-1]
        if i % 2 == 0:
            xs.append(a - x)
        xs.append(np.tanh(a @ a) * x + xs[0])
    return xs[-1] - xs[n]


def shown(x, n):
    xs = [x]
    for _ in range(n):
        x = x + 1
        xs.append(x)
    return xs[-1], x, xs[0]


def written(x, n):
    xs = [x * 1]
    for i in range(n):
        xs.append(xs[i] * 2)
    y = xs[0].copy()
    y[0] = 100.0
    return np.sum(xs[0]), np.sum(xs[-1]), np.sum(y)


def outside(x, n, k):
    xs = [x]
    for _ in range(n):
        xs.append(x * 2)
    return np.sum(xs[k])


VECTOR, SMALL = np.linspace(-1, 1, 64), np.array([0.5, -0.25, 0.0])
SQUARE = np.linspace(-1, 1, 9).reshape(3, 3)
GRADIENTS = [
    (chain, (VECTOR, VECTOR * 2)),
    (chain, (VECTOR.astype("f4"), np.float32(1.5) * np.ones(64, "f4"))),
    (branches, (SMALL, SMALL + 1, np.int64(5))),
    (branches, (SMALL, SMALL + 1, np.int64(0))),
    (matrices, (SQUARE, SQUARE.T.copy(), np.int64(4))),
]


def both(fn):
    return [rt.function(fn, engine=name) for name in ("native", "numpy")]


class Left:
    """Counts the calls that the machine code of a function leaves to Python."""

    def __init__(self, function):
        self.count, self._call = 0, function.__call__
        function.__call__ = self

    def __call__(self, *args, **kwargs):
        self.count += 1
        return self._call(*args, **kwargs)


def same(found, expected):
    assert type(found) is type(expected)
    found, expected = np.asarray(found), np.asarray(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.tobytes() == expected.tobytes()


def assert_machine_code(compiled, expected, given):
    """Asserts that calls are machine code from the third on, and give what NumPy's program gives."""
    for _ in range(2):
        same(compiled(*given), expected(*given))
    left = Left(compiled)
    for _ in range(3):
        same(compiled(*given), expected(*given))
    assert left.count == 0


@pytest.mark.parametrize(("fn", "given"), GRADIENTS)
def test_gradients_of_loops_are_equal_bit_by_bit(fn, given):
    for argument in (0, 1):
        compiled, expected = both(rt.grad(fn, argnums=argument))
        assert_machine_code(compiled, expected, given)


@pytest.mark.parametrize("fn", [kept, stale, lagging, chosen])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 100])
def test_items_are_read_as_they_were_appended(fn, n):
    assert_machine_code(*both(fn), (SMALL, np.int64(n)))


def in_place(fn, *given):
    """Whether each item that a function reads needs no copy."""
    graph = rt.function(fn, engine="numpy").get_concrete_function(*given).graph
    uses = Uses(graph, inlines=False)
    return [reads_in_place(uses, node) for node in walk(graph) if node.op.name == "list_get"]


def test_items_that_kernels_read_before_the_list_changes_are_not_copied():
    assert in_place(rt.grad(chain), VECTOR, VECTOR) == [True]
    assert in_place(rt.grad(matrices), SQUARE, SQUARE, np.int64(3))[0]
    assert in_place(kept, SMALL, np.int64(3))[:2] == [True, True]
    assert in_place(lagging, SMALL, np.int64(3))[:2] == [False, False]
    assert not all(in_place(shown, SMALL, np.int64(3)))


def test_an_item_that_leaves_is_the_same_array():
    compiled, expected = both(shown)
    for function in (compiled, expected):
        for _ in range(4):
            last, x, first = function(SMALL, np.int64(3))
            assert last is x and first is SMALL
        last, x, _ = function(SMALL, np.int64(3))
        last[0] = -5.0
        assert x[0] == -5.0


def test_a_write_to_a_copy_of_an_item_leaves_the_list_as_it_is():
    compiled, expected = both(written)
    for _ in range(4):
        for one, other in zip(
            compiled(SMALL, np.int64(3)), expected(SMALL, np.int64(3)), strict=True
        ):
            same(one, other)


def test_an_index_outside_raises_as_in_python():
    compiled, expected = both(outside)
    for k in (2, -3, 1, 3, -4, 0):
        for function in (compiled, compiled, compiled, expected):
            if -4 < k < 3:
                same(function(SMALL, np.int64(2), np.int64(k)), np.sum(SMALL * (1 + (k % 3 > 0))))
            else:
                with pytest.raises(IndexError, match="list index out of range"):
                    function(SMALL, np.int64(2), np.int64(k))


def test_nan_and_infinite_derivatives_are_those_of_numpy():
    def roots(x, n):
        for _ in range(n):
            x = np.sqrt(x) * np.array([1.0, 0.0, 1.0, -1.0])
        return np.sum(x)

    compiled, expected = both(rt.grad(roots))
    for x in ([0.0, 0.0, 4.0, 1.0], [4.0, 0.0, -1.0, 1.0], [1.0, np.inf, np.nan, 0.0]):
        with np.errstate(all="ignore"):
            for _ in range(4):
                same(compiled(np.array(x), np.int64(2)), expected(np.array(x), np.int64(2)))


def test_calls_keep_no_memory():
    compiled = rt.function(rt.grad(chain), engine="native")
    x, w = VECTOR.copy(), VECTOR * 3
    for _ in range(4):
        compiled(x, w)
    before = sys.getrefcount(x), sys.getrefcount(w)

    def calls():
        for _ in range(300):
            compiled(x, w)

    assert blocks_left_by(calls) < 100
    assert (sys.getrefcount(x), sys.getrefcount(w)) == before
