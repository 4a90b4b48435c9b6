"""Comprehensions, and generator expressions that a function like `sum` consumes.

    [f(x) for x in xs if x > 0]     ->    ag__.comprehension(lambda: [f(x) for x in xs if x > 0])
    sum(x * x for x in xs)          ->    sum(ag__.comprehension(lambda: (x * x for x in xs)))

On plain values the comprehension runs as it is written.  While something is staged, a loop replaces
it, which `autograph/conversion/comprehension_loops.py` makes from the user's own text.

Other generator expressions are not rewritten, because the number of elements that will be taken is
unknown.  Neither are comprehensions that contain `await`, and those over a `range` of literals.
"""

import copy

import gast

from autograph import backend
from autograph.backend import PYTHON
from autograph.constructs.context import Conversion
from autograph.constructs.expressions import Expressions
from autograph.syntax import quote
from autograph.syntax.walk import walk

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
CONSUMERS = frozenset(
    kind.__name__ for kind in (all, any, dict, frozenset, list, max, min, set, sorted, sum, tuple)
)


# -- before anything is rewritten ------------------------------------------------------------------


def remember(tree: gast.AST, conversion: Conversion) -> gast.AST:
    """Keeps copies of the comprehensions that become calls, by their source position."""
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
        conversion.comprehensions[quote.position_of(node)] = kind, copy.deepcopy(node)


def _consumer(function, conversion):
    """The name of a function that consumes all elements of its argument, else None."""
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


class Comprehensions(Expressions):
    """Wraps comprehensions."""

    rewrites = COMPREHENSIONS

    def visit_ListComp(self, node):
        known = self.conversion.comprehensions.get(quote.position_of(node))
        is_lazy = known is not None and self.why_not_lazy([node]) is None
        visited = self.visit_comprehension_scope(node)
        if not is_lazy:
            return visited
        return self.expr("ag__.comprehension(collect)", node, collect=self.thunk(visited))

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp


def comprehension(collect):
    """`[...]`, where `collect` is `lambda: [...]`"""
    if backend.may_be_staging:
        staged = backend.active()
        if staged is not PYTHON:
            return staged.comprehension(collect)
    return collect()


def elements(iterable):
    """The iterable of a comprehension without conditions; its elements, if a backend knows them."""
    staged = backend.backend_of(iterable)
    return iterable if staged is PYTHON else staged.elements(iterable)
