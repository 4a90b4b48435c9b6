"""Outcomes of calls by which values, types, bits and orders can be compared."""

import copy
import warnings
from collections import Counter

import numpy as np

import runtime as rt


def exact(value):
    """A value in a form whose equality means that nothing differs."""
    if isinstance(value, dict):
        name = "Counter" if isinstance(value, Counter) else "dict"
        return [name, *([exact(key), exact(item)] for key, item in value.items())]
    if isinstance(value, set):
        return ["set", *sorted(map(exact, value))]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(exact, value)]
    return [str(value.dtype), value.tobytes()] if isinstance(value, np.ndarray) else repr(value)


def outcome(function, given):
    """The result of a call, and its arguments after it; the class of the exception it raises.

    Raises `StagingError` for a refusal.
    """
    given = copy.deepcopy(given)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return exact((function(*given), given))
        except rt.StagingError:
            raise
        except Exception as error:
            return type(error).__name__


def is_refused(function, given, engine, told):
    """Whether a function is refused for one of some arguments; fails, with the text `told`, if it
    differs from Python."""
    traced = rt.function(function, engine=engine)
    for arguments in given:
        expected = outcome(function, arguments)
        try:
            found = outcome(traced, arguments)
        except rt.StagingError:
            return True
        assert found == expected, f"{told}\n{arguments}"
    return False
