"""The kinds of node and the names that occur in a tree, found in one walk.

    def f(x): return np.sum(y)        kinds: FunctionDef, Return, Call, Attribute, Name
                                      names: f, x, np, y;  bound: f, x;  attributes: sum

A pass that has nothing to do with any kind in a tree does not visit it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import gast

from autograph.syntax.walk import walk


@dataclass(frozen=True, slots=True)
class Survey:
    """The kinds of nodes that occur in a tree.

    `kinds`        types of node
    `names`        identifiers of variables, functions and modules
    `bound`        those that the tree binds
    `attributes`   names of attributes
    """

    kinds: frozenset[type]
    names: frozenset[str]
    bound: frozenset[str]
    attributes: frozenset[str]


def survey(tree: gast.AST) -> Survey:
    """The kinds and names in a tree."""
    kinds: set[type] = set()
    read: set[str] = set()
    bound: set[str] = set()
    attributes: set[str] = set()
    for node in walk(tree):
        kind = node.__class__
        kinds.add(kind)
        if kind is gast.Name:
            (read if node.ctx.__class__ is gast.Load else bound).add(node.id)
        elif kind is gast.Attribute:
            attributes.add(node.attr)
        elif kind in _BINDING:
            bound.update(name for name in _BINDING[kind](node) if name)
    return Survey(
        frozenset(kinds), frozenset(read | bound), frozenset(bound), frozenset(attributes)
    )


_BINDING: dict[type, Callable[[gast.AST], list[str | None]]] = {
    gast.alias: lambda node: [(node.asname or node.name).partition(".")[0]],
    gast.MatchMapping: lambda node: [node.rest],
}
_BINDING |= dict.fromkeys((gast.Global, gast.Nonlocal), lambda node: node.names)
_BINDING |= dict.fromkeys(
    (
        gast.FunctionDef,
        gast.AsyncFunctionDef,
        gast.ClassDef,
        gast.MatchAs,
        gast.MatchStar,
        gast.TypeVar,
        gast.TypeVarTuple,
        gast.ParamSpec,
    ),
    lambda node: [node.name],
)
