"""Products of arrays in machine code: the bits of `np.matmul`, for matrices, vectors and views."""

import itertools

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from outcomes import outcome  # noqa: E402
from warning_records import recorded_warnings  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def products(a, b, v, w):
    whole = a @ b
    some = a @ v, w @ a, v @ v, a.T @ w, a.T @ a, whole @ whole.T, np.dot(v, v), w[::2] @ a[::2]
    return whole, *some, a[::2] @ v, a[:, ::2] @ v[::2], v[::-1] @ v, a @ b[:, ::-1], b.T @ a.T


def descent(w, x, y, n):
    for _ in range(n):
        w = w - 0.01 * (x.T @ (x @ w - y))
    return w


def recurrent(x, h, from_input, from_state, bias, n):
    for i in range(n):
        h = np.tanh(x[i] @ from_input + h @ from_state + bias)
    return h


def same(found, expected):
    assert type(found) is type(expected)
    found, expected = np.asarray(found), np.asarray(expected)
    assert (found.dtype, found.shape, found.strides) == (
        expected.dtype,
        expected.shape,
        expected.strides,
    )
    assert found.tobytes() == expected.tobytes()


def sized(shape, dtype, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


ANY = {"f4": np.float32, "f8": np.float64}


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_products_have_the_bits_of_numpy(dtype):
    kind = ANY[dtype]
    signature = [rt.TensorSpec([None] * count, kind) for count in (2, 2, 1, 1)]
    functions = [
        rt.function(products, engine=name, input_signature=signature)
        for name in ("native", "numpy")
    ]
    for m, n, p in itertools.product((1, 3, 17), (1, 2, 33), (1, 7, 40)):
        given = [sized(shape, dtype, i) for i, shape in enumerate(((m, n), (n, p), n, m))]
        found, expected = (function(*given) for function in functions)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    program = functions[0].get_concrete_function(*given).compiled.plain
    assert len(program.pieces) == 1


@pytest.mark.parametrize("value", [np.inf, np.nan, 1e300])
def test_unusual_products_warn_as_in_numpy(value):
    given = [sized((3, 4), "f8"), sized((4, 3), "f8"), sized(4, "f8"), sized(3, "f8")]
    given[0][1, 2], given[1][0, 0] = value, value
    seen = []
    for name in ("native", "numpy"):
        with recorded_warnings() as found:
            result = rt.function(products, engine=name)(*given)
        seen.append([[np.asarray(one).tobytes() for one in result], sorted(map(str, found))])
    assert [text.split("category")[0] for text in seen[0][1]] == [
        text.split("category")[0] for text in seen[1][1]
    ]
    assert seen[0][0] == seen[1][0]


def test_sizes_that_do_not_fit_raise_as_in_numpy():
    signature = [rt.TensorSpec([None, None], np.float64)] * 2
    compiled = rt.function(lambda x, y: x @ y + 1, engine="native", input_signature=signature)
    seen = outcome(compiled, (np.ones((2, 3)), np.ones((2, 3))))
    assert "mismatch in its core dimension" in str(seen.error)


@pytest.mark.parametrize(
    ("fn", "given"),
    [
        (descent, (sized(5, "f8"), sized((20, 5), "f8"), sized(20, "f8"), np.int64(9))),
        (
            recurrent,
            (
                sized((6, 2, 8), "f4"),
                sized((2, 16), "f4"),
                sized((8, 16), "f4"),
                sized((16, 16), "f4"),
                sized(16, "f4"),
                np.int64(6),
            ),
        ),
    ],
    ids=["descent", "recurrent"],
)
def test_training_loops_are_one_piece(fn, given):
    compiled = rt.function(fn, engine="native")
    same(compiled(*given), rt.function(fn, engine="numpy")(*given))
    assert "not native" not in compiled.native()


INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
OF_INTEGERS = [(3, 4, 5), (1, 1, 1), (2, 0, 3), (0, 3, 2), (4, 5, 70), (3, 2, 130)]


def integer_products(x, y):
    columns = y[:, 0] if y.shape[1] else y[0]
    return x @ y + x.dtype.type(1), x.T @ x, x[::-1, ::-1] @ y, x[:, ::2] @ y[::2], x @ columns


@pytest.mark.parametrize("dtype", INTEGERS)
def test_products_of_integers_wrap_around(dtype):
    native_function = rt.function(integer_products, engine="native")
    expected_function = rt.function(integer_products, engine="numpy")
    data = np.random.default_rng(0)
    for m, k, n in OF_INTEGERS:
        x, y = (data.integers(-(2**62), 2**62, shape).astype(dtype) for shape in ((m, k), (k, n)))
        for _ in range(2):
            found, expected = native_function(x, y), expected_function(x, y)
            for one, other in zip(found, expected, strict=True):
                same(one, other)
        assert "not native" not in native_function.native(x, y)


def test_a_loop_of_integer_products_is_one_piece():
    def power(a, n):
        product = a
        for _ in range(n):
            product = product @ a
        return product

    a = np.arange(100, dtype=np.int32).reshape(10, 10)
    run = rt.function(power, engine="native")
    for n in (0, 1, 30):
        same(run(a, np.int64(n)), power(a, n))
    assert "not native" not in run.native(a, np.int64(3))


def test_products_of_bools_and_of_two_dtypes_are_those_of_numpy():
    x, y = np.eye(3, dtype=bool), np.arange(9).reshape(3, 3)

    def mixed(x, y):
        return x @ x, x @ y, y.astype(np.int32) @ y

    run = rt.function(mixed, engine="native")
    for one, other in zip(run(x, y), mixed(x, y), strict=True):
        same(one, other)


def stacked_products(x, y, w):
    parts = x @ y, x @ w, w.T @ y, x[:1] @ y, x @ y[:1], x[::2] @ y[::2], x[:, 1:] @ y[:, :, ::2]
    return *parts, x[:, ::2, :] @ w[:, ::-1], x[1:1] @ y[1:1], np.tanh(x @ w) @ w.T


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_products_of_several_matrices_have_the_bits_of_numpy(dtype):
    native_function = rt.function(stacked_products, engine="native")
    expected_function = rt.function(stacked_products, engine="numpy")
    for count, m, k, n in ((3, 4, 5, 6), (1, 2, 2, 2), (2, 1, 7, 1), (4, 3, 0, 2), (9, 40, 33, 17)):
        x, y, w = (
            (sized(shape, "f8", i) * 10).astype(dtype)
            for i, shape in enumerate(((count, m, k), (count, k, n), (k, n)))
        )
        for _ in range(2):
            found, expected = native_function(x, y, w), expected_function(x, y, w)
            for one, other in zip(found, expected, strict=True):
                same(one, other)


def test_products_of_several_matrices_of_unknown_sizes():
    kinds = [rt.TensorSpec([None, None, None], np.float64), rt.TensorSpec([None] * 3, np.float64)]
    run = rt.function(lambda x, y: (x @ y) * 2, engine="native", input_signature=kinds)
    for one, other in (((2, 3, 4), (2, 4, 5)), ((1, 3, 4), (2, 4, 5)), ((3, 2, 4), (1, 4, 1))):
        x, y = sized(one, "f8"), sized(other, "f8")
        same(run(x, y), (x @ y) * 2)
    with pytest.raises(ValueError, match="matmul|broadcast"):
        run(sized((2, 3, 4), "f8"), sized((3, 4, 5), "f8"))


def test_a_loop_over_several_matrices_is_one_piece():
    def layers(x, w, n):
        for _ in range(n):
            x = np.tanh(x @ w) + x
        return x

    x, w = sized((6, 4, 5), "f8"), sized((5, 5), "f8")
    run = rt.function(layers, engine="native")
    for n in (0, 1, 4, 4):
        same(run(x, w, np.int64(n)), rt.function(layers, engine="numpy")(x, w, np.int64(n)))
    assert "not native" not in run.native(x, w, np.int64(4))
