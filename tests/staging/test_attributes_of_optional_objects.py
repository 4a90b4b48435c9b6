"""An object that may be None has the attributes of the user's class, whatever their names."""

import numpy as np
import pytest

import runtime as rt


class Reading:
    kind = "reading"

    def __init__(self, value):
        self.present = value
        self.is_none = value + 1
        self.value = value + 2

    def checked(self, by):
        return self.present * by

    def unchecked(self):
        return self.is_none * 10


def maybe(x):
    return Reading(x) if x > 1 else None


def read_present(x):
    r = maybe(x)
    return 0.0 if r is None else r.present


def read_is_none(x):
    r = maybe(x)
    return 0.0 if r is None else r.is_none


def call_checked(x):
    r = maybe(x)
    return 0.0 if r is None else r.checked(3)


def call_unchecked(x):
    r = maybe(x)
    return 0.0 if r is None else r.unchecked()


def untested_read(x):
    return maybe(x).is_none


def untested_call(x):
    return maybe(x).checked(2)


def write(x):
    r = maybe(x)
    if r is not None:
        r.present = x * 100
        r.is_none += 1
        return r.present + r.is_none
    return x


def in_a_loop(x):
    last = None
    for k in range(4):
        if x > k:
            last = Reading(x + k)
    return 0.0 if last is None else last.present + last.is_none


def names(x):
    r = maybe(x)
    return False if r is None else hasattr(r, "checked") and not hasattr(r, "missing")


PROGRAMS = [read_present, read_is_none, call_checked, call_unchecked, untested_read]
PROGRAMS += [untested_call, write, in_a_loop, names]


def outcome(fn, x):
    try:
        return fn(x)
    except AttributeError as error:
        return str(error)


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_names_of_the_library_hide_no_attribute(fn):
    staged = rt.function(fn)
    for x in map(np.float64, (0.5, 2.0, 3.5)):
        assert outcome(staged, x) == outcome(fn, x)


@pytest.mark.parametrize("name", ["present", "is_none", "missing"])
@pytest.mark.parametrize("made", [Reading, lambda x: x + 1, lambda x: np.array([x, x])])
def test_getattr_with_a_default_asks_the_value_that_the_run_has(name, made):
    def f(x):
        r = made(x) if x > 1 else None
        return getattr(r, name, 5.0), hasattr(r, name), hasattr(r, "checked"), hasattr(r, "__doc__")

    for x in map(np.float64, (0.5, 2.0)):
        assert rt.function(f)(x) == f(x)
