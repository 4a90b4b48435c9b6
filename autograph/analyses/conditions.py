"""The boolean expressions of which only the truth matters.

    if (a and b) or not (c or d): ...         all three
    x = (a and b) or c                        none: `x` becomes one of the operands
    return e if a < b < c else f              a < b < c

Python tests each operand of such an expression once; of others it tests the result
again.  The conditions of an expression are those of its parts: the operands of `and`, `or` and
`not`, and both sides of a conditional expression.

CPython 3.11 joins jumps of `a and b or c` also where its value is used: an operand of `a and b`
that decides is not tested again by the `or`, and never becomes the value.  The last operand may.
"""

import sys

import gast

from autograph.syntax.walk import walk

JUMPS_ARE_JOINED = sys.version_info < (3, 12)


def conditions(tree: gast.AST) -> dict[gast.AST, bool]:
    """The `and`, `or` and chained comparisons in a tree that test each operand once.

    True: only their truth matters.  False: the value of their last operand matters, too.
    """
    found: dict[gast.AST, bool] = {}
    boolean, pending = [], []
    for node in walk(tree):
        kind = node.__class__
        if kind is gast.BoolOp:
            boolean.append(node)
        elif kind in _TESTING:
            pending += _tests(node)
    while pending:
        node = pending.pop()
        match node:
            case gast.BoolOp():
                found[node] = True
                pending += node.values
            case gast.Compare():
                found[node] = True
            case gast.UnaryOp(op=gast.Not()):
                pending.append(node.operand)
            case gast.IfExp():
                pending += [node.body, node.orelse]
    if JUMPS_ARE_JOINED:
        for inner in (inner for node in boolean for inner in _joined(node)):
            found.setdefault(inner, False)
    return found


def _joined(node: gast.AST) -> list[gast.AST]:
    """The operands of a node that are the other of `and` and `or`, but for the last operand."""
    inner = [value for value in node.values[:-1] if isinstance(value, gast.BoolOp)]
    return [value for value in inner if type(value.op) is not type(node.op)]


_TESTING = frozenset(
    (gast.If, gast.While, gast.IfExp, gast.Assert, gast.comprehension, gast.match_case)
)


def _tests(node: gast.AST) -> list[gast.AST]:
    """The expressions of which a node tests the truth, and uses nothing else."""
    match node:
        case gast.If() | gast.While() | gast.IfExp() | gast.Assert():
            return [node.test]
        case gast.comprehension():
            return list(node.ifs)
        case gast.match_case():
            return [] if node.guard is None else [node.guard]
    return []
