"""Finds the statements and functions that stay Python, because they cannot move into a closure.

    if ready:               is not converted: it contains `yield`
        yield x
    try:
        ...
    finally:
        return x            is not converted, nor are statements it leaves: it discards exceptions
    def f():                is not converted at all: `locals()` reads every name of the function
        return locals()

A block of code becomes a function of its own, where some statements have another meaning: `yield`
and `await` would suspend the wrong function, and a jump would leave the wrong one.  Jumps are
usually lowered (`jumps.py`); these are not, and stay Python with the statements that they leave:

* a jump out of a `finally`, which discards the exception in flight;
* a jump out of an `async with` and another exit: if the inner exit raises and the outer one
  suppresses that, the jump does not happen;
* a jump in a loop that stays Python, and a `return` before code that contains `yield` or `await`.

The pass changes nothing.  It records these nodes in `conversion.unconverted`, with the reason; if a
staged condition reaches such a statement, the error quotes the reason.
"""

from dataclasses import dataclass, field

import gast

from autograph.analyses.completion import JUMPS
from autograph.constructs.context import FUNCTIONS, Conversion
from autograph.syntax.walk import children

BRANCHING = (gast.If, gast.While, gast.For)
LOOPS = (gast.While, gast.For, gast.AsyncFor)

# Functions that read the local variables of their caller, if they get fewer arguments than this.
SEES_LOCALS = {"locals": 99, "vars": 1, "dir": 1, "eval": 2, "exec": 2}


# Kinds of node without which no function is suspended (an `async` comprehension is in the last).
SUSPENDING = (
    *(gast.Yield, gast.YieldFrom, gast.Await, gast.AsyncFor, gast.AsyncWith),
    gast.AsyncFunctionDef,
)
# Without one of these kinds and names, everything can be converted.
SUSPECTS = (*SUSPENDING, gast.With, gast.Try, gast.TryStar)
_NAMES = frozenset(SEES_LOCALS) | {"do_not_convert"}


def find_unconvertible(tree: gast.AST, conversion: Conversion) -> gast.AST:
    """Records the unconvertible code in every function of `tree`."""
    found = conversion.survey
    if found.kinds.isdisjoint(SUSPECTS) and _NAMES.isdisjoint(found.names | found.attributes):
        return tree
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, (*FUNCTIONS, gast.Lambda)):
            reason = why_unconvertible(node)
            if reason is not None:
                conversion.unconverted[node] = reason
                continue
        if isinstance(node, FUNCTIONS):
            _Finder(conversion).block(node.body, _Surroundings())
        pending += children(node)
    return tree


def why_unconvertible(function: gast.AST) -> str | None:
    """Why a function or lambda stays Python as a whole; None if it does not."""
    for decorator in getattr(function, "decorator_list", ()):
        if getattr(decorator, "attr", getattr(decorator, "id", None)) == "do_not_convert":
            return "it is decorated with do_not_convert"
    for node in within(function.body):
        if node.__class__ is not gast.Call or not isinstance(node.func, gast.Name):
            continue
        called = node.func.id
        if len(node.args) + len(node.keywords) < SEES_LOCALS.get(called, 0):
            return f"`{called}()` looks at the local variables of the function"
    return None


def within(code, scopes=()):
    """Every node of `code` (a node or a list of them) that runs as part of the same function.

    An expression of one of the types `scopes` is a function too; only its first iterable runs here.
    """
    pending = list(code) if isinstance(code, list) else [code]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, (*FUNCTIONS, gast.Lambda)):
            outside = [*getattr(node, "decorator_list", ()), *node.args.defaults]
            pending += outside + [value for value in node.args.kw_defaults if value is not None]
        elif isinstance(node, scopes):
            pending.append(node.generators[0].iter)
        else:
            pending += children(node)


def suspends(code) -> str | None:
    """The keyword with which `code` suspends its function, or None."""
    for node in within(code):
        match node:
            case gast.Yield() | gast.YieldFrom():
                return "`yield`"
            case gast.Await():
                return "`await`"
            case gast.AsyncFor():
                return "`async for`"
            case gast.AsyncWith():
                return "`async with`"
            case gast.comprehension(is_async=1):
                return "`async for`"
    return None


@dataclass
class _Summary:
    """Properties of a statement that concern the code around it."""

    suspends: str | None = None
    leaves: set = field(default_factory=set)  # kinds of jump that leave the statement
    exits: set = field(default_factory=set)  # kinds that leave a `with` or `finally`
    fixed: dict = field(default_factory=dict)  # kinds that have to stay Python, and why

    def add(self, other):
        self.suspends = self.suspends or other.suspends
        self.leaves |= other.leaves
        self.exits |= other.exits
        self.fixed.update(other.fixed)
        return self

    def without(self, kinds):
        return _Summary(
            self.suspends,
            self.leaves - kinds,
            self.exits - kinds,
            {kind: why for kind, why in self.fixed.items() if kind not in kinds},
        )

    @property
    def unconvertible(self):
        """Why the statement cannot be part of a block function, or None."""
        if self.suspends is not None:
            return f"it contains {self.suspends}"
        return next(iter(self.fixed.values()), None)


@dataclass
class _Surroundings:
    """The surroundings of a block: jumps whose target stays Python, and why later code does."""

    python: dict = field(default_factory=dict)
    following: str | None = None


