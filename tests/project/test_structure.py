"""Rooms keep their size, and tests are independent: what they share is in `support` and others."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SHARED = ("support", "generators", "programs")
ROOT = TESTS.parent
MODULES = sorted(path for path in TESTS.rglob("*.py") if "cases" not in path.parts)
FILES = [
    *MODULES,
    *(path for one in ("autograph", "runtime", "tools") for path in (ROOT / one).rglob("*.py")),
]
LONGEST_FILE, LONGEST_FUNCTION, LONGEST_SAMPLE = 400, 60, 79


def imported(path):
    """The names of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module)):
                yield module


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_module_imports_a_test_module(path):
    assert [name for name in imported(path) if name.startswith("test_")] == []


def test_shared_modules_hold_no_tests():
    shared = [path for path in MODULES if path.parent.name in SHARED]
    assert shared
    assert [path for path in shared if path.stem.startswith("test_")] == []


def test_module_names_are_unique():
    names = [path.stem for path in MODULES]
    assert len(set(names)) == len(names)


def test_a_file_is_short_or_says_at_its_top_why_not():
    long = [path for path in FILES if len(path.read_text().splitlines()) > LONGEST_FILE]
    told = "The file is long because"
    silent = [path for path in long if told not in ast.get_docstring(ast.parse(path.read_text()))]
    assert [str(path.relative_to(ROOT)) for path in silent] == []


def test_a_function_is_not_longer_than_a_screen():
    found = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.end_lineno - node.lineno >= LONGEST_FUNCTION
    ]
    assert found == []


def test_a_sample_is_shorter_than_eighty_lines():
    samples = [*(ROOT / "samples").glob("*.py"), *(ROOT / "samples").glob("scale/*.py")]
    assert len(samples) > 30
    lengths = {path.name: len(path.read_text().splitlines()) for path in samples}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_SAMPLE} == {}
