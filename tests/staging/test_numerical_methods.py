"""Numerical methods as people write them from books: each is Python's, or refused with a line."""

import methods_codes
import methods_equations
import methods_krylov
import methods_learning
import methods_models
import methods_networks
import methods_optimization
import methods_signals
import optional_keys
import pytest
from support.every_mode import check_in_every_mode

PROGRAMS = {
    **methods_codes.PROGRAMS,
    **methods_equations.PROGRAMS,
    **methods_krylov.PROGRAMS,
    **methods_learning.PROGRAMS,
    **methods_models.PROGRAMS,
    **methods_networks.PROGRAMS,
    **methods_optimization.PROGRAMS,
    **methods_signals.PROGRAMS,
    **optional_keys.PROGRAMS,
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])
