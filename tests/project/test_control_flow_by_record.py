"""Walks over graphs ask the record of an op how control passes through its regions."""

import ast
from pathlib import Path

import pytest

import runtime.ops  # noqa: F401  fills the registry
from runtime.ir.op import records

ROOT = Path(__file__).parents[2] / "runtime"
NAMES = {op.name for op in records() if op.control_flow is not None}

# The ops themselves, and the engines, which lower each op by a function of its own.
LOWERINGS = ("ops", "engines")
# Names in collections that are compared with, and why the record does not answer the question.
EXCEPTIONS = {
    ("transforms/vmap/nested.py", "mapped"): "transformations write its nodes out themselves",
    ("saved/checkpoint.py", "checkpoint"): "the kind of a file, not the op",
}


def modules():
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT)
        if name.parts[0] not in LOWERINGS:
            yield pytest.param(path, id=str(name))


def compared_names(tree):
    """The names of control-flow ops in comparisons, patterns, sets and dicts of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.MatchValue | ast.Set | ast.Dict):
            for inner in ast.iter_child_nodes(node):
                found = {inner} if not isinstance(inner, ast.Tuple | ast.List) else inner.elts
                yield from (
                    one.value
                    for one in found
                    if isinstance(one, ast.Constant) and one.value in NAMES
                )


@pytest.mark.parametrize("path", list(modules()))
def test_no_walk_compares_names_of_control_flow_ops(path):
    name = path.relative_to(ROOT).as_posix()
    found = set(compared_names(ast.parse(path.read_text())))
    assert found <= {op for where, op in EXCEPTIONS if where == name}


def test_comparisons_are_found():
    code = """
if node.op.name == "cond": pass
if node.op.name in ("loop", "size"): pass
match node.op.name:
    case "recursive": pass
SET = {"checkpoint"}
find("mapped")
"""
    assert set(compared_names(ast.parse(code))) == {"cond", "loop", "recursive", "checkpoint"}
