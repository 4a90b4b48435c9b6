"""The hundred mistakes of a beginner: each is answered with the fault, the user's line, the reason
and a remedy (`support/mistakes.py`; the messages are in `cases/mistakes/`)."""

import re
import sys
import traceback
import types

import pytest
from mistakes import FOLDER, NAME, answered, read, write

import autograph
import runtime as rt

FILES = sorted(FOLDER.glob("*.txt"))
ALL = [mistake for path in FILES for mistake in read(path)]

REPAIRED = [mistake for mistake in ALL if mistake.repaired]

# Words of the library's inside, which no message may use.
INSIDE = re.compile(
    r"ag__|(?<!rt\.)\bTensor\b|_trace|converted_call|runtime/|autograph/|\.py\", line|<graph|"
    r"<generated>|object at 0x|\bRegion\b|EagerGraph|GraphLeaf|\bpytree\b"
)


# From 3.13 on, Python has a column for the entry of a `with`, and takes the iterator of a generator
# expression when it runs, so these messages point to other columns and reasons.
OF_3_13 = {
    "sessions: a graph that is used without as_default",
    "loops: a generator in a staged loop",
}


def test_there_are_more_than_two_hundred_mistakes():
    assert len(ALL) > 200
    assert len({mistake.name for mistake in ALL}) == len(ALL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_messages_are_those_in_the_file(path, bless):
    mistakes = read(path)
    found = [answered(mistake.program)[0] for mistake in mistakes]
    if bless:
        for mistake, says in zip(mistakes, found, strict=True):
            mistake.says = says
        write(path, mistakes)
    for mistake, says in zip(mistakes, found, strict=True):
        if sys.version_info < (3, 13) or mistake.name not in OF_3_13:
            assert says == mistake.says, mistake.name


@pytest.mark.parametrize("mistake", ALL, ids=lambda mistake: mistake.name)
def test_a_message_uses_no_word_of_the_librarys_inside(mistake):
    assert mistake.says, "the mistake is not one: the program just works"
    assert INSIDE.search(mistake.says) is None


@pytest.mark.parametrize("mistake", REPAIRED, ids=lambda mistake: mistake.name)
def test_the_remedy_of_a_message_works(mistake):
    assert answered(mistake.repaired) == ("", None)


def test_every_refusal_of_these_subjects_has_a_program_that_shows_its_remedy():
    subjects = ("input_output", "signatures", "training", "variables")
    refused = [m.name for m in ALL if m.subject in subjects and "[AG" in m.says and not m.repaired]
    assert refused == []


@pytest.mark.parametrize("mistake", ALL, ids=lambda mistake: mistake.name)
def test_an_error_names_a_line_of_the_user(mistake):
    _, error = answered(mistake.program)
    if error is None:
        return
    entries = traceback.extract_tb(error.__traceback__)[1:]
    assert any(entry.filename == NAME for entry in entries)
    if "[AG" in str(error):
        assert (
            f"  {NAME}, line " in str(error)
            or "<string>, line 1" in str(error)
            or ("has no source" in str(error))
        )


# -- without graphs --------------------------------------------------------------------------------

DECORATED = [mistake for mistake in ALL if "rt.function" in mistake.program]
# Answered before any call, or about graphs that the program itself makes.
ABOUT_GRAPHS = {
    *(mistake.name for mistake in ALL if mistake.subject in ("decorators", "signatures")),
    "sessions: an unknown value that is explained",
}


def with_function(wrap):
    """The module `runtime`, whose `function` is `wrap`; options are ignored."""
    module = types.ModuleType("runtime")
    module.__getattr__ = lambda name: getattr(rt, name)
    module.function = lambda fn=None, **options: wrap if fn is None else wrap(fn)
    return module


@pytest.fixture(scope="module")
def in_python():
    """What Python says to each program, in which `rt.function` returns the function itself."""
    plain = with_function(lambda fn: fn)
    return {mistake.name: answered(mistake.program, plain)[0] for mistake in DECORATED}


def test_eager_functions_work_as_in_python_or_raise_its_errors(in_python):
    with rt.config.temporarily(run_functions_eagerly=True):
        found = {mistake.name: answered(mistake.program)[0] for mistake in DECORATED}
    for mistake in DECORATED:
        wanted = in_python[mistake.name]
        if mistake.name in ABOUT_GRAPHS and found[mistake.name] != wanted:
            wanted = mistake.says
        assert found[mistake.name] == wanted, mistake.name


def test_converted_functions_work_as_in_python_or_raise_its_errors(in_python):
    converted = with_function(autograph.to_graph)
    for mistake in DECORATED:
        if mistake.subject != "decorators":
            assert answered(mistake.program, converted)[0] == in_python[mistake.name], mistake.name
