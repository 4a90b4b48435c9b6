"""Methods that Python calls itself, and whose result it checks: their effects happen once, where the
program reaches them, and a staged result is taken or refused by name."""

import contextlib
import io

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

MODULE = """
import copy, json, math, operator, os, pickle, re, sys
import numpy as np

class State:
    total = 0

state = State()

class User:
    def __init__(self, value):
        self.value = value
    METHOD

class Other:
    METHOD

u = User(3)
o = Other()

def f(x):
    if x > 1:
        USE
    state.total = x * 2
    if x > 1:
        raise KeyError("limit")
    return x
"""
PRINTS = "print('effect')\n        return "
# The method and its body, and a statement that makes Python call it.
EFFECTS = {
    "str": (f"def __str__(self):\n        {PRINTS}'s'", "str(u)"),
    "printed": (f"def __str__(self):\n        {PRINTS}'s'", "print(u)"),
    "f-string": (f"def __str__(self):\n        {PRINTS}'s'", "f'{u}'"),
    "mapped": (f"def __str__(self):\n        {PRINTS}'s'", "' '.join(map(str, [u]))"),
    "of an exception": (f"def __str__(self):\n        {PRINTS}'s'", "str(ValueError(u))"),
    "format": (f"def __format__(self, s):\n        {PRINTS}'s'", "f'{u}'"),
    "format()": (f"def __format__(self, s):\n        {PRINTS}'s'", "format(u, 'a')"),
    "repr": (f"def __repr__(self):\n        {PRINTS}'s'", "repr(u)"),
    "repr in a list": (f"def __repr__(self):\n        {PRINTS}'s'", "str([u])"),
    "percent": (f"def __repr__(self):\n        {PRINTS}'s'", "'%r' % (u,)"),
    "str.format": (f"def __repr__(self):\n        {PRINTS}'s'", "'{!r}'.format(u)"),
    "bool": (f"def __bool__(self):\n        {PRINTS}True", "bool(u)"),
    "not": (f"def __bool__(self):\n        {PRINTS}True", "not u"),
    "if": (f"def __bool__(self):\n        {PRINTS}True", "print('yes') if u else 0"),
    "len": (f"def __len__(self):\n        {PRINTS}2", "len(u)"),
    "truth by len": (f"def __len__(self):\n        {PRINTS}2", "not u"),
    "eq": (f"def __eq__(self, o):\n        {PRINTS}True", "u == 3"),
    "in": (f"def __eq__(self, o):\n        {PRINTS}True", "u in [1, 2]"),
    "index of": (f"def __eq__(self, o):\n        {PRINTS}True", "[1, u].index(7)"),
    "count": (f"def __eq__(self, o):\n        {PRINTS}True", "[1].count(u)"),
    "hash": (f"def __hash__(self):\n        {PRINTS}1", "hash(u)"),
    "key": (f"def __hash__(self):\n        {PRINTS}1", "{u: 1}"),
    "element": (f"def __hash__(self):\n        {PRINTS}1", "{u}"),
    "index": (f"def __index__(self):\n        {PRINTS}1", "[1, 2][u]"),
    "range": (f"def __index__(self):\n        {PRINTS}1", "range(u)"),
    "float": (f"def __float__(self):\n        {PRINTS}1.0", "float(u)"),
    "int": (f"def __int__(self):\n        {PRINTS}1", "int(u)"),
    "complex": (f"def __complex__(self):\n        {PRINTS}1j", "complex(u)"),
    "iter": (f"def __iter__(self):\n        {PRINTS}iter([1])", "list(u)"),
    "contains": (f"def __contains__(self, v):\n        {PRINTS}True", "1 in u"),
    "less": (f"def __lt__(self, o):\n        {PRINTS}True", "sorted([u, u])"),
    "sum": (f"def __radd__(self, o):\n        {PRINTS}1", "sum([u])"),
    "abs": (f"def __abs__(self):\n        {PRINTS}1", "abs(u)"),
    "new": (
        "def __new__(cls, value=0):\n        print('effect')\n        return object.__new__(cls)",
        "User(4)",
    ),
    "descriptor": (f"def __get__(self, o, kind):\n        {PRINTS}1", "Holder().other"),
    "math": (f"def __float__(self):\n        {PRINTS}1.0", "math.sin(u)"),
    "path": (f"def __fspath__(self):\n        {PRINTS}'/none'", "os.path.join(u, 'a')"),
    "copy": (f"def __copy__(self):\n        {PRINTS}1", "copy.copy(u)"),
}
HOLDER = "\nclass Holder:\n    other = Other()\n"


def program(text, name):
    module = load(text, f"<checked {name}>")
    return module, module.f


