"""Bindings are the names that the activity of statements binds and declares, in the same order."""

import inspect
import textwrap

import gast
import pytest

from autograph.analyses import activity, control_flow_graph
from autograph.analyses.activity import FUNCTIONS, bindings
from autograph.constructs import block_functions
from autograph.syntax import quote
from autograph.syntax.walk import walk
from tests.conversion.test_trees import EVERY_STATEMENT

MODULES = (activity, control_flow_graph, block_functions, quote, textwrap, inspect)
WALRUS = """
def f(a):
    if (b := a): c = [d := e for e in a]
    return lambda: (g := 1)
"""


def statements():
    for text in (EVERY_STATEMENT, WALRUS, *map(inspect.getsource, MODULES)):
        for node in walk(gast.parse(text)):
            if isinstance(node, gast.stmt):
                yield node
            if isinstance(node, FUNCTIONS) and isinstance(node.body, list):
                yield node.body


@pytest.mark.parametrize("kind", ["bound", "globals", "nonlocals"])
def test_bindings_are_those_of_the_activity(kind):
    count = 0
    for code in statements():
        parts = [
            node for part in (code if isinstance(code, list) else [code]) for node in walk(part)
        ]
        expected = list(getattr(activity.activity(code), kind))
        assert list(getattr(bindings(code, set(map(type, parts))), kind)) == expected
        count += 1
    assert count > 1000


def test_without_a_walrus_no_operand_is_visited(monkeypatch):
    code = gast.parse("for i in f(x + 1): y = g(lambda: z)\nimport a.b\nclass C: pass").body
    visited = []
    monkeypatch.setattr(activity._Visitor, "visit_Name", lambda self, node: visited.append(node))
    assert list(bindings(code, ()).bound) == ["i", "y", "a", "C"]
    assert not visited
