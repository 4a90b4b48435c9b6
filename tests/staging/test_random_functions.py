"""Random programs of closures, helpers, generators, classes and contexts are exact, or refused."""

import random

import exact_outcomes
import pytest
from budget import examples
from loading import load
from random_functions import Writer, arguments

EXAMPLES = examples(40)
MOST_REFUSED = 0.25  # of the programs: contexts around operations that may raise, merged objects
ENGINES = ["native", "numpy"]


def is_refused(seed):
    """Whether a program is refused; fails if it differs."""
    source = Writer(random.Random(seed)).module()
    function = load(source, f"<functions {seed}>").f
    return exact_outcomes.is_refused(
        function, arguments(), ENGINES[seed % 2], f"seed {seed}\n{source}"
    )


def test_random_functions_are_exact_or_refused():
    assert sum(map(is_refused, range(EXAMPLES))) <= EXAMPLES * MOST_REFUSED or EXAMPLES < 20


# Functions of the user that are called after a branch has chosen between some.
@pytest.mark.parametrize("seed", [15, 23, 43, 59, 94])
def test_programs_that_once_failed(seed):
    is_refused(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_more_random_functions_are_exact_or_refused(first):
    assert sum(map(is_refused, range(first, first + 50))) <= 50 * MOST_REFUSED
