"""The loops that comprehensions are equivalent to, built when a backend needs them.

    [f(x) for x in xs if x > 0]            result = []
                                           for x in itr:
                                               if x > 0:
                                                   result.append(f(x))
                                           return result

Python's documentation defines a comprehension by such a loop.  It is built from the user's own
source and converted like any other code; the generated code does not contain it.

A generator expression that a function like `sum` consumes has two functions.  The generator yields
elements as long as nothing staged decides about them.  The loop collects the remaining ones:

    sum(f(x) for x in xs if x > 0)         for x in path.each(itr):
                                               if path.certain(x > 0):
                                                   yield f(x)

                                           for x in path.step() if path.steps else itr:
                                               if path.step() if path.steps else x > 0:
                                                   result.append(f(x))
                                           return result

`path` (`autograph/staging/lazy_elements.py`) has the loops that the generator is in and the
conditions that it has evaluated, so that none is evaluated twice.
"""

import collections
import copy
import functools
import pickle
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import CodeType, FunctionType

import gast

from autograph import operators
from autograph.analyses.activity import activity
from autograph.analyses.conditions import conditions
from autograph.constructs.comprehension import Written
from autograph.constructs.context import Conversion, Rewriter
from autograph.constructs.scoping import COMPREHENSIONS_INLINED, explicit_super
from autograph.constructs.unbound_reads import LocalReads
from autograph.conversion.passes import converted_tree
from autograph.functions import rebuild
from autograph.functions.code_tables import CodeTable
from autograph.syntax import quote
from autograph.syntax.survey import survey
from autograph.syntax.walk import walk


@dataclass(frozen=True)
class Around:
    """The parts of a function's conversion that the conversion of a loop in it needs."""

    recursive: bool
    operators: str
    bound: frozenset[str]


@dataclass(slots=True)
class Original:
    """A comprehension as it was written, and the code of its loop, once a backend needed it.

    Its tree is kept compressed: few comprehensions are ever staged.
    """

    packed: bytes
    private_to: str | None
    kind: str  # the result: "list", "set", "dict", "any", "all", "next" or "generator"
    is_generator: bool  # whether it is a generator expression
    is_simple: bool  # whether no condition and no other iterable decides its number of elements
    consumer: str | None = None  # the name of a class of `collections` that takes all elements
    loop: CodeType | None = None
    until: CodeType | None = None  # the loop that a consumer may end, of a generator expression

    @classmethod
    def of(cls, written: Written, around: Around, private_to: str | None) -> "Original":
        """The comprehension that is written in the class `private_to`, if in any."""
        first, *others = written.node.generators
        return cls(
            _packed((written, around)),
            written.private_to or private_to,
            written.kind,
            isinstance(written.node, gast.GeneratorExp),
            not first.ifs and not others,
            written.consumer,
        )

    def unpacked(self) -> tuple[Written, Around]:
        """The comprehension, as a tree of its own, and the function around it."""
        unpack = zlib.decompressobj(zdict=_sample())
        return pickle.loads(unpack.decompress(self.packed) + unpack.flush())


def _packed(value):
    pack = zlib.compressobj(level=9, zdict=_sample())
    return pack.compress(pickle.dumps(value)) + pack.flush()


@functools.cache
def _sample() -> bytes:
    """A typical comprehension; what others have in common with it takes no room."""
    text = "[f(x.a, k=1)[0] if x else y[i] for x, y in s.items() if x > 0 and x is not None]"
    node = gast.parse(text).body[0].value
    return pickle.dumps((Written("list", node), Around(True, "ag__", frozenset())))


_originals: CodeTable[Original] = CodeTable()


def remember_loops(code: CodeType, conversion: Conversion, private_to) -> None:
    """Keeps the comprehensions in a converted function for when a backend needs their loops."""
    if conversion.comprehensions:
        around = Around(conversion.recursive, conversion.operators, conversion.bound)
        _remember(code, conversion.comprehensions, around, private_to)


def _remember(code, comprehensions, around, private_to):
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            places = set(constant.co_positions()) & comprehensions.keys()
            if places and constant.co_argcount == 1:
                # Others are inside it: from 3.12 on, in every part of it.
                written = comprehensions[min(places, key=_outermost)]
                _originals[constant] = Original.of(written, around, private_to)
            _remember(constant, comprehensions, around, private_to)


