"""`yield`, in a generator whose elements are consumed while it runs.

    def gen(x):                            def gen(x):
        for v in x:                            for v in x:
            if v > 0:             ->               if v > 0:
                yield v * 2                            if ag__.consumed(v * 2, consume):
                                                           return
            yield from more(v)                     for element in more(v):
                                                       if ag__.consumed(element, consume):
                                                           return

The function calls `consume` with each element, where Python would suspend it.  `consume` returns
whether the code that takes the elements has left its loop; if it never does, the `return` is left
out, and the value of `yield from` can be used:  `value = ag__.delegated(more(v), consume)`.
"""

import gast

from autograph import backend
from autograph.constructs.context import Rewriter
from autograph.constructs.unconvertible import within
from autograph.functions.frames import hide_operators

YIELDS = (gast.Yield, gast.YieldFrom)


def can_be_consumed(function: gast.AST, may_end: bool) -> bool:
    """Whether each `yield` of a generator function can become a call.

    It cannot where it has a value, or where a handler or `with` would see what the consumer raises.
    """
    if not isinstance(function, gast.FunctionDef):
        return False
    allowed: set[gast.AST] = set()
    for node in within(function.body):
        match node:
            case gast.Expr(value=gast.Yield() | gast.YieldFrom() as found):
                allowed.add(found)
            case gast.Assign(value=gast.YieldFrom() as found) if not may_end:
                allowed.add(found)
            case gast.Try(handlers=[_, *_]) | gast.TryStar() | gast.With():
                if any(isinstance(inner, YIELDS) for inner in within(node.body)):
                    return False
    found = [node for node in within(function.body) if isinstance(node, YIELDS)]
    return all(node in allowed for node in found)


class Yield(Rewriter):
    """Makes each `yield` a call of the function `consume`."""

    def __init__(self, conversion, consume: str, may_end: bool):
        super().__init__(conversion)
        self.consume, self.may_end = consume, may_end

    def visit_FunctionDef(self, node):
        return node  # `yield` in an inner function is its own

    visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_FunctionDef

    def visit_Expr(self, node):
        match node.value:
            case gast.Yield(value=value):
                return self.consumed(node, value or self.expr("None", node))
            case gast.YieldFrom(value=value):
                element = self.fresh("element")
                body = self.consumed(node, self.expr("element", node, element=element))
                template = "for element in iterable:\n    body"
                return self.stmts(template, node, element=element, iterable=value, body=body)
        return node

    def visit_Assign(self, node):
        if isinstance(node.value, gast.YieldFrom):
            node.value = self.expr(
                "ag__.delegated(x, consume)", node, x=node.value.value, consume=self.consume
            )
        return node

    def consumed(self, node, value):
        """The statements that pass an element to the consumer."""
        template = "ag__.consumed(value, consume)"
        if self.may_end:
            template = f"if {template}:\n    return"
        return self.stmts(template, node, value=value, consume=self.consume)


def consumed(value, consume):
    """`yield value`, where `consume` takes the elements; returns whether it takes no more."""
    try:
        return consume(value)
    except BaseException as error:
        hide_operators(error)
        raise


def delegated(iterable, consume):
    """`yield from iterable`, where `consume` takes the elements."""
    try:
        return backend.active().delegated(iterable, consume)  # type: ignore[attr-defined]
    except BaseException as error:
        hide_operators(error)
        raise
