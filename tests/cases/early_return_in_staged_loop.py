"""A `return` in a staged loop, with a result that has no value before."""

import numpy as np


def f(xs, wanted):
    for i in range(len(xs)):
        if xs[i] == wanted:
            return i
    return -1


INPUTS = [([4, 5, 6], 5), ([4, 5, 6], 7)]
STAGED = [(np.array([4, 5, 6]), np.int64(5)), (np.array([4, 5, 6]), np.int64(7))]


# == generated ==

def f(xs, wanted):
    i: object
    result = ag__.unset
    returned = False

    def get_state():
        return (result, returned)

    def set_state(vars_):
        nonlocal result, returned
        result, returned = vars_

    def if_body():
        nonlocal result, returned
        result = i
        returned = True

    def loop_test():
        return ag__.not_(returned)

    def loop_body(itr):
        nonlocal i
        i = itr
        del itr
        ag__.if_stmt(ag__.equal(ag__.indexed(xs)[i], wanted), if_body, None, get_state, set_state, ('result', 'returned'))
    ag__.for_stmt(ag__.converted_call(range)(ag__.converted_call(len)(xs)), loop_body, get_state, set_state, ('result', 'returned'), loop_test=loop_test)

    def get_state_1():
        return (result,)

    def set_state_1(vars_):
        nonlocal result
        result, = vars_

    def if_body_1():
        nonlocal result
        result = -1
    ag__.if_stmt(ag__.not_(returned), if_body_1, None, get_state_1, set_state_1, ('result',))
    return result


# == graph ==

def f(xs: i64[3], wanted: i64):
    v: i64 = getitem(xs, at=(0,))  # early_return_in_staged_loop.py:8
    p: b1 = equal(v, wanted)  # early_return_in_staged_loop.py:8

    def then():
        return 0, True

    def orelse():
        v_1: int = zero(type=int)  # early_return_in_staged_loop.py:8
        return v_1, False
    result, returned = cond(p, then=then, orelse=orelse)  # early_return_in_staged_loop.py:8
    p_1: bool = not_(returned)  # early_return_in_staged_loop.py:7

    def then_1():
        v_2: i64 = getitem(xs, at=(1,))  # early_return_in_staged_loop.py:8
        p_2: b1 = equal(v_2, wanted)  # early_return_in_staged_loop.py:8

        def then_2():
            return 1, True

        def orelse_1():
            return result, returned
        result_1, returned_1 = cond(p_2, then=then_2, orelse=orelse_1)  # early_return_in_staged_loop.py:8
        return result_1, returned_1

    def orelse_2():
        return result, returned
    result_2, returned_2 = cond(p_1, then=then_1, orelse=orelse_2)  # early_return_in_staged_loop.py:7
    p_3: bool = not_(returned_2)  # early_return_in_staged_loop.py:7

    def then_3():
        v_3: i64 = getitem(xs, at=(2,))  # early_return_in_staged_loop.py:8
        p_4: b1 = equal(v_3, wanted)  # early_return_in_staged_loop.py:8

        def then_4():
            return 2, True

        def orelse_3():
            return result_2, returned_2
        result_3, returned_3 = cond(p_4, then=then_4, orelse=orelse_3)  # early_return_in_staged_loop.py:8
        return result_3, returned_3

    def orelse_4():
        return result_2, returned_2
    result_4, returned_4 = cond(p_3, then=then_3, orelse=orelse_4)  # early_return_in_staged_loop.py:7
    p_5: bool = not_(returned_4)  # early_return_in_staged_loop.py:7
    p_6: bool = not_(returned_4)  # early_return_in_staged_loop.py:7

    def then_5():
        return -1

    def orelse_5():
        return result_4
    result_5: int = cond(p_6, then=then_5, orelse=orelse_5)  # early_return_in_staged_loop.py:7
    return result_5


# == program ==

def f(xs, wanted):
    if xs[0] == wanted:
        result, returned = 0, True
    else:
        p = xs[1] == wanted
        if p:
            result = 1
        else:
            result = 0
        returned = bool(p)
    if returned:
        result_1, returned_1 = result, True
    else:
        p_1 = xs[2] == wanted
        if p_1:
            result_1 = 2
        else:
            result_1 = result
        returned_1 = bool(p_1)
    if returned_1:
        result_2 = result_1
    else:
        result_2 = -1
    return (result_2,)
