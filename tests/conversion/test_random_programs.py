"""Random programs behave the same after conversion, and after each prefix of its passes.

A failing program is reduced before it is shown; it then becomes a case of its own.  `tools/fuzz.py`
runs the same comparison for a given time.
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
    """A random program; None if Python does not compile it."""
    source = Writer(random.Random(seed), kind).module()
    try:
        compile(source, "<program>", "exec")
    except SyntaxError:
        return None
    return source


def check(source, kind, change=autograph.to_graph):
    """Fails if a program behaves differently after conversion."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if differs(source, kind, change):
            pytest.fail(smallest(source, kind, change))


@pytest.mark.parametrize("kind", KINDS)
@random_seeds(200)
def test_a_converted_random_program_behaves_like_the_original(kind, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = written(seed, kind)
    if source is not None:
        check(source, kind)


@pytest.mark.parametrize("name", [step.name for step in PIPELINE])
def test_each_pass_preserves_the_meaning_of_a_random_program(name):
    blind = (
        source
        for _, source in programs("function", 0)
        if "callers()" not in source.removeprefix(PRELUDE)  # only the last pass handles frames
    )
    for source in itertools.islice(blind, examples(25)):
        check(source, "function", lambda f: prefix(f, name))


@pytest.mark.parametrize("kind", KINDS)
def test_a_random_program_converted_under_a_debugger_behaves_like_the_original(kind):
    def under_a_debugger(fn):
        before = sys.gettrace()
        sys.settrace(lambda *event: None)
        try:
            return autograph.to_graph(fn)
        finally:
            sys.settrace(before)

    for _, source in itertools.islice(programs(kind, 1000), examples(20)):
        check(source, kind, under_a_debugger)
