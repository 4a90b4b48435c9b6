"""Random functions of dicts and sets with staged keys are exact, or refused."""

import random

import exact_outcomes
import pytest
from budget import examples
from loading import load
from random_keys import Writer, arguments

EXAMPLES = examples(60)
MOST_REFUSED = 0.1
ENGINES = ["native", "numpy"]


def is_refused(seed):
    """Whether a program is refused; fails if it differs."""
    source = Writer(random.Random(seed)).module()
    function = load(source, f"<keys {seed}>").f
    return exact_outcomes.is_refused(
        function, arguments(), ENGINES[seed % 2], f"seed {seed}\n{source}"
    )


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
