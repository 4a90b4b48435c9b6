"""Whole programs as people write them, with objects, dicts and lists in staged loops."""

import everyday_accounts
import everyday_numbers
import exercises_sequences
import exercises_structures
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

COLLECTIONS = (
    everyday_accounts,
    everyday_numbers,
    exercises_sequences,
    exercises_structures,
    heaps_of_pairs,
    iterated_objects,
    keyed_comprehensions,
    linked_structures,
    whole_algorithms,
    whole_everyday,
    whole_numerics,
    whole_searches,
    whole_simulations,
)
PROGRAMS = {
    f"{one.__name__}.{name}": program
    for one in COLLECTIONS
    for name, program in one.PROGRAMS.items()
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])
