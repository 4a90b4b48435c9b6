"""Elements of an array that a loop writes: in place in the program, a new value in the graph."""

import numpy as np


def f(n):
    table = np.zeros(8, np.int64)
    table[1] = 1
    for i in range(2, n):
        table[i] = table[i - 1] + table[i - 2]
    return table


INPUTS = [(8,)]
STAGED = [(np.int64(8),), (np.int64(3),)]


# == generated ==

def f(n):
    i: object
    table = ag__.converted_call(np.zeros)(8, np.int64)
    ag__.indexed(table)[1] = 1

    def loop_body(itr):
        nonlocal i
        i = itr
        del itr
        ag__.indexed(table)[i] = ag__.indexed(table)[i - 1] + ag__.indexed(table)[i - 2]
    ag__.for_stmt(ag__.converted_call(range)(2, n), loop_body)
    return table


# == graph ==

def f(n: i64):
    table: i64[8] = full(0, shape=(8,), dtype=i64)  # subscripts.py:7
    v: i64[8] = setitem(table, 1, at=(1,))  # subscripts.py:8
    v_1: int = number(n, type=int)  # subscripts.py:9
    p: bool = greater(v_1, 2)  # subscripts.py:9

    def body(i: int, table_1: i64[8]):
        v_2: int = subtract(i, 1)  # subscripts.py:10
        v_3: i64 = getitem(table_1, v_2, at=(_0,))  # subscripts.py:10
        v_4: int = subtract(i, 2)  # subscripts.py:10
        v_5: i64 = getitem(table_1, v_4, at=(_0,))  # subscripts.py:10
        v_6: i64 = add(v_3, v_5)  # subscripts.py:10
        v_7: i64[8] = setitem(table_1, v_6, i, at=(_0,))  # subscripts.py:10
        v_8: int = add(i, 1)  # subscripts.py:9
        p_1: bool = less(v_8, v_1)  # subscripts.py:9
        return p_1, v_8, v_7
    i_1, table_2 = loop(p, 2, v, body=body)  # subscripts.py:9
    return table_2


# == program ==

def f(n):
    table = _full(np, (0,), _attributes)
    table[1] = 1
    v = int(n)
    for i in range(2, v):
        table[i] = table[i - 1] + table[i - 2]
    return (table,)
