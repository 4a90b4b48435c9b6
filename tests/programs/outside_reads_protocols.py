"""Reads of the outside world: methods that Python calls, modules and imports; see `outside_reads.py`."""

import collections
import functools
import importlib
import operator
import sys
import types
import typing

from outside_world import case


@case
def nested_class_attr():
    class A:
        class Inner:
            k = 2.0

    def read(x):
        return x * A.Inner.k

    def change():
        A.Inner.k = 3.0

    return read, change


@case
def classmethod_state():
    class A:
        items = [2.0]

        @classmethod
        def total(cls):
            return sum(cls.items)

    def read(x):
        return x * A.total()

    return read, lambda: A.items.append(1.0)


@case
def super_method():
    class A:
        def k(self):
            return 2.0

    class B(A):
        def k(self):
            return super().k() + 1

    b = B()

    def read(x):
        return x * b.k()

    def change():
        A.k = lambda self: 5.0

    return read, change


@case
def mixin_mro():
    class A:
        k = 2.0

    class M:
        pass

    class B(M, A):
        pass

    b = B()

    def read(x):
        return x * b.k

    def change():
        M.k = 7.0

    return read, change


@case
def cached_prop():
    class A:
        @functools.cached_property
        def k(self):
            return 2.0

    a = A()

    def read(x):
        return x * a.k

    def change():
        a.__dict__["k"] = 3.0

    return read, change


@case
def closure_of_closure():
    def outer():
        k = [2.0]

        def mid():
            def inner(x):
                return x * k[0]

            return inner

        return mid(), k

    f, k = outer()
    return lambda x: f(x), lambda: k.__setitem__(0, 3.0)


@case
def default_factory():
    d = collections.defaultdict(lambda: 2.0)

    def read(x):
        return x * d["q"]

    return read, lambda: d.__setitem__("q", 3.0)


@case
def operator_itemgetter():
    d = {"k": 2.0}
    g = operator.itemgetter("k")

    def read(x):
        return x * g(d)

    return read, lambda: d.update(k=3.0)


@case
def in_test():
    s = {"a"}

    def read(x):
        return x * (2.0 if "b" in s else 1.0)

    return read, lambda: s.add("b")


@case
def len_obj():
    class A:
        def __init__(self):
            self.xs = [1]

        def __len__(self):
            return len(self.xs)

    a = A()

    def read(x):
        return x * len(a)

    return read, lambda: a.xs.append(2)


@case
def bool_obj():
    class A:
        on = True

        def __bool__(self):
            return self.on

    a = A()

    def read(x):
        return x * (2.0 if a else 3.0)

    return read, lambda: setattr(a, "on", False)


@case
def iter_obj():
    class A:
        def __init__(self):
            self.xs = [1.0]

        def __iter__(self):
            return iter(self.xs)

    a = A()

    def read(x):
        return x * sum(a)

    return read, lambda: a.xs.append(2.0)


@case
def user_iterator():
    class It:
        def __init__(self):
            self.k = 1.0

        def __iter__(self):
            return self

        def __next__(self):
            self.k += 1.0
            return self.k

    it = It()

    def read(x):
        return x * next(it)

    return read, lambda: None


@case
def user_generator_method():
    class A:
        def __init__(self):
            self.n = 2

        def gen(self):
            for i in range(self.n):
                yield float(i)

    a = A()

    def read(x):
        return x * sum(a.gen())

    return read, lambda: setattr(a, "n", 5)


@case
def getitem_obj():
    class A:
        def __init__(self):
            self.d = {"k": 2.0}

        def __getitem__(self, k):
            return self.d[k]

    a = A()

    def read(x):
        return x * a["k"]

    return read, lambda: a.d.update(k=3.0)


@case
def call_obj():
    class A:
        def __init__(self):
            self.k = 2.0

        def __call__(self, x):
            return x * self.k

    a = A()
    return lambda x: a(x), lambda: setattr(a, "k", 3.0)


@case
def partialmethod():
    class A:
        k = 2.0

        def m(self, x, y):
            return x * y * self.k

        p = functools.partialmethod(m, y=2.0)

    a = A()
    return lambda x: a.p(x), lambda: setattr(a, "k", 3.0)


@case
def namedtuple_class_attr():
    class P(typing.NamedTuple):
        a: float

        def k(self):
            return self.a * K[0]

    K = [2.0]
    p = P(2.0)
    return lambda x: x * p.k(), lambda: K.__setitem__(0, 3.0)


@case
def module_attr_via_sys():
    m = types.ModuleType("zz")
    m.k = 2.0
    sys.modules["zz"] = m

    def read(x):
        import zz

        return x * zz.k

    return read, lambda: setattr(m, "k", 3.0)


@case
def from_import():
    m = types.ModuleType("zz2")
    m.k = 2.0
    sys.modules["zz2"] = m

    def read(x):
        from zz2 import k

        return x * k

    return read, lambda: setattr(m, "k", 3.0)


@case
def import_module_fn():
    m = types.ModuleType("zz3")
    m.k = 2.0
    sys.modules["zz3"] = m

    def read(x):
        return x * importlib.import_module("zz3").k

    return read, lambda: setattr(m, "k", 3.0)


@case
def sys_modules_item():
    m = types.ModuleType("zz4")
    m.k = 2.0
    sys.modules["zz4"] = m

    def read(x):
        return x * sys.modules["zz4"].k

    return read, lambda: setattr(m, "k", 3.0)
