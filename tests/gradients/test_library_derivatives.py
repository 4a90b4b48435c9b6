"""The rules of functions that graphs call directly, compared with central differences.

The file is long because it is a collection of independent tests.
"""

import math
import warnings

import numpy as np
import pytest
from derivative_rules import (
    Sample,
    as_it_is,
    check,
    composed_values,
    cotangents,
    drawn,
    floats,
    is_float,
    moved,
    product,
    recorded,
    samples,
)
from numpy_calls import ARGUMENTS

import runtime as rt
from runtime.ir import op as ops
from runtime.ir.derivative import Adjoint, Composition, NoDerivative
from runtime.ir.pytree import flatten, unflatten
from runtime.ir.slot import fill_slots
from runtime.ops.library import BESIDE, LIBRARY
from runtime.ops.updates import AFTER
from runtime.tracing.numpy_api.foreign_calls import template

# These create functions again for each case.
pytestmark = [
    pytest.mark.filterwarnings("ignore::runtime.RetracingWarning"),
    pytest.mark.sampled(10),
]

RNG = np.random.default_rng(11)
VECTOR = RNG.normal(size=5)
POSITIVE = 0.5 + RNG.random(5)
MATRIX = RNG.normal(size=(2, 3))
WIDE = RNG.normal(size=(3, 5))
SQUARE = RNG.normal(size=(3, 3)) + 3 * np.eye(3)
STACK = RNG.normal(size=(2, 3, 3)) + 2 * np.eye(3)
SYMMETRIC = SQUARE + SQUARE.T + np.diag([1.0, 3.0, 8.0])
CUBE = RNG.normal(size=(2, 3, 4))
WITH_NAN = np.where(RNG.random((4, 5)) < 0.25, np.nan, RNG.normal(size=(4, 5)))
PLACES = np.array([2, 0, 1])
BITS = np.array([True, False, True, True, False])
TURNED = SQUARE + 1j * RNG.normal(size=(3, 3))
HERMITIAN = TURNED + TURNED.conj().T
WAVE = VECTOR + 1j * RNG.normal(size=5)


def call(function, *arguments, **options):
    """A call of a function as a sample."""
    return of_op(
        LIBRARY.get(function) or BESIDE.get(function) or AFTER[function], arguments, options
    )


def at(ufunc, *arguments):
    """A call of `ufunc.at` as a sample."""
    return of_op(AFTER[ufunc], arguments, {})


def of_op(op, arguments, options):
    operands, given, named = template(op.name, arguments, options)
    operands = [np.asarray(o)[()] for o in operands]
    return Sample(op, tuple(operands), {"given": given, "named": named})


# -- everything ------------------------------------------------------------------------------------


def prepared(arguments):
    """Arguments without round floats, at which functions may jump or have kinks."""
    if isinstance(arguments, (tuple, list)):
        return type(arguments)(map(prepared, arguments))
    if isinstance(arguments, (np.ndarray, np.generic)) and is_float(arguments):
        turned = arguments + 0.01 * np.cos(np.arange(np.size(arguments))).reshape(
            np.shape(arguments)
        )
        return turned if np.ndim(turned) else np.float64(turned)
    return arguments


def taken(function):
    """The calls of a function with arguments that it accepts and with results that hold floats."""
    for arguments in ARGUMENTS:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                sample = call(function, *prepared(arguments))
                result = sample.result
            except (TypeError, ValueError, IndexError, OverflowError, AttributeError):
                continue
            except rt.StagingError:
                continue
        is_text = any(isinstance(each, str) for each in arguments) and function is not np.einsum
        if floats(result) and any(map(is_float, sample.operands)) and not is_text:
            yield sample


@pytest.mark.parametrize("function", LIBRARY, ids=lambda f: LIBRARY[f].name)
def test_a_function_whose_results_can_be_floats_has_a_correct_rule(function):
    rule = LIBRARY[function].derivative
    for sample in taken(function):
        is_flat = function is np.round or not any(
            leaf.any() for leaf in map(np.asarray, floats(sample.result))
        )
        assert rule is not None, f"{sample.op.name} has no rule"
        if not isinstance(rule, NoDerivative) and not is_flat:
            check(sample, RNG, 1e-4, smooth_only=True)


