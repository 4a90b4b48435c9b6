"""Loops of pieces call NumPy's functions that have no machine code: results, errors, references."""

import contextlib
import gc
import inspect
import itertools
import math
import signal
import sys
import threading
import time
import traceback
import warnings

import numpy as np
import pytest
from support.every_mode import with_unknown_sizes

import runtime as rt
from runtime.engines import native
from runtime.engines.native import numpy_calls
from runtime.ir.op import find, records
from runtime.ir.traits import Aliasing

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)
RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=7)
A = RANDOM.normal(size=(4, 4)) + 4 * np.eye(4)
K = RANDOM.integers(0, 5, 9)
N = np.int64(4)


def life(g, n):
    for _ in range(n):
        near = sum(
            np.roll(np.roll(g, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j
        )
        g = ((near == 3) | ((g == 1) & (near == 2))).astype(g.dtype)
    return g


def distances(p, n):
    total = 0.0
    for i in range(n):
        for j in range(n):
            d = p[(i + j) % 4] - p[j]
            total = total + np.linalg.norm(d) * np.argmax(d)
    return total


def order(x, n):
    total = 0.0
    for i in range(n):
        y = np.sort(x[i::2])
        total = total + y[0] * np.searchsorted(y, 0.25) + np.argmin(y) + np.argsort(x)[i]
        x = np.concatenate([x[1:], x[:1]])
    return total, x


def systems(a, x, n):
    for i in range(n):
        x = np.linalg.solve(a, x[:4]) + np.linalg.det(a) * i
        a = np.linalg.inv(a) + np.outer(x, x)
    return a, x


def counted(k, n):
    total = np.zeros(5, int)
    for i in range(n):
        total = total + np.bincount(k + i % 1, minlength=5)[:5] + np.cumsum(k)[i]
    return total


def of_transposed(a, n):
    total = np.zeros(4)
    for i in range(n):
        total = total + np.roll(a.T, i)[0] + np.stack([a[i % 4], a[:, 1]], axis=1)[2, 0]
    return total


def functions_of_math(x, n):
    total = 0.0
    for i in range(n):
        v = float(x[i])
        total += (
            math.exp(v) * math.floor(v) + math.sqrt(abs(v)) + math.gcd(i, 6) + math.atan2(v, 2.0)
        )
    return total


def statistics(x, n):
    total = 0.0
    for i in range(n):
        y = x[i:]
        total = total + np.var(y) + y.std(ddof=1) + np.median(y) + np.percentile(y, 30)
        total = total + np.diff(y).sum() + np.cov(y, y)[0, 1] + np.average(y, weights=abs(y))
        total = total + np.zeros_like(y)[0] + np.pad(y, 1)[0] + (y % 0.7).sum() + np.cbrt(y)[0]
    return total


def of_few(x, n):
    """NumPy warns of the last ones: there are not enough elements."""
    found = np.zeros(9)
    for i in range(n):
        y = x[i : i + 1]
        found[i] = np.var(y) + y.mean() + np.median(y) + np.std(y[:i])
    return found


def of_axes(a, n):
    total = np.zeros(4)
    for i in range(n):
        b = np.stack([a, np.outer(a[i], a[:, i])])
        total = total + b.sum(axis=1)[1] + a.T.sum(axis=1) + a[::-1].var(axis=0)
        total = total + np.all(a > 0, axis=0) + np.einsum("ij,j->i", a, a[i])
    return total


PROGRAMS = [
    (statistics, (X, N)),
    (of_axes, (A, N)),
    (life, (RANDOM.integers(0, 2, (9, 11)), N)),
    (distances, (A, N)),
    (order, (X, N)),
    (systems, (A, X, N)),
    (counted, (K, N)),
    (of_transposed, (A, N)),
    (functions_of_math, (X, N)),
]


def exactly(value):
    if isinstance(value, tuple):
        return tuple(map(exactly, value))
    array = np.asarray(value)
    return type(value), array.dtype, array.shape, array.tobytes()


@pytest.mark.parametrize(
    "function, arguments", PROGRAMS, ids=lambda one: getattr(one, "__name__", "")
)
def test_results_have_the_bits_of_numpy(function, arguments):
    compiled = rt.function(function, engine="native")
    for _ in range(2):
        assert exactly(compiled(*arguments)) == exactly(function(*arguments))
    loops = [line for line in compiled.native().splitlines() if line.startswith("    loop (")]
    assert not loops, compiled.native()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "function, arguments", PROGRAMS, ids=lambda one: getattr(one, "__name__", "")
)
def test_results_of_unknown_sizes(function, arguments):
    signature = tuple(map(with_unknown_sizes, arguments))
    compiled = rt.function(function, engine="native", input_signature=signature)
    assert exactly(compiled(*arguments)) == exactly(function(*arguments))


def test_norms_have_the_bits_of_numpy():
    def norms(x, n):
        found = np.zeros(9)
        for i in range(n):
            found[i] = np.linalg.norm(x[i:]) + np.linalg.norm(x[::2]) + np.linalg.norm(x * i)
        return found

    for dtype in (np.float64, np.float32):
        signature = (rt.TensorSpec((None,), dtype), rt.TensorSpec((), np.int64))
        compiled = rt.function(norms, engine="native", input_signature=signature)
        for size in (1, 2, 7, 31, 100, 1001):
            x = (RANDOM.normal(size=size) * 50).astype(dtype)
            assert exactly(compiled(x, N)) == exactly(norms(x, N)), (size, dtype)
        assert "linalg_norm" not in compiled.native()


def test_called_functions_return_new_values_and_have_no_effect():
    for name in numpy_calls.CALLED:
        op = find(name)
        assert op.effect is None and op.updates is None, name
        # `np.diff(x, n=0)` and `np.einsum("ii->i", a)` return views, and are no calls.
        assert op.traits.aliases is Aliasing.FRESH or name in ("diff", "einsum"), name
    assert numpy_calls.MOVING | numpy_calls.COMPUTING <= {*numpy_calls.CALLED}


def test_called_functions_have_no_warnings_of_their_own():
    seen = 0
    for name in sorted(numpy_calls.MOVING | numpy_calls.COMPUTING):
        module, _, own = name.rpartition("linalg_")
        function = inspect.unwrap(getattr(np.linalg if module or name != own else np, own, len))
        if inspect.isfunction(function):
            seen += 1
            is_of_integers = name == "tri"  # it warns of other numbers since NumPy 2.5
            may_warn = is_of_integers or name in numpy_calls.FEWEST
            assert may_warn or "warnings.warn" not in inspect.getsource(function), name
    assert seen > 40


@pytest.mark.parametrize("size", [0, 1, 4, 7])
def test_numpy_warns_of_too_few_elements(size):
    compiled = rt.function(of_few, engine="native")
    seen = []
    for function in (compiled, rt.function(of_few, engine="numpy"), of_few):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            result = exactly(function(X[:size], np.int64(5)))
        seen.append((result, [(one.category, str(one.message)) for one in found]))
    assert seen[0] == seen[1]
    assert seen[0][0] == seen[2][0]
    assert {*seen[0][1]} == {*seen[2][1]}


def real_parts(x, n):
    for _ in range(n):
        y = (x * 1j).astype(np.int16)
    return y


def test_casts_of_complex_numbers_warn_for_their_line():
    seen = []
    for function in (rt.function(real_parts, engine="native"), real_parts):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            function(X, N)
        seen.append([(one.category, one.lineno) for one in found])
    assert seen[0] == seen[1]


ARRAYS = [np.array([-2, 0, 1, 3]).astype(dtype) for dtype in ("f8", "f4", "i8", "u1", "?", "c16")]
ELEMENTWISE = [op for op in records() if op.traits.elementwise and op.arity in (1, 2)]


WITH_ATTRIBUTES = ("cast",)  # whose calls are excluded for complex numbers


@pytest.mark.parametrize("op", ELEMENTWISE, ids=lambda op: op.name)
def test_operations_on_elements_warn_of_nothing_but_floats(op):
    """Their other warnings would name the line of a loop."""
    done = 0
    for operands in itertools.product(ARRAYS, repeat=op.arity):
        with warnings.catch_warnings(record=True) as found, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            with contextlib.suppress(Exception):  # attributes, or dtypes that it does not take
                op.evaluate(np, operands, {})
                done += 1
        assert not found, (operands, found[0].message)
    assert done or op.name in WITH_ATTRIBUTES


def test_outside_of_loops_numpy_computes():
    compiled = rt.function(lambda x: np.roll(x, 1) + np.sort(x), engine="native")
    compiled(X)
    assert "roll" in compiled.native() and "sort" in compiled.native()


def products(x, n):
    total = np.zeros((7, 7))
    for _ in range(n):
        total = total + np.outer(x, x)
    return total


@pytest.mark.parametrize("mode", ["warn", "ignore", "raise"])
def test_floating_point_errors_are_those_of_numpy(mode):
    compiled = rt.function(products, engine="native")
    compiled(X, N)
    seen = []
    for function in (compiled, rt.function(products, engine="numpy")):
        with np.errstate(all=mode), warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            try:
                result = exactly(function(X * 1e200, N))
            except FloatingPointError as error:
                result = str(error), traceback.extract_tb(error.__traceback__)[-1].line
        seen.append((result, [(one.category, str(one.message), one.lineno) for one in found]))
    assert seen[0] == seen[1]


def test_errors_name_the_line_of_the_user():
    def solved(a, n):
        total = np.zeros(4)
        for i in range(n):
            a = a * (3 - i)
            total = total + np.linalg.solve(a, total)
        return total

    compiled = rt.function(solved, engine="native")
    assert exactly(compiled(A, np.int64(2))) == exactly(solved(A, 2))
    seen = []
    for function in (compiled, solved):
        with pytest.raises(np.linalg.LinAlgError) as error:
            function(A, np.int64(5))
        frames = traceback.extract_tb(error.value.__traceback__)
        lines = [frame.line for frame in frames if frame.name == "solved"]
        seen.append((str(error.value).splitlines()[0], lines[-1]))
    assert seen[0] == seen[1]


def test_calls_keep_no_reference():
    compiled = rt.function(order, engine="native")
    x = X.copy()
    before = 0
    for calls in (20, 300):
        for _ in range(calls):
            compiled(x, N)
            with pytest.raises(IndexError):
                compiled(x, np.int64(9))
        gc.collect()
        if not before:
            before = sys.getrefcount(x), len(gc.get_objects())
    assert sys.getrefcount(x) == before[0]
    assert len(gc.get_objects()) - before[1] < 100


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers of signals")
def test_the_exception_of_a_signal_ends_the_loop():
    class Interrupt(BaseException):
        pass

    def interrupt(*arguments):
        raise Interrupt

    compiled = rt.function(order, engine="native")
    compiled(X, N)

    def rolled(x, n):
        for i in range(n):
            x = np.roll(x, i)
        return x

    compiled = rt.function(rolled, engine="native")
    compiled(X, N)
    assert threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        start = time.perf_counter()
        with pytest.raises(Interrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            compiled(X, np.int64(10**9))
        assert time.perf_counter() - start < 20
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
