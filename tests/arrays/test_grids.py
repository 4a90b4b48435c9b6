"""Grids and arrays of staged sizes: `np.mgrid`, `np.ogrid`, `np.indices`, `np.ndarray`, and rows of
`np.argwhere`."""

import numpy as np
import pytest

import runtime as rt

N, X = np.int64(3), np.float32(2.5)
BYTES = np.arange(3).tobytes()
GRIDS = {
    "square": lambda n, x: np.mgrid[0:n, 0:n],
    "one axis": lambda n, x: np.mgrid[0:n],
    "a tuple of one": lambda n, x: np.mgrid[0:n,],
    "steps": lambda n, x: np.mgrid[1:n:0.5, 0:4],
    "three axes": lambda n, x: np.mgrid[0:n, :2, 1:n],
    "a number of points": lambda n, x: np.mgrid[0:n:5j, 0:2],
    "points of one axis": lambda n, x: np.mgrid[0:n:5j],
    "one point": lambda n, x: np.mgrid[0:x:1j, 0:2:2j],
    "a float": lambda n, x: np.mgrid[0:x, 0:2],
    "points to a float": lambda n, x: np.mgrid[0:x:3j, 0:2:2j],
    "no tuple of floats": lambda n, x: np.mgrid[0:x:4j],
    "open": lambda n, x: np.ogrid[0:n, 0:4],
    "open backwards": lambda n, x: np.ogrid[n:0:-1,],
    "open floats": lambda n, x: np.ogrid[0:x:3j, 0:n],
    "negative": lambda n, x: np.mgrid[0:-n, 0:2],
    "negative and open": lambda n, x: np.ogrid[0:-n, 0:2],
    "indices": lambda n, x: np.indices((n, n)),
    "sparse indices": lambda n, x: np.indices((n, 2), sparse=True),
    "indices of a dtype": lambda n, x: np.indices((n, 2), dtype=np.float32) * x,
    "known indices": lambda n, x: np.indices((4, 2)) + n,
    "sum": lambda n, x: sum(np.mgrid[0:n, 0:4]) * x,
    "empty array": lambda n, x: np.ndarray((n, 2), np.int32).shape,
}


def outcome(function, *args):
    try:
        return repr(function(*args))
    except ValueError as error:
        return f"ValueError: {error}"


@pytest.mark.parametrize("name", GRIDS)
def test_grids(name):
    staged = rt.function(GRIDS[name])
    for n in (N, np.int64(1), np.int64(0)):
        assert outcome(staged, n, X) == outcome(GRIDS[name], n, X)


def test_rows_and_columns_of_a_grid():
    def distances(n):
        y, x = np.mgrid[0:n, 0:n]
        return (x - y) ** 2

    assert repr(rt.function(distances)(N)) == repr(distances(N))


def test_an_array_that_is_filled():
    def filled(n):
        a = np.ndarray((n, 2), np.int32)
        a[:] = n
        b = np.ndarray(3)
        b.fill(2)
        return a, b, isinstance(a, np.ndarray)

    assert repr(rt.function(filled)(N)) == repr(filled(N))


def test_an_array_of_a_buffer_is_an_ordinary_array():
    def of_buffer(x):
        return x * np.ndarray((2,), np.int64, BYTES, 8)

    np.testing.assert_array_equal(rt.function(of_buffer)(np.ones(2)), [1.0, 2.0])


def first_of(a):
    i, j = np.argwhere(a > 0.5)[0]
    return i + j, i


ROWS = {
    "first": first_of,
    "all": lambda a: np.argwhere(a),
    "number": lambda a: len(np.argwhere(a)),
    "none": lambda a: np.argwhere(a > 5),
    "one axis": lambda a: np.argwhere(a[0]),
    "scalar": lambda a: np.argwhere(a[0, 0]),
    "known condition": lambda a: a[tuple(np.argwhere(np.eye(3))[1])],
    "loop": lambda a: sum(a[i, j] for i, j in np.argwhere(a > -1)),
}


@pytest.mark.parametrize("name", ROWS)
def test_places_of_elements(name):
    a = np.eye(3) * 0.7
    assert repr(rt.function(ROWS[name])(a)) == repr(ROWS[name](a))


def test_the_first_of_no_places_raises_numpys_exception():
    with pytest.raises(IndexError, match="index 0 is out of bounds for axis 0 with size 0"):
        rt.function(first_of)(np.zeros((3, 3)))


def test_gradients_of_functions_on_a_grid():
    def loss(x, n):
        rows, columns = np.mgrid[0:n, 0:2]
        return np.sum(x * rows * x + columns)

    np.testing.assert_allclose(rt.function(rt.grad(loss))(np.float64(2.0), N), 24.0)


def test_choices_among_the_numbers_of_a_range():
    def drawn(n):
        return np.random.choice(range(n)), np.random.choice(range(2, 9), 4)

    np.random.seed(7)
    wanted = drawn(N)
    np.random.seed(7)
    assert repr(rt.function(drawn)(N)) == repr(wanted)