def outcomes(name, stage):
    method, use = EFFECTS[name]
    text = MODULE.replace("METHOD", method).replace("USE", use) + HOLDER
    module, f = program(text, name)
    function, found = stage(f), []
    for x in (0.5, 2.0, 3.0):
        output, noted = io.StringIO(), False
        with contextlib.redirect_stdout(output):
            try:
                result = function(np.float64(x))
            except KeyError as error:
                result, noted = str(error), bool(getattr(error, "__notes__", ()))
        found.append((result, output.getvalue(), None if noted else module.state.total))
    return found


@pytest.mark.parametrize("name", EFFECTS)
def test_effects_of_a_method_that_python_calls_happen_as_in_python(name):
    expected, found = outcomes(name, lambda f: f), outcomes(name, rt.function)
    for (result, output, total), got in zip(expected, found, strict=True):
        assert got[:2] == (result, output)
        assert got[2] in (total, None)  # None: a note says that writes may be lost


def test_the_replay_of_a_known_method_writes_what_python_writes():
    for name in ("str", "bool", "hash", "new", "len", "index", "float", "repr in a list"):
        assert outcomes(name, rt.function) == outcomes(name, lambda f: f)


# -- staged results --------------------------------------------------------------------------------

CONVERTING = """
import math, operator, os
import numpy as np

class User:
    def __init__(self, value):
        self.value = value
    def __METHOD__(self, *others, **options):
        return RESULT

class Derived(User):
    pass

def f(x):
    u = User(x)
    return USE
"""
TAKEN = {
    "len": ("len", "int(self.value)", "len(u)"),
    "NumPy's integer as len": ("len", "np.int64(self.value)", "len(u)"),
    "bool": ("bool", "bool(self.value > 1)", "bool(u)"),
    "not": ("bool", "bool(self.value > 1)", "not u"),
    "bool by len": ("len", "int(self.value)", "bool(u)"),
    "int": ("int", "int(self.value)", "int(u)"),
    "int by index": ("index", "int(self.value)", "int(u)"),
    "float": ("float", "float(self.value)", "float(u)"),
    "float by index": ("index", "int(self.value)", "float(u)"),
    "complex": ("complex", "complex(self.value)", "complex(u)"),
    "str": ("str", "f'{self.value}'", "str(u)"),
    "repr": ("repr", "f'{self.value}'", "repr(u)"),
    "format": ("format", "f'{self.value}'", "f'{u}'"),
    "inherited": ("float", "float(self.value)", "float(Derived(u.value))"),
}
REFUSED = {
    "index": ("index", "int(self.value)", "[1, 2, 3][u]"),
    "operator.index": ("index", "int(self.value)", "operator.index(u)"),
    "range": ("index", "int(self.value)", "list(range(u))"),
    "hash": ("hash", "int(self.value)", "hash(u)"),
    "key": ("hash", "int(self.value)", "{u: 1}[u]"),
    "math": ("float", "float(self.value)", "math.sin(u)"),
    "array": ("array", "np.array([self.value])", "np.sum(u)"),
    "path": ("fspath", "f'{self.value}'", "os.fspath(u)"),
    "wrong type": ("float", "self.value", "float(u)"),
}


def converting(method, result, use):
    text = CONVERTING.replace("METHOD", method).replace("RESULT", result).replace("USE", use)
    return program(text, use)[1]


@pytest.mark.parametrize("name", TAKEN)
def test_a_staged_result_is_taken_as_in_python(name):
    f, staged = converting(*TAKEN[name]), rt.function(converting(*TAKEN[name]))
    for x in (2.0, 3.0, 0.0):
        expected, found = f(np.float64(x)), staged(np.float64(x))
        assert (type(found), found) == (type(expected), expected)


def test_a_negative_length_raises_as_in_python():
    staged = rt.function(converting("len", "int(self.value)", "len(u)"))
    assert staged(np.float64(2)) == 2
    with pytest.raises(ValueError, match=r"^__len__\(\) should return >= 0"):
        staged(np.float64(-2))


@pytest.mark.parametrize("name", REFUSED)
def test_another_staged_result_is_refused_by_the_name_of_the_method(name):
    method, _, use = REFUSED[name]
    with pytest.raises(rt.errors.StagingError, match=f"User.__{method}__` returns") as caught:
        rt.function(converting(*REFUSED[name]))(np.float64(2))
    assert f"return {use}" in str(caught.value)
    assert not isinstance(caught.value, KeyError)


def test_no_handler_turns_the_refusal_into_a_result():
    f = load(
        "import numpy as np\nclass User:\n    def __init__(self, v):\n        self.v = v\n"
        "    def __index__(self):\n        return int(self.v)\n"
        "def f(x):\n    try:\n        return [1, 2, 3][User(x)]\n"
        "    except TypeError:\n        return 0\n",
        "<checked handled>",
    ).f
    with pytest.raises(rt.errors.StagingError, match="User.__index__` returns"):
        rt.function(f)(np.float64(1))
