"""`and`, `or`, `not`, comparisons and the ternary: operands are evaluated when Python would."""

import numpy as np


def f(x, y):
    inside = 0 < x < 10 and not y == 3
    either = x > 5 or y > 5
    return inside, either, x if inside else y


INPUTS = [(1, 2), (5, 3), (11, 7)]
STAGED = [(np.int64(1), np.int64(2)), (np.int64(5), np.int64(3)), (np.int64(11), np.int64(7))]


# == generated ==

def f(x, y):
    inside = ag__.and_(ag__.compare(0, '<', x, '<', lambda: 10), lambda: ag__.not_(y == 3))
    either = ag__.or_(x > 5, lambda: y > 5)
    return (inside, either, ag__.if_expr(inside, lambda: x, lambda: y))


# == graph ==

def f(x: i64, y: i64):
    p: b1 = greater(x, 0)  # boolean_operators.py:7

    def then():
        p_1: b1 = less(x, 10)  # boolean_operators.py:7
        return p_1

    def orelse():
        return p
    p_2: b1 = cond(p, then=then, orelse=orelse)  # boolean_operators.py:7

    def then_1():
        p_3: b1 = equal(y, 3)  # boolean_operators.py:7
        p_4: bool = not_(p_3)  # boolean_operators.py:7
        inside: bool | b1 = option(p_4, type=bool | b1)  # boolean_operators.py:7
        return inside

    def orelse_1():
        inside_1: bool | b1 = option(p_2, type=bool | b1)  # boolean_operators.py:7
        return inside_1
    inside_2: bool | b1 = cond(p_2, then=then_1, orelse=orelse_1)  # boolean_operators.py:7
    p_5: b1 = greater(x, 5)  # boolean_operators.py:8

    def then_2():
        return p_5

    def orelse_2():
        p_6: b1 = greater(y, 5)  # boolean_operators.py:8
        return p_6
    either: b1 = cond(p_5, then=then_2, orelse=orelse_2)  # boolean_operators.py:8
    p_7: bool = truth(inside_2)  # boolean_operators.py:9

    def then_3():
        return x

    def orelse_3():
        return y
    v: i64 = cond(p_7, then=then_3, orelse=orelse_3)  # boolean_operators.py:9
    return inside_2, either, v


# == program ==

def f(x, y):
    p = x > 0
    if p:
        p_1 = x < 10
    else:
        p_1 = p
    if p_1:
        inside = not y == 3
    else:
        inside = p_1
    p_2 = x > 5
    if p_2:
        either = p_2
    else:
        either = y > 5
    if bool(inside):
        v = int(x)
    else:
        v = int(y)
    return (inside, either, np.int64(v))
