"""Calls of pure builtins with plain values happen at once, and mean the same as elsewhere."""

import math
import re
import warnings

import numpy as np
import pytest
from loading import load

import runtime as rt

WORD = re.compile(r"(\w+)\s*=\s*(\d+)")

PROGRAMS = {
    "numbers": lambda x: x * math.gcd(12, 18) + divmod(7, 2)[1] + round(2.567, 1) + abs(-3),
    "texts": lambda x: x + len(" ab ".strip().upper()) + "a,b".split(",").index("b"),
    "patterns": lambda x: x * int(WORD.match("n = 42").group(2)) + WORD.match("n = 42").end(),
    "classes": lambda x: x + (2 if isinstance(3, int) and isinstance("a", str) else 0),
    "staged": lambda x: math.floor(x) + max(3, x) + float(x) + abs(x) + len(str(x)),
    "mixed": lambda x: max(x, 2.0, 1.0) + pow(x, 2) + round(x),
    "of no value": lambda x: x if WORD.match("nothing") is None else -x,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_pure_calls(name):
    function = PROGRAMS[name]
    graph = rt.function(function)
    for x in (1.5, -0.25, 3.0):
        assert repr(graph(x)) == repr(function(x))


def test_in_branches_and_loops():
    def f(x):
        found = 0
        for i in range(3):
            if x > i:
                match = WORD.search(f"a = {i}; b = 7")
                found += int(match.group(2)) * len(match.group(1))
        return x + found

    for x in (np.float64(0.5), np.float64(5.0), np.float64(-1.0)):
        assert rt.function(f)(x) == f(x)


@pytest.mark.parametrize(
    "call", ["int('x')", "chr(-1)", "math.sqrt(-1.0)", "len(3)", "'a'.index('b')"]
)
def test_errors_are_those_of_python(call):
    f = load(f"import math\n\n\ndef f(x):\n    return x + {call}\n", f"<{call}>").f
    with pytest.raises(Exception) as expected:
        f(1.0)
    with pytest.raises(type(expected.value), match=re.escape(str(expected.value))):
        rt.function(f)(1.0)


def test_a_mark_of_the_user_holds():
    rt.effect(math.ulp)
    try:

        def f(x):
            if x > 0:
                math.ulp(1.0)
            return x

        graph = rt.function(f).get_concrete_function(np.float64(1.0)).graph
        assert "math.ulp" in str(graph)
    finally:
        rt.pure(math.ulp)


def test_super_new_is_no_unknown_call():
    class Ratio:
        def __new__(cls, n, d):
            self = super().__new__(cls)
            self.n, self.d = n, d
            return self

    def f(x):
        y = Ratio(x, 2).n
        if x > 0:
            found = Ratio(x * 3, 4)
            y = found.n / found.d
        return y

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph = rt.function(f)
        for x in (1.0, -2.0):
            assert graph(np.float64(x)) == f(x)
