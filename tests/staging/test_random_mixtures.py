"""Random programs that mix features behave in every mode as in Python, or are refused.

Compared are results with their types, output, exceptions, arguments, and objects outside.
"""

import pytest
from budget import examples
from mixture_runs import compare

EXAMPLES = examples(12)


@pytest.mark.parametrize("mode", ["converted", "eager", "traced"])
def test_random_mixtures_run_as_in_python_or_are_refused(mode):
    refused = sum(compare(seed, mode) is not None for seed in range(EXAMPLES))
    assert mode == "traced" or not refused
    assert refused < EXAMPLES or EXAMPLES < 10


@pytest.mark.parametrize("seed", [2100, 2115, 2263, 2291, 10492])
def test_programs_that_once_failed(seed):
    compare(seed, "traced")


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["traced", "native"])
@pytest.mark.parametrize("first", range(10_000, 10_500, 100))
def test_more_random_mixtures_run_as_in_python_or_are_refused(first, mode):
    for seed in range(first, first + 100):
        compare(seed, mode)
