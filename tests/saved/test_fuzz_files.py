"""The search for files that are not refused: faults that are planted are found."""

import fuzz_files
import pytest

import runtime as rt
from runtime.saved import loading

PARTS = fuzz_files.saved_parts(rt)


def changed(name, data):
    return bytes([fuzz_files.PARTS.index(name)]) + data


def test_files_that_load_or_are_refused_are_no_faults():
    for name in fuzz_files.PARTS:
        fuzz_files.check(rt, PARTS, changed(name, PARTS[name]))
        fuzz_files.check(rt, PARTS, changed(name, PARTS[name][:40]))
    fuzz_files.check(rt, PARTS, b"")


@pytest.mark.parametrize("name", fuzz_files.PARTS)
def test_another_exception_is_a_fault(name, monkeypatch):
    def fails(*given, **named):
        raise AttributeError("planted")

    monkeypatch.setattr(loading, "guarded", fails)
    monkeypatch.setattr(rt, "parse", fails)
    with pytest.raises(AttributeError, match="planted"):
        fuzz_files.check(rt, PARTS, changed(name, PARTS[name]))


def test_the_functions_of_the_loader_guide_the_search():
    names = {function.__qualname__ for function in fuzz_files.reading_functions()}
    assert {"ReadProgram.read", "guarded", "TrustedText.graph"} <= names


@pytest.mark.thorough
def test_random_changes_are_loaded_where_atheris_is_missing(capsys):
    assert fuzz_files.unguided(2, 0) == 0
    assert "no fault" in capsys.readouterr().out
