"""Code that another test replaces, `mock.patch.object(pathlib.Path, "read_text", ...)`, is the
replacement in each call: before the first, between two calls, and no longer after it.

Functions and constants of NumPy and `math` are taken to be constant (`guards/library_state.py`).
"""

import bisect
import calendar
import collections
import configparser
import contextlib
import copy
import dataclasses
import enum
import fractions
import functools
import heapq
import itertools
import json
import operator
import os
import pathlib
import random
import re
import string
import textwrap
import threading
import time
import urllib.parse
import uuid
from unittest import mock

import numpy as np
import pytest

import runtime as rt


class Scale:
    """A class of the user."""

    rate = 2.0

    def value(self, x):
        return x * self.rate

    @property
    def width(self):
        return 3.0

    def __call__(self, x):
        return x


class Color(enum.Enum):
    RED = 1


SCALE, STREAM, PLACE = Scale(), random.Random(1), pathlib.Path(__file__)
COUNTS, PARSER = collections.Counter("aab"), configparser.ConfigParser()
PARSER.read_string("[a]\nb=1\n")

# The owner and name of an attribute, its replacement, and code that uses it.
CASES = [
    (random.Random, "randint", lambda self, a, b: 42, lambda: STREAM.randint(1, 6)),
    (random.Random, "random", lambda self: 7.0, lambda: STREAM.random()),
    (random.Random, "choice", lambda self, z: 42, lambda: STREAM.choice([1, 2, 3])),
    (random.Random, "uniform", lambda self, a, b: 42.0, lambda: random.Random(3).uniform(1, 2)),
    (random, "randint", lambda a, b: 42, lambda: random.randint(1, 6)),
    (np.random, "rand", lambda: 42.0, lambda: np.random.rand()),
    (np.random, "normal", lambda: 42.0, lambda: np.random.normal()),
    (collections.Counter, "most_common", lambda *a: [("z", 9)], lambda: COUNTS.most_common(1)[0][1]),
    (
        collections.Counter,
        "most_common",
        lambda *a: [("z", 9)],
        lambda: collections.Counter("aab").most_common(1)[0][1],
    ),
    (collections.Counter, "elements", lambda self: [1] * 50, lambda: len(list(COUNTS.elements()))),
    (pathlib.Path, "read_text", lambda self: "12", lambda: len(PLACE.read_text())),
    (pathlib.Path, "read_text", lambda self: "12", lambda: len(pathlib.Path(__file__).read_text())),
    (pathlib.Path, "exists", lambda self: False, lambda: PLACE.exists()),
    (pathlib.PurePath, "name", property(lambda self: "12"), lambda: len(PLACE.name)),
    (json.JSONEncoder, "encode", lambda self, o: "12", lambda: len(json.JSONEncoder().encode([1]))),
    (json, "dumps", lambda o: "1234567", lambda: len(json.dumps([1, 2]))),
    (fractions.Fraction, "limit_denominator", lambda *a: 7, lambda: float(third().limit_denominator(9))),
    (configparser.ConfigParser, "getint", lambda *a: 55, lambda: PARSER.getint("a", "b")),
    (configparser.ConfigParser, "get", lambda *a: "55", lambda: float(PARSER.get("a", "b"))),
    (uuid.UUID, "hex", property(lambda self: "12"), lambda: len(uuid.UUID(int=3).hex)),
    (enum.Enum, "name", property(lambda self: "12345"), lambda: len(Color.RED.name)),
    (os.path, "exists", lambda p: False, lambda: os.path.exists("/")),
    (os, "getcwd", lambda: "", lambda: len(os.getcwd())),
    (time, "time", float, lambda: time.time() < 1),  # float() is 0.0
    (calendar, "isleap", lambda y: 5, lambda: calendar.isleap(2000)),
    (copy, "deepcopy", lambda o: [1] * 30, lambda: len(copy.deepcopy([1]))),
    (functools, "reduce", lambda *a: 88, lambda: functools.reduce(operator.sub, [1, 2])),
    (heapq, "nlargest", lambda *a: [88], lambda: heapq.nlargest(1, [1, 2])[0]),
    (bisect, "bisect", lambda *a: 88, lambda: bisect.bisect([1, 2], 1)),
    (operator, "add", lambda a, b: 88, lambda: operator.add(1, 2)),
    (itertools, "accumulate", lambda a: [88], lambda: list(itertools.accumulate([1, 2]))[-1]),
    (dataclasses, "asdict", lambda o: {1: 2, 3: 4}, lambda: len(dataclasses.asdict(Point(1)))),
    (contextlib.ExitStack, "enter_context", lambda *a: 88, lambda: entered()),
    (string.Template, "substitute", lambda *a, **k: "12", lambda: len(string.Template("$a").substitute(a="1234"))),
    (re, "match", lambda *a: None, lambda: re.match("a", "abc") is None),
    (textwrap, "dedent", lambda s: "12", lambda: len(textwrap.dedent("abc"))),
    (urllib.parse, "quote", lambda s: "12", lambda: len(urllib.parse.quote("a b"))),
    (threading, "active_count", lambda: 88, lambda: threading.active_count()),
    (Scale, "value", lambda self, x: x * 10, lambda: SCALE.value(2.0)),
    (Scale, "rate", 50.0, lambda: SCALE.value(2.0)),
    (Scale, "width", property(lambda self: 30.0), lambda: SCALE.width),
    (Scale, "__call__", lambda self, x: x * 10, lambda: SCALE(2.0)),
]  # fmt: skip


