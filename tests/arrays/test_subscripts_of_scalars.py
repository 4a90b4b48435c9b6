"""Subscripts of scalars of NumPy and of Python: results and exceptions."""

import numpy as np
import pytest

import runtime as rt

SCALARS = {
    "element": lambda x: x[0],
    "sum": lambda x: x.sum(),
    "integer": lambda x: np.argmax(x),
    "python": lambda x: float(x[0]),
}
SUBSCRIPTS = {
    "[0]": lambda r: r[0],
    "[::-1]": lambda r: r[::-1],
    "[()]": lambda r: r[()],
    "[...]": lambda r: r[...],
    "[None]": lambda r: r[None],
    "[..., None]": lambda r: r[..., None],
    "[0, 0]": lambda r: r[0, 0],
    "[None, 0]": lambda r: r[None, 0],
    "[True]": lambda r: r[True],
    "[[0]]": lambda r: r[[0]],
    "['a']": lambda r: r["a"],
    "[r]": lambda r: r[r],
}


@pytest.mark.parametrize("scalar", SCALARS)
@pytest.mark.parametrize("subscript", SUBSCRIPTS)
def test_subscripts_of_scalars_are_those_of_python(scalar, subscript):
    make, read = SCALARS[scalar], SUBSCRIPTS[subscript]

    def f(x):
        return read(make(x))

    def seen(function):
        try:
            found = function(np.array([2.0, 1.0]))
        except (IndexError, TypeError) as error:
            return type(error), str(error).splitlines()[0]
        return type(found), repr(found)

    assert seen(rt.function(f)) == seen(f)
