"""One of several objects, functions, classes, or members of an enumeration, as branches leave them."""

import copy
import dataclasses
import enum
import functools

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, -1.0, 2.0, 5.0, -4.0])
P, Q = np.float64(2.0), np.float64(-3.0)


def twice(programs):
    """A decorator of functions that are called with a number above zero, and with one below."""

    def both(function=None, refused=()):
        if function is None:
            return functools.partial(both, refused=refused)
        programs.program(P, refused=refused)(function)
        code, names = function.__code__, function.__globals__
        below = type(function)(code, names, f"{function.__name__}_below")
        return programs.program(Q, refused=refused)(below)

    return both


both = twice(PROGRAMS)


class Circle:
    def __init__(self, r):
        self.r = r

    def area(self):
        return 3.0 * self.r * self.r

    name = "circle"


class Square:
    def __init__(self, r):
        self.r = r

    def area(self):
        return self.r * self.r

    name = "square"


class Rect:
    def __init__(self, w, h):
        self.w = w
        self.h = h

    def area(self):
        return self.w * self.h


@dataclasses.dataclass
class Up:
    v: float

    def step(self, x):
        return Down(self.v + x) if x > 3 else Up(self.v - x)


@dataclasses.dataclass
class Down:
    v: float

    def step(self, x):
        return Up(self.v * x) if x < 0 else Down(self.v + 1)


class State(enum.Enum):
    A = 1
    B = 2
    C = 3


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 1


@both
def two_classes(x):
    s = Circle(x) if x > 0 else Square(x)
    return s.area()


@both
def two_classes_if(x):
    if x > 0:
        s = Circle(x)
    else:
        s = Square(x + 1)
    t = s.area()
    s.r = s.r * 2
    return t + s.area(), s.r


@both
def two_classes_diff(x):
    if x > 0:
        s = Circle(x)
    else:
        s = Rect(x, x + 1)
    return s.area()


@both
def two_isinstance(x):
    s = Circle(x) if x > 0 else Rect(x, 2.0)
    if isinstance(s, Circle):
        return s.r
    return s.w + s.h


@both
def two_type_name(x):
    s = Circle(x) if x > 0 else Square(x)
    return s.name


@both
def two_returned(x):
    s = Circle(x) if x > 0 else Square(x)
    return type(s) is Circle, s.r


@prog(X)
def machine(x):
    s = Up(0.0)
    for v in x:
        s = s.step(v)
    return s.v


@prog(X)
def machine_known(x):
    s = Up(0.0)
    for i in range(3):
        s = s.step(x[i])
    return s.v, isinstance(s, Up)


@both(refused=STAGED)
def list_of_objs(x):
    shapes = [Circle(x), Square(x)]
    s = shapes[0 if x > 0 else 1]
    return s.area()


@both
def bool_op_objs(x):
    s = (x > 0 and Circle(x)) or Square(x)
    return s.area()


@both
def set_chosen(x):
    s = {1, 2} if x > 0 else {3}
    return 3 in s, len(s)


@both
def complex_flow(x):
    ops = [("a", np.sin), ("b", np.cos)]
    t = 0.0
    for name, f in ops:
        if (x > 0) == (name == "a"):
            t = t + f(x)
    return t


@both
def alias_two(x):
    if x > 0:
        a = Circle(x)
        b = a
    else:
        a = Square(x)
        b = a
    a.r = a.r + 1
    return b.r, a is b


@both
def alias_half(x):
    c = Circle(x)
    if x > 0:
        s = c
    else:
        s = Square(x)
    s.r = 7.0
    return c.r, s.area()


@both
def alias_write_orig(x):
    c = Circle(x)
    s = c if x > 0 else Square(x)
    c.r = 9.0
    return s.area()


@both
def inner_nested(x):
    if x > 0:
        s = Circle(x) if x > 1 else Square(x)
    else:
        s = Rect(x, x)
    return s.area()


@prog(X)
def loop_shapes(x):
    t = 0.0
    for v in x:
        s = Circle(v) if v > 0 else Square(v)
        t = t + s.area()
    return t


@prog(X, refused=STAGED)
def loop_carried(x):
    s = Circle(1.0)
    for v in x:
        if v < 0:
            s = Square(v)
        elif v > 4:
            s = Circle(v)
        s.r = s.r + 1
    return s.area(), s.r, isinstance(s, Circle)


@both
def arg_written(x):
    def grow(s, k):
        s.r = s.r * k
        return s

    s = Circle(x) if x > 0 else Square(x)
    return grow(s, 2.0).r, s.r


@both
def returned_obj2(x):
    s = Circle(x) if x > 0 else Rect(x, 1.0)
    return isinstance(s, (Rect, int)), hasattr(s, "w"), getattr(s, "w", 5.0)


@both
def missing_attr(x):
    s = Circle(x) if x > 0 else Rect(x, 1.0)
    return s.w


@both
def match_class(x):
    s = Circle(x) if x > 0 else Rect(x, 2.0)
    match s:
        case Circle(r=r):
            return r
        case Rect(w=w, h=h):
            return w * h


@both
def match_class_tuple(x):
    s = Circle(x) if x > 0 else Rect(x, 2.0)
    match (s, 1):
        case (Circle(r=r), 1):
            return r
        case (Rect(w=w, h=h), 1):
            return w * h


@prog(X)
def machine_fns(x):
    def idle(v, t):
        return (run if v > 2 else idle), t

    def run(v, t):
        return (idle if v < 0 else run), t + v

    f = idle
    t = 0.0
    for v in x:
        f, t = f(v, t)
    return t


@both
def copied(x):
    s = Circle(x) if x > 0 else Square(x)
    c = copy.copy(s)
    c.r = 1.0
    return s.r, c.r


@both
def obj_or_fn(x):
    s = Circle(x) if x > 0 else np.sin
    return callable(s)


@both
def obj_or_number(x):
    s = Circle(x) if x > 0 else 1.0
    return isinstance(s, Circle)


@both
def none_or_two(x):
    s = None
    if x > 1:
        s = Circle(x)
    elif x > 0:
        s = Square(x)
    return 0.0 if s is None else s.area()


@both
def ret_early_obj(x):
    def shape(v):
        if v > 0:
            return Circle(v)
        return Square(v)

    return shape(x).area() + shape(-x).area()


@both
def type_dispatch(x):
    s = Circle(x) if x > 0 else Square(x)
    return {Circle: 1.0, Square: 2.0}[type(s)]


@both
def arr_in_obj(x):
    class B1:
        def __init__(s, x):
            s.a = np.zeros(3) + x

        def put(s):
            s.a[0] = 5.0

    class B2(B1):
        def put(s):
            s.a[1] = 6.0

    s = B1(x) if x > 0 else B2(x)
    s.put()
    return s.a, s.a.sum()


@both(refused=STAGED)
def list_in_obj(x):
    class B1:
        def __init__(s, x):
            s.z = [x]

        def put(s):
            s.z.append(1.0)

    class B2(B1):
        def put(s):
            s.z.append(2.0)

    s = B1(x) if x > 0 else B2(x)
    s.put()
    return s.z


OUT = Circle(1.0)
OUT2 = Square(2.0)


@both
def outside_objs(x):
    OUT.r, OUT2.r = 1.0, 2.0
    s = OUT if x > 0 else OUT2
    s.r = x
    return OUT.r, OUT2.r, s is OUT
