"""Sums and products of arrays in every memory layout: NumPy's bits, wherever the array comes from.

NumPy and BLAS add in an order that depends on strides.  An array may be an argument, a global
variable, made by plain code while the graph is recorded, or written into.
"""

import numpy as np
import pytest

import runtime as rt
from runtime.ir.layout import copied, layout_of


def numbers():
    """An array that is known while a graph is recorded."""
    return np.random.RandomState(0).normal(size=(12, 41, 42))


LAYOUTS = {
    "rows": lambda: numbers()[0].copy(),
    "Fortran": lambda: np.asfortranarray(numbers()[0]),
    "every second column": lambda: numbers()[0].copy()[:, ::2],
    "every second row": lambda: numbers()[0].copy()[::2],
    "backwards": lambda: numbers()[0].copy()[::-1, ::-1],
    "first columns": lambda: numbers()[0].copy()[:, :17],
    "one column": lambda: numbers()[0].copy()[:, 3:4],
    "of three axes": lambda: numbers()[:, 3, :],
    "of the first axes": lambda: numbers()[:, :, 5].T,
    "permuted": lambda: numbers()[3:9].transpose(1, 0, 2)[:, :, 0],
    "repeated": lambda: np.broadcast_to(numbers()[0, 0], (9, 42)),
}


def sums(x):
    """Sums and products, each of which depends on the layout of x in the last bits."""
    rows, columns = np.arange(x.shape[0]) * 0.37, np.cos(np.arange(x.shape[1]))
    whole = x.sum(), x.mean(), x.std(), np.linalg.norm(x), x.copy().sum(), x.ravel().sum()
    partial = x.sum(0), x.sum(1), x.T.sum(0), x.var(0), x[::-1].sum(0), np.cumsum(x).sum()
    products = x[:, 0] @ rows, rows @ x, x @ columns, x.T @ x, x @ x.T, np.copy(x) @ columns
    mapped = (x * 2).sum(), (x.T + 1).sum(), np.exp(x).sum(), x[x > 0].sum(), np.copy(x.T).sum()
    return whole + partial + products + mapped


def argument(layout):
    return lambda x, z: sums(x), layout


def global_variable(layout):
    table = layout()
    return lambda x, z: sums(table * z) + sums(table), layout


def made_by_plain_code(layout):
    def fn(x, z):
        table = layout()
        rows, columns = np.arange(table.shape[0]) * z, np.cos(np.arange(table.shape[1]) * z)
        products = table[:, 0] @ rows, np.dot(columns, table.T), table @ (table * z).T
        return products + sums(table * z) + ((table + z).sum(1), np.einsum("ij,i->j", table, rows))

    return fn, layout


def written(layout):
    def fn(x, z):
        x[0, 0] = z
        x[-1] *= z
        return sums(x)

    return fn, lambda: layout().copy("K") if 0 in layout().strides else layout()


def written_by_a_function(layout):
    def fn(x, z):
        np.fill_diagonal(x, z)
        return sums(x)

    return fn, lambda: layout().copy("K") if 0 in layout().strides else layout()


def written_copy(layout):
    def fn(x, z):
        y = x.copy("K")
        y[0, 0] = z
        return sums(y)

    return fn, layout


def made_and_written(layout):
    def fn(x, z):
        table, other = np.zeros_like(layout()), np.empty((5, 40), order="F")
        table[0] = z
        other[:] = z * np.sin(np.arange(40))
        return sums(table) + sums(other)

    return fn, layout


def in_a_loop(layout):
    def fn(x, z):
        total, i = 0 * x, 0
        while i < z:
            total = total + x * i
            i += 1
        return sums(total)

    return fn, layout


def in_a_branch(layout):
    def fn(x, z):
        if z > 0:
            y = x.T
        else:
            y = x.T * 2
        return sums(y)

    return fn, layout


SOURCES = [
    *(argument, global_variable, made_by_plain_code, written, written_by_a_function),
    *(written_copy, made_and_written, in_a_loop, in_a_branch),
]


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("source", SOURCES)
def test_sums_have_the_bits_of_numpy(source, layout, engine):
    fn, make = source(LAYOUTS[layout])
    z = np.float64(1.5)
    expected, function = fn(make(), z), rt.function(fn, engine=engine)
    for _ in range(2):
        for found, one in zip(function(make(), z), expected, strict=True):
            np.testing.assert_array_equal(found, one)


def structure(array):
    """The order of the axes of an array in memory, with their directions and neighbours."""
    behind, found = array.itemsize, []
    for axis in sorted(range(array.ndim), key=lambda i: (abs(array.strides[i]), -i)):
        stride = abs(array.strides[axis])
        found.append((axis, stride == behind, array.strides[axis] < 0))
        behind = stride * array.shape[axis]
    return found


def test_a_copy_has_the_layout_of_the_array_and_takes_little_memory():
    rng = np.random.default_rng(0)
    parts = [slice(*ends) for ends in ((None,), (1, None), (None, -1))]
    parts += [slice(None, None, step) for step in (2, -1, -2)]
    seen = set()
    for _ in range(2000):
        rank = rng.integers(1, 5)
        whole = rng.normal(size=rng.integers(4, 7, rank))
        part = whole[tuple(parts[i] for i in rng.integers(0, len(parts), rank))]
        array = part.transpose(rng.permutation(rank))
        copy, layout = copied(array), layout_of(array)
        np.testing.assert_array_equal(copy, array)
        assert not np.shares_memory(copy, array)
        assert structure(copy) == structure(array)
        if layout is not None:
            assert np.prod(layout.sizes) <= 2 * np.prod([size + 1 for size in array.shape])
        seen.add(layout is None)
    assert seen == {True, False}


def test_a_column_of_a_large_array_is_a_small_constant():
    @rt.function
    def fn(y):
        return (numbers().reshape(12, -1)[:, 7] * y).sum()

    graph = fn.get_concrete_function(np.float64(2.0)).graph
    sizes = [node.output.type.shape for node in graph.nodes if node.op.name == "constant"]
    assert sizes == [(12, 2)]
