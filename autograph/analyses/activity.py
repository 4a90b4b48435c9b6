"""The names that a piece of code reads, binds, deletes, and passes to nested functions.

    y = f(x); del z         reads f, x, z;  binds y;  deletes z
    lambda: x               captures x: it may be read at any later time
    [g(v) for v in x]       reads g, x (v belongs to the comprehension)
    (g(v) for v in x)       reads x now and captures g: it runs later
    def h(): nonlocal n     binds h, captures n

Names are reported as the enclosing function sees them, without the local names of nested scopes.
Binding means any statement or expression that can give a name a value: assignment, `for`,
`with ... as`, `except ... as`, `import`, `def`, `class`, patterns, the walrus, `type`, `del`.
"""

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import gast

from autograph.syntax.walk import children

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


Names = dict[str, None]  # an ordered set
Code: TypeAlias = gast.AST | list[gast.AST]


@dataclass
class Activity:
    """Names, in order of first appearance."""

    read: Names = field(default_factory=dict)
    bound: Names = field(default_factory=dict)
    maybe_bound: Names = field(default_factory=dict)  # names in `bound` that may stay unbound
    deleted: Names = field(default_factory=dict)
    captured: Names = field(default_factory=dict)
    globals: Names = field(default_factory=dict)
    nonlocals: Names = field(default_factory=dict)


def activity(code: Code) -> Activity:
    """The activity of an expression, a statement or a list of statements.

    A function definition counts as a statement: its decorators, defaults and annotations are read,
    and its name is bound.  The activity inside it is that of its body.
    """
    found = Activity()
    visitor = _Visitor(found)
    for node in code if isinstance(code, list) else [code]:
        visitor.visit(node)
    return found


# Expressions that may be targets; others bind names by `:=` only.
_TARGETS = (gast.Name, gast.Tuple, gast.List, gast.Starred)


def bindings(code: Code, kinds: Container[type]) -> Activity:
    """The names in the activity of statements that they bind or declare, and no others.

    `kinds` has the types of node in the function that the code is from: without `:=`, most
    expressions need not be visited.
    """
    if gast.NamedExpr in kinds:
        return activity(code)
    found = Activity()
    pending = list(reversed(code)) if isinstance(code, list) else [code]
    while pending:
        node = pending.pop()
        kind = node.__class__
        if kind is gast.Name:
            if node.ctx.__class__ is not gast.Load:
                found.bound[node.id] = None
        elif kind in _BINDING:
            found.bound[node.name] = None
            if kind is gast.ClassDef:
                found.bound.update(activity(node.body).nonlocals)
        elif kind is gast.AnnAssign:
            pending.append(node.target)
        elif kind in _VISITED:
            visitor = _Visitor(found)
            visitor.visit(node)
        else:
            parts = [
                part
                for part in children(node)
                if not isinstance(part, gast.expr) or part.__class__ in _TARGETS
            ]
            pending += reversed(parts)
    return found


_BINDING = frozenset((gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef))
# Statements and patterns with names that are no nodes.
_VISITED = frozenset(
    (
        *(gast.Global, gast.Nonlocal, gast.Import, gast.ImportFrom, gast.TypeAlias),
        *(gast.MatchAs, gast.MatchStar, gast.MatchMapping),
    )
)


@dataclass
class Scope:
    """The names of one function: its own, and those of enclosing scopes."""

    parameters: Names
    activity: Activity

    @cached_property
    def declared(self) -> Names:
        """The names that the function declares `global` or `nonlocal`."""
        return {**self.activity.globals, **self.activity.nonlocals}

    @cached_property
    def own(self) -> Names:
        """The function's local variables, in order of first appearance."""
        names = {**self.parameters, **self.activity.bound, **self.activity.deleted}
        return {name: None for name in names if name not in self.declared}


def scope(function: gast.AST, facts: object = None) -> Scope:
    """The scope of a function definition or lambda."""
    body = function.body if isinstance(function.body, list) else [function.body]
    return Scope({p.id: None for p in parameters(function.args)}, activity(body))


def parameters(args: gast.arguments) -> list[gast.Name]:
    """The parameters of a function, in the order in which they are written."""
    positional, keywords = [*args.posonlyargs, *args.args], [*args.kwonlyargs]
    if args.vararg is not None:
        positional.append(args.vararg)
    if args.kwarg is not None:
        keywords.append(args.kwarg)
    return positional + keywords


def free_names(function: gast.AST) -> Names:
    """The names that a nested function reads or binds in enclosing scopes."""
    inner = scope(function)
    own = {**inner.own, **inner.activity.globals}
    used = {**inner.activity.read, **inner.activity.captured, **inner.activity.nonlocals}
    return {name: None for name in used if name not in own}


_METHODS: dict[type, Callable[["_Visitor", gast.AST], None]] = {}  # by type of node


