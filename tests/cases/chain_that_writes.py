"""In-place changes by any arm of an `elif` chain are found: arrays, lists, attributes."""

import numpy as np

import autograph


def f(n):
    counts = np.zeros(3, np.int64)
    kept = []
    autograph.set_element_type(kept, np.int64)
    i = 0
    while True:
        i += 1
        if i * i > n:
            break
        if i % 3 == 0:
            counts[0] += 1
            continue
        if i % 2 == 0:
            counts[1] += i
        else:
            counts[2] -= i
        kept.append(i)
    return counts, autograph.stack(kept)


INPUTS = [(30,), (0,)]
STAGED = [(np.int64(30),), (np.int64(0),)]


# == generated ==

def f(n):
    counts = ag__.converted_call(np.zeros)(3, np.int64)
    kept = ag__.new_list([])
    ag__.converted_call(autograph.set_element_type)(kept, np.int64)
    i = 0
    stop = False

    def if_body():
        ag__.indexed(counts)[1] += i

    def else_body():
        ag__.indexed(counts)[2] -= i

    def get_state():
        return (stop,)

    def set_state(vars_):
        nonlocal stop
        stop, = vars_

    def if_test():
        return i * i > n

    def if_body_1():
        nonlocal stop
        stop = True

    def elif_test():
        return i % 3 == 0

    def elif_body():
        ag__.indexed(counts)[0] += 1

    def else_body_1():
        ag__.if_stmt(i % 2 == 0, if_body, else_body)
        ag__.converted_call(kept.append)(i)

    def get_state_1():
        return (i, stop)

    def set_state_1(vars_):
        nonlocal i, stop
        i, stop = vars_

    def loop_test():
        return ag__.not_(stop)

    def loop_body():
        nonlocal i
        i += 1
        ag__.cond_stmt(((if_test, if_body_1), (elif_test, elif_body)), else_body_1, get_state, set_state, ('stop',))
    ag__.while_stmt(loop_test, loop_body, get_state_1, set_state_1, ('i', 'stop'))
    return (counts, ag__.converted_call(autograph.stack)(kept))


# == graph ==

def f(n: i64):
    counts: i64[3] = full(0, shape=(3,), dtype=i64)  # chain_that_writes.py:9
    p: b1 = less(n, 1)  # chain_that_writes.py:15

    def then():
        v: list[i64] = list_new(element=i64)  # chain_that_writes.py:15
        return True, counts, v

    def orelse():
        v_1: i64 = getitem(counts, at=(2,))  # chain_that_writes.py:23
        v_2: i64 = subtract(v_1, 1)  # chain_that_writes.py:23
        v_3: i64[3] = setitem(counts, v_2, at=(2,))  # chain_that_writes.py:23
        v_4: i64 = cast(1, dtype=i64)  # chain_that_writes.py:15
        v_5: list[i64] = list_new(v_4, element=i64)  # chain_that_writes.py:15
        return False, v_3, v_5
    stop, counts_1, kept = cond(p, then=then, orelse=orelse)  # chain_that_writes.py:15
    p_1: bool = not_(stop)  # chain_that_writes.py:13

    def body(i: int, stop_1: bool, counts_2: i64[3], kept_1: list[i64]):
        i_1: int = add(i, 1)  # chain_that_writes.py:14
        v_6: int = multiply(i_1, i_1)  # chain_that_writes.py:15
        p_2: b1 = greater(v_6, n)  # chain_that_writes.py:15

        def then_1():
            return True, counts_2, kept_1

        def orelse_1():
            v_7: int = remainder(i_1, 3)  # chain_that_writes.py:17
            p_3: bool = equal(v_7, 0)  # chain_that_writes.py:17

            def then_2():
                v_8: i64 = getitem(counts_2, at=(0,))  # chain_that_writes.py:18
                v_9: i64 = add(v_8, 1)  # chain_that_writes.py:18
                v_10: i64[3] = setitem(counts_2, v_9, at=(0,))  # chain_that_writes.py:18
                return v_10, kept_1

            def orelse_2():
                v_11: int = remainder(i_1, 2)  # chain_that_writes.py:20
                p_4: bool = equal(v_11, 0)  # chain_that_writes.py:20

                def then_3():
                    v_12: i64 = getitem(counts_2, at=(1,))  # chain_that_writes.py:21
                    v_13: i64 = add(v_12, i_1)  # chain_that_writes.py:21
                    v_14: i64[3] = setitem(counts_2, v_13, at=(1,))  # chain_that_writes.py:21
                    return v_14

                def orelse_3():
                    v_15: i64 = getitem(counts_2, at=(2,))  # chain_that_writes.py:23
                    v_16: i64 = subtract(v_15, i_1)  # chain_that_writes.py:23
                    v_17: i64[3] = setitem(counts_2, v_16, at=(2,))  # chain_that_writes.py:23
                    return v_17
                counts_3: i64[3] = cond(p_4, then=then_3, orelse=orelse_3)  # chain_that_writes.py:20
                v_18: i64 = cast(i_1, dtype=i64)  # chain_that_writes.py:24
                v_19: list[i64] = list_append(kept_1, v_18)  # chain_that_writes.py:24
                return counts_3, v_19
            counts_4, kept_2 = cond(p_3, then=then_2, orelse=orelse_2)  # chain_that_writes.py:17
            return stop_1, counts_4, kept_2
        stop_2, counts_5, kept_3 = cond(p_2, then=then_1, orelse=orelse_1)  # chain_that_writes.py:15
        p_5: bool = not_(stop_2)  # chain_that_writes.py:13
        return p_5, i_1, stop_2, counts_5, kept_3
    i_2, stop_3, counts_6, kept_4 = loop(p_1, 1, stop, counts_1, kept, body=body)  # chain_that_writes.py:13
    v_20: i64[None] = list_stack(kept_4, element=i64)  # chain_that_writes.py:25
    return counts_6, v_20
