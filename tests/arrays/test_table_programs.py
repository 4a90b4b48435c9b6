"""Tables of pandas beside staged arrays: operators, subscripts, functions, changes.

Each program has the values, dtypes and classes of Python, also after a table has changed.
"""

import contextlib
import io
import warnings

import numpy as np
import pytest
from library_programs import same_bits
from loading import load
from table_programs import EXPRESSIONS, FUNCTIONS, IMPORTS

import runtime as rt

pandas = pytest.importorskip(
    "pandas", reason="not installed: pip install autograph-numpy[packages]"
)

SUMS = {
    "returned": "def f(x):\n    return {e}\n",
    "argument": "def f(x, s, b, i, df, idx, h):\n    return {e}\n",
    "branch": "def f(x):\n    if x.sum() > 5.5:\n        y = {e}\n    else:\n        x = x * 2\n"
    "        y = {e}\n    return y\n",
    "loop": "def f(x):\n    y = None\n    for k in range(2):\n        x = x + k\n        y = {e}\n"
    "    return y\n",
    "while": "def f(x):\n    while x.sum() < 9:\n        y = {e}\n        x = x + 1\n    return x\n",
    "nested": "def f(x):\n    def g(x):\n        return {e}\n\n    return g(x)\n",
}
INPUTS = [np.array([1.5, 2.0, 1.0]), np.array([3.0, 1.0, 2.0])]
LINES = EXPRESSIONS.split("\n")[1:-1]
WHOLE = ["def f(x):\n" + one for one in FUNCTIONS.split("\ndef f(x):\n")[1:]]
# Refused where a branch or loop leaves a table that was made while recording.
REFUSED = {"branch": ("s * x.shape[0]",), "while": ("s * x.shape[0]",), "loop": ("s * x.shape[0]",)}


def outcome(function, *args):
    """The result of a call, or the class of its exception, and what it has printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(*args)
        except Exception as error:
            found = type(error)
    return found, printed.getvalue()


def check(source, names=()):
    module = load(IMPORTS + "\n\n" + source, "<programs with tables>")
    staged = rt.function(module.f)
    for turn, x in enumerate(INPUTS + INPUTS[::-1]):
        if turn == 2:
            module.df.iloc[0, 0], module.s.iloc[1] = 9.0, 5.0
            module.b.iloc[0], module.i.iloc[0] = False, 1
        given = [getattr(module, name) for name in names]
        expected, printed = outcome(module.f, x.copy(), *given)
        found, also = outcome(staged, x.copy(), *given)
        assert same_bits(found, expected), (found, expected)
        assert printed == also


@pytest.mark.sampled(3)
@pytest.mark.parametrize("line", LINES)
def test_expressions(line):
    check(SUMS["returned"].replace("{e}", line))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("source", WHOLE)
def test_functions(source):
    check(source)


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["argument", "branch", "loop", "while", "nested"])
@pytest.mark.parametrize("line", LINES)
def test_expressions_in_other_places(line, place):
    if line in REFUSED.get(place, ()):
        pytest.skip("refused: a table is made while the graph is being built")
    names = ("s", "b", "i", "df", "idx", "h") if place == "argument" else ()
    check(SUMS[place].replace("{e}", line), names)


@pytest.mark.parametrize("line", LINES[::25])
def test_expressions_run_eagerly(line):
    rt.config.run_functions_eagerly(True)
    try:
        check(SUMS["returned"].replace("{e}", line))
    finally:
        rt.config.run_functions_eagerly(False)


CHANGED = """
def f(x):
    before = (df["a"] * x).sum()
    df.loc[0, "a"] = x[1]
    return before, (df["a"] * x).sum(), df["a"].sum()
---
def f(x):
    df["w"] = x
    return df["w"].values * 2
---
def f(x):
    t = pd.Series(x)
    u = pd.Series(x)
    t[0] = 100.0
    return t.sum(), u.sum()
---
def f(x):
    t = pd.Series(x)
    before = t.sum()
    t.iloc[0] = 7.0
    return before, t.sum()
---
def f(x):
    d = pd.DataFrame({"a": x})
    total = 0.0
    for k in range(3):
        total = total + d.a.sum()
        d.loc[0, "a"] = x[0] * k
    return total
---
def f(x):
    d = df.copy()
    y = np.dot(d, x[:2])
    d["a"] = 0.0
    return y, np.dot(d, x[:2])
---
def f(x):
    d = df.copy()
    d.insert(0, "w", x)
    return d
---
def f(x):
    t = s.copy()
    t += x
    u = t.copy()
    u *= 2
    return t, u
---
def f(x):
    d = df.copy()
    if x.sum() > 5.5:
        d["a"] = x
    return d["a"].sum()
---
def f(x):
    return df.copy(), x * 2
---
def f(x):
    made = s * 2
    return made, (made + x).values
"""


@pytest.mark.parametrize("source", CHANGED.split("---\n"))
def test_changes_of_tables(source):
    copies = [load(IMPORTS + "\n\n" + source, "<programs with tables>") for _ in range(2)]
    plain, staged = copies[0].f, rt.function(copies[1].f)
    for x in INPUTS + INPUTS[::-1]:
        expected, found = outcome(plain, x.copy())[0], outcome(staged, x.copy())[0]
        assert same_bits(found, expected), (found, expected)
        assert same_bits(copies[1].df, copies[0].df) and same_bits(copies[1].s, copies[0].s)


def test_results_are_new_objects_in_each_call():
    module = load(IMPORTS + "\n\ndef f(x):\n    return s.copy(), x\n", "<programs with tables>")
    staged = rt.function(module.f)
    first, _ = staged(INPUTS[0])
    first[0] = 77.0
    assert staged(INPUTS[0])[0][0] == 1.0
