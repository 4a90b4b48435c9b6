"""Every op whose results can be floats has a differentiation rule, and the rule is correct.

The file is long because it is a collection of independent tests.
"""

import itertools
import warnings

import numpy as np
import pytest
from derivative_rules import (
    Sample,
    as_it_is,
    check,
    cotangents,
    drawn,
    floats,
    is_float,
    raw,
    recorded,
    samples,
)

import autograph
import runtime as rt
from runtime.ir import op as ops
from runtime.ir.derivative import Adjoint, PartialCotangent, Partials
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot
from runtime.ir.types import type_of
from runtime.ops.library import is_library_op

RNG = np.random.default_rng(5)
RECORDS = {record.name: record for record in ops.records()}

# -- elementwise -----------------------------------------------------------------------------------

WIDE = np.array([[1.53, -2.21, 0.74], [3.27, 0.52, -0.36]])
NARROW = np.array([[0.51, -0.23, 0.77], [0.12, 0.86, -0.37]])
LARGE = np.array([[1.57, 2.29, 5.71], [3.21, 10.6, 1.37]])
ROW = np.array([1.28, -0.47, 1.9])
UPWARDS = np.array([0.27, 1.59, 3.1])
ELEMENTWISE = [
    record
    for record in RECORDS.values()
    if not is_library_op(record)
    and (isinstance(record.numpy, np.ufunc) or record.name in ("pow", "divmod"))
    and record.numpy is not np.matmul
]
ARGUMENTS = {
    1: [(WIDE,), (NARROW,), (LARGE,), (np.float64(0.3),), (np.array(1.7),), (np.zeros((0, 2)),)],
    2: [
        (WIDE, ROW), (LARGE, ROW), (LARGE, UPWARDS), (WIDE[:, :1], UPWARDS), (LARGE, np.array(1.5)),
        (NARROW, 2), (LARGE, 0.5), (2, WIDE), (0.5, ROW), (WIDE, np.array([1, -2, 3])),
        (np.float64(1.5), np.float64(2.5)), (np.zeros((0, 3)), ROW), (np.array([3, -2, 1]), WIDE),
    ],
}  # fmt: skip


def arity(record):
    return record.numpy.nin if isinstance(record.numpy, np.ufunc) else 2


def sampled(record, operands):
    """The operation on some operands; None if it does not accept them."""
    sample = Sample(record, operands)
    try:
        result = sample.result
    except (TypeError, ValueError):
        return None
    return sample if floats(result) else None


def only_finite(sample):
    """The sample, restricted to the elements with finite results."""
    shape = np.broadcast_shapes(*map(np.shape, sample.operands))
    if not shape:
        return sample
    rows = [np.broadcast_to(o, shape) if np.ndim(o) else o for o in sample.operands]
    keep = np.all([np.isfinite(leaf) for leaf in floats(sample.result)], axis=0)
    return sample.given(row[keep] if np.ndim(row) else row for row in rows)


@pytest.mark.parametrize("record", ELEMENTWISE, ids=lambda record: record.name)
def test_an_elementwise_rule_agrees_with_central_differences(record):
    is_about_floats, compared = False, 0
    for operands in ARGUMENTS[arity(record)]:
        sample = sampled(record, operands)
        if sample is None:
            continue
        is_about_floats = True
        assert record.derivative is not None, f"{record.name} has no rule"
        compared += check(only_finite(sample), RNG)
        if np.size(sample.result) == len(floats(sample.result)) == 0:
            compared += check(sample, RNG)
    assert compared or not is_about_floats


@pytest.mark.parametrize("record", ELEMENTWISE, ids=lambda record: record.name)
def test_an_elementwise_rule_is_correct_for_complex_numbers(record):
    for operands in ARGUMENTS[arity(record)]:
        turned = tuple(
            o + 1j * (0.25 + np.abs(NARROW.ravel()[: np.size(o)].reshape(np.shape(o))) / 2)
            if is_float(o) and np.size(o) else o
            for o in operands
        )  # fmt: skip
        sample = sampled(record, turned)
        if sample is not None and record.derivative is not None:
            check(only_finite(sample), RNG)


