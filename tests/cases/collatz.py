"""A loop with a branch: block functions are side by side, and the graph nests as the code does."""

import numpy as np


def f(a):
    counter = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        counter = counter + 1
    return counter


INPUTS = [(27,), (1,)]
STAGED = [(np.int64(27),), (np.int64(1),)]


# == after jumps ==

def f(a):
    counter = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        counter = counter + 1
    return counter


# == generated ==

def f(a):
    counter = 0

    def get_state():
        return (a,)

    def set_state(vars_):
        nonlocal a
        a, = vars_

    def if_body():
        nonlocal a
        a = a // 2

    def else_body():
        nonlocal a
        a = 3 * a + 1

    def get_state_1():
        return (a, counter)

    def set_state_1(vars_):
        nonlocal a, counter
        a, counter = vars_

    def loop_test():
        return a != 1

    def loop_body():
        nonlocal counter
        ag__.if_stmt(a % 2 == 0, if_body, else_body, get_state, set_state, ('a',))
        counter = counter + 1
    ag__.while_stmt(loop_test, loop_body, get_state_1, set_state_1, ('a', 'counter'))
    return counter


# == graph ==

def f(a: i64):
    p: b1 = not_equal(a, 1)  # collatz.py:8

    def body(a_1: i64, counter: int):
        v: i64 = remainder(a_1, 2)  # collatz.py:9
        p_1: b1 = equal(v, 0)  # collatz.py:9

        def then():
            a_2: i64 = floor_divide(a_1, 2)  # collatz.py:10
            return a_2

        def orelse():
            v_1: i64 = multiply(3, a_1)  # collatz.py:12
            a_3: i64 = add(v_1, 1)  # collatz.py:12
            return a_3
        a_4: i64 = cond(p_1, then=then, orelse=orelse)  # collatz.py:9
        counter_1: int = add(counter, 1)  # collatz.py:13
        p_2: b1 = not_equal(a_4, 1)  # collatz.py:8
        return p_2, a_4, counter_1
    a_5, counter_2 = loop(p, a, 0, body=body)  # collatz.py:8
    return counter_2


# == diff ==




# == program ==

def f(a):
    counter = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        counter = counter + 1
    return (counter,)
