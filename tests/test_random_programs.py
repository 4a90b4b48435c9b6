"""Random programs: a converted function cannot be told from the original, nor one converted halfway."""

import random
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prefixes import prefix
from random_programs import Writer, load, outcome

import autograph
from autograph.converter import PIPELINE

KINDS = ("function", "generator", "async")
INPUTS = (0, 1, 3)


def written(seed, kind):
    """A random program, None where it is none by Python's own rules."""
    source = Writer(random.Random(seed), kind).module()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "<program>", "exec")
        except SyntaxError:
            return None
    return source


def outcomes(source, kind, change):
    """What the program does on each input, with `f` replaced by `change(f)`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = load(source, f"<program {hash(source)}>")
        fn = change(module.f)
        return [outcome(module, fn, kind, x) for x in INPUTS]


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 2**32))
def test_a_converted_program_does_what_the_original_does(kind, seed):
    source = written(seed, kind)
    if source is not None:
        expected = outcomes(source, kind, lambda f: f)
        assert outcomes(source, kind, autograph.to_graph) == expected, source


@pytest.mark.parametrize("seed", range(40))
def test_each_pass_leaves_the_meaning_of_a_program_as_it_was(seed):
    source = written(seed, "function")
    if source is None:
        return
    expected = outcomes(source, "function", lambda f: f)
    for step in PIPELINE:
        found = outcomes(source, "function", lambda f: prefix(f, step.name))
        assert found == expected, f"after {step.name}:\n{source}"
