"""Strides, flags, shapes that are assigned, orders of memory, and results of any dtype."""

import numpy as np
import pytest
from memory_layouts import PROGRAMS, ROTATION, SQUARE, TABLE
from support.every_mode import check_in_every_mode, in_mode
from support.outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt

LAYOUTS = {
    "C": TABLE,
    "F": np.asfortranarray(TABLE),
    "rows": np.arange(24.0).reshape(6, 4)[::2],
    "columns": np.arange(24.0).reshape(3, 8)[:, 2:6],
    "transposed": TABLE.reshape(4, 3).T,
    "backwards": TABLE[::-1],
    "one row": TABLE[:1],
    "one column": TABLE[:, :1],
}
WRITING = "as_strided_before_a_write as_strided_written nditer_with_options strides_after_a_write"
OF_TABLES = [
    name
    for name, one in PROGRAMS.items()
    if one.arguments[0] is TABLE
    and name not in (*WRITING.split(), "as_strided_overlapping_written")
]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


@pytest.mark.parametrize("mode", ["traced", "sizes"])
@pytest.mark.parametrize("name", OF_TABLES)
def test_one_function_serves_every_layout(name, mode):
    """A result is that of NumPy for the layout, or a refusal."""
    function, plain = in_mode(PROGRAMS[name], mode), PROGRAMS[name].function
    for array in LAYOUTS.values():
        with quiet():
            try:
                found = function(array)
            except Exception as error:
                is_refused = isinstance(error, rt.StagingError)
                assert is_refused or type(error) is type(outcome(plain, (array,)).error)
                continue
            assert same_exactly(found, plain(array))


def test_another_layout_is_another_graph():
    function = rt.function(lambda a: a.strides)
    for array in (TABLE, LAYOUTS["F"], TABLE, LAYOUTS["F"]):
        assert function(array) == array.strides
    assert len(function.graphs) == 2
    assert "a has another memory layout than before" in function.explain_retraces()


def test_flags_cannot_be_set_and_owndata_is_not_known():
    def frozen(a):
        b = a + 1
        b.flags.writeable = False
        return b

    with pytest.raises(rt.StagingError, match="flags.writeable of a staged array is set"):
        rt.function(frozen)(TABLE)
    with pytest.raises(rt.StagingError, match="owndata"):
        rt.function(lambda a: a.flags.owndata)(TABLE)


def test_python_numbers_have_no_layout():
    with pytest.raises(AttributeError, match="'int' object has no attribute 'flags'"):
        rt.function(lambda n: int(n).flags)(np.int64(1))


@pytest.mark.parametrize("function", [np.linalg.eig, np.linalg.eigvals])
def test_each_call_has_the_dtype_that_numpy_gives_it(function):
    def doubled(a):
        found = function(a)
        return tuple(found) if isinstance(found, tuple) else found * 2

    for first, second in ((SQUARE[:2, :2], ROTATION), (ROTATION, SQUARE[:2, :2])):
        staged = rt.function(doubled)
        for given in (first, second, first):
            assert same_exactly(staged(given), doubled(given))
        assert len(staged.graphs) == 1


def test_another_dtype_after_an_effect_is_an_error(capsys):
    @rt.function
    def shown(a):
        print(a[1])
        return np.roots(a)

    shown(np.array([1.0, -3.0, 2.0]))
    with pytest.raises(rt.StagingError, match="has returned c128"):
        shown(np.array([1.0, 0.0, 1.0]))
    assert capsys.readouterr().out == "-3.0\n0.0\n"


def slopes(function, x):
    """The derivatives of a function by central differences."""
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        found[place] = (function(x + step) - function(x - step)) / 2e-6
    return found


WEIGHTS = np.array([1.0, -2.0, 3.0])
VECTORS = np.array([[0.5, 1.0, -1.0], [2.0, 0.3, 0.7], [-0.4, 0.9, 1.1]])


def of_values(a):
    return np.sum(np.linalg.eigvals(a) * WEIGHTS)


def of_vectors(a):
    w, v = np.linalg.eig(a)
    return np.sum(w * WEIGHTS) + np.sum(v * VECTORS)


def of_roots(p):
    return np.sum(np.roots(p) * WEIGHTS)


@pytest.mark.parametrize(
    ("function", "x"),
    [(of_values, SQUARE), (of_vectors, SQUARE), (of_roots, np.array([1.0, -6.0, 11.0, -6.0]))],
)
def test_gradients_are_those_of_differences(function, x):
    if function is not of_roots and np.linalg.eigvals(np.eye(2)).dtype.kind == "c":
        pytest.skip("this NumPy returns complex eigenvalues, which have no derivative here")
    for gradient in (rt.grad(function), rt.function(rt.grad(function))):
        np.testing.assert_allclose(gradient(x), slopes(function, x), rtol=1e-6, atol=1e-7)


def test_complex_eigenvalues_have_no_derivative():
    with pytest.raises(rt.StagingError, match="No derivative is known of np.eig with complex"):
        rt.grad(lambda a: np.sum(np.abs(np.linalg.eigvals(a))))(ROTATION)


def test_an_index_outside_is_found_at_once_and_an_element_of_a_loop_exists():
    def programs(x, n):
        try:
            first = x[5]
        except IndexError:
            first = x[0]
        total = 0.0
        try:
            for row in np.outer(x, x):
                total = total + row.sum()
        except IndexError:
            total = -1.0
        return first, total

    arguments = (np.arange(3.0), np.int64(1))
    check_same(
        outcome(rt.function(programs), arguments), outcome(programs, arguments), same_exactly
    )


def test_an_index_of_the_user_in_a_loop_may_be_outside():
    def mapped(x, n):
        total = 0.0
        try:
            for v in map(lambda row: x[n], x):
                total = total + v
        except IndexError:
            total = -1.0
        return total

    staged = rt.function(mapped)
    for n in (1, 9):
        assert staged(np.arange(3.0), np.int64(n)) == mapped(np.arange(3.0), n)
