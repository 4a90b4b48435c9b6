"""Handlers catch what operations on texts and lists raise only in a run."""

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

EXPRESSIONS = """
[0] * x; [0] * w[0]; x * [1]; '%d' % w; '%d %s' % (w, x); '%c' % int(x * 1e9); f'{int(x * 1e9):c}'
f'{x:{t}}'; f'{int(x):{t}}'; ('%' + t) % x; ('%' + t) % w; '%(a)d' % {'a': w}; t % x; t.join([t, t])
'{:{}}'.format(x, t); '%s %s' % w; t % (x, x); '%x' % x; z[int(x)]; z.index(int(x)); int(t); float(t)
"""
EXPRESSIONS = [one.strip() for line in EXPRESSIONS.strip().splitlines() for one in line.split(";")]
TEXT = """
import numpy as np

def f(x):
    w = np.ones(3) * x
    t = "d" if x > 1 else "q"
    z = []
    for i in range(int(x)):
        z.append(i)
    try:
        {}
    except {} as error:
        return type(error).__name__
    return r
"""
ONCE = "r = {0}"
IN_A_LOOP = "r = 0\n        while x < 3:\n            x += 1\n            r = {0}"
HANDLERS = ["TypeError", "(ValueError, OverflowError, IndexError)", "Exception"]


def outcome(function, x):
    try:
        return repr(function(np.float64(x)))
    except rt.StagingError:
        raise
    except Exception as error:
        return type(error).__name__


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("block", [ONCE, IN_A_LOOP])
@pytest.mark.parametrize("handler", HANDLERS)
def test_a_handler_catches_what_python_raises(handler, block):
    for one in EXPRESSIONS:
        text = TEXT.format(block.format(one), handler)
        plain = load(text, f"<plain {one} {handler} {len(block)}>").f
        staged = rt.function(load(text, f"<staged {one} {handler} {len(block)}>").f)
        for x in (0.0, 2.0):
            wanted = outcome(plain, x)
            try:
                assert outcome(staged, x) == wanted, (one, handler, x)
            except rt.StagingError:
                break


def test_errors_are_reported_once_before_an_exception():
    def ratios(x, y):
        small = np.exp(x)
        return small / y

    reported = []

    def report(message, flags):
        reported.append(message)

    traced = rt.function(ratios)
    for function in (ratios, traced, traced, traced):
        reported.clear()
        with np.errstate(all="raise", under="call", call=report), pytest.raises(FloatingPointError):
            function(np.array([0.0, -800.0]), np.array([0.0, 1.0]))
        assert reported == ["underflow"]
