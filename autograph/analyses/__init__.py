"""Facts about a piece of code: analyses that are asked for, computed once, and kept beside the
tree.

    facts = Facts(function)
    facts[LIVE].after[statement]        names that may still be read once the statement is done
    facts[DEFINED].before[statement]    names that are bound whatever path led to the statement

A fact is a function of a tree and of other facts.  Nodes are never annotated: a pass that rewrites
the tree throws its facts away, and nothing stale can be read from it.
"""

from collections.abc import Callable

import gast


class Facts:
    """The analyses of one function, each run at most once and only when asked for."""

    def __init__(self, tree: gast.AST):
        self.tree = tree
        self._known = {}

    def __getitem__(self, analysis: Callable):
        if analysis not in self._known:
            self._known[analysis] = analysis(self.tree, self)
        return self._known[analysis]
