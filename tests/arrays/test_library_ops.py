"""NumPy's functions that graphs call as they are give what NumPy gives, whatever is known."""

import copy
import inspect
import itertools
import math
import warnings

import numpy as np
import pytest

import runtime as rt
from runtime.ops.library import LIBRARY
from runtime.ops.updates import AFTER

VECTOR = np.array([0.5, -1.0, 0.25])
POSITIVE = np.array([0.5, 2.0, 1.25])
MATRIX = np.array([[1.5, -2.0, 0.25], [4.0, 0.0, -6.5]])
SQUARE = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 5.0]])
WHOLE = np.array([2, 0, 1])
BITS = np.array([True, False, True])
BYTES = np.array([3, 200, 7], np.uint8)
CUBE = np.arange(16.0).reshape(2, 2, 2, 2) + np.eye(4).reshape(2, 2, 2, 2) * 9
NUMBER, SMALL = np.float64(0.5), np.int64(3)

# What the functions are called with, until they take it: at least one of these for each.
ARGUMENTS = [
    (VECTOR,), (POSITIVE,), (MATRIX,), (SQUARE,), (WHOLE,), (BITS,), (BYTES,), (CUBE,),
    (NUMBER,), (SMALL,), (VECTOR, POSITIVE), (SQUARE, VECTOR), (WHOLE, SMALL), (BITS, VECTOR),
    (SQUARE, 2), (WHOLE, (VECTOR, POSITIVE, VECTOR)), ((BITS, ~BITS), (VECTOR, POSITIVE)),
    ((SQUARE, SQUARE),), ((WHOLE, WHOLE),), (NUMBER, 3.0), (VECTOR, VECTOR, 1), (VECTOR, 1),
    (VECTOR, 50), (POSITIVE, 0.5), (VECTOR, (1, 2), (3.0, 4.0)), (VECTOR, 1, 9.0), (SMALL, (2, 5)),
    ((WHOLE, WHOLE), (3, 3)), ("ij,jk->ik", SQUARE, SQUARE), (CUBE, np.ones((2, 2))),
    (VECTOR, WHOLE, 0), (VECTOR, WHOLE), (NUMBER, SMALL, 5), (WHOLE, SMALL, 5), ((VECTOR, NUMBER),),
    ((VECTOR, VECTOR), (POSITIVE, VECTOR)), (SMALL, np.int64(2)), (BITS, BITS),
    (WHOLE, (0, 2)), (POSITIVE, (0, 2)), (VECTOR, SQUARE), (SQUARE, SQUARE), (NUMBER, 2),
]  # fmt: skip


def outcome(fn, arguments):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return fn(*copy.deepcopy(arguments))  # some write into what they are given
        except (TypeError, ValueError, IndexError, OverflowError, AttributeError) as error:
            return error


def same(one, other):
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (np.ndarray, np.generic)):
        is_equal = np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
        return one.dtype == other.dtype and one.shape == other.shape and is_equal
    return one == other or one != one and other != other


def calling(function):
    """A function of staged leaves that calls another with them, in the structure they had."""
    if getattr(function, "__module__", None) == "math":
        return lambda *arguments: getattr(math, function.__name__)(*arguments)
    return lambda *arguments: function(*arguments)


@pytest.mark.parametrize("function", LIBRARY, ids=lambda f: LIBRARY[f].name)
def test_a_function_gives_what_it_gives_without_a_graph(function):
    answered = 0
    for arguments in ARGUMENTS:
        expected = outcome(function, arguments)
        if isinstance(expected, Exception) or function in (max, min) and np.ndim(arguments[0]) == 0:
            continue  # of a NumPy number and one of Python's, a graph gives NumPy's
        result = outcome(rt.function(calling(function)), arguments)
        if isinstance(result, rt.StagingError) or "graphs do not hold" in str(result):
            continue
        assert same(result, expected), (arguments, result, expected)
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
            assert same(outcome(rt.function(changed), (x, y)), expected)
            answered += 1
    assert answered


def test_sizes_that_only_a_run_can_tell_are_not_known_beforehand():
    def f(x):
        kept = x[x > 0]
        return np.diff(kept), np.percentile(kept, 50), np.outer(kept, kept) @ np.ones_like(kept)

    assert same(rt.function(f)(POSITIVE), f(POSITIVE))
    graph = str(rt.function(f).get_concrete_function(POSITIVE).graph)
    assert "f64[None]" in graph
    for values in ([-1.0, -2.0], [1.0, 2.0, -3.0], [4.0, 5.0, 6.0]):
        array = np.array(values)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            concrete = rt.function(f)
            assert same(outcome(concrete, (array,)), outcome(f, (array,))) or not (array > 0).any()


def test_the_graph_of_such_functions_is_text_that_parses():
    def f(x):
        q, r = np.linalg.qr(x)
        return np.percentile(q @ r, [25, 75], axis=0), np.pad(x, ((1, 0), (0, 1)), "edge")

    graph = rt.function(f).get_concrete_function(SQUARE).graph
    assert rt.show(rt.parse(rt.show(graph))) == rt.show(graph)
    source = rt.function(f).get_concrete_function(SQUARE).source
    assert "np.percentile(" in source and "np.pad(" in source


def test_errors_are_numpys_own_with_the_users_line():
    @rt.function
    def f(x):
        return np.linalg.inv(x)

    with pytest.raises(np.linalg.LinAlgError, match="must be square"):
        f(MATRIX)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        f(np.zeros((2, 2)))


def test_functions_of_math_give_numbers_of_pythons_and_its_errors():
    @rt.function
    def f(x):
        return math.sqrt(x), math.floor(x), round(x), round(x, 1)

    result = f(np.float64(2.25))
    expected = math.sqrt(2.25), 2, 2, np.float64(2.2)
    assert same(result, expected)
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
def test_what_changes_an_array_changes_it_for_the_caller_too(name):
    def f(x):
        CHANGES[name](x)
        return x + 0

    one, other = MATRIX.copy(), MATRIX.copy()
    assert same(rt.function(f)(one), f(other))
    assert same(one, other)


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
    assert same(rt.function(call)(MATRIX), call(MATRIX)), inspect.getsource(call)


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


def test_any_and_all_of_staged_elements_are_pythons_truth():
    for x, y in itertools.product((0.0, 2.0, 9.0), repeat=2):
        arguments = np.float64(x), np.float64(y)
        assert same(rt.function(decisions)(*arguments), decisions(*arguments))
    for array in (VECTOR, np.zeros(2), np.zeros(0)):
        result = rt.function(lambda v: (any(v), all(v)))(array)
        assert same(result, (any(array), all(array)))


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
def test_what_would_write_into_an_operand_behind_the_graph_is_refused(call):
    with pytest.raises(rt.StagingError, match="does not work on staged values"):
        rt.function(call)(MATRIX.copy())
