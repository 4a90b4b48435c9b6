"""Random loops that exceptions, jumps and context managers leave behave as in Python, or are
refused."""

import random

import pytest
import strict_runs
from budget import examples
from random_exits import Writer, arguments

ENGINES = ["native", "numpy"]


def check(seed):
    """Fails if a program differs from Python."""
    source = Writer(random.Random(seed)).module()
    strict_runs.is_refused(source, f"<exits {seed}>", arguments(), ENGINES[seed % 2])


@pytest.mark.parametrize("seed", range(examples(16)))
def test_exits_are_exact_or_refused(seed):
    check(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_more_exits_are_exact_or_refused(first):
    for seed in range(first, first + 50):
        check(seed)


@pytest.mark.parametrize("seed", [1041])  # a context manager that raises another exception
def test_programs_that_once_differed(seed):
    check(seed)
