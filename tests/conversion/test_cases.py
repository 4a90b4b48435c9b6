"""Golden cases: the output of the tools for small programs in `cases/` (see `golden.py`)."""

import numpy as np
import pytest
from golden import CASES, Case

import autograph
import runtime as rt
from runtime.passes import PIPELINE

ALL = sorted(CASES.rglob("*.py"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_the_output_for_a_case_is_the_expected_output_in_its_file(path, bless):
    case = Case.read(path)
    made = case.made()
    if bless:
        case.sections = made
        case.write()
    for name in made:
        assert made[name] == case.sections.get(name), name


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_case_returns_the_same_result_in_every_form(path):
    module = Case.read(path).load()
    for given in getattr(module, "INPUTS", ()):
        result = _outcome(autograph.to_graph(module.f), given)
        np.testing.assert_equal(result, _outcome(module.f, given))
    for given in [] if _fails(module) else getattr(module, "STAGED", ()):
        _assert_equal(_outcome(rt.function(module.f), given), _outcome(module.f, given))


@pytest.mark.parametrize("name", [step.name for step in PIPELINE])
def test_a_case_shows_what_each_pass_over_graphs_changes(name):
    case = Case.read(CASES / "passes" / f"{name}.py")
    shown = case.sections[f"diff {name} alone"].splitlines()
    assert any(line.startswith(("-", "+")) for line in shown), "the pass changes nothing"


def _fails(module):
    return module.__doc__.startswith("An error")


def _outcome(fn, given):
    try:
        return fn(*given)
    except Exception as error:
        return type(error), str(error)


def _assert_equal(result, expected):
    """Compares values up to dtypes that staged branches and loops may widen."""
    if isinstance(expected, tuple):
        assert isinstance(result, tuple) and len(result) == len(expected)
        for mine, theirs in zip(result, expected, strict=True):
            _assert_equal(mine, theirs)
    else:
        np.testing.assert_array_equal(result, expected)
