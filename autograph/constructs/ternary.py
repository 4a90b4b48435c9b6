"""`a if test else b`.

x if x > 0 else -x         ->      ag__.if_expr(x > 0, lambda: x, lambda: -x)
"""

import gast

from autograph.backend import PYTHON, backend_of, plain_truth
from autograph.constructs.expressions import Expressions
from autograph.constructs.own_truth import own_truth
from autograph.functions.frames import hide_operators


class Ternary(Expressions):
    """Rewrites conditional expressions."""

    rewrites = (gast.IfExp,)

    def visit_IfExp(self, node):
        self.generic_visit(node)
        reason = self.why_not_lazy([node.body, node.orelse])
        if reason is not None:
            self.conversion.unconverted[node] = reason
            return node
        holes = {"body": self.thunk(node.body), "orelse": self.thunk(node.orelse)}
        return self.expr("ag__.if_expr(test, body, orelse)", node, test=node.test, **holes)


def if_expr(test, body, orelse):
    """`body() if test else orelse()`"""
    try:
        if test is not True and test is not False:
            if id(type(test)) in plain_truth:
                test = bool(test)
            else:
                backend = backend_of(test)
                if backend is PYTHON:
                    test = own_truth(test)
                    backend = backend_of(test)
                if backend is not PYTHON:
                    return backend.if_expr(test, body, orelse)
        return body() if test else orelse()
    except BaseException as error:
        hide_operators(error)
        raise