@pytest.mark.parametrize("record", ELEMENTWISE, ids=lambda record: record.name)
def test_an_elementwise_rule_agrees_with_the_complex_step(record):
    rule = record.derivative
    has_complex = isinstance(record.numpy, np.ufunc) and "D" in "".join(record.numpy.types)
    if not isinstance(rule, Partials) or not has_complex or record.name in ("absolute", "sign"):
        return
    compared = 0
    for operands in ARGUMENTS[arity(record)]:
        for place, operand in enumerate(operands):
            if not is_float(operand):
                continue
            shifted = tuple(o + 1e-6 if i == place else o for i, o in enumerate(operands))
            stepped = tuple(o + 1e-30j if i == place else o for i, o in enumerate(operands))
            real, sample = sampled(record, operands), sampled(record, stepped)
            if sample is None or real is None or np.iscomplexobj(real.result):
                continue
            with np.errstate(all="ignore"):
                expected = np.imag(sample.result) / 1e-30
                is_inside = np.isfinite(real.given(shifted).result)
                partial = rule.partial(place, real.result, operands)
            kept = np.isfinite(real.result) & np.isfinite(expected) & is_inside
            np.testing.assert_allclose(
                np.broadcast_to(partial, np.shape(expected))[kept],
                expected[kept],
                rtol=2e-13,
                atol=1e-15,
            )
            compared += np.sum(kept)
    assert compared or rule.formulas == ("0",)


@pytest.mark.parametrize("record", ELEMENTWISE, ids=lambda record: record.name)
def test_an_elementwise_rule_stays_in_single_precision(record):
    for operands, kind in itertools.product(ARGUMENTS[arity(record)], (np.float32, np.complex64)):
        single = tuple(
            kind(o)
            if isinstance(o, np.generic)
            else o.astype(kind)
            if is_float(o) and not isinstance(o, float)
            else o
            for o in operands
        )
        sample = sampled(record, single)
        if sample is None or record.derivative is None:
            continue
        if any(np.asarray(leaf).dtype.itemsize > kind().itemsize for leaf in floats(sample.result)):
            continue  # such as for i64 and f32
        with np.errstate(all="ignore"):
            result = sample.result
            found = raw(sample, result, drawn(RNG, result))
        for cotangent, operand in zip(found, single, strict=True):
            if cotangent is not None and is_float(operand) and not isinstance(operand, float):
                assert np.asarray(cotangent).dtype.itemsize <= 8, (sample, cotangent)
                assert np.asarray(cotangent).dtype not in (np.float64, np.complex128), sample


EDGES = {
    "x ** 2 at 0": (lambda x: x**2, [0.0], [0.0]),
    "x ** 1 at 0": (lambda x: x**1, [0.0], [1.0]),
    "x ** 0 at 0": (lambda x: x**0, [0.0], [0.0]),
    "x ** 3 below 0": (lambda x: x**3, [-2.0], [12.0]),
    "x ** -1": (lambda x: x**-1, [2.0], [-0.25]),
    "x ** [0, 1, 2] at 0": (lambda x: x ** np.array([0.0, 1.0, 2.0]), [0.0] * 3, [0.0, 1.0, 0.0]),
    "0 ** x": (lambda x: 0.0**x, [2.0], [0.0]),
    "2 ** x at 0": (lambda x: 2.0**x, [0.0], [np.log(2.0)]),
    "[0, 2] ** x": (lambda x: np.array([0.0, 2.0]) ** x, [1.0, 1.0], [0.0, 2 * np.log(2.0)]),
    "|x| at 0": (lambda x: abs(x), [0.0, -3.0], [0.0, -1.0]),
    "maximum of equals": (lambda x: np.maximum(x, 1.0), [1.0, 2.0, 0.0], [0.5, 1.0, 0.0]),
    "fmin beside nan": (lambda x: np.fmin(x, np.nan), [1.0], [1.0]),
    "hypot at the origin": (lambda x: np.hypot(x, 0.0), [0.0], [0.0]),
    "hypot of large numbers": (lambda x: np.hypot(x, 1e200), [1e200], [np.sqrt(0.5)]),
    "logaddexp far away": (lambda x: np.logaddexp(x, 0.0), [1e3, -1e3], [1.0, 0.0]),
    "logaddexp of nothing": (lambda x: np.logaddexp(x, -np.inf), [-np.inf, 0.0], [1.0, 1.0]),
    "log1p of little": (lambda x: np.log1p(x), [1e-300], [1.0]),
    "expm1 of much less than 0": (lambda x: np.expm1(x), [-50.0], [np.exp(-50.0)]),
    "arcsinh of much": (lambda x: np.arcsinh(x), [1e200], [1e-200]),
    "where": (lambda x: np.where(x > 0, x, 0.0), [2.0, -2.0], [1.0, 0.0]),
    "cbrt": (lambda x: np.cbrt(x), [8.0, -8.0], [1 / 12, 1 / 12]),
    "remainder": (lambda x: 7.0 % x, [2.0, -2.0], [-3.0, 4.0]),
    "fmod": (lambda x: np.fmod(7.0, x), [2.0, -2.0], [-3.0, 3.0]),
}


