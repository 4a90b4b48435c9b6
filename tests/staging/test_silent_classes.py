"""Programs whose difference from Python nothing would show: exact, or refused with the line."""

import contextlib
import io
import pathlib

import numpy as np
import pytest
from warning_records import recorded_warnings

import runtime as rt
from tests.support.loading import load

IMPORTS = """
import contextlib, functools, pathlib, sys, warnings
import numpy as np

class Left:
    total = 0.0
    def __init__(self, x):
        self.x = x
    def __enter__(self):
        return self
    def __exit__(self, *error):
        print("left", self.x)

class Stores(Left):
    def __exit__(self, *error):
        Left.total = self.x

@contextlib.contextmanager
def entered(x):
    print("in", x)
    try:
        yield 3
    finally:
        print("out", x)
"""


def outcome(function, x):
    text = io.StringIO()
    with contextlib.redirect_stdout(text), recorded_warnings() as found:
        try:
            result = repr(function(np.float64(x)))
        except rt.StagingError:
            raise
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
    kept = [w for w in found if w.category is not rt.TracingWarning]
    return result, text.getvalue(), [str(w.message) for w in kept]


def refusal(body, name):
    """The message with which a program is refused; None if it does in each call as Python does."""
    text = f"{IMPORTS}\n{body}"
    expected, staged = load(text, f"<plain {name}>").f, rt.function(load(text, f"<{name}>").f)
    for x in (0.5, 2.0, 2.0, 0.5):
        wanted = outcome(expected, x)
        try:
            found = outcome(staged, x)
        except rt.StagingError as error:
            return str(error)
        assert found == wanted, (name, x)
    return None


# -- the order of keys -----------------------------------------------------------------------------

ORDERS = {
    "items": ("d = {}", "d['a'] = 1; d['b'] = 2", "d['b'] = 3; d['a'] = 4", "list(d)"),
    "update": ("d = {'z': 0}", "d.update(a=1, b=2)", "d.update(b=3, a=4)", "d"),
    "inner": ("d = [{}]", "d[0]['a'] = 1; d[0]['b'] = 2", "d[0]['b'] = 3; d[0]['a'] = 4", "d"),
    "three": ("d = {}", "d.update(a=1, b=2, c=3)", "d.update(a=1, c=2, b=3)", "str(d)"),
    "attributes": ("d = Left(1)", "d.a = 1; d.b = 2", "d.b = 3; d.a = 4", "list(vars(d))"),
}
BRANCHES = (
    "def f(x):\n    {0}\n    if x > 1:\n        {1}\n    else:\n        {2}\n    return {3}\n"
)


@pytest.mark.parametrize("name", ORDERS)
def test_keys_that_two_branches_insert_in_another_order_are_refused(name):
    assert "the order of" in refusal(BRANCHES.format(*ORDERS[name]), f"order {name}")


def test_keys_that_both_branches_insert_in_one_order_are_joined():
    before, then, _, result = ORDERS["items"]
    assert (
        refusal(BRANCHES.format(before, then, then.replace("1", "5"), result), "one order") is None
    )
    attributes = ("d = Left(1)", "d.a = 1; d.b = 2", "d.b = 3; d.a = 4", "d.a + d.b")
    assert refusal(BRANCHES.format(*attributes), "attributes") is None


# -- warnings --------------------------------------------------------------------------------------

FILTERS = {
    "plain": ("catch_warnings()", "pass", True),
    "ignore": ("catch_warnings()", "warnings.simplefilter('ignore')", True),
    "ignore_category": (
        "catch_warnings()",
        "warnings.filterwarnings('ignore', category=RuntimeWarning)",
        True,
    ),
    "action": ("catch_warnings(action='ignore')", "pass", True),
    "error": ("catch_warnings()", "warnings.simplefilter('error')", False),
    "message": ("catch_warnings()", "warnings.filterwarnings('ignore', 'divide')", False),
    "recorded": ("catch_warnings(record=True)", "pass", False),
    "recorded_always": ("catch_warnings(record=True)", "warnings.simplefilter('always')", False),
}
WARNING = {
    "scalar": "y = np.log(x - x)",
    "array": "y = np.ones(2) / (np.ones(2) * x - x)",
    "branch": "if x > 1:\n            y = np.log(x - x)\n        else:\n            y = -x",
    "loop": "y = x\n        for _ in range(int(x)):\n            y = np.log(y - x)",
}


