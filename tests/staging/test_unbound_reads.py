"""A variable that a run finds unbound raises where it is read, whatever is done with the value."""

import contextlib
import io
import itertools
import re

import numpy as np
import pytest

import autograph
import runtime as rt
from tests.support.loading import load

HEAD = """
import numpy as np

class Pair:
    def __init__(self, a):
        self.a = a

class Context:
    def __init__(self, value):
        pass
    def __enter__(self):
        return 1
    def __exit__(self, *error):
        return False

def constant(*args, **named):
    return 1

def same(value):
    return value

def printing():
    print("called")
    return 1
"""

BINDINGS = {
    "branch": "if x > 1:\n        y = VALUE",
    "else": "if x > 1:\n        pass\n    else:\n        y = VALUE",
    "for": "for i in np.arange(np.int64(x)):\n        y = VALUE",
    "range": "for i in range(np.int64(x)):\n        y = VALUE",
    "while": "k = x\n    while k > 0:\n        y = VALUE\n        k = k - 1",
    "left": "for i in range(3):\n        if x <= i:\n            break\n        y = VALUE",
    "deleted": "y = VALUE\n    if x <= 1:\n        del y",
    "match": "match x > 1:\n        case True:\n            y = VALUE\n        case _:\n            pass",
    "twice": "if x > 1:\n        y = VALUE\n    if x > 2:\n        y = VALUE",
    "in a with": "with Context(1):\n        if x > 1:\n            y = VALUE",
    "by a nested function": "def bind():\n        nonlocal y\n        if x > 1:\n"
    "            y = VALUE\n    bind()\n    if x > 100:\n        y = VALUE",
    "deleted by a nested function": "y = VALUE\n    def unbind():\n        nonlocal y\n"
    "        if x <= 1:\n            del y\n    unbind()",
}
VALUES = {
    "number": "x * 2",
    "known": "5",
    "text": "'a'",
    "None": "None",
    "tuple": "(x, 1)",
    "empty tuple": "()",
    "texts": "('a', 'b')",
    "list": "[x, x]",
    "empty list": "[]",
    "dict": "{'a': x}",
    "empty dict": "{}",
    "array": "np.array([x, 2.0])",
    "function": "np.sin",
    "lambda": "lambda: 1",
    "object": "Pair(x)",
}
READS = {
    "returned": "return y",
    "copied": "z = y",
    "copied and returned": "z = y\n    return z",
    "in a list": "z = [y]",
    "in a tuple": "z = (y,)",
    "in a dict": "z = {'a': y}",
    "as a key": "z = {1: 2, 'y': y}",
    "in a starred list": "z = [*[y]]",
    "statement": "y",
    "argument": "constant(y)",
    "named argument": "constant(a=y)",
    "starred argument": "constant(*[y])",
    "first argument": "constant(y, printing())",
    "operand": "z = y, printing()",
    "before a print": "z = y, print(x)",
    "argument before a print": "constant(y, print(x))",
    "before a print in a branch": "if x > -1:\n        z = y, printing()",
    "after a print": "z = print(x), y",
    "of a plain function": "return same(y)",
    "f-string": "z = f'{y}'",
    "default": "def g(a=y):\n        return 1",
    "default of a lambda": "g = lambda a=y: 1",
    "closure": "def g():\n        return y\n    g()",
    "result of a closure": "def g():\n        return y\n    return g()",
    "lambda": "g = lambda: y\n    g()",
    "generator": "def g():\n        yield y\n    z = list(g())",
    "method": "class A:\n        def m(self):\n            return y\n    A().m()",
    "class body": "class A:\n        a = y",
    "comprehension": "z = [y for _ in range(2)]",
    "staged comprehension": "z = [y for i in range(3) if i < x]",
    "generator expression": "z = list(y for _ in range(2))",
    "attribute": "o = Pair(1)\n    o.a = y",
    "item": "o = [1]\n    o[0] = y",
    "appended": "o = []\n    o.append(y)",
    "unpacked": "a, b = y, 1",
    "exchanged": "w = 1\n    y, w = w, y",
    "isinstance": "z = isinstance(y, str)",
    "type": "z = type(y)",
    "is None": "z = y is None",
    "context": "with Context(y):\n        pass",
    "in a branch": "if x > 0.5:\n        z = y",
    "result of a branch": "if x > 0.5:\n        return y",
    "in a loop": "for _ in range(np.int64(x + 1)):\n        z = y",
    "in a known loop": "for _ in range(2):\n        z = y",
    "conjunction": "z = x > 0 and y",
    "message": "raise ValueError(y)",
    "deleted": "del y",
}
# The first of each kind is combined with all of the others; `thorough` has all combinations.
FIRST = [
    *(("branch", "number", read) for read in READS),
    *((binding, "tuple", "statement") for binding in BINDINGS),
    *(("branch", value, "in a list") for value in VALUES),
    *(("for", value, "statement") for value in VALUES if value != "lambda"),
    ("branch", "None", "message"),
    *(("range", "empty tuple", read) for read in ("closure", "class body", "returned")),
]


