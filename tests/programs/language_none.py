"""Programs with values that are None on some paths; see `programs.py`."""

import numpy as np
from numpy import array
from numpy import float64 as f64
from numpy import int64 as i64
from programs import program

SIGNS = [(f64(1.5),), (f64(-1.5),)]
ARRAYS = [(array([]),), (array([1.5]),), (array([1.0, 5.0, 2.0, 5.0]),)]


@program(*ARRAYS, staged=ARRAYS)
def none_or_the_largest(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


@program(*ARRAYS, staged=ARRAYS)
def none_or_where_it_is(xs):
    place = None
    for i, x in enumerate(xs):
        if place is None and x > 1.2:
            place = i
    if place is not None:
        return place + 1
    return -1


@program(*SIGNS, staged=SIGNS)
def none_as_a_default(x):
    y = x if x > 0 else None
    return y or -1.0, y is None, not y


@program(*SIGNS, staged=SIGNS)
def none_is_returned(x):
    if x > 0:
        return x


@program(*SIGNS, staged=SIGNS)
def none_in_a_tuple(x):
    pair = (x, None) if x > 0 else (None, x)
    return pair, {"first": pair[0]}


@program(*SIGNS, staged=SIGNS)
def none_is_compared(x):
    y = x if x > 0 else None
    return y == 1.5, y != 1.5, y is None


@program(*SIGNS, staged=SIGNS)
def none_is_printed(x):
    y = x if x > 0 else None
    print("y is", y)
    print(f"{y} {y!r:>10}")
    return f"{y}"


@program(*SIGNS, staged=SIGNS)
def none_is_added(x):
    y = x if x > 0 else None
    return y + 1


@program(*SIGNS, staged=SIGNS)
def none_is_less(x):
    y = x if x > 0 else None
    return y < 2.0


@program(*SIGNS, staged=SIGNS)
def none_has_no_attribute(x):
    y = np.ones(3) * x if x > 0 else None
    return y.sum(), y.shape


@program(*SIGNS, staged=SIGNS)
def none_has_no_elements(x):
    y = np.ones(3) * x if x > 0 else None
    return y[0]


@program(*SIGNS, staged=SIGNS)
def none_has_no_length(x):
    y = np.ones(3) * x if x > 0 else None
    total = 0.0
    for row in y:
        total += row
    return total, len(y)


@program(*SIGNS, staged=SIGNS)
def none_is_an_instance(x):
    y = x if x > 0 else None
    return isinstance(y, np.float64), isinstance(y, (float, type(None)))


class Cache:
    def __init__(self):
        self.held = None


@program(*SIGNS, staged=SIGNS)
def none_in_an_attribute(x):
    cache = Cache()
    if x > 0:
        cache.held = x * 2
    return cache.held


@program((i64(0),), (i64(3),), staged=[(i64(0),), (i64(3),)])
def none_until_a_turn(n):
    last = None
    count = 0
    while count < n:
        previous = last
        last = count * 2
        count += 1
    return last, None if last is None else previous
