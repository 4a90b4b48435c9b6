"""The attributes that code stores are read from bytecode, which differs between versions of Python."""

import ast
from pathlib import Path

import pytest

from autograph.functions.bytecode import stored_attributes

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("autograph/**/*.py"), *ROOT.glob("runtime/**/*.py")])

PROGRAM = """
def f(x, y, n, items):
    x.size = n
    x.size, y.count = n, x
    x.size += n
    x.inner.size *= n + y.size
    x.inner[0].other = n
    for x.item in items:
        pass
    for one in items:
        del one.size
    one.inner = two = n
    two.size = one.size = n
    with y as x.context:
        g(x).made = n
"""


def from_source(text):
    """The attributes that a text stores, each with the name that holds the object."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            holder = node.value
            name = getattr(holder, "id", getattr(holder, "attr", ""))
            found.add((name, node.attr))
    return found


def test_the_holder_of_each_stored_attribute_is_known():
    assert stored_attributes(compile(PROGRAM, "<program>", "exec")) == from_source(PROGRAM)


@pytest.mark.parametrize("part", range(4))
def test_bytecode_says_what_the_source_says(part):
    for path in FILES[part::4]:
        text = path.read_text()
        found = stored_attributes(compile(text, path.name, "exec"))
        # The names of objects alone: those that `setattr` may store are texts.
        wanted = {pair for pair in from_source(text) if pair[0]}
        assert {pair for pair in found if pair[0]} == wanted, path
