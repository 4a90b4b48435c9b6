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
    returned = False
    k = 0

    def get_state():
        return (returned,)

    def set_state(vars_):
        nonlocal returned
        returned, = vars_

    def if_body():
        nonlocal returned
        returned = True

    def get_state_1():
        return (k, returned)

    def set_state_1(vars_):
        nonlocal k, returned
        k, returned = vars_

    def loop_test():
        return ag__.not_(returned)

    def loop_body():
        nonlocal k
        k += 1
        ag__.if_stmt(k * k > n, if_body, None, get_state, set_state, ('returned',))
    ag__.while_stmt(loop_test, loop_body, get_state_1, set_state_1, ('k', 'returned'))
    return k


# == graph ==

def f(n: i64):
    p: b1 = less(n, 1)  # while_true.py:10

    def then():
        return True

    def orelse():
        return False
    returned: bool = cond(p, then=then, orelse=orelse)  # while_true.py:10
    p_1: bool = not_(returned)  # while_true.py:8

    def body(k: int, returned_1: bool):
        k_1: int = add(k, 1)  # while_true.py:9
        v: int = multiply(k_1, k_1)  # while_true.py:10
        p_2: b1 = greater(v, n)  # while_true.py:10

        def then_1():
            return True

        def orelse_1():
            return returned_1
        returned_2: bool = cond(p_2, then=then_1, orelse=orelse_1)  # while_true.py:10
        p_3: bool = not_(returned_2)  # while_true.py:8
        return p_3, k_1, returned_2
    k_2, returned_3 = loop(p_1, 1, returned, body=body)  # while_true.py:8
    return k_2


# == program ==

def f(n):
    n = int(n)
    p = n < 1
    returned = bool(p)
    p_1 = not p
    k = 1
    while p_1:
        k = k + 1
        if k * k > n:
            returned = True
        p_1 = not returned
    return (k,)
