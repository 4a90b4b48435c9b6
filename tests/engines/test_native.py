"""The native engine: pieces of machine code in a NumPy program, which computes unusual cases."""

import gc
import inspect
import linecache
import signal
import sys
import threading
import time
import traceback
import warnings

import numpy as np
import pytest
from allocated import blocks_left_by

import runtime as rt
from runtime.engines import native
from runtime.engines.native import python_objects

needs_llvm = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)
pytestmark = needs_llvm


def collatz(a):
    steps = 0
    while a != 1:
        a = a // 2 if a % 2 == 0 else 3 * a + 1
        steps += 1
    return steps


def product(n):
    """The factorial of n as a Python int."""
    total = 1
    for i in range(1, n + 1):
        total *= i
    return total


def halved(x, n):
    for _ in range(n):
        x = x / 2.0
    return x


def scaled_up(x, n):
    for _ in range(n):
        x = x * 1e100
    return x


def tripled(n, times):
    for _ in range(times):
        n = n * 3
    return n


def searched(limit, n):
    found = -1
    for i in range(n):
        if i * i > limit:
            found = i
            break
    else:
        found = n
    return found


def checked(x, n):
    for i in range(n):
        assert x != i, f"x is {x}"
        if i > 50:
            raise ValueError("too many")
    return n


def waits(n):
    i = n - n
    while i < n:
        i = i + 1 - 1 + i % 2
    return i


def both(fn, *arguments):
    """The same call natively and by NumPy: the function, and the two results."""
    compiled = rt.function(fn, engine="native")
    return compiled, compiled(*arguments), rt.function(fn, engine="numpy")(*arguments)


def int64(*numbers):
    return tuple(map(np.int64, numbers))


def test_the_check_of_layouts_reads_objects_that_are_alive():
    """A tracer, which allocates after each line, does not change what the check finds."""
    kept = []

    def allocates(frame, event, given):
        frame.f_trace_opcodes = True
        kept.append((np.uint8(len(kept) % 7), np.zeros((2, 3), np.float32)[:, :1]))
        return allocates

    before = sys.gettrace()
    sys.settrace(allocates)
    try:
        found = python_objects.layout_is_known.__wrapped__()
    finally:
        sys.settrace(before)
    assert found
    assert kept


