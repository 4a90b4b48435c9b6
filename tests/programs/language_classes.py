"""Programs with user-defined objects whose methods have staged conditions; see `programs.py`."""

import functools
from collections import namedtuple
from dataclasses import dataclass, field, replace
from functools import cached_property

from numpy import array
from numpy import float64 as f64
from numpy import int64 as i64
from programs import program

SIGNS = [(f64(2.5),), (f64(-0.5),), (f64(0.0),)]
PAIRS = [(f64(2.5), f64(1.0)), (f64(-0.5), f64(3.0)), (f64(0.0), f64(0.0))]
COUNTS = [(i64(0),), (i64(1),), (i64(5),)]


class Number:
    """A number that never gets below zero, by staged conditions in its operators."""

    def __init__(self, value):
        if value < 0:
            value = value * 0
        self.value = value

    def __add__(self, other):
        if isinstance(other, Number):
            other = other.value
        if other > 1:
            return Number(self.value + other)
        return Number(self.value)

    def __radd__(self, other):
        return self + other

    def __iadd__(self, other):
        if other > 0:
            self.value = self.value + other
        return self

    def __neg__(self):
        return Number(self.value - 1 if self.value > 1 else self.value + 1)

    def __lt__(self, other):
        return self.value < other.value if self.value > 1 else other.value > 1

    def __eq__(self, other):
        if self.value > 1:
            return other.value > 1
        return self.value == other.value

    __hash__ = None

    def __call__(self, factor):
        if factor > 0:
            return self.value * factor
        return self.value

    def __getitem__(self, i):
        if i > 1:
            return self.value * i
        return self.value

    def __setitem__(self, i, value):
        if i > 0:
            self.value = value

    def __matmul__(self, other):
        return self.value if self.value > other.value else other.value

    def __abs__(self):
        return self.value if self.value > 0.25 else 0.25

    def __round__(self, digits=0):
        return self.value if self.value > digits else self.value * 10

    @property
    def sign(self):
        if self.value > 0:
            return 1
        return 0

    @sign.setter
    def sign(self, new):
        if new < 0:
            self.value = -self.value

    @cached_property
    def half(self):
        return self.value / 2 if self.value > 1 else self.value

    @classmethod
    def above(cls, value):
        return cls(value + 1 if value > 0 else value)

    @staticmethod
    def larger(a, b):
        return a if a > b else b


class Doubled(Number):
    """Its operators go on to those of its base."""

    def __init__(self, value):
        super().__init__(value if value < 1 else value * 2)

    def __add__(self, other):
        if other > 2:
            return super().__add__(other * 2)
        return super().__add__(other)

    @property
    def sign(self):
        return super().sign * (2 if self.value > 2 else 3)


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x if x > 0 else -x

    def __sub__(self, other):
        return Slotted(self.x - other if self.x > other else self.x)


class Scope:
    """A context manager with conditions of its own."""

    def __init__(self, x):
        self.x = x

    def __enter__(self):
        if self.x > 0:
            return self.x
        return -self.x

    def __exit__(self, *details):
        if self.x > 1:
            self.x = self.x * 10


@dataclass
class Clipped:
    value: float
    log: list = field(default_factory=list)

    def __post_init__(self):
        if self.value > 1:
            self.value = self.value * 0 + 1

    def __mul__(self, factor):
        return replace(self, value=self.value * factor if factor > 0 else self.value)


@dataclass(frozen=True, order=True)
class Frozen:
    value: float

    def scaled(self, factor):
        return Frozen(self.value * factor if factor > 0 else self.value)


class Point(namedtuple("Point", "x y")):
    def __add__(self, other):
        return Point(self.x + other.x if self.x > other.x else self.x, self.y)


@program(*PAIRS, staged=PAIRS)
def object_is_added(a, b):
    return (Number(a) + b).value, (Number(a) + Number(b)).value, (b + Number(a)).value


@program(*PAIRS, staged=PAIRS)
def object_is_added_in_place(a, b):
    number = Number(a)
    number += b
    number += -1
    return number.value


@program(*PAIRS, staged=PAIRS)
def object_is_compared(a, b):
    return Number(a) < Number(b), Number(a) == Number(b), 1 if Number(a) == Number(b) else 2


