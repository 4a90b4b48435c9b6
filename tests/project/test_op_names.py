"""Properties of ops are in their records: no other module collects names of ops.

A collection of three or more names of ops, outside of `runtime/ops`, is either a property that
belongs into the records (`ir/traits.py`), or a table with a function for each op.  The latter says
so in a comment that begins with `op names:`, on its line or the line before.
"""

import ast
from pathlib import Path

import pytest

import runtime  # noqa: F401  (fills the registry)
from runtime.ir import op as ops

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    path
    for path in (ROOT / "runtime").rglob("*.py")
    if not path.is_relative_to(ROOT / "runtime" / "ops")
)
NAMES = ops.names()
FEWEST = 3


def strings(node: ast.AST) -> list[str]:
    """The strings in a collection: elements, keys, alternatives or words."""
    match node:
        case ast.Set(elts=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            pass
        case ast.Dict(keys=parts):
            pass
        case ast.MatchOr(patterns=patterns):
            parts = [pattern.value for pattern in patterns if isinstance(pattern, ast.MatchValue)]
        case ast.Constant(value=str(text)) if text == " ".join(text.split()):
            return text.split()
        case _:
            return []
    return [
        part.value
        for part in parts
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def collections(source: str) -> list[tuple[int, list[str]]]:
    """The lines of collections of ops' names without a comment, and the names."""
    tree, lines = ast.parse(source), source.splitlines()
    explained: set[ast.AST] = set()
    found = []
    for node in ast.walk(tree):
        words = strings(node)
        named = [word for word in words if word in NAMES]
        if len(named) < FEWEST or len(named) < len(words) / 2:
            continue
        around = lines[max(0, node.lineno - 2) : node.lineno]
        if any("# op names:" in line for line in around):
            explained.update(ast.walk(node))
        elif node not in explained:
            found.append((node.lineno, named))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_of_ops_are_not_collected_without_a_reason(path):
    assert not collections(path.read_text())


@pytest.mark.parametrize(
    "source",
    [
        'FAST = {"add", "subtract", "multiply"}',
        'FAST = "add subtract multiply divide".split()',
        'COST = {"add": 1, "sin": 8, "cos": 8, "unknown": 3}',
        'match name:\n    case "add" | "sin" | "cos":\n        pass',
    ],
)
def test_a_collection_of_names_is_found(source):
    assert collections(source)


def test_a_collection_with_a_reason_is_accepted():
    assert not collections('# op names: a rule for each\nRULES = {"add": 1, "sin": 2, "cos": 3}')
    assert not collections('AXES = ("x", "y", "z")')
