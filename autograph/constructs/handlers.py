"""Handlers that would catch a refusal.

    try:                           try:
        y = matrix(x)                  y = ag__.converted_call(matrix)(x)
    except:                ->      except ag__.Refused:
        y = x * 0                      raise
                                   except:
                                       y = x * 0

A refusal travels through staged code as `Refused`, which is no `Exception`.  So handlers for
`Exception` and classes derived from it stay as they are.  A class is recognised by its name, which
is written like `KeyError`; every other expression may be `BaseException`.

`finally`, and the exit of a `with`, run as for any exception: a lock is released, a file closed.
`except*` stays as it is, because a statement cannot have both `except*` and `except`.
"""

import gast

from autograph.constructs.expressions import Expressions
from autograph.errors import Refused as Refused


class Handlers(Expressions):
    """Rewrites `try` statements whose handlers may catch `BaseException`."""

    rewrites = (gast.Try,)

    def visit_Try(self, node):
        self.generic_visit(node)
        if any(not _is_exception(handler.type) for handler in node.handlers):
            raised = self.stmts("raise", node.handlers[0])
            kind = self.expr("ag__.Refused", node.handlers[0])
            clause = gast.ExceptHandler(type=kind, name=None, body=raised)
            node.handlers.insert(0, gast.copy_location(clause, node.handlers[0]))
        return node


def _is_exception(kind):
    """Whether an expression stands for classes that are derived from `Exception`."""
    match kind:
        case gast.Tuple(elts=elements):
            return all(map(_is_exception, elements))
        case gast.Name(id=name) | gast.Attribute(attr=name):
            return name != "BaseException" and name[0].isupper() and not name.isupper()
    return False
