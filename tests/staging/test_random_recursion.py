"""Random functions that call themselves in staged blocks are exact, in values and in types."""

import copy
import random
import warnings

import numpy as np
import pytest
from budget import examples
from loading import load
from random_recursion import Writer, arguments

import runtime as rt

EXAMPLES = examples(40)
ENGINES = ["native", "numpy"]


def exact(value):
    """A value by which types and bits can be compared."""
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(exact, value)]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), value.tobytes()]
    return type(value).__name__, repr(value)


def outcome(function, given):
    """The result of a call; the class of the exception if it raises one."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return exact(function(*copy.deepcopy(given)))
        except rt.StagingError:
            raise
        except Exception as error:
            return type(error).__name__


def is_refused(seed):
    """Whether a program is refused; fails if it differs."""
    source = Writer(random.Random(seed)).module()
    function = load(source, f"<recursion {seed}>").f
    traced = rt.function(function, engine=ENGINES[seed % 2])
    for given in arguments():
        expected = outcome(function, given)
        try:
            found = outcome(traced, given)
        except rt.StagingError:
            return True
        assert found == expected, f"seed {seed}, {given}\n{source}"
    return False


def test_random_recursion_is_exact():
    assert sum(map(is_refused, range(EXAMPLES))) <= EXAMPLES * 0.05


# A list among the places; what a call of itself left in it, and its end did not; arguments of
# several types.
@pytest.mark.parametrize("seed", [85, 93, 103, 124, 131, 134, 243, 365, 626])
def test_programs_that_once_differed(seed):
    assert not is_refused(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 3000, 100))
def test_more_random_recursion_is_exact(first):
    assert sum(map(is_refused, range(first, first + 100))) <= 5
