"""`match` statements that compare, or that have guards.

    match point:                        def case_of(subject):
        case (0, y):                        nonlocal y, x
            up(y)                           match subject:
        case (x, _) if x > 9:                   case (0, y):
            far(x)                                  return 0
                                  ->            case (x, _) if x > 9:
                                                    return 1
                                            return -1
                                        choice = ag__.choice(case_of, point)
                                        if choice == 0:
                                            up(y)
                                        elif choice == 1:
                                            far(x)

Python itself chooses the case, in a function without side effects of its own.  If a comparison in a
pattern, or a guard, is staged, a backend runs that function once per path.  A `match` that tests
only the structure, and strings in it, stays: `match ag__.matched(point)` lets a backend refuse a
subject whose structure is not known.
"""

import gast

from autograph import backend
from autograph.analyses import Facts
from autograph.analyses.activity import activity, scope
from autograph.analyses.completion import matches_anything
from autograph.analyses.dataflow import DEFINED
from autograph.constructs.context import Rewriter
from autograph.constructs.scoping import declare_local, explicit_super, first_parameter, share
from autograph.constructs.unbound_reads import LocalReads
from autograph.constructs.unconvertible import suspends, why_unconvertible, within
from autograph.functions.frames import hide_operators
from autograph.syntax import quote
from autograph.syntax.walk import walk


class Match(Rewriter):
    """Rewrites `match` statements."""

    def __init__(self, conversion):
        super().__init__(conversion)
        self.function = None
        self.owner = None
        self.hoisted = {}
        self.unbound = {}  # for each pattern and guard, the variables that may be unbound there

    def visit_FunctionDef(self, node):
        if why_unconvertible(node) is not None:
            return node
        outer = self.function, self.owner, self.hoisted
        self.function, self.owner, self.hoisted = node, scope(node), {}
        self.unbound |= _unbound_at_heads(node, self.owner.own)
        self.generic_visit(node)
        if self.hoisted:
            declare_local(node, self.hoisted, self.conversion.survey.kinds)
        self.function, self.owner, self.hoisted = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        outer, self.function = self.function, None
        self.generic_visit(node)
        self.function = outer
        return node

    def visit_Match(self, node):
        self.generic_visit(node)
        if self.function is None:
            return node
        heads = [part for case in node.cases for part in (case.pattern, case.guard) if part]
        stays = not _may_be_staged(node) or suspends(heads) is not None
        if stays or any(map(self.may_fail, node.cases)):
            node.subject = self.expr("ag__.matched(x)", node.subject, x=node.subject)
            return node
        return self.chosen_by_number(node, heads)

    def may_fail(self, case):
        """Whether a pattern may read an unbound variable, which cannot be guarded."""
        return any(name in self.unbound[case.pattern] for name in activity(case.pattern).read)

    def chosen_by_number(self, node, heads):
        """The function that chooses the case, its call, and the branches."""
        explicit_super(heads, first_parameter(self.function))
        at = quote.span(node)
        self.hoisted.update({n: None for n in activity(heads).bound if n in self.owner.own})
        subject, name, choice = (self.fresh(stem) for stem in ("subject", "case_of", "choice"))
        decision = at.place(gast.Match(subject=quote.name(subject, at), cases=[]))
        bodies = []
        for number, case in enumerate(node.cases):
            bodies.append(case.body)
            if case.guard is not None:
                unbound = self.unbound[case.guard]
                case.guard = LocalReads(self, unbound, is_hoisted=True).visit(case.guard)
            case.body = quote.stmts("return n", quote.span(case.pattern), n=_number(number, at))
            decision.cases.append(case)
        last = node.cases[-1]
        is_certain = last.guard is None and matches_anything(last.pattern)
        body = [*share(activity(heads).bound, self.owner, at), decision]
        body += [] if is_certain else quote.stmts("return -1", at)
        (function,) = quote.stmts("def f(subject): pass", at, f=name, subject=subject)
        function.body = body
        call = self.stmts(
            "choice = ag__.choice(f, value)", at, choice=choice, f=name, value=node.subject
        )
        last = bodies.pop() if is_certain else []
        return [function, *call, *self.branches(choice, bodies, last, at)]

    def branches(self, choice, bodies, last, at):
        """`if choice == 0: ... elif choice == 1: ... else: ...`"""
        chain = last
        for number, body in reversed(list(enumerate(bodies))):
            test = quote.expr("choice == n", at, choice=choice, n=_number(number, at))
            chain = [at.place(gast.If(test=test, body=body, orelse=chain))]
        return chain


def _unbound_at_heads(function, own):
    """For each pattern and guard in a function, the variables that may be unbound there."""
    cases = [n for n in within(function.body) if isinstance(n, gast.match_case)]
    heads = [part for case in cases for part in (case.pattern, case.guard) if part is not None]
    if not heads:
        return {}
    defined = Facts(function)[DEFINED]
    return {head: own.keys() - defined.before(head) for head in heads}


def _number(number, at):
    return quote.constant(number, at)


def _may_be_staged(node):
    """Whether choosing the case evaluates a guard, tests a class or for None, or compares the
    subject or something else than a string."""
    if any(case.guard is not None for case in node.cases):
        return True
    whole = {id(one) for case in node.cases for one in _alternatives(case.pattern)}
    for case in node.cases:
        for part in walk(case.pattern):
            if isinstance(part, (gast.MatchClass, gast.MatchSingleton)):
                return True
            if isinstance(part, gast.MatchValue) and (
                id(part) in whole or not _is_string(part.value)
            ):
                return True
    return False


def _alternatives(pattern):
    """The patterns of which one has to match the whole subject."""
    if isinstance(pattern, gast.MatchOr):
        return [one for part in pattern.patterns for one in _alternatives(part)]
    if isinstance(pattern, gast.MatchAs) and pattern.pattern is not None:
        return _alternatives(pattern.pattern)
    return [pattern]


def _is_string(value):
    return isinstance(value, gast.Constant) and isinstance(value.value, (str, bytes))


def choice(case_of, subject):
    """The index of the case that a subject matches, -1 if it matches none."""
    try:
        if backend.may_be_staging:
            return backend.active().choice(case_of, subject)
        return case_of(subject)
    except BaseException as error:
        hide_operators(error)
        raise


def matched(subject):
    """The subject of a `match` that stays Python."""
    if backend.may_be_staging:
        backend.active().check_subject(subject)
    return subject
