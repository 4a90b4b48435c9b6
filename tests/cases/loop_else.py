"""The `else` of a loop runs unless a `break` left the loop."""

import numpy as np


def f(xs):
    for x in xs:
        if x > 3:
            found = 1
            break
    else:
        found = 0
    return found


INPUTS = [([1, 5],), ([1, 2],), ([],)]
STAGED = [(np.array([1, 5]),), (np.array([1, 2]),)]


# == generated ==

def f(xs):
    x: object
    found: object
    stop = False

    def get_state():
        return (found, stop)

    def set_state(vars_):
        nonlocal found, stop
        found, stop = vars_

    def if_body():
        nonlocal found, stop
        found = 1
        stop = True

    def loop_test():
        return ag__.not_(stop)

    def loop_body(itr):
        nonlocal x
        x = itr
        del itr
        ag__.if_stmt(x > 3, if_body, None, get_state, set_state, ('found', 'stop'))
    ag__.for_stmt(xs, loop_body, get_state, set_state, ('found', 'stop'), loop_test=loop_test)

    def get_state_1():
        return (found,)

    def set_state_1(vars_):
        nonlocal found
        found, = vars_

    def if_body_1():
        nonlocal found
        found = 0
    ag__.if_stmt(ag__.not_(stop), if_body_1, None, get_state_1, set_state_1, ('found',))
    return ag__.bound(found, 'found')


# == graph ==

def f(xs: i64[2]):
    v: int = zero(type=int)  # loop_else.py:7

    def body(i: int, found: int, found_1: bool, stop: bool):
        v_1: i64 = getitem(xs, i, at=(_0,))  # loop_else.py:7
        p: b1 = greater(v_1, 3)  # loop_else.py:8

        def then():
            return 1, True, True

        def orelse():
            return found, found_1, stop
        found_2, found_3, stop_1 = cond(p, then=then, orelse=orelse)  # loop_else.py:8
        v_2: int = add(i, 1)  # loop_else.py:7
        p_1: bool = not_(stop_1)  # loop_else.py:7

        def then_1():
            p_2: bool = less(v_2, 2)  # loop_else.py:7
            return p_2

        def orelse_1():
            return False
        p_3: bool = cond(p_1, then=then_1, orelse=orelse_1)  # loop_else.py:7
        return p_3, v_2, found_2, found_3, stop_1
    i_1, found_4, found_5, stop_2 = loop(True, 0, v, False, False, body=body)  # loop_else.py:7
    p_4: bool = not_(stop_2)  # loop_else.py:7

    def then_2():
        return 0, True

    def orelse_2():
        return found_4, found_5
    found_6, found_7 = cond(p_4, then=then_2, orelse=orelse_2)  # loop_else.py:7
    assert_(found_7, error=UnboundLocalError, arguments=("cannot access local variable 'found' where it is not associated with a value",))  # loop_else.py:13
    return found_6


# == program ==

def f(xs):
    v = 0
    found = False
    stop = False
    for i in range(2):
        v_1 = xs[i]
        if v_1 > 3:
            v, found, stop = 1, True, True
        if stop:
            break
    if stop:
        found_1, found_2 = v, found
    else:
        found_1, found_2 = 0, True
    _assert(np, (found_2,), _attributes)
    return (found_1,)
