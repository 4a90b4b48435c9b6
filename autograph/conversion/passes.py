"""The pipeline that converts the syntax tree of one function."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import gast

from autograph import pipeline
from autograph.constructs.assert_ import Assert
from autograph.constructs.block_functions import Blocks
from autograph.constructs.boolean import Boolean
from autograph.constructs.call import Call
from autograph.constructs.compare import Compare
from autograph.constructs.comprehension import Collection, remember
from autograph.constructs.comprehension_scopes import Comprehension
from autograph.constructs.context import FUNCTIONS, Conversion
from autograph.constructs.fstring import Text
from autograph.constructs.item import Item
from autograph.constructs.jumps import Jumps
from autograph.constructs.list_ import List
from autograph.constructs.match_ import Match
from autograph.constructs.ternary import Ternary
from autograph.constructs.unconvertible import fence
from autograph.pipeline import Pass
from autograph.syntax.walk import children, walk

PIPELINE = (
    Pass("match", Match.rewrite, "what it becomes has branches, which the others look at"),
    Pass("fence", fence, "the others ask it what stays Python"),
    Pass("originals", remember, "what a graph makes of a comprehension is made of its own text"),
    Pass(
        "comprehension",
        Comprehension.rewrite,
        "before the code around a comprehension becomes a function of its own",
    ),
    Pass(
        "jumps",
        Jumps.rewrite,
        "a block that becomes a function cannot be jumped out of",
        removes=(gast.Continue,),
    ),
    Pass(
        "blocks",
        Blocks.rewrite,
        "sees the user's own expressions, so that what is live and what is bound can be told",
        removes=(gast.If, gast.While, gast.For, gast.Break),
    ),
    Pass("assert", Assert.rewrite, "copies a message, so before anything in it is rewritten"),
    Pass("collection", Collection.rewrite, "before the lists, which leave wrapped ones alone"),
    Pass("list", List.rewrite, "any place among the expressions"),
    Pass("item", Item.rewrite, "any place among the expressions"),
    Pass("compare", Compare.rewrite, "chains become conjunctions of their own"),
    Pass(
        "boolean",
        Boolean.rewrite,
        "also the conditions that jumps has written",
        removes=(gast.BoolOp,),
    ),
    Pass("ternary", Ternary.rewrite, "any place among the expressions", removes=(gast.IfExp,)),
    Pass("text", Text.rewrite, "any place among the expressions"),
    Pass("call", Call.rewrite, "last: it tells the user's calls from generated ones"),
)


def converted_tree(tree: gast.AST, conversion: Conversion, passes=PIPELINE, after=None) -> gast.AST:
    """Sends the tree of a function or lambda through the pipeline; it is changed in place."""
    with deep_recursion():
        tree = pipeline.run(passes, tree, conversion, after)
        fault = _left_behind(tree, conversion, {kind for step in passes for kind in step.removes})
        if fault is not None:
            raise pipeline.BrokenContract(fault)
        return tree


def _left_behind(tree, conversion, removed):
    """A node of a type that the passes remove, or None.

    What stays Python does not count, nor what is evaluated elsewhere (the defaults of the function
    that is converted) or never (annotations).
    """
    kept = conversion.kept
    pending = [tree.body] if isinstance(tree, gast.Lambda) and tree not in kept else [tree]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind in removed and node not in kept:
            return f"a {kind.__name__} in line {node.lineno} is left"
        if kind in FUNCTIONS:
            pending += [] if node in kept else node.body
        elif kind is gast.ClassDef:
            pending += [part for part in walk(node) if isinstance(part, FUNCTIONS)]
        elif kind is gast.AnnAssign:
            pending += [node.target] + ([] if node.value is None else [node.value])
        elif kind is not gast.TypeAlias and (kind is not gast.Lambda or node not in kept):
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
