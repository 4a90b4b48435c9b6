"""A list that a staged loop appends to."""

import numpy as np

import autograph


def f(n):
    z = []
    autograph.set_element_type(z, np.int64)
    for i in range(n):
        z.append(i)
    return autograph.stack(z)


INPUTS = [(4,)]
STAGED = [(np.int64(4),), (np.int64(0),)]


# == generated ==

def f(n):
    i: object
    z = ag__.new_list([])
    ag__.converted_call(autograph.set_element_type)(z, np.int64)

    def loop_body(itr):
        nonlocal i
        i = itr
        del itr
        ag__.converted_call(z.append)(i)
    ag__.for_stmt(ag__.converted_call(range)(n), loop_body)
    return ag__.converted_call(autograph.stack)(z)


# == graph ==

def f(n: i64):
    v: int = number(n, type=int)  # list_append.py:11
    p: bool = greater(v, 0)  # list_append.py:11
    v_1: list[i64] = list_new(element=i64)  # list_append.py:11

    def body(i: int, z: list[i64]):
        v_2: i64 = cast(i, dtype=i64)  # list_append.py:12
        v_3: list[i64] = list_append(z, v_2)  # list_append.py:12
        v_4: int = add(i, 1)  # list_append.py:11
        p_1: bool = less(v_4, v)  # list_append.py:11
        return p_1, v_4, v_3
    i_1, z_1 = loop(p, 0, v_1, body=body)  # list_append.py:11
    v_5: i64[None] = list_stack(z_1, element=i64)  # list_append.py:13
    return v_5


# == program ==

def f(n):
    v = int(n)
    v_1 = _list_new(np, (), _attributes)
    for i in range(v):
        v_1.append(_cast(np, (i,), _attributes_1))
    v_2 = _list_stack(np, (v_1,), _attributes_2)
    return (v_2,)