@pytest.mark.parametrize("name", EDGES)
def test_a_rule_returns_the_limit_at_the_edges_of_its_domain_without_warnings(name):
    function, x, expected = EDGES[name]
    x = np.array(x)
    for sample in samples(function, x):
        if not floats(sample.result) or not isinstance(sample.op.derivative, (Partials, Adjoint)):
            continue
        with warnings.catch_warnings(), np.errstate(all="warn", under="ignore"):
            warnings.simplefilter("error")
            found = cotangents(sample, np.ones_like(sample.result))
        for cotangent, operand in zip(found, sample.operands, strict=True):
            if operand is x:
                np.testing.assert_allclose(cotangent, expected, rtol=1e-14)
                return
    raise AssertionError("the operand was not found")


# -- ops that gradients consist of, and others that no program here traces -------------------------

ELEMENT = type_of(np.float64(0))
ITEMS = [np.float64(1.5), np.float64(-0.5), np.float64(2.25)]
ARRAYS = [ROW, ROW * 2]
_0, _1 = Slot(0), Slot(1)
OWN = {
    "added_at": [
        ((WIDE, WIDE[0], np.array([1, 1, 0])), {"at": (_0, 1)}), ((WIDE, ROW), {"at": (1,)}),
        ((WIDE, np.float64(2.5), WIDE > 0), {"at": (_0,)}),
    ],
    "sum_to": [((WIDE,), {"shape": (2, 1)}), ((WIDE,), {"shape": ()}), ((WIDE, 3), {"shape": (1, None)}),
               ((np.ones((0, 3)),), {"shape": (1, 3)})],
    "grow_to": [((ROW,), {"shape": (2, 3)}), ((WIDE[:, :1], 4), {"shape": (2, None)}),
                ((np.float64(0.5),), {"shape": (2, 2)})],
    "recurrence_behind": [((WIDE, NARROW), {}), ((ROW, UPWARDS), {}), ((WIDE + 1j * NARROW, NARROW * 1j), {})],
    "cofactors": [((np.array([[2.0, 0.3], [0.1, 1.5]]),), {})],
    "reshape_to": [((WIDE, 3), {"shape": (None, -1)})],
    "relax": [((WIDE,), {"shape": (None, None)})],
    "box": [((np.float64(0.5),), {})],
    "full": [((np.float64(0.5), 2), {"shape": (None, 3)}), ((ROW, 2), {"shape": (None, 3)})],
    "list_new": [(tuple(ITEMS), {"element": ELEMENT})],
    "list_stack": [((ITEMS,), {"element": ELEMENT}), ((ARRAYS,), {"element": type_of(ROW)})],
    "list_cast": [((ITEMS,), {"element": type_of(1j)})],
    "list_of": [((WIDE,), {}), ((ROW,), {})],
    "list_full": [((ITEMS, np.float64(0.5)), {})],
    "list_total": [((ITEMS, np.float64(0.5)), {}), ((ARRAYS, ROW), {})],
    "list_add_at": [((ITEMS, 1, np.float64(0.5)), {}), ((ARRAYS, -1, ROW), {})],
    "list_zero_at": [((ITEMS, 1), {}), ((ARRAYS, 0), {})],
    "list_dropped": [((ITEMS,), {}), ((ARRAYS,), {})],
    "list_restored": [((ITEMS, 1, np.float64(0.5)), {}), ((ARRAYS, -1, ROW), {}), ((ITEMS, -2, np.float64(0.5)), {})],
    "list_like": [((ITEMS, [1.0, 2.0, 3.0]), {})],
    "list_parted": [((WIDE.T, [ROW[:, None], ROW[:, None]]), {"by": "concatenate", "given": (("axis", 1),)})],
    "list_joined": [((ARRAYS,), {"by": by, "given": ()}) for by in ("stack", "vstack", "hstack", "dstack", "column_stack")],
    "list_table": [(([ITEMS, ITEMS[:1]],), {"element": ELEMENT})],
    "rows_added": [((WIDE, ARRAYS), {})],
    "list_made": [((ITEMS,), {"by": "__mul__", "given": (2,)}),
                  ((ITEMS,), {"by": "__delitem__", "given": (1,)}), ((ITEMS, [3.0, 1.0, 2.0]), {"by": "sorted", "given": (_1, True)}),
                  ((ARRAYS, ARRAYS), {"by": "__add__", "given": (_1,)})],
    "into": [((WIDE, ROW, NARROW), {"function": "np.multiply", "given": (_0, _1), "named": (("out", (Slot(2),)),)}),
             ((WIDE, NARROW * 0, WIDE > 0), {"function": "np.exp", "given": (_0,), "named": (("where", Slot(2)), ("out", (_1,)))}),
             ((WIDE, np.zeros(3)), {"function": "np.sum", "given": (_0,), "named": (("axis", 0), ("out", (_1,)))})],
}  # fmt: skip