# -- chosen arguments ------------------------------------------------------------------------------

CALLS = {
    "inv": [call(np.linalg.inv, x) for x in (SQUARE, STACK, TURNED)],
    "solve": [call(np.linalg.solve, SQUARE, WIDE), call(np.linalg.solve, STACK, WIDE),
              call(np.linalg.solve, SQUARE, PLACES * 0.5), call(np.linalg.solve, TURNED, WIDE)],
    "det": [call(np.linalg.det, x) for x in (SQUARE, STACK, TURNED, np.diag([1.0, 2.0, 0.0]),
                                             np.array([[1.0, 2.0], [2.0, 4.0]]), SQUARE[:1, :1],
                                             STACK[:, :2, :2], TURNED[:2, :2])],
    "slogdet": [call(np.linalg.slogdet, x) for x in (SQUARE, STACK, -SQUARE, TURNED)],
    "cholesky": [call(np.linalg.cholesky, SYMMETRIC), call(np.linalg.cholesky, SYMMETRIC, upper=True),
                 call(np.linalg.cholesky, TURNED @ TURNED.conj().T)],
    "qr": [call(np.linalg.qr, x) for x in (SQUARE, WIDE, WIDE.T, STACK, TURNED)]
        + [call(np.linalg.qr, WIDE.T, "r"), call(np.linalg.qr, WIDE, "complete")],
    "eigh": [call(np.linalg.eigh, SYMMETRIC), call(np.linalg.eigh, SYMMETRIC, "U"),
             call(np.linalg.eigvalsh, SYMMETRIC), call(np.linalg.eigvalsh, HERMITIAN, "U")],
    "svd": [call(np.linalg.svd, SQUARE), call(np.linalg.svd, WIDE, full_matrices=False),
            call(np.linalg.svd, WIDE.T, False), call(np.linalg.svd, STACK, compute_uv=False),
            call(np.linalg.svdvals, TURNED)],
    "pinv": [call(np.linalg.pinv, x) for x in (SQUARE, WIDE, WIDE.T, TURNED)]
        + [call(np.linalg.pinv, SYMMETRIC, hermitian=True)],
    "lstsq": [call(np.linalg.lstsq, WIDE.T, VECTOR), call(np.linalg.lstsq, WIDE, MATRIX.T),
              call(np.linalg.lstsq, WIDE.T, np.stack([VECTOR, POSITIVE], 1))],
    "norm": [call(np.linalg.norm, CUBE, order, axis) for order, axis in (
                 (None, None), (None, 1), (2, 1), (1, 0), (np.inf, 2), (-np.inf, 1), (3, 1), (0.5, 2),
                 ("fro", (0, 2)), ("nuc", (0, 2)), (2, (0, 1)), (-2, (1, 2)), (1, (0, 1)),
                 (-1, (2, 1)), (np.inf, (0, 1)), (-np.inf, (1, 0)))]
        + [call(np.linalg.norm, TURNED, order) for order in (None, "nuc", 2, 1)]
        + [call(np.linalg.norm, VECTOR, 3), call(np.linalg.norm, CUBE, axis=1, keepdims=True),
           call(np.linalg.matrix_norm, CUBE, keepdims=True), call(np.linalg.matrix_norm, CUBE, ord=2),
           call(np.linalg.vector_norm, CUBE), call(np.linalg.vector_norm, CUBE, axis=(0, 1), ord=4)],
    "cond": [call(np.linalg.cond, SQUARE, p) for p in (None, 2, -2, 1, np.inf, "fro")],
    "matrix_power": [call(np.linalg.matrix_power, SQUARE, n) for n in (0, 1, 2, 5, -1, -3)],
    "multi_dot": [call(np.linalg.multi_dot, (VECTOR[:2], MATRIX, WIDE)),
                  call(np.linalg.multi_dot, (MATRIX, SQUARE, WIDE, VECTOR))],
    "tensordot": [call(np.tensordot, CUBE, CUBE, axes) for axes in (
                      3, ((0, 1), (0, 1)), ((2, 0), (2, 0)), (1, 1))] + [call(np.tensordot, MATRIX, CUBE, 0)],
    "tensors": [call(np.linalg.tensorinv, RNG.normal(size=(2, 3, 6)), 2),
                call(np.linalg.tensorsolve, RNG.normal(size=(2, 3, 6)), RNG.normal(size=(2, 3))),
                call(np.linalg.tensorsolve, RNG.normal(size=(2, 6, 3)), RNG.normal(size=(2, 3)), (1,))],
    "products": [call(np.inner, CUBE, CUBE[0]), call(np.kron, MATRIX, SQUARE), call(np.vdot, WAVE, WAVE * 2),
                 call(np.kron, VECTOR, MATRIX), call(np.linalg.vecdot, CUBE, CUBE[:, :1], axis=2),
                 call(np.cross, SQUARE, STACK), call(np.cross, SQUARE, SQUARE.T, 0, 0, 0),
                 call(np.linalg.cross, STACK, SQUARE), call(np.trace, CUBE, 1, 2, 0),
                 call(np.linalg.trace, STACK, offset=-1), call(np.linalg.outer, VECTOR, WAVE)],
    "einsum": [call(np.einsum, subscripts, *operands) for subscripts, *operands in (
        ("ij,jk->ik", MATRIX, SQUARE), ("ij,jk", MATRIX, SQUARE), ("ii->i", SQUARE), ("ii", SQUARE),
        ("ij->j", MATRIX), ("ij->ji", MATRIX), ("i,j->ij", VECTOR, POSITIVE), ("...ij,...jk->...ik", STACK, SQUARE),
        ("ijk,ijl,kl->i", CUBE, CUBE, RNG.normal(size=(4, 4))), ("i,i,i->", VECTOR, VECTOR, POSITIVE),
        ("ij,ij->", MATRIX, MATRIX), ("iji->j", RNG.normal(size=(2, 3, 2))), ("i...->...", CUBE))]
        + [call(np.einsum, MATRIX, (0, 1), SQUARE, (1, 2), (2, 0)), call(np.einsum, "i,i->", WAVE, WAVE)],
    "fft": [call(function, x, n, axis, norm) for function in (np.fft.fft, np.fft.ifft, np.fft.hfft, np.fft.irfft)
            for x, n, axis, norm in ((WAVE, None, -1, None), (WAVE, 4, -1, "ortho"), (WAVE, 9, 0, "forward"),
                                     (CUBE + 1j * CUBE[::-1], None, 1, "backward"))],
    "rfft": [call(function, x, n, axis, norm) for function in (np.fft.rfft, np.fft.ihfft, np.fft.fft)
             for x, n, axis, norm in ((VECTOR, None, -1, None), (VECTOR, 4, -1, "ortho"),
                                      (VECTOR, 9, 0, "forward"), (CUBE, None, 1, "backward"))],
    "fftn": [call(function, CUBE + 1j, s, axes, norm) for function in (
                 np.fft.fftn, np.fft.ifftn, np.fft.irfftn, np.fft.fft2, np.fft.ifft2, np.fft.irfft2)
             for s, axes, norm in (((3, 4), (1, 2), None), (None, (0, 2), "ortho"), ((2, 5), (2, 1), "forward"))],
    "rfftn": [call(function, CUBE, s, axes, norm) for function in (np.fft.rfftn, np.fft.rfft2)
              for s, axes, norm in (((3, 4), (1, 2), None), (None, (0, 2), "ortho"), ((2, 5), (2, 1), "forward"))]
        + [call(np.fft.rfftn, CUBE), call(np.fft.fftshift, CUBE), call(np.fft.ifftshift, CUBE, 1)],
    "selection": [call(np.take_along_axis, MATRIX, np.array([[2, 0, 2, 1], [0, 0, 1, 1]]), 1),
                  call(np.take_along_axis, MATRIX, np.array([5, 0, 5]), None),
                  call(np.partition, CUBE, 2), call(np.partition, CUBE, 1, None), call(np.partition, CUBE, 1, 1),
                  call(np.repeat, MATRIX, 3), call(np.repeat, MATRIX, (1, 0, 2), 1), call(np.resize, MATRIX, (2, 4)),
                  call(np.delete, MATRIX, 1, 1), call(np.delete, MATRIX, (0, 2)),
                  call(np.compress, BITS, WIDE, 1), call(np.extract, BITS, VECTOR),
                  call(np.insert, MATRIX, 1, VECTOR[:2], 1), call(np.insert, VECTOR, (1, 3), POSITIVE[:2]),
                  call(np.insert, VECTOR, (3, 1, -1), POSITIVE[:3]), call(np.insert, VECTOR, [1], POSITIVE[:3]),
                  call(np.insert, VECTOR, slice(None, None, -2), 0.5), call(np.insert, VECTOR, (), 0.5),
                  call(np.insert, VECTOR, 2, 0.5), call(np.insert, MATRIX, (0, 2), VECTOR[:2, None], 1),
                  call(np.select, (BITS, ~BITS), (VECTOR, POSITIVE), 0.5), call(np.sort_complex, WAVE),
                  call(np.choose, PLACES, (SQUARE[0], SQUARE[1], SQUARE[2])), call(np.choose, PLACES, SQUARE),
                  call(np.choose, PLACES + 2, (SQUARE[0], SQUARE[1]), mode="wrap"),
                  call(np.tril, CUBE, 1), call(np.triu, SQUARE, -1), call(np.diagflat, MATRIX, 1)],
    "joining": [call(np.append, VECTOR, POSITIVE), call(np.append, MATRIX, MATRIX, 1), call(np.append, MATRIX, 0.5),
                call(np.hstack, (VECTOR, POSITIVE)), call(np.hstack, (MATRIX, MATRIX)), call(np.vstack, (VECTOR, WIDE)),
                call(np.dstack, (MATRIX, MATRIX)), call(np.column_stack, (VECTOR, WIDE.T)),
                call(np.tile, MATRIX, (2, 1, 3)), call(np.tile, CUBE, 2), call(np.meshgrid, VECTOR, POSITIVE[:3]),
                call(np.meshgrid, VECTOR[:2], POSITIVE[:3], indexing="ij", sparse=True)],
    "pad": [call(np.pad, MATRIX, width, mode, **options) for width, mode, options in (
                (1, "constant", {}), ((1, 2), "edge", {}), (((1, 0), (2, 2)), "reflect", {}),
                ((2, 1), "symmetric", {}), (2, "wrap", {}), (1, "constant", {"constant_values": np.float64(0.5)}))],
    "clip": [call(np.clip, MATRIX, -0.5, 0.5), call(np.clip, MATRIX, None, 0.25), call(np.clip, MATRIX, SQUARE[:2], 2.0)],
    "windows": [call(np.lib.stride_tricks.sliding_window_view, CUBE, (2, 3), (1, 2)),
                call(np.lib.stride_tricks.sliding_window_view, VECTOR, 2)],
    "quantiles": [call(np.median, CUBE, axis) for axis in (None, 1, (0, 2))]
        + [call(np.percentile, CUBE, np.array([20.0, 71.0]), 1), call(np.quantile, MATRIX, np.float64(0.3), keepdims=True)]
        + [call(np.quantile, VECTOR, 0.6, method=method) for method in ("lower", "higher", "nearest", "midpoint")]
        + [call(np.nanmedian, WITH_NAN, 1), call(np.nanpercentile, WITH_NAN, 40, 0), call(np.nanquantile, WITH_NAN, 0.3)],
    "nan": [call(function, WITH_NAN, axis) for axis in (None, 0, 1) for function in (
                np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin, np.nancumsum, np.nancumprod)]
        + [call(np.nanvar, WITH_NAN, 1, ddof=1, keepdims=True), call(np.nan_to_num, WITH_NAN)],
    "some": [call(function, WIDE, where=WIDE > -0.5, **options) for function, options in (
                 (np.sum, {"axis": 0}), (np.prod, {"axis": 1}), (np.mean, {"axis": 1}), (np.var, {"ddof": 1}),
                 (np.std, {"axis": 1, "keepdims": True}), (np.max, {"axis": 1, "initial": -5.0}),
                 (np.min, {"initial": 0.25}), (np.sum, {"initial": 2.0}))],
    "averages": [call(np.average, CUBE), call(np.average, CUBE, 1, POSITIVE[:3]), call(np.average, MATRIX, None, MATRIX**2),
                 call(np.average, CUBE, 0, keepdims=True), call(np.ptp, CUBE, 1), call(np.ptp, CUBE),
                 call(np.average, VECTOR, weights=POSITIVE, returned=True)],
    "cov": [call(np.cov, WIDE), call(np.cov, WIDE, rowvar=False), call(np.cov, VECTOR, POSITIVE), call(np.cov, VECTOR),
            call(np.cov, WIDE, bias=True), call(np.cov, WIDE, aweights=POSITIVE), call(np.corrcoef, WIDE),
            call(np.cov, WIDE, fweights=np.array([1, 2, 1, 3, 1]), aweights=POSITIVE), call(np.corrcoef, VECTOR, POSITIVE)],
    "differences": [call(np.diff, CUBE), call(np.diff, CUBE, 2, 1), call(np.diff, VECTOR, prepend=0.5, append=VECTOR),
                    call(np.ediff1d, MATRIX, 9.0, VECTOR), call(np.trapezoid, WIDE, VECTOR), call(np.trapezoid, WIDE, dx=0.5),
                    call(np.trapezoid, CUBE, CUBE * 2, axis=1), call(np.gradient, VECTOR), call(np.gradient, WIDE, 0.5),
                    call(np.gradient, VECTOR, np.cumsum(POSITIVE)), call(np.gradient, WIDE, 2.0, np.cumsum(POSITIVE)),
                    call(np.gradient, WIDE, np.cumsum(POSITIVE), axis=1, edge_order=2), call(np.gradient, WIDE, axis=0, edge_order=2)],
    "scans": [call(np.cumulative_sum, VECTOR), call(np.cumulative_sum, CUBE, axis=1, include_initial=True),
              call(np.cumulative_prod, CUBE, axis=2, include_initial=True), call(np.unwrap, VECTOR * 9)],
    "interp": [call(np.interp, VECTOR, np.cumsum(POSITIVE) - 2, WIDE[0]),
               call(np.interp, VECTOR * 9, np.cumsum(POSITIVE) - 2, WIDE[0], np.float64(0.5), 7.0)],
    "spaces": [call(np.linspace, VECTOR[0], VECTOR[1], 5), call(np.linspace, VECTOR, POSITIVE, 3, endpoint=False, axis=1),
               call(np.linspace, VECTOR, POSITIVE, 3, retstep=True), call(np.logspace, VECTOR[0], VECTOR[1], 4),
               call(np.geomspace, POSITIVE[0], POSITIVE[1], 4), call(np.geomspace, POSITIVE, POSITIVE + 1, 4)],
    "filters": [call(function, one, other, mode) for function in (np.convolve, np.correlate)
                for mode in ("full", "same", "valid") for one, other in (
                    (VECTOR, POSITIVE[:2]), (POSITIVE[:3], VECTOR), (VECTOR, POSITIVE), (WAVE, VECTOR[:3]))],
    "polynomials": [call(np.polyval, VECTOR, POSITIVE), call(np.polyadd, VECTOR, POSITIVE[:3]), call(np.polysub, VECTOR[:2], VECTOR),
                    call(np.polymul, VECTOR, POSITIVE), call(np.polyder, VECTOR), call(np.polyder, VECTOR, 2),
                    call(np.polyint, VECTOR, 2, (1.0, 2.0)), call(np.polyint, VECTOR), call(np.vander, VECTOR, 3),
                    call(np.vander, VECTOR, increasing=True), call(np.polyfit, VECTOR, POSITIVE, 2),
                    call(np.polyfit, VECTOR, WIDE.T, 1, w=POSITIVE)],
    "sinc": [call(np.sinc, np.array([0.0, 1e-9, 0.05, 0.0999, 0.1001, 0.7, -2.3]))],
    "counts": [call(np.bincount, np.array([0, 2, 2, 1, 0]), VECTOR, 4), call(np.full_like, MATRIX, np.float64(0.5))],
    "math": [call(getattr(math, name), *map(np.float64, given)) for name, *given in (
        ("acos", 0.3), ("acosh", 1.7), ("atan2", 0.5, -0.3), ("copysign", 0.5, -2.0), ("erf", 0.4), ("erfc", 1.4),
        ("gamma", 2.3), ("gamma", -1.3), ("gamma", 0.2), ("lgamma", 3.7), ("lgamma", 0.1), ("lgamma", -2.6), ("log", 2.5),
        ("log", 2.5, 3.5), ("pow", 1.5, 2.5), ("fmod", 7.5, 2.2), ("remainder", 7.5, 2.2), ("hypot", 3.0, 4.0, 5.0),
        ("frexp", 0.3), ("modf", 3.7), ("degrees", 0.3), ("fabs", -0.5))]
        + [call(math.ldexp, np.float64(0.3), 3), call(math.dist, VECTOR, POSITIVE), call(math.fsum, (VECTOR[0], VECTOR[1])),
           call(math.prod, (VECTOR[0], VECTOR[1], VECTOR[2])), call(math.prod, VECTOR)],
    "python": [call(sum, WIDE), call(sum, VECTOR, 1.5), call(max, VECTOR), call(min, VECTOR), call(sorted, VECTOR),
               call(max, VECTOR[0], VECTOR[1]), call(sorted, VECTOR, reverse=True)],
    "methods": [call(np.subtract.outer, VECTOR, MATRIX), call(np.power.outer, POSITIVE, VECTOR),
                call(np.add.reduce, CUBE, 1), call(np.add.reduce, CUBE, (0, 2), where=CUBE > 0, initial=1.0),
                call(np.multiply.reduce, CUBE, 2, keepdims=True), call(np.maximum.reduce, CUBE, None),
                call(np.fmin.reduce, WITH_NAN, 1), call(np.logaddexp.reduce, CUBE, 1), call(np.hypot.reduce, VECTOR),
                call(np.subtract.reduce, WIDE, 1, keepdims=True), call(np.add.accumulate, CUBE, 1),
                call(np.multiply.accumulate, CUBE), call(np.maximum.accumulate, CUBE, 2), call(np.minimum.accumulate, VECTOR),
                call(np.divide.accumulate, WIDE, 1), call(np.add.reduceat, VECTOR, np.array([0, 3, 1, 4])),
                call(np.add.reduceat, WIDE, np.array([0, 2]), 1)],
    "ufuncs": [call(np.add, MATRIX, SQUARE[:2], dtype=np.float64), call(np.exp, MATRIX, dtype=np.float64)],
    "numbers": [call(np.float64, VECTOR[0]), call(np.complex128, VECTOR[0]), call(np.copy, MATRIX, order="F"),
                call(np.ascontiguousarray, MATRIX)],
    "writes": [call(np.copyto, MATRIX, VECTOR[:3]), call(np.copyto, MATRIX, 0.5, where=MATRIX > 0),
               call(np.copyto, MATRIX, SQUARE[:2], where=MATRIX > 0), call(np.put, MATRIX, np.array([4, 0, 4]), VECTOR[:3]),
               call(np.put, MATRIX, np.array([7, 1, 9]), VECTOR[:2], "wrap"), call(np.put, MATRIX, (0, 9), VECTOR[0], "clip"),
               call(np.putmask, MATRIX, MATRIX > 0, VECTOR[:2]), call(np.putmask, MATRIX, MATRIX > 0, SQUARE[:2]),
               call(np.place, MATRIX, MATRIX > 0, VECTOR[:2]), call(np.fill_diagonal, SQUARE, VECTOR[0]),
               call(np.fill_diagonal, WIDE, VECTOR[:2]), call(np.ndarray.fill, MATRIX, VECTOR[0]),
               call(np.ndarray.sort, CUBE), call(np.ndarray.sort, CUBE, 1), call(np.ndarray.partition, CUBE, 2),
               call(np.put_along_axis, MATRIX, np.array([[2, 0, 2], [1, 1, 0]]), SQUARE[:2], 1),
               at(np.add, VECTOR, np.array([1, 1, 3]), POSITIVE[:3]), at(np.subtract, VECTOR, (slice(1, 3),), 2.0),
               at(np.add, MATRIX, (np.array([0, 1, 0]), 1), VECTOR[:3])],
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_the_rule_of_a_call_agrees_with_central_differences(name):
    for sample in CALLS[name]:
        assert isinstance(sample.op.derivative, (Adjoint, Composition)), sample.op.name
        assert check(sample, RNG), sample


# -- in graphs -------------------------------------------------------------------------------------

FUNCTIONS = {op: function for table in (BESIDE, LIBRARY) for function, op in table.items()}


@pytest.mark.parametrize("name", CALLS)
def test_the_gradient_of_a_call_in_a_graph_agrees_with_its_rule(name):
    for sample in CALLS[name]:
        if FUNCTIONS.get(sample.op) in (None, sorted) or not floats(sample.result):
            continue  # the list that `sorted` returns is one value of a graph
        places = [i for i, operand in enumerate(sample.operands) if is_float(operand)]
        d = drawn(RNG, sample.result)
        value, pullback = rt.vjp(called(sample, places), *(sample.operands[i] for i in places))
        d = unflatten(flatten(value)[1], flatten(d)[0])
        expected = cotangents(sample, tuple(d) if isinstance(d, (tuple, list)) else d)
        for place, found in zip(places, pullback(d), strict=True):
            np.testing.assert_allclose(
                found, expected[place], rtol=1e-8, atol=1e-8, err_msg=repr(sample)
            )


def called(sample, places):
    """A function of some operands of a sample; the others are constants."""
    function, others = FUNCTIONS[sample.op], dict(enumerate(sample.operands))
    given, named = sample.attributes["given"], sample.attributes["named"]

    def call(*arrays):
        operands = {**others, **dict(zip(places, arrays, strict=True))}
        options = {name: fill_slots(part, operands) for name, part in named}
        return function(*fill_slots(given, operands), **options)

    return call


# -- cases that central differences do not cover ---------------------------------------------------


@pytest.mark.parametrize("x", [HERMITIAN, TURNED @ TURNED.conj().T], ids=["one", "other"])
def test_eigenvectors_of_hermitian_matrices_have_gradients_if_phases_do_not_matter(x):
    def spread(x):
        values, vectors = np.linalg.eigh(x)
        return (vectors * np.exp(values / 10)) @ np.conjugate(vectors.T)

    assert_gradient_of(spread, x)


@pytest.mark.parametrize("x", [TURNED, TURNED[:, :2], TURNED[:2]], ids=["square", "tall", "wide"])
def test_singular_vectors_of_complex_matrices_have_gradients_if_phases_do_not_matter(x):
    def turned(x):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        return (u * s**2) @ vh, (u / s) @ np.conjugate(u.T)

    assert_gradient_of(turned, x)


def assert_gradient_of(function, x):
    """Compares the gradient of a composition with central differences."""
    op = ops.Op(
        f"tested_{RNG.integers(1 << 60)}",
        "A test.",
        None,
        lambda xp, operands, attributes: function(*operands),
        derivative=Composition(function),
    )
    assert check(Sample(op, (x,)), RNG)


def test_the_gradient_of_a_norm_is_zero_where_it_has_no_derivative():
    for sample in (
        call(np.linalg.norm, np.zeros(3)),
        call(np.linalg.norm, np.zeros((2, 3)), axis=1),
        call(np.linalg.vector_norm, np.zeros(3), ord=3),
        samples(lambda x: x.std(), np.ones(3))[0],
    ):
        with np.errstate(all="raise"):
            (found,) = cotangents(sample, np.ones_like(sample.result))
        assert not found.any()


def test_functions_independent_of_vectors_have_gradients_at_equal_eigenvalues():
    found = cotangents(call(np.linalg.eigvalsh, np.eye(3)), np.ones(3))[0]
    np.testing.assert_allclose(found, np.eye(3), atol=1e-15)


def test_the_error_about_a_missing_derivative_says_why():
    for record in ops.records():
        if isinstance(record.derivative, NoDerivative):
            assert record.derivative.why, record.name


@pytest.mark.sampled(4)
@pytest.mark.parametrize("is_open", [False, True], ids=["known", "open"])
@pytest.mark.parametrize("name", CALLS)
def test_the_traced_rule_of_a_call_equals_the_evaluated_rule(name, is_open):
    for sample in CALLS[name]:
        if not isinstance(sample.op.derivative, Adjoint) or not floats(sample.result):
            continue
        d = drawn(RNG, sample.result)
        d = d if not isinstance(sample.result, tuple) or isinstance(d, tuple) else (d,)
        expected, found = as_it_is(sample, d), recorded(sample, d, is_open)
        if found is None:
            assert is_open and sample.op.name in ("linalg_qr", "linalg_svd")
            continue
        assert len(found) == len(expected), sample
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9, err_msg=repr(sample))


