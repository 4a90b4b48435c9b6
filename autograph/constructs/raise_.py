"""`raise`.

    raise ValueError(x) from error    ->    raise ag__.raised(ValueError(x)) from error

In a staged block the exception becomes a run-time event, and what is raised ends the block.
"""

from autograph import backend
from autograph.constructs.expressions import Expressions


class Raise(Expressions):
    """Rewrites `raise`, where it names an exception."""

    def visit_Raise(self, node):
        self.generic_visit(node)
        if node.exc is not None:
            node.exc = self.expr("ag__.raised(exception)", node.exc, exception=node.exc)
        return node


def raised(exception):
    """The exception to raise."""
    return backend.active().raised(exception) if backend.staged_blocks else exception
