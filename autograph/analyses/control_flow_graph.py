"""The control flow of one function: a graph of points, each a statement or the header of one.

    while test:         test ──true──▶ body ──▶ test
        body            test ──false─▶ orelse ──▶ after
    else:
        orelse
    after               `break` ──▶ after,  `continue` ──▶ test

A point lists where control may go when it is done (`next`) and where it goes when it raises
(`raises`: the handlers and the `finally` around it).  Paths through a `finally` are
over-approximated: its end leads to every place that a jump through it may lead to.  A nested
function is one point; it has a flow of its own.
"""

from dataclasses import dataclass, field

import gast

from autograph.analyses.activity import Activity, activity, parameters


@dataclass(eq=False)
class Point:
    """A place in the function: what happens to names there, and where control goes from there."""

    activity: Activity
    next: list = field(default_factory=list)
    raises: list = field(default_factory=list)


@dataclass(eq=False)
class Flow:
    """The points of a function, in source order, and where each statement starts and ends."""

    points: list
    exit: Point
    before: dict  # statement, test or iterable -> its point
    after: dict  # if, while, for -> the point behind it; test of a while -> the start of a turn
    head: dict  # loop -> the point at which it decides whether to go on


def flow(function: gast.AST, facts=None) -> Flow:
    """The control flow of a function definition."""
    return _Builder().build(function)


@dataclass
class _Around:
    """Where jumps and exceptions lead from a place in the code."""

    exit: Point
    raises: tuple = ()
    on_break: Point | None = None
    on_continue: Point | None = None

    def inside(self, **changes):
        return _Around(**{**self.__dict__, **changes})


class _Builder:
    """Walks the statements; each method takes the points that lead to a statement (`sources`) and
    returns those that leave it."""

    def __init__(self):
        self.points, self.before, self.after, self.head = [], {}, {}, {}

    def build(self, function):
        entry = self.point()
        entry.activity.bound.update({p.id: None for p in parameters(function.args)})
        exit_ = Point(Activity())
        body = function.body if isinstance(function.body, list) else [function.body]
        self.join(self.block(body, [entry], _Around(exit_)), exit_)
        self.points.append(exit_)
        return Flow(self.points, exit_, self.before, self.after, self.head)

    def point(self, code=None, around=None):
        new = Point(activity(code) if code is not None else Activity())
        if around is not None:
            new.raises.extend(around.raises)
        self.points.append(new)
        return new

    def join(self, sources, target):
        for source in sources:
            source.next.append(target)

    def step(self, key, sources, around, code=None):
        """A point for `code` (`key` itself by default) that follows `sources`."""
        self.before[key] = new = self.point(key if code is None else code, around)
        self.join(sources, new)
        return new

    def block(self, statements, sources, around):
        for statement in statements:
            method = getattr(self, type(statement).__name__, self.simple)
            sources = method(statement, sources, around)
        return sources

    def simple(self, node, sources, around):
        return [self.step(node, sources, around)]

    # -- jumps -------------------------------------------------------------------------------------

    def Return(self, node, sources, around):
        self.step(node, sources, around).next.append(around.exit)
        return []

    def Raise(self, node, sources, around):
        self.step(node, sources, around)
        return []

    def Break(self, node, sources, around):
        self.step(node, sources, around).next.append(around.on_break)
        return []

    def Continue(self, node, sources, around):
        self.step(node, sources, around).next.append(around.on_continue)
        return []

    # -- branches and loops ------------------------------------------------------------------------

    def If(self, node, sources, around):
        test = self.step(node.test, sources, around)
        ends = self.block(node.body, [test], around) + self.block(node.orelse, [test], around)
        return self.join_after(node, ends)

    def join_after(self, node, ends):
        self.after[node] = after = self.point()
        self.join(ends, after)
        return [after]

    def While(self, node, sources, around):
        head = self.step(node.test, sources, around)
        self.after[node.test] = turn = self.point()
        self.join([head], turn)
        always = isinstance(node.test, gast.Constant) and bool(node.test.value)
        return self.loop(node, head, [turn], [] if always else [head], around)

    def For(self, node, sources, around):
        head = self.point(around=around)
        self.join([self.step(node.iter, sources, around)], head)
        target = self.step(node.target, [head], around)
        return self.loop(node, head, [target], [head], around)

    AsyncFor = For

    def loop(self, node, head, starts, leaves, around):
        """A loop whose body follows `starts` and whose `else` follows `leaves`."""
        self.head[node] = head
        after = Point(Activity())
        inside = around.inside(on_break=after, on_continue=head)
        self.join(self.block(node.body, starts, inside), head)
        self.join(self.block(node.orelse, leaves, around), after)
        self.points.append(after)
        self.after[node] = after
        return [after]

    # -- statements that stay Python ---------------------------------------------------------------

    def With(self, node, sources, around):
        for item in node.items:
            enter = self.step(item.context_expr, sources, around)
            if item.optional_vars is not None:
                enter = self.step(item.optional_vars, [enter], around)
            sources = [enter]
        # The context may swallow an exception: from every point inside, control may leave the
        # block.
        swallowed = self.point()
        inside = around.inside(raises=(*around.raises, swallowed))
        ends = self.block(node.body, sources, inside)
        after = self.point(around=around)
        self.join([*ends, swallowed], after)
        return [after]

    AsyncWith = With

    def Try(self, node, sources, around):
        if not node.finalbody:
            return self.handled(node, sources, around)
        final = self.point()
        inside = around.inside(
            exit=final,
            raises=(final,),
            on_break=around.on_break and final,
            on_continue=around.on_continue and final,
        )
        self.join(self.handled(node, sources, inside), final)
        ends = self.block(node.finalbody, [final], around)
        # Whatever led into the `finally` is taken up again behind it.
        for place in (around.exit, around.on_break, around.on_continue, *around.raises):
            if place is not None:
                self.join(ends, place)
        return ends

    TryStar = Try

    def handled(self, node, sources, around):
        """A `try` without its `finally`."""
        caught = self.point()
        inside = around.inside(raises=(caught, *around.raises))
        ends = self.block(node.body, sources, inside)
        ends = self.block(node.orelse, ends, around)
        for handler in node.handlers:
            ends = ends + self.handler(handler, caught, around)
        return ends

    def handler(self, node, caught, around):
        code = [part for part in (node.type, node.name) if part is not None]
        start = self.step(node, [caught], around, code)
        ends = self.block(node.body, [start], around)
        if node.name is None:
            return ends
        forget = self.point(around=around)
        forget.activity.bound[node.name.id] = forget.activity.deleted[node.name.id] = None
        self.join(ends, forget)
        return [forget]

    def Match(self, node, sources, around):
        failed = [self.step(node.subject, sources, around)]
        ends = []
        for case in node.cases:
            # A pattern binds its names only where it matches; a guard may then still fail.
            tried = self.point(around=around)
            self.join(failed, tried)
            matched = self.step(case.pattern, [tried], around)
            failed = [tried]
            if case.guard is not None:
                matched = self.step(case.guard, [matched], around)
                failed.append(matched)
            ends += self.block(case.body, [matched], around)
        return ends + failed
