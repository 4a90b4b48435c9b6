"""`while True` that only a `return` inside leaves."""

import numpy as np


def f(n):
    k = 0
    while True:
        k += 1
        if k * k > n:
            return k


INPUTS = [(50,), (0,)]
STAGED = [(np.int64(50),)]


# == generated ==

def f(n):
    result = ag__.unset
    returned = False
    k = 0

    def get_state():
        return (result, returned)

    def set_state(vars_):
        nonlocal result, returned
        result, returned = vars_

    def if_body():
        nonlocal result, returned
        result = k
        returned = True

    def get_state_1():
        return (k, result, returned)

    def set_state_1(vars_):
        nonlocal k, result, returned
        k, result, returned = vars_

    def loop_test():
        return ag__.not_(returned)

    def loop_body():
        nonlocal k
        k += 1
        ag__.if_stmt(k * k > n, if_body, None, get_state, set_state, ('result', 'returned'))
    ag__.while_stmt(loop_test, loop_body, get_state_1, set_state_1, ('k', 'result', 'returned'))
    return result


# == graph ==

def f(n: i64):
    p: b1 = less(n, 1)  # while_true.py:10

    def then():
        return 1, True

    def orelse():
        v: int = zero(type=int)  # while_true.py:10
        return v, False
    result, returned = cond(p, then=then, orelse=orelse)  # while_true.py:10
    p_1: bool = not_(returned)  # while_true.py:8

    def body(k: int, result_1: int, returned_1: bool):
        k_1: int = add(k, 1)  # while_true.py:9
        v_1: int = multiply(k_1, k_1)  # while_true.py:10
        p_2: b1 = greater(v_1, n)  # while_true.py:10

        def then_1():
            return k_1, True

        def orelse_1():
            return result_1, returned_1
        result_2, returned_2 = cond(p_2, then=then_1, orelse=orelse_1)  # while_true.py:10
        p_3: bool = not_(returned_2)  # while_true.py:8
        return p_3, k_1, result_2, returned_2
    k_2, result_3, returned_3 = loop(p_1, 1, result, returned, body=body)  # while_true.py:8
    return result_3


# == program ==

def f(n):
    n = int(n)
    p = n < 1
    returned = bool(p)
    p_1 = not p
    k = 1
    result = 1
    while p_1:
        k = k + 1
        if k * k > n:
            result, returned = k, True
        p_1 = not returned
    return (result,)
