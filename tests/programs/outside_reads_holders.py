"""Reads of the outside world: what objects of all kinds hold; see `outside_reads.py`."""

import abc
import collections
import dataclasses
import io
import itertools
import logging
import pathlib
import threading
import types
import weakref

import numpy as np
from outside_world import Box, case


@case
def weakkeydict():
    b = Box()
    w = weakref.WeakKeyDictionary()
    w[b] = 2.0

    def read(x):
        return x * w[b]

    return read, lambda: w.__setitem__(b, 3.0)


@case
def weakvaluedict():
    b = Box(k=2.0)
    c = Box(k=3.0)
    w = weakref.WeakValueDictionary()
    w["a"] = b

    def read(x):
        return x * w["a"].k + c.k * 0

    return read, lambda: w.__setitem__("a", c)


@case
def simple_queue_len():
    q = collections.deque(maxlen=3)
    q.append(1)
    return lambda x: x * len(q), lambda: q.append(2)


@case
def dataclass_frozen():
    @dataclasses.dataclass(frozen=True)
    class F:
        xs: list

    f = F([1.0])
    return lambda x: x * sum(f.xs), lambda: f.xs.append(2.0)


@case
def abc_registered():
    class A(abc.ABC):
        pass

    class B:
        pass

    b = B()
    return lambda x: x * (2.0 if isinstance(b, A) else 3.0), lambda: A.register(B)


@case
def mutable_default_state():
    def f(x, log=[]):
        log.append(1)
        return x * len(log)

    return lambda x: f(x), lambda: None


@case
def counter_global():
    c = itertools.count()
    ids = {"n": 0}

    def read(x):
        ids["n"] += 1
        return x * ids["n"]

    return read, lambda: None


@case
def array_readonly_view():
    base = np.array([2.0, 1.0])
    v = base[:1]
    v.flags.writeable = False
    return lambda x: x * v[0], lambda: base.__setitem__(0, 3.0)


@case
def array_in_tuple_attr():
    b = Box(t=(np.array([2.0]),))
    return lambda x: x * b.t[0][0], lambda: b.t[0].__setitem__(0, 3.0)


@case
def array_in_frozen_default():
    w = np.array([2.0])

    def f(x, t=(w,)):
        return x * t[0][0]

    return lambda x: f(x), lambda: w.__setitem__(0, 3.0)


@case
def array_in_set_like():
    w = np.array([2.0])
    d = types.MappingProxyType({"w": w})
    return lambda x: x * d["w"][0], lambda: w.__setitem__(0, 3.0)


@case
def array_in_chainmap():
    w = np.array([2.0])
    d = collections.ChainMap({"w": w})
    return lambda x: x * d["w"][0], lambda: w.__setitem__(0, 3.0)


@case
def array_in_slot():
    class S:
        __slots__ = ("w",)

    s = S()
    s.w = np.array([2.0])
    return lambda x: x * s.w[0], lambda: s.w.__setitem__(0, 3.0)


@case
def int_array_range():
    n = np.array(2)

    def read(x):
        for i in range(int(n)):
            x = x * 2
        return x

    return read, lambda: n.__setitem__((), 3)


@case
def numpy_scalar_box():
    b = Box(n=np.int64(2))
    return lambda x: x * b.n, lambda: setattr(b, "n", np.int64(3))


@case
def bool_flag():
    b = Box(f=True)
    return lambda x: x * 2 if b.f else x, lambda: setattr(b, "f", False)


@case
def str_mode():
    b = Box(m="a")

    def read(x):
        match b.m:
            case "a":
                return x * 2
            case _:
                return x * 3

    return read, lambda: setattr(b, "m", "b")


@case
def class_pattern():
    b = Box(o=Box(k=2.0))

    def read(x):
        match b.o:
            case Box(k=2.0):
                return x * 2
            case _:
                return x * 3

    return read, lambda: setattr(b.o, "k", 5.0)


@case
def comprehension_over_objects():
    bs = [Box(k=1.0), Box(k=2.0)]
    return lambda x: x * sum(b.k for b in bs), lambda: setattr(bs[1], "k", 7.0)


@case
def lambda_table():
    t = {"a": lambda x: x * 2}
    return lambda x: t["a"](x), lambda: t.update(a=lambda x: x * 3)


@case
def exception_attr():
    e = ValueError("a")
    e.k = 2.0
    return lambda x: x * e.k, lambda: setattr(e, "k", 3.0)


@case
def exception_args():
    e = Box(e=ValueError(2.0))
    return lambda x: x * e.e.args[0], lambda: setattr(e.e, "args", (3.0,))


@case
def thread_obj():
    t = threading.Thread(name="abc")
    return lambda x: x * len(t.name), lambda: setattr(t, "name", "abcd")


@case
def bytesio_value():
    b = io.BytesIO(b"ab")
    return lambda x: x * len(b.getvalue()), lambda: b.write(b"xyz")


@case
def path_global_reassigned():
    b = Box(p=pathlib.Path("ab"))
    return lambda x: x * len(b.p.name), lambda: setattr(b, "p", pathlib.Path("abc"))


@case
def logger_level_attr():
    l = logging.getLogger("zzz")
    l.setLevel(10)
    return lambda x: x * l.level, lambda: l.setLevel(20)


@case
def np_random_state_seeded():
    r = np.random.RandomState(3)
    return lambda x: x * r.rand(), lambda: r.seed(7)


@case
def staticmethod_closure():
    k = [2.0]

    class A:
        @staticmethod
        def f(x):
            return x * k[0]

    return lambda x: A.f(x), lambda: k.__setitem__(0, 3.0)


@case
def property_setter():
    class A:
        def __init__(self):
            self._k = 2.0

        @property
        def k(self):
            return self._k

        @k.setter
        def k(self, v):
            self._k = v

    a = A()
    return lambda x: x * a.k, lambda: setattr(a, "k", 3.0)


@case
def contextmanager_object():
    class CM:
        k = 2.0

        def __enter__(self):
            return self.k

        def __exit__(self, *a):
            return False

    cm = CM()

    def read(x):
        with cm as k:
            return x * k

    return read, lambda: setattr(cm, "k", 3.0)


@case
def doc_of_function():
    def f():
        "ab"

    return lambda x: x * len(f.__doc__), lambda: setattr(f, "__doc__", "abc")


@case
def name_of_class():
    class A:
        pass

    return lambda x: x * len(A.__name__), lambda: setattr(A, "__name__", "ABC")


@case
def dir_of_obj():
    b = Box(k=1)
    return lambda x: x * len([n for n in dir(b) if not n.startswith("_")]), lambda: setattr(
        b, "j", 1
    )


@case
def dict_of_class():
    class A:
        k = 1

    return lambda x: x * len([n for n in A.__dict__ if not n.startswith("_")]), lambda: setattr(
        A, "j", 1
    )


@case
def stack_of_ref():
    b = Box(k=2.0)
    r = weakref.ref(b)
    h = [b]
    del b

    def read(x):
        return x * (r().k if r() is not None else 9.0)

    return read, h.clear


@case
def eval_global():
    globals()["QQ"] = 2.0
    return lambda x: x * eval("QQ"), lambda: globals().__setitem__("QQ", 3.0)
