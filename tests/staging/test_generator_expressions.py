"""Generator expressions whose elements a staged condition decides about."""

import pytest
from generator_expressions import PROGRAMS
from support.every_mode import check_in_every_mode


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])
