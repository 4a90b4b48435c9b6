"""Whole programs with functions and objects of SciPy."""

import pytest

pytest.importorskip("scipy")

import scipy_data  # noqa: E402
import scipy_equations  # noqa: E402
from support.every_mode import MODES, check_in_mode  # noqa: E402

PROGRAMS = {**scipy_data.PROGRAMS, **scipy_equations.PROGRAMS}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_each_mode(name, mode):
    check_in_mode(PROGRAMS[name], mode)
