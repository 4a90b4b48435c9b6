"""The random programs are strong enough to find a fault planted in the converter.

The faults are those of other converters of this kind.  Each is a pass, run before the others, that
changes the user's code as such a converter would.
"""

import copy
import functools
import itertools
import warnings

import gast
import pytest
from fuzz import differs, programs
from prefixes import converted_by

import autograph
from autograph.constructs import scoping
from autograph.conversion.passes import PIPELINE
from autograph.functions import frames
from autograph.pipeline import Pass
from autograph.syntax import quote
from autograph.syntax.walk import walk

pytestmark = pytest.mark.thorough

ENOUGH = 400  # programs, within which every fault must be found

FAULTS = {}


def planted(name):
    """Registers a faulty pass."""

    def register(rewriter):
        FAULTS[name] = Pass("a fault", lambda tree, conversion: rewriter().visit(tree))
        return rewriter

    return register


@planted("the else of a loop is dropped")
class LoopElse(gast.NodeTransformer):
    def visit_For(self, node):
        self.generic_visit(node)
        node.orelse = []
        return node

    visit_While = visit_For


@planted("the else of a try runs although the body was left by a jump")
class TryElse(gast.NodeTransformer):
    def visit_Try(self, node):
        self.generic_visit(node)
        if not node.orelse or node.finalbody:
            return node
        last = node.body[-1]
        if isinstance(last, (gast.Return, gast.Break, gast.Continue)):
            node.body[-1:] = [*copy.deepcopy(node.orelse), last]
        return node


@planted("a jump in a finally lets the exception go on")
class FinallyJumps(gast.NodeTransformer):
    def visit_Try(self, node):
        self.generic_visit(node)
        jumps = (gast.Return, gast.Break, gast.Continue)
        node.finalbody = [
            gast.copy_location(gast.Pass(), s) if isinstance(s, jumps) else s
            for s in node.finalbody
        ]
        return node


@planted("the middle of a chained comparison is evaluated twice")
class Chains(gast.NodeTransformer):
    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        sides = [node.left, *node.comparators]
        parts = [
            gast.Compare(left=copy.deepcopy(a), ops=[op], comparators=[copy.deepcopy(b)])
            for a, op, b in zip(sides, node.ops, sides[1:])
        ]
        return _placed(gast.BoolOp(op=gast.And(), values=parts), node)


@planted("an assignment expression binds a variable of its own")
class Walrus(gast.NodeTransformer):
    def visit_NamedExpr(self, node):
        self.generic_visit(node)
        return node.value


@planted("a pattern's guard is forgotten")
class Guards(gast.NodeTransformer):
    def visit_match_case(self, node):
        self.generic_visit(node)
        if node.guard is not None:
            node.guard = gast.copy_location(gast.Constant(value=True, kind=None), node.guard)
        return node


@planted("a closure keeps the values that its variables have when it is made")
class EarlyBinding(gast.NodeTransformer):
    def visit_Lambda(self, node):
        args = node.args
        if args.args or args.vararg or args.kwonlyargs:
            return node
        read = {n.id for n in walk(node.body) if isinstance(n, gast.Name)} & set("xyzw")
        for name in sorted(read):
            parameter = gast.Name(id=name, ctx=gast.Param(), annotation=None, type_comment=None)
            args.args.append(_placed(parameter, node))
            args.defaults.append(_placed(quote.name(name, node), node))
        return node


@planted("a generator expression is evaluated at once")
class EagerGenerators(gast.NodeTransformer):
    def visit_GeneratorExp(self, node):
        made = gast.ListComp(elt=node.elt, generators=node.generators)
        call = gast.Call(func=quote.name("iter", node), args=[made], keywords=[])
        return _placed(call, node)


@planted("the variables of a loop are not those of the function")
class LoopVariables(gast.NodeTransformer):
    def visit_For(self, node):
        self.generic_visit(node)
        bound = {n.id for n in walk(node.target) if isinstance(n, gast.Name)}
        for part in walk(node):
            if isinstance(part, gast.Name) and part.id in bound:
                part.id += "_of_loop"
        return node


@planted("locals() shows a variable that the user does not have")
class Locals(gast.NodeTransformer):
    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.body[:0] = quote.stmts("retval_ = None", node)
        return node


@planted("a backslash at the end of a line disappears from a string")
class Strings(gast.NodeTransformer):
    def visit_Constant(self, node):
        if isinstance(node.value, str):
            node.value = node.value.replace("\\\n", "")
        return node


