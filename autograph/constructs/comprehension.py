"""Comprehensions, and generator expressions that a function like `sum` consumes.

    [f(x) for x in xs]        ->    ag__.comprehension(lambda itr: [f(x) for x in itr], xs)
    sum(x * x for x in xs)    ->    sum(ag__.comprehension(lambda itr: (x * x for x in itr), xs))

The first iterable is evaluated where Python evaluates it: outside of the comprehension.

On plain values the comprehension runs as it is written.  While something is staged, a loop may
replace it, which `autograph/conversion/comprehension_loops.py` makes from the user's own text.

Other generator expressions become generator functions there, whose elements a loop may take.
Comprehensions that contain `await`, and those over a `range` of literals, are not rewritten.
"""

import copy
from dataclasses import dataclass

import gast

from autograph import backend
from autograph.analyses.activity import scope
from autograph.backend import PYTHON
from autograph.constructs.context import FUNCTIONS, Conversion
from autograph.constructs.expressions import Expressions
from autograph.constructs.scoping import first_parameter
from autograph.constructs.unconvertible import within
from autograph.functions.frames import hide_operators
from autograph.syntax import quote
from autograph.syntax.walk import walk

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
CONSUMERS = frozenset(
    kind.__name__
    for kind in (all, any, dict, frozenset, list, max, min, next, set, sorted, sum, tuple)
)
OF_COLLECTIONS = ("deque", "Counter")  # if the name stands for that class when the code runs
ENDING_EARLY = ("any", "all", "next")  # which need not take all elements


# -- before anything is rewritten ------------------------------------------------------------------


@dataclass(frozen=True)
class Written:
    """A comprehension as the user wrote it."""

    # Its result, or the function that consumes it: list, set, dict, any, all, next; or "generator".
    kind: str
    node: gast.AST
    around: frozenset = frozenset()  # the variables of the function that it is written in
    self_name: str | None = None  # the first parameter of that function
    private_to: str | None = None  # the class in the converted code that it is written in
    consumer: str | None = None  # the name of a class of `collections` that takes all elements


def remember(tree: gast.AST, conversion: Conversion) -> gast.AST:
    """Keeps copies of the comprehensions that become calls, by their source position."""
    found, consumers = {}, {}
    for node in walk(tree):
        if isinstance(node, gast.Call):
            found |= _starred(node.args)
        match node:
            case gast.Call(args=[gast.GeneratorExp() as only, *_]):
                name = _consumer(node.func, conversion)
                if name is not None:
                    found[only] = name if name in ENDING_EARLY else "list"
                    if name in OF_COLLECTIONS:
                        consumers[only] = name
            case gast.List(elts=parts, ctx=gast.Load()) | gast.Tuple(elts=parts, ctx=gast.Load()):
                found |= _starred(parts)
            case gast.GeneratorExp():
                found.setdefault(node, "generator")
            case gast.ListComp():
                found[node] = "list"
            case gast.SetComp():
                found[node] = "set"
            case gast.DictComp():
                found[node] = "dict"
    kept = [node for node in found if not _stays(node, conversion)]
    around = _surroundings(tree) if kept else {}
    for node in kept:
        consumer = consumers.get(node)
        written = Written(
            found[node], copy.deepcopy(node), **around.get(node, {}), consumer=consumer
        )
        conversion.comprehensions[quote.position_of(node)] = written
    return tree


def _starred(parts):
    """The generator expressions after a star, of which all elements are taken at once."""
    starred = [part.value for part in parts if isinstance(part, gast.Starred)]
    return {one: "list" for one in starred if isinstance(one, gast.GeneratorExp)}


def _surroundings(tree):
    """For each comprehension, the function and class that it is written in."""
    around = {}
    for place in walk(tree):
        if isinstance(place, (*FUNCTIONS, gast.Lambda)):
            inside = [n for n in within(place.body) if isinstance(n, COMPREHENSIONS)]
            around_it = frozenset(scope(place).own) if inside else None
            about = {"around": around_it, "self_name": first_parameter(place)}
        elif isinstance(place, gast.ClassDef):
            inside = [n for n in walk(place) if isinstance(n, COMPREHENSIONS)]
            about = {"private_to": place.name}
        else:
            continue
        for node in inside:
            around.setdefault(node, {}).update(about)
    return around


def _stays(node, conversion):
    is_keyed = isinstance(node, (gast.DictComp, gast.SetComp))  # its keys may be staged later
    is_one = len(node.generators) == 1 and not is_keyed
    plain = is_one and _is_plain(node.generators[0], conversion)
    return plain or any(generator.is_async for generator in node.generators)


def _consumer(function, conversion):
    """The name of a function that consumes all elements of its argument, else None."""
    match function:
        case gast.Name(id=name) if conversion.is_builtin(name, CONSUMERS):
            return name
        case gast.Attribute(value=gast.Constant(value=str()), attr="join"):
            return "join"
        case gast.Name(id=name) if name in OF_COLLECTIONS and name not in conversion.bound:
            return name
        case gast.Attribute(value=gast.Name(id="collections"), attr="Counter"):
            return "list"
        case gast.Attribute(attr="deque"):
            return "list"
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
        if not is_lazy:
            return self.visit_comprehension_scope(node)
        first, element = node.generators[0], self.conversion.parameter("itr")
        iterable = self.visit(first.iter)
        first.iter = quote.name(element, first.iter)
        visited = self.visit_comprehension_scope(node)
        collect = self.thunk(visited, (element,))
        return self.expr(
            "ag__.comprehension(collect, iterable)", node, collect=collect, iterable=iterable
        )

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp


def comprehension(collect, iterable):
    """`[... for ... in iterable ...]`, where `collect` is `lambda itr: [... for ... in itr ...]`"""
    try:
        if backend.may_be_staging:
            staged = backend.active()
            if staged is not PYTHON:
                return staged.comprehension(collect, iterable)
        return collect(iterable)
    except BaseException as error:
        hide_operators(error)
        raise


def elements(iterable):
    """The iterable of a comprehension without conditions; its elements, if a backend knows them."""
    staged = backend.backend_of(iterable)
    return iterable if staged is PYTHON else staged.elements(iterable)
