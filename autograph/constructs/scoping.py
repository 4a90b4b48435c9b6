"""Names in code that is hoisted into a function of its own keep their meaning.

def if_body():             variables that the block binds remain variables of the user's
    nonlocal total         function, or global if the function declares them so
    total = total + x

total: object              an annotation alone binds nothing; it keeps the name a local variable of
                           the user's function when all its bindings are hoisted

super().start()  ->  super(__class__, self).start()
                           `super()` reads both from the frame that calls it
"""

import sys
from collections.abc import Container

import gast

from autograph.analyses.activity import Names, Scope, bindings, parameters
from autograph.constructs.unconvertible import within
from autograph.syntax import quote

# Since 3.12 a comprehension is part of the function that contains it (PEP 709).
COMPREHENSIONS_INLINED = sys.version_info >= (3, 12)

# Expressions that are functions of their own.
OWN_SCOPES = (
    (gast.GeneratorExp,)
    if COMPREHENSIONS_INLINED
    else (gast.GeneratorExp, gast.ListComp, gast.SetComp, gast.DictComp)
)


def is_docstring(statement: gast.stmt) -> bool:
    """Whether a statement is a string, as the first of a function may be."""
    match statement:
        case gast.Expr(value=gast.Constant(value=str())):
            return True
    return False


def put_first(function: gast.AST, statements: list) -> None:
    """Puts statements at the start of a function's body, after its docstring."""
    head = 1 if function.body and is_docstring(function.body[0]) else 0
    function.body[head:head] = statements


def share(bound: Names, owner: Scope, at: quote.Span) -> list[gast.stmt]:
    """The declarations with which hoisted code that binds the names `bound` binds the variables of
    its function."""
    own = [name for name in bound if name in owner.own or name in owner.activity.nonlocals]
    outside = [name for name in bound if name in owner.activity.globals]
    declared = [at.place(gast.Nonlocal(names=own))] if own else []
    return declared + ([at.place(gast.Global(names=outside))] if outside else [])


def declare_local(function: gast.AST, hoisted, kinds: Container[type]) -> None:
    """Declares the `hoisted` names that the function's own body no longer binds.

    These are variables of the function that hoisted blocks and operands bind.  `kinds` has the
    types of node in the function as the user wrote it.
    """
    if not hoisted:
        return
    here = bindings(function.body, kinds)
    known = {
        *here.bound,
        *here.globals,
        *here.nonlocals,
        *(p.id for p in parameters(function.args)),
    }
    at = quote.span(function)
    lost = [name for name in hoisted if name not in known]
    put_first(function, [s for name in lost for s in quote.stmts("name: object", at, name=name)])


def first_parameter(function: gast.AST) -> str | None:
    """The first positional parameter of a function, with which `super()` is called."""
    positional = [*function.args.posonlyargs, *function.args.args]
    return positional[0].id if positional else None


def explicit_super(code: gast.AST, first: str | None) -> None:
    """Makes the arguments of `super()` explicit in `code`, which is hoisted from a function with
    this first parameter.

    In a comprehension that is a function of its own, `super()` fails before and after.
    """
    for node in within(code, scopes=OWN_SCOPES):
        match node:
            case gast.Call(func=gast.Name(id="super"), args=[], keywords=[]) if first is not None:
                node.args = [quote.name("__class__", node), quote.name(first, node)]
