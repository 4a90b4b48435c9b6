"""Every use of a variable that holds values of several kinds is Python's, or is refused.

Each program binds a name in one of several ways, and uses it once.
"""

import itertools

import numpy as np
import pytest
from loading import load

import runtime as rt

VALUES = {
    "text or tuple": ("'big'", "('n', 2)"),
    "int or tuple": ("5", "(1, x)"),
    "text or float": ("'big'", "x"),
    "list or int": ("[1, 2]", "5"),
    "array or tuple": ("np.arange(3.0)", "(1, 2)"),
    "text or list": ("'ab'", "[x]"),
}
BINDINGS = {
    "one of two": "    v = {one} if x > 10 else {other}\n",
    "none at first": """
    v = None
    if x > 10:
        v = {one}
    elif x < 0:
        v = {other}
""",
    "none in a branch": """
    v = {one}
    if x > 10:
        v = None
    elif x < 0:
        v = {other}
""",
    "in a loop": """
    v = None
    for i in range(3):
        if x > 10 * i and i > 0:
            v = {one}
        elif x < -i:
            v = {other}
""",
}
SOURCE = """
import copy
import math
import numpy as np

def told(q):
    return 0 if q is None else 1 if isinstance(q, str) else 2

def looped(q):
    while isinstance(q, str):
        q = 3
    return q

def matched(q):
    match q:
        case None: return 0
        case str(): return 1
        case (a, b): return 2
        case int(): return 3
        case _: return 4

def unpacked(q):
    a, b = q
    return b

def f(x):
{binding}
    return {use}
"""
USES = """
isinstance(v, str); isinstance(v, tuple); isinstance(v, (str, int)); isinstance(v, np.ndarray)
type(v) is str; type(v) == tuple; type(v).__name__; v.__class__ is str; issubclass(type(v), str)
len(v); str(v); repr(v); f'{v}'; '%s' % (v,); format(v); v is None; v is not None; v != None
'b' in v; v in ('big', 5); v in [None]; bool(v); not v; v and 1; v or 2; callable(v)
[c for c in v]; list(v); tuple(v); sorted(v); list(enumerate(v)); list(zip(v, v)); any(v); all(v)
v[0]; v[-1]; v[:1]; v + v; v * 2; -v; abs(v); v < 3; sum(v); max(v); min(v, default=0); round(v)
hasattr(v, 'upper'); getattr(v, 'real', 7); v.upper() if isinstance(v, str) else 0; divmod(v, 2)
np.sum(v); int(v); float(v); math.floor(v); {'big': 1}.get(v, 0); copy.copy(v); copy.deepcopy(v)
told(v); looped(v); matched(v); unpacked(v); (lambda q: q)(v); [v]; (v, 1); {'a': v}
"""
USES = [use.strip() for line in USES.strip().splitlines() for use in line.split(";")]
INPUTS = (11.0, -2.0, 5.0)


def outcome(function, x):
    """The text of the result, or the class of the exception."""
    try:
        return repr(function(np.float64(x)))
    except rt.StagingError:
        return rt.StagingError
    except AttributeError:
        return TypeError  # of a method that is missing: which of the two depends on the kind
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("values", VALUES)
def test_a_use_is_exact_or_refused(values, binding):
    one, other = VALUES[values]
    bound = BINDINGS[binding].format(one=one, other=other).strip("\n")
    refused = 0
    for use, x in itertools.product(USES, INPUTS):
        source = SOURCE.format(binding=bound, use=use)
        function = load(source, f"<{values} {binding} {use}>").f
        found = outcome(rt.function(function), x)
        refused += found is rt.StagingError
        assert found in (rt.StagingError, outcome(function, x)), (use, x)
    if binding == "one of two":
        assert refused < len(USES)  # of three times as many