@pytest.mark.parametrize("name", OWN)
def test_the_rules_of_ops_that_gradients_consist_of_are_correct(name):
    for operands, attributes in OWN[name]:
        sample = Sample(RECORDS[name], operands, attributes)
        assert check(sample, RNG), sample


# Ops whose results are never floats.
WITHOUT = (
    "advanced fitted print assert_ raise_ failing written check_shared enter_errors "
    "leave_errors is_last_at list_length size truth not_ any all argmax argmin argsort gcd lcm signbit isfinite "
    "isinf isnan bitwise_and bitwise_or bitwise_xor invert left_shift right_shift bitwise_count "
    "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor "
    "logical_not text text_call characters integer_of_text bit_length split_state has_type observed limit_run count_step"
).split()


@pytest.mark.parametrize(
    "record",
    [r for r in RECORDS.values() if not is_library_op(r) and r.control_flow is None],
    ids=lambda r: r.name,
)
def test_an_op_without_regions_whose_results_can_be_floats_has_a_rule(record):
    assert (record.derivative is None) == (record.name in WITHOUT), record.name


# -- ops that programs trace -----------------------------------------------------------------------

X = RNG.normal(size=(2, 3))
CUBE = RNG.normal(size=(2, 3, 4))
TIES = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
ZEROS = np.array([[0.0, 3.0, 2.0], [0.0, 2.0, 0.0], [1.0, 2.0, 5.0]])
PLACES = np.array([[2, 0], [0, 0]])
BITS = np.array([[True, False, True], [False, False, True]])


def grown(x, n):
    z = []
    for i in range(n):
        z.append(x[i] * 2.0)
    return z


def listed(x, n):
    z = grown(x, n)
    z[1] = z[0] * x[2]
    z[n - 1] = z[n - 1] + z[0]
    z.insert(1, x[0] * x[1])
    last = z.pop()
    first = z.pop(0)
    w = z + grown(x, n)
    w.reverse()
    return np.stack(w), first, last, sum(z), max(z), min(w), sorted(w), w[1:], len(w)


def rows(x, n):
    z = []
    for i in range(n):
        z.append(x[:, : i + 1] * 2.0)
    z.extend(list(x.T[:, :, None] + 0.0)[:0])
    return np.concatenate(z, axis=1), z[0]


def pairs(x, n):
    z = []
    for i in range(n):
        z.append((x[i], i))
    total = 0.0
    for a, i in z:
        total = total + a * i
    return total


