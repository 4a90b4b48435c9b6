"""What interrupts a recording is no part of the program: the next call works as if nothing was."""

import gc
import signal
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from loading import load

import autograph
import runtime as rt
from autograph.staging import refusals
from autograph.staging.refusals import Recording
from runtime.tracing import trace
from runtime.tracing.trace import Trace
from runtime.tracing.trace import recording as opened


class Late(Exception):
    """A test that takes too long, as its framework tells it."""


class Gone(BaseException):
    """The same, for frameworks that do not want it to be handled."""


def ring(error):
    def handler(number, frame):
        raise error("ten seconds are over")

    return handler


class Alarm:
    """A handler that is a method."""

    def __init__(self, error):
        self.error = error

    def ring(self, *arguments):
        raise self.error("ten seconds are over")


def by_signal(handler):
    before = signal.signal(signal.SIGINT, handler)
    try:
        signal.raise_signal(signal.SIGINT)
        for _ in range(3):
            pass  # the handler runs between two instructions
    finally:
        signal.signal(signal.SIGINT, before)


def by_debugger(error):
    def stop(frame, event, argument):
        collecting = [getattr(one, "__code__", None) for one in gc.callbacks]
        if "weakref" in frame.f_code.co_filename or frame.f_code in collecting:
            return  # Python drops the exceptions of callbacks of weak references and of `gc`
        sys.settrace(None)
        raise error("quit")

    sys.settrace(stop)
    (lambda: None)()


INTERRUPTIONS = {
    "handler": (Late, lambda: by_signal(ring(Late))),
    "handler_of_all": (Gone, lambda: by_signal(ring(Gone))),
    "method": (Late, lambda: by_signal(Alarm(Late).ring)),
    "keyboard": (KeyboardInterrupt, lambda: by_signal(signal.default_int_handler)),
    "debugger": (Late, lambda: by_debugger(Late)),
}


def branch(x):
    y = x * 2
    if np.sum(x) > 3:
        y = np.tanh(y) + 1
    return y


def loop(x):
    while np.sum(x) > 1:
        x = x / 2
        if np.max(x) > 2:
            continue
        x = x - 0.25
    return x


def nested(x):
    total = 0.0
    for row in x:
        if row > 1:
            for other in x:
                total = total + other * row
        else:
            total = total - row
    return total


cubes_slope = rt.grad(lambda z: np.sum(z * z * z))


def slope_in_a_branch(x):
    if np.sum(x) > 3:
        return cubes_slope(x)
    return x


batch = rt.vmap(lambda one: one * 2 if one > 1 else np.sin(one))


def batch_in_a_branch(x):
    if np.sum(x) > 3:
        return batch(x)
    return x


PROGRAMS = [branch, loop, nested, slope_in_a_branch, batch_in_a_branch]


def interrupted(fn, x, place, interrupt, monkeypatch):
    """Calls a function, interrupted after the op of that number; whether there was such an op."""
    recorded = 0

    def record(self, *args, original=Trace.record, **named):
        nonlocal recorded
        result = original(self, *args, **named)
        recorded += 1
        if recorded == place:
            interrupt()
        return result

    with monkeypatch.context() as patch:
        patch.setattr(Trace, "record", record)
        fn(x)
    return recorded >= place