def copy_loops(code: CodeType, other: CodeType) -> None:
    """Makes the loops for the comprehensions in `code` known for those in `other`, a copy of it."""
    for one, same in zip(code.co_consts, other.co_consts, strict=True):
        if isinstance(one, CodeType):
            original = _originals.get(one)
            if original is not None:
                _originals[same] = replace(original, loop=None, until=None)
            copy_loops(one, same)


def _outermost(place):
    first, last, start, end = place
    return first, start, -last, -end


def original_of(collect: FunctionType) -> Original | None:
    """The comprehension that `collect` evaluates; None if its source is not known, as in a printed
    file, or if its consumer only has the name of a class of `collections`."""
    found = _originals.get(collect.__code__)
    name = None if found is None else found.consumer
    is_known = name is None or collect.__globals__.get(name) is getattr(collections, name)
    return found if is_known else None


def loop_of(original: Original, collect: FunctionType) -> Callable:
    """The loop that is equivalent to `collect`, as a function of the first iterable.

    For a generator expression it is a function of the path, and returns the generator's function
    and the loop's.
    """
    if original.loop is None:
        original.loop = _code_of(original, collect.__code__)
    return rebuild.function_of(original.loop, collect)


def consumed_loop(original: Original, collect: FunctionType, may_end: bool) -> Callable:
    """A function of the first iterable of a generator expression and of the code that consumes its
    elements; with `may_end`, that code may return true to end the loop."""
    code = original.until if may_end else original.loop
    if code is None:
        code = _code_of(original, collect.__code__, "until" if may_end else "each")
        if may_end:
            original.until = code
        else:
            original.loop = code
    return rebuild.function_of(code, collect)


def _code_of(original, code, kind=None):
    written, around = original.unpacked()
    node, kind = written.node, kind or original.kind
    if COMPREHENSIONS_INLINED and not original.is_generator:
        explicit_super(node, written.self_name)
    asked = conditions(node)
    builder = _Builder(kind, node, around.operators, code)
    is_lazy = original.is_generator and kind in LAZY
    tree = builder.two_functions() if is_lazy else builder.one_function()
    conversion = Conversion.of(tree, around.recursive, around.operators, around.bound)
    conversion.conditions |= asked  # which are arguments of `path.certain`
    around_it = frozenset(builder.variables_around())
    if COMPREHENSIONS_INLINED and not original.is_generator:
        unbound = written.around & around_it
        tree.body = LocalReads(Rewriter(conversion), unbound, True).statements(tree.body)
    elif not is_lazy:
        reads = LocalReads(Rewriter(conversion), frozenset(), True, around_it, around_it)
        tree.body = reads.statements(tree.body)
    else:
        shared = frozenset(builder.captured())
        reads = LocalReads(Rewriter(conversion), shared, True, around_it - shared, around_it)
        for part in tree.body:
            if isinstance(part, gast.FunctionDef):
                part.body = reads.statements(part.body)
    tree = converted_tree(tree, conversion)
    blocks = conversion.block_names()
    named, node = code.replace(co_name=tree.name), rebuild.compilable(tree, around.operators)
    called = rebuild.Operators(around.operators, rebuild.operators_of(code) or operators)
    made = rebuild.converted_code(
        node, code.co_freevars, named, original.private_to, blocks, called
    )
    remember_loops(made, conversion, original.private_to)
    return made


