"""Returns at the ends of both branches: no flag is needed."""

import numpy as np


def f(x):
    if x > 0:
        return x
    else:
        return 0


INPUTS = [(1,), (-1,), (0.5,)]
STAGED = [(np.float64(1.0),), (np.float64(-1.0),)]


# == generated ==

def f(x):
    result: object

    def get_state():
        return (result,)

    def set_state(vars_):
        nonlocal result
        result, = vars_

    def if_body():
        nonlocal result
        result = x

    def else_body():
        nonlocal result
        result = 0
    ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('result',))
    return result


# == graph ==

def f(x: f64):
    p: b1 = greater(x, 0)  # relu.py:7

    def then():
        v: int | f64 = option(x, type=int | f64)  # relu.py:8
        return v

    def orelse():
        v_1: int | f64 = option(0, type=int | f64)  # relu.py:10
        return v_1
    result: int | f64 = cond(p, then=then, orelse=orelse)  # relu.py:7
    return result


# == program ==

def f(x):
    if x > 0:
        result = x
    else:
        result = 0
    return (result,)