# -- results ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fn", "arguments"),
    [
        (collatz, int64(27)),
        (product, int64(20)),
        (halved, (np.float64(3.0), np.int64(10))),
        (halved, (np.float32(3.0), np.int64(10))),
        (searched, int64(100, 50)),
        (searched, int64(100, 5)),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_loop_is_one_piece_with_the_same_result(fn, arguments):
    compiled, found, expected = both(fn, *arguments)
    assert type(found) is type(expected) and found == expected
    assert "not native" not in compiled.native()
    program = compiled.get_concrete_function(*arguments).compiled.plain
    (piece,) = program.pieces
    by_name = dict(zip(inspect.signature(fn).parameters, arguments, strict=True))
    assert piece.function(*(by_name[value.hint] for value in piece.inputs))[0] is True


def test_an_int_that_leaves_64_bits_is_computed_by_python():
    _, found, expected = both(product, np.int64(25))
    assert found == expected == 15511210043330985984000000


def test_a_numpy_integer_that_overflows_warns_in_the_users_line():
    compiled = rt.function(tripled, engine="native")
    assert "not native" not in compiled.native(*int64(5, 3))
    with pytest.warns(RuntimeWarning, match="overflow encountered in scalar multiply") as caught:
        compiled(*int64(5, 60))
    assert caught[0].filename == __file__


def test_a_float_that_overflows_warns_in_the_users_line():
    compiled = rt.function(scaled_up, engine="native")
    with pytest.warns(RuntimeWarning, match="overflow encountered in scalar multiply") as caught:
        assert compiled(np.float64(1.0), np.int64(5)) == np.inf
    assert linecache.getline(__file__, caught[0].lineno).strip() == "x = x * 1e100"
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        compiled(np.float64(1.0), np.int64(5))
    with np.errstate(under="raise"), pytest.raises(FloatingPointError, match="underflow"):
        rt.function(halved, engine="native")(np.float64(1e-300), np.int64(100))


def test_an_error_inside_a_piece_names_the_users_line():
    compiled = rt.function(checked, engine="native")
    assert "not native" not in compiled.native(*int64(-1, 10))
    assert compiled(*int64(-1, 10)) == 10
    for arguments, error in (((3, 10), AssertionError), ((-1, 60), ValueError)):
        with pytest.raises(error) as caught:
            compiled(*int64(*arguments))
        assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "checked"


def test_python_divides_by_zero_and_numpy_warns():
    def ratio(x, n):
        total = 0.0
        for i in range(n):
            total += x / (i - 2)
        return total

    compiled = rt.function(ratio, engine="native")
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert compiled(np.float64(1.0), np.int64(5)) == np.inf
    with pytest.raises(ZeroDivisionError):
        rt.function(lambda n: ratio(1.0, n), engine="native")(np.int64(5))


# -- the pieces, and the nodes outside of them -----------------------------------------------------


def test_nodes_without_machine_code_stay_in_the_program_with_a_reason():
    def printed(n):
        total = 0
        for i in range(n):
            print(i)
            for j in range(i):
                total += j * i
        return total

    compiled = rt.function(printed, engine="native")
    assert compiled(np.int64(4)) == rt.function(printed, engine="numpy")(np.int64(4))
    text = compiled.native()
    assert "native_1(" in text and "print (test_native.py:" in text
    assert "the op has no machine code" in text


def test_native_shows_ir_and_assembly():
    compiled = rt.function(collatz, engine="native")
    compiled(np.int64(3))
    assert "define ptr @native_1(" in compiled.native(what="ir")
    assert "native_1:" in compiled.native(what="assembly")
    with pytest.raises(ValueError, match="pieces, ir, assembly, not 'c'"):
        compiled.native(what="c")
    with pytest.raises(TypeError, match="engine 'numpy'"):
        rt.function(collatz, engine="numpy").native(np.int64(3))


def test_the_engine_is_a_setting():
    compiled = rt.function(collatz)
    assert compiled(np.int64(7)) == 16
    with rt.config.temporarily(engine="native"):
        assert compiled(np.int64(7)) == 16
        assert "_native_1" in compiled.source()


def test_checks_and_profiles_see_every_operation():
    compiled = rt.function(halved, engine="native")
    with rt.profile() as profile:
        compiled(np.float64(1.0), np.int64(2))
    assert any("divide" in name for name in profile.by_op())
    with (
        np.errstate(over="ignore"),
        rt.config.temporarily(check_numerics=True),
        pytest.raises(FloatingPointError),
    ):
        rt.function(scaled_up, engine="native")(np.float64(1e300), np.int64(2))


def test_without_machine_code_the_numpy_engine_runs_and_a_warning_says_so(monkeypatch):
    monkeypatch.setattr(native, "unusable", lambda: "there is no LLVM in this test")
    with pytest.warns(native.NativeEngineWarning, match="no LLVM in this test"):
        assert rt.function(collatz, engine="native")(np.int64(27)) == 111
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rt.function(collatz, engine="native")(np.int32(3)) == 7


# -- memory, threads, signals ----------------------------------------------------------------------


def test_calls_keep_no_reference():
    compiled = rt.function(halved, engine="native")
    given = np.float64(3.0), np.int64(3)
    compiled(*given)
    piece = compiled.get_concrete_function(*given).compiled.plain.pieces[0].function
    counted = [*given, None, True, False, np.dtype("f8"), (), np.True_, np.False_]
    immortal = sys.version_info >= (3, 12)

    def counts():
        gc.collect()
        return [sys.getrefcount(one) for one in counted if not (immortal and one in (None, True))]

    unusual = np.float64(1e-320), np.int64(100)
    mistaken = "x", np.int64(1)

    def calls():
        for _ in range(30_000):
            piece(*arguments)

    for arguments in (given, unusual, mistaken):
        before = counts()
        assert blocks_left_by(calls) < 300
        assert all(abs(x - y) < 50 for x, y in zip(before, counts(), strict=True))


def test_code_is_freed_with_its_function():
    before = len(gc.get_objects())
    for _ in range(3):
        compiled = rt.function(lambda n: collatz(n), engine="native")
        compiled(np.int64(3))
        piece = compiled.get_concrete_function(np.int64(3)).compiled.plain.pieces[0].function
        del compiled
        gc.collect()
        assert piece(np.int64(3)) == (True, 7)
    assert before


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer for signals")
def test_a_signal_ends_a_native_loop():
    def interrupt(*_):
        raise KeyboardInterrupt

    compiled = rt.function(waits, engine="native")
    compiled(np.int64(0))
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        start = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            compiled(np.int64(1))
        assert time.perf_counter() - start < 1.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_run_during_a_native_loop():
    compiled = rt.function(collatz_sum, engine="native")
    for _ in range(3):
        compiled(np.int64(10))  # which makes all code: other threads run while LLVM works
    ticks = []
    ended = threading.Event()

    def tick():
        while not ended.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        compiled(np.int64(1_000_000))
    finally:
        ended.set()
        thread.join()
    assert len(ticks) > 4


def products(x, n):
    for _ in range(n):
        x = x @ x
    return x


def functions(x, n):
    for _ in range(n):
        x = np.exp(-np.tanh(x))
    return x


def rows(x, n):
    for _ in range(n):
        x = x[[1, 0, 2]]
    return x


LARGE = [
    (products, np.eye(300)),
    (functions, np.full(400_000, 0.5)),
    (rows, np.ones((3, 200_000))),
]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer for signals")
@pytest.mark.parametrize(("fn", "x"), LARGE, ids=["products", "functions", "rows"])
def test_loops_over_large_arrays_let_other_threads_run_and_end_by_signals(fn, x):
    """Few iterations take long: each counts as many."""
    compiled = rt.function(fn, engine="native")
    compiled(x, np.int64(2))
    shown = compiled.native()
    assert "native_1" in shown and "not native" not in shown
    ticks, ended = [], threading.Event()

    def interrupt(*_):
        assert len(ticks) > 2
        raise KeyboardInterrupt

    def tick():
        while not ended.is_set():
            ticks.append(1)
            time.sleep(0.001)

    before = signal.signal(signal.SIGALRM, interrupt)
    thread = threading.Thread(target=tick)
    try:
        thread.start()
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        start = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            compiled(x, np.int64(10**12))
        assert time.perf_counter() - start < 2.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        ended.set()
        thread.join()


def collatz_sum(n):
    total = 0
    for a in range(1, n + 1):
        while a != 1:
            a = a // 2 if a % 2 == 0 else 3 * a + 1
            total += 1
    return total