COUNT = np.int64(3)
PROGRAMS = {
    "sum": (lambda x: (np.sum(x), x.sum(0), x.sum((0, 2)), x.sum(-1, keepdims=True)), CUBE),
    "mean": (lambda x: (np.mean(x), x.mean(0), x.mean((0, 2)), x.mean(1, keepdims=True)), CUBE),
    "spread": (lambda x: (x.var(), x.std(0), x.var((0, 1), ddof=1), x.std(1, keepdims=True)), CUBE),
    "extremes": (lambda x: (x.max(), x.min(0), x.max((0, 2)), x.min(1, keepdims=True)), CUBE),
    "prod": (lambda x: (x.prod(), x.prod(0), x.prod((0, 2)), x.prod(1, keepdims=True)), CUBE),
    "prod of zeros": (lambda x: (x.prod(), x.prod(0), x.prod(1)), ZEROS),
    "scans": (lambda x: (x.cumsum(), x.cumsum(0), x.cumprod(), x.cumprod(1)), CUBE),
    "scans of zeros": (lambda x: (x.cumprod(), x.cumprod(0), x.cumprod(1)), ZEROS),
    "of a number": (lambda x: (x.sum(), x.mean(), x.max(), x.prod(), x.std(), np.sort(x.reshape(1))),
                    np.float64(0.5)),
    "of a box": (lambda x: (x.sum(), x.mean(), x.cumsum(), x.cumprod(), x.copy(), x + 0), np.array(2.1)),
    "of nothing": (lambda x: (x.sum(), x.sum(0), x.prod(1), x.cumprod(0), x.T @ x), np.zeros((0, 3))),
    "shapes": (lambda x: (x.T, x.reshape(4, 6), x.reshape(-1), x.ravel(), np.transpose(x, (1, 2, 0)),
                          x.swapaxes(0, -1), np.expand_dims(x, (0, -1)), x[None].squeeze(0)), CUBE),
    "moving": (lambda x: (np.flip(x), np.flip(x, 1), np.roll(x, 2), np.roll(x, (1, 2), (0, 1))), CUBE),
    "sorting": (lambda x: (np.sort(x), np.sort(x, 0), np.sort(x, None)), CUBE),
    "diagonals": (lambda x: (np.diagonal(x), np.diagonal(x, 1, 1, 2), np.diagonal(x, -1, 2, 0)), CUBE),
    "joining": (lambda x: (np.concatenate([x, x[:1]]), np.stack([x, x], 1), np.hstack([x, x]),
                           np.concatenate([x, x], None)), X),
    "broadcasting": (lambda x: (np.broadcast_to(x[:, :1], (4, 2, 3)), np.broadcast_to(x[0, 0], (2,))), X),
    "choice": (lambda x: (np.where(x > 0, x, 2.0), np.where(x > 0, x[0], x[:, :1])), X),
    "products": (lambda x, y: (x @ y, x[0] @ y, y.T @ x[1].T, x[0, 0] @ y[:, 0], np.dot(x, y),
                               np.dot(x[0], y), np.dot(y[:3].T, x), np.outer(x[0], y), np.dot(x, 2.0)),
                 CUBE, RNG.normal(size=(4, 2))),
    "products of many": (lambda x, y: (x @ y, x[0] @ y, x @ y[0], x @ y[0, :, 0], x[0, 0] @ y),
                         CUBE, RNG.normal(size=(2, 4, 5))),
    "reading": (lambda x: (x[0], x[-1, 2], x[..., 0], x[:, 1:], x[::-1, ::2], x[None, :, 0]), CUBE),
    "reading by arrays": (lambda x: (x[[1, 0, 1]], x[:, [0, 0, 2]], x[[0, 1], [2, 1]],
                                     x[[0, 0], :, [1, 1]], x[x > 0]), CUBE),
    "taking": (lambda x, i: (np.take(x, i), np.take(x, i, axis=1), np.take(x, i + 5, mode="wrap"),
                             np.take(x, i * 9, axis=1, mode="clip"), x[:, i]), CUBE, PLACES),
    "casting": (lambda x: (x.astype(np.float32), x.astype(complex), x.copy(), float(x[0, 0])), X),
    "parts": (lambda x: (x.real, x.imag, np.abs(x), x.conj(), np.angle(x), x.astype(float)),
              X + 1j * X[::-1]),
    "filling": (lambda x: (np.full((2, 3), x[0, 0]), np.full((2, 3), x[0]), np.zeros_like(x)), X),
    "in a row": (lambda x: np.arange(x, x + 3.3, 0.5), np.float64(0.25)),
    "lists": (listed, ROW, COUNT),
    "lists of arrays": (rows, X, COUNT),
    "lists of tuples": (pairs, ROW, COUNT),
}  # fmt: skip


def writing(x, y, i):
    x = x.copy()
    x[0] = y[0]
    x[1, 1:] = y[1, 0] * 2.0
    x[i, 0] = y[0]
    x[[0, 0, 1], [1, 1, 2]] = y[1] * y[0]
    x[x > 1.5] = 0.5
    x.T[0] = y[:, 1]
    x.reshape(-1)[2] = y[0, 2]
    x[...] = x * y[:, :1]
    return x


PROGRAMS["writing"] = (writing, X, RNG.normal(size=(2, 3)), np.array([1, 0, 1]))


