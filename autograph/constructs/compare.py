"""Comparisons that Python reduces to a bool: of containers, chains, membership, and identity.

    a == b                 ->      ag__.equal(a, b)
    a != b                 ->      ag__.not_equal(a, b)
    a < b                  ->      ag__.less(a, b)
    a >= b                 ->      ag__.greater_equal(a, b)
    a < b <= c             ->      ag__.compare(a, '<', b, '<=', lambda: c)
    if a < b <= c: ...     ->      ag__.if_stmt(ag__.compare_test(a, '<', b, '<=', lambda: c), ...)
    x in xs                ->      ag__.in_(x, xs)
    x not in xs            ->      ag__.not_in(x, xs)
    x is None              ->      ag__.is_none(x)
    x is not None          ->      ag__.is_not_none(x)
    x is y                 ->      ag__.is_(x, y)
    x is not True          ->      ag__.is_not(x, True)

Python compares tuples, lists and dicts part by part, and needs the truth of each part: so where
these may have staged parts, the backend compares them.  A single comparison with a number or a
string, such as `a == 1` or `a < b - 1`, is not rewritten, nor is an order with a name that the
function gives a number.  In a chain each operand is evaluated once, and only if the comparisons
before it hold.
"""

import functools
import operator

import gast

from autograph import backend
from autograph.backend import (
    PYTHON,
    active,
    backend_of,
    builtin_types,
    plain_contents,
    plain_types,
)
from autograph.backend.python_meaning import RELATIONS as ORDERINGS
from autograph.constructs.boolean import and_, and_test, not_
from autograph.constructs.expressions import Expressions
from autograph.functions.frames import as_user, hide_operators
from autograph.syntax import quote
from autograph.syntax.walk import walk

SYMBOLS = {
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}
NAMES = {
    gast.Eq: "equal",
    gast.NotEq: "not_equal",
    gast.Lt: "less",
    gast.LtE: "less_equal",
    gast.Gt: "greater",
    gast.GtE: "greater_equal",
}
SCALAR_FUNCTIONS = ("abs", "float", "id", "int", "len", "ord", "round", "str", "type")
SCALARS = frozenset((bool, int, float, complex, str, bytes))
WITH_PARTS = (tuple, list, dict, type({}.values()))
OF_NUMBERS = (gast.Sub, gast.Div, gast.FloorDiv, gast.Mod, gast.Pow, gast.LShift, gast.RShift)


class Compare(Expressions):
    """Rewrites comparisons."""

    rewrites = (gast.Compare,)

    def __init__(self, conversion):
        super().__init__(conversion)
        self.numbers = {}  # by user function: the names that it evidently gives numbers

    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) > 1:
            return self.chain(node)
        (relation,), (right,), left = node.ops, node.comparators, node.left
        template = None
        if isinstance(relation, (gast.Is, gast.IsNot)) and _is_singleton(left):
            left, right = right, left
        match relation:
            case gast.In():
                template = "ag__.in_(left, right)"
            case gast.NotIn():
                template = "ag__.not_in(left, right)"
            case gast.Is() if _is_none(right):
                template = "ag__.is_none(left)"
            case gast.IsNot() if _is_none(right):
                template = "ag__.is_not_none(left)"
            case gast.Is():
                template = "ag__.is_(left, right)"
            case gast.IsNot():
                template = "ag__.is_not(left, right)"
            case _ if not any(self.is_scalar(operand, relation) for operand in (left, right)):
                template = f"ag__.{NAMES[type(relation)]}(left, right)"
        if template is None or isinstance(left, gast.Constant) and _is_literal(right):
            return node
        return self.expr(template, node, left=left, right=right)

    def is_scalar(self, operand, relation):
        """Whether an operand is evidently no container."""
        if isinstance(relation, (gast.Eq, gast.NotEq)):
            return _is_scalar(operand)
        if self.function is not None and isinstance(operand, gast.Name):
            if self.function not in self.numbers:
                self.numbers[self.function] = set(_names_of_numbers(self.function))
            return operand.id in self.numbers[self.function]
        return isinstance(operand, gast.BinOp) or _is_scalar(operand)

    def chain(self, node):
        first, *others = node.comparators
        reason = self.why_not_lazy(others)
        if reason is not None:
            self.conversion.unconverted[node] = reason
            return node
        symbols = [quote.constant(SYMBOLS[type(op)], node) for op in node.ops]
        operands = [first, *(self.thunk(operand) for operand in others)]
        operator = "compare_test" if node in self.conversion.conditions else "compare"
        call = self.expr(f"ag__.{operator}(left)", node, left=node.left)
        call.args += [part for pair in zip(symbols, operands, strict=True) for part in pair]
        return call


def _is_none(node):
    return isinstance(node, gast.Constant) and node.value is None


def _is_bool(node):
    return isinstance(node, gast.Constant) and isinstance(node.value, bool)


def _is_singleton(node):
    return _is_none(node) or _is_bool(node)


def _names_of_numbers(function):
    """The names that a function gives numbers: by `n = 0`, `n = len(x)`, or `n += 1`."""
    for node in walk(function):
        match node:
            case gast.Assign(targets=[gast.Name() as name], value=value) if _is_number(value):
                yield name.id
            case gast.AugAssign(target=gast.Name() as name, value=value) if _is_number(value):
                yield name.id


