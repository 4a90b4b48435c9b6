"""Arrays with two names in staged loops that rebind one of them: exact, or refused.

The programs swap arrays, hand them on from name to name, and write into them through one name while
another one may hold the same array.
"""

import numpy as np
import pytest

import runtime as rt


def second_name(x, n):
    a = x.copy()
    b = a
    for i in range(n):
        a[0] += 2
        b = b * 0.5 + i
    return a, b


def takes_the_other(x, n):
    a = x.copy()
    b = x + 1
    s = 0.0
    for i in range(n):
        a[0] += 1
        s += b[0]
        b = a
    return s, b


def swapped_and_written_outside(x, n):
    h1 = x + 0
    h2 = x + 1
    c = h2
    a, b = h1, h2
    for i in range(n):
        a, b = b, a
    c[0] = 50
    return a + 0


def double_buffer(x, n):
    old = x.copy()
    new = np.zeros(3)
    for i in range(n):
        new[1:] = old[:-1] * 2
        new[0] = i
        old, new = new, old
    return old, new


def double_buffer_in_a_while(x, n):
    old = x.copy()
    new = np.zeros(3)
    while n > 0:
        new[0] = old[1] + n
        new[1] = old[0]
        old, new = new, old
        n -= 1
    return old + new


def read_before_the_write(x, n):
    a = x.copy()
    b = a
    for i in range(n):
        b = b * 0.5 + i
        a[0] += 2
    return a, b


def view_of_the_other(x, n):
    a = x.copy()
    b = a[1:]
    s = 0.0
    for i in range(n):
        a[1] += 2
        s += b[0]
        b = b + 1
    return a, s


def handed_on_twice(x, n):
    a = x.copy()
    b = x * 2
    c = x * 3
    s = 0.0
    for i in range(n):
        a[0] += 1
        s += c[0]
        c = b
        b = a
    return s


def rotated(x, n):
    a = x.copy()
    b = x * 2
    c = x * 3
    s = 0.0
    for i in range(n):
        a, b, c = b, c, a
        a[0] += 1
        s += c[0] * b[0]
    return s


def new_array_each_time(x, n):
    a = x.copy()
    b = x * 2
    s = 0.0
    for i in range(n):
        a = a + 1
        s += b[0]
        b = a
        a[0] = 5
    return s, b[0]


def taken_under_a_condition(x, n):
    a = x.copy()
    b = x * 2
    s = 0.0
    for i in range(n):
        if a[0] > 1:
            a[1] += 1
        s += b[1]
        if i > 0:
            b = a
    return s


def tuple_swapped(x, n):
    t = (x.copy(), x * 2)
    s = 0.0
    for i in range(n):
        t[0][0] += 1
        s += t[1][0]
        t = (t[1], t[0])
    return s


def written_in_an_inner_loop(x, n):
    a = x.copy()
    b = a
    s = 0.0
    for i in range(n):
        for j in range(n):
            a[0] += 1
        s += b[0]
        b = b + 1
    return s


def swapped_in_an_inner_loop(x, n):
    a = x.copy()
    b = x * 1.0
    for i in range(n):
        for j in range(i):
            a, b = b, a
            a[0] += 1
    return a + b * 2


def in_a_branch(x, n):
    a = x.copy()
    b = a
    if n > 1:
        b = b * 2
        a[0] = 9
    b[1] = 3
    return a, b


def previous_array(x, n):
    a = x.copy()
    prev = a
    for i in range(n):
        prev = a
        a = a * 2
        prev[0] += 1
    return a, prev


def copied_into(x, n):
    a = x.copy()
    prev = a.copy()
    for i in range(n):
        prev[:] = a
        a[0] += 1
    return a, prev


class Box:
    pass


def attribute_rebound(x, n):
    o = Box()
    o.v = x.copy()
    b = o.v
    for i in range(n):
        b[0] += 2
        o.v = o.v * 0.5
    return b, o.v


def attributes_swapped(x, n):
    o = Box()
    o.v = x.copy()
    o.w = x * 2
    for i in range(n):
        o.v[0] += o.w[1]
        o.v, o.w = o.w, o.v
    return o.v, o.w


def items_swapped(x, n):
    d = {"v": x.copy(), "w": x * 2}
    for i in range(n):
        d["v"][0] += d["w"][1]
        d["v"], d["w"] = d["w"], d["v"]
    return d


def item_takes_the_other(x, n):
    d = [x.copy(), x * 2]
    s = 0.0
    for i in range(n):
        d[0][0] += 1
        s += d[1][0]
        d[1] = d[0]
    return s


def swapped_under_a_condition(x, n):
    a = x.copy()
    b = x * 2.0
    for i in range(n):
        if i > 1:
            a, b = b, a
        a[0] += 1
    return a, b


def written_then_rebound(x, n):
    a = x.copy()
    b = a
    for i in range(n):
        b[0] += 1
        b = b * 2
    return a, b


def takes_the_written(x, n):
    a = x.copy()
    b = x + 1
    c = b
    for i in range(n):
        b[0] += 1
        b = a
    return a, b, c


def best_new_array(x, n):
    best = x
    y = x.copy()
    for i in range(n):
        y = y + i
        if y[0] > best[0]:
            best = y
        y[1] += 3
    return best + 0, y


def best_of_a_changing_array(x, n):
    best = x.copy()
    y = x.copy()
    for i in range(n):
        y[0] += 1
        if y[0] > 2:
            best = y
        y[1] += 3
    return best + 0, y


EXACT = (
    double_buffer,
    double_buffer_in_a_while,
    read_before_the_write,
    rotated,
    new_array_each_time,
    tuple_swapped,
    in_a_branch,
    previous_array,
    copied_into,
    attributes_swapped,
    items_swapped,
    swapped_under_a_condition,
    best_new_array,
    swapped_in_an_inner_loop,
)
REFUSED = (
    second_name,
    takes_the_other,
    swapped_and_written_outside,
    view_of_the_other,
    handed_on_twice,
    taken_under_a_condition,
    written_in_an_inner_loop,
    attribute_rebound,
    item_takes_the_other,
    written_then_rebound,
    takes_the_written,
    best_of_a_changing_array,
)


def plain(value):
    """A value with arrays as lists."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def observed(function, n, make):
    given = [np.arange(3.0), np.int64(n)]
    return plain([make(function)(*given), given])


@pytest.mark.parametrize("function", EXACT, ids=lambda f: f.__name__)
def test_arrays_that_a_loop_hands_on_are_followed(function):
    for n in range(5):
        assert observed(function, n, rt.function) == observed(function, n, lambda f: f)


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_what_depends_on_the_run_is_refused(function):
    with pytest.raises(rt.StagingError, match="may share its memory with another array"):
        observed(function, 3, rt.function)
