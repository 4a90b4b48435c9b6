"""A variable that would be two kinds of value: the error names the variable or field, both kinds, and
a change that makes them alike."""

import numpy as np
import pytest

import runtime as rt


class Circle:
    def __init__(self, size):
        self.size = size


class Square:
    def __init__(self, size):
        self.size = size


def scaled(factor):
    def times(x):
        return x * factor

    return times


ONE = np.float64(1.0)


def branches(left, right):
    """A function whose variable `y` is `left(x)` in one branch and `right(x)` in the other."""

    def f(x):
        if x > 0:
            y = left(x)
        else:
            y = right(x)
        return y

    return rt.function(f)


PAIRS = [
    (lambda x: np.zeros(2), lambda x: b"t", ["y is f64[2] after", "b't' after the other"]),
    (lambda x: {"a": x}, lambda x: {"b": x}, ["the key 'a'", "the key 'b'", "the same keys"]),
    (lambda x: {"a": x, "b": x}, lambda x: {"b": x, "a": x}, ["the keys 'a', 'b'", "the keys 'b', 'a'", "in the same order"]),
    (lambda x: scaled(x * 2), lambda x: np.sin, ["the function times", "the function sin", "Call the function"]),
    (lambda x: Circle(x), lambda x: b"t", ["an object of Circle", "b't'"]),
    (lambda x: {"a": 1, "b": {"c": x}}, lambda x: {"a": 1, "b": {"c": b"t"}}, ["y['b']['c'] is f64 after", "and b't' after"]),
    (lambda x: {"a": 1, "b": {"c": x}}, lambda x: {"a": 1, "b": {"d": x}}, ["y['b'] is a dict with the key 'c'"]),
    (lambda x: (1, {"a": x}), lambda x: (1, b"t"), ["y[1] is a dict with the key 'a' after", "and b't' after"]),
    (lambda x: Circle(x), lambda x: Circle(b"t"), ["y.size is f64 after", "and b't' after"]),
    (lambda x: Circle({"a": x}), lambda x: Circle({"a": b"t"}), ["y.size['a'] is f64 after"]),
    (lambda x: ValueError, lambda x: KeyError, ["the class ValueError", "the class KeyError"]),
]  # fmt: skip


@pytest.mark.parametrize("left, right, parts", PAIRS)
def test_branches_that_do_not_fit_name_the_field_both_kinds_and_a_change(left, right, parts):
    with pytest.raises(rt.StagingError) as caught:
        branches(left, right)(ONE)
    text = str(caught.value)
    assert [part for part in parts if part not in text] == [], text
    assert "if x > 0:" in text


def repeated(start, following):
    """A function whose variable `y` starts as `start(x)` and becomes `following(y, i)`."""

    def f(x, n):
        y = start(x)
        for i in range(n):
            y = following(y, i)
        return y

    return rt.function(f)


LOOPS = [
    (lambda x: np.ones(2), lambda y, i: np.stack([y, y]), ["y is "]),
    (lambda x: {"a": 0}, lambda y, i: {"a": b"t"}, ["y['a'] is int before", "b't' after it"]),
    (lambda x: {}, lambda y, i: [i], ["y is an empty dict before", "Use one type of container for y"]),
    (lambda x: {"a": 0}, lambda y, i: {"b": 0}, ["the key 'a'", "the key 'b'"]),
]  # fmt: skip


@pytest.mark.parametrize("start, following, parts", LOOPS)
def test_loops_that_change_the_kind_name_the_field_both_kinds_and_a_change(start, following, parts):
    with pytest.raises(rt.StagingError) as caught:
        repeated(start, following)(ONE, np.int64(3))
    text = str(caught.value)
    assert [part for part in parts if part not in text] == [], text
    assert "for i in range(n):" in text


def test_the_value_of_returns_is_called_the_returned_value_unless_the_user_has_that_name():
    def sign(x):
        if x > 0:
            return 1
        return b"t"

    def named(x):
        if x > 0:
            result = 1
        else:
            result = b"t"
        return result

    with pytest.raises(rt.StagingError, match="^the returned value is int after"):
        rt.function(sign)(ONE)
    with pytest.raises(rt.StagingError, match="^result is int after"):
        rt.function(named)(ONE)


def test_the_result_of_a_conditional_expression_is_called_the_result():
    with pytest.raises(rt.StagingError, match="^the result is int after"):
        rt.function(lambda x: 1 if x > 0 else b"t")(ONE)
