"""Blocks of code become functions that share the variables of the function they belong to.

    counter = 0                            counter = 0
    while a != 1:
        counter = counter + 1              def get_state():
                                               return (counter,)

                                           def set_state(vars_):
                                               nonlocal counter
                                               (counter,) = vars_

                              ->           def loop_test():
                                               return a != 1

                                           def loop_body():
                                               nonlocal counter
                                               counter = counter + 1
                                           ag__.while_stmt(loop_test, loop_body, get_state, ...)

`if_.py`, `while_.py` and `for_.py` share this module: where the functions are hoisted to, what they
declare, and which variables are the state of a block.

* A block's variables remain variables of the user's function, in its cells.  So closures,
  exceptions in the middle of a block, and `del` keep their meaning.
* The functions of a statement are hoisted, as siblings, to before the outermost statement or loop
  that contains it: they are created once, and the code stays flat however deep the blocks are.
* The state has the variables that a block binds and that may be read after it, in order of first
  appearance.  Two blocks with the same state share the functions that get and set it.
* A hoisted function has the source position of the statement that follows it.
"""

from collections import ChainMap
from dataclasses import dataclass, field, replace

import gast

from autograph.analyses import Facts
from autograph.analyses.activity import bindings, scope
from autograph.analyses.control_flow_graph import flow
from autograph.analyses.dataflow import DEFINED, LIVE
from autograph.analyses.unbound_names import unbound_names
from autograph.constructs import for_, if_, while_
from autograph.constructs.context import Rewriter
from autograph.constructs.scoping import (
    declare_local,
    explicit_super,
    first_parameter,
    put_first,
    share,
)
from autograph.constructs.unbound_reads import LocalReads
from autograph.constructs.unconvertible import BRANCHING, LOOPS
from autograph.syntax import quote

COMPOUND = (
    *BRANCHING,
    gast.AsyncFor,
    gast.With,
    gast.AsyncWith,
    gast.Try,
    gast.TryStar,
    gast.Match,
)

CONSTRUCTS = {gast.If: if_.rewrite, gast.While: while_.rewrite, gast.For: for_.rewrite}


class Blocks(Rewriter):
    """Turns the blocks of every function in a tree into functions.

    `free` has the variables of the functions around that may be unbound when a nested function
    reads them.
    """

    free: frozenset[str] = frozenset()

    def visit_FunctionDef(self, node):
        if node not in self.conversion.unconverted:
            FunctionBlocks(self, node, self.free).convert()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef


@dataclass
class HoistPoint:
    """Where the functions of a statement's blocks are hoisted to.

    `functions` collects them; they are inserted before the statement at `at`, which is the
    statement itself, or one that contains it (`is_outside`).  `is_hoisted` says whether the
    statement is part of a block that becomes a function.  `states` has the state functions that are
    visible here.
    """

    functions: list
    at: quote.Span
    states: ChainMap
    is_outside: bool = False
    is_hoisted: bool = False

    def inside(self) -> "HoistPoint":
        """The hoist point of the statements in a block that becomes a function."""
        return HoistPoint(self.functions, self.at, self.states, True, True)