@pytest.mark.parametrize("name", CALLS)
def test_a_composition_computes_the_function_also_for_sizes_known_only_at_run_time(name):
    for sample in CALLS[name]:
        if not isinstance(sample.op.derivative, Composition) or sample.op.name == "linalg_lstsq":
            continue  # the sizes decide whether it returns residuals
        found = composed_values(sample)
        if found is None:
            assert sample.op.name in ("choose", "python_sorted", "divide_accumulate"), sample
            continue
        for one, other in zip(flatten(found)[0], flatten(sample.result)[0], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, err_msg=repr(sample))


# -- second derivatives ----------------------------------------------------------------------------


def is_singular(sample):
    """Whether a sample is the determinant of a singular matrix, which has no second derivative."""
    return sample.op.name == "linalg_det" and np.any(np.abs(sample.result) < 1e-9)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CALLS)
def test_second_derivatives_of_a_call_agree_with_differences_of_first_ones(name):
    for sample in CALLS[name]:
        places = [i for i, operand in enumerate(sample.operands) if is_float(operand)]
        if FUNCTIONS.get(sample.op) in (None, sorted) or not places or is_singular(sample):
            continue
        arrays = [sample.operands[i] for i in places]
        slope = slope_along(sample, places)
        for place, gradient in gradients_of(slope, arrays):
            direction = drawn(RNG, arrays[place])
            ahead, behind = (
                slope(
                    *(moved(a, direction, step) if i == place else a for i, a in enumerate(arrays))
                )
                for step in (1e-6, -1e-6)
            )
            expected = (ahead - behind) / 2e-6
            assert abs(product(gradient, direction) - expected) <= 1e-4 * max(1, abs(expected)), (
                sample
            )


