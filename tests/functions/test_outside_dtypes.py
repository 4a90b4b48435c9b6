"""Arrays and scalars of dtypes that graphs do not support are in globals, containers and objects.

A function that reads their sizes is traced as it is; it is traced again after one of them changed.
"""

from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt

VALUES = {
    "big_endian": lambda: np.ones(2, ">f8"),
    "long_double": lambda: np.ones(2, np.longdouble),
    "long_double_scalar": lambda: np.longdouble(3),
    "long_complex": lambda: np.ones(2, np.clongdouble),
    "text": lambda: np.array(["a", "bc"]),
    "bytes": lambda: np.array([b"a", b"bc"]),
    "text_scalar": lambda: np.str_("ab"),
    "bytes_scalar": lambda: np.bytes_(b"ab"),
    "dates": lambda: np.array(["2020-01-02"], "M8[D]"),
    "date": lambda: np.datetime64("2020-01-02"),
    "duration": lambda: np.timedelta64(3, "s"),
    "record": lambda: np.zeros(2, [("a", "i4"), ("b", "f8")]),
    "record_scalar": lambda: np.zeros((), [("a", "i4"), ("b", "f8")])[()],
    "void": lambda: np.void(b"abc"),
    "objects": lambda: np.array(["x", None], dtype=object),
    "masked": lambda: np.ma.masked_array([1.0, 2.0], [False, True]),
    "matrix": lambda: np.matrix([1.0, 2.0]),
}
PLACES = {
    "alone": lambda value: (value,),
    "list": lambda value: [value],
    "dict": lambda value: {"a": value},
    "nested": lambda value: {"a": [(value, 2.0)]},
    "object": lambda value: [SimpleNamespace(value=value)],
}
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of np.matrix


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("place", PLACES)
def test_a_value_that_graphs_do_not_support_can_be_in_an_object_that_is_read(value, place):
    held = PLACES[place](VALUES[value]())

    @rt.function
    def function(x):
        return x * len(held)

    assert [function(3.0), function(4.0)] == [3.0, 4.0]


@pytest.mark.parametrize("value", ["big_endian", "long_double", "text", "dates", "objects"])
def test_a_read_of_such_an_array_is_not_stale(value):
    held = [VALUES[value]()]

    @rt.function
    def function(x):
        return x * (2.0 if held[0][0] == held[0][-1] else 5.0)

    def expected():
        return 2.0 if held[0][0] == held[0][-1] else 5.0

    assert function(1.0) == expected()
    held[0][-1:] = held[0][:1]
    assert function(1.0) == expected()
    held[0] = np.concatenate([held[0], VALUES[value]()[::-1]])
    assert function(1.0) == expected()
