"""`and`, `or`, `not`.

    a and b and c          ->      ag__.and_(a, lambda: b, lambda: c)
    a or b                 ->      ag__.or_(a, lambda: b)
    not a                  ->      ag__.not_(a)

The first operand is evaluated at once, the others if and when Python would.
"""

import functools

import gast

from autograph.backend import PYTHON, backend_of
from autograph.constructs.expressions import Expressions
from autograph.functions.frames import as_user, hide_operators


class Boolean(Expressions):
    """Rewrites boolean operators."""

    rewrites = (gast.BoolOp, gast.UnaryOp)

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        first, *others = node.values
        reason = self.why_not_lazy(others)
        if reason is not None:
            self.conversion.unconverted[node] = reason
            return node
        template = "ag__.and_(first)" if isinstance(node.op, gast.And) else "ag__.or_(first)"
        call = self.expr(template, node, first=first)
        call.args += [self.thunk(operand) for operand in others]
        return call

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, gast.Not) or isinstance(node.operand, gast.Constant):
            return node
        return self.expr("ag__.not_(operand)", node, operand=node.operand)


def and_(left, *operands):
    """`left and operands[0]() and ...`"""
    try:
        for i, operand in enumerate(operands):
            if left is not True:
                if left is False:
                    return left
                backend = backend_of(left)
                if backend is not PYTHON:
                    rest = functools.partial(_rest, and_, operands[i:])
                    return backend.and_(left, rest)
                if not as_user(bool, left)(left):
                    return left
            left = None  # Python releases an operand before it evaluates the next
            left = operand()
        return left
    except BaseException as error:
        hide_operators(error)
        raise


def or_(left, *operands):
    """`left or operands[0]() or ...`"""
    try:
        for i, operand in enumerate(operands):
            if left is not False:
                if left is True:
                    return left
                backend = backend_of(left)
                if backend is not PYTHON:
                    rest = functools.partial(_rest, or_, operands[i:])
                    return backend.or_(left, rest)
                if as_user(bool, left)(left):
                    return left
            left = None
            left = operand()
        return left
    except BaseException as error:
        hide_operators(error)
        raise


def _rest(operator, operands):
    """The rest of a chain, evaluated when the operands before it require it."""
    first, *others = operands
    return operator(first(), *others)


def not_(operand):
    """`not operand`"""
    try:
        if operand is True:
            return False
        if operand is False:
            return True
        backend = backend_of(operand)
        return not as_user(bool, operand)(operand) if backend is PYTHON else backend.not_(operand)
    except BaseException as error:
        hide_operators(error)
        raise
