"""What stays Python: statements and functions that cannot move into a closure unchanged.

    if ready:               stays an `if`: it contains `yield`
        yield x
    try:
        ...
    finally:
        return x            stays, with all that it jumps out of: it swallows exceptions
    def f():                stays as a whole: `locals()` shows every name of the function
        return locals()

A block of code becomes a function of its own, and a few things mean something else there: `yield`
and `await` would suspend the wrong function, and a jump would leave the wrong one.  Jumps are
usually lowered (`jumps.py`); these are not, and stay Python together with what they leave:

* a jump out of a `finally`, which throws away the exception in flight;
* a jump out of a `with` inside another `with`: if the inner exit raises and the outer one swallows
  that, the jump never happened;
* a jump in a loop that stays Python, and a `return` with a `yield` or `await` behind it.

The pass changes nothing.  It notes in `conversion.kept` what stays and why; where a staged
condition reaches such a statement, the error quotes the reason.
"""

from dataclasses import dataclass, field

import gast

from autograph.analyses.completion import JUMPS
from autograph.constructs.context import FUNCTIONS, Conversion
from autograph.syntax.walk import children

BRANCHING = (gast.If, gast.While, gast.For)
LOOPS = (gast.While, gast.For, gast.AsyncFor)

# Functions that look at the local variables of their caller, and how many arguments stop that.
SEES_LOCALS = {"locals": 99, "vars": 1, "dir": 1, "eval": 2, "exec": 2}


def fence(tree: gast.AST, conversion: Conversion) -> gast.AST:
    """Notes what stays Python in every function of `tree`."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, (*FUNCTIONS, gast.Lambda)):
            reason = stays_whole(node)
            if reason is not None:
                conversion.kept[node] = reason
                continue
        if isinstance(node, FUNCTIONS):
            _Marks(conversion).block(node.body, _Surroundings())
        pending += children(node)
    return tree


def stays_whole(function: gast.AST) -> str | None:
    """Why a function or lambda stays Python as a whole, or None where it does not."""
    for decorator in getattr(function, "decorator_list", ()):
        if getattr(decorator, "attr", getattr(decorator, "id", None)) == "do_not_convert":
            return "it is decorated with do_not_convert"
    for node in within(function.body):
        match node:
            case gast.Call(func=gast.Name(id=called)) if called in SEES_LOCALS:
                given = len(node.args) + len(node.keywords)
                if given < SEES_LOCALS[called]:
                    return f"`{called}()` looks at the local variables of the function"
    return None


def within(code, scopes=()):
    """Every node of `code` (a node or a list of them) that runs as part of the same function.

    Of an expression of one of the types `scopes`, which is a function too, that is what it goes
    through.
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
    """The word by which `code` suspends the function that it stands in, or None."""
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
    """What a statement holds that concerns the code around it."""

    suspends: str | None = None
    leaves: set = field(default_factory=set)  # kinds of jump that leave it
    exits: set = field(default_factory=set)  # those of them that leave a `with` or `finally`
    fixed: dict = field(default_factory=dict)  # those that have to stay Python, and why

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
    def immovable(self):
        """Why the statement cannot stand in a block, or None."""
        if self.suspends is not None:
            return f"it contains {self.suspends}"
        return next(iter(self.fixed.values()), None)


@dataclass
class _Surroundings:
    """Where a block of statements stands: the jumps whose target stays Python, and what follows."""

    python: dict = field(default_factory=dict)
    behind: str | None = None


