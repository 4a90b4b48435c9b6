"""How code that moves into a function of its own keeps its names.

def if_body():             what the block binds stays a variable of the user's function, or stays
    nonlocal total         global where the function said so
    total = total + x

total: object              an annotation alone binds nothing; it keeps the name a local variable
                           of the user's function once every binding of it has moved away

super().start()  ->  super(__class__, self).start()
                           `super()` looks for both in the frame that calls it
"""

import sys

import gast

from autograph.analyses.activity import Scope, activity, parameters
from autograph.constructs.unconvertible import within
from autograph.syntax import quote

# From 3.12 on a comprehension is part of the function that it stands in (PEP 709).
COMPREHENSIONS_INLINED = sys.version_info >= (3, 12)

# Those that are functions of their own.
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
    """Puts statements at the start of a function's body, behind its docstring."""
    head = 1 if function.body and is_docstring(function.body[0]) else 0
    function.body[head:head] = statements


def share(body: list, owner: Scope, at: quote.Span) -> list[gast.stmt]:
    """The declarations by which code taken from a function binds that function's variables."""
    bound = activity(body).bound
    own = [name for name in bound if name in owner.own or name in owner.activity.nonlocals]
    outside = [name for name in bound if name in owner.activity.globals]
    declared = [at.place(gast.Nonlocal(names=own))] if own else []
    return declared + ([at.place(gast.Global(names=outside))] if outside else [])


def keep_local(function: gast.AST, moved) -> None:
    """Declares those of the `moved` names that nothing in the function's own body binds any more.

    `moved` are variables of the function whose bindings went into blocks and operands.
    """
    here = activity(function.body)
    known = {
        *here.bound,
        *here.globals,
        *here.nonlocals,
        *(p.id for p in parameters(function.args)),
    }
    at = quote.span(function)
    lost = [name for name in moved if name not in known]
    put_first(function, [s for name in lost for s in quote.stmts("name: object", at, name=name)])


def explicit_super(code: gast.AST, function: gast.AST) -> None:
    """Gives the calls `super()` in `code`, which is taken from `function`, their arguments.

    In a comprehension that is a function of its own, `super()` fails, and goes on to do so.
    """
    for node in within(code, scopes=OWN_SCOPES):
        match node:
            case gast.Call(func=gast.Name(id="super"), args=[], keywords=[]):
                positional = [*function.args.posonlyargs, *function.args.args]
                if positional:
                    first = positional[0].id
                    node.args = [quote.name("__class__", node), quote.name(first, node)]
