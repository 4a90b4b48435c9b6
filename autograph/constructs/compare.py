"""Comparisons that Python reduces to a bool: chains, membership, and `is None`.

    a < b <= c             ->      ag__.compare(a, '<', b, '<=', lambda: c)
    x in xs                ->      ag__.in_(x, xs)
    x not in xs            ->      ag__.not_in(x, xs)
    x is None              ->      ag__.is_none(x)
    x is not None          ->      ag__.is_not_none(x)

A single `a < b` stays as it is: its operands decide what it means.  In a chain each operand is
evaluated once, and only when the comparisons before it hold.
"""

import operator

import gast

from autograph import backend
from autograph.backend import PYTHON, backend_of
from autograph.constructs.boolean import and_, not_
from autograph.constructs.expressions import Expressions
from autograph.functions.frames import as_user
from autograph.syntax import quote

SYMBOLS = {
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}


class Compare(Expressions):
    """Rewrites comparisons."""

    rewrites = (gast.Compare,)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) > 1:
            return self.chain(node)
        (relation,), (right,) = node.ops, node.comparators
        template = None
        match relation:
            case gast.In():
                template = "ag__.in_(left, right)"
            case gast.NotIn():
                template = "ag__.not_in(left, right)"
            case gast.Is() if _is_none(right):
                template = "ag__.is_none(left)"
            case gast.IsNot() if _is_none(right):
                template = "ag__.is_not_none(left)"
        if template is None or isinstance(node.left, gast.Constant) and _is_literal(right):
            return node
        return self.expr(template, node, left=node.left, right=right)

    def chain(self, node):
        first, *others = node.comparators
        reason = self.why_not_wait(others)
        if reason is not None:
            self.conversion.kept[node] = reason
            return node
        symbols = [quote.constant(SYMBOLS[type(op)], node) for op in node.ops]
        operands = [first, *(self.thunk(operand) for operand in others)]
        call = self.expr("ag__.compare(left)", node, left=node.left)
        call.args += [part for pair in zip(symbols, operands, strict=True) for part in pair]
        return call


def _is_none(node):
    return isinstance(node, gast.Constant) and node.value is None


def _is_literal(node):
    if isinstance(node, (gast.Tuple, gast.List, gast.Set)):
        return all(map(_is_literal, node.elts))
    return isinstance(node, gast.Constant)


def compare(left, relation, right, *links):
    """`left relation right ...`; the operands that follow in `links` are thunks."""
    relate = RELATIONS[relation]
    if relate not in (in_, not_in):  # which see to that themselves
        relate = as_user(relate, left, right)
    result = relate(left, right)
    if not links:
        return result
    del left
    following, operand, *others = links
    return and_(result, lambda: compare(right, following, operand(), *others))


def in_(item, container):
    """`item in container`"""
    staged = backend_of(item)
    if staged is PYTHON:
        staged = backend_of(container)
    if staged is not PYTHON:
        return staged.contains(container, item)
    return as_user(operator.contains, container, item)(container, item)


def not_in(item, container):
    """`item not in container`"""
    return not_(in_(item, container))


def is_none(value):
    """`value is None`"""
    if backend.staged_blocks and value is not None:
        staged = backend_of(value)
        if staged is not PYTHON:
            return staged.is_none(value)
    return value is None


def is_not_none(value):
    """`value is not None`"""
    return not_(is_none(value))


RELATIONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": in_,
    "not in": not_in,
}
