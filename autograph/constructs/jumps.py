"""`break`, `continue`, `return`: one idea, a jump to the end of an enclosing region.

    for x in xs:                          stop = False
        if x < 0:                         for x in xs:  (while not stop)
            continue                          if x < 0:
        if x > limit:          ->                 pass
            break                             elif x > limit:
        total += x                                stop = True
                                              else:
                                                  total += x

    if x > 0:                             if x > 0:
        return x               ->             result = x
    return 0                              else:
                                              result = 0
                                          return result

A block that becomes a closure cannot jump out of it.  Most jumps need no jump:

* at the end of its region a jump does nothing (a `continue` at the end of the loop's body);
* code after a branch that always jumps belongs to the other branch;
* any other jump sets a flag (`stop`, `skip`, `returned`), which the following code tests.

If each `return` of a function returns one variable, which nothing can bind again after a jump, the
function needs no `result`: it returns that variable at its end.

Jumps that no closure separates from their target are not changed.  A `for` tests its flags at the
end of its body, in an `if` with a `break`; `conversion.exits` has it, and `for_.py` makes it the
loop's test.

That flags suffice is the structured program theorem (Böhm and Jacopini, 1966).
"""

import gast

from autograph.analyses.activity import activity
from autograph.analyses.completion import JUMPS, Completion, is_true
from autograph.constructs.context import Rewriter
from autograph.constructs.scoping import declare_local, put_first
from autograph.constructs.unconvertible import BRANCHING, within
from autograph.syntax import quote

NONE = frozenset()
RETURN = frozenset({"return"})
CONTINUE = frozenset({"continue"})

STEMS = {"break": "stop", "continue": "skip", "return": "returned", "result": "result"}