@pytest.mark.parametrize("name", INTERRUPTIONS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_next_call_is_as_if_nothing_had_been(program, name, monkeypatch):
    error, interrupt = INTERRUPTIONS[name]
    x = np.array([0.5, 1.5, 2.5])
    expected = program(x)
    for place in range(1, 40):
        fn = rt.function(program)
        try:
            more = interrupted(fn, x, place, interrupt, monkeypatch)
        except error:
            more = True
        else:
            assert not more, "the interruption is gone"
        np.testing.assert_array_equal(fn(x), expected)
        np.testing.assert_array_equal(fn(-x), program(-x))
        if not more:
            break
    assert place > 3


# -- handlers in user code that take one ----------------------------------------------------------

TAKING = """
import numpy as np

def taking_0(x):
    y = x * 2
    try:
        y = np.tanh(x)
        y = np.sin(y) + 1
    except:
        y = -1.0
    return y * 3

def taking_1(x):
    done = 0
    try:
        y = np.tanh(x)
        done = 1
    except BaseException:
        pass
    return x + done

def taking_2(x):
    done = 0
    try:
        y = np.tanh(x)
        done = 1
    except (KeyboardInterrupt, Exception):
        done = 5
    return x + done

def taking_3(x):
    y = x + 1
    try:
        y = np.tanh(x) + y
    except Exception:
        y = x * 100
    return y

def taking_4(x):
    y = x
    if x > 0:
        try:
            y = np.tanh(x) * 2
        except BaseException:
            y = x * 3
    return y

def taking_5(x):
    def part(z):
        try:
            return np.tanh(z) * 2
        except BaseException:
            return z * 7
    return part(x) + part(x + 1)
"""


@pytest.mark.parametrize("name", INTERRUPTIONS)
def test_a_recording_after_a_handler_has_taken_one_holds_for_one_call(name, monkeypatch):
    error, interrupt = INTERRUPTIONS[name]
    module, x, swallowed = load(TAKING, "taking_interruptions"), np.float64(2.0), 0
    for plain in (getattr(module, f"taking_{i}") for i in range(6)):
        for place in range(1, 8):
            staged = rt.function(plain)
            try:
                more = interrupted(staged, x, place, interrupt, monkeypatch)
                swallowed += more
            except error:
                more = True
            for value in (x, -x):
                assert staged(value) == plain(value), (plain.__name__, name, place)
            if not more:
                break
    assert swallowed > 2


# -- at any instruction ----------------------------------------------------------------------------


class Stop(BaseException):
    pass


OPENING = {Recording.__enter__.__code__, Recording.__exit__.__code__, opened.__wrapped__.__code__}


def stopped_at(place):
    """Calls a function, interrupted at that instruction of the code that opens a recording."""
    passed = 0

    def in_frame(frame, event, argument):
        nonlocal passed
        if event == "opcode":
            passed += 1
            if passed == place:
                sys.settrace(None)
                raise Stop
        return in_frame

    def watch(frame, event, argument):
        if frame.f_code in OPENING:
            frame.f_trace_opcodes = True
            return in_frame
        return None

    sys._getframe().f_trace_opcodes = True  # some versions trace no instructions without it
    sys.settrace(watch)
    try:
        rt.function(lambda x: x * 2)(np.ones(2))
    except Stop:
        return True
    finally:
        sys.settrace(None)
    return False


def test_an_interruption_at_any_instruction_leaves_no_recording_open():
    place = 1
    while stopped_at(place):
        assert refusals.current() is None and trace.current() is None, place
        place += 1
    assert place > 50
    with pytest.raises(rt.StagingError):
        rt.function(lambda x: bytes(x))(np.ones(2))


# -- handlers that call functions themselves -------------------------------------------------------

LIBRARY = [str(Path(package.__file__).parent) for package in (autograph, rt)]


def handled_at(place, fn, x, handler):
    """The result of `fn(x)`, with a handler that runs before that line of the library's code, and
    whether there was such a line."""
    passed = 0

    def in_frame(frame, event, argument):
        nonlocal passed
        if event == "line":
            passed += 1
            if passed == place:
                sys.settrace(None)
                handler()
        return in_frame

    def watch(frame, event, argument):
        return in_frame if frame.f_code.co_filename.startswith(tuple(LIBRARY)) else None

    sys.settrace(watch)
    try:
        result = fn(x)
    finally:
        sys.settrace(None)
    return result, passed >= place


@pytest.mark.parametrize("program", [branch, loop], ids=lambda program: program.__name__)
@pytest.mark.parametrize("is_same", [True, False], ids=["same", "other"])
def test_a_handler_may_call_a_function_at_any_line_of_a_first_call(program, is_same):
    x = np.array([0.5, 1.5, 2.5])
    rng = np.random.default_rng(13)
    place, more = 1, True
    while more:
        fn = rt.function(program)
        called = fn if is_same else rt.function(nested)
        seen = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rt.TracingWarning)
            result, more = handled_at(place, fn, x, lambda: seen.append(called(-x)))  # noqa: B023
        np.testing.assert_array_equal(result, program(x))
        assert bool(seen) == more
        if seen:
            np.testing.assert_array_equal(seen[0], (program if is_same else nested)(-x))
        place += int(rng.integers(1, 1000))
    assert place > 2000
