"""Every callable can be converted, and keeps its kind and attributes."""

import dataclasses
import functools
import inspect
import pickle

import numpy as np
import pytest

import autograph
import runtime as rt
from autograph.functions import rebuild


def converted(fn):
    """Whether a function is a converted function."""
    return rebuild.made_code(fn) is not None


@autograph.convert()
def decorated(x):
    return 1 if x > 0 else -1


def plain(x):
    return 1 if x > 0 else -1


plain = autograph.to_graph(plain)


@rt.function
def graph(x):
    return x if x > 0 else -x


class Shape:
    """A shape."""

    sides = 4

    def __init__(self, size):
        self.size = size if size > 0 else 0

    def area(self):
        return self.size**2 if self.sides == 4 else None

    @property
    def large(self):
        """Whether it is large."""
        return True if self.size > 10 else False

    @large.setter
    def large(self, value):
        self.size = 11 if value else 1

    @functools.cached_property
    def diagonal(self):
        return self.size * 1.5 if self.size else 0

    @classmethod
    def make(cls, size):
        return cls(size) if size else None

    @staticmethod
    def double(x):
        return 2 * x if x else 0

    @functools.lru_cache(maxsize=7)  # noqa: B019
    def slow(self, x):
        return x if x else self.size

    half = functools.partialmethod(lambda self, by: self.size / by if by else 0, 2)

    def __add__(self, other):
        return type(self)(self.size + other.size) if other else self

    def __len__(self):
        return self.size if self.size else 0

    def __secret(self):
        return 1 if self.size else 0

    def tell(self):
        return self.__secret() if self else None


class Square(Shape):
    def area(self):
        return super().area() + 1 if self.size else 0


def everything(kind):
    shape = kind(3)
    seen = [shape.area(), shape.large, shape.diagonal, kind.make(0), kind.make(2).size]
    shape.large = True
    seen += [shape.size, kind.double(4), shape.slow(0), shape.half(), (shape + kind(1)).size]
    seen += [len(shape), shape.tell(), kind.__doc__, kind.large.__doc__, kind.__name__]
    return seen


def test_a_class_is_converted_in_place_with_all_its_members():
    expected = everything(Square), everything(Shape)
    assert autograph.to_graph(Shape) is Shape and autograph.convert()(Square) is Square
    assert (everything(Square), everything(Shape)) == expected
    for name in ("area", "__init__", "__add__", "__len__", "tell"):
        assert converted(vars(Shape)[name]), name
    members = vars(Shape)
    assert converted(members["large"].fget) and converted(members["large"].fset)
    assert converted(members["diagonal"].func) and converted(members["half"].func)
    assert converted(members["make"].__func__) and converted(members["double"].__func__)
    assert converted(members["slow"].__wrapped__)
    assert members["slow"].cache_parameters()["maxsize"] == 7


def test_a_dataclass_keeps_its_generated_methods():
    @autograph.convert()
    @dataclasses.dataclass(order=True)
    class Point:
        x: int
        y: int = 0

        def flipped(self):
            return Point(self.y, self.x) if self.x != self.y else self

    assert Point(1, 2).flipped() == Point(2, 1) and Point(1) < Point(2)
    assert repr(Point(1)).endswith("Point(x=1, y=0)")
    assert converted(Point.flipped)


def test_wrappers_of_the_standard_library_wrap_the_converted_function():
    @functools.lru_cache
    def memoised(x):
        return x if x else 1

    again = autograph.to_graph(memoised)
    assert again(0) == again(0) == 1
    assert again.cache_info().hits == 1 and converted(again.__wrapped__)
    assert memoised.cache_info().misses == 0

    def logged(fn):
        @functools.wraps(fn)
        def wrapper(*args):
            return fn(*args) if args else None

        return wrapper

    wrapped = autograph.to_graph(logged(sign))
    assert wrapped(3) == 1 and wrapped.__name__ == "sign" and wrapped.__wrapped__ is sign


def sign(x: float, /, *, zero: int = 0) -> int:
    """Of a number."""
    return 1 if x > 0 else -1 if x < 0 else zero


sign.mark = "kept"


def test_a_converted_function_keeps_its_attributes():
    again = autograph.to_graph(sign)
    for name in ("__name__", "__qualname__", "__doc__", "__module__", "__annotations__"):
        assert getattr(again, name) == getattr(sign, name)
    assert again.__kwdefaults__ == {"zero": 0} and again.mark == "kept"
    assert inspect.signature(again) == inspect.signature(sign)
    assert inspect.getsource(again) == inspect.getsource(sign)
    assert autograph.to_graph(again) is again


@pytest.mark.parametrize("fn", [decorated, plain, graph], ids=["decorator", "rebound", "graph"])
def test_a_function_reachable_by_its_own_name_pickles_by_reference(fn):
    assert pickle.loads(pickle.dumps(fn)) is fn


def test_a_graph_function_under_another_name_pickles_through_its_original():
    other = rt.function(sign)
    again = pickle.loads(pickle.dumps(other))
    assert again is not other and again(np.float64(-2.0)) == -1


def test_conversion_leaks_no_references():
    import gc
    import sys

    from autograph.conversion import converter
    from autograph.functions import versions
    from autograph.syntax import sources

    def sizes():
        gc.collect()
        tables = (converter._converted, sources._given, versions._versions)
        return [*map(len, tables), len(sys.modules)]

    def short_lived(i):
        def fn(x):
            return x + i if x else [y for y in range(i) if y]

        return fn

    def once(i):
        assert autograph.to_graph(short_lived(i))(1) == 1 + i

    once(0)
    before = sizes()
    for i in range(10_000):
        once(i)
    assert sizes() == before
