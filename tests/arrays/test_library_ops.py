"""NumPy functions that graphs call directly have the results of NumPy, also for unknown sizes."""

import copy
import inspect
import itertools
import math
import warnings

import numpy as np
import pytest
from numpy_calls import ARGUMENTS, BITS, MATRIX, POSITIVE, SQUARE, VECTOR, WHOLE, calling
from outcomes import result_or_error, same_exactly

import runtime as rt
from runtime.ops.library import LIBRARY
from runtime.ops.updates import AFTER

REFUSALS = TypeError, ValueError, IndexError, OverflowError, AttributeError


def outcome(fn, arguments):
    """The result of a call with copies of the arguments, or its exception."""
    return result_or_error(fn, copy.deepcopy(arguments), REFUSALS)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("function", LIBRARY, ids=lambda f: LIBRARY[f].name)
def test_a_function_returns_the_same_in_a_graph(function):
    answered = 0
    for arguments in ARGUMENTS:
        expected = outcome(function, arguments)
        if isinstance(expected, Exception) or function in (max, min) and np.ndim(arguments[0]) == 0:
            continue  # for a NumPy scalar and a Python scalar, a graph returns a NumPy scalar
        result = outcome(rt.function(calling(function)), arguments)
        if isinstance(result, rt.StagingError) or "graphs do not hold" in str(result):
            continue
        assert same_exactly(result, expected), (arguments, result, expected)
        answered += 1
    assert answered


BINARY = [f for f in AFTER if isinstance(f, np.ufunc) and f.nin == 2]


@pytest.mark.parametrize("ufunc", BINARY, ids=lambda ufunc: ufunc.__name__)
def test_at_changes_an_array_in_place(ufunc):
    def changed(x, y):
        x = x.copy()
        ufunc.at(x, [0, 0, 2], y)
        return x

    answered = 0
    for x, y in itertools.product((VECTOR, WHOLE, BITS), repeat=2):
        expected = outcome(changed, (x, y))
        if not isinstance(expected, Exception):
            assert same_exactly(outcome(rt.function(changed), (x, y)), expected)
            answered += 1
    assert answered


def test_sizes_that_depend_on_elements_are_unknown_in_the_graph():
    def f(x):
        kept = x[x > 0]
        return np.diff(kept), np.percentile(kept, 50), np.outer(kept, kept) @ np.ones_like(kept)

    assert same_exactly(rt.function(f)(POSITIVE), f(POSITIVE))
    graph = str(rt.function(f).get_concrete_function(POSITIVE).graph)
    assert "f64[None]" in graph
    for values in ([-1.0, -2.0], [1.0, 2.0, -3.0], [4.0, 5.0, 6.0]):
        array = np.array(values)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            concrete = rt.function(f)
            assert (
                same_exactly(outcome(concrete, (array,)), outcome(f, (array,)))
                or not (array > 0).any()
            )


def test_the_printed_graph_of_library_functions_parses():
    def f(x):
        q, r = np.linalg.qr(x)
        return np.percentile(q @ r, [25, 75], axis=0), np.pad(x, ((1, 0), (0, 1)), "edge")

    graph = rt.function(f).get_concrete_function(SQUARE).graph
    assert rt.show(rt.parse(rt.show(graph))) == rt.show(graph)
    source = rt.function(f).get_concrete_function(SQUARE).source
    assert "np.percentile(" in source and "np.pad(" in source


def test_errors_are_those_of_numpy_with_the_users_line():
    @rt.function
    def f(x):
        return np.linalg.inv(x)

    with pytest.raises(np.linalg.LinAlgError, match="must be square"):
        f(MATRIX)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        f(np.zeros((2, 2)))


def test_functions_of_math_return_python_scalars_and_raise_python_errors():
    @rt.function
    def f(x):
        return math.sqrt(x), math.floor(x), round(x), round(x, 1)

    result = f(np.float64(2.25))
    expected = math.sqrt(2.25), 2, 2, np.float64(2.2)
    assert same_exactly(result, expected)
    with pytest.raises(ValueError, match="math domain error"):
        f(np.float64(-1.0))


