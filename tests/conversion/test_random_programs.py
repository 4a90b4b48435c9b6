"""Random programs: a converted function cannot be told from the original, nor one converted halfway.

A program that differs is made smaller before it is shown; it then becomes a case of its own.
`tools/fuzz.py` does the same for as long as it is told.
"""

import itertools
import random
import sys
import warnings

import pytest
from budget import examples, random_seeds
from fuzz import differs, programs, smallest
from prefixes import prefix
from random_programs import PRELUDE, Writer

import autograph
from autograph.conversion.passes import PIPELINE

KINDS = ("function", "generator", "async")


def written(seed, kind):
    """A random program, None where it is none by Python's own rules."""
    source = Writer(random.Random(seed), kind).module()
    try:
        compile(source, "<program>", "exec")
    except SyntaxError:
        return None
    return source


def check(source, kind, change=autograph.to_graph):
    """Fails where a program differs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if differs(source, kind, change):
            pytest.fail(smallest(source, kind, change))


@pytest.mark.parametrize("kind", KINDS)
@random_seeds(200)
def test_a_converted_program_does_what_the_original_does(kind, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = written(seed, kind)
    if source is not None:
        check(source, kind)


@pytest.mark.parametrize("name", [step.name for step in PIPELINE])
def test_each_pass_leaves_the_meaning_of_a_program_as_it_was(name):
    blind = (
        source
        for _, source in programs("function", 0)
        if "callers()" not in source.removeprefix(PRELUDE)  # the last pass sees to frames
    )
    for source in itertools.islice(blind, examples(25)):
        check(source, "function", lambda f: prefix(f, name))


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_converted_under_a_debugger_does_what_the_original_does(kind):
    def under_a_debugger(fn):
        before = sys.gettrace()
        sys.settrace(lambda *event: None)
        try:
            return autograph.to_graph(fn)
        finally:
            sys.settrace(before)

    for _, source in itertools.islice(programs(kind, 1000), examples(20)):
        check(source, kind, under_a_debugger)
