"""A chain of `elif`s is one flat operator; a condition with statements becomes a function."""

import numpy as np


def f(x):
    if x < 0:
        kind = "negative"
        y = -x
    elif (half := x // 2) * 2 == x:
        kind = "even"
        y = half
    elif x > 100:
        kind = "large"
        y = 100
    else:
        kind = "odd"
        y = x
    return y


INPUTS = [(-3,), (8,), (7,), (101,)]


# == generated ==

def f(x):
    kind: object
    y: object
    half: object

    def get_state():
        return (y,)

    def set_state(vars_):
        nonlocal y
        y, = vars_

    def if_test():
        return x < 0

    def if_body():
        nonlocal kind, y
        kind = 'negative'
        y = -x

    def elif_test():
        nonlocal half
        return ag__.equal((half := (x // 2)) * 2, x)

    def elif_body():
        nonlocal kind, y
        kind = 'even'
        y = half

    def elif_test_1():
        return x > 100

    def elif_body_1():
        nonlocal kind, y
        kind = 'large'
        y = 100

    def else_body():
        nonlocal kind, y
        kind = 'odd'
        y = x
    ag__.cond_stmt(((if_test, if_body), (elif_test, elif_body), (elif_test_1, elif_body_1)), else_body, get_state, set_state, ('y',))
    return y
