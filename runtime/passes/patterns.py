"""Rewrite rules as strings: `multiply(x, 1) -> x`.

    rule    ::=  pattern -> pattern
    pattern ::=  x, y, z...                      any operand; the same one for the same name
              |  0, 1, -0.0, True...             that scalar, or a 0-d array of it
              |  op(pattern..., name=a, ...)     a result of that op, with just these attributes

A name after `=` matches any attribute, the same one throughout; anything else matches itself.  The
right side is a name, a scalar, or one op applied to names.
"""

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType
from typing import Any

import runtime.ops  # noqa: F401  (fills the registry)
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.op import Op, find
from runtime.ir.text import attribute_text

Maker = Callable[[Operand], Node | None]


@dataclass(frozen=True)
class PatternVariable:
    """Matches any operand or attribute, the same one throughout a rule."""

    name: str


@dataclass(frozen=True)
class Scalar:
    """Matches operands that are known to be that scalar; 0 is not -0.0."""

    value: Any


@dataclass(frozen=True)
class Application:
    """Matches results of an op."""

    op: Op
    operands: tuple[Any, ...]
    attributes: dict[str, Any]


@dataclass(frozen=True)
class Rule:
    """Two patterns, the kinds of dtypes for which they are equal, and why not for others.

    `kinds` are NumPy's letters: b(ool), i(nt), u(nsigned), f(loat), c(omplex).
    """

    text: str
    kinds: str
    left: Application
    right: Any
    why: str = ""

    @property
    def keeps_memory(self) -> bool:
        """Whether both sides are the same view of the same memory."""
        return _only_views(self.left)


def rule(text: str, kinds: str = "biufc", why: str = "") -> Rule:
    """The rule that a string describes."""
    left, right = (ast.parse(side.strip(), mode="eval").body for side in text.split("->"))
    pattern = _pattern(left)
    assert isinstance(pattern, Application), text
    return Rule(text, kinds, pattern, _pattern(right), why)


def _pattern(tree: Any) -> Any:
    match tree:
        case ast.Name(id=name):
            return PatternVariable(name)
        case ast.Call(func=ast.Name(id=name)):
            attributes = {str(keyword.arg): _attribute(keyword.value) for keyword in tree.keywords}
            return Application(find(name), tuple(map(_pattern, tree.args)), attributes)
    return Scalar(ast.literal_eval(tree))


def _attribute(tree: Any) -> Any:
    if isinstance(tree, ast.Name):
        return PatternVariable(tree.id)
    return eval(compile(ast.Expression(tree), "<rule>", "eval"), {"__builtins__": {"slice": slice}})


def _only_views(pattern: Any) -> bool:
    if not isinstance(pattern, Application):
        return isinstance(pattern, PatternVariable)
    return bool(pattern.op.shares) and all(map(_only_views, pattern.operands))


# -- matching --------------------------------------------------------------------------------------


def match_rule(rule: Rule, node: Node, maker: Maker) -> dict[str, Any] | None:
    """The bindings of the names of a rule if its left side matches a node, else None.

    `maker` returns the node that makes an operand.
    """
    bindings: dict[str, Any] = {}
    if not _matches(rule.left, node, maker, bindings):
        return None
    operands = [value for name, value in bindings.items() if not name.startswith("=")]
    dtypes = [operand_type(operand).dtype for operand in operands]
    if all(dtype is None or dtype.kind in rule.kinds for dtype in dtypes):
        return bindings
    return None


def _matches(pattern: Any, node: Node, maker: Maker, bindings: Any) -> bool:
    if node.op is not pattern.op or len(node.inputs) != len(pattern.operands):
        return False
    if node.attributes.keys() != pattern.attributes.keys():
        return False
    return all(
        _matches_attribute(part, node.attributes[name], bindings)
        for name, part in pattern.attributes.items()
    ) and all(
        _matches_operand(part, operand, maker, bindings)
        for part, operand in zip(pattern.operands, node.inputs, strict=True)
    )


def _matches_attribute(part: Any, value: Value, bindings: Any) -> bool:
    if not isinstance(part, PatternVariable):
        return attribute_text(part) == attribute_text(value)
    known = bindings.setdefault("=" + part.name, value)
    return attribute_text(known) == attribute_text(value)


def _matches_operand(part: Any, operand: Operand, maker: Maker, bindings: Any) -> bool:
    match part:
        case PatternVariable(name):
            known = bindings.setdefault(name, operand)
            return known is operand or (type(known) is type(operand) and _is_scalar(known, operand))
        case Scalar(value):
            return _is_scalar(_known_scalar(operand, maker), value)
    node = maker(operand)
    return node is not None and len(node.outputs) == 1 and _matches(part, node, maker, bindings)


def _known_scalar(operand: Operand, maker: Maker) -> Any:
    if not isinstance(operand, Value):
        return operand
    node = maker(operand)
    if node is None or node.op.name != "constant" or node.attributes["value"].shape != ():
        return None
    return node.attributes["value"].item()


def _is_scalar(operand: Operand, wanted: Any) -> bool:
    """Whether an operand is that scalar; -0.0 is not 0.0."""
    if isinstance(operand, (Value, complex, NoneType)) or operand != wanted:
        return False
    return operand != 0 or math.copysign(1, operand) == math.copysign(1, wanted)


# -- instantiation --------------------------------------------------------------------------------


def instantiate(pattern: Any, bindings: dict[str, Any]) -> Any:
    """The right side of a rule: an operand, or an op with its operands and attributes."""
    match pattern:
        case PatternVariable(name):
            return bindings[name]
        case Scalar(value):
            return value
    operands = tuple(instantiate(part, bindings) for part in pattern.operands)
    attributes = {
        name: bindings["=" + part.name] if isinstance(part, PatternVariable) else part
        for name, part in pattern.attributes.items()
    }
    return pattern.op, operands, attributes
