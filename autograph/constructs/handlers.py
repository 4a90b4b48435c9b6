"""Handlers that would catch a refusal.

    try:                           try:
        y = matrix(x)                  y = ag__.converted_call(matrix)(x)
    except:                ->      except ag__.refusals():
        y = x * 0                      raise
                                   except:
                                       y = x * 0

A refusal travels through staged code as `Refused`, which is no `Exception`.  So handlers for
`Exception` and classes derived from it stay as they are.  A class is recognised by its name: that
of a builtin exception, or one that ends like `ParserError`, `NotFoundException` and
`DeprecationWarning`.  Every other expression may be `BaseException`.

`finally`, and the exit of a `with`, run as for any exception: a lock is released, a file closed.
The call also notes an interruption (Ctrl-C) that the handler is about to take: a recording of the
code after it holds for one call.

`except*` stays as it is, because a statement cannot have both `except*` and `except`.
"""

import builtins
import sys

import gast

from autograph.constructs.expressions import Expressions
from autograph.errors import Refused
from autograph.functions.interruptions import note_taken

ENDINGS = ("Error", "Exception", "Warning")
ORDINARY = frozenset(
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
)


class Handlers(Expressions):
    """Rewrites `try` statements whose handlers may catch `BaseException`."""

    rewrites = (gast.Try,)

    def visit_Try(self, node):
        self.generic_visit(node)
        if any(not _is_exception(handler.type) for handler in node.handlers):
            raised = self.stmts("raise", node.handlers[0])
            kind = self.expr("ag__.refusals()", node.handlers[0])
            clause = gast.ExceptHandler(type=kind, name=None, body=raised)
            node.handlers.insert(0, gast.copy_location(clause, node.handlers[0]))
        return node


def refusals() -> type[BaseException]:
    """The class of refusals; called while an exception looks for its handler."""
    error = sys.exception()
    if error is not None:
        note_taken(error)
    return Refused


def _is_like_one(name):
    return name[0].isupper() and name.endswith(ENDINGS) and name != "BaseException"


def _is_exception(kind):
    """Whether an expression stands for classes that are derived from `Exception`."""
    match kind:
        case gast.Tuple(elts=elements):
            return all(map(_is_exception, elements))
        case gast.Name(id=name) | gast.Attribute(attr=name):
            return name in ORDINARY or _is_like_one(name)
    return False
