"""Programs that each engine runs with several arguments, among them empty ones and NaN."""

import keyed_elements
import lists_of_two
import ordinary_accounts
import ordinary_everyday
import ordinary_games
import ordinary_kinds
import ordinary_lists
import ordinary_machines
import ordinary_records
import ordinary_science
import ordinary_searches
import ordinary_sets
import ordinary_stars
import ordinary_structures
import ordinary_texts
import pytest
import starred_calls
import values_of_kinds
from support.engine_runs import check_with_engine, in_handler

import runtime as rt

PROGRAMS = {
    **keyed_elements.CASES,
    **lists_of_two.CASES,
    **ordinary_accounts.CASES,
    **ordinary_everyday.CASES,
    **ordinary_games.CASES,
    **ordinary_kinds.CASES,
    **ordinary_lists.CASES,
    **ordinary_machines.CASES,
    **ordinary_records.CASES,
    **ordinary_science.CASES,
    **ordinary_searches.CASES,
    **ordinary_sets.CASES,
    **ordinary_stars.CASES,
    **ordinary_structures.CASES,
    **ordinary_texts.CASES,
    **starred_calls.CASES,
    **values_of_kinds.CASES,
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_on_the_numpy_engine(name):
    check_with_engine(PROGRAMS[name], "numpy")


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_machine_code(name):
    check_with_engine(PROGRAMS[name], "native")


@pytest.fixture
def marked():
    """A function that has a mark: calls of others look for theirs then."""

    def log(text):
        return text

    return rt.effect(log)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_a_handler_beside_a_marked_function(name, marked):
    check_with_engine(PROGRAMS[name], "numpy", in_handler)