@dataclasses.dataclass
class Point:
    x: float


def third():
    return fractions.Fraction(1, 3)


def entered():
    with contextlib.ExitStack() as stack:
        return stack.enter_context(contextlib.nullcontext(3))


def straight(use):
    return lambda x: x + use()


def branching(use):
    def f(x):
        if x > 0:
            return x + use()
        return x

    return f


def seeded(function):
    random.seed(5)
    STREAM.seed(5)
    np.random.seed(5)
    return function(np.float64(2.0))


@pytest.mark.parametrize("shape", [straight, branching])
@pytest.mark.parametrize("steps", ["0011001", "110011"])
def test_each_call_sees_the_replacement(steps, shape):
    different = []
    for owner, name, replacement, use in CASES:
        function = shape(use)
        staged = rt.function(function)
        for place, step in enumerate(steps):
            with contextlib.ExitStack() as stack:
                if step == "1":
                    stack.enter_context(mock.patch.object(owner, name, replacement))
                wanted = seeded(function)
                if repr(seeded(staged)) != repr(wanted):
                    different.append((owner, name, place))
    assert not different


class Total:
    """An object with methods that have the names of those of containers."""

    def __init__(self):
        self.sum, self.rate = 0.0, 2.0

    def add(self, x):
        self.sum = self.sum + x * self.rate

    append = update = add

    def __iadd__(self, x):
        self.add(x)
        return self


class Holder:
    pass


TOTAL, HELD, LISTED = Total(), Holder(), [None]


def a_global(x):
    TOTAL.add(x)
    return x


def an_attribute(x):
    HELD.total.append(x)
    return x


def an_item(x):
    LISTED[0].update(x)
    return x


def in_place(x):
    HELD.total += x
    return x


def sums(function):
    """The sums after calls, of which some follow a change or another object."""
    global TOTAL
    found = []
    TOTAL = HELD.total = LISTED[0] = first = Total()
    for i in range(3):
        function(np.float64(i + 1.0))
        found.append(first.sum)
    first.rate = 10.0
    function(np.float64(1.0))
    TOTAL = HELD.total = LISTED[0] = Total()
    function(np.float64(1.0))
    return [*map(float, (*found, first.sum, TOTAL.sum))]


@pytest.mark.parametrize("function", [a_global, an_attribute, an_item, in_place])
def test_an_object_that_code_adds_to_is_read(function):
    wanted = sums(function)
    assert wanted == [2.0, 6.0, 12.0, 22.0, 2.0]
    assert sums(rt.function(function)) == wanted
