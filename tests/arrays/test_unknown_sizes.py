"""Operations accept operands of which some sizes are known and others are staged.

    a = np.zeros(n); a += h          n is staged, h has 5 elements

Each op gets its examples again, with unknown sizes in place of some known ones.  NumPy functions of
two and three arrays are called in programs.  A mismatch raises NumPy's exception in the run.
"""

import itertools
import traceback
import warnings

import numpy as np
import pytest

import runtime as rt
from runtime.ir.op import records
from runtime.ir.pytree import flatten
from runtime.ir.types import TensorType, array_type, fits, type_of
from runtime.ops.examples import calls_of
from runtime.ops.open_sizes import LARGE
from runtime.tracing.numpy_api.registry import supported_functions

# -- the type rules --------------------------------------------------------------------------------


def opened(kinds, places):
    """The types with unknown sizes at some places: pairs of an operand and an axis."""
    return [
        array_type(
            kind.dtype,
            tuple(None if (i, axis) in places else n for axis, n in enumerate(kind.shape)),
        )
        if isinstance(kind, TensorType) and kind.shape
        else kind
        for i, kind in enumerate(kinds)
    ]


def choices(kinds):
    """Sets of sizes to forget: those of each operand, each single one, and the first axes."""
    shapes = [kind.shape if isinstance(kind, TensorType) else () for kind in kinds]
    places = [(i, axis) for i, shape in enumerate(shapes) for axis in range(len(shape))]
    found = [{place for place in places if place[0] == i} for i in range(len(kinds))]
    found += [{place} for place in places] + [{place for place in places if place[1] == 0}]
    return [one for i, one in enumerate(found) if one and one not in found[:i]]


def examples(ops):
    for op in ops:
        if op.eval is None:
            continue
        for operands, attributes in calls_of(op)[:2]:
            kinds = [type_of(operand) for operand in operands]
            if kinds and None not in kinds and op.infer_types(tuple(kinds), attributes, {}):
                yield op, operands, attributes, kinds


# The rank or the number of results is a size, or the rows are the operands.
REFUSED = {
    "squeeze",
    "histogramdd",
    "indices",
    "tile",
    "python_sorted",
    "list_new",
    "linalg_multi_dot",
}


def unfit(op, operands, attributes, kinds):
    """For each choice of unknown sizes, the reason why the type rule does not admit the result."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = list(map(type_of, flatten(op.evaluate(np, operands, attributes))[0]))
    for places in choices(kinds):
        try:
            types = op.infer_types(tuple(opened(kinds, places)), attributes, {})
        except (TypeError, ValueError, IndexError) as error:
            yield places, str(error)
            continue
        if len(types) == len(found):  # a list of results is one value
            yield (
                places,
                [f"{a} is no {b}" for a, b in zip(found, types, strict=True) if not fits(a, b)],
            )


def check_ops(selected):
    refused, count = set(), 0
    for op, *example in selected:
        for places, reason in unfit(op, *example):
            count += 1
            if isinstance(reason, str):
                refused.add(op.name)
            else:
                assert reason == [], (op.name, places)
    assert refused <= REFUSED
    return count


def test_ops_accept_unknown_sizes_beside_known_ones():
    assert check_ops(examples(records()[::12])) > 200


@pytest.mark.thorough
def test_every_op_accepts_unknown_sizes_beside_known_ones():
    assert check_ops(examples(records())) > 3000


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 5, 9])
def test_a_size_that_is_the_smaller_of_two_is_unknown(rows):
    def decomposed(x):
        return np.linalg.svd(x, full_matrices=False)[1], np.diagonal(x, 1), len(np.diagonal(x))

    staged = rt.function(decomposed, input_signature=[rt.TensorSpec((None, 3), float)])
    x = np.arange(rows * 3.0).reshape(rows, 3)
    for found, wanted in zip(staged(x), decomposed(x), strict=True):
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted)


# -- programs --------------------------------------------------------------------------------------

KNOWN, N = np.linspace(0.1, 0.9, 5), np.int64(5)
MATRIX = np.eye(5) + np.arange(25.0).reshape(5, 5) / 10
PROGRAMS = {
    "unknown, known": (lambda f: lambda h, n: f(np.full(n, 0.5), h), KNOWN),
    "known, unknown": (lambda f: lambda h, n: f(h, np.full(n, 0.5)), KNOWN),
    "integers": (lambda f: lambda h, n: f(np.full(n, 2), h), np.arange(5) + 1),
    "matrix, unknown": (lambda f: lambda h, n: f(h, np.full((n, n), 0.5) + np.eye(n)), MATRIX),
    "unknown, matrix": (lambda f: lambda h, n: f(np.full((n, n), 0.5) + np.eye(n), h), MATRIX),
    "a sequence": (lambda f: lambda h, n: f([np.full(n, 0.5), h]), KNOWN),
    "three": (lambda f: lambda h, n: f(h > 0.5, np.full(n, 0.5), h), KNOWN),
}
# Functions of scalars and shapes, and those whose results depend on arbitrary memory.
LEFT_OUT = {
    np.empty_like,
    np.ix_,
    np.broadcast_to,
    np.lexsort,
    np.choose,
    np.select,
    np.asfortranarray,
}
LEFT_OUT |= {np.histogramdd, np.broadcast_arrays, np.meshgrid, np.nan_to_num}


def functions():
    """The supported functions of NumPy, each once."""
    found = (f for f in supported_functions() if f not in LEFT_OUT)
    return [f for f in dict.fromkeys(found) if (getattr(f, "__module__", "") or "np") != "math"]


def accepted(function, *args):
    """The result of a function; None if NumPy itself raises an exception."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args)
        except Exception:  # also NumPy's own for a function that takes no arrays
            return None


