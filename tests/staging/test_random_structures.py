"""Random programs with lists, records and dicts compute what Python computes, or are refused."""

import random

import numpy as np
import pytest
import random_structures
from support.loading import load
from support.outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt

HEADER = "from typing import Any, NamedTuple\n\nclass Row(NamedTuple):\n    a: Any\n    b: Any\n\n"
ARGUMENTS = np.array([3.0, 1.0, 2.0, 5.0]), np.int64(4)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", [3, *range(50, 59)])
def test_a_random_program_is_pythons_or_refused(seed):
    source = HEADER + random_structures.program(random.Random(seed))
    function = load(source, f"random_structures_{seed}.py").program
    with quiet():
        wanted = outcome(function, ARGUMENTS)
        try:
            found = outcome(rt.function(function), ARGUMENTS)
        except rt.StagingError as error:
            assert f"random_structures_{seed}.py" in str(error)
        else:
            check_same(found, wanted, same_exactly)
