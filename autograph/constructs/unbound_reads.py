"""Reads of names that may be unbound: each of them fails where it would fail in Python.

    print(total)           ->      print(ag__.bound(total, 'total'))

    if ready:                      def if_body():
        print(total)       ->          print(ag__.local(lambda: total, 'total'))

    lambda: total          ->      lambda: ag__.bound_free(total, 'total')

A staged branch or loop may bind a variable in some runs only.  Whatever the program does with the
value, even nothing, Python raises where the variable is read; so the read asks the backend.

A block is a function of its own, and there CPython raises a NameError about a free variable for an
unbound variable of the enclosing function.  If a read may find a name unbound, `local` raises the
UnboundLocalError that Python would have raised.  The same holds for operands that `boolean.py`
turns into thunks.  Nested functions read free variables in Python, too.

Reads that cannot fail are not rewritten.
"""

from contextlib import contextmanager

import gast

from autograph.analyses.activity import bindings, parameters
from autograph.backend import backend_of, plain_types
from autograph.constructs.scoping import COMPREHENSIONS_INLINED
from autograph.functions.frames import hide_operators
from autograph.syntax import quote
from autograph.syntax.walk import Transformer


def bound(value, name):
    """The value of a local variable, which was just read."""
    if id(value.__class__) in plain_types:
        return value
    return backend_of(value).bound(value, name, False)


def bound_free(value, name):
    """The value of a variable of an enclosing function, which was just read."""
    if id(value.__class__) in plain_types:
        return value
    return backend_of(value).bound(value, name, True)


def local(read, name):
    """The value of a variable of the user's function, which `read` returns."""
    try:
        return bound(read(), name)
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
    """Guards the reads of names that may be unbound.

    `unbound` has local variables that may be unbound where the code runs; it `is_hoisted` if it
    becomes part of a block or a thunk.  `free` has variables of enclosing functions that may be
    unbound at some time, and `captured` those that nested functions may find unbound.
    """

    def __init__(self, rewriter, unbound, is_hoisted, free=frozenset(), captured=frozenset()):
        self.rewriter = rewriter
        self.unbound = unbound
        self.is_hoisted = is_hoisted
        self.free = free
        self.captured = captured

    def guard(self, name, at):
        """The guarded read of a name at a node; None if it needs no guard."""
        read, text = quote.name(name, at), quote.constant(name, at)
        if name in self.free:
            return self.rewriter.expr("ag__.bound_free(x, text)", at, x=read, text=text)
        if name not in self.unbound:
            return None
        if not self.is_hoisted:
            return self.rewriter.expr("ag__.bound(x, text)", at, x=read, text=text)
        call = self.rewriter.expr("ag__.local(lambda: x, text)", at, x=name, text=text)
        self.rewriter.conversion.blocks.add(call.args[0])
        return call

    def statements(self, body):
        """The statements of a block, guarded."""
        return [part for statement in body for part in self.flat(statement)]

    def flat(self, statement):
        """The statements that a statement becomes."""
        found = self.visit(statement)
        return found if isinstance(found, list) else [found]

    def visit_Name(self, node):
        guarded = self.guard(node.id, node) if isinstance(node.ctx, gast.Load) else None
        return node if guarded is None else guarded

    # -- statements that read names they bind or delete --------------------------------------------

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        return self.checked([node.target], node)

    def visit_Delete(self, node):
        self.generic_visit(node)
        return self.checked(node.targets, node)

    def checked(self, targets, statement):
        """`y += 1` -> `y = ag__.bound(y, 'y'); y += 1`"""
        at, found = quote.span(statement), []
        for name in targets:
            guarded = self.guard(name.id, name) if isinstance(name, gast.Name) else None
            if guarded is not None:
                found += quote.stmts("name = value", at, name=name.id, value=guarded)
        return [*found, statement] if found else statement

    # -- patterns, in which no call may be ---------------------------------------------------------

    def visit_MatchValue(self, node):
        return node

    visit_MatchClass = visit_MatchMapping = visit_MatchValue

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
        own = {p.id for p in parameters(node.args)}
        own.update(bindings(node.body, self.rewriter.conversion.survey.kinds).bound)
        with self.inside(self.captured - own):
            node.body = self.visit(node.body)
        return node

    @contextmanager
    def inside(self, free):
        """While it is open, the code that is visited belongs to a nested scope."""
        outer = self.unbound, self.free
        self.unbound, self.free = frozenset(), free
        try:
            yield
        finally:
            self.unbound, self.free = outer

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
        with self.inside(self.free | self.unbound):
            node.body = [part for one in node.body for part in self.flat(one)]
        return node

    def visit_ListComp(self, node):
        first = node.generators[0]
        iterable = self.visit(first.iter)
        first.iter = gast.Constant(value=None, kind=None)
        own = {n.id for g in node.generators for n in gast.walk(g.target) if _is_bound(n)}
        if COMPREHENSIONS_INLINED and not isinstance(node, gast.GeneratorExp):
            outer = self.is_hoisted, self.unbound
            known = self.rewriter.conversion.comprehensions
            self.is_hoisted = self.is_hoisted or quote.position_of(node) in known
            self.unbound = self.unbound - own
            self.generic_visit(node)
            self.is_hoisted, self.unbound = outer
        else:
            is_later = isinstance(node, gast.GeneratorExp)
            free = self.captured if is_later else self.free | self.unbound
            with self.inside(free - own):
                self.generic_visit(node)
        first.iter = iterable
        return node

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp


def _is_bound(node):
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)
