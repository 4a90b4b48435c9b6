"""docs/calls.md: the table of what calls do, name by name."""

import pytest

from runtime.staging.calls.effect_rules import FILE, headings
from tools.calls_page import PAGE, page


def rows(module):
    """The classes of a module by the names in its section of the page."""
    text = page().split(f"\n## `{module}`\n")[1].split("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return {name.strip("`"): kind for kind, names in cells[2:] for name in names.split(", ")}


def test_the_page_is_current():
    assert PAGE.read_text() == page(), "run: python tools/calls_page.py"


def test_each_module_has_one_section():
    modules = headings(FILE.read_text(encoding="utf-8"))
    assert len(set(modules)) == len(modules)
    assert all(page().count(f"\n## `{name}`\n") == 1 for name in modules if name != "*")


@pytest.mark.parametrize(
    "module, name, kind",
    [
        ("builtins", "abs", "pure"),
        ("builtins", "list.append", "mutates (self)"),
        ("os", "remove", "effect"),
        ("os", "getenv", "reads"),
        ("sys", "exit", "noreturn"),
        ("heapq", "heappush", "mutates (heap)"),
    ],
)
def test_a_row_says_what_a_function_does(module, name, kind):
    assert rows(module)[name] == kind
