"""Calls.

    f(x, y, k=1)           ->      ag__.converted_call(f)(x, y, k=1)
    f(x, *z)               ->      ag__.starred_call(f)(x, *ag__.spread(z))

`converted_call` takes the callee alone, so the arguments are evaluated after it, as written.
`autograph/functions/calls.py` decides which function it returns: a user function is converted, any
other callable is called unchanged.  Calls in the body of a class are rewritten too: the call takes
no name of the class into a closure.  A call is not rewritten if nothing staged can reach it: a
builtin type, function or method of a literal called with literals, `getattr(x, 'name')`, an
exception class, `super()`.
"""

import builtins

import gast

from autograph.constructs.expressions import Expressions

# Builtins that treat a staged argument like any other object.
INDIFFERENT = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
) | {"id", "object", "super", "vars"}

# Builtins that take the name of an attribute: with a literal name and this many arguments they do
# the same as `x.name`, `x.name = value` and `del x.name`.
BY_NAME = {"getattr": 2, "setattr": 3, "delattr": 2}

# Builtins with side effects, which a backend may have to record.
ACTING = frozenset(("print", "open", "input", "exit", "quit", "breakpoint", "__import__"))

# Builtins that make containers to which code may add staged values.
GROWING = frozenset(("dict", "set"))

BUILTINS = frozenset(vars(builtins))


class Call(Expressions):
    """Rewrites calls."""

    rewrites = (gast.Call,)

    def visit_Call(self, node):
        generated = self.is_operator(node)
        self.generic_visit(node)
        if not generated and not self.is_plain(node):
            node.func = self.expr(self.operator_of(node), node.func, f=node.func)
        return node

    def operator_of(self, node):
        """The call of the operator that finds the callee."""
        if not self.conversion.recursive:
            return "ag__.call(f)"
        stars = [one for one in node.args if isinstance(one, gast.Starred) and self.is_open(one)]
        for star in stars:
            star.value = self.expr("ag__.spread(x)", star.value, x=star.value)
        return "ag__.starred_call(f)" if stars else "ag__.converted_call(f)"

    def is_open(self, star):
        """Whether only a run may know the number of elements after a star; that of the function's
        own `*args` is known."""
        own = self.function.args.vararg if self.function is not None else None
        is_name = isinstance(star.value, gast.Name)
        return own is None or not is_name or star.value.id != own.id

    def visit_ClassDef(self, node):
        if self.function is None:
            return super().visit_ClassDef(node)
        node.body = self.statements(node.body)
        return node

    def is_plain(self, node):
        """Whether nothing staged can reach a call."""
        match node.func:
            case gast.Name(id=name) if self.conversion.is_builtin(name, BUILTINS):
                if name in BY_NAME:
                    return len(node.args) == BY_NAME[name] and _are_literals(node.args[1:2])
                followed = name in ACTING or name in GROWING
                return name in INDIFFERENT or not followed and _has_literals(node)
            case gast.Attribute(value=gast.Constant()):
                return _has_literals(node)
        return False


def _has_literals(node):
    """Whether a call has literal arguments only."""
    return _are_literals(node.args) and not node.keywords


def _are_literals(nodes):
    return all(isinstance(node, gast.Constant) for node in nodes)
