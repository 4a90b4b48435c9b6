"""Dicts, sets and lists inside of staged dicts and lists, and variables that hold one of several."""

import data_dicts_of_sets
import data_rebound_sets
import data_sets_changed
import lists_named_rows
import pytest
from support.every_mode import check_in_every_mode

PROGRAMS = {
    **data_dicts_of_sets.PROGRAMS,
    **data_sets_changed.PROGRAMS,
    **data_rebound_sets.PROGRAMS,
    **lists_named_rows.PROGRAMS,
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])
