"""`with` around an object that is not created there.

    with lock: ...             ->      with ag__.context(lock): ...
    with open(path) as f: ...          stays: the call in it is rewritten

To enter and to leave a context manager of another package may be an effect, which a backend
records.  `context(x)` is `x` itself, unless something is being staged.
"""

import gast

from autograph import backend
from autograph.constructs.expressions import Expressions


class With(Expressions):
    """Rewrites the items of `with` statements."""

    rewrites = (gast.With,)

    def visit_With(self, node):
        self.generic_visit(node)
        for item in node.items:
            given = item.context_expr
            if not isinstance(given, gast.Call):
                item.context_expr = self.expr("ag__.context(x)", given, x=given)
        return node


def context(x):
    """The context manager to enter in place of `x`."""
    return backend.active().context(x) if backend.staged_blocks else x
