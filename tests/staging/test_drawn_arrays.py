"""A function that draws arrays from its own generator may write staged values into them."""

import pytest
from drawn_arrays import PROGRAMS
from support.every_mode import MODES, check_in_mode


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, mode):
    check_in_mode(PROGRAMS[name], mode)