@program(*PAIRS, staged=PAIRS)
def object_is_called(a, b):
    return Number(a)(b), (-Number(a)).value, Number(a) @ Number(b), abs(Number(a)), round(Number(a))


@program(*PAIRS, staged=PAIRS)
def object_has_items(a, b):
    number = Number(a)
    first = number[b]
    number[a] = b
    return first, number[0], number.value


@program(*SIGNS, staged=SIGNS)
def object_has_properties(x):
    number = Number(x)
    before = number.sign, number.half
    number.sign = x
    return before, number.value, number.half


@program(*PAIRS, staged=PAIRS)
def object_of_a_derived_class(a, b):
    number = Doubled(a)
    return number.value, (number + b).value, number.sign


@program(*PAIRS, staged=PAIRS)
def object_from_class_methods(a, b):
    return Number.above(a).value, Number.larger(a, b), Doubled.above(a).value


@program(*PAIRS, staged=PAIRS)
def object_with_slots(a, b):
    return (Slotted(a) - b).x


@program(*SIGNS, staged=SIGNS)
def object_as_a_context(x):
    scope = Scope(x)
    with scope as inside:
        y = inside + 1
    return y, scope.x


@program(*PAIRS, staged=PAIRS)
def object_of_a_dataclass(a, b):
    clipped = Clipped(a)
    return clipped.value, (clipped * b).value, Frozen(a).scaled(b).value


@program(*PAIRS, staged=PAIRS)
def object_of_a_named_tuple(a, b):
    point = Point(a, b) + Point(b, a)
    return point, point.x


@program(*PAIRS, staged=PAIRS)
def object_made_in_a_loop(a, b):
    number = Number(a)
    for _ in range(3):
        number = number + b
    return number.value


@program(*COUNTS, staged=COUNTS)
def object_changed_in_a_staged_loop(n):
    number = Number(n)
    for i in range(n):
        number += i
        number[i] = number.value + 1
    return number.value, number.sign


@program(*PAIRS, staged=PAIRS)
def object_in_a_branch(a, b):
    number = Number(a)
    if a > b:
        number += 2
    else:
        number.sign = b
    return number.value


@program(*PAIRS, staged=PAIRS)
def partial_functions(a, b):
    def scaled(x, by, shift=0):
        if x > 0:
            return x * by + shift
        return x - by

    twice = functools.partial(scaled, by=2)
    return twice(a), functools.partial(twice, shift=b)(a), functools.partial(scaled, a)(b)


@program(*SIGNS, staged=SIGNS)
def closures_and_lambdas(x):
    def make(limit):
        count = 0

        def step(value):
            nonlocal count
            if value > limit:
                count = count + 1
                return value - limit
            return value

        return step, lambda: count

    step, counted = make(1)
    y = step(step(x))
    choose = lambda a, b: a if a > b else b  # noqa: E731
    return y, counted(), choose(x, y), (lambda v: -v if v < 0 else v)(x)


def announced(function):
    @functools.wraps(function)
    def wrapper(x):
        if x > 1:
            print("large")
        return function(x) + 1

    return wrapper


@announced
def halved(x):
    return x / 2 if x > 0 else x


@program(*SIGNS, staged=SIGNS)
def decorated_functions(x):
    return halved(x), halved.__name__


@program(*COUNTS, staged=COUNTS)
def generator_over_known_elements(n):
    def produce():
        for i in range(4):
            yield n + i

    total = 0
    for v in produce():
        if v > 3:
            total = total + v
    return total, [v * 2 for v in produce()], sum(produce())


@program(*SIGNS, staged=SIGNS)
def iterable_object(x):
    class Steps:
        def __iter__(self):
            for i in range(3):
                yield x * i

    total = 0.0
    for step in Steps():
        total = total + (step if step > 1 else 0.5)
    return total, list(Steps())


@program(*[(array([1.0, -2.0]),)], staged=[(array([1.0, -2.0]),)])
def objects_in_a_list(xs):
    numbers = [Number(x) for x in xs]
    return [n.value for n in numbers], sum([n.value for n in numbers]), (numbers[0] + 3).value


ORIGIN = Number(f64(4.0))


@program(*SIGNS, staged=SIGNS)
def object_of_the_module(x):
    return (ORIGIN + x).value, ORIGIN(x), ORIGIN.sign
