"""Code written for the array API standard works on staged values."""

import numpy as np
import pytest
from outcomes import same_exactly

import runtime as rt
import runtime.array_api as xp


def standardized(x):
    xp = x.__array_namespace__()
    return (x - xp.mean(x, axis=0)) / xp.std(x, axis=0, correction=1)


def softmax(x):
    xp = x.__array_namespace__(api_version="2023.12")
    powers = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return powers / xp.sum(powers, axis=-1, keepdims=True)


def distances(x):
    xp = x.__array_namespace__()
    found = xp.zeros((x.shape[0], x.shape[0]), dtype=x.dtype, device=x.device)
    for i in range(x.shape[0]):
        found[i, ...] = xp.linalg.vector_norm(x - x[i, ...], axis=-1)
    return found


def created(x):
    xp = x.__array_namespace__()
    parts = [xp.asarray([1, 2]), xp.astype(xp.arange(3), xp.float32), xp.eye(2), xp.full((2,), 7)]
    grid = xp.meshgrid(xp.linspace(0, 1, 3), xp.asarray(x[0, :]), indexing="ij")
    return parts, grid, xp.concat([xp.reshape(part, (-1,)) for part in parts]), xp.asarray(x) is x


def asked(x):
    xp = x.__array_namespace__()
    kinds = xp.result_type(x, xp.float32), xp.isdtype(x.dtype, "real floating")
    limits = float(xp.finfo(x.dtype).eps), int(xp.iinfo(xp.int8).max)
    return kinds, limits, xp.unique_values(xp.sign(x)), xp.matrix_transpose(x), x.mT, xp.pi, x.size


FUNCTIONS = [standardized, softmax, distances, created, asked]
MATRIX = np.array([[1.5, -2.0, 0.25], [4.0, 0.0, -6.5], [0.5, 7.0, 1.0]])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_generic_code_returns_the_same_as_for_numpy_arrays(function):
    assert same_exactly(rt.function(function)(MATRIX), function(MATRIX))


PACKAGE = """
def generic(x):
    xp = x.__array_namespace__()
    ones = xp.ones(x.shape[0], dtype=x.dtype)
    ones[0] = xp.sum(x)
    return xp.concat([xp.asarray(ones), xp.arange(2, dtype=x.dtype)]), xp.result_type(x, ones)
"""


def test_generic_code_that_is_not_converted_works_too(tmp_path, monkeypatch):
    import autograph

    (tmp_path / "generic_package.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(str(tmp_path))
    import generic_package

    untouched = autograph.do_not_convert(generic_package.generic)
    assert same_exactly(
        rt.function(lambda x: untouched(x))(MATRIX), generic_package.generic(MATRIX)
    )


def test_a_version_of_the_standard_that_numpy_lacks_is_refused():
    with pytest.raises(ValueError, match="2001"):
        rt.function(lambda x: x.__array_namespace__(api_version="2001.12"))(MATRIX)


def test_functions_of_scipy_special_are_called_directly():
    special = pytest.importorskip("scipy.special")

    def f(x, n):
        y = special.erf(x) + special.gammaln(np.abs(x) + 1)
        special.expit(x, out=x)
        return y, special.jv(n, x), special.xlogy(x, x), special.expit(np.float32(1) * n)

    mine, theirs = MATRIX.copy(), MATRIX.copy()
    concrete = rt.function(f)
    assert same_exactly(concrete(mine, np.int64(2)), f(theirs, np.int64(2)))
    assert same_exactly(mine, theirs)
    text = rt.show(concrete.get_concrete_function(MATRIX, np.int64(2)).graph)
    assert rt.show(rt.parse(text)) == text


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float64"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_sort_and_argsort_have_a_direction(dtype, axis):
    x = np.array([[3, 1, 2, 1], [0, 5, 5, 2], [1, 1, 0, 3]]).astype(dtype)
    for descending in (False, True):
        order = np.array(
            [sorted(range(len(one)), key=one.__getitem__, reverse=descending) for one in
             np.moveaxis(x, axis, -1).tolist()]
        )  # fmt: skip
        order = np.moveaxis(order, -1, axis)
        positions = lambda x: xp.argsort(x, axis=axis, descending=descending)  # noqa: B023, E731
        values = lambda x: xp.sort(x, axis=axis, descending=descending)  # noqa: B023, E731
        for function, expected in (
            (positions, order),
            (values, np.take_along_axis(x, order, axis)),
        ):
            for found in (function(x), rt.function(function)(x)):
                assert np.array_equal(found, expected) and found.dtype == expected.dtype
