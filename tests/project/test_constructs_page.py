"""docs/constructs.md: the code and the graphs of its programs; and the programs are Python's."""

import contextlib
import copy
import io

import numpy as np
import pytest

import autograph
import runtime as rt
from tools.construct_programs import CONSTRUCTS
from tools.constructs_page import PAGE, page


def test_the_page_is_current():
    assert PAGE.read_text() == page(), "run: python tools/constructs_page.py"


def output(function, given):
    """The result of a call, and its printed text."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        return function(*copy.deepcopy(given)), text.getvalue()


@pytest.mark.parametrize("function", CONSTRUCTS, ids=lambda one: one.__name__)
def test_a_program_means_the_same_in_all_three_forms(function):
    _, _, given = CONSTRUCTS[function]
    expected, printed = output(function, given)
    for form in (autograph.to_graph(function), rt.function(function)):
        result, text = output(form, given)
        np.testing.assert_array_equal(result, expected)
        assert text == printed
