"""Random loops over numbers whose kinds only the run knows are exact as machine code."""

import random

import exact_outcomes
import pytest
from budget import examples
from loading import load
from random_mixed_scalars import Writer, arguments

ENGINES = ["native", "numpy"]


def check(seed):
    source = Writer(random.Random(seed)).module()
    function = load(source, f"<numbers {seed}>").f
    engine, told = ENGINES[seed % 3 == 0], f"{seed}\n{source}"
    for given in arguments():
        assert not exact_outcomes.is_refused(function, [given] * 2, engine, told), told


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_numbers_are_those_of_python(first):
    for seed in range(first, first + examples(20)):
        check(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_more_random_numbers_are_those_of_python(first):
    for seed in range(first, first + 50):
        check(seed)
