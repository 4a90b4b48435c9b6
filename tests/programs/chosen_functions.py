"""One of several functions or classes, as branches leave them."""

import functools
import math

import numpy as np
from chosen_objects import Circle, Square, X, twice
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
both = twice(PROGRAMS)


@both
def fn_choice(x):
    f = np.sin if x > 0 else np.cos
    return f(x)


@both
def fn_choice_if(x):
    if x > 0:
        f = np.sin
    else:
        f = np.cos
    return f(x) + f(x * 2)


@both
def fn_lambda(x):
    f = (lambda v: v * 2) if x > 0 else (lambda v: v - 1)
    return f(x)


@both
def fn_def(x):
    if x > 0:
        k = x * 3

        def f(v):
            return v * k
    else:

        def f(v):
            return v - x

    return f(x)


@both
def fn_partial(x):
    f = functools.partial(np.power, x) if x > 0 else functools.partial(np.add, x)
    return f(2.0)


@both
def fn_bound(x):
    a, b = Circle(x), Square(x)
    f = a.area if x > 0 else b.area
    return f()


@both
def fn_mixed(x):
    f = abs if x > 0 else (lambda v: v + 1)
    return f(x)


@both
def fn_none(x):
    f = np.sin if x > 0 else None
    if f is not None:
        return f(x)
    return x


@prog(X)
def fn_loop(x):
    f = np.sin
    t = 0.0
    for v in x:
        t = t + f(v)
        f = np.cos if v > 2 else np.sin
    return t


@prog(X, np.int64(1))
def fn_table(x, k):
    ops = {0: np.sin, 1: np.cos, 2: lambda v: v * 2}
    return ops[k](x)


@prog(X, np.int64(2), refused=STAGED)
def fn_list(x, k):
    ops = [np.sin, np.cos, lambda v: v * 2]
    return ops[k](x)


@both
def fn_table_text(x):
    key = "sin" if x > 0 else "cos"
    return {"sin": np.sin, "cos": np.cos}[key](x)


@both(refused=STAGED)
def fn_attr(x):
    key = "sin" if x > 0 else "cos"
    return getattr(np, key)(x)


@both
def class_chosen(x):
    C = Circle if x > 0 else Square
    return C(x).area()


@both
def class_attr(x):
    C = Circle if x > 0 else Square
    return C.name


@both(refused=STAGED)
def exc_chosen(x):
    E = ValueError if x > 0 else KeyError
    raise E("bad")


@both
def dtype_chosen(x):
    d = np.float32 if x > 0 else np.float64
    return d(x)


@both(refused=STAGED)
def slice_chosen(x):
    a = np.arange(4.0)
    s = slice(0, 2) if x > 0 else slice(1, 3)
    return a[s] * x


@both(refused=STAGED)
def ellipsis_or(x):
    a = np.arange(4.0)
    k = None if x > 0 else 0
    return np.sum(a, axis=k)


@both
def range_chosen(x):
    r = range(3) if x > 0 else range(5)
    return sum(r) * x, len(r)


@both
def module_chosen(x):

    m = np if x > 0 else math
    return m.cos(x)


@both
def ufunc_method(x):
    f = np.add if x > 0 else np.multiply
    return f.reduce([x, x, x])


@both
def fn_in_obj(x):
    class H:
        pass

    h = H()
    h.f = np.sin
    if x > 0:
        h.f = np.cos
    return h.f(x)


@both
def fn_in_dict(x):
    d = {"f": np.sin}
    if x > 0:
        d["f"] = lambda v: v * 2
    return d["f"](x)


@both
def fn_in_tuple(x):
    f, k = (np.sin, 2.0) if x > 0 else (np.cos, 3.0)
    return f(x) * k


@both
def fn_called_effects(x):
    log = []

    def a(v):
        log.append("a")
        return v

    def b(v):
        log.append("b")
        return v * 2

    f = a if x > 0 else b
    return f(x), log


@both
def fn_writes_array(x):
    z = np.zeros(3)

    def a(v):
        v[0] = x

    def b(v):
        v[1] = x * 2

    f = a if x > 0 else b
    f(z)
    return z


@both
def fn_closure_counter(x):
    n = 0

    def inc(k):
        nonlocal n
        n = n + k

    def dec(k):
        nonlocal n
        n = n - k

    f = inc if x > 0 else dec
    f(3)
    f(2)
    return n


@both
def fn_raise(x):
    def bad(v):
        raise ValueError(v)

    f = bad if x > 0 else abs
    return f(x)


@both(refused=STAGED)
def fn_default(x):
    f = (lambda v, k=x * 2: v * k) if x > 0 else (lambda v, k=x * 3: v - k)
    return f(x)


@both(refused=STAGED)
def fn_made(x):
    def make(k):
        return lambda v: v * k

    f = make(x * 2) if x > 0 else make(x * 3)
    return f(x)


@both
def fn_made_same(x):
    def make(k):
        return lambda v: v * k

    f = make(2.0) if x > 0 else make(3.0)
    return f(x)


@both
def fn_is(x):
    f = np.sin if x > 0 else np.cos
    return f is np.sin, f == np.cos, f is not None, callable(f), f is f


@both
def fn_map(x):
    f = np.sin if x > 0 else np.cos
    return [f(v) for v in (1.0, 2.0)], list(map(f, [1.0, x])), sum(f(v) for v in [x, x])


@both
def fn_sortkey(x):
    key = (lambda v: v) if x > 0 else (lambda v: -v)
    return sorted([1.0, 3.0, 2.0], key=key), max([1, 2], key=key)


@both
def fn_reduce(x):
    op = max if x > 0 else min
    return functools.reduce(op, [1.0, x, 0.5]), op(1.0, x), op([x, 3.0])


@both
def fn_compose(x):
    f = np.sin if x > 0 else np.cos
    g = (lambda v: f(v) + 1) if x > 1 else f
    return g(x)


@both
def fn_partial_of(x):
    f = np.add if x > 0 else np.multiply
    g = functools.partial(f, 2.0)
    return g(x)


@both
def fn_arg(x):
    def apply(f, v):
        return f(v) * 2

    return apply(np.sin if x > 0 else np.cos, x)


@both
def fn_wraps(x):
    def twice(f):
        def g(v):
            return f(f(v))

        return g

    return twice(np.sin if x > 0 else np.cos)(x)


def within(v, low=-1.0, high=1.0):
    """Clips a number, by statements that must be converted."""
    if v < low:
        return low
    while v > high:
        v = v - 1
    return v


class Limit:
    """An object whose methods branch."""

    def __init__(self, high):
        if high > 2:
            high = high / 2
        self.high = high

    def of(self, v):
        if v > self.high:
            return self.high
        return v


@both
def with_branches(x):
    g = within if x > 0 else np.sin
    return g(x), g(x * 3)


@both
def beside_another_choice(x):
    g = np.cos if x > 0 else np.sin
    return within(x, high=g(x)), g(within(x))


@both
def as_argument_of_a_converted_function(x):
    def applied(function, v):
        if v > 0:
            v = function(v)
        return v

    return applied(within if x > 0 else np.sin, x + 1)


@both
def of_an_object_made_beside_a_choice(x):
    g = within if x > 0 else np.sin
    limit = Limit(x + 1.5)
    return g(limit.of(x)), limit.high


@both
def methods_with_branches(x):
    low, high = Limit(x), Limit(x + 2)
    return (low.of if x > 1 else high.of)(x + 0.5)
