"""Deques of chosen elements, texts of views, ints in other bases, iterators that lists take."""

import numpy as np
import pytest
from consumers_everyday import PROGRAMS
from support.every_mode import MODES, check_in_mode
from support.outcomes import check_same, outcome, same_exactly

import runtime as rt


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, mode):
    check_in_mode(PROGRAMS[name], mode)


def test_remainders_of_powers_are_pythons():
    def remainder(a, n, m):
        return pow(int(a), int(n), int(m))

    staged = rt.function(remainder)
    for a in (0, 1, 3, -4, 6):
        for n in (-3, -1, 0, 1, 2, 7):
            for m in (-7, -1, 0, 1, 4, 9):
                given = np.int64(a), np.int64(n), np.int64(m)
                check_same(outcome(staged, given), outcome(remainder, given), same_exactly)
