"""A comprehension with a condition: in the graph it is a loop."""

import numpy as np


def f(xs):
    return [2 * x for x in xs if x > 0], any(x > 2 for x in xs)


STAGED = [(np.array([1.0, -1.0]),)]


# == generated ==

def f(xs):
    return (ag__.comprehension(lambda itr: [2 * x for x in itr if x > 0], xs), ag__.converted_call(any)(ag__.comprehension(lambda itr: (x > 2 for x in itr), xs)))


# == graph ==

def f(xs: f64[2]):
    v: list[f64] = list_new(element=f64)  # comprehension.py:7

    def body(i: int, result: list[f64]):
        v_1: f64 = getitem(xs, i, at=(_0,))  # comprehension.py:7
        p: b1 = greater(v_1, 0)  # comprehension.py:7

        def then():
            v_2: f64 = multiply(2, v_1)  # comprehension.py:7
            v_3: list[f64] = list_append(result, v_2)  # comprehension.py:7
            return v_3

        def orelse():
            return result
        result_1: list[f64] = cond(p, then=then, orelse=orelse)  # comprehension.py:7
        v_4: int = add(i, 1)  # comprehension.py:7
        p_1: bool = less(v_4, 2)  # comprehension.py:7
        return p_1, v_4, result_1
    i_1, result_2 = loop(True, 0, v, body=body)  # comprehension.py:7
    p_2: bool = zero(type=bool)  # comprehension.py:7

    def body_1(i_2: int, result_3: bool, returned: bool):
        v_5: f64 = getitem(xs, i_2, at=(_0,))  # comprehension.py:7
        p_3: b1 = greater(v_5, 2)  # comprehension.py:7

        def then_1():
            return True, True

        def orelse_1():
            return result_3, returned
        result_4, returned_1 = cond(p_3, then=then_1, orelse=orelse_1)  # comprehension.py:7
        v_6: int = add(i_2, 1)  # comprehension.py:7
        p_4: bool = not_(returned_1)  # comprehension.py:7

        def then_2():
            p_5: bool = less(v_6, 2)  # comprehension.py:7
            return p_5

        def orelse_2():
            return False
        p_6: bool = cond(p_4, then=then_2, orelse=orelse_2)  # comprehension.py:7
        return p_6, v_6, result_4, returned_1
    i_3, result_5, returned_2 = loop(True, 0, p_2, False, body=body_1)  # comprehension.py:7
    p_7: bool = not_(returned_2)  # comprehension.py:7

    def then_3():
        return False

    def orelse_3():
        return result_5
    result_6: bool = cond(p_7, then=then_3, orelse=orelse_3)  # comprehension.py:7
    return result_2, result_6


# == program ==

def f(xs):
    v = _list_new(np, (), _attributes)
    for i in range(2):
        v_1 = xs[i]
        if v_1 > 0:
            v.append(2 * v_1)
    p = False
    returned = False
    for i_1 in range(2):
        if xs[i_1] > 2:
            p, returned = True, True
        if returned:
            break
    if returned:
        result = p
    else:
        result = False
    return (v, result)