def slope_along(sample, places):
    """The directional derivative of a product with the result of a call."""
    function, directions = called(sample, places), [drawn(RNG, sample.operands[i]) for i in places]
    weights = list(map(np.asarray, flatten(drawn(RNG, sample.result))[0]))

    def slope(*arrays):
        value, pullback = rt.vjp(function, *arrays)
        found = pullback(unflatten(flatten(value)[1], weights))
        total = 0.0
        for gradient, direction in zip(found, directions, strict=True):
            total = total + np.sum(np.real(np.conj(direction) * gradient))
        return total

    return rt.function(slope)


def gradients_of(slope, arrays):
    """The gradients with respect to the real arrays, by position."""
    places = tuple(i for i, array in enumerate(arrays) if not np.iscomplexobj(array))
    return zip(places, rt.grad(slope, argnums=places)(*arrays), strict=True) if places else ()


def test_the_bessel_function_i0_has_derivatives_of_any_order():
    special = pytest.importorskip("scipy.special")
    x = np.array([-3.0, 0.0, 0.5, 40.0, 600.0])
    first = rt.vmap(rt.grad(lambda x: np.i0(x)))(x)
    np.testing.assert_allclose(first, special.i1(x), rtol=1e-12)
    second = rt.vmap(rt.grad(rt.grad(lambda x: np.i0(x))))(x)
    np.testing.assert_allclose(second, (special.i0(x) + special.iv(2, x)) / 2, rtol=1e-12)


def test_eigenvalues_in_a_branch_are_refused_with_a_remedy():
    with pytest.raises(rt.StagingError, match="real or complex(.|\n)*np.linalg.eigh for symmetric"):
        rt.grad(lambda m: np.sum(np.linalg.eig(m)[0]) if m[0, 0] > 0 else 0.0)(np.eye(2))
