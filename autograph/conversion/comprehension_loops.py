"""The loop that a comprehension is equivalent to, built when a backend needs it.

    result = []                     any(c for x in xs):      for x in xs:
    for x in xs:                                                 if c:
        if x > 0:                                                    return True
            result.append(f(x))                              return False
    return result

Python's documentation defines a comprehension by such a loop.  It is built from the user's own
source and converted like any other code; the generated code does not contain it.
"""

import copy
from dataclasses import dataclass, replace
from types import CodeType, FunctionType

import gast

from autograph import operators
from autograph.analyses.activity import activity
from autograph.constructs.context import Conversion
from autograph.conversion.passes import converted_tree
from autograph.functions import rebuild
from autograph.functions.code_tables import CodeTable
from autograph.syntax import quote


@dataclass
class Original:
    """A comprehension as it was written, and the code of its loop, once a backend needed it."""

    kind: str
    node: gast.AST
    conversion: Conversion
    private_to: str | None
    loop: CodeType | None = None


_originals: CodeTable[Original] = CodeTable()


def remember_loops(code: CodeType, conversion: Conversion, private_to) -> None:
    """Keeps the comprehensions in a converted function for when a backend needs their loops."""
    if not conversion.comprehensions:
        return
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            places = set(constant.co_positions()) & conversion.comprehensions.keys()
            if places and constant.co_argcount == 0:
                # Others are inside it: in its iterable, and from 3.12 on, in the rest of it.
                kind, node = conversion.comprehensions[min(places, key=_outermost)]
                _originals[constant] = Original(kind, node, conversion, private_to)
            remember_loops(constant, conversion, private_to)


def copy_loops(code: CodeType, other: CodeType) -> None:
    """Makes the loops for the comprehensions in `code` known for those in `other`, a copy of it."""
    for one, same in zip(code.co_consts, other.co_consts, strict=True):
        if isinstance(one, CodeType):
            original = _originals.get(one)
            if original is not None:
                _originals[same] = replace(original, loop=None)
            copy_loops(one, same)


def _outermost(place):
    first, last, start, end = place
    return first, start, -last, -end


def as_loop(collect: FunctionType) -> FunctionType | None:
    """The loop that is equivalent to `collect`, the function around a comprehension.

    For a generator expression it returns a list, or the result of `any` or `all`.  None if its
    source is not known: in a printed file.
    """
    original = _originals.get(collect.__code__)
    if original is None:
        return None
    if original.loop is None:
        original.loop = _loop(original, collect.__code__)
    return rebuild.function_of(original.loop, collect)


def _loop(original, code):
    around = original.conversion
    tree = loop_of(original.kind, copy.deepcopy(original.node), around.operators, code)
    conversion = Conversion.of(tree, around.recursive, around.operators, around.bound)
    tree = converted_tree(tree, conversion)
    blocks = {node.name for node in conversion.blocks if isinstance(node, gast.FunctionDef)}
    named, node = code.replace(co_name=tree.name), gast.gast_to_ast(tree)
    called = rebuild.Operators(around.operators, rebuild.operators_of(code) or operators)
    made = rebuild.converted_code(
        node, code.co_freevars, named, original.private_to, blocks, called
    )
    remember_loops(made, conversion, original.private_to)
    return made


def loop_of(kind: str, node: gast.AST, operators: str, code: CodeType) -> gast.FunctionDef:
    """The function with the loop for a comprehension, whose parts it takes."""
    names = quote.FreshNames(quote.identifiers(node)[0])
    result = names.fresh("result")
    start, step, end = LOOPS[kind]
    holes = {"result": result, "ag__": operators}
    holes |= {name: getattr(node, name) for name in ("elt", "key", "value") if hasattr(node, name)}
    bound = activity(node).bound
    body = quote.stmts(step, node, **holes)
    conditions = any(generator.ifs for generator in node.generators)
    template = "for target in ag__.elements(iterable):\n    body"
    if conditions or kind in ("any", "all"):
        template = "for target in iterable:\n    body"
    for generator in reversed(node.generators):
        for condition in reversed(generator.ifs):
            body = quote.stmts("if test:\n    body", node, test=condition, body=body)
        parts = {"target": generator.target, "iterable": generator.iter, "body": body}
        body = quote.stmts(template, node, **parts, ag__=operators)
    body = quote.stmts(start, node, **holes) + body + quote.stmts(end, node, **holes)
    return quote.function("comprehension", _declared(bound, code, node) + body, node)


LOOPS = {
    "list": ("result = []", "result.append(elt)", "return result"),
    "set": ("result = set()", "result.add(elt)", "return result"),
    "dict": ("result = {}", "result[key] = value", "return result"),
    "any": ("pass", "if elt:\n    return True", "return False"),
    "all": ("pass", "if not elt:\n    return False", "return True"),
}


def _declared(bound, code, at):
    """Declarations for the variables around that the comprehension binds."""
    place = quote.span(at).place
    shared = [name for name in bound if name in code.co_freevars]
    others = [name for name in bound if name not in code.co_freevars]
    declared = [place(gast.Nonlocal(names=shared))] if shared else []
    return declared + ([place(gast.Global(names=others))] if others else [])
