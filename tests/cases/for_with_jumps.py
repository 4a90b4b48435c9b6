"""`continue`, `break` and `return` in one loop."""

import numpy as np


def f(xs, limit):
    total = 0
    for x in xs:
        if x < 0:
            continue
        if x == 99:
            break
        total += x
        if total > limit:
            return -1
    return total


INPUTS = [([1, -2, 3], 100), ([1, 99, 3], 100), ([50, 60, 70], 100)]
STAGED = [
    (np.array([1, -2, 3]), np.int64(100)),
    (np.array([1, 99, 3]), np.int64(100)),
    (np.array([50, 60, 70]), np.int64(100)),
]


# == after jumps ==

def f(xs, limit):
    result = ag__.unset
    returned = False
    total = 0
    stop = False
    for x in xs:
        if x < 0:
            pass
        elif x == 99:
            stop = True
        else:
            total += x
            if total > limit:
                result = -1
                returned = True
        if stop or returned:
            break
    if not returned:
        result = total
    return result


# == generated ==

def f(xs, limit):
    x: object
    result = ag__.unset
    returned = False
    total = 0
    stop = False

    def get_state():
        return (stop, total, result, returned)

    def set_state(vars_):
        nonlocal stop, total, result, returned
        stop, total, result, returned = vars_

    def if_test():
        return x < 0

    def if_body():
        pass

    def elif_test():
        return x == 99

    def elif_body():
        nonlocal stop
        stop = True

    def elif_test_1():
        nonlocal total
        total += x
        return total > limit

    def elif_body_1():
        nonlocal result, returned
        result = -1
        returned = True

    def loop_test():
        return ag__.not_(ag__.or_(stop, lambda: returned))

    def loop_body(itr):
        nonlocal x
        x = itr
        del itr
        ag__.cond_stmt(((if_test, if_body), (elif_test, elif_body), (elif_test_1, elif_body_1)), None, get_state, set_state, ('stop', 'total', 'result', 'returned'))
    ag__.for_stmt(xs, loop_body, get_state, set_state, ('stop', 'total', 'result', 'returned'), loop_test=loop_test)

    def get_state_1():
        return (result,)

    def set_state_1(vars_):
        nonlocal result
        result, = vars_

    def if_body_1():
        nonlocal result
        result = total
    ag__.if_stmt(ag__.not_(returned), if_body_1, None, get_state_1, set_state_1, ('result',))
    return result


# == graph ==

def f(xs: i64[3], limit: i64):
    v: int | i64 = option(0, type=int | i64)  # for_with_jumps.py:7
    v_1: int = zero(type=int)  # for_with_jumps.py:6

    def body(i: int, stop: bool, total: int | i64, result: int, returned: bool):
        v_2: i64 = getitem(xs, i, at=(_0,))  # for_with_jumps.py:8
        p: b1 = less(v_2, 0)  # for_with_jumps.py:9

        def then():
            return stop, total, result, returned

        def orelse():
            p_1: b1 = equal(v_2, 99)  # for_with_jumps.py:11

            def then_1():
                return True, total, result, returned

            def orelse_1():
                total_1: i64 = dynamic_add(total, v_2)  # for_with_jumps.py:13
                p_2: b1 = greater(total_1, limit)  # for_with_jumps.py:14

                def then_2():
                    return -1, True

                def orelse_2():
                    return result, returned
                result_1, returned_1 = cond(p_2, then=then_2, orelse=orelse_2)  # for_with_jumps.py:14
                v_3: int | i64 = option(total_1, type=int | i64)  # for_with_jumps.py:9
                return stop, v_3, result_1, returned_1
            stop_1, total_2, result_2, returned_2 = cond(p_1, then=then_1, orelse=orelse_1)  # for_with_jumps.py:11
            return stop_1, total_2, result_2, returned_2
        stop_2, total_3, result_3, returned_3 = cond(p, then=then, orelse=orelse)  # for_with_jumps.py:9
        v_4: int = add(i, 1)  # for_with_jumps.py:8

        def then_3():
            return stop_2

        def orelse_3():
            return returned_3
        p_3: bool = cond(stop_2, then=then_3, orelse=orelse_3)  # for_with_jumps.py:8
        p_4: bool = not_(p_3)  # for_with_jumps.py:8

        def then_4():
            p_5: bool = less(v_4, 3)  # for_with_jumps.py:8
            return p_5

        def orelse_4():
            return False
        p_6: bool = cond(p_4, then=then_4, orelse=orelse_4)  # for_with_jumps.py:8
        return p_6, v_4, stop_2, total_3, result_3, returned_3
    i_1, stop_3, total_4, result_4, returned_4 = loop(True, 0, False, v, v_1, False, body=body)  # for_with_jumps.py:8
    p_7: bool = not_(returned_4)  # for_with_jumps.py:8

    def then_5():
        return total_4

    def orelse_5():
        v_5: int | i64 = option(result_4, type=int | i64)  # for_with_jumps.py:8
        return v_5
    result_5: int | i64 = cond(p_7, then=then_5, orelse=orelse_5)  # for_with_jumps.py:8
    return result_5
