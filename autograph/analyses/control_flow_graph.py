"""The control-flow graph of one function; a point is a statement or the header of one.

    while test:         test ──true──▶ body ──▶ test
        body            test ──false─▶ orelse ──▶ after
    else:
        orelse
    after               `break` ──▶ after,  `continue` ──▶ test

A point lists its successors: where control goes next, and where it goes if the point raises (the
handlers and the `finally` around it).  Paths through a `finally` are over-approximated: its end
leads to every target of a jump through it.  A nested function is one point; it has a graph of its
own.
"""

from dataclasses import dataclass, field, replace

import gast

from autograph.analyses import Facts
from autograph.analyses.activity import Activity, Code, activity, parameters


@dataclass(eq=False)
class ProgramPoint:
    """A point of the function: its effect on names, and where control goes from there."""

    activity: Activity
    next: list["ProgramPoint"] = field(default_factory=list)
    raises: list["ProgramPoint"] = field(default_factory=list)


Points = list[ProgramPoint]


@dataclass(eq=False)
class Flow:
    """The points of a function, in source order, and where each statement starts and ends."""

    points: Points
    exit: ProgramPoint
    before: dict[gast.AST, ProgramPoint]  # of a statement, test or iterable
    # of an `if`, `while`, `for`; of the test of a `while`: the start of an iteration
    after: dict[gast.AST, ProgramPoint]
    head: dict[gast.AST, ProgramPoint]  # of a loop: where it decides whether to go on


def flow(function: gast.AST, facts: Facts | None = None) -> Flow:
    """The control-flow graph of a function definition."""
    return _Builder().build(function)


@dataclass
class _Targets:
    """Where jumps and exceptions lead from a statement."""

    exit: ProgramPoint
    raises: tuple[ProgramPoint, ...] = ()
    on_break: ProgramPoint | None = None
    on_continue: ProgramPoint | None = None