class _Builder:
    """Builds the loop for a comprehension, whose parts it takes."""

    def __init__(self, kind, node, operators, code):
        self.kind, self.node, self.code = kind, node, code
        fresh = quote.FreshNames(survey(node).names).fresh
        names = ("itr", "result", "path", "key_", "value_", "comprehension", "lazy", "rest")
        names += ("consume",)
        self.holes = {name: fresh(name) for name in names} | {"ag__": operators}
        parts = ("elt", "key", "value")
        self.holes |= {name: getattr(node, name) for name in parts if hasattr(node, name)}

    def one_function(self):
        """`def comprehension(itr): ...`"""
        start, step, end = LOOPS[self.kind]
        body = self.stmts(start) + self.loops(self.stmts(step), PLAIN) + self.stmts(end)
        body = self.declared() + body
        parameters = [self.holes["itr"]]
        if self.kind in CONSUMED:
            parameters.append(self.holes["consume"])
        return quote.function(self.holes["comprehension"], body, self.node, parameters)

    def two_functions(self):
        """`def comprehension(path): ...`, which returns the generator's function and the loop."""
        _, step, end = LAZY[self.kind]
        shared = self.captured()
        lazy = self.loops(self.stmts(LAZY[self.kind][0]), GENERATOR)
        rest = self.loops(self.stmts(step), RESUMED) + self.stmts(end)
        body = [s for name in shared for s in self.stmts("name: object", name=name)]
        for name, part in (("lazy", lazy), ("rest", copy.deepcopy(rest))):
            parameters = [self.holes["itr"]]
            if name == "rest" and self.kind in ("list", "next"):
                parameters.append(self.holes["result"])
            part = self.declared(shared) + part
            body.append(quote.function(self.holes[name], part, self.node, parameters))
        body += self.stmts("return lazy, rest")
        return quote.function(self.holes["comprehension"], body, self.node, [self.holes["path"]])

    def stmts(self, template, **holes):
        return quote.stmts(template, self.node, **self.holes, **holes)

    def loops(self, body, templates):
        """The loops of the comprehension around the statements `body`."""
        test, first, each = templates
        if first is PLAIN[1] and (self.node.generators[0].ifs or len(self.node.generators) > 1):
            first = "for target in itr:\n    body"
        for number, generator in reversed(list(enumerate(self.node.generators))):
            for condition in reversed(generator.ifs):
                body = self.stmts(test, test=condition, body=body)
            parts = {"target": generator.target, "body": body}
            if number:
                body = self.stmts(each, iterable=generator.iter, **parts)
            else:
                body = self.stmts(first, **parts)
        return body

    def bound(self):
        """The variables around it that the comprehension binds, by `:=`."""
        return activity(self.node).bound

    def captured(self):
        """The comprehension's own variables that functions in it may read at any later time."""
        targets = activity([generator.target for generator in self.node.generators]).bound
        inner = [n for n in walk(self.node) if isinstance(n, (gast.Lambda, gast.GeneratorExp))]
        names = {n.id for part in inner if part is not self.node for n in _names(part)}
        return [name for name in targets if name in names]

    def variables_around(self):
        """The variables of functions around it that the comprehension reads."""
        targets = activity([generator.target for generator in self.node.generators]).bound
        return frozenset(self.code.co_freevars) - targets.keys()

    def declared(self, others=()):
        """Declarations for the variables around that the comprehension binds, and for `others`."""
        place = quote.span(self.node).place
        bound = self.bound()
        shared = [name for name in bound if name in self.code.co_freevars]
        outside = [name for name in bound if name not in self.code.co_freevars]
        shared += others
        declared = [place(gast.Nonlocal(names=shared))] if shared else []
        return declared + ([place(gast.Global(names=outside))] if outside else [])


def _names(node):
    return [inner for inner in walk(node) if isinstance(inner, gast.Name)]


LOOPS = {
    "list": ("result = []", "result.append(elt)", "return result"),
    "set": ("result = set()", "result.add(elt)", "return result"),
    "dict": ("result = {}", "key_ = key\nvalue_ = value\nresult[key_] = value_", "return result"),
}
LOOPS["each"] = ("", "ag__.consumed(elt, consume)", "")
LOOPS["until"] = ("", "if ag__.consumed(elt, consume):\n    return", "")
CONSUMED = ("each", "until")

# The step of the generator; the step and the end of the loop.
LAZY = {
    "list": ("yield elt", "result.append(elt)", "return result"),
    "next": ("yield elt", "result.append(elt)\nreturn None", "return None"),
    "any": (
        "yield path.known(elt)",
        "if path.step() if path.steps else elt:\n    return True",
        "return False",
    ),
    "all": (
        "yield path.known(elt)",
        "if not (path.step() if path.steps else elt):\n    return False",
        "return True",
    ),
}

# A condition, the loop over the first iterable, and the others.
PLAIN = (
    "if test:\n    body",
    "for target in ag__.elements(itr):\n    body",
    "for target in iterable:\n    body",
)
GENERATOR = (
    "if path.certain(test):\n    body",
    "for target in path.each(itr):\n    body",
    "for target in path.each(iterable):\n    body",
)
RESUMED = (
    "if path.step() if path.steps else test:\n    body",
    "for target in path.step() if path.steps else itr:\n    body",
    "for target in path.step() if path.steps else iterable:\n    body",
)