def outcome(function, x):
    """The result or exception of a call, and its output."""
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            result = shown(function(np.float64(x)))
    except rt.errors.StagingError:
        return "refused"
    except Exception as error:
        return type(error), re.sub(" at 0x.*>", "", str(error)), output.getvalue()
    return result


def shown(value):
    """A result in a form that compares contents."""
    if isinstance(value, (tuple, list)):
        return type(value), [shown(one) for one in value]
    if isinstance(value, dict):
        return {key: shown(one) for key, one in value.items()}
    if isinstance(value, (np.generic, np.ndarray, float)):
        return np.asarray(value, float).tolist()
    if type(value).__name__ == "Pair":
        return "Pair", shown(value.a)
    return value.__name__ if callable(value) else value


def program(binding, value, read):
    body = f"{BINDINGS[binding].replace('VALUE', VALUES[value])}\n    {READS[read]}\n    return 1"
    text = f"{HEAD}\ndef f(x):\n    {body}\n"
    return load(text, f"<unbound {binding} {value} {read}>").f


def differences(programs, convert, may_be_refused=False):
    """The programs whose outcome is another one than that in Python.

    A call before the comparison records the graph: an effect on plain values, outside of staged
    branches and loops, happens then.
    """
    found, refused = [], 0
    for names in programs:
        original, converted = program(*names), convert(program(*names))
        outcome(converted, 2.0)
        for x in (2.0, 1.0, 0.0, 3.0):
            expected, got = outcome(original, x), outcome(converted, x)
            refused += got == "refused"
            if got != expected and not (may_be_refused and got == "refused"):
                found.append((*names, x, expected, got))
    return found, refused


def native(function):
    return rt.function(function, engine="native")


@pytest.mark.parametrize("convert", [autograph.to_graph, rt.function], ids=["plain", "staged"])
def test_each_read_of_an_unbound_variable_raises(convert):
    assert differences(FIRST, convert) == ([], 0)


@pytest.mark.thorough
@pytest.mark.parametrize("convert", [autograph.to_graph, rt.function, native])
@pytest.mark.parametrize("binding", BINDINGS)
def test_each_read_of_each_value_that_each_statement_binds(binding, convert):
    programs = list(itertools.product([binding], VALUES, READS))
    found, refused = differences(programs, convert, may_be_refused=True)
    assert found == []
    assert refused <= 0.111 * 4 * len(programs)  # those of loops: 284 of 2,580; others 5 %


def test_an_unbound_object_of_a_package_raises_as_in_python():
    def f(x):
        if x > 1:
            path = rt.host_call(str, x, like="")
        return path

    staged = rt.function(f)
    assert staged(np.float64(2)) == "2.0"
    with pytest.raises(UnboundLocalError, match="local variable 'path'"):
        staged(np.float64(0))


def test_a_try_in_a_nested_function_that_does_not_read_the_variable_there():
    def f(x):
        if x > 1:
            y = x * 2

        def g():
            try:
                z = float("1")
            except ValueError:
                z = 0.0
            return z + y

        return g()

    assert rt.function(f)(np.float64(2.0)) == f(2.0)