class _Builder:
    """Walks the statements; each method takes the points that lead to a statement (`sources`) and
    returns those that leave it."""

    def __init__(self) -> None:
        self.points: Points = []
        self.before: dict[gast.AST, ProgramPoint] = {}
        self.after: dict[gast.AST, ProgramPoint] = {}
        self.head: dict[gast.AST, ProgramPoint] = {}

    def build(self, function: gast.AST) -> Flow:
        entry = self.point()
        entry.activity.bound.update({p.id: None for p in parameters(function.args)})
        exit_ = ProgramPoint(Activity())
        body = function.body if isinstance(function.body, list) else [function.body]
        self.join(self.block(body, [entry], _Targets(exit_)), exit_)
        self.points.append(exit_)
        return Flow(self.points, exit_, self.before, self.after, self.head)

    def point(self, code: Code | None = None, targets: _Targets | None = None) -> ProgramPoint:
        new = ProgramPoint(activity(code) if code is not None else Activity())
        if targets is not None:
            new.raises.extend(targets.raises)
        self.points.append(new)
        return new

    def join(self, sources: Points, target: ProgramPoint) -> None:
        for source in sources:
            source.next.append(target)

    def step(
        self, key: gast.AST, sources: Points, targets: _Targets, code: Code | None = None
    ) -> ProgramPoint:
        """A point for `code` (`key` itself by default) that follows `sources`."""
        self.before[key] = new = self.point(key if code is None else code, targets)
        self.join(sources, new)
        return new

    def block(self, statements: list[gast.AST], sources: Points, targets: _Targets) -> Points:
        for statement in statements:
            method = getattr(self, type(statement).__name__, self.simple)
            sources = method(statement, sources, targets)
        return sources

    def simple(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        return [self.step(node, sources, targets)]

    # -- jumps -------------------------------------------------------------------------------------

    def Return(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        self.step(node, sources, targets).next.append(targets.exit)
        return []

    def Raise(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        self.step(node, sources, targets)
        return []

    def Break(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        self.join([self.step(node, sources, targets)], _required(targets.on_break))
        return []

    def Continue(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        self.join([self.step(node, sources, targets)], _required(targets.on_continue))
        return []

    # -- branches and loops ------------------------------------------------------------------------

    def If(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        test = self.step(node.test, sources, targets)
        ends = self.block(node.body, [test], targets) + self.block(node.orelse, [test], targets)
        return self.join_after(node, ends)

    def join_after(self, node: gast.AST, ends: Points) -> Points:
        self.after[node] = after = self.point()
        self.join(ends, after)
        return [after]

    def While(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        head = self.step(node.test, sources, targets)
        self.after[node.test] = start = self.point()
        self.join([head], start)
        always = isinstance(node.test, gast.Constant) and bool(node.test.value)
        return self.loop(node, head, [start], [] if always else [head], targets)

    def For(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        head = self.point(targets=targets)
        self.join([self.step(node.iter, sources, targets)], head)
        target = self.step(node.target, [head], targets)
        return self.loop(node, head, [target], [head], targets)

    AsyncFor = For

    def loop(
        self,
        node: gast.AST,
        head: ProgramPoint,
        starts: Points,
        leaves: Points,
        targets: _Targets,
    ) -> Points:
        """A loop whose body follows `starts` and whose `else` follows `leaves`."""
        self.head[node] = head
        after = ProgramPoint(Activity())
        inside = replace(targets, on_break=after, on_continue=head)
        self.join(self.block(node.body, starts, inside), head)
        self.join(self.block(node.orelse, leaves, targets), after)
        self.points.append(after)
        self.after[node] = after
        return [after]

    # -- statements that stay Python ---------------------------------------------------------------

    def With(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        for item in node.items:
            enter = self.step(item.context_expr, sources, targets)
            if item.optional_vars is not None:
                enter = self.step(item.optional_vars, [enter], targets)
            sources = [enter]
        # The context manager may suppress an exception: control may leave the block from every
        # point inside.
        suppressed = self.point()
        inside = replace(targets, raises=(*targets.raises, suppressed))
        ends = self.block(node.body, sources, inside)
        after = self.point(targets=targets)
        self.join([*ends, suppressed], after)
        return [after]

    AsyncWith = With

    def Try(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        if not node.finalbody:
            return self.handled(node, sources, targets)
        final = self.point()
        inside = replace(
            targets,
            exit=final,
            raises=(final,),
            on_break=targets.on_break and final,
            on_continue=targets.on_continue and final,
        )
        self.join(self.handled(node, sources, inside), final)
        ends = self.block(node.finalbody, [final], targets)
        # A jump or exception that entered the `finally` continues after it.
        for target in (targets.exit, targets.on_break, targets.on_continue, *targets.raises):
            if target is not None:
                self.join(ends, target)
        return ends

    TryStar = Try

    def handled(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        """A `try` without its `finally`."""
        caught = self.point()
        inside = replace(targets, raises=(caught, *targets.raises))
        ends = self.block(node.body, sources, inside)
        ends = self.block(node.orelse, ends, targets)
        for handler in node.handlers:
            ends = ends + self.handler(handler, caught, targets)
        return ends

    def handler(self, node: gast.AST, caught: ProgramPoint, targets: _Targets) -> Points:
        code = [part for part in (node.type, node.name) if part is not None]
        start = self.step(node, [caught], targets, code)
        ends = self.block(node.body, [start], targets)
        if node.name is None:
            return ends
        forget = self.point(targets=targets)
        forget.activity.bound[node.name.id] = forget.activity.deleted[node.name.id] = None
        self.join(ends, forget)
        return [forget]

    def Match(self, node: gast.AST, sources: Points, targets: _Targets) -> Points:
        failed = [self.step(node.subject, sources, targets)]
        ends = []
        for case in node.cases:
            # A pattern binds its names only where it matches; a guard may then still fail.
            tried = self.point(targets=targets)
            self.join(failed, tried)
            matched = self.step(case.pattern, [tried], targets)
            failed = [tried]
            if case.guard is not None:
                matched = self.step(case.guard, [matched], targets)
                failed.append(matched)
            ends += self.block(case.body, [matched], targets)
        return ends + failed


def _required(target: ProgramPoint | None) -> ProgramPoint:
    """The target of a jump in a loop."""
    assert target is not None
    return target
