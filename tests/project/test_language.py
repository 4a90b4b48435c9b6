"""The language check finds struck idioms where people read them, and only there."""

from pathlib import Path

import language
import pytest


def check(tmp_path, source, name="module.py"):
    """The findings and the counted `what`s of a file with this content."""
    path = tmp_path / name
    path.write_text(source)
    found = language.count([path])
    return [(each.line, " ".join(each.found.split())) for each in found.struck], len(found.what)


SENTENCES = {
    "A jump behind the loop.": "behind",
    "It is put in front of the test.": "in front of",
    "Every turn of the loop.": "turn",
    "The operand stands alone.": "stands",
    "Nobody reads it.": "Nobody",
    "It is computed once\nmore.": "once more",
    "A list of Python's.": "of Python's",
    "A function of the user's that is called.": "of the user's",
    "Returns what it is.": "what it is",
    "The gradient by x.": "gradient by",
    "It returns a rt.Variable here.": "a rt.",
    "It is an user that calls.": "an user",
}


@pytest.mark.parametrize("sentence, found", SENTENCES.items())
def test_an_idiom_is_found(tmp_path, sentence, found):
    assert [text for _, text in check(tmp_path, f'"""{sentence}"""\n')[0]] == [found]


@pytest.mark.parametrize(
    "sentence",
    [
        "Turns a list into a tuple.",
        "Each of them in turn.",
        "The zero stands for the last axis.",
        "A line of the user's function.",
        "The name `behind` of a variable.",
        "An example:\n\n    >>> nobody = 1\n",
    ],
)
def test_plain_english_and_code_are_accepted(tmp_path, sentence):
    assert check(tmp_path, f'"""{sentence}"""\n')[0] == []


def test_an_article_before_a_name_that_is_formatted_is_found(tmp_path):
    source = 'raise ValueError(f"the argument is a {kind}, not an {other}")\n'
    assert check(tmp_path, source)[0] == [(1, "a {}"), (1, "an {}")]


def test_docstrings_comments_and_messages_are_read_with_their_lines(tmp_path):
    source = (
        '"""A module."""\n\n'
        "def f(x):\n"
        '    """Adds.\n\n    It is made anew.\n    """\n'
        "    # The place\n    # behind it.\n"
        '    raise ValueError(f"{x} is put in front of it")\n'
        '    return {"nobody": 1}\n'
    )
    assert sorted(check(tmp_path, source)[0]) == [(6, "anew"), (9, "behind"), (10, "in front of")]


def test_in_markdown_blocks_of_code_are_skipped(tmp_path):
    source = "Made anew.\n\n```python\nx = 'made anew by nobody'\n```\n\nBehind.\n"
    assert check(tmp_path, source, "page.md")[0] == [(1, "anew"), (7, "Behind")]


def test_a_relative_what_counts_and_a_question_does_not(tmp_path):
    source = '"""What a call returns, and what is left.\n\nWhat is that?  What remains?"""\n'
    assert check(tmp_path, source) == ([(1, "what is")], 2)


def test_a_sentence_can_be_allowed(tmp_path, monkeypatch):
    monkeypatch.setattr(language, "ALLOWED", ("behind a proxy",))
    source = '"""A server\nbehind a proxy, behind a wall."""\n'
    assert check(tmp_path, source)[0] == [(2, "behind")]


def test_the_command_fails_if_a_file_has_a_finding(tmp_path, capsys):
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text('"""Adds two numbers."""\n')
    bad.write_text('"""Adds two numbers anew."""\n')
    assert language.main([str(good)]) == 0
    assert language.main([str(tmp_path)]) == 1
    assert f"{bad}:1: 'anew' -> again" in capsys.readouterr().out


def test_the_ground_is_there():
    paths = [Path(path) for group, _ in language.GROUND.values() for path in group]
    assert all((language.ROOT / path).exists() for path in paths)
