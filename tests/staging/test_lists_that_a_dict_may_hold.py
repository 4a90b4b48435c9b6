"""`d.get(key)` of a dict whose values are lists: None, or the list, and no read where it is None."""

import numpy as np
import pytest

import runtime as rt


def added_in_a_branch(x, n):
    held = {}
    if x > 1:
        held[0] = [x]
    found = held.get(0)
    return 0.0 if found is None else found[0]


def added_in_a_loop(x, n):
    held = {}
    for i in range(n):
        held[i] = [x + i]
    found = held.get(0)
    if found is None:
        return x * 0
    return found[0]


def asked_in_a_loop(x, n):
    held, total = {}, x * 0
    for i in range(n):
        held[i] = [x + i, x]
    for k in range(5):
        found = held.get(k)
        if found is not None:
            total = total + found[0] + found[1]
    return total


def written(x, n):
    held = {}
    for i in range(n):
        held[i] = [x + i]
    found = held.get(1)
    if found is not None:
        found.append(x * 10)
    return sum(len(row) for row in held.values()) + x


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("x", [0.5, 2.0])
@pytest.mark.parametrize("fn", [added_in_a_branch, added_in_a_loop, asked_in_a_loop, written])
def test_a_list_that_may_be_missing_is_read_only_where_it_is_there(fn, x, n):
    args = np.float64(x), np.int64(n)
    assert rt.function(fn)(*args) == fn(*args)
