"""`with` in staged code: jumps out of several, user's context managers, NumPy's settings."""

import contextlib

import numpy as np
from chosen_objects import X, twice
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
both = twice(PROGRAMS)


LOG = []


class CM:
    def __init__(self, name, log=None, swallow=False):
        self.name = name
        self.log = log
        self.swallow = swallow

    def __enter__(self):
        LOG.append(("enter", self.name))
        return self

    def __exit__(self, t, v, tb):
        LOG.append(("exit", self.name, t is not None))
        return self.swallow


class Count:
    def __init__(self):
        self.n = 0
        self.m = 0

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, *e):
        self.m += 1


class Swallow:
    def __enter__(self):
        return self

    def __exit__(self, t, v, tb):
        return t is ValueError


@contextlib.contextmanager
def cmgen(name):
    LOG.append(("enter", name))
    try:
        yield name
    finally:
        LOG.append(("exit", name))


@contextlib.contextmanager
def scaled(box, k):
    old = box["k"]
    box["k"] = k
    yield
    box["k"] = old


@both
def ret_two(x):
    with CM("a"), CM("b"):
        if x > 0:
            return x
        x = x + 1
    return x * 2


@both
def ret_nested(x):
    with CM("a"):
        with CM("b"):
            if x > 0:
                return x
        x = x * 5
    return x * 2


@both
def ret_plain_cm(x):
    c = Count()
    d = Count()
    with c, d:
        if x > 0:
            return x, c.n
    return x * 2, c.m, d.m


@both
def ret_after_count(x):
    c = Count()

    def f(x):
        with c, c:
            if x > 0:
                return x
            x = x - 1
        return x * 2

    r = f(x)
    return r, c.n, c.m


@prog(X)
def brk_two(x):
    c = Count()
    t = 0.0
    for v in x:
        with c, c:
            if v < 0:
                break
            t = t + v
    return t, c.n, c.m


@prog(X)
def cont_two(x):
    c = Count()
    t = 0.0
    for v in x:
        with c, Count() as d:
            if v < 0:
                continue
            t = t + v * d.n
        t = t + 10
    return t, c.n, c.m


@prog(X, refused=STAGED)
def loop_in_with(x):
    t = 0.0
    with CM("o"):
        for v in x:
            with CM("i"):
                if v > 4:
                    return v
                t = t + v
    return t


@both
def in_branch_count(x):
    c = Count()
    if x > 0:
        with c:
            x = x * 2
    return x, c.n, c.m


@both
def swallow_raise(x):
    with Swallow():
        if x > 0:
            raise ValueError("no")
        x = x * 3
    return x


@prog(X)
def swallow_loop(x):
    t = 0.0
    for v in x:
        with Swallow():
            if v < 0:
                raise ValueError(v)
            t = t + v
    return t


@prog(X)
def suppress_loop(x):
    t = 0.0
    for v in x:
        with contextlib.suppress(ValueError):
            if v < 0:
                raise ValueError
            t = t + v
    return t


@both
def exit_on_raise(x):
    with CM("a"), CM("b"):
        if x > 0:
            raise ValueError("no")
        x = x * 3
    return x


@both
def gen_cm(x):
    with cmgen("a"), cmgen("b") as n:
        if x > 0:
            return x
        print(n)
    return x - 1


@both
def box_cm(x):
    b = {"k": 1.0}
    with scaled(b, 2.0):
        y = x * b["k"]
        if x > 0:
            y = y + 1
    return y * b["k"]


@both
def box_cm_ret(x):
    b = {"k": 1.0}

    def f(x):
        with scaled(b, 2.0):
            if x > 0:
                return x * b["k"]
        return x

    r = f(x)
    return r, b


@both
def closing(x):
    class R:
        def __init__(self):
            self.open = True

        def close(self):
            self.open = False

    r = R()
    with contextlib.closing(r):
        if x > 0:
            x = x * 2
    return x, r.open


@both
def errstate(x):
    if x > 0:
        with np.errstate(divide="ignore"):
            y = x / 0.0
    else:
        y = x
    return y


@prog(X - 3.0, refused=STAGED)
def errstate_raise(x):
    try:
        with np.errstate(all="raise"):
            return 1.0 / x
    except FloatingPointError:
        return x


@prog(X - 3.0, refused=STAGED)
def seterr(x):
    old = np.seterr(divide="ignore")
    y = 1 / x
    np.seterr(**old)
    return y, np.geterr()["divide"]


@both(refused=STAGED)
def seterr_raise(x):
    old = np.seterr(divide="raise")
    try:
        return x / np.float64(0)
    except FloatingPointError as e:
        return str(e)
    finally:
        np.seterr(**old)


@both(refused=STAGED)
def printopts(x):
    with np.printoptions(precision=2):
        s = str(np.array([x / 3]))
        if x > 0:
            return s
    return s + "!"


@both
def with_target(x):
    class T:
        def __enter__(self):
            return x * 2, x * 3

        def __exit__(self, *a):
            pass

    with T() as (a, b):
        if a > b:
            return a
    return b


@both(refused=STAGED)
def exit_changes(x):
    class T:
        v = 0.0

        def __enter__(self):
            self.v = self.v + x
            return self

        def __exit__(self, t, e, tb):
            self.v = self.v * (2 if t is None else 3)
            return True

    t = T()
    with t:
        if t.v > 0:
            raise ValueError
        t.v = t.v - 1
    return t.v


@both(refused=STAGED)
def exit_staged_swallow(x):
    class T:
        def __enter__(self):
            return self

        def __exit__(self, t, e, tb):
            return x > 0

    y = 1.0
    with T():
        y = 2.0
        raise ValueError
    return y


@both
def ret_in_with_finally(x):
    log = []

    def f():
        try:
            with CM("a"):
                if x > 0:
                    return 1.0
        finally:
            log.append(2)
        return 3.0

    r = f()
    return r, log


@prog(X, refused=STAGED)
def while_with(x):
    i = 0
    t = 0.0
    while True:
        with CM("w"):
            if x[i] < -3:
                break
            t = t + x[i]
            i = i + 1
    return t, i