@planted("the name of an except clause stays bound")
class ExceptNames(gast.NodeTransformer):
    def visit_ExceptHandler(self, node):
        self.generic_visit(node)
        if node.name is not None and isinstance(node.name, gast.Name):
            kept = quote.stmts("kept = e", node, kept=node.name.id, e="caught_error")
            node.name.id = "caught_error"
            node.body[:0] = kept
        return node


@planted("an unbound variable holds a placeholder")
class Placeholders(gast.NodeTransformer):
    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        bound = {n.id for n in walk(node) if isinstance(n, gast.Name)} & {"z", "w"}
        parameters = {n.id for n in walk(node.args) if isinstance(n, gast.Name)}
        for name in sorted(bound - parameters):
            if not any(isinstance(n, (gast.Global, gast.Nonlocal)) for n in walk(node)):
                node.body[:0] = quote.stmts("x = object()", node, x=name)
        return node


@planted("annotations of variables are evaluated")
class Annotations(gast.NodeTransformer):
    def visit_AnnAssign(self, node):
        evaluated = gast.Expr(value=copy.deepcopy(node.annotation))
        return [_placed(evaluated, node), node]


@planted("a decorator is applied twice")
class Decorators(gast.NodeTransformer):
    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.decorator_list = [d for d in node.decorator_list for d in (d, copy.deepcopy(d))]
        return node


@planted("raise from loses the cause")
class Causes(gast.NodeTransformer):
    def visit_Raise(self, node):
        node.cause = None
        return node


@planted("the message of an assert is always evaluated")
class Messages(gast.NodeTransformer):
    def visit_Assert(self, node):
        if node.msg is None:
            return node
        return [_placed(gast.Expr(value=copy.deepcopy(node.msg)), node), node]


@planted("a loop consumes its iterator beforehand")
class Iterators(gast.NodeTransformer):
    def visit_For(self, node):
        self.generic_visit(node)
        call = gast.Call(func=quote.name("list", node), args=[node.iter], keywords=[])
        node.iter = _placed(call, node.iter)
        return node


@planted("a return in a with is evaluated behind its exit")
class Returns(gast.NodeTransformer):
    def visit_With(self, node):
        self.generic_visit(node)
        if isinstance(node.body[-1], gast.Return):
            last = node.body.pop()
            node.body = node.body or quote.stmts("pass", node)
            return [node, last]
        return node


@planted("del leaves the variable as it is")
class Deletions(gast.NodeTransformer):
    def visit_Delete(self, node):
        return quote.stmts("pass", node)


@planted("a starred target takes one element only")
class Stars(gast.NodeTransformer):
    def visit_Starred(self, node):
        return node.value if isinstance(node.ctx, gast.Store) else node


@planted("an augmented assignment reads its target behind the operand")
class Augmented(gast.NodeTransformer):
    def visit_AugAssign(self, node):
        if not isinstance(node.target, gast.Name):
            return node
        value = gast.BinOp(
            left=quote.name("operand_value", node),
            op=node.op,
            right=quote.name(node.target.id, node),
        )
        first = quote.stmts("operand_value = v", node, v=node.value)
        assign = quote.stmts("x = v", node, x=node.target.id, v=_placed(value, node))
        return first + assign


def _placed(node, at):
    """Copies the location of another node to a node and to its descendants without one."""
    gast.copy_location(node, at)
    return gast.fix_missing_locations(node)


def programs_until_found(change):
    """How many random programs are compared until one differs; None if none does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, (_, source) in enumerate(itertools.islice(programs("function", 0), ENOUGH), 1):
            if differs(source, "function", change):
                return number
    return None


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name):
    change = functools.partial(converted_by, passes=(FAULTS[name], *PIPELINE))
    assert programs_until_found(change) is not None


def test_a_name_that_collides_with_a_generated_one_is_found(monkeypatch):
    monkeypatch.setattr(quote.FreshNames, "fresh", lambda self, stem: stem)
    assert programs_until_found(_tolerant(autograph.to_graph)) is not None


def test_a_frame_of_the_library_in_place_of_the_users_is_found(monkeypatch):
    monkeypatch.setattr(frames, "_is_made", lambda frame: False)
    monkeypatch.setattr(frames, "is_operator", lambda frame: False)
    assert programs_until_found(autograph.to_graph) is not None


def test_a_super_without_its_class_is_found(monkeypatch):
    from autograph.constructs import block_functions

    assert block_functions.explicit_super is scoping.explicit_super
    monkeypatch.setattr(block_functions, "explicit_super", lambda code, function: None)
    assert programs_until_found(autograph.to_graph) is not None


def _tolerant(convert):
    """A conversion that skips functions that it cannot compile."""

    def change(fn):
        try:
            return convert(fn)
        except SyntaxError:
            return fn

    return change
