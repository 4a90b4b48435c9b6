"""Random rebindings of tuples, objects and nested containers in loops are exact, or are
refused."""

import random

import pytest
import strict_runs
from budget import examples
from random_rebinding import Writer, arguments

ENGINES = ["native", "numpy"]


def check(seed):
    """Fails if a program differs from Python."""
    source = Writer(random.Random(seed)).module()
    strict_runs.is_refused(source, f"<rebinding {seed}>", arguments(), ENGINES[seed % 2])


@pytest.mark.parametrize("seed", range(examples(16)))
def test_rebindings_are_exact_or_refused(seed):
    check(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_more_rebindings_are_exact_or_refused(first):
    for seed in range(first, first + 50):
        check(seed)
