"""Whole programs as people write them, with objects, dicts and lists in staged loops."""

import everyday_accounts
import everyday_numbers
import heaps_of_pairs
import iterated_objects
import keyed_comprehensions
import linked_structures
import pytest
import whole_algorithms
import whole_everyday
import whole_numerics
import whole_searches
import whole_simulations
from support.every_mode import check_in_every_mode

PROGRAMS = {
    **everyday_accounts.PROGRAMS,
    **everyday_numbers.PROGRAMS,
    **heaps_of_pairs.PROGRAMS,
    **iterated_objects.PROGRAMS,
    **keyed_comprehensions.PROGRAMS,
    **linked_structures.PROGRAMS,
    **whole_algorithms.PROGRAMS,
    **whole_everyday.PROGRAMS,
    **whole_numerics.PROGRAMS,
    **whole_searches.PROGRAMS,
    **whole_simulations.PROGRAMS,
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])