class _Marks:
    def __init__(self, conversion):
        self.kept = conversion.kept
        self.summaries = {}

    # -- what a statement holds --------------------------------------------------------------------

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
                return _Summary(suspends(node), {JUMPS[type(node)]})
            case gast.If():
                return self.all([*node.body, *node.orelse]).add(_Summary(suspends(node.test)))
            case gast.While() | gast.For() | gast.AsyncFor():
                return self.loop(node)
            case gast.With() | gast.AsyncWith():
                return self.with_(node)
            case gast.Try() | gast.TryStar():
                return self.try_(node)
            case gast.Match():
                parts = [statement for case in node.cases for statement in case.body]
                heads = [node.subject, *(case.guard for case in node.cases if case.guard)]
                return self.all(parts).add(_Summary(suspends(heads)))
        return _Summary(suspends(node))

    def loop(self, node):
        inside = self.all(node.body)
        heads = [node.test] if isinstance(node, gast.While) else [node.target, node.iter]
        own = inside.without({"break", "continue"})
        if {"break", "continue"} & inside.fixed.keys() and "return" in own.leaves:
            own.fixed.setdefault("return", "it jumps out of a loop that stays Python")
        own.add(self.all(node.orelse))
        own.suspends = own.suspends or suspends(heads)
        if isinstance(node, gast.AsyncFor):
            own.suspends = "`async for`"
        return own

    def with_(self, node):
        inside = self.all(node.body)
        inside.fixed.update(self.leaving_two(node))
        inside.exits = set(inside.leaves)
        word = suspends([part for item in node.items for part in _parts(item)])
        inside.suspends = inside.suspends or word
        if isinstance(node, gast.AsyncWith):
            inside.suspends = "`async with`"
        return inside

    def leaving_two(self, node):
        """The jumps that leave a `with` and, on their way to it, another exit that may raise."""
        inside = self.all(node.body)
        twice = inside.leaves if len(node.items) > 1 else inside.exits
        return dict.fromkeys(twice, "it jumps out of a `with` inside another `with`")

    def try_(self, node):
        handlers = [statement for handler in node.handlers for statement in handler.body]
        inside = self.all([*node.body, *handlers, *node.orelse])
        types = [handler.type for handler in node.handlers if handler.type is not None]
        inside.suspends = inside.suspends or suspends(types)
        if node.finalbody:
            inside.exits = set(inside.leaves)
            final = self.all(node.finalbody)
            inside.add(final)
            inside.fixed.update(dict.fromkeys(final.leaves, "it jumps out of a `finally`"))
        return inside

    # -- which statements stay ---------------------------------------------------------------------

    def block(self, statements, around):
        behind = around.behind
        for statement in reversed(statements):
            place = _Surroundings(around.python, behind)
            if JUMPS.get(type(statement)) in around.python:
                self.kept[statement] = around.python[JUMPS[type(statement)]]
            if isinstance(statement, BRANCHING):
                reason = self.reason(statement, place)
                if reason is not None:
                    self.kept[statement] = reason
            self.inside(statement, place)
            behind = behind or self.summary(statement).immovable

    def reason(self, node, around):
        summary = self.summary(node)
        if summary.immovable is not None:
            return summary.immovable
        if isinstance(node, LOOPS):
            for kind, why in self.all(node.body).fixed.items():
                if kind in ("break", "continue"):
                    return why
        for kind in sorted(summary.leaves):
            if kind in around.python:
                return around.python[kind]
            if kind == "return" and around.behind is not None:
                return f"it returns, and the code behind it stays Python ({around.behind})"
        return None

    def inside(self, node, around):
        """Marks the blocks of a compound statement."""
        match node:
            case gast.While() | gast.For() | gast.AsyncFor():
                if node in self.kept or isinstance(node, gast.AsyncFor):
                    why = "it jumps out of a loop that stays Python"
                    python = dict.fromkeys(("break", "continue", "return"), why)
                else:
                    python = {k: why for k, why in around.python.items() if k == "return"}
                self.block(node.body, _Surroundings(python, around.behind))
                self.block(node.orelse, around)
            case gast.If():
                self.block(node.body, around)
                self.block(node.orelse, around)
            case gast.With() | gast.AsyncWith():
                python = around.python | self.leaving_two(node)
                self.block(node.body, _Surroundings(python, around.behind))
            case gast.Try() | gast.TryStar():
                self.inside_try(node, around)
            case gast.Match():
                for case in node.cases:
                    self.block(case.body, around)

    def inside_try(self, node, around):
        behind = around.behind or self.all(node.finalbody).immovable
        place = _Surroundings(around.python, behind)
        self.block(node.orelse, place)
        for handler in node.handlers:
            self.block(handler.body, place)
        behind = behind or self.all(node.orelse).immovable
        self.block(node.body, _Surroundings(around.python, behind))
        why = "it jumps out of a `finally`"
        python = dict.fromkeys(("return", "break", "continue"), why)
        self.block(node.finalbody, _Surroundings(python, around.behind))


def _parts(item):
    return [part for part in (item.context_expr, item.optional_vars) if part is not None]
