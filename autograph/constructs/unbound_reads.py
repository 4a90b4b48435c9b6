"""Reads of names that may be unbound: inside a block they fail as they would outside.

    if ready:                      def if_body():
        print(total)       ->          print(ag__.local(lambda: total, 'total'))

A block is a function of its own, and there CPython raises a NameError about a free variable for an
unbound variable of the enclosing function.  If a read may find a name unbound, `local` raises the
UnboundLocalError that Python would have raised.  Reads that cannot fail are not rewritten, nor are
those in nested functions, which read free variables anyway.

The same holds for operands that `boolean.py` turns into thunks.
"""

import gast

from autograph.analyses.activity import parameters
from autograph.constructs.scoping import COMPREHENSIONS_INLINED
from autograph.functions.frames import hide_operators
from autograph.syntax import quote
from autograph.syntax.walk import Transformer


def local(read, name):
    """The value of a variable of the user's function, which `read` returns."""
    try:
        return read()
    except NameError:
        pass
    try:
        raise UnboundLocalError(
            f"cannot access local variable '{name}' where it is not associated with a value"
        )
    except UnboundLocalError as error:
        hide_operators(error)
        raise


class LocalReads(Transformer):
    """Guards the reads of some names, in code that is hoisted into a block or a thunk."""

    def __init__(self, rewriter, unbound, is_hoisted):
        self.rewriter = rewriter
        self.unbound = unbound
        self.is_hoisted = is_hoisted

    def guard(self, name, at):
        text = quote.constant(name, at)
        call = self.rewriter.expr("ag__.local(lambda: x, text)", at, x=name, text=text)
        self.rewriter.conversion.blocks.add(call.args[0])
        return call

    def statements(self, body):
        """The statements of a block, guarded."""
        found = [self.visit(statement) for statement in body]
        return [s for part in found for s in (part if isinstance(part, list) else [part])]

    def visit_Name(self, node):
        if self.is_hoisted and isinstance(node.ctx, gast.Load) and node.id in self.unbound:
            return self.guard(node.id, node)
        return node

    # -- statements that read names they bind or delete --------------------------------------------

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        return self.checked([node.target], node)

    def visit_Delete(self, node):
        self.generic_visit(node)
        return self.checked(node.targets, node)

    def checked(self, targets, statement):
        """`y += 1` -> `ag__.local(lambda: y, 'y'); y += 1`"""
        names = [t for t in targets if isinstance(t, gast.Name) and t.id in self.unbound]
        if not self.is_hoisted or not names:
            return statement
        place = quote.span(statement).place
        return [*(place(gast.Expr(self.guard(t.id, t))) for t in names), statement]

    # -- operands that become thunks ---------------------------------------------------------------

    def lazily(self, nodes):
        outer, self.is_hoisted = self.is_hoisted, True
        visited = [self.visit(node) for node in nodes]
        self.is_hoisted = outer
        return visited

    def visit_BoolOp(self, node):
        node.values = [self.visit(node.values[0]), *self.lazily(node.values[1:])]
        return node

    def visit_IfExp(self, node):
        node.test = self.visit(node.test)
        node.body, node.orelse = self.lazily([node.body, node.orelse])
        return node

    def visit_Compare(self, node):
        node.left = self.visit(node.left)
        first, *others = node.comparators
        node.comparators = [self.visit(first), *self.lazily(others)]
        return node

    def visit_Assert(self, node):
        node.test = self.visit(node.test)
        if node.msg is not None:
            (node.msg,) = self.lazily([node.msg])
        return node

    # -- nested scopes -----------------------------------------------------------------------------

    def visit_FunctionDef(self, node):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        self.visit_signature(node)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.visit_signature(node)
        return node

    def visit_signature(self, node):
        args = node.args
        args.defaults = [self.visit(d) for d in args.defaults]
        args.kw_defaults = [d if d is None else self.visit(d) for d in args.kw_defaults]
        for parameter in parameters(args):
            if parameter.annotation is not None:
                parameter.annotation = self.visit(parameter.annotation)

    def visit_ClassDef(self, node):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.bases = [self.visit(b) for b in node.bases]
        node.keywords = [self.visit(k) for k in node.keywords]
        return node

    def visit_ListComp(self, node):
        first = node.generators[0]
        iterable = self.visit(first.iter)
        if COMPREHENSIONS_INLINED and not isinstance(node, gast.GeneratorExp):
            first.iter = gast.Constant(value=None, kind=None)
            outer = self.is_hoisted, self.unbound
            known = self.rewriter.conversion.comprehensions
            self.is_hoisted = self.is_hoisted or quote.position_of(node) in known
            own = {n.id for g in node.generators for n in gast.walk(g.target) if _is_bound(n)}
            self.unbound = self.unbound - own
            self.generic_visit(node)
            self.is_hoisted, self.unbound = outer
        first.iter = iterable
        return node

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp


def _is_bound(node):
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)
