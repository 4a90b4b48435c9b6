"""The pipeline that converts the syntax tree of one function."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import gast

from autograph import pipeline
from autograph.analyses.completion import JUMPS
from autograph.constructs.assert_ import Assert
from autograph.constructs.block_functions import Blocks
from autograph.constructs.boolean import Boolean
from autograph.constructs.call import Call
from autograph.constructs.compare import Compare
from autograph.constructs.comprehension import COMPREHENSIONS, Comprehensions, remember
from autograph.constructs.comprehension_scopes import INLINED, ComprehensionScopes
from autograph.constructs.context import FUNCTIONS, Conversion
from autograph.constructs.exchange import Exchange
from autograph.constructs.frame_calls import FrameCalls
from autograph.constructs.fstring import FString
from autograph.constructs.handlers import Handlers
from autograph.constructs.item import Item
from autograph.constructs.jumps import Jumps
from autograph.constructs.list_ import List
from autograph.constructs.match_ import Match
from autograph.constructs.starred import Starred
from autograph.constructs.ternary import Ternary
from autograph.constructs.unconvertible import BRANCHING, find_unconvertible
from autograph.constructs.with_ import With
from autograph.errors import with_article
from autograph.pipeline import Constraint, Pass, ordered
from autograph.syntax.walk import children, walk

# Expressions that evaluate an operand lazily: reads in it may have to be guarded.
LAZY = (gast.BoolOp, gast.IfExp, gast.Compare, gast.Assert)

PASSES = (
    Pass(
        "match",
        Match.rewrite,
        meets=(gast.Match,),
        makes=(gast.If, gast.Compare, gast.Return, gast.UnaryOp, gast.Call),
    ),
    Pass("unconvertible", find_unconvertible),
    Pass("originals", remember, meets=COMPREHENSIONS),
    Pass("comprehension", ComprehensionScopes.rewrite, meets=INLINED),
    Pass(
        "jumps",
        Jumps.rewrite,
        removes=(gast.Continue,),
        meets=(*JUMPS, gast.For, gast.AsyncFor, gast.While),  # whose `else` follows the loop
        makes=(gast.If, gast.Break, gast.BoolOp, gast.UnaryOp),
    ),
    Pass(
        "blocks",
        Blocks.rewrite,
        removes=(gast.If, gast.While, gast.For, gast.Break),
        meets=(*BRANCHING, *LAZY),
        makes=(gast.Call, gast.UnaryOp),
    ),
    Pass("assert", Assert.rewrite, meets=Assert.rewrites, makes=(gast.Call,)),
    Pass("collection", Comprehensions.rewrite, meets=Comprehensions.rewrites, makes=(gast.Call,)),
    Pass("starred", Starred.rewrite, meets=Starred.rewrites, makes=(gast.Call,)),
    Pass("exchange", Exchange.rewrite, meets=Exchange.rewrites, makes=(gast.Call,)),
    Pass("list", List.rewrite, meets=List.rewrites, makes=(gast.Call,)),
    Pass("item", Item.rewrite, meets=Item.rewrites),
    Pass("with", With.rewrite, meets=With.rewrites),
    Pass("handlers", Handlers.rewrite, meets=Handlers.rewrites),
    Pass("compare", Compare.rewrite, meets=Compare.rewrites),
    Pass("boolean", Boolean.rewrite, removes=(gast.BoolOp,), meets=Boolean.rewrites),
    Pass("ternary", Ternary.rewrite, removes=(gast.IfExp,), meets=Ternary.rewrites),
    Pass("text", FString.rewrite, meets=FString.rewrites),
    Pass("call", Call.rewrite, meets=Call.rewrites),
    Pass("frames", FrameCalls.rewrite, meets=Call.rewrites),
)
EXPRESSIONS = (
    "collection",
    "starred",
    "exchange",
    "list",
    "item",
    "with",
    "compare",
    "boolean",
    "ternary",
    "text",
    "call",
)

ORDER = (
    Constraint(
        "match", "unconvertible", "the branches that a `match` becomes may have to stay Python"
    ),
    Constraint("match", "jumps", "the bodies of cases contain jumps"),
    Constraint("match", "blocks", "a `match` becomes branches"),
    Constraint("unconvertible", "comprehension", "the pass leaves code that stays Python alone"),
    Constraint("unconvertible", "jumps", "jumps in code that stays Python stay jumps"),
    Constraint(
        "unconvertible", "blocks", "statements that stay Python are not moved into functions"
    ),
    Constraint("originals", "comprehension", "the original has the user's own variable names"),
    Constraint("comprehension", "blocks", "an outer variable may share a comprehension's name"),
    Constraint("jumps", "blocks", "no jump can leave a block that becomes a function"),
    Constraint("jumps", "boolean", "the conditions of flags are conjunctions and negations"),
    Constraint("blocks", "assert", "its analyses read the statements as the user wrote them"),
    *(
        Constraint("blocks", name, "its analyses read the expressions as the user wrote them")
        for name in EXPRESSIONS
    ),
    *(
        Constraint("assert", name, "the message is copied, so it must be the user's own")
        for name in EXPRESSIONS
    ),
    Constraint("unconvertible", "frames", "the pass rewrites functions that stay Python"),
    Constraint("collection", "list", "the lists that a comprehension wraps are left alone"),
    Constraint("starred", "list", "a list with a star is made by a call"),
    Constraint("exchange", "item", "both sides name items in the same words"),
    Constraint("blocks", "handlers", "its analyses read the handlers as the user wrote them"),
    Constraint("compare", "boolean", "a chain of comparisons becomes a conjunction"),
    *(
        Constraint(name, "call", "the calls of operators that other passes generate are left alone")
        for name in EXPRESSIONS[:-1]
    ),
)

PIPELINE = ordered(PASSES, ORDER)


def converted_tree(tree: gast.AST, conversion: Conversion, passes=PIPELINE, after=None) -> gast.AST:
    """Sends the tree of a function or lambda through the pipeline; it is changed in place."""
    with deep_recursion():
        kinds = conversion.survey.kinds
        return pipeline.run(passes, tree, conversion, after, remainder=_remainder, kinds=kinds)


def _remainder(tree, conversion, removed):
    """Describes a node of a type that the passes remove; None if there is none.

    Code that stays Python does not count, nor code that is evaluated elsewhere (the defaults of the
    function that is converted) or never (annotations).
    """
    if removed.isdisjoint([node.__class__ for node in walk(tree)]):
        return None
    unconverted = conversion.unconverted
    pending = [tree.body] if isinstance(tree, gast.Lambda) and tree not in unconverted else [tree]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind in removed and node not in unconverted:
            return f"{with_article(kind.__name__)} in line {node.lineno} is left"
        if kind in FUNCTIONS:
            pending += [] if node in unconverted else node.body
        elif kind is gast.ClassDef:
            pending += [part for part in walk(node) if isinstance(part, FUNCTIONS)]
        elif kind is gast.AnnAssign:
            pending += [node.target] + ([] if node.value is None else [node.value])
        elif kind is not gast.TypeAlias and (kind is not gast.Lambda or node not in unconverted):
            pending += children(node)
    return None


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Lets the conversion recurse into code that nests deeper than Python's default limit allows.

    A chain of a thousand `elif`s is a thousand levels of tree.  CPython runs Python-to-Python calls
    without using the C stack, so the limit can be raised for as long as the conversion runs.
    """
    limit = sys.getrecursionlimit()
    with _lock:
        try:
            sys.setrecursionlimit(max(limit, 100_000))
            yield
        finally:
            sys.setrecursionlimit(limit)


_lock = threading.RLock()
