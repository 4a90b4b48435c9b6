"""The glossary has each term once, in alphabetical order, and explains all terms that it uses."""

import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text()
TERMS = re.findall(r"^\*\*(.+?)\.\*\*", TEXT, re.MULTILINE)


def entry(word):
    """The term that a word in italics refers to, in the singular and without its ending."""
    return next(
        (term for term in TERMS if word.lower().rstrip("s") == term.lower().rstrip("s")), None
    )


def test_the_terms_are_in_alphabetical_order_and_each_is_there_once():
    assert sorted(set(TERMS), key=str.lower) == TERMS


def test_each_word_in_italics_has_an_entry():
    used = re.findall(r"(?<!\*)\*([A-Za-z][^*]*)\*(?!\*)", TEXT)
    assert len(used) > 40
    assert [word for word in used if entry(word) is None] == ["italics"]
