"""Random loops over subscripts are exact as machine code, which leaves out checks."""

import random

import exact_outcomes
import pytest
from budget import examples
from loading import load
from random_subscripts import Writer, arguments

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")


def check(seed):
    rng = random.Random(seed)
    source = Writer(rng).module()
    function = load(source, f"<subscripts {seed}>").f
    return exact_outcomes.is_refused(function, list(arguments(rng)), "native", f"{seed}\n{source}")


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_subscripts_are_those_of_python(first):
    refused = sum(check(seed) for seed in range(first, first + examples(20)))
    assert refused <= examples(20) // 4


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 3000, 50))
def test_more_random_subscripts_are_those_of_python(first):
    for seed in range(first, first + 50):
        check(seed)
