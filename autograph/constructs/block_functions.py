"""Blocks of code become functions that share the variables of the function they come from.

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

This module knows what `if_.py`, `while_.py` and `for_.py` have in common: where the functions go,
what they declare, and what the state of a block is.

* A block's variables stay the variables of the function: they live in its cells, so closures,
  exceptions half-way and `del` mean what they meant.
* The functions of a statement are siblings in front of the outermost statement or loop that
  contains it: they are made once, and the text stays flat however deep the blocks are.
* State is what a block binds and somebody may read afterwards, in order of first appearance.  Two
  blocks with the same state share the functions that get and set it.
* A hoisted function carries the position of the statement that it stands in front of.
"""

from collections import ChainMap
from dataclasses import dataclass, field, replace

import gast

from autograph.analyses import Facts
from autograph.analyses.activity import activity, scope
from autograph.analyses.control_flow_graph import flow
from autograph.analyses.dataflow import DEFINED, LIVE
from autograph.constructs import for_, if_, while_
from autograph.constructs.context import Rewriter
from autograph.constructs.scoping import explicit_super, keep_local, put_first, share
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
    """Turns the blocks of every function in a tree into functions."""

    def visit_FunctionDef(self, node):
        if node not in self.conversion.kept:
            Function(self, node).convert()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef


@dataclass
class Place:
    """Where a statement stands.

    `functions` collects what its blocks become; they go in front of the statement at `at`, which
    is the statement itself or (`hoists`) one around it.  `moved` says whether the statement is part
    of a block that becomes a function.  `states` knows the state functions that are visible here.
    """

    functions: list
    at: quote.Span
    states: ChainMap
    hoists: bool = False
    moved: bool = False

    def inside(self) -> "Place":
        """The place of the statements in a block that becomes a function."""
        return replace(self, hoists=True, moved=True)


@dataclass
class Function:
    """One of the user's functions, while its blocks are converted."""

    rewriter: Blocks
    node: gast.AST
    declarations: list = field(default_factory=list)  # global and nonlocal, to stand at the top
    moved: dict = field(default_factory=dict)  # names whose bindings moved into blocks

    def __post_init__(self):
        self.facts = Facts(self.node)
        self.scope = self.facts[scope]

    def convert(self):
        """Rewrites the function's body."""
        self.node.body = self.block(self.node.body, None, ChainMap())
        keep_local(self.node, {name: None for name in self.scope.own if name in self.moved})
        put_first(self.node, self.declarations)

    # -- statements --------------------------------------------------------------------------------

    def block(self, statements, place, states=None):
        """Converts a block of statements.

        With a `place`, the functions are collected there; else each statement's functions are put
        in front of it.
        """
        done = []
        for statement in statements:
            if place is not None:
                done += self.statement(statement, place)
            else:
                here = Place([], quote.span(statement), states)
                converted = self.statement(statement, here)
                done += here.functions + converted
        return done

    def statement(self, node, place):
        if isinstance(node, BRANCHING) and node not in self.rewriter.conversion.kept:
            return CONSTRUCTS[type(node)](self, node, place)
        match node:
            case gast.Global() | gast.Nonlocal() if place.moved:
                self.declarations.append(node)
                return []
            case gast.AnnAssign(target=gast.Name()) if place.moved:
                return self.without_annotation(node, place)
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
                converted = self.guarded(node, node, place)
                return [self.rewriter.visit(statement) for statement in converted]
        if isinstance(node, COMPOUND):
            return self.native(node, place)
        return self.guarded(node, node, place)

    def without_annotation(self, node, place):
        """`x: int = 1` -> `x = 1`: what is declared nonlocal cannot be annotated."""
        self.moved[node.target.id] = None
        if node.value is None:
            return quote.stmts("pass", node)
        value = self.value(node.value, node, place)
        return quote.stmts("name = value", node, name=node.target.id, value=value)

    def native(self, node, place):
        """A compound statement that stays Python: its blocks stay where they are."""
        for owner, name, key in _headers(node):
            setattr(owner, name, self.value(getattr(owner, name), key, place))
        if isinstance(node, LOOPS):
            place = replace(place, hoists=True)
        for owner, name in _bodies(node):
            statements = getattr(owner, name)
            if place.hoists:
                converted = self.block(statements, place)
            else:
                converted = self.block(statements, None, place.states.new_child())
            setattr(owner, name, converted)
        return [node]

    # -- reads that may fail -----------------------------------------------------------------------

    def value(self, expression, key, place):
        """An expression, its doubtful reads guarded; `key` is what the flow knows it by."""
        return self.guarded(expression, key, place)[0]

    def guarded(self, node, key, place):
        """A statement or expression whose reads of unbound names fail as Python's would."""
        point = self.facts[flow].before[key]
        if place.moved:
            explicit_super(node, self.node)
        if any(name in self.scope.own for name in point.activity.read | point.activity.deleted):
            unbound = self.scope.own.keys() - self.facts[DEFINED].before(key)
            if unbound:
                found = LocalReads(self.rewriter, unbound, place.moved).visit(node)
                return found if isinstance(found, list) else [found]
        return [node]

    # -- what constructs ask for -------------------------------------------------------------------

    def state_names(self, node, live):
        """The state of a statement: what it binds of `live`; asked before it is rewritten."""
        known = {**self.scope.own, **self.scope.declared}
        return tuple(name for name in activity(node).bound if name in live and name in known)

    def state(self, names, node, place):
        """The arguments `get_state, set_state, names` for a block, none where it has no state."""
        if not names:
            return []
        if names not in place.states:
            place.states[names] = self.state_functions(names, place)
        getter, setter = place.states[names]
        at = quote.span(node)
        texts = quote.tuple_of([quote.constant(name, at) for name in names], at)
        return [quote.name(getter, at), quote.name(setter, at), texts]

    def state_functions(self, names, place):
        at = place.at
        read = quote.tuple_of([quote.name(name, at) for name in names], at)
        bind = quote.tuple_of([quote.name(name, at, gast.Store) for name in names], at, gast.Store)
        getter = self.function("get_state", quote.stmts("return read", at, read=read), place)
        parameter = self.rewriter.conversion.parameter("vars_")
        assign = quote.stmts("target = vars_", at, target=bind, vars_=parameter)
        return getter, self.function("set_state", assign, place, [parameter])

    def function(self, stem, body, place, parameters=()):
        """Makes a function of `body` at the place; returns its name."""
        name = self.rewriter.fresh(stem)
        self.moved.update(activity(body).bound)
        declared = share(body, self.scope, place.at)
        new = quote.function(name, declared + body, place.at, parameters)
        self.rewriter.conversion.blocks.add(new)
        self.rewriter.conversion.variables[new] = self.scope.own
        place.functions.append(new)
        return name

    def live_after(self, node):
        """What may be read behind a statement."""
        return self.facts[LIVE].after(node)

    def live_in_loop(self, node):
        """What may be read by a loop's next turn or behind it; in the turn, what the test of a
        `while` has bound, which is evaluated at the end of the turn before."""
        live = self.facts[LIVE]
        bound = live.after(node.test) if isinstance(node, gast.While) else set()
        return live.head(node) | live.after(node) | bound


def _headers(node):
    """The expressions in the header of a compound statement: owner, field, key in the flow."""
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
