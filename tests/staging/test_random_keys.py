"""Random functions of dicts and sets with staged keys are exact, or refused."""

import copy
import random
import warnings
from collections import Counter

import numpy as np
import pytest
from budget import examples
from loading import load
from random_keys import Writer, arguments

import runtime as rt

EXAMPLES = examples(60)
MOST_REFUSED = 0.1
ENGINES = ["native", "numpy"]


def exact(value):
    """A value by which types, bits and orders can be compared."""
    if isinstance(value, dict):
        name = "Counter" if isinstance(value, Counter) else "dict"
        return [name, *([exact(key), exact(item)] for key, item in value.items())]
    if isinstance(value, set):
        return ["set", *sorted(map(exact, value))]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(exact, value)]
    return [str(value.dtype), value.tobytes()] if isinstance(value, np.ndarray) else repr(value)


def outcome(function, given):
    """The result of a call, and its arguments after it; the class of the exception it raises."""
    given = copy.deepcopy(given)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return exact((function(*given), given))
        except rt.StagingError:
            raise
        except Exception as error:
            return type(error).__name__


def is_refused(seed):
    """Whether a program is refused; fails if it differs."""
    source = Writer(random.Random(seed)).module()
    function = load(source, f"<keys {seed}>").f
    traced = rt.function(function, engine=ENGINES[seed % 2])
    for given in arguments():
        expected = outcome(function, given)
        try:
            found = outcome(traced, given)
        except rt.StagingError:
            return True
        assert found == expected, f"seed {seed}, {given}\n{source}"
    return False


def test_random_keys_are_followed_or_refused():
    assert sum(map(is_refused, range(EXAMPLES))) <= EXAMPLES * MOST_REFUSED or EXAMPLES < 10


# `groups[k].append(len(groups[k]))`; `if ...: counts = {}` after a staged key
@pytest.mark.parametrize("seed", [74, 80, 87, 90, 99, 121, 141, 150, 192, 202])
def test_programs_that_were_refused(seed):
    assert not is_refused(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 3000, 100))
def test_more_random_keys_are_followed_or_refused(first):
    assert sum(map(is_refused, range(first, first + 100))) <= 100 * MOST_REFUSED
