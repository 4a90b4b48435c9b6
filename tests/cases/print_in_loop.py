"""`print` in a staged loop prints when the graph runs."""

import numpy as np


def f(n):
    if n >= 0:
        while n < 3:
            n += 1
            print("n is", n)
    return n


INPUTS = [(0,)]
STAGED = [(np.int64(0),), (np.int64(5),)]


# == generated ==

def f(n):

    def get_state():
        return (n,)

    def set_state(vars_):
        nonlocal n
        n, = vars_

    def loop_test():
        return n < 3

    def loop_body():
        nonlocal n
        n += 1
        ag__.converted_call(print)('n is', n)

    def if_body():
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('n',))
    ag__.if_stmt(n >= 0, if_body, None, get_state, set_state, ('n',))
    return n


# == graph ==

def f(n: i64):
    p: b1 = greater_equal(n, 0)  # print_in_loop.py:7

    def then():
        p_1: b1 = less(n, 3)  # print_in_loop.py:8

        def body(n_1: i64):
            n_2: i64 = add(n_1, 1)  # print_in_loop.py:9
            print(n_2, parts=('n is', _0), sep=' ', end='\n')  # print_in_loop.py:10
            p_2: b1 = less(n_2, 3)  # print_in_loop.py:8
            return p_2, n_2
        n_3: i64 = loop(p_1, n, body=body)  # print_in_loop.py:8
        return n_3

    def orelse():
        return n
    n_4: i64 = cond(p, then=then, orelse=orelse)  # print_in_loop.py:7
    return n_4


# == output ==

# f(0,)
# n is 1
# n is 2
# n is 3
# -> 3
# f(np.int64(0),)
# n is 1
# n is 2
# n is 3
# -> np.int64(3)
# f(np.int64(5),)
# -> np.int64(5)
