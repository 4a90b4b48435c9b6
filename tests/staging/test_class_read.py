"""`x.__class__` and `type(x)` of staged values are those of the values of a run."""

import io

import numpy as np
import pytest

import runtime as rt


class Point:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return self.__class__(self.x + other.x)

    def __repr__(self):
        return f"{self.__class__.__name__}({self.x.__class__.__name__})"


def of_a_scalar(x):
    return x.__class__.__name__, x.__class__ is np.float64, issubclass(x.__class__, float)


def of_other_values(x):
    y, text, n, flag = np.ones(2) * x, f"{x}", int(x), x > 1
    return [one.__class__.__name__ for one in (y, text, n, flag)]


def of_an_object(x):
    point = Point(x) + Point(x)
    return repr(point), point.__class__ is Point


def of_an_object_of_the_run(x):
    stream = io.StringIO()
    if x > 1:
        stream.write("b")
    return stream.__class__.__name__, stream.__class__ is io.StringIO, type(stream).__name__


def of_a_list(x):
    found = [] if x > 1 else [x]
    return found.__class__ is list, found.__class__.__name__


def of_a_number_or_none(x):
    y = 1 if x > 1 else None
    return type(y).__name__, type(y) is int, y.__class__ is type(None)


def of_a_number_or_none_in_a_branch(x):
    y = 1 if x > 1 else None
    if type(y) is int:
        return y + 1
    return -1


def of_an_object_or_none(x):
    point = None
    if x > 1:
        point = Point(x)
    return type(point).__name__, point.__class__.__name__


def of_an_object_that_was_tested(x):
    point = None
    if x > 1:
        point = Point(x)
    if point is not None:
        return type(point).__name__, point.__class__ is Point
    return type(point).__name__, False


def of_a_list_or_none(x):
    found = None
    if x > 1:
        found = [1, x]
    return found.__class__.__name__, isinstance(found, list), type(found) is list


def of_a_number_of_two_types(x):
    y = 1 if x > 1 else 2.5
    return y.__class__.__name__


PROGRAMS = [
    of_a_number_of_two_types,
    of_a_scalar,
    of_other_values,
    of_an_object,
    of_an_object_of_the_run,
    of_a_list,
    of_a_number_or_none,
    of_a_number_or_none_in_a_branch,
    of_an_object_or_none,
    of_an_object_that_was_tested,
    of_a_list_or_none,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_the_class_is_that_of_the_value_of_the_run(function):
    traced = rt.function(function)
    for x in (np.float64(2.5), np.float64(0.5), np.float64(2.5), np.float32(2), np.float32(0)):
        assert traced(x) == function(x)
