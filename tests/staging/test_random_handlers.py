"""Random functions with handlers: graphs raise, handle and print exactly as Python does."""

import random

import numpy as np
import pytest
from loading import load
from random_handlers import Writer
from support.outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt

GIVEN = [(2.0, 1.0, 2), (-1.0, 3.0, 1), (0.0, -2.0, 3), (5.0, 5.0, 0)]


def check(seed):
    """Compares the calls of a function as a graph and as it is; returns whether any was left to
    Python."""
    module = load(Writer(random.Random(seed)).module(), f"<handlers {seed}>")
    staged = rt.function(module.f)
    for x, y, n in GIVEN:
        given = (np.float64(x), np.float64(y), np.arange(3.0), np.int64(n))
        with quiet():
            check_same(outcome(staged, given), outcome(module.f, given), same_exactly)
    return any(graph.handled for graph in staged.graphs)


def test_handlers_behave_as_in_python():
    assert sum(map(check, range(10))) > 2


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(100, 500, 40))
def test_more_handlers_behave_as_in_python(first):
    for seed in range(first, first + 40):
        check(seed)
