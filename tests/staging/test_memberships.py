"""`item in container` with a staged item: the class answers, or its elements do."""

import functools

import numpy as np
import pytest

import runtime as rt


class Above:
    """It answers, and has no elements."""

    def __contains__(self, item):
        return item > 2


class AboveWithElements(Above):
    def __iter__(self):
        return iter([1.0])


class Truthy:
    def __contains__(self, item):
        if item > 2:
            return 7
        return None


class Listed:
    def __getitem__(self, i):
        return [1.0, 3.0][i]


class Forbidden:
    __contains__ = None

    def __iter__(self):
        return iter([1.0])


@pytest.mark.parametrize("kind", [Above, AboveWithElements, Truthy, Listed])
def test_a_class_answers_by_its_own_method_or_by_its_elements(kind):
    container = kind()

    def function(x):
        return x in container, x not in container

    staged = rt.function(function)
    for value in (1.0, 2.0, 3.0):
        found = staged(np.float64(value))
        assert found == function(np.float64(value))
        assert [type(one) for one in found] == [bool, bool]


@pytest.mark.parametrize("container", [None, 3, Forbidden()])
def test_an_object_that_is_no_container_raises_the_exception_of_python(container):
    def function(x):
        return x in container

    with pytest.raises(TypeError) as wanted:
        function(np.float64(1.0))
    with pytest.raises(TypeError) as found:
        rt.function(function)(np.float64(1.0))
    assert str(found.value) == str(wanted.value)


def is_half(self, item):
    return item * 2 == 4


class Half:
    def __call__(self, item):
        return item * 2 == 4


WRAPPED = {
    "rt.function": rt.function(is_half),
    "a cache": functools.lru_cache(is_half),
    "a partial method": functools.partialmethod(lambda self, k, item: item * k == 4, 2),
    "a partial function": functools.partial(lambda k, item: item * k == 4, 2),
    "a static method": staticmethod(lambda item: item * 2 == 4),
    "a class method": classmethod(is_half),
    "a callable object": Half(),
    "a wrapper": functools.wraps(is_half)(lambda *arguments: is_half(*arguments)),
}


@pytest.mark.filterwarnings("ignore:functools.partial")  # in a class, since Python 3.13
@pytest.mark.parametrize("method", WRAPPED.values(), ids=WRAPPED)
def test_every_kind_of_method_answers(method):
    kind = type("Odd", (), {"__contains__": method, "__iter__": lambda self: iter([1, 3, 5])})
    container = kind()

    def function(x):
        return (10 if x in container else 20), x not in container

    staged = rt.function(function)
    for value in (1, 2, 1):
        assert staged(np.int64(value)) == function(np.int64(value))


def test_a_method_that_needs_the_value_is_refused():
    kind = type("Listed", (), {"__contains__": [2].__contains__, "__iter__": lambda self: iter([])})
    container = kind()
    with pytest.raises(rt.StagingError, match="__contains__ is given the staged value `x`"):
        rt.function(lambda x: x in container)(np.int64(2))
