"""A function that is called with arguments that it does not take raises the error of Python while a
graph is recorded; no message names a function of the library's own.
"""

import heapq
import warnings

import numpy as np
import pytest

import runtime as rt
from autograph.backend import calls
from runtime.staging.calls.registry import CALLS

MANY = (lambda f, x: f(*[x] * 25, nonsense=1), lambda f, x: f(x, nonsense=1), lambda f, x: f())
TEXTS = ("staged_", "Tensor", "_answer", "call_with_arrays")
# Classes and functions written in C, whose parameters nothing tells; and a part of this library.
NOT_TOLD = ("deque", "shuffle", "printed")


def replaced():
    """The functions that the runtime replaces while a graph is recorded, with the replacements."""
    found = {**calls._common, **CALLS._replacements}
    return [
        (function, replacement)
        for function, replacement in found.items()
        if getattr(function, "__name__", "") not in NOT_TOLD
        and not str(getattr(function, "__module__", "")).startswith("test_")  # of other tests
    ]


def outcome(call, function, wrap):
    try:
        return wrap(lambda x: call(function, x))(np.float64(2.0)) is None
    except rt.StagingError as error:
        return error
    except Exception as error:
        return type(error), str(error)


def check(functions):
    for function, replacement in functions:
        for call in MANY:
            wanted = outcome(call, function, lambda f: f)
            found = outcome(call, function, rt.function)
            if isinstance(found, rt.StagingError):
                assert __file__ in str(found)
                own = getattr(replacement, "__name__", "lambda")
                is_own = own != getattr(function, "__name__", "")
                assert not (is_own and f"{own}(" in str(found)), found
                assert not any(text in str(found) for text in TEXTS), found
            elif isinstance(wanted, tuple):
                assert found == wanted, function


@pytest.mark.parametrize("part", range(4))
def test_wrong_arguments_raise_the_error_of_python(part):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(replaced()[part::40])


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(4, 40))
def test_wrong_arguments_of_other_functions_raise_the_error_of_python(part):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(replaced()[part::40])


def test_a_message_shows_no_expression_of_a_library():
    @rt.function
    def merged(x):
        return sum(heapq.merge([x, 1.0], [2.0, x], [x]))

    with pytest.raises(rt.StagingError) as error:
        merged(np.float64(1.0))
    assert "_heapify" not in str(error.value)
    assert "heapq.merge([x, 1.0], [2.0, x], [x])" in str(error.value)
