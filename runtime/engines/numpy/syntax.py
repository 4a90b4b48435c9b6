"""Expressions as texts: which need parentheses, and how an op's template is instantiated.

template("x + y").fill(...)          "a * b + c"       (no parentheses: `*` binds more tightly)
template("xp.sum(x, ...)").fill(...) "np.sum(a, axis=0)"
template("x.sum(...)").fill(...)     "(a + b).sum(axis=0)"
"""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from runtime.ir.op import OPERANDS

# How tightly operators bind, from Python's reference (6.17); larger binds more tightly.
NOT, COMPARISON, UNARY, POWER, ATOM = 2, 3, 9, 10, 20
BINARY = {
    ast.BitOr: 4,
    ast.BitXor: 5,
    ast.BitAnd: 6,
    ast.LShift: 7,
    ast.RShift: 7,
    ast.Add: 7.5,
    ast.Sub: 7.5,
    ast.Mult: 8,
    ast.MatMult: 8,
    ast.Div: 8,
    ast.FloorDiv: 8,
    ast.Mod: 8,
    ast.Pow: POWER,
}
SLIGHTLY = 0.1


@dataclass(frozen=True)
class Template:
    """The text of an op's `eval`, and how tightly its parts bind."""

    pieces: tuple[str, ...]  # words, and the characters between them
    precedence: float
    operands: dict[str, float]  # how tightly each operand must bind to need no parentheses

    def fill(
        self, operand: Callable[[str, float], str], attributes: dict[str, str]
    ) -> tuple[str, float]:
        """The expression, and how tightly it binds."""
        keywords = ", ".join(f"{name}={text}" for name, text in attributes.items())
        text = "".join(self._piece(piece, operand, attributes, keywords) for piece in self.pieces)
        return text, self.precedence

    def _piece(
        self,
        piece: str,
        operand: Callable[[str, float], str],
        attributes: dict[str, str],
        keywords: str,
    ) -> str:
        if piece == "xp":
            return "np"
        if piece == ", ...":
            return f", {keywords}" if keywords else ""
        if piece == "...":
            return keywords
        if piece in self.operands:
            return operand(piece, self.operands[piece])
        return attributes.get(piece, piece)


@cache
def template(text: str) -> Template:
    """The template that an op's `eval` is."""
    pieces = tuple(re.findall(r", \.\.\.|\.\.\.|\.\w+|\w+|\W", text))
    tree = ast.parse(text, mode="eval").body
    precedence: float = ATOM
    operands: dict[str, float] = dict.fromkeys(OPERANDS, 0)
    match tree:
        case ast.BinOp(op=op):
            precedence = BINARY[type(op)]
            right_first = isinstance(op, ast.Pow)
            operands["x"] = precedence + (SLIGHTLY if right_first else 0)
            operands["y"] = precedence + (0 if right_first else SLIGHTLY)
        case ast.UnaryOp(op=ast.Not()):
            precedence = operands["x"] = NOT
        case ast.UnaryOp():
            precedence = operands["x"] = UNARY
        case ast.Compare():
            precedence = COMPARISON
            operands["x"] = operands["y"] = COMPARISON + SLIGHTLY
        case ast.Subscript() | ast.Attribute() | ast.Call(func=ast.Attribute(value=ast.Name("x"))):
            operands["x"] = ATOM
    return Template(pieces, precedence, operands)
