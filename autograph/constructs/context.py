"""One conversion: what the passes share while they rewrite a function, and the tools they use."""

from collections.abc import Callable
from dataclasses import dataclass, field

import gast

from autograph.syntax import quote

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)


@dataclass
class Conversion:
    """What is known about the function that is being converted.

    `kept` holds the statements and functions that stay Python, each with the reason; `blocks` the
    functions that were made from blocks of the user's code, `variables` what the function around
    each of them calls its own; `exits` for each `for` that may be left early the statement at its
    end that leaves it, `bound` the names that the code or what is around it binds,
    `comprehensions` those that become calls, as they were written, by their place.  `changed` says
    whether anything in it calls an operator; `node_types` are the types of node that the passes
    over expressions may meet.
    """

    recursive: bool = True
    operators: str = "ag__"
    names: quote.Names = field(default_factory=lambda: quote.Names(()))
    kept: dict = field(default_factory=dict)
    blocks: set = field(default_factory=set)
    variables: dict = field(default_factory=dict)
    exits: dict = field(default_factory=dict)
    bound: frozenset = frozenset()
    comprehensions: dict = field(default_factory=dict)
    changed: bool = False
    node_types: set | None = None
    _parameters: dict = field(default_factory=dict)

    @classmethod
    def of(cls, tree: gast.AST, recursive=True, operators=None, outside=()) -> "Conversion":
        """A conversion of `tree`.

        The operators are called by the name `operators`, or by one that `tree` does not use.
        `outside` are the names that the code around `tree` binds.
        """
        used, bound = quote.identifiers(tree)
        names = quote.Names(used)
        if operators is None:
            operators = names.fresh("ag__")
        names.taken.add(operators)
        return cls(recursive, operators, names, bound=frozenset(bound | set(outside)))

    def parameter(self, stem: str) -> str:
        """A name for a parameter of generated functions; all of them share it."""
        if stem not in self._parameters:
            self._parameters[stem] = self.names.fresh(stem)
        return self._parameters[stem]

    def is_builtin(self, name: str, known: frozenset) -> bool:
        """Whether `name` is one of the `known` builtins, and nothing in sight rebinds it."""
        return name in known and name not in self.bound


class Rewriter(gast.NodeTransformer):
    """A pass over a tree: a node visitor that knows its conversion."""

    def __init_subclass__(cls):
        cls._methods: dict[type, Callable] = {}  # of each type of node, once it was met

    def visit(self, node: gast.AST):
        """What becomes of a node."""
        kind = type(node)
        method = self._methods.get(kind)
        if method is None:
            method = getattr(type(self), f"visit_{kind.__name__}", type(self).generic_visit)
            self._methods[kind] = method
        return method(self, node)

    def visit_Constant(self, node: gast.Constant):
        """Nothing is in a constant."""
        return node

    def __init__(self, conversion: Conversion):
        self.conversion = conversion

    @classmethod
    def rewrite(cls, tree: gast.AST, conversion: Conversion) -> gast.AST:
        """The pass as a function, for the pipeline."""
        return cls(conversion).visit(tree)

    def fresh(self, stem: str) -> str:
        """A name that the user's code does not use."""
        return self.conversion.names.fresh(stem)

    def stmts(self, template: str, at, **holes) -> list[gast.stmt]:
        """Statements from a template, in which `ag__` is whatever this conversion calls it."""
        return quote.stmts(template, at, **self._with_operators(holes))

    def expr(self, template: str, at, **holes) -> gast.expr:
        """An expression from a template; see `stmts`."""
        return quote.expr(template, at, **self._with_operators(holes))

    def _with_operators(self, holes):
        self.conversion.changed = True
        alias = self.conversion.operators
        return holes if alias == "ag__" else {"ag__": alias, **holes}

    def is_operator(self, node: gast.AST, identifier: str | None = None) -> bool:
        """Whether `node` calls the operator `identifier` (any operator where none is named)."""
        return (
            isinstance(node, gast.Call)
            and isinstance(node.func, gast.Attribute)
            and isinstance(node.func.value, gast.Name)
            and node.func.value.id == self.conversion.operators
            and identifier in (None, node.func.attr)
        )
