"""`and`, `or`, `not`.

    a and b and c          ->      ag__.and_(a, lambda: b, lambda: c)
    a or b                 ->      ag__.or_(a, lambda: b)
    not a                  ->      ag__.not_(a)
    if a and b: ...        ->      ag__.if_stmt(ag__.and_test(a, lambda: b), ...)

The first operand is evaluated at once, the others if and when Python would.  Where only the truth
of the result matters, `and_test` and `or_test` return the truth of an operand that decides, so that
no object is tested twice.  `and_part` and `or_part` are operands of other operators in CPython 3.11
(`analyses/conditions.py`): the value of their last operand may be the result.
"""

import functools

import gast

from autograph.analyses.conditions import JUMPS_ARE_JOINED
from autograph.backend import PYTHON, backend_of, plain_truth
from autograph.constructs.expressions import Expressions
from autograph.constructs.own_truth import own_truth
from autograph.functions.frames import hide_operators


class Boolean(Expressions):
    """Rewrites boolean operators."""

    rewrites = (gast.BoolOp, gast.UnaryOp)

    def visit_BoolOp(self, node):
        if JUMPS_ARE_JOINED:
            kind = type(node.op)
            node.values = [part for value in node.values for part in self.joined(value, kind)]
        self.generic_visit(node)
        first, *others = node.values
        reason = self.why_not_lazy(others)
        if reason is not None:
            self.conversion.unconverted[node] = reason
            return node
        operator = "and_" if isinstance(node.op, gast.And) else "or_"
        if node in self.conversion.conditions:
            operator += "test" if self.conversion.conditions[node] else "part"
        call = self.expr(f"ag__.{operator}(first)", node, first=first)
        call.args += [self.thunk(operand) for operand in others]
        return call

    def joined(self, node, kind):
        """The operands of a chain: `(a and b) and c` is `a and b and c`."""
        is_other = not isinstance(node, gast.BoolOp) or type(node.op) is not kind
        if is_other or node in self.conversion.conditions:
            return [node]
        return [operand for value in node.values for operand in self.joined(value, kind)]

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, gast.Not) or isinstance(node.operand, gast.Constant):
            return node
        return self.expr("ag__.not_(operand)", node, operand=node.operand)


def _and(connected, keeps):
    """`left and operands[0]() and ...`: an operand that decides if the operator keeps it, else its
    truth; or the last operand.

    `connected(connect, truth, left, rest)` connects a staged operand and the rest.
    """

    def operator(left, *operands):
        try:
            for operand in operands:
                if left is not True:
                    if left is False:
                        return False
                    if id(type(left)) in plain_truth:
                        if not left:
                            return left if keeps else False
                    else:
                        backend = backend_of(left)
                        holds = own_truth(left) if backend is PYTHON else left
                        backend = backend_of(holds)
                        if backend is not PYTHON:
                            rest = functools.partial(_rest, operator, operand, operands)
                            if keeps and holds is not left:
                                kept = functools.partial(_itself, left)
                                return backend.if_expr(holds, rest, kept)
                            return connected(backend.and_, backend.truth, holds, rest)
                        if not holds:
                            return left if keeps else False
                left = None  # Python releases an operand before it evaluates the next
                left = operand()
            return left
        except BaseException as error:
            hide_operators(error)
            raise

    return operator


def _or(connected, keeps):
    """`left or operands[0]() or ...`, as `_and`."""

    def operator(left, *operands):
        try:
            for operand in operands:
                if left is not False:
                    if left is True:
                        return True
                    if id(type(left)) in plain_truth:
                        if left:
                            return left if keeps else True
                    else:
                        backend = backend_of(left)
                        holds = own_truth(left) if backend is PYTHON else left
                        backend = backend_of(holds)
                        if backend is not PYTHON:
                            rest = functools.partial(_rest, operator, operand, operands)
                            if keeps and holds is not left:
                                kept = functools.partial(_itself, left)
                                return backend.if_expr(holds, kept, rest)
                            return connected(backend.or_, backend.truth, holds, rest)
                        if holds:
                            return left if keeps else True
                left = None
                left = operand()
            return left
        except BaseException as error:
            hide_operators(error)
            raise

    return operator


def _truths(connect, truth, left, rest):
    """Connects operands of which only the truth matters."""
    return connect(truth(left), lambda: truth(rest()))


def _values(connect, truth, left, rest):
    """Connects operands whose values matter: a staged operand may be tested again."""
    return connect(left, rest)


and_, or_ = _and(_values, keeps=True), _or(_values, keeps=True)
and_part, or_part = _and(_values, keeps=False), _or(_values, keeps=False)
and_test, or_test = _and(_truths, keeps=False), _or(_truths, keeps=False)


def _itself(value):
    return value


def _rest(operator, operand, operands):
    """The rest of a chain from `operand` on, evaluated when the operands before it require it."""
    first, *others = operands[operands.index(operand) :]
    return operator(first(), *others)


def not_(operand):
    """`not operand`"""
    try:
        if operand is True:
            return False
        if operand is False:
            return True
        if id(type(operand)) in plain_truth:
            return not operand
        backend = backend_of(operand)
        if backend is PYTHON:
            operand = own_truth(operand)
            backend = backend_of(operand)
        return not operand if backend is PYTHON else backend.not_(operand)
    except BaseException as error:
        hide_operators(error)
        raise
