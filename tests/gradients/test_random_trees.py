"""Gradients of random functions of trees are those of difference quotients, or are refused."""

import random

import pytest
import random_trees
import tree_gradients
from budget import examples

ENGINES = ["native", "numpy"]
EXAMPLES, MOST_REFUSED = examples(6), 4


def is_refused(seed):
    """Whether the gradient of a program is refused; fails if it is another one."""
    source = random_trees.Writer(random.Random(seed)).module()
    given = list(random_trees.arguments())[1:3]
    return tree_gradients.is_refused(source, f"<trees {seed}>", given, ENGINES[seed % 2])


def test_gradients_are_exact_and_few_are_refused():
    assert sum(map(is_refused, range(EXAMPLES))) <= MOST_REFUSED


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 1400, 50))
def test_more_gradients_are_exact_or_refused(first):
    for seed in range(first, first + 50):
        is_refused(seed)