def agree(function, h):
    """Whether a program gives NumPy's result, None if NumPy gives none."""
    wanted = accepted(function, h.copy(), N)
    if wanted is None:
        return None
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return repr(rt.function(function)(h, N)) == repr(wanted)


@pytest.mark.parametrize("how", PROGRAMS)
def test_functions_of_known_and_unknown_sizes(how):
    build, h = PROGRAMS[how]
    is_representative = slice(None, None, 9)
    found = [(f, agree(build(f), h)) for f in functions()[is_representative]]
    assert [f for f, agrees in found if agrees is False] == []
    assert sum(agrees is True for _, agrees in found) >= 3


def writes(h, n):
    a = np.zeros(n)
    a += h
    a[:] = a + h
    b = np.zeros((n, n))
    b[0] = h
    b[:, 1] = a
    b *= h
    np.multiply(b, a, out=b)
    return (
        a,
        b,
        b @ h,
        h @ b,
        np.where(b > h, b, h),
        np.concatenate([a, h]),
        np.stack([h, a]),
        a < h,
    )


def test_writes_and_operators():
    for wanted, found in zip(writes(KNOWN, N), rt.function(writes)(KNOWN, N), strict=True):
        np.testing.assert_array_equal(found, wanted, strict=True)


def two_sizes(a, b, n, m):
    c = np.ones((n, m))
    return c @ b, a @ c, np.einsum("i,ij,j->", a, c, b), np.outer(a, b) + c


def test_unknown_sizes_match_different_known_ones():
    arguments = np.arange(3.0), np.arange(7.0), np.int64(3), np.int64(7)
    for wanted, found in zip(
        two_sizes(*arguments), rt.function(two_sizes)(*arguments), strict=True
    ):
        np.testing.assert_array_equal(found, wanted, strict=True)


def test_gradients_and_batches_go_through_them():
    def loss(h, n):
        a = np.ones(n)
        a += h
        return np.sum(np.dot(a, h) * np.maximum(a, h))

    np.testing.assert_allclose(
        rt.function(rt.grad(loss))(KNOWN, N), rt.grad(loss)(KNOWN, 5), rtol=1e-12
    )
    rows = np.stack([KNOWN, KNOWN * 2])
    mapped = rt.function(rt.vmap(loss, in_axes=(0, None)))(rows, N)
    np.testing.assert_allclose(mapped, [loss(row, 5) for row in rows], rtol=1e-12)


def test_examples_of_large_known_sizes_stay_small():
    size = 40 * LARGE

    def solved(b, n):
        return np.linalg.solve(np.eye(n) * 2, b)

    function = rt.function(solved)
    kind = function.get_concrete_function(np.ones(size), np.int64(size)).graph.outputs[0].type
    assert str(kind) == "f64[None]"


# -- mismatches ------------------------------------------------------------------------------------


def added(h, n):
    return np.zeros((n, 3)) + h


def added_in_place(h, n):
    a = np.zeros((n, 3))
    a += h
    return a


def written(h, n):
    a = np.zeros((n, 3))
    a[0] = h
    return a


def multiplied(h, n):
    return np.dot(np.zeros((n, 3)), h)


def joined(h, n):
    return np.concatenate([np.zeros((n, 3)), np.zeros((2, 4)) + h[0]])


def solved(h, n):
    return np.linalg.solve(np.zeros((n, n, 2, 3)), h)


def in_a_branch(h, n):
    if h[0] > 0:
        return np.zeros((n, 3)) * h
    return np.zeros((n, 3)) + h


MISMATCHES = added, added_in_place, written, multiplied, joined, solved, in_a_branch


@pytest.mark.parametrize("function", MISMATCHES)
def test_a_mismatch_raises_numpys_exception_with_the_users_line(function):
    with pytest.raises(ValueError) as wanted:
        function(KNOWN, 4)
    staged = rt.function(function)
    for n in (4, 6):
        with pytest.raises(ValueError) as wanted:
            function(KNOWN, n)
        with pytest.raises(ValueError) as found:
            staged(KNOWN, np.int64(n))
        assert type(found.value) is type(wanted.value)
        assert str(found.value) == str(wanted.value)
        last = [entry for entry in traceback.extract_tb(found.tb) if entry.filename == __file__][-1]
        assert last.lineno == traceback.extract_tb(wanted.tb)[1].lineno


def test_a_handler_sees_a_mismatch_that_every_run_has():
    def handled(h, n):
        try:
            return np.zeros((n, 3)) + h
        except ValueError:
            return h

    np.testing.assert_array_equal(rt.function(handled)(KNOWN, np.int64(4)), KNOWN)


@pytest.mark.thorough
@pytest.mark.parametrize("how", PROGRAMS)
def test_all_functions_of_known_and_unknown_sizes(how):
    build, h = PROGRAMS[how]
    found = [(f, agree(build(f), h)) for f in functions()]
    assert [f for f, agrees in found if agrees is False] == []


def test_sizes_are_tried_in_combination():
    shapes = list(itertools.permutations((3, 7)))
    for rows, columns in shapes:
        np.testing.assert_array_equal(
            rt.function(two_sizes)(
                np.ones(rows), np.ones(columns), np.int64(rows), np.int64(columns)
            )[0],
            np.full(rows, float(columns)),
        )
