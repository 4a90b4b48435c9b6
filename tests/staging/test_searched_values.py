"""Order and searches of tuples and objects, and replaced parts of lists, in every mode."""

import pytest
import replaced_parts
import searched_values
from support.every_mode import check_in_every_mode

PROGRAMS = {**searched_values.PROGRAMS, **replaced_parts.PROGRAMS}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])
