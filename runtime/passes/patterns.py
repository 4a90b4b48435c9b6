"""Rules as text: `multiply(x, 1) -> x`.

    rule    ::=  pattern -> pattern
    pattern ::=  x, y, z...                      any operand; the same one wherever the name stands
              |  0, 1, -0.0, True...             that number, or an array without dimensions of it
              |  op(pattern..., name=a, ...)     a result of that op, with just these attributes

A name behind `=` stands for any attribute, the same one throughout; anything else for itself.  The
right side is a name, a number, or one op applied to names.
"""

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType
from typing import Any

from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.op import Op, find
from runtime.ir.text import attribute_text


@dataclass(frozen=True)
class Variable:
    """Stands for any operand or attribute."""

    name: str


@dataclass(frozen=True)
class Number:
    """Stands for operands that are known to be a number; 0 is not -0.0."""

    value: Any


@dataclass(frozen=True)
class Application:
    """Stands for results of an op."""

    op: Op
    operands: tuple
    attributes: dict[str, Any]


@dataclass(frozen=True)
class Rule:
    """Two patterns, the kinds of dtypes for which they are the same, and why for no others.

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
    """The rule that a text says."""
    left, right = (ast.parse(side.strip(), mode="eval").body for side in text.split("->"))
    pattern = _pattern(left)
    assert isinstance(pattern, Application), text
    return Rule(text, kinds, pattern, _pattern(right), why)


def _pattern(tree):
    match tree:
        case ast.Name(id=name):
            return Variable(name)
        case ast.Call(func=ast.Name(id=name)):
            attributes = {keyword.arg: _attribute(keyword.value) for keyword in tree.keywords}
            return Application(find(name), tuple(map(_pattern, tree.args)), attributes)
    return Number(ast.literal_eval(tree))


def _attribute(tree):
    if isinstance(tree, ast.Name):
        return Variable(tree.id)
    return eval(compile(ast.Expression(tree), "<rule>", "eval"), {"__builtins__": {"slice": slice}})


def _only_views(pattern):
    if not isinstance(pattern, Application):
        return isinstance(pattern, Variable)
    return pattern.op.shares and all(map(_only_views, pattern.operands))


# -- matching --------------------------------------------------------------------------------------


def matched(rule: Rule, node: Node, maker: Callable) -> dict[str, Any] | None:
    """What the names of a rule stand for if its left side is what a node computes, else None.

    `maker` gives the node that makes an operand.
    """
    found: dict[str, Any] = {}
    if not _applies(rule.left, node, maker, found):
        return None
    operands = [value for name, value in found.items() if not name.startswith("=")]
    if all(operand_type(o).dtype.kind in rule.kinds for o in operands if _has_dtype(o)):
        return found
    return None


def _has_dtype(operand):
    return operand_type(operand).dtype is not None


def _applies(pattern, node, maker, found):
    if node.op is not pattern.op or len(node.inputs) != len(pattern.operands):
        return False
    if node.attributes.keys() != pattern.attributes.keys():
        return False
    return all(
        _is_attribute(part, node.attributes[name], found)
        for name, part in pattern.attributes.items()
    ) and all(
        _is_operand(part, operand, maker, found)
        for part, operand in zip(pattern.operands, node.inputs, strict=True)
    )


def _is_attribute(part, value, found):
    if not isinstance(part, Variable):
        return attribute_text(part) == attribute_text(value)
    known = found.setdefault("=" + part.name, value)
    return attribute_text(known) == attribute_text(value)


def _is_operand(part, operand, maker, found):
    match part:
        case Variable(name):
            known = found.setdefault(name, operand)
            return known is operand or (type(known) is type(operand) and _is_number(known, operand))
        case Number(value):
            return _is_number(_known_number(operand, maker), value)
    node = maker(operand)
    return node is not None and len(node.outputs) == 1 and _applies(part, node, maker, found)


def _known_number(operand: Operand, maker):
    if not isinstance(operand, Value):
        return operand
    node = maker(operand)
    if node is None or node.op.name != "constant" or node.attributes["value"].shape != ():
        return None
    return node.attributes["value"].item()


def _is_number(operand, wanted):
    """Whether an operand is a number of that value; -0.0 is another one than 0.0."""
    if isinstance(operand, (Value, complex, NoneType)) or operand != wanted:
        return False
    return operand != 0 or math.copysign(1, operand) == math.copysign(1, wanted)


# -- the other side --------------------------------------------------------------------------------


def filled(pattern: Any, found: dict[str, Any]) -> Any:
    """The right side of a rule: an operand, or an op with its operands and attributes."""
    match pattern:
        case Variable(name):
            return found[name]
        case Number(value):
            return value
    operands = tuple(filled(part, found) for part in pattern.operands)
    attributes = {
        name: found["=" + part.name] if isinstance(part, Variable) else part
        for name, part in pattern.attributes.items()
    }
    return pattern.op, operands, attributes
