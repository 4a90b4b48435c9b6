"""Order and searches of tuples and objects, in every mode."""

import pytest
import searched_values
from support.every_mode import check_in_every_mode

PROGRAMS = searched_values.PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_search_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])
