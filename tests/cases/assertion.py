"""`assert` in a graph."""

import numpy as np


def f(x):
    assert x != 0, "Do not pass zero!"
    return x * x


INPUTS = [(3,), (0,)]
STAGED = [(np.int64(3),), (np.int64(0),)]


# == generated ==

def f(x):
    assert ag__.holds(x != 0, 'Do not pass zero!'), 'Do not pass zero!'
    return x * x


# == graph ==

def f(x: i64):
    p: b1 = not_equal(x, 0)  # assertion.py:7
    assert_(p, error=AssertionError, arguments=('Do not pass zero!',))  # assertion.py:7
    v: i64 = multiply(x, x)  # assertion.py:8
    return v


# == program ==

def f(x):
    _assert(np, (x != 0,), _attributes)
    v = x * x
    return (v,)


# == output ==

# f(3,)
# -> 9
# f(0,)
# -> AssertionError: Do not pass zero!
# f(np.int64(3),)
# -> np.int64(9)
# f(np.int64(0),)
# -> AssertionError: Do not pass zero!
