"""`with`.

    with lock: ...             ->      with ag__.context(lock): ...
    with open(path) as f: ...  ->      with ag__.context(open(path)) as f: ...

To enter and to leave a context manager may be an effect, which a backend records, and it may change
the meaning of the code inside.  `context(x)` is `x` itself, unless something is being staged.
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
            item.context_expr = self.expr("ag__.context(x)", given, x=given)
        return node


def context(x):
    """The context manager to enter in place of `x`."""
    return backend.active().context(x) if backend.staged_blocks else x
