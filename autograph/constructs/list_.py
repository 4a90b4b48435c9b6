"""Lists that code creates and may change.

    z = []                     ->      z = ag__.new_list([])
    z = [f(x) for x in xs]     ->      z = ag__.new_list([f(x) for x in xs])
    z = [0] * n                ->      z = ag__.new_list([0]) * n

While something is staged, `new_list` returns a list that the backend can follow.  Otherwise it
returns the list itself.  A list that is not assigned (an argument, say) cannot be changed by name
and is not rewritten.  `append`, `pop` and the like are calls.
"""

import gast

from autograph import backend
from autograph.constructs.expressions import Expressions


class List(Expressions):
    """Wraps the lists that are assigned."""

    rewrites = (gast.List, gast.ListComp)

    def visit_Assign(self, node):
        self.generic_visit(node)
        node.value = self.wrapped(node.value)
        return node

    def visit_AnnAssign(self, node):
        super().visit_AnnAssign(node)
        if node.value is not None:
            node.value = self.wrapped(node.value)
        return node

    def wrapped(self, node):
        if isinstance(node, (gast.List, gast.ListComp)):
            return self.expr("ag__.new_list(items)", node, items=node)
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult)):
            node.left = self.wrapped(node.left)
            if isinstance(node.op, gast.Mult):
                node.right = self.wrapped(node.right)
        if isinstance(node, gast.IfExp):
            node.body, node.orelse = self.wrapped(node.body), self.wrapped(node.orelse)
        if isinstance(node, gast.Tuple):
            node.elts = [self.wrapped(element) for element in node.elts]
        return node


def new_list(items):
    """The list for one that the user's code creates."""
    return backend.active().new_list(items) if backend.may_be_staging else items
