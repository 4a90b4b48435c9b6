"""Comprehensions, and generator expressions that a function like `sum` takes to its end.

    [f(x) for x in xs if x > 0]     ->    ag__.comprehension(lambda: [f(x) for x in xs if x > 0])
    sum(x * x for x in xs)          ->    sum(ag__.comprehension(lambda: (x * x for x in xs)))

On plain values the comprehension runs as it is written.  While a block is staged, the loop takes
its place that Python's documentation explains it by, made of the user's text and converted like any
other; nothing of it is in the generated code:

    result = []                     any(c for x in xs):      for x in xs:
    for x in xs:                                                 if c:
        if x > 0:                                                    return True
            result.append(f(x))                              return False
    return result

Generator expressions elsewhere stay as they are: nobody knows how many elements are asked for.  So
do comprehensions that wait for something (`await`), and those over a `range` of literals.
"""

import copy
from dataclasses import dataclass, field
from types import CodeType, FunctionType

import gast

from autograph import backend
from autograph.analyses.activity import activity
from autograph.backend import PYTHON
from autograph.constructs.expressions import Expressions
from autograph.conversion.context import Conversion
from autograph.functions import rebuild
from autograph.functions.code_tables import CodeTable
from autograph.syntax import quote
from autograph.syntax.walk import walk

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
CONSUMERS = frozenset(
    kind.__name__ for kind in (all, any, dict, frozenset, list, max, min, set, sorted, sum, tuple)
)


# -- before anything is rewritten ------------------------------------------------------------------


def remember(tree: gast.AST, conversion: Conversion) -> gast.AST:
    """Keeps the comprehensions that become calls as they were written, by their place."""
    for node in walk(tree):
        match node:
            case gast.Call(args=[gast.GeneratorExp() as only, *_]):
                name = _consumer(node.func, conversion)
                if name is not None:
                    _keep(only, name if name in ("any", "all") else "list", conversion)
            case gast.ListComp():
                _keep(node, "list", conversion)
            case gast.SetComp():
                _keep(node, "set", conversion)
            case gast.DictComp():
                _keep(node, "dict", conversion)
    return tree


def _keep(node, kind, conversion):
    plain = len(node.generators) == 1 and _is_plain(node.generators[0], conversion)
    if not plain and not any(generator.is_async for generator in node.generators):
        conversion.comprehensions[place_of(node)] = kind, copy.deepcopy(node)


def place_of(node: gast.AST) -> tuple:
    """Where an expression stands, as code objects say it."""
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def _consumer(function, conversion):
    """The name of a function that takes all elements of what it is given, else None."""
    match function:
        case gast.Name(id=name) if conversion.is_builtin(name, CONSUMERS):
            return name
        case gast.Attribute(value=gast.Constant(value=str()), attr="join"):
            return "join"
    return None


def _is_plain(generator, conversion):
    """Whether a generator is `for i in range(3)`."""
    match generator:
        case gast.comprehension(
            iter=gast.Call(func=gast.Name(id="range"), args=bounds, keywords=[]), ifs=[]
        ):
            return conversion.is_builtin("range", frozenset(["range"])) and all(
                isinstance(bound, gast.Constant) for bound in bounds
            )
    return False


# -- in place --------------------------------------------------------------------------------------


class Collection(Expressions):
    """Wraps comprehensions."""

    rewrites = COMPREHENSIONS

    def visit_ListComp(self, node):
        known = self.conversion.comprehensions.get(place_of(node))
        waits = known is not None and self.why_not_wait([node]) is None
        visited = self.visit_comprehension_scope(node)
        if not waits:
            return visited
        return self.expr("ag__.comprehension(collect)", node, collect=self.thunk(visited))

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp


def comprehension(collect):
    """`[...]`, where `collect` is `lambda: [...]`"""
    if backend.staged_blocks:
        staged = backend.active()
        if staged is not PYTHON:
            return staged.comprehension(collect)
    return collect()


# -- the loop that takes its place -----------------------------------------------------------------


@dataclass
class Original:
    """A comprehension as it was written, and the code of the loop, once somebody needed it."""

    kind: str
    node: gast.AST
    conversion: Conversion
    private_to: str | None
    loop: CodeType | None = field(default=None)


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


def _outermost(place):
    first, last, start, end = place
    return first, start, -last, -end


def as_loop(collect: FunctionType) -> FunctionType | None:
    """The loop that does what `collect`, the function around a comprehension, does.

    For a generator expression it returns a list, or what `any` or `all` make of the elements.
    None where its text is not known: in a printed file.
    """
    original = _originals.get(collect.__code__)
    if original is None:
        return None
    operators = original.conversion.operators
    if original.loop is None:
        original.loop = _loop(original, collect.__code__)
    cells = dict(zip(collect.__code__.co_freevars, collect.__closure__ or (), strict=True))
    if operators in cells:
        module = cells[operators].cell_contents
    else:
        from autograph import operators as module
    return rebuild.function_of(original.loop, collect, operators, module)


def _loop(original, code):
    from autograph.conversion.converter import converted_tree

    around = original.conversion
    tree = loop_of(original.kind, copy.deepcopy(original.node), around.operators, code)
    conversion = Conversion.of(tree, around.recursive, around.operators, around.bound)
    tree = converted_tree(tree, conversion)
    blocks = {node.name for node in conversion.blocks if isinstance(node, gast.FunctionDef)}
    free = (*code.co_freevars, around.operators)
    named = code.replace(co_name=tree.name)
    made = rebuild.code_of(gast.gast_to_ast(tree), free, named, original.private_to, blocks)
    remember_loops(made, conversion, original.private_to)
    return made


def loop_of(kind: str, node: gast.AST, operators: str, code: CodeType) -> gast.FunctionDef:
    """The function with the loop for a comprehension, whose parts it takes."""
    names = quote.Names(quote.identifiers(node)[0])
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


def elements(iterable):
    """What a comprehension without conditions runs over; a backend may know each element."""
    staged = backend.backend_of(iterable)
    return iterable if staged is PYTHON else staged.elements(iterable)