@dataclass
class FunctionBlocks:
    """Converts the blocks of one of the user's functions."""

    rewriter: Blocks
    node: gast.AST
    around: frozenset[str]  # variables of enclosing functions that may be unbound
    declarations: list = field(default_factory=list)  # global and nonlocal, to be put first
    hoisted: dict = field(default_factory=dict)  # variables that hoisted blocks bind

    def __post_init__(self):
        self.facts = Facts(self.node)
        self.scope = self.facts[scope]
        self.kinds = self.rewriter.conversion.survey.kinds
        self.unbound = unbound_names(self.node, self.facts, self.kinds, self.around)

    def convert(self):
        """Rewrites the function's body."""
        self.node.body = self.block(self.node.body, None, ChainMap())
        hoisted = [name for name in self.scope.own if name in self.hoisted]
        declare_local(self.node, hoisted, self.kinds)
        put_first(self.node, self.declarations)

    # -- statements --------------------------------------------------------------------------------

    def block(self, statements, hoist, states=None):
        """Converts a block of statements.

        With a hoist point, the functions are collected there; else they are inserted before each
        statement.
        """
        done = []
        for statement in statements:
            if hoist is not None:
                done += self.statement(statement, hoist)
            else:
                here = HoistPoint([], quote.span(statement), states)
                converted = self.statement(statement, here)
                done += here.functions + converted
        return done

    def statement(self, node, hoist):
        if isinstance(node, BRANCHING) and node not in self.rewriter.conversion.unconverted:
            return CONSTRUCTS[type(node)](self, node, hoist)
        match node:
            case gast.Global() | gast.Nonlocal() if hoist.is_hoisted:
                self.declarations.append(node)
                return []
            case gast.AnnAssign(target=gast.Name()) if hoist.is_hoisted:
                return self.without_annotation(node, hoist)
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
                converted, outer = self.guarded(node, node, hoist), self.rewriter.free
                self.rewriter.free = self.unbound.captured(self.facts[DEFINED].before(node))
                converted = [self.rewriter.visit(statement) for statement in converted]
                self.rewriter.free = outer
                return converted
        if isinstance(node, COMPOUND):
            return self.native(node, hoist)
        return self.guarded(node, node, hoist)

    def without_annotation(self, node, hoist):
        """`x: int = 1` -> `x = 1`: a nonlocal name cannot be annotated."""
        self.hoisted[node.target.id] = None
        if node.value is None:
            return quote.stmts("pass", node)
        value = self.value(node.value, node, hoist)
        return quote.stmts("name = value", node, name=node.target.id, value=value)

    def native(self, node, hoist):
        """A compound statement that is not converted: its blocks stay in place."""
        for owner, name, key in _headers(node):
            setattr(owner, name, self.value(getattr(owner, name), key, hoist))
        if isinstance(node, LOOPS):
            hoist = replace(hoist, is_outside=True)
        for owner, name in _bodies(node):
            statements = getattr(owner, name)
            if hoist.is_outside:
                converted = self.block(statements, hoist)
            else:
                converted = self.block(statements, None, hoist.states.new_child())
            setattr(owner, name, converted)
        return [node]

    # -- reads that may fail -----------------------------------------------------------------------

    def value(self, expression, key, hoist):
        """An expression whose reads of unbound names fail as Python's would; `key` is its flow
        node."""
        return self.guarded(expression, key, hoist)[0]

    def guarded(self, node, key, hoist):
        """A statement or expression whose reads of unbound names fail as Python's would."""
        point = self.facts[flow].before[key]
        if hoist.is_hoisted and "super" in self.rewriter.conversion.survey.names:
            explicit_super(node, first_parameter(self.node))
        used = point.activity.read.keys() | point.activity.deleted.keys()
        own = self.scope.own.keys()
        if used.isdisjoint({*own, *self.unbound.free}) and not point.activity.captured:
            return [node]
        defined = self.facts[DEFINED].before(key)
        unbound = (own - defined) | self.unbound.deleted
        free, captured = self.unbound.free, self.unbound.captured(defined)
        is_read = not used.isdisjoint({*unbound, *free})
        if is_read or not captured.isdisjoint(point.activity.captured):
            return LocalReads(self.rewriter, unbound, hoist.is_hoisted, free, captured).flat(node)
        return [node]

    # -- for the constructs ------------------------------------------------------------------------

    def state_names(self, node, live):
        """The names in `live` that a statement binds; call it before the statement is rewritten."""
        known = {**self.scope.own, **self.scope.declared}
        bound = bindings(node, self.kinds).bound
        return tuple(name for name in bound if name in live and name in known)

    def state(self, names, node, hoist):
        """The arguments `get_state, set_state, names` for a block; none if it has no state."""
        if not names:
            return []
        if names not in hoist.states:
            hoist.states[names] = self.state_functions(names, hoist)
        getter, setter = hoist.states[names]
        at = quote.span(node)
        texts = quote.tuple_of([quote.constant(name, at) for name in names], at)
        return [quote.name(getter, at), quote.name(setter, at), texts]

    def state_functions(self, names, hoist):
        at = hoist.at
        read = quote.tuple_of([quote.name(name, at) for name in names], at)
        bind = quote.tuple_of([quote.name(name, at, gast.Store) for name in names], at, gast.Store)
        getter = self.function("get_state", quote.stmts("return read", at, read=read), hoist)
        parameter = self.rewriter.conversion.parameter("vars_")
        assign = quote.stmts("target = vars_", at, target=bind, vars_=parameter)
        return getter, self.function("set_state", assign, hoist, [parameter])

    def function(self, stem, body, hoist, parameters=()):
        """Hoists a function with this body; returns its name."""
        name = self.rewriter.fresh(stem)
        bound = bindings(body, self.kinds).bound
        self.hoisted.update(bound)
        declared = share(bound, self.scope, hoist.at)
        new = quote.function(name, declared + body, hoist.at, parameters)
        self.rewriter.conversion.blocks.add(new)
        self.rewriter.conversion.variables[new] = self.scope.own
        hoist.functions.append(new)
        return name

    def live_after(self, node):
        """The names that may be read after a statement."""
        return self.facts[LIVE].after(node)

    def live_in_loop(self, node):
        """The names that the next iteration of a loop, or code after it, may read.

        The iteration may also read names that the test of a `while` binds, which is evaluated at
        the end of the previous iteration.
        """
        live = self.facts[LIVE]
        bound = live.after(node.test) if isinstance(node, gast.While) else set()
        return live.head(node) | live.after(node) | bound


def _headers(node):
    """The expressions in the header of a compound statement: owner, field, flow node."""
    match node:
        case gast.If() | gast.While():
            yield node, "test", node.test
        case gast.For() | gast.AsyncFor():
            yield node, "iter", node.iter
            yield node, "target", node.target
        case gast.With() | gast.AsyncWith():
            for item in node.items:
                yield item, "context_expr", item.context_expr
                if item.optional_vars is not None:
                    yield item, "optional_vars", item.optional_vars
        case gast.Try() | gast.TryStar():
            for handler in node.handlers:
                if handler.type is not None:
                    yield handler, "type", handler
        case gast.Match():
            yield node, "subject", node.subject
            for case in node.cases:
                yield case, "pattern", case.pattern
                if case.guard is not None:
                    yield case, "guard", case.guard


def _bodies(node):
    """The blocks of a compound statement: owner, field."""
    match node:
        case gast.Try() | gast.TryStar():
            yield node, "body"
            yield from ((handler, "body") for handler in node.handlers)
            yield node, "orelse"
            yield node, "finalbody"
        case gast.Match():
            yield from ((case, "body") for case in node.cases)
        case gast.With() | gast.AsyncWith():
            yield node, "body"
        case _:
            yield node, "body"
            yield node, "orelse"