class _Finder:
    def __init__(self, conversion):
        self.unconverted = conversion.unconverted
        self.summaries = {}
        self.may_suspend = conversion.has_any(SUSPENDING)

    def word(self, code):
        """The keyword with which `code` suspends its function, or None."""
        return suspends(code) if self.may_suspend else None

    # -- properties of statements ------------------------------------------------------------------

    def summary(self, node):
        if node not in self.summaries:
            self.summaries[node] = self.summarize(node)
        return self.summaries[node]

    def all(self, nodes):
        total = _Summary()
        for node in nodes:
            total.add(self.summary(node))
        return total

    def summarize(self, node):
        match node:
            case gast.Return() | gast.Break() | gast.Continue():
                return _Summary(self.word(node), {JUMPS[type(node)]})
            case gast.If():
                return self.all([*node.body, *node.orelse]).add(_Summary(self.word(node.test)))
            case gast.While() | gast.For() | gast.AsyncFor():
                return self.loop(node)
            case gast.With() | gast.AsyncWith():
                return self.with_(node)
            case gast.Try() | gast.TryStar():
                return self.try_(node)
            case gast.Match():
                parts = [statement for case in node.cases for statement in case.body]
                heads = [node.subject, *(case.guard for case in node.cases if case.guard)]
                return self.all(parts).add(_Summary(self.word(heads)))
        return _Summary(self.word(node))

    def loop(self, node):
        inside = self.all(node.body)
        heads = [node.test] if isinstance(node, gast.While) else [node.target, node.iter]
        own = inside.without({"break", "continue"})
        if {"break", "continue"} & inside.fixed.keys() and "return" in own.leaves:
            own.fixed.setdefault("return", "it jumps out of a loop that stays Python")
        own.add(self.all(node.orelse))
        own.suspends = own.suspends or self.word(heads)
        if isinstance(node, gast.AsyncFor):
            own.suspends = "`async for`"
        return own

    def with_(self, node):
        inside = self.all(node.body)
        inside.fixed.update(self.leaving_two(node))
        inside.exits = set(inside.leaves)
        word = self.word([part for item in node.items for part in _parts(item)])
        inside.suspends = inside.suspends or word
        if isinstance(node, gast.AsyncWith):
            inside.suspends = "`async with`"
        return inside

    def leaving_two(self, node):
        """The jumps that leave an `async with` and also another exit that may raise."""
        if isinstance(node, gast.With):
            return {}
        inside = self.all(node.body)
        twice = inside.leaves if len(node.items) > 1 else inside.exits
        return dict.fromkeys(twice, "it jumps out of a `with` inside another `with`")

    def try_(self, node):
        handlers = [statement for handler in node.handlers for statement in handler.body]
        inside = self.all([*node.body, *handlers, *node.orelse])
        types = [handler.type for handler in node.handlers if handler.type is not None]
        inside.suspends = inside.suspends or self.word(types)
        if node.finalbody:
            inside.exits = set(inside.leaves)
            final = self.all(node.finalbody)
            inside.add(final)
            inside.fixed.update(dict.fromkeys(final.leaves, "it jumps out of a `finally`"))
        return inside

    # -- finding -----------------------------------------------------------------------------------

    def block(self, statements, around):
        following = around.following
        for statement in reversed(statements):
            place = _Surroundings(around.python, following)
            if JUMPS.get(type(statement)) in around.python:
                self.unconverted[statement] = around.python[JUMPS[type(statement)]]
            if isinstance(statement, BRANCHING):
                reason = self.reason(statement, place)
                if reason is not None:
                    self.unconverted[statement] = reason
            self.inside(statement, place)
            following = following or self.summary(statement).unconvertible

    def reason(self, node, around):
        summary = self.summary(node)
        if summary.unconvertible is not None:
            return summary.unconvertible
        if isinstance(node, LOOPS):
            for kind, why in self.all(node.body).fixed.items():
                if kind in ("break", "continue"):
                    return why
        for kind in sorted(summary.leaves):
            if kind in around.python:
                return around.python[kind]
            if kind == "return" and around.following is not None:
                return f"it returns, and the code after it stays Python ({around.following})"
        return None

    def inside(self, node, around):
        """Visits the blocks of a compound statement."""
        match node:
            case gast.While() | gast.For() | gast.AsyncFor():
                if node in self.unconverted or isinstance(node, gast.AsyncFor):
                    why = "it jumps out of a loop that stays Python"
                    python = dict.fromkeys(("break", "continue", "return"), why)
                else:
                    python = {k: why for k, why in around.python.items() if k == "return"}
                self.block(node.body, _Surroundings(python, around.following))
                self.block(node.orelse, around)
            case gast.If():
                self.block(node.body, around)
                self.block(node.orelse, around)
            case gast.With() | gast.AsyncWith():
                python = around.python | self.leaving_two(node)
                self.block(node.body, _Surroundings(python, around.following))
            case gast.Try() | gast.TryStar():
                self.inside_try(node, around)
            case gast.Match():
                for case in node.cases:
                    self.block(case.body, around)

    def inside_try(self, node, around):
        following = around.following or self.all(node.finalbody).unconvertible
        place = _Surroundings(around.python, following)
        self.block(node.orelse, place)
        for handler in node.handlers:
            self.block(handler.body, place)
        following = following or self.all(node.orelse).unconvertible
        self.block(node.body, _Surroundings(around.python, following))
        why = "it jumps out of a `finally`"
        python = dict.fromkeys(("return", "break", "continue"), why)
        self.block(node.finalbody, _Surroundings(python, around.following))


def _parts(item):
    return [part for part in (item.context_expr, item.optional_vars) if part is not None]