CHANGES = {
    "out": lambda x: np.nansum(x, axis=0, out=x[0]),
    "out by its place": lambda x: np.choose([0, 1, 0], [x[0] + 1, x[1]], x[0]),
    "out of a ufunc": lambda x: np.hypot(x, 2.0, out=x),
    "copyto": lambda x: np.copyto(x, 7.0),
    "copyto where": lambda x: np.copyto(x, [1.0, 2.0, 3.0], where=x > 1),
    "put": lambda x: np.put(x, [0, 4], [8.0, 9.0]),
    "putmask": lambda x: np.putmask(x, x > 1, 0.0),
    "fill_diagonal": lambda x: np.fill_diagonal(x, 5.0),
    "fill": lambda x: x.fill(2.0),
    "sort": lambda x: x.sort(),
    "transposed": lambda x: x.T.__setitem__(0, 1.0),
    "swapped": lambda x: x.swapaxes(0, 1).__setitem__((0, 1), -1.0),
    "a new axis": lambda x: np.expand_dims(x, 0).__setitem__((0, 1), -1.0),
    "parts": lambda x: np.split(x, 3, axis=1)[1].__setitem__(Ellipsis, 0.0),
    "moved": lambda x: np.moveaxis(x, 0, 1).__setitem__(2, 0.0),
    "reversed": lambda x: np.fliplr(x).__setitem__((0, 0), 100.0),
}


@pytest.mark.parametrize("name", CHANGES)
def test_in_place_functions_change_the_callers_array(name):
    def f(x):
        CHANGES[name](x)
        return x + 0

    one, other = MATRIX.copy(), MATRIX.copy()
    assert same_exactly(rt.function(f)(one), f(other))
    assert same_exactly(one, other)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: (x.real, x.imag, (x * 1j).real, np.abs(x * 1j), np.angle(x * 1j)),
        lambda x: (x.item(0), x.item(1, 2), x.tolist(), x[0].tolist()),
        lambda x: (type(x) is np.ndarray, type(x[0, 0]) is np.float64, isinstance(x, np.ndarray)),
        lambda x: (np.float32(x), np.int8(x[0, 0]), np.float64(3)),
        lambda x: (np.diag(x), np.diag(x[0]), np.diagonal(x, 1), x.trace(), x.nonzero()),
        lambda x: (np.where(x > 1), x.repeat(2), x[0].searchsorted(0.5), x.conj()),
        lambda x: (np.add.reduce(x), np.multiply.accumulate(x, axis=1), np.subtract.outer(x, x)),
        lambda x: (np.hypot(x, x), np.gcd(4, np.int64(6)), np.copysign(x, -1), np.modf(x)),
    ],
)
def test_methods_attributes_and_types_of_arrays(call):
    assert same_exactly(rt.function(call)(MATRIX), call(MATRIX)), inspect.getsource(call)


def decisions(x, y):
    kept = [x > 1]
    kept.append(y > 5)
    return (
        any(kept),
        any([x > 1, y > 5]),
        all((x > 1, y > 1, True)),
        any(x > 2 for _ in ()),
        all([]),
    )


def test_any_and_all_of_staged_elements_behave_as_in_python():
    for x, y in itertools.product((0.0, 2.0, 9.0), repeat=2):
        arguments = np.float64(x), np.float64(y)
        assert same_exactly(rt.function(decisions)(*arguments), decisions(*arguments))
    for array in (VECTOR, np.zeros(2), np.zeros(0)):
        result = rt.function(lambda v: (any(v), all(v)))(array)
        assert same_exactly(result, (any(array), all(array)))


def test_any_of_a_generator_stops_where_python_would(capsys):
    def first_above(v, limit):
        def is_above(one):
            print(one)
            return one > limit

        return any(is_above(one) for one in v)

    assert rt.function(first_above)(np.arange(5.0), np.float64(1.5)) is True
    assert capsys.readouterr().out == "0.0\n1.0\n2.0\n"


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.median(x, overwrite_input=True),
        lambda x: np.percentile(x, 50, overwrite_input=True),
    ],
)
def test_functions_that_write_into_an_operand_unseen_by_the_graph_are_refused(call):
    with pytest.raises(rt.StagingError, match="does not work on staged values"):
        rt.function(call)(MATRIX.copy())