@pytest.mark.parametrize("filters", FILTERS)
def test_warnings_inside_a_context_are_those_of_python_or_refused(filters):
    context, change, is_exact = FILTERS[filters]
    for name, statement in WARNING.items():
        body = f"    with warnings.{context}:\n        {change}\n        {statement}\n"
        text = f"def f(x):\n{body}    return y, np.log(x - x - 1)\n"
        found = refusal(text, f"{filters} {name}")
        assert found is None if is_exact else "an operation that may warn is inside" in found


def test_integers_do_not_warn():
    text = """
def f(x):
    n = int(x)
    with warnings.catch_warnings(record=True) as found:
        n = n + 3
    return n, found
"""
    assert refusal(text, "integers") is None


# -- contexts that a run leaves by an exception ----------------------------------------------------

INSIDE = {
    "index": "y = [1, 2][int(x)]",
    "raise": "if x > 1:\n            raise KeyError(3)\n        y = x",
    "assert": "assert x < 1\n        y = x",
    "return": "return [1, 2][int(x)]",
}
LEAVING = ("Left(x)", "Stores(x)", "entered(x)")


@pytest.mark.parametrize("context", LEAVING)
def test_effects_of_leaving_a_context_are_refused_where_a_run_may_raise_inside(context):
    for name, statement in INSIDE.items():
        text = f"def f(x):\n    with {context}:\n        {statement}\n    return y\n"
        assert "is left" in refusal(text, f"{context} {name}"), name
    text = f"def f(x):\n    with {context}:\n        y = np.sin(x)\n    return y, Left.total\n"
    assert refusal(text, f"{context} harmless") is None


# -- variables that a run may find unbound ---------------------------------------------------------

BIND = "def f(x):\n    if x > 1:\n        q = x\n"
UNBOUND = {
    "closure": "    def g():\n        try:\n            return q\n        except NameError:\n"
    "            return -1\n    return g()\n",
    "called_inside": "    g = lambda: q\n    try:\n        return g()\n    except NameError:\n"
    "        return -1\n",
    "suppress": "    with contextlib.suppress(NameError):\n        return q\n    return -1.0\n",
    "suppress_more": "    with contextlib.suppress(KeyError, Exception):\n        y = [q]\n"
    "        return y[0]\n    return -1.0\n",
    "delete": "    try:\n        del q\n        return 1\n    except NameError:\n        return 2\n",
    "delete_nonlocal": "    def g():\n        nonlocal q\n        try:\n            del q\n"
    "        except NameError:\n            return 2\n        return 1\n    return g()\n",
}


@pytest.mark.parametrize("name", UNBOUND)
def test_a_read_that_would_see_an_unbound_variable_is_refused(name):
    assert "`q`, which a run may find unbound" in refusal(BIND + UNBOUND[name], f"unbound {name}")


def test_other_handlers_and_closures_are_not_refused():
    text = "    g = lambda: q\n    return g() if x > 1 else -1.0\n"
    assert refusal(BIND + text, "closure outside") is None
    text = "    with contextlib.suppress(KeyError):\n        y = x\n    if x > 1:\n        y = q\n    return y\n"
    assert refusal(BIND + text, "another error") is None


# -- handlers by another name ----------------------------------------------------------------------

NAMES = {"Everything": "Everything", "attribute": "Names.Any", "pair": "(ValueError, Everything)"}


@pytest.mark.parametrize("name", NAMES)
def test_a_handler_for_another_name_of_base_exception_does_not_run_on_a_refusal(name, tmp_path):
    mark = tmp_path / "handled"
    text = f"""
Everything = BaseException

class Names:
    Any = BaseException

def f(x):
    try:
        return frozenset((x, 1))
    except {NAMES[name]}:
        pathlib.Path({str(mark)!r}).touch()
        return -x
"""
    assert "staged value `x`" in refusal(text, f"handler {name}")
    assert not pathlib.Path(mark).exists()


def test_a_context_that_is_none_is_an_error_of_python():
    text = "def f(x):\n    with 3:\n        print(x)\n    return x\n"
    assert refusal(text, "no context") is None