def program(name):
    function, *arguments = PROGRAMS[name]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return samples(function, *arguments)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_rules_of_traced_ops_agree_with_central_differences(name):
    compared = 0
    for sample in program(name):
        if floats(sample.result):
            assert sample.op.derivative is not None, f"{sample.op.name} has no rule"
            if any(np.asarray(leaf).dtype == np.float32 for leaf in floats(sample.result)):
                continue
            compared += check(sample, RNG)
    assert compared


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in ("parts", "casting", "in a row")])
def test_the_rules_of_traced_ops_are_correct_for_complex_numbers(name):
    for sample in program(name):
        turned = sample.given(
            o + 1j * RNG.normal(size=np.shape(o))
            if isinstance(o, np.ndarray) and is_float(o)
            else o
            for o in sample.operands
        )
        if floats(sample.result) and not is_library_op(sample.op):
            try:
                assert turned.result is not None
            except TypeError:
                continue
            check(turned, RNG)


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n != "parts"])
def test_the_rules_of_traced_ops_stay_in_single_precision(name):
    for sample in program(name):
        if sample.op.name in ("cast", "number", "list_cast") or is_library_op(sample.op):
            continue
        single = sample.given(
            o.astype(np.float32) if isinstance(o, np.ndarray) and is_float(o) else o
            for o in sample.operands
        )
        result = single.result
        kinds = {np.asarray(leaf).dtype for leaf in floats(result)}
        if kinds != {np.dtype(np.float32)}:
            continue
        found = raw(single, result, drawn(RNG, result))
        for cotangent, operand in zip(found, single.operands, strict=True):
            if isinstance(cotangent, PartialCotangent):
                cotangent = cotangent.added(np.zeros_like(operand))
            for leaf in flatten(cotangent)[0]:
                assert leaf is None or np.asarray(leaf).dtype == np.float32, (single, cotangent)


# -- rules that are traced -------------------------------------------------------------------------


def is_about_lists(sample):
    return any(isinstance(leaf, list) for leaf in (*sample.operands, sample.result))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", PROGRAMS)
def test_rules_are_traced_for_arrays_of_sizes_known_only_at_run_time(name):
    for sample in program(name):
        values = (*sample.operands, sample.result)
        has_empty_list = any(isinstance(value, list) and not value for value in values)
        has_others = not all(map(can_be_given, flatten(values)[0]))
        if not floats(sample.result) or has_empty_list or has_others or is_library_op(sample.op):
            continue
        d = drawn(RNG, sample.result)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected = as_it_is(sample, d)
            found = recorded(sample, d, is_open=not is_about_lists(sample))
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12, err_msg=repr(sample))


def can_be_given(leaf):
    return isinstance(leaf, (np.ndarray, np.generic, int, float, complex))


# -- updates in place ------------------------------------------------------------------------------


def in_a_graph(function, *arguments):
    """The result of a function that is traced without conversion, and the program."""
    graph = rt.function(autograph.do_not_convert(function))
    return graph(*arguments), graph.get_concrete_function(*arguments).source


@pytest.mark.usefixtures("numpy_programs")
def test_gradients_accumulate_in_place():
    add, slot = ops.find("added_at"), Slot(0)

    def added(x, y, i):
        total = x * 0.0
        total = add(total, y, i, at=(slot,))
        total = add(total, y[0], at=(1, slice(0, 2)))
        return add(total, 1.0, i > 1, at=(slot,))

    x, y, i = np.ones((3, 2)), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([0, 2, 0])
    found, source = in_a_graph(added, x, y, i)
    np.testing.assert_array_equal(found, [[6.0, 8.0], [2.0, 3.0], [3.0, 4.0]])
    assert "np.add.at(" in source and source.count("+=") == 2


def test_gradients_do_not_accumulate_into_a_broadcast_array():
    def added(x):
        total = np.broadcast_to(np.sum(x), (3,))
        return ops.find("added_at")(total, x[0], at=(1,)), ops.find("grow_to")(x, shape=(2, 3))

    (found, grown), source = in_a_graph(added, np.array([1.0, 2.0, 4.0]))
    np.testing.assert_array_equal(found, [7.0, 8.0, 7.0])
    assert grown.shape == (2, 3) and "+=" not in source


def test_gradients_update_lists_in_place():
    def changed(x, i):
        z = ops.find("list_new")(x[0], x[1], x[2], element=type_of(x.dtype.type(0)))
        z = ops.find("list_add_at")(z, i, x[2])
        z = ops.find("list_zero_at")(z, 0)
        z = ops.find("list_restored")(z, -1, x[0])
        z = ops.find("list_dropped")(ops.find("list_restored")(z, 0, x[1]))
        return [ops.find("list_get")(z, place) for place in range(4)]

    found, source = in_a_graph(changed, np.array([1.0, 2.0, 4.0]), np.int64(1))
    assert found == [2.0, 0.0, 6.0, 4.0]
    assert source.count(".insert(") == 2 and ".pop()" in source
