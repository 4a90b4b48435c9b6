"""A call that an exception ends has changed arrays and objects exactly as in Python."""

import copy
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt


class Odd(Exception):
    """An exception that cannot be made again from its arguments."""

    def __init__(self, code, *, place):
        super().__init__(f"{code} at {place}")
        self.place = place


def both_then_raise(v, o, n):
    o.h = v
    o.h[0] += 1.0
    raise ValueError("always")


def both_in_a_loop_that_always_raises(v, o, n):
    for _ in range(n):
        o.h = v + 1.0
        v[0] += 1.0
        raise KeyError("a")


def both_until_an_index_is_wrong(v, o, n):
    for i in range(n + 1):
        o.w = o.w + v[1]
        v[i] += 1.0


def object_only(v, o, n):
    o.h = v * 2.0
    o.n = 1
    return missing  # noqa: F821


def augmented(v, o, n):
    o.w += 0.5
    raise Odd(3, place="here")


def list_of_an_argument(v, o, n):
    o.items.append(v[0])
    o.items[0] = v[1]
    {}["a"]


def from_another(v, o, n):
    o.h = v - 1.0
    try:
        missing  # noqa: B018, F821
    except NameError as error:
        raise LookupError("other") from error


def both_then_caught(v, o, n):
    o.h = v * 2.0
    try:
        for _ in range(n):
            v[0] += 1.0
            raise KeyError("a")
    except KeyError:
        o.w = v[0]
    return v + 0.0


PROGRAMS = (
    both_then_raise,
    both_in_a_loop_that_always_raises,
    both_until_an_index_is_wrong,
    object_only,
    augmented,
    list_of_an_argument,
    from_another,
    both_then_caught,
)


def observed(function, n):
    """The result or the exception of a call, and its arguments afterwards."""
    v = np.array([1.0, 2.0])
    o = SimpleNamespace(h=np.zeros(2), w=np.float64(1.5), items=[np.float64(0.5)])
    found = None
    try:
        found = function(v, o, np.int64(n))
    except Exception as error:
        found = type(error), str(error), getattr(error, "place", None), repr(error.__cause__)
    held = copy.copy(vars(o))
    return repr((found, v, held))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("engine", ["numpy", "native", "eager"])
def test_arrays_and_objects_change_as_in_python(program, engine):
    staged = rt.function(program, engine=engine)
    for n in (2, 0, 3):
        assert observed(staged, n) == observed(program, n)


def test_captured_arrays_change_once():
    counts = np.zeros(2)

    def count(o, n):
        counts[0] += 1.0
        o.h = counts + 1.0
        counts[n] = 5.0

    o = SimpleNamespace(h=None)
    with pytest.raises(IndexError):
        rt.function(count)(o, np.int64(7))
    np.testing.assert_array_equal(counts, [1.0, 0.0])
    np.testing.assert_array_equal(o.h, [2.0, 1.0])


def test_the_users_line_is_named():
    with pytest.raises(NameError) as error:
        rt.function(object_only)(np.ones(2), SimpleNamespace(), np.int64(1))
    assert error.traceback[-1].name == "object_only"
