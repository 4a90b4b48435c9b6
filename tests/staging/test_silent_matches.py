"""Patterns of `match` on staged values: their classes, None, True and False are those of Python."""

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

PRELUDE = """
import numbers
import numpy as np

class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y

def f(x):
    n = int(x)
    y = None
    pair = None
    if x > 1:
        y = x
        pair = (x, 2.0)
    match {subject}:
{cases}
"""

EXACT = {
    "float": ("x", ("float(): return 'float'", "_: return 'other'")),
    "numpy": ("x", ("np.float32(): return 32", "np.float64(): return 64")),
    "abstract": ("x", ("int(): return 1", "numbers.Real(): return 2")),
    "alternatives": ("x", ("str() | bytes(): return 1", "int() | float(): return 2")),
    "bound": ("(x, 1)", ("(float(v), int()): return v", "_: return -1.0")),
    "python_int": ("n", ("bool(): return 'b'", "int(): return 'i'")),
    "python_float": ("float(x)", ("float(v): return v", "_: return -1.0")),
    "array": ("np.array([x])", ("float(): return 1.0", "np.ndarray(shape=(k,)): return k")),
    "list": ("[x]", ("[int()]: return 1.0", "[float(v)]: return v")),
    "mapping": ("{'a': x}", ("{'a': int()}: return 1", "{'a': float() as v} if v > 1: return 2")),
    "attributes": ("Point(x, 1)", ("Point(int(), _): return 0.0", "Point(float(v), int()): return v")),
    "none": ("y", ("None: return -1.0", "float(v): return v")),
    "none_bound": ("y", ("None: return -1.0", "v: return v")),
    "none_part": ("(y, 1)", ("(None, 1): return 0.0", "(v, _): return v")),
    "none_tuple": ("pair", ("(a, b): return a + b", "None: return 0.0")),
    "bool": ("n > 1", ("True: return 't'", "False: return 'f'")),
    "bool_part": ("(n > 1, x)", ("(True, v): return v", "(False, float(v)): return -v")),
    "numpy_bool": ("x > 1", ("True: return 't'", "_: return 'other'")),
}  # fmt: skip

REFUSED = {
    "none_in_list": ("[y]", ("[None]: return 0.0", "[v]: return v")),
    "none_in_object": ("Point(y, 1)", ("Point(x=None): return 0.0", "Point(x=v): return v")),
    "bool_in_dict": ("{'a': n > 1}", ("{'a': True}: return 't'", "_: return 'f'")),
    "two_classes": ("1 if x > 1 else x", ("int(): return 1", "float(): return 2")),
}


def program(subject, cases, name):
    text = PRELUDE.replace("{subject}", subject)
    lines = "\n".join(f"        case {case}" for case in cases)
    return load(text.replace("{cases}", lines), f"<{name}>").f


@pytest.mark.parametrize("name", EXACT)
def test_a_staged_value_matches_the_patterns_that_its_value_matches(name):
    plain, function = (program(*EXACT[name], f"{kind} {name}") for kind in ("plain", "staged"))
    staged = rt.function(function)
    for x in map(np.float64, (0.5, 2.0, 3.0, 0.5)):
        found, expected = staged(x), plain(x)
        assert found == expected and type(found) is type(expected), (name, x)


@pytest.mark.parametrize("name", REFUSED)
def test_patterns_that_only_a_run_decides_are_refused(name):
    with pytest.raises(rt.StagingError, match="`match`"):
        rt.function(program(*REFUSED[name], f"refused {name}"))(np.float64(0.5))
