"""The tests are independent of each other: what they share is in `support` and `generators`."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SHARED = ("support", "generators", "programs")
MODULES = sorted(path for path in TESTS.rglob("*.py") if "cases" not in path.parts)


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