class _Visitor:
    """Collects the activity of one scope."""

    def __init__(self, found: Activity):
        self.found = found
        self.is_conditional = False  # inside code that may not run

    def bind(self, name: str) -> None:
        if not self.is_conditional:
            self.found.maybe_bound.pop(name, None)
        elif name not in self.found.bound:
            self.found.maybe_bound[name] = None
        self.found.bound.setdefault(name)

    def bind_maybe(self, name: str) -> None:
        if name not in self.found.bound:
            self.found.bound[name] = self.found.maybe_bound[name] = None

    def visit_conditional(self, nodes: Iterable[gast.AST]) -> None:
        """Visits code that may not run although the code that contains it does."""
        outer, self.is_conditional = self.is_conditional, True
        self.visit_all(nodes)
        self.is_conditional = outer

    def visit(self, node: gast.AST) -> None:
        """Collects the activity of a node and the nodes in it."""
        kind = type(node)
        method = _METHODS.get(kind)
        if method is None:
            method = getattr(_Visitor, f"visit_{kind.__name__}", _Visitor.visit_parts)
            _METHODS[kind] = method
        method(self, node)

    def visit_parts(self, node: gast.AST) -> None:
        for part in children(node):
            kind = type(part)
            if kind is gast.Name:
                self.visit_Name(part)
            elif kind is not gast.Constant:
                self.visit(part)

    def visit_all(self, nodes: Iterable[gast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    # -- names -------------------------------------------------------------------------------------

    def visit_Name(self, node: gast.AST) -> None:
        context = type(node.ctx)
        if context is gast.Load:
            self.found.read[node.id] = None
            return
        self.bind(node.id)
        if context is gast.Del:  # which raises if the name is unbound
            self.found.deleted[node.id] = self.found.read[node.id] = None

    def visit_AugAssign(self, node: gast.AST) -> None:
        if isinstance(node.target, gast.Name):
            self.found.read[node.target.id] = None
        self.visit(node.target)
        self.visit(node.value)

    def visit_AnnAssign(self, node: gast.AST) -> None:
        # Annotations of a function's locals are never evaluated.
        if isinstance(node.target, gast.Name) and node.value is None:
            self.bind_maybe(node.target.id)  # it declares the name and binds nothing
        else:
            self.visit_all([node.target, node.value])

    def visit_Global(self, node: gast.AST) -> None:
        self.found.globals.update(dict.fromkeys(node.names))

    def visit_Nonlocal(self, node: gast.AST) -> None:
        self.found.nonlocals.update(dict.fromkeys(node.names))

    def visit_alias(self, node: gast.AST) -> None:
        if node.name != "*":
            self.bind((node.asname or node.name).partition(".")[0])

    def visit_ExceptHandler(self, node: gast.AST) -> None:
        self.visit_all([node.type, node.name])
        if node.name is not None:
            self.found.deleted[node.name.id] = None
        self.visit_all(node.body)

    def visit_MatchAs(self, node: gast.AST) -> None:
        self.visit_all([node.pattern])
        if node.name is not None:
            self.bind(node.name)

    def visit_MatchStar(self, node: gast.AST) -> None:
        if node.name is not None:
            self.bind(node.name)

    def visit_MatchMapping(self, node: gast.AST) -> None:
        self.visit_all([*node.keys, *node.patterns])
        if node.rest is not None:
            self.bind(node.rest)

    def visit_TypeAlias(self, node: gast.AST) -> None:
        self.visit(node.name)
        self.capture(activity(node.value).read, node.type_params)

    # -- operands that may not be evaluated --------------------------------------------------------

    def visit_BoolOp(self, node: gast.AST) -> None:
        self.visit(node.values[0])
        self.visit_conditional(node.values[1:])

    def visit_IfExp(self, node: gast.AST) -> None:
        self.visit(node.test)
        self.visit_conditional([node.body, node.orelse])

    def visit_Compare(self, node: gast.AST) -> None:
        self.visit_all([node.left, node.comparators[0]])
        self.visit_conditional(node.comparators[1:])

    # -- nested scopes -----------------------------------------------------------------------------

    def capture(self, names: Iterable[str], hidden: Iterable[gast.AST] = ()) -> None:
        """Adds `names` to the captured ones, except those that type parameters hide."""
        shadowed = {parameter.name for parameter in hidden}
        self.found.captured.update({name: None for name in names if name not in shadowed})

    def visit_FunctionDef(self, node: gast.AST) -> None:
        self.visit_all(node.decorator_list)
        self.visit_signature(node)
        self.bind(node.name)
        self.capture(free_names(node), node.type_params)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_signature(self, node: gast.AST) -> None:
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        annotations = [p.annotation for p in parameters(node.args)]
        self.visit_all([*annotations, getattr(node, "returns", None)])

    def visit_Lambda(self, node: gast.AST) -> None:
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        self.capture(free_names(node))

    def visit_ClassDef(self, node: gast.AST) -> None:
        self.visit_all([*node.decorator_list, *node.bases, *node.keywords])
        self.bind(node.name)
        # A class body runs at once; its methods do not see the names that it binds.
        inner = activity(node.body)
        hidden = {parameter.name for parameter in node.type_params}
        self.found.read.update({name: None for name in inner.read if name not in hidden})
        for name in inner.nonlocals:
            self.bind(name)
        self.capture(inner.captured, node.type_params)

    def visit_ListComp(self, node: gast.AST) -> None:
        inner = self.comprehension(node)
        self.found.read.update(inner.read)
        self.capture(inner.captured)

    visit_SetComp = visit_DictComp = visit_ListComp

    def visit_GeneratorExp(self, node: gast.AST) -> None:
        self.visit(node.generators[0].iter)
        inner = self.comprehension(node)
        self.capture({**inner.read, **inner.captured, **inner.bound})

    def comprehension(self, node: gast.AST) -> Activity:
        """The activity of a comprehension, without the names of its own targets."""
        targets = activity([generator.target for generator in node.generators]).bound
        parts = [getattr(node, name) for name in ("key", "value", "elt") if hasattr(node, name)]
        for generator in node.generators:
            parts += [generator.iter, *generator.ifs]
        inner = activity(parts)
        for kind in ("read", "bound", "captured"):
            names = getattr(inner, kind)
            setattr(inner, kind, {name: None for name in names if name not in targets})
        for name in inner.bound:
            self.bind_maybe(name)
        return inner
