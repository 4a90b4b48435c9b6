"""Operators of staged scalars with operands that are no numbers have Python's answer for the class
of the scalar: its type, and the text of its exception.
"""

import warnings

import numpy as np
import pytest
from loading import load

import runtime as rt

ARRAY = np.array([2.0, 3.75])
SCALARS = """
int(x[0]); float(x[0]); bool(x[0]); complex(x[0]); x[0]; x[0] > 1; np.int8(x[0]); np.float32(x[0])
np.complex64(x[0]); x; np.array(x[0]); int(x[0]) if c else 2.5; bool(x[0]) if c else np.int8(3)
"""
USES = """
v + [1, 2]; [1, 2] + v; (1, 2) + v; v - [1, 2]; [1, 2] - v; v / (1, 2); v // [1, 2]; v & [1, 2]
v % [3, 4]; v ** [1, 2]; v @ [1, 2]; divmod(v, [1, 2]); v + range(2); range(2) + v; v << [1]
v == [1, 2]; v != (1, 2); [1, 2] == v; (1, 2) != v; v == range(2); v < [1, 2]; (1, 2) >= v
v in [[1, 2], 'a']; v == 'a'; v != 'a'; 'a' == v; v == b'a'; v == None; v != None; None == v
v == {}; v != {1}; v == frozenset(); v == object; v != len; v == math; v == print; v is None
[5, 6, 7][v]; (5, 6, 7)[v]; b'abc'[v]; round(v); round(v, 1); v.conjugate(); np.angle(v)
np.real_if_close(v); v + 'a'; 'a' + v; v + None; {} + v; v < 'a'; v += [1]
"""
SOURCE = """
import math
import numpy as np

def f(x, c):
    v = {scalar}
    {use}
"""


def split(text):
    return [part.strip() for line in text.strip().splitlines() for part in line.split(";")]


def outcome(function, c):
    """The result with its type and dtype, or the exception with its text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(ARRAY.copy(), np.bool_(c))
        except rt.StagingError:
            return rt.StagingError
        except Exception as error:
            return type(error), str(error)
    return type(found), getattr(found, "dtype", None), repr(found)


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("scalar", split(SCALARS))
def test_the_class_of_the_scalar_answers(scalar, engine):
    different = []
    for use in split(USES):
        lines = f"{use}; return v" if use.startswith("v +=") else f"return {use}"
        function = load(SOURCE.format(scalar=scalar, use=lines), f"<{scalar} {use}>").f
        traced = rt.function(function, engine=engine)
        for c in (True, False):
            found = outcome(traced, c)
            if found is rt.StagingError:
                continue
            wanted = outcome(function, c)
            if found != wanted and not is_listed(traced, c):
                different.append((use, c, found, wanted))
    assert not different


def is_listed(traced, c):
    """Whether a graph says that a type is wider than in Python."""
    try:
        return bool(traced.get_concrete_function(ARRAY, np.bool_(c)).widenings)
    except Exception:
        return False


EXACT = [
    "v + [1, 2]", "(1, 2) + v", "divmod(v, [1, 2])", "v == [1, 2]", "(1, 2) != v", "v == 'a'",
    "v != None", "v == object", "[5, 6, 7][v]", "round(v)", "v.conjugate()",
]  # fmt: skip


@pytest.mark.parametrize("scalar", ["int(x[0])", "float(x[0])", "x[0]", "x[0] > 1"])
def test_such_operators_are_not_refused(scalar):
    for use in EXACT:
        function = load(SOURCE.format(scalar=scalar, use=f"return {use}"), f"<{scalar} {use}>").f
        assert outcome(rt.function(function), True) == outcome(function, True), use


def test_the_conjugate_of_a_real_array_is_the_array():
    def f(x):
        y = x.conjugate()
        y[0] = 9.0
        return x, y is x, x.conj() is x

    assert repr(rt.function(f)(ARRAY.copy())) == repr(f(ARRAY.copy()))
