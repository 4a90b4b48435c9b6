"""Converted code tests an object as often as Python does, in every boolean expression.

Random programs on objects that log each test of them, in every place for a condition, and where
the value of the expression is used.
"""

import importlib.util
import itertools
import random
import sys

import numpy as np
import pytest

import autograph
import runtime as rt

LOG = []


class Logged:
    """An object that logs each test and comparison."""

    def __init__(self, name, value):
        self.name, self.value = name, value

    def __bool__(self):
        LOG.append(self.name)
        return self.value

    def compared(self, symbol, other, value):
        name = f"({self.name} {symbol} {getattr(other, 'name', other)})"
        LOG.append(name)
        return Logged(name, value)

    def __lt__(self, other):
        return self.compared("<", other, self.value and not getattr(other, "value", other))

    def __gt__(self, other):
        return self.compared(">", other, not self.value)

    def __eq__(self, other):
        return self.compared("==", other, self.value == getattr(other, "value", other))

    __hash__ = object.__hash__


OF_TRUTH = (
    "({} and {})",
    "({} or {})",
    "({} and {} or {})",
    "({} or {} and {})",
    "({} and {} and {})",
    "(not {})",
    "({} if {} else {})",
)
OF_VALUES = ("({} < a < b)", "({} < c)", "(a in [{}, d])", "(a not in [{}, d])")
FORMS = OF_TRUTH + OF_VALUES
if sys.version_info < (3, 12):
    # CPython 3.11 joins some more jumps in values than the converter does.
    FORMS = OF_TRUTH + tuple(form.format("c") for form in OF_VALUES)

CONDITIONS = (
    "if {}:\n        return 1\n    return 2",
    "if {}:\n        x = 1\n    elif {}:\n        x = 2\n    else:\n        x = 3\n    return x",
    "x = 0\n    while {}:\n        x += 1\n        if x > 2: break\n    return x",
    "x = 0\n    while not {}:\n        x += 1\n        if x > 2: return x\n    return -1",
    "for x in (1, 2):\n        if {}: continue\n        if {}: return x\n    return 9",
    "assert {}, 'no'\n    return 3",
    "return 1 if {} else 2",
    "return (lambda: 1 if {} else 2)()",
    "return [x for x in (1, 2) if {}]",
    "return {{x: 1 for x in (1, 2) if {} if {}}}",
    "return sum(1 for x in (1, 2) if {})",
    "def inner():\n        if {}: return 1\n    return inner()",
    "match a:\n        case _ if {}: return 1\n        case _: return 2",
    "try:\n        if {}: return 1\n    finally:\n        LOG.append('end')",
)
VALUES = (
    "return {}",
    "x = {}\n    return x and 1",
    "return bool({})",
    "return (lambda: {})()",
    "return [x for x in (1, 2) if [{}]]",
    "return f'{{{}}}'[:0]",
)


def expression(choose, depth):
    if depth == 0:
        return choose.choice("abcd")
    return choose.choice(FORMS).format(*(expression(choose, depth - 1) for _ in range(3)))


def programs(count):
    choose = random.Random(13)
    for i in range(count):
        bodies = VALUES if i % 3 == 2 else CONDITIONS
        body = bodies[i // 3 % len(bodies)]
        deep = bodies is CONDITIONS or sys.version_info >= (3, 12)
        depth = 1 + i % 4 if deep else 1
        parts = [expression(choose, depth) for _ in range(2)]
        yield f"def f{i}(a, b, c, d):\n    {body.format(*parts)}\n"


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    path = tmp_path_factory.mktemp("truth") / "truths.py"
    path.write_text("LOG = None\n" + "\n\n".join(programs(120)))
    spec = importlib.util.spec_from_file_location("truths", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.LOG = LOG
    return [value for name, value in vars(module).items() if name.startswith("f")]


def outcome(function, values):
    LOG.clear()
    try:
        result = function(*(Logged(*pair) for pair in zip("abcd", values, strict=True)))
    except (AssertionError, TypeError) as error:
        result = type(error)
    return getattr(result, "name", result), list(LOG)


def test_converted_code_tests_as_often_as_python(functions):
    assert len(functions) == 120
    for function in functions:
        converted = autograph.to_graph(function)
        for values in itertools.product([False, True], repeat=4):
            assert outcome(converted, values) == outcome(function, values), function.__name__


def test_so_does_code_that_is_recorded(functions):
    seen = []

    def recorded(x):
        for function in chosen:
            for values in ((False,) * 4, (True,) * 4, (True, False, True, False)):
                seen.append(outcome(function, values))
        return x + 1

    chosen = functions[::4]
    rt.function(recorded)(np.ones(2))
    recorded_log = list(seen)
    seen.clear()
    recorded(np.ones(2))
    assert recorded_log[-len(seen) :] == seen


@pytest.mark.parametrize(
    "text",
    ["a and b or c", "a or b and c", "(a and b) and c", "a < b < c or d", "not (a and b)"],
)
def test_values_of_expressions(text):
    source = f"def f(a, b, c, d):\n    return {text}\n"
    space = {}
    exec(source, space)
    converted = autograph.to_graph(space["f"], source=source)
    for values in itertools.product([False, True], repeat=4):
        assert outcome(converted, values) == outcome(space["f"], values)
