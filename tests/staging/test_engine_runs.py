"""Programs that each engine runs with several arguments, among them empty ones and NaN."""

import keyed_elements
import keyed_records
import lists_of_two
import lists_or_none
import merged_or_none
import optional_lists
import ordinary_accounts
import ordinary_bills
import ordinary_classics
import ordinary_everyday
import ordinary_games
import ordinary_kinds
import ordinary_lists
import ordinary_machines
import ordinary_paths
import ordinary_planning
import ordinary_records
import ordinary_science
import ordinary_searches
import ordinary_sets
import ordinary_stars
import ordinary_structures
import ordinary_texts
import ordinary_worlds
import pytest
import recursive_lists
import recursive_results
import rows_outside
import starred_calls
import values_of_kinds
from support.engine_runs import check_with_engine, in_handler

import runtime as rt

COLLECTIONS = (
    keyed_elements,
    keyed_records,
    lists_of_two,
    lists_or_none,
    merged_or_none,
    optional_lists,
    ordinary_accounts,
    ordinary_bills,
    ordinary_classics,
    ordinary_everyday,
    ordinary_games,
    ordinary_kinds,
    ordinary_lists,
    ordinary_machines,
    ordinary_paths,
    ordinary_planning,
    ordinary_records,
    ordinary_science,
    ordinary_searches,
    ordinary_sets,
    ordinary_stars,
    ordinary_structures,
    ordinary_texts,
    ordinary_worlds,
    recursive_lists,
    recursive_results,
    rows_outside,
    starred_calls,
    values_of_kinds,
)
PROGRAMS = {name: case for one in COLLECTIONS for name, case in one.CASES.items()}


def test_each_program_has_a_name_of_its_own():
    assert len(PROGRAMS) == sum(len(one.CASES) for one in COLLECTIONS)


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
