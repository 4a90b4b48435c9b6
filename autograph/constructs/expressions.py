"""The base of the passes over expressions: traversal, and operands that are evaluated lazily.

    a and b                    ag__.and_(a, lambda: b)

    a and (y := f())           def operand():
                                   nonlocal y
                                   return (y := f())
                               ag__.and_(a, operand)

An operand that Python may skip becomes a thunk.  If it binds a name, it becomes a function with a
declaration, hoisted to before the statement (and before the block function that contains it).  An
operand that suspends the function, or binds a name of a lambda or comprehension, cannot be
evaluated lazily: the expression stays Python.

Expressions are visited where they run as part of a converted function: not in decorators,
annotations and class bodies (but see `call.py`), nor in functions that stay Python.
"""

import gast

from autograph.analyses.activity import activity, scope
from autograph.constructs.context import FUNCTIONS, Rewriter
from autograph.constructs.scoping import declare_local, explicit_super, first_parameter, share
from autograph.constructs.unconvertible import SUSPENDING, suspends
from autograph.syntax import quote
from autograph.syntax.walk import child_fields, children, walk


class Expressions(Rewriter):
    """A pass over the expressions of converted functions.

    `rewrites` has the types of node that it rewrites.
    """

    rewrites: tuple[type, ...] = ()

    def __init__(self, conversion):
        super().__init__(conversion)
        self.function = None  # the user function that is being visited
        self.foreign = 0  # number of enclosing lambdas and comprehensions in the user's code
        self.waiting = []  # functions made from operands, to be inserted before the statement
        self.in_block = False
        self.hoisted = {}  # variables of the function that operands bind

    # -- functions ---------------------------------------------------------------------------------

    def visit_FunctionDef(self, node):
        if node in self.conversion.blocks:
            outer, self.in_block = self.in_block, True
            node.body = self.statements(node.body)
            self.in_block = outer
            return node
        if self.function is not None:
            self.visit_defaults(node)
        if node not in self.conversion.unconverted:
            self.visit_function(node)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_function(self, node):
        outer = self.function, self.foreign, self.waiting, self.in_block, self.hoisted
        self.function, self.foreign, self.waiting, self.in_block, self.hoisted = (
            node,
            0,
            [],
            False,
            {},
        )
        node.body = self.statements(node.body)
        if self.hoisted:
            declare_local(node, self.hoisted, self.conversion.survey.kinds)
        self.function, self.foreign, self.waiting, self.in_block, self.hoisted = outer

    def visit_defaults(self, node):
        node.args.defaults = [self.visit(value) for value in node.args.defaults]
        node.args.kw_defaults = [value and self.visit(value) for value in node.args.kw_defaults]

    def visit_Lambda(self, node):
        if node in self.conversion.unconverted:
            return node
        if self.function is not None or self.foreign:
            self.visit_defaults(node)
        generated = node in self.conversion.blocks
        self.foreign += not generated
        node.body = self.visit(node.body)
        self.foreign -= not generated
        return node

    def visit_ClassDef(self, node):
        for statement in node.body:
            self.visit_functions_in(statement)
        return node

    def visit_functions_in(self, node):
        if isinstance(node, FUNCTIONS):
            function, self.function = self.function, None
            self.visit(node)
            self.function = function
        else:
            for child in children(node):
                self.visit_functions_in(child)

    # -- statements --------------------------------------------------------------------------------

    def statements(self, block):
        """Visits a block, and inserts functions made from operands before their statement.

        Inside a block function they are kept for the statement that the function belongs to.
        """
        done = []
        around, self.waiting = self.waiting, []
        for statement in block:
            visited = self.visit(statement) if self.concerns(statement) else statement
            if not self.in_block:
                done += self.waiting
                self.waiting.clear()
            done.append(visited)
        self.waiting = around + self.waiting
        return done

    def concerns(self, statement):
        """Whether the pass may have to rewrite a part of a statement.

        The passes over expressions make calls of operators, which none of them rewrites: so the
        kinds in a statement are found once.
        """
        known = self.conversion.kinds_in
        kinds = known.get(statement)
        if kinds is None:
            kinds = known[statement] = {node.__class__ for node in walk(statement)}
        return not kinds.isdisjoint(self.rewrites)

    def visit_Name(self, node):
        return node

    def generic_visit(self, node):
        for field in child_fields(type(node)):
            value = getattr(node, field)
            if value.__class__ is list:
                if value and isinstance(value[0], gast.stmt):
                    setattr(node, field, self.statements(value))
                elif value:
                    value[:] = [v and self.visit(v) for v in value]
            elif value is not None:
                setattr(node, field, self.visit(value))
        return node

    def visit_AnnAssign(self, node):
        node.target = self.visit(node.target)
        node.value = node.value and self.visit(node.value)
        return node

    def visit_TypeAlias(self, node):
        return node

    def visit_comprehension_scope(self, node):
        self.foreign += 1
        self.generic_visit(node)
        self.foreign -= 1
        return node

    visit_ListComp = visit_SetComp = visit_comprehension_scope
    visit_DictComp = visit_GeneratorExp = visit_comprehension_scope

    # -- lazy operands -----------------------------------------------------------------------------

    def why_not_lazy(self, operands) -> str | None:
        """Why one of the operands cannot become a thunk; None if all can."""
        for operand in operands:
            word = suspends(operand) if self.conversion.has_any(SUSPENDING) else None
            if word is not None:
                return f"it contains {word}"
            if self.foreign and self.bound_in(operand):
                return "it binds a name inside a lambda or comprehension"
        return None

    def thunk(self, operand: gast.expr, parameters=()) -> gast.expr:
        """A function that evaluates `operand`, by default without arguments."""
        is_own = self.function is not None and not self.foreign
        if is_own and "super" in self.conversion.survey.names:
            explicit_super(operand, first_parameter(self.function))
        if self.bound_in(operand):
            return self.operand_function(operand, parameters)
        new = quote.thunk(operand, parameters)
        self.conversion.blocks.add(new)
        return new

    def bound_in(self, operand: gast.expr):
        """The names that an expression binds."""
        return self.conversion.has_any((gast.NamedExpr,)) and activity(operand).bound

    def operand_function(self, operand, parameters):
        at = quote.span(operand)
        body = quote.stmts("return operand", at, operand=operand)
        name = self.fresh("operand")
        owner = scope(self.function)
        bound = activity(operand).bound
        self.hoisted.update({n: None for n in bound if n in owner.own})
        new = quote.function(name, share(bound, owner, at) + body, at, parameters)
        self.conversion.blocks.add(new)
        self.waiting.append(new)
        return quote.name(name, at)
