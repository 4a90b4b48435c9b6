"""Calls.

    f(x, y, k=1)           ->      ag__.converted_call(f)(x, y, k=1)

`converted_call` takes the callee alone, so the arguments are evaluated after it, as written.
`autograph/functions/calls.py` decides which function it returns: a user function is converted, any
other callable is called unchanged.  A call is not rewritten if nothing staged can reach it: a
builtin type or function called with literals, an exception class, `super()`.
"""

import builtins

import gast

from autograph.constructs.expressions import Expressions

# Builtins that treat a staged argument like any other object.
INDIFFERENT = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
) | {"callable", "getattr", "hasattr", "id", "object", "setattr", "super", "vars"}

# Builtins with side effects, which a backend may have to record.
ACTING = frozenset(("print", "open", "input"))

BUILTINS = frozenset(vars(builtins))


class Call(Expressions):
    """Rewrites calls."""

    rewrites = (gast.Call,)

    def visit_Call(self, node):
        generated = self.is_operator(node)
        self.generic_visit(node)
        if not generated and not self.is_plain(node):
            template = "ag__.converted_call(f)" if self.conversion.recursive else "ag__.call(f)"
            node.func = self.expr(template, node.func, f=node.func)
        return node

    def is_plain(self, node):
        """Whether nothing staged can reach a call."""
        match node.func:
            case gast.Name(id=name) if self.conversion.is_builtin(name, BUILTINS):
                literal = all(isinstance(a, gast.Constant) for a in node.args) and not node.keywords
                return name in INDIFFERENT or name not in ACTING and literal
            case gast.Attribute(value=gast.Constant(), attr=name):
                return name not in ("format", "join")  # another method of a literal
        return False