def _is_number(node):
    if isinstance(node, gast.Constant):
        return isinstance(node.value, (int, float, complex))
    return _is_scalar(node)


def _is_scalar(node):
    """Whether an operand is no container: a number or a string, or computed with one."""
    if isinstance(node, gast.BinOp):
        is_sum = isinstance(node.op, gast.Add)
        if is_sum and any(isinstance(part, gast.Constant) for part in (node.left, node.right)):
            return True
        return isinstance(node.op, OF_NUMBERS)
    if isinstance(node, gast.Call):
        return isinstance(node.func, gast.Name) and node.func.id in SCALAR_FUNCTIONS
    return isinstance(node, (gast.Constant, gast.JoinedStr, gast.UnaryOp))


def _is_literal(node):
    if isinstance(node, (gast.Tuple, gast.List, gast.Set)):
        return all(map(_is_literal, node.elts))
    return isinstance(node, gast.Constant)


def _compare(conjunction, left, relation, right, *links):
    """`left relation right ...`; the operands in `links` are thunks."""
    try:
        result = _related(left, relation, right)
        if not links:
            return result
        del left
        following, operand, *others = links
        return conjunction(
            result, lambda: _compare(conjunction, right, following, operand(), *others)
        )
    except BaseException as error:
        hide_operators(error)
        raise


def _related(left, relation, right):
    relate = RELATIONS[relation]
    if relate in OWN:  # which call `as_user` themselves
        return relate(left, right)
    if backend.may_be_staging and _has_parts(left):
        return active().compare(relation, left, right)
    return as_user(relate, left, right)(left, right)


def _has_parts(value):
    """Whether Python compares a value part by part: it is a container, or of a dataclass."""
    return isinstance(value, WITH_PARTS) or hasattr(type(value), "__dataclass_fields__")


compare = functools.partial(_compare, and_)
compare_test = functools.partial(_compare, and_test)  # where only its truth matters


def equal(left, right):
    """`left == right`"""
    try:
        if type(left) in SCALARS and type(right) in SCALARS:
            return left == right
        return _related(left, "==", right)
    except BaseException as error:
        hide_operators(error)
        raise


def not_equal(left, right):
    """`left != right`"""
    try:
        if type(left) in SCALARS and type(right) in SCALARS:
            return left != right
        return _related(left, "!=", right)
    except BaseException as error:
        hide_operators(error)
        raise


def _order(relation, relate):
    """The operator of `left < right`, or of another order."""

    def order(left, right):
        try:
            if type(left) in SCALARS and type(right) in SCALARS:
                return relate(left, right)
            return _related(left, relation, right)
        except BaseException as error:
            hide_operators(error)
            raise

    return order


less, less_equal = _order("<", operator.lt), _order("<=", operator.le)
greater, greater_equal = _order(">", operator.gt), _order(">=", operator.ge)


def in_(item, container):
    """`item in container`"""
    try:
        may_have_staged = backend.may_be_staging and (
            _has_parts(item)
            or isinstance(container, WITH_PARTS)
            or hasattr(type(container), "__next__")  # an iterator, whose elements are compared
        )
        if type(item) in builtin_types and not may_have_staged:
            kind = type(container)
            if kind in builtin_types or id(kind) in plain_contents:
                return item in container
        staged = active() if may_have_staged else backend_of(item)
        if staged is PYTHON:
            staged = backend_of(container)
        if staged is not PYTHON:
            return staged.contains(container, item)
        return as_user(operator.contains, container, item)(container, item)
    except BaseException as error:
        hide_operators(error)
        raise


def not_in(item, container):
    """`item not in container`"""
    try:
        if type(item) in builtin_types:
            kind = type(container)
            is_plain = kind in builtin_types or id(kind) in plain_contents
            if is_plain and not backend.may_be_staging:
                return item not in container
        return not_(in_(item, container))
    except BaseException as error:
        hide_operators(error)
        raise


def is_none(value):
    """`value is None`"""
    if value is None:
        return True
    if id(type(value)) in plain_types:
        return False
    staged = backend_of(value)
    return False if staged is PYTHON else staged.is_none(value)


def is_not_none(value):
    """`value is not None`"""
    return not_(is_none(value))


# Objects, by identity, that stand for one of several objects while a backend stages code.
ambiguous: dict[int, object] = {}


def is_(left, right):
    """`left is right`; of a staged value, whether it is None, True, False or a small int."""
    if left is right:
        return True
    if right is None or left is None:
        return is_none(left if right is None else right)
    staged = backend_of(left)
    if staged is PYTHON:
        staged, left, right = backend_of(right), right, left
    if ambiguous and (id(left) in ambiguous or id(right) in ambiguous):
        staged = active()
    if staged is PYTHON:
        return False
    if right is True or right is False:
        return staged.is_bool(left, right)
    return staged.is_same(left, right)


def is_not(left, right):
    """`left is not right`"""
    return not_(is_(left, right))


RELATIONS = {**ORDERINGS, "is": is_, "is not": is_not, "in": in_, "not in": not_in}

OWN = (in_, not_in, is_, is_not)
