"""Generators that a run may have left are exact, with their clean-up, or are refused."""

import numpy as np
import pytest
from closed_generators import PROGRAMS, closing
from support.every_mode import check_in_every_mode

import runtime as rt


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


LOG: list[str] = []


def refused(a):
    for v in closing(a, LOG):
        if v > 0:
            break
    return bytes([int(v)]), LOG  # which is refused


def test_a_recording_that_is_given_up_closes_its_generators_without_their_clean_up(capsys):
    LOG.clear()
    with pytest.raises(rt.StagingError):
        rt.function(refused)(np.array([1.0, -1.0]))
    assert not LOG and not capsys.readouterr().out
