"""Analyses of a function's syntax tree: computed on first use, and kept beside the tree.

>>> import gast
>>> from autograph.analyses.dataflow import DEFINED, LIVE
>>> source = '''
... def f(x):
...     if x > 0:
...         y = x
...     return y
... '''
>>> function = gast.parse(source).body[0]
>>> branch, result = function.body
>>> facts = Facts(function)
>>> facts[LIVE].after(branch)           # may be read after the statement
{'y'}
>>> facts[DEFINED].before(result)       # bound on every path that leads to the statement
{'x'}

An analysis is a function of a tree and of other facts.  Nodes are never annotated: a pass that
rewrites the tree discards its facts, so no stale fact can be read.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import gast

T = TypeVar("T")


class Facts:
    """The results of analyses of one function; each analysis runs at most once."""

    def __init__(self, tree: gast.AST):
        self.tree = tree
        self._known: dict[Callable[..., Any], Any] = {}

    def __getitem__(self, analysis: Callable[[gast.AST, "Facts"], T]) -> T:
        if analysis not in self._known:
            self._known[analysis] = analysis(self.tree, self)
        found: T = self._known[analysis]
        return found
