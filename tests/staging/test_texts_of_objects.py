"""Methods that make a string of an object are bound as Python binds them."""

import numpy as np
import pytest

import runtime as rt


class Static:
    @staticmethod
    def __str__():
        return "static"


class Named:
    def __init__(self, value):
        self.value = value

    def shown(self):
        return f"named {self.value}"

    def formed(self, spec):
        return f"<{self.value:{spec}}>"

    __str__ = shown
    __format__ = formed


class OfClass:
    @classmethod
    def __repr__(cls):
        return cls.__name__


class Number:
    def __str__(self):
        return 3


def texts(x):
    return f"{Static()} {Named(x):.2f} {Named(x)!s} {OfClass()!r} {OfClass()} {x}"


def calls(x):
    return str(Static()), str(Named(x)), format(Named(x), ".1f"), repr(OfClass())


@pytest.mark.parametrize("function", [texts, calls])
def test_texts_are_those_of_python(function):
    x = np.float64(1.5)
    assert rt.function(function)(x) == function(x)


def test_a_method_in_a_branch_is_static():
    def text(x):
        found = "none"
        if x > 0:
            found = str(Static())
        return found

    assert [rt.function(text)(np.float64(x)) for x in (1.0, -1.0)] == ["static", "none"]


def test_a_method_that_returns_no_text_is_named():
    with pytest.raises(TypeError, match=r"__str__ returned non-string \(type int\)"):
        rt.function(lambda x: f"{Number()} {x}")(np.float64(1.0))
