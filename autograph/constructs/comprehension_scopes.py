"""Variables of comprehensions stay local to them when a block becomes a function.

    w = 3                                          w = 3
    if x:                                          if x:
        fs = [lambda: w for w in xs]       ->          fs = [lambda: w_1 for w_1 in xs]

Since 3.12, Python runs a comprehension inside its function (PEP 709).  There, a variable that a
lambda in the comprehension captures overwrites a variable of an enclosing function with the same
name; once the block is a function of its own, the user's variable is one of these.  So such a
variable gets a fresh name, which no code can observe.
"""

import copy
from dataclasses import replace

import gast

from autograph.analyses.activity import activity, scope
from autograph.constructs.comprehension import COMPREHENSIONS
from autograph.constructs.context import Rewriter
from autograph.constructs.unconvertible import within
from autograph.syntax import quote
from autograph.syntax.walk import Transformer, walk

INLINED = (gast.ListComp, gast.SetComp, gast.DictComp)


class ComprehensionScopes(Rewriter):
    """Renames variables of comprehensions that would overwrite variables of the function."""

    def visit_FunctionDef(self, node):
        if node in self.conversion.unconverted:
            return node
        body = node.body if isinstance(node.body, list) else [node.body]
        found = [inner for inner in within(body) if isinstance(inner, INLINED)]
        if found:
            own = scope(node).own
            for comprehension in found:
                self.separate(comprehension, own)
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def separate(self, node, own):
        """Renames the variables of a comprehension that its lambdas capture and that are in
        `own`."""
        targets = activity([generator.target for generator in node.generators]).bound
        captured = set()
        for inner in walk(node):
            if isinstance(inner, (gast.Lambda, gast.GeneratorExp)):
                captured |= {n.id for n in walk(inner) if isinstance(n, gast.Name)}
        for name in [name for name in targets if name in captured and name in own]:
            first, *others = node.generators
            outermost, first.iter = first.iter, gast.Constant(value=None, kind=None)
            new = self.fresh(name)
            _Renaming(name, new).generic_visit(node)
            first.iter = outermost
            self.rename_in_originals(node, new)

    def rename_in_originals(self, node, new):
        """Copies comprehensions in `node` again that read its renamed variable.

        The copy of `node` itself keeps the user's name, as a loop of its own.
        """
        known = self.conversion.comprehensions
        for inner in walk(node):
            if inner is not node and isinstance(inner, COMPREHENSIONS):
                place = quote.position_of(inner)
                if place in known and any(getattr(n, "id", None) == new for n in walk(inner)):
                    known[place] = replace(known[place], node=copy.deepcopy(inner))


class _Renaming(Transformer):
    """Renames a variable of a comprehension wherever the name refers to it."""

    def __init__(self, name, new):
        self.name, self.new = name, new

    def visit_Name(self, node):
        if node.id == self.name:
            node.id = self.new
        return node

    def visit_Lambda(self, node):
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        if self.name not in {n.id for n in walk(node.args) if isinstance(n, gast.Name)}:
            node.body = self.visit(node.body)
        return node

    def visit_ListComp(self, node):
        rebound = activity([generator.target for generator in node.generators]).bound
        if self.name not in rebound:
            return self.generic_visit(node)
        node.generators[0].iter = self.visit(node.generators[0].iter)
        return node

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp
