"""What a piece of code does to names: which it reads, binds, deletes, and hands to nested
functions.

    y = f(x); del z         reads f, x;  binds y;  deletes z
    lambda: x               captures x: it may be read at any later time
    [g(v) for v in x]       reads g, x (v belongs to the comprehension)
    (g(v) for v in x)       reads x now and captures g: it runs later
    def h(): nonlocal n     binds h, captures n

Names are reported as the enclosing function sees them: what a nested scope keeps to itself does not
show.  Binding means any statement or expression that can give a name a value: assignment, `for`,
`with ... as`, `except ... as`, `import`, `def`, `class`, patterns, the walrus, `type`, `del`.
"""

from dataclasses import dataclass, field

import gast

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


@dataclass
class Activity:
    """Names in order of first appearance (dicts serve as ordered sets)."""

    read: dict = field(default_factory=dict)
    bound: dict = field(default_factory=dict)
    perhaps_bound: dict = field(default_factory=dict)  # those of `bound` that may be left unbound
    deleted: dict = field(default_factory=dict)
    captured: dict = field(default_factory=dict)
    globals: dict = field(default_factory=dict)
    nonlocals: dict = field(default_factory=dict)


def activity(code: gast.AST | list) -> Activity:
    """The activity of an expression, a statement or a list of statements.

    A function definition counts as the statement that it is (its decorators, defaults and
    annotations are read, its name is bound); for what happens inside, ask for its body.
    """
    found = Activity()
    visitor = _Visitor(found)
    for node in code if isinstance(code, list) else [code]:
        visitor.visit(node)
    return found


@dataclass
class Scope:
    """The names of one function: which are its own, and which belong to somebody else."""

    parameters: dict
    activity: Activity

    @property
    def declared(self):
        """Names that the function declares `global` or `nonlocal`."""
        return {**self.activity.globals, **self.activity.nonlocals}

    @property
    def own(self):
        """The function's local variables, in order of first appearance."""
        names = {**self.parameters, **self.activity.bound, **self.activity.deleted}
        return {name: None for name in names if name not in self.declared}


def scope(function: gast.AST, facts=None) -> Scope:
    """The scope of a function definition or lambda."""
    body = function.body if isinstance(function.body, list) else [function.body]
    return Scope({p.id: None for p in parameters(function.args)}, activity(body))


def parameters(args: gast.arguments) -> list[gast.Name]:
    """The parameters of a function, in the order in which they are written."""
    optional = lambda parameter: [parameter] if parameter is not None else []  # noqa: E731
    return [
        *args.posonlyargs,
        *args.args,
        *optional(args.vararg),
        *args.kwonlyargs,
        *optional(args.kwarg),
    ]


def free_names(function: gast.AST) -> dict:
    """The names that a nested function takes from around it, to read or to bind."""
    inner = scope(function)
    own = {**inner.own, **inner.activity.globals}
    used = {**inner.activity.read, **inner.activity.captured, **inner.activity.nonlocals}
    return {name: None for name in used if name not in own}


class _Visitor(gast.NodeVisitor):
    """Collects the activity of one scope."""

    def __init__(self, found):
        self.found = found
        self.perhaps = False  # inside code that may not run

    def bind(self, name):
        if not self.perhaps:
            self.found.perhaps_bound.pop(name, None)
        elif name not in self.found.bound:
            self.found.perhaps_bound[name] = None
        self.found.bound.setdefault(name)

    def bind_perhaps(self, name):
        if name not in self.found.bound:
            self.found.bound[name] = self.found.perhaps_bound[name] = None

    def visit_perhaps(self, nodes):
        """Visits code that may not run although what contains it does."""
        outer, self.perhaps = self.perhaps, True
        self.visit_all(nodes)
        self.perhaps = outer

    def visit(self, node):
        method = getattr(self, "visit_" + type(node).__name__, None)
        if method is not None:
            return method(node)
        for name in node._fields:
            value = getattr(node, name)
            if isinstance(value, list):
                for item in value:
                    if isinstance(item, gast.AST):
                        self.visit(item)
            elif isinstance(value, gast.AST):
                self.visit(value)

    def visit_all(self, nodes):
        for node in nodes:
            if node is not None:
                self.visit(node)

    # -- names -------------------------------------------------------------------------------------

    def visit_Name(self, node):
        match node.ctx:
            case gast.Load():
                self.found.read[node.id] = None
            case gast.Store() | gast.Param():
                self.bind(node.id)
            case gast.Del():
                self.bind(node.id)
                self.found.deleted[node.id] = None

    def visit_AugAssign(self, node):
        if isinstance(node.target, gast.Name):
            self.found.read[node.target.id] = None
        self.visit(node.target)
        self.visit(node.value)

    def visit_AnnAssign(self, node):
        # Annotations of a function's locals are never evaluated.
        if isinstance(node.target, gast.Name) and node.value is None:
            self.bind_perhaps(node.target.id)  # it declares the name and binds nothing
        else:
            self.visit_all([node.target, node.value])

    def visit_Global(self, node):
        self.found.globals.update(dict.fromkeys(node.names))

    def visit_Nonlocal(self, node):
        self.found.nonlocals.update(dict.fromkeys(node.names))

    def visit_alias(self, node):
        if node.name != "*":
            self.bind((node.asname or node.name).partition(".")[0])

    def visit_ExceptHandler(self, node):
        self.visit_all([node.type, node.name])
        if node.name is not None:
            self.found.deleted[node.name.id] = None
        self.visit_all(node.body)

    def visit_MatchAs(self, node):
        self.visit_all([node.pattern])
        if node.name is not None:
            self.bind(node.name)

    def visit_MatchStar(self, node):
        if node.name is not None:
            self.bind(node.name)

    def visit_MatchMapping(self, node):
        self.visit_all([*node.keys, *node.patterns])
        if node.rest is not None:
            self.bind(node.rest)

    def visit_TypeAlias(self, node):
        self.visit(node.name)
        self.capture(activity(node.value).read, node.type_params)

    # -- operands that may not be evaluated --------------------------------------------------------

    def visit_BoolOp(self, node):
        self.visit(node.values[0])
        self.visit_perhaps(node.values[1:])

    def visit_IfExp(self, node):
        self.visit(node.test)
        self.visit_perhaps([node.body, node.orelse])

    def visit_Compare(self, node):
        self.visit_all([node.left, node.comparators[0]])
        self.visit_perhaps(node.comparators[1:])

    # -- nested scopes -----------------------------------------------------------------------------

    def capture(self, names, hidden=()):
        """Notes `names` as captured, but for those that type parameters hide."""
        hidden = {parameter.name for parameter in hidden}
        self.found.captured.update({name: None for name in names if name not in hidden})

    def visit_FunctionDef(self, node):
        self.visit_all(node.decorator_list)
        self.visit_signature(node)
        self.bind(node.name)
        self.capture(free_names(node), node.type_params)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_signature(self, node):
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        annotations = [p.annotation for p in parameters(node.args)]
        self.visit_all([*annotations, getattr(node, "returns", None)])

    def visit_Lambda(self, node):
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        self.capture(free_names(node))

    def visit_ClassDef(self, node):
        self.visit_all([*node.decorator_list, *node.bases, *node.keywords])
        self.bind(node.name)
        # A class body runs at once; what it binds is its own, and its methods do not see that.
        inner = activity(node.body)
        hidden = {parameter.name for parameter in node.type_params}
        self.found.read.update({name: None for name in inner.read if name not in hidden})
        for name in inner.nonlocals:
            self.bind(name)
        self.capture(inner.captured, node.type_params)

    def visit_ListComp(self, node):
        inner = self.comprehension(node)
        self.found.read.update(inner.read)
        self.capture(inner.captured)

    visit_SetComp = visit_DictComp = visit_ListComp

    def visit_GeneratorExp(self, node):
        self.visit(node.generators[0].iter)
        inner = self.comprehension(node)
        self.capture({**inner.read, **inner.captured, **inner.bound})

    def comprehension(self, node):
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
            self.bind_perhaps(name)
        return inner
