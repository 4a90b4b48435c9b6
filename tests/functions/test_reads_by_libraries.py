"""What code of libraries reads of the user's objects: their attributes, methods and descriptions.

The outside world changes between two calls, where no code of the user's names that attribute or method.
"""

import ast
import collections
import enum
import importlib.util
import inspect
import operator
import pickle
import string
import sys
import types
import typing
from http.cookies import SimpleCookie

import numpy as np
import pytest

import runtime as rt


class Padded(string.Formatter):
    def __init__(self):
        self.width = 3

    def format_field(self, value, spec):
        return str(value).rjust(self.width)


class Mixed:
    def visit_Name(self, node):
        self.found.append(self.weight)


class Visitor(Mixed, ast.NodeVisitor):
    weight = 1

    def __init__(self):
        self.found = []


class Pickled:
    def __init__(self):
        self.name = "a"


TREE = ast.parse("a + b")


def cookie():
    jar = SimpleCookie("a=1; b=2")
    return (lambda x: x * len(jar["a"].value) + len(jar)), lambda: jar.load("a=1000")


def output_of_a_cookie():
    jar = SimpleCookie("a=1")
    return (lambda x: x * len(jar["a"].OutputString())), lambda: jar.load("a=1000")


def formatter():
    padded = Padded()
    return (lambda x: x * len(padded.format("{}", 1))), lambda: setattr(padded, "width", 7)


def visitor():
    one = Visitor()

    def f(x):
        one.found = []
        one.visit(TREE)
        return x * sum(one.found)

    return f, lambda: setattr(one, "weight", 5)


def signature():
    def g(a, b):
        return a

    def change():
        g.__signature__ = inspect.signature(lambda a, b, c: 0)

    return (lambda x: x * len(inspect.signature(g).parameters)), change


def wrapped():
    def g(a, b):
        return a

    return (
        lambda x: x * len(inspect.signature(g).parameters),
        lambda: setattr(g, "__wrapped__", lambda: 0),
    )


def annotations():
    def g(a: int, b: int) -> int:
        return a

    change = lambda: g.__annotations__.pop("b")  # noqa: E731
    return (lambda x: x * len(typing.get_type_hints(g))), change


def documentation():
    def g():
        """A text."""

    return (lambda x: x * len(inspect.getdoc(g))), lambda: setattr(g, "__doc__", "Another text")


def annotations_of_a_class():
    class Point:
        a: int

    change = lambda: Point.__annotations__.update(b=int)  # noqa: E731
    return (lambda x: x * len(typing.get_type_hints(Point))), change


def default_factory():
    held = collections.defaultdict(lambda: 2.0)

    def f(x):
        found = held["k"]
        held.clear()
        return x * found

    return f, lambda: setattr(held, "default_factory", lambda: 5.0)


def names_of_an_attrgetter():
    one = types.SimpleNamespace(b=types.SimpleNamespace(c=2.0))
    get = operator.attrgetter("b.c")
    return (lambda x: x * get(one)), lambda: setattr(one.b, "c", 3.0)


def shown_namespace():
    held = types.SimpleNamespace(a=1)
    return (lambda x: x * len(repr(held))), lambda: setattr(held, "a", 1000)


def formatted_namespace():
    held = types.SimpleNamespace(a=1)
    return (lambda x: x * len(f"{held}" + "%s" % held)), lambda: setattr(held, "a", 1000)  # noqa: UP031


def compared_namespaces():
    held, other = types.SimpleNamespace(a=1), types.SimpleNamespace(a=1)
    return (lambda x: x if held == other else -x), lambda: setattr(held, "a", 2)


def counted_namespaces():
    held, other = types.SimpleNamespace(a=1), types.SimpleNamespace(a=1)
    return (lambda x: x * [other, 3].count(held)), lambda: setattr(other, "a", 2)


def value_of_an_enum():
    class Kind(enum.Enum):
        FIRST = 1.0

    return (lambda x: x * Kind.FIRST.value), lambda: setattr(Kind.FIRST, "_value_", 4.0)


