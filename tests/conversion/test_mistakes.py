"""The hundred mistakes of a beginner: each is answered with the fault, the user's line, the reason
and a remedy (`support/mistakes.py`; the messages are in `cases/mistakes/`)."""

import re
import sys
import traceback

import pytest
from mistakes import FOLDER, NAME, answered, read, write

FILES = sorted(FOLDER.glob("*.txt"))
ALL = [mistake for path in FILES for mistake in read(path)]

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
    found = [answered(mistake)[0] for mistake in mistakes]
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


@pytest.mark.parametrize("mistake", ALL, ids=lambda mistake: mistake.name)
def test_an_error_names_a_line_of_the_user(mistake):
    _, error = answered(mistake)
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
