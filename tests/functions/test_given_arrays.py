"""Arrays of the other byte order are numbers, and arrays of other libraries come in by DLPack: as
arguments, written into, and as results."""

import numpy as np
import pytest

import runtime as rt
import runtime.array_api as xp

ARRAY = np.arange(6, dtype=">f8").reshape(2, 3)


def increased(x):
    x[0] = 7
    x += 1
    return x.sum()


def written_and_returned(x):
    x[1, 2] = 7
    return x, x * 2


PROGRAMS = {
    "arithmetic": lambda x: x + 1,
    "two orders": lambda x: x + x.astype(np.complex64),
    "itself": lambda x: x,
    "view": lambda x: x[:, 1:],
    "transposed": lambda x: x.T[1],
    "reversed": lambda x: x[::-1, ::-1],
    "reshaped": lambda x: x.reshape(3, 2),
    "several": lambda x: {"real": x.real, "sum": [x.sum(), x.mean(axis=0)]},
    "writes": increased,
    "writes and returns": written_and_returned,
    "scalars": lambda x: x[0, 1],
    "dtype": lambda x: x.dtype.itemsize,
}


def outcome(function, x):
    given = x.copy()
    return repr(function(given)), repr(given)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("dtype", [">f8", ">i2", ">c8"])
def test_results_and_writes_are_numpys(name, dtype):
    function, x = PROGRAMS[name], ARRAY.astype(dtype)
    staged = rt.function(function)
    for _ in range(2):
        assert outcome(staged, x) == outcome(function, x)


def test_a_view_as_result_shares_the_memory_of_the_argument():
    x = ARRAY.copy()
    view = rt.function(lambda x: x[:, 1])(x)
    view[0] = 50
    assert x[0, 1] == 50


def test_arrays_in_tuples_and_other_layouts():
    staged = rt.function(lambda pair: pair[0] @ pair[1])
    np.testing.assert_array_equal(staged((ARRAY, ARRAY.T)), ARRAY @ ARRAY.T)
    every_second = np.arange(10, dtype=">i4")[::2]
    found = rt.function(increased)(every_second)
    assert found == 7 + 1 + 2 + 4 + 6 + 8 + 4
    assert every_second.tolist() == [8, 3, 5, 7, 9]


def test_writes_before_an_exception_stay():
    def failing(x):
        x[0] = 9
        if x[1, 1] > 0:
            raise ValueError("no")
        return x

    x = ARRAY.copy()
    with pytest.raises(ValueError, match="no"):
        rt.function(failing)(x)
    assert x[0].tolist() == [9, 9, 9]


def test_transformations_take_them():
    np.testing.assert_array_equal(rt.grad(lambda x: np.sum(x * x))(ARRAY), 2 * ARRAY)
    np.testing.assert_array_equal(rt.vmap(np.sum)(ARRAY), ARRAY.sum(axis=1))


def test_the_graph_is_that_of_native_arrays():
    staged = rt.function(lambda x: x * 2)
    staged(ARRAY)
    staged(ARRAY.astype(float))
    assert len(staged.graphs) == 1


def test_a_list_of_them_is_refused():
    """A function may write into a list, so it gets no other list."""
    with pytest.raises(TypeError, match=r"xs\[0\] is an array of the dtype >f8"):
        rt.function(lambda xs: xs[0] + 1)([ARRAY])


def test_eager_calls_take_them():
    with rt.config.temporarily(run_functions_eagerly=True):
        assert outcome(rt.function(increased), ARRAY) == outcome(increased, ARRAY)
        np.testing.assert_array_equal(rt.grad(lambda x: np.sum(x * x))(ARRAY), 2 * ARRAY)


# -- arrays of other libraries ---------------------------------------------------------------------


class Foreign:
    """An array of another library, which has nothing but the protocol."""

    def __init__(self, array, device=1):
        self._array, self._device = array, device

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._device, 0


def test_arrays_of_other_libraries_share_a_graph_with_numpys():
    staged = rt.function(lambda x: x * 2 + 1)
    for array in (np.arange(3.0), np.ones(3)):
        np.testing.assert_array_equal(staged(Foreign(array)), array * 2 + 1)
        np.testing.assert_array_equal(staged(array), array * 2 + 1)
    assert len(staged.graphs) == 1
    assert staged.get_concrete_function(Foreign(np.ones(3))) is staged.graphs[0]


def test_they_come_in_without_a_copy():
    def increased(x):
        x[0] = 9
        return x

    array = np.arange(3.0)
    found = rt.function(increased)(Foreign(array))
    assert array[0] == 9 and np.shares_memory(found, array)
    assert np.shares_memory(xp.from_dlpack(Foreign(array)), array)
    assert np.shares_memory(np.from_dlpack(rt.function(lambda x: x)(array)), array)


@pytest.mark.parametrize("is_eager", [False, True])
def test_tuples_transformations_and_eager_calls_take_them(is_eager):
    array = np.arange(3.0)
    with rt.config.temporarily(run_functions_eagerly=is_eager):
        pair = rt.function(lambda pair: pair[0] @ pair[1])
        assert pair((Foreign(array), array)) == 5
        found = rt.function(rt.grad(lambda x: np.sum(x * x)))(Foreign(array))
        np.testing.assert_array_equal(found, 2 * array)
        from_protocol = rt.function(lambda x: xp.from_dlpack(x) + 1)
        np.testing.assert_array_equal(from_protocol(Foreign(array)), array + 1)


def test_the_memory_of_another_device_is_refused():
    with pytest.raises(TypeError, match="a Foreign in the memory of another device is passed"):
        rt.function(lambda x: x)(Foreign(np.ones(2), device=2))


# -- the namespace ---------------------------------------------------------------------------------


def standardized(x, n):
    z = (x - xp.mean(x, axis=0)) / xp.std(x, axis=0, correction=1)
    parts = [xp.zeros(n), xp.astype(xp.arange(n), xp.float64), xp.asarray([z[0], 1.0])]
    return z, xp.concat(parts), xp.linalg.vector_norm(z), xp.permute_dims(xp.eye(2), (1, 0)), xp.pi


def test_functions_of_the_namespace_work_eagerly_and_staged():
    x, n = np.array([1.0, 2.5, 4.0]), np.int64(2)
    wanted = repr(standardized(x, 2))
    assert repr(rt.function(standardized)(x, n)) == wanted
    with rt.config.temporarily(run_functions_eagerly=True):
        assert repr(rt.function(standardized)(x, n)) == wanted
    assert rt.array_api is xp and "sum" in dir(xp)


def test_the_namespace_has_names_of_the_standard_only():
    assert [name for name in dir(xp) if not hasattr(xp, name)] == []
    assert callable(xp.unique_values) and xp.__array_api_version__ == np.__array_api_version__
    with pytest.raises(AttributeError, match="the array API standard has no 'nansum'"):
        _ = xp.nansum
