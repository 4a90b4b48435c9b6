"""Programs on plain values run alike while a graph is recorded.

Objects live until the recording ends, so programs that print when an object is freed are left out.
"""

import itertools
import random
import warnings

import language_binding  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_classes  # noqa: F401
import language_comprehensions  # noqa: F401
import language_lists  # noqa: F401
import language_match  # noqa: F401
import language_none  # noqa: F401
import language_text  # noqa: F401
import numpy as np
import pytest
import random_comprehensions
from budget import examples, random_seeds
from fuzz import differs, programs, smallest
from loading import load
from outcomes import check_same, outcome, quiet, same_exactly
from plain_comprehensions import PLAIN
from plain_programs import PROGRAMS as ORDINARY
from programs import PROGRAMS
from random_programs import PRELUDE
from while_recording import outcome_while_recording, while_recording

import autograph
import runtime as rt


@pytest.mark.parametrize("name", PLAIN)
def test_a_comprehension_of_plain_values_is_pythons_while_a_graph_is_recorded(name):
    wanted = outcome(PLAIN[name], ())
    check_same(outcome_while_recording(PLAIN[name], ()), wanted, same_exactly)


@pytest.mark.parametrize("name", PLAIN)
def test_a_converted_comprehension_of_plain_values_is_pythons(name):
    wanted = outcome(PLAIN[name], ())
    check_same(outcome(autograph.to_graph(PLAIN[name]), ()), wanted, same_exactly)


# -- the collections of programs, and random ones --------------------------------------------------


def is_plain(value):
    """Whether a value has no part that NumPy made: it is staged when a recorded function reads it."""
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return not isinstance(value, (np.generic, np.ndarray)) and is_plain_object(value)


def is_plain_object(value):
    return (
        not hasattr(value, "__dict__")
        or callable(value)
        or all(map(is_plain, vars(value).values()))
    )


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_program_is_pythons_while_a_graph_is_recorded(name):
    with quiet():
        wanted = outcome(ORDINARY[name], ())
        got = outcome_while_recording(ORDINARY[name], ())
    check_same(got, wanted, same_exactly)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_plain_values_is_pythons_while_a_graph_is_recorded(name):
    function = PROGRAMS[name].function
    for arguments in filter(is_plain, PROGRAMS[name].inputs):
        with quiet():
            wanted = outcome(function, arguments)
            got = outcome_while_recording(function, arguments)
        check_same(got, wanted, same_exactly)


UNLIKE = ("callers()", "Tell(")  # looks at frames; prints when it is freed


def test_a_random_program_of_plain_values_is_pythons_while_a_graph_is_recorded():
    sources = (
        source
        for _, source in programs("function", 0)
        if not any(word in source.removeprefix(PRELUDE) for word in UNLIKE)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source in itertools.islice(sources, examples(60)):
            if differs(source, "function", while_recording):
                pytest.fail(smallest(source, "function", while_recording))


def said_and_returned(function, x, y):
    """What a random function notes, and its result or error."""
    said = []

    def say(value):
        said.append(repr(value))
        return value

    try:
        return said, repr(function(x, y, say))
    except Exception as error:
        return said, type(error), str(error)


@random_seeds(60)
def test_a_random_comprehension_of_plain_values_is_pythons_while_a_graph_is_recorded(seed):
    source = random_comprehensions.function(random.Random(seed))
    try:
        compile(source, "<program>", "exec")
    except SyntaxError:
        return
    function = load(source, f"<comprehensions {seed}>").f
    for arguments in ((2, 3), (0, -1)):
        with quiet():
            wanted = said_and_returned(function, *arguments)
            found = said_and_returned(while_recording(function), *arguments)
        assert found == wanted, source


# -- a staged value is met after plain ones --------------------------------------------------------


def said(value, seen):
    """The value; `seen` counts it."""
    seen["values"] += 1
    return value


def total(x, seen):
    return sum(said(v, seen) for v in [1.0, 2.0, x, -3.0] if v > 0), seen["values"]


def greatest(x, seen):
    return max((v * said(w, seen) for v in [1.0, x] if v != 2 for w in [2, 3]), key=abs), seen[
        "values"
    ]


def listed(x, seen):
    return list((v, said(w, seen)) for w in [1, 2] for v in [w, x] if v < 2.5), seen["values"]


def found(x, seen):
    return any(said(v, seen) > 1 for v in [0.5, x, 3.0]), all(v for v in [1, x, said(0, seen)])


def stopped(x, seen):
    return any(said(v, seen) > 1 for v in [0.5, 2.0, x]), seen["values"]


def closures(x, seen):
    fs = list((lambda: v) for v in [1.0, 2.0, x, 4.0])
    return [f() for f in fs], sum((lambda: v)() for v in [1.0, x] if v > said(0, seen))


def walrus(x, seen):
    return sum((last := v) for v in [1.0, x, 5.0] if v > 0), last


MIXED = [total, greatest, listed, found, stopped, closures, walrus]


@pytest.mark.parametrize("value", [-1.5, 0.0, 2.25, 7.0])
@pytest.mark.parametrize("function", MIXED, ids=lambda function: function.__name__)
def test_a_generator_expression_is_taken_one_by_one_until_a_staged_value_decides(function, value):
    wanted = function(value, {"values": 0})
    staged = rt.function(lambda x: function(x, {"values": 0}))
    assert staged(np.float64(value)) == wanted