class Jumps(Rewriter):
    """Lowers the jumps of every function in a tree."""

    def visit_FunctionDef(self, node):
        if node in self.conversion.unconverted:
            return node
        node.body = [self.visit(statement) for statement in node.body]
        return _JumpLowering(self).lower(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def generic_visit(self, node):
        """Visits the statements in a statement."""
        for name in ("body", "handlers", "cases", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if block.__class__ is list:
                block[:] = self.visited(block)
        return node


class _JumpLowering:
    """Lowers the jumps of one function.

    `block` and `compound` return the lowered code, and the kinds of jump for which it may have set
    a flag.  `tail` has the kinds that reaching the end of the code performs anyway, `native` those
    that can stay jumps because no closure separates the code from their target.
    """

    def __init__(self, rewriter):
        self.rewriter = rewriter
        self.loops = []  # for each enclosing loop, its flags: {"break": name, "continue": name}
        self.returns = {}  # the names of `result` and `returned`, if they are needed
        self.only_result = None  # the variable that each `return` returns, if it is one variable
        self.dead = []  # unreachable statements that were removed
        self.completion = Completion()

    def lower(self, function):
        falls = self.completion.falls_through(function.body)
        self.only_result = None if falls else _only_result(function)
        body, _ = self.block(function.body, RETURN, RETURN)
        function.body = body
        if self.returns:
            at = quote.span(function)
            start = self.set("result", None, at) if falls else []
            if "return" in self.returns:
                if not falls:
                    start += self.set("result", self.rewriter.expr("ag__.unset", at), at)
                start += self.set("return", False, at)
            if Completion().falls_through(body):
                body += self.return_result(at)
            put_first(function, start)
        self.keep_dead_names(function)
        return function

    def keep_dead_names(self, function):
        """Preserves which names unreachable code makes local, global or nonlocal."""
        if self.dead:
            said = [n for n in within(self.dead) if isinstance(n, (gast.Global, gast.Nonlocal))]
            declared = {name for statement in said for name in statement.names}
            lost = [n for n in activity(self.dead).bound if n not in declared]
            declare_local(function, lost, self.rewriter.conversion.survey.kinds)
            put_first(function, said)

    # -- flags -------------------------------------------------------------------------------------

    def flag(self, kind):
        """The variable that is true after a jump of this kind, or that has the `result`."""
        flags = self.returns if kind in ("result", "return") else self.loops[-1]
        if kind not in flags:
            own = self.only_result if kind == "result" else None
            flags[kind] = own or self.rewriter.fresh(STEMS[kind])
        return flags[kind]

    def set(self, kind, value, at):
        if kind == "result" and self.flag(kind) == self.only_result:
            return []
        value = value if isinstance(value, gast.AST) else quote.constant(value, at)
        return quote.stmts("flag = value", at, flag=self.flag(kind), value=value)

    def return_result(self, at):
        return quote.stmts("return result", at, result=self.flag("result"))

    def none_of(self, kinds, at):
        """The test that no flag of these kinds is set."""
        names = [quote.name(self.flag(kind), at) for kind in sorted(kinds)]
        flags = names[0] if len(names) == 1 else gast.BoolOp(op=gast.Or(), values=names)
        return quote.expr("not flags", at, flags=quote.span(at).place(flags))

    def unless(self, kinds, statements, at):
        """`statements` as the body of an `if` that tests the flags."""
        test = self.none_of(kinds, at)
        return quote.span(at).place(gast.If(test=test, body=statements, orelse=[]))

    # -- blocks ------------------------------------------------------------------------------------

    def block(self, statements, tail, native=NONE):
        done, raised = [], set()
        for i, node in enumerate(statements):
            rest = statements[i + 1 :]
            kind = JUMPS.get(type(node))
            if kind is not None:
                flagged = {kind} - tail - native
                return done + self.jump(node, kind, tail, native, rest), raised | flagged
            closure = self.is_closure(node)
            returns = closure and "return" in native & self.completion.leaving(node)
            if returns and not self.completion.completes(node):
                lowered, _ = self.compound(node, RETURN, NONE)
                self.dead += rest
                return done + lowered + self.return_result(node), raised
            if closure and rest and self.completion.leaving(node):
                rest = self.moved_into_branch(node, rest)
            lowered, now = self.compound(node, NONE if rest else tail, NONE if closure else native)
            done += lowered
            raised |= now
            if not rest:
                break
            if not now:
                continue
            ends = "return" in native and not self.completion.falls_through(rest)
            rest, more = self.body(rest, RETURN if ends else tail, NONE)
            done.append(self.unless(now, rest, node))
            return done + (self.return_result(node) if ends else []), raised | more
        return done, raised

    def body(self, statements, tail, native):
        """Like `block`, for a block that cannot be empty."""
        at = quote.span(statements[0])
        done, raised = self.block(statements, tail, native)
        return done or [at.place(gast.Pass())], raised

    def jump(self, node, kind, tail, native, rest):
        if kind in native:
            unreachable, _ = self.block(rest, tail, native)
            return [node, *unreachable]
        self.dead += rest
        lowered = []
        if kind == "return":
            lowered = self.set("result", node.value, node)
        return lowered if kind in tail else lowered + self.set(kind, True, node)

    def is_closure(self, node):
        return isinstance(node, BRANCHING) and node not in self.rewriter.conversion.unconverted

    # -- compound statements -----------------------------------------------------------------------

    def compound(self, node, tail, native):
        match node:
            case gast.If():
                node.body, first = self.body(node.body, tail, native)
                node.orelse, second = self.block(node.orelse, tail, native)
                return [node], first | second
            case gast.While() | gast.For() | gast.AsyncFor():
                lower = self.loop if self.is_closure(node) else self.kept_loop
                return lower(node, tail, native)
            case gast.With() | gast.AsyncWith():
                return self.with_(node, tail, native)
            case gast.Try() | gast.TryStar():
                return [node], self.try_(node, tail, native)
            case gast.Match():
                raised = set()
                for case in node.cases:
                    case.body, now = self.body(case.body, tail, native)
                    raised |= now
                return [node], raised
        return [node], set()

    def loop(self, node, tail, native):
        at = quote.span(node)
        self.loops.append({})
        body, raised = self.body(node.body, CONTINUE, NONE)
        stops = raised - CONTINUE
        if "continue" in raised:
            body = self.set("continue", False, at) + body
        before = self.set("break", False, at) if "break" in raised else []
        otherwise = None
        if stops:
            body = self.test_flags(node, body, stops)
            otherwise = self.unless(stops, [], node)
        self.loops.pop()
        node.body = body
        orelse, more = self.block(node.orelse, tail, NONE if stops else native)
        node.orelse = []
        if orelse and otherwise is not None:
            otherwise.body = orelse
            orelse = [otherwise]
        return [*before, node, *orelse], raised & RETURN | more

    def test_flags(self, node, body, stops):
        """Makes a loop test its flags; returns its body."""
        if isinstance(node, gast.For):
            # After the body, so that nothing is taken from the iterator once the loop is left.
            flags = self.none_of(stops, node).operand
            leave = quote.stmts("if flags:\n    break", node, flags=flags)
            self.rewriter.conversion.exits[node] = leave[0]
            return body + leave
        test = self.none_of(stops, node)
        if not is_true(node.test):
            test = gast.BoolOp(op=gast.And(), values=[test, node.test])
            quote.span(node.test).place(test)
            self.rewriter.conversion.conditions[test] = True
        node.test = test
        return body

    def kept_loop(self, node, tail, native):
        self.loops.append({})
        node.body, _ = self.block(node.body, NONE, native | {"break", "continue"})
        self.loops.pop()
        node.orelse, raised = self.block(node.orelse, tail, native)
        return [node], raised

    def with_(self, node, tail, native):
        """A `with`.  It may suppress an exception of an exit inside of it, which cancels a jump:

        with a, b:                        completed = False
            if x > 0:                     with a:
                return x      ->              with b:
            y = f(x)                              ...
                                              completed = True
                                          if not completed:
                                              returned = False
        """
        if not self.may_suppress_jump(node, native):
            node.body, raised = self.body(node.body, tail, native)
            return [node], raised
        at = quote.span(node)
        if len(node.items) > 1:
            inner = at.place(gast.With(items=node.items[1:], body=node.body, type_comment=None))
            node.items, node.body = node.items[:1], [inner]
        node.body, raised = self.body(node.body, NONE, native)
        if not raised:
            return [node], raised
        completed = self.rewriter.fresh("completed")
        before, end = (
            quote.stmts("flag = value", at, flag=completed, value=quote.constant(value, at))
            for value in (False, True)
        )
        node.body += end
        test = quote.expr("not flag", at, flag=completed)
        cancels = at.place(gast.If(test=test, body=self.cancelled(raised, at), orelse=[]))
        self.rewriter.conversion.unconverted[cancels] = "its test is known"
        return [*before, node, cancels], raised

    def may_suppress_jump(self, node, native):
        """Whether a `with` may suppress an exception of another exit, by which a jump leaves that
        is lowered."""
        if isinstance(node, gast.AsyncWith):
            return False
        inside = list(within(node.body))
        exits = len(node.items) > 1 or any(map(self.may_cancel, inside))
        closures = filter(self.is_closure, inside)
        is_lowered = any(JUMPS[type(one)] not in native for one in _jumps(inside))
        return exits and (is_lowered or any(map(self.completion.leaving, closures)))

    def try_(self, node, tail, native):
        # An exit that raises cancels a jump; the handler must not find its flag set.
        cancels = any(map(self.may_cancel, within(node.body))) and bool(node.handlers)
        body_tail = NONE if node.orelse or cancels else tail
        node.body, raised = self.body(node.body, body_tail, native)
        orelse, more = self.block(node.orelse, tail, NONE if raised else native)
        node.orelse = [self.unless(raised, orelse, node)] if raised and orelse else orelse
        for handler in node.handlers:
            handler.body, now = self.body(handler.body, tail, native)
            if cancels:
                handler.body = self.cancel(raised, handler) + handler.body
            more |= now
        node.finalbody, _ = self.block(node.finalbody, NONE, native)
        return raised | more

    def cancel(self, kinds, handler):
        at = quote.Span(handler.lineno, handler.col_offset, handler.lineno, handler.col_offset + 6)
        return self.cancelled(kinds, at)

    def cancelled(self, kinds, at):
        """The code that cancels jumps of these kinds."""
        lowered = [flag for kind in sorted(kinds) for flag in self.set(kind, False, at)]
        return lowered + (self.set("result", None, at) if "return" in kinds else [])

    def may_cancel(self, node):
        match node:
            case gast.With() | gast.AsyncWith():
                exits = True
            case gast.Try() | gast.TryStar():
                # The last block may end by an exception itself: then no jump leaves the statement.
                exits = bool(node.finalbody) and any(_jumps(within(node.body)))
                return exits or bool(node.finalbody) and bool(self.completion.leaving(node))
            case _:
                exits = False
        return exits and bool(self.completion.leaving(node))

    def moved_into_branch(self, node, rest):
        """Moves code after an `if` into the branch that does not jump; returns the rest."""
        if isinstance(node, gast.If):
            for taken, other in ((node.body, node.orelse), (node.orelse, node.body)):
                if not self.completion.falls_through(taken):
                    other += rest
                    self.completion.forget(node)
                    return []
        return rest


def _only_result(function):
    """The variable that each `return` of a function returns, if it can as well be read at the end:
    it is bound all along, and no code runs between a jump and the end of the function."""
    returned, first = set(), set(_parameters(function))
    for node in within(function.body):
        match node:
            case gast.Return(value=gast.Name(id=name)):
                returned.add(name)
            case gast.Return() | gast.With() | gast.AsyncWith() | gast.Try() | gast.TryStar():
                return None
            case gast.Delete() | gast.Global() | gast.Nonlocal():
                return None
    for node in function.body:
        if isinstance(node, BRANCHING):
            break
        if isinstance(node, gast.Assign):
            first.update(target.id for target in node.targets if isinstance(target, gast.Name))
    return min(returned) if len(returned) == 1 and returned <= first else None


def _parameters(function):
    given = function.args
    return [one.id for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _jumps(nodes):
    """The statements among some nodes that jump."""
    return [node for node in nodes if type(node) in JUMPS]
