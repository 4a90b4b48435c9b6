"""Random functions that call themselves in staged blocks are exact, in values and in types."""

import random

import exact_outcomes
import pytest
from budget import examples
from loading import load
from random_recursion import Writer, arguments

EXAMPLES = examples(40)
ENGINES = ["native", "numpy"]


def is_refused(seed):
    """Whether a program is refused; fails if it differs."""
    source = Writer(random.Random(seed)).module()
    function = load(source, f"<recursion {seed}>").f
    return exact_outcomes.is_refused(
        function, arguments(), ENGINES[seed % 2], f"seed {seed}\n{source}"
    )


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
