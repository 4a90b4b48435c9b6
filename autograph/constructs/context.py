"""The state that passes share while they convert a function, and the base class of passes."""

from dataclasses import dataclass, field

import gast

from autograph.analyses.conditions import conditions
from autograph.syntax import quote
from autograph.syntax.survey import Survey, survey
from autograph.syntax.walk import Transformer

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)


@dataclass
class Conversion:
    """The state of the conversion of one function.

    `unconverted`      statements and functions that stay Python, each with the reason
    `blocks`           functions that were made from blocks of the user's code
    `variables`        for each of them, the local variables of the user's function
    `exits`            for each `for` that may be left early, the statement that leaves it
    `bound`            names that the code, or the code around it, binds
    `kinds_in`         types of node in the statements that passes over expressions meet
    `conditions`       the `and`, `or` and chained comparisons of which only the truth matters
    `comprehensions`   copies of those that become calls, by their source position
    `changed`          whether any code calls an operator
    """

    survey: Survey  # of the code before it is converted
    recursive: bool = True
    operators: str = "ag__"
    names: quote.FreshNames = field(default_factory=lambda: quote.FreshNames(()))
    unconverted: dict = field(default_factory=dict)
    blocks: set = field(default_factory=set)
    variables: dict = field(default_factory=dict)
    exits: dict = field(default_factory=dict)
    bound: frozenset = frozenset()
    kinds_in: dict = field(default_factory=dict)
    conditions: dict = field(default_factory=dict)
    comprehensions: dict = field(default_factory=dict)
    changed: bool = False
    _parameters: dict = field(default_factory=dict)

    @classmethod
    def of(cls, tree: gast.AST, recursive=True, operators=None, outside=()) -> "Conversion":
        """A conversion of `tree`.

        The operators get the name `operators`, or one that `tree` does not use.  `outside` has the
        names that the code around `tree` binds.
        """
        found = survey(tree)
        names = quote.FreshNames(found.names)
        if operators is None:
            operators = names.fresh("ag__")
        names.taken.add(operators)
        bound = found.bound.union(outside)
        new = cls(found, recursive, operators, names, bound=bound)
        if new.has_any((gast.BoolOp, gast.Compare)):
            new.conditions = conditions(tree)
        return new

    def parameter(self, stem: str) -> str:
        """A name for a parameter; all generated functions share it."""
        if stem not in self._parameters:
            self._parameters[stem] = self.names.fresh(stem)
        return self._parameters[stem]

    def block_names(self) -> set[str]:
        """The names of the functions made from blocks; functions without a name (`lambda itr: ...`)
        are known by their parameter."""
        named = {node.name for node in self.blocks if isinstance(node, gast.FunctionDef)}
        return named | set(self._parameters.values())

    def has_any(self, kinds: tuple[type, ...]) -> bool:
        """Whether the user's code has a node of one of these types."""
        return not self.survey.kinds.isdisjoint(kinds)

    def is_builtin(self, name: str, known: frozenset) -> bool:
        """Whether `name` is one of the `known` builtins, and no visible code rebinds it."""
        return name in known and name not in self.bound


class Rewriter(Transformer):
    """A pass over a tree, with the conversion that it is part of."""

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
        """Statements from a template, in which `ag__` is replaced by the name of the operators."""
        return quote.stmts(template, at, **self._with_operators(holes))

    def expr(self, template: str, at, **holes) -> gast.expr:
        """An expression from a template; see `stmts`."""
        return quote.expr(template, at, **self._with_operators(holes))

    def _with_operators(self, holes):
        self.conversion.changed = True
        alias = self.conversion.operators
        return holes if alias == "ag__" else {"ag__": alias, **holes}

    def is_operator(self, node: gast.AST, identifier: str | None = None) -> bool:
        """Whether `node` calls the operator `identifier` (by default: any operator)."""
        return (
            isinstance(node, gast.Call)
            and isinstance(node.func, gast.Attribute)
            and isinstance(node.func.value, gast.Name)
            and node.func.value.id == self.conversion.operators
            and identifier in (None, node.func.attr)
        )