def attribute_of_a_template():
    class Text(string.Template):
        pass

    text = Text("$a")
    return (lambda x: x * len(text.substitute(a="b"))), lambda: setattr(text, "template", "$a$a")


def positions_of_a_pattern():
    class Point:
        __match_args__ = ("first",)

        def __init__(self):
            self.first, self.second = 1.0, 5.0

    point = Point()

    def f(x):
        match point:
            case Point(value):
                return x * value

    return f, lambda: setattr(Point, "__match_args__", ("second",))


def attribute_of_a_pattern():
    class Point:
        __match_args__ = ("first",)

        def __init__(self):
            self.first = 1.0

    point = Point()

    def f(x):
        match point:
            case Point(value):
                return x * value

    return f, lambda: setattr(point, "first", 5.0)


def attribute_in_a_format():
    one = types.SimpleNamespace(name="a")
    return (lambda x: x * len("{0.name}".format(one))), lambda: setattr(one, "name", "abc")


def pickled_attributes():
    one = Pickled()
    return (lambda x: x * len(pickle.dumps(one))), lambda: setattr(one, "name", "abc")


def members_of_a_class():
    class Listed:
        a = 1

    def f(x):
        names = [name for name, _ in inspect.getmembers(Listed) if not name.startswith("__")]
        return x * len(names)

    return f, lambda: setattr(Listed, "z", 2)


CASES = (
    *(cookie, output_of_a_cookie, formatter, visitor, signature, wrapped, annotations),
    *(documentation, annotations_of_a_class, default_factory, names_of_an_attrgetter),
    *(value_of_an_enum, attribute_of_a_template, positions_of_a_pattern, attribute_of_a_pattern),
    *(shown_namespace, formatted_namespace, compared_namespaces, counted_namespaces),
    *(members_of_a_class, attribute_in_a_format, pickled_attributes),
)


@pytest.mark.parametrize("case", CASES)
def test_nothing_that_a_library_reads_goes_stale(case):
    plain, change_plain = case()
    f, change = case()
    f = rt.function(f)
    x = np.float64(2.0)
    before = plain(x)
    assert [f(x), f(x)] == [before, before]
    change_plain()
    change()
    after = plain(x)
    assert after != before
    assert [f(x), f(x)] == [after, after]


# -- modules that importlib loads when code first reads a name of theirs ---------------------------


@pytest.fixture
def lazy():
    held = sys.modules.pop("colorsys", None)
    spec = importlib.util.find_spec("colorsys")
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules["colorsys"] = module
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("colorsys")
    if held is not None:
        sys.modules["colorsys"] = held


def test_a_lazy_module_is_loaded_when_the_program_reads_it(lazy):
    is_needed = False
    table, items = {"module": lazy}, [lazy]

    class Holder:
        def __init__(self):
            self.module = lazy

    holder = Holder()

    @rt.function
    def f(x):
        if is_needed:
            return x * lazy.ONE_THIRD
        if x > 100 and is_needed:
            return x * (table["module"].ONE_SIXTH + items[0].ONE_SIXTH + holder.module.ONE_SIXTH)
        return x

    for value in (2.0, 3.0, 200.0):
        assert f(np.float64(value)) == value
        assert type(lazy) is importlib.util._LazyModule
    is_needed = True
    assert f(np.float64(3.0)) == 3.0 * (1 / 3)
    assert not isinstance(lazy, importlib.util._LazyModule)
    lazy.ONE_THIRD = 5.0
    assert f(np.float64(3.0)) == 15.0


def test_guards_do_not_ask_objects_for_their_class():
    asked = []

    class Meta(type):
        def __getattribute__(cls, name):
            asked.append(name)
            return super().__getattribute__(name)

    class Watched(metaclass=Meta):
        def __init__(self):
            self.factor = 2.0

        def __getattribute__(self, name):
            asked.append(name)
            return super().__getattribute__(name)

    one = Watched()

    def g(x):
        return x * one.factor

    f = rt.function(g)
    f(np.float64(2.0))
    asked.clear()
    assert f(np.float64(2.0)) == 4.0
    assert asked == []
    object.__setattr__(one, "factor", 5.0)
    assert f(np.float64(2.0)) == 10.0
