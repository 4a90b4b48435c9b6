"""Guard clauses: a flat `cond_stmt`, and no flag."""

import numpy as np


def f(x):
    if x < 0:
        return -1
    if x == 0:
        return 0
    if x < 10:
        return 1
    return 2


INPUTS = [(-5,), (0,), (5,), (50,)]
STAGED = [(np.int64(-5),), (np.int64(0),), (np.int64(5),), (np.int64(50),)]


# == generated ==

def f(x):
    result: object

    def get_state():
        return (result,)

    def set_state(vars_):
        nonlocal result
        result, = vars_

    def if_test():
        return x < 0

    def if_body():
        nonlocal result
        result = -1

    def elif_test():
        return x == 0

    def elif_body():
        nonlocal result
        result = 0

    def elif_test_1():
        return x < 10

    def elif_body_1():
        nonlocal result
        result = 1

    def else_body():
        nonlocal result
        result = 2
    ag__.cond_stmt(((if_test, if_body), (elif_test, elif_body), (elif_test_1, elif_body_1)), else_body, get_state, set_state, ('result',))
    return result


# == graph ==

def f(x: i64):
    p: b1 = less(x, 0)  # guards.py:7

    def then():
        return -1

    def orelse():
        p_1: b1 = equal(x, 0)  # guards.py:9

        def then_1():
            return 0

        def orelse_1():
            p_2: b1 = less(x, 10)  # guards.py:11

            def then_2():
                return 1

            def orelse_2():
                return 2
            result: int = cond(p_2, then=then_2, orelse=orelse_2)  # guards.py:11
            return result
        result_1: int = cond(p_1, then=then_1, orelse=orelse_1)  # guards.py:9
        return result_1
    result_2: int = cond(p, then=then, orelse=orelse)  # guards.py:7
    return result_2


# == program ==

def f(x):
    if x < 0:
        result = -1
    else:
        if x == 0:
            result = 0
        else:
            if x < 10:
                result = 1
            else:
                result = 2
    return (result,)
