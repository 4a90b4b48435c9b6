"""The table of elementwise ops that a kernel computes in registers, many lanes at once.

    add(x: f64, y: f64)      %3 = call <8 x double> @llvm.experimental.constrained.fadd...

An entry says to which kinds NumPy converts the operands, and writes the instructions for any number
of lanes.  Integers wrap, as elements of arrays do; floats set the flags that NumPy's do.  Ops of
floats without an entry call the inner loops that NumPy has (`inner_loops.py`).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import (
    TRUTH,
    Kind,
    NotLowered,
    kind_of_dtype,
)
from runtime.engines.native.text import Text, literal
from runtime.ir.graph import Node, Operand, operand_type
from runtime.ir.types import PythonType, TensorType, Type, promote

Kinds = Callable[[Node], list[Kind]]
Write = Callable[[Text, Kind, list[str]], str]


@dataclass(frozen=True)
class Element:
    """How one element of a result is computed.

    `kinds` are those of the operands; `write` takes the first one's kind, with its lanes, and
    registers.  A formula takes some time (`formulas.py`).
    """

    kinds: Kinds
    write: Write
    is_formula: bool = False


def known_type(operand: Operand) -> PythonType | TensorType:
    """The type of an operand.  Raises `NotLowered` where the run decides it."""
    found: Type = operand_type(operand)
    if not isinstance(found, PythonType | TensorType):
        raise NotLowered(f"a value of type {found} is no operand of a kernel")
    return found


def result_kind(node: Node) -> Kind:
    """The kind of a result's elements."""
    type = node.output.type
    assert isinstance(type, TensorType | PythonType)
    return kind_of_dtype(type.dtype)


def _as_result(node: Node) -> list[Kind]:
    return [result_kind(node)] * len(node.inputs)


def _as_number(node: Node) -> list[Kind]:
    kinds = _as_result(node)
    if kinds[0] == TRUTH:
        raise NotLowered("arithmetic of NumPy bools has no machine code")
    return kinds


def _as_float(node: Node) -> list[Kind]:
    kinds = _as_result(node)
    if not kinds[0].is_float:
        raise NotLowered("the function of integers has no machine code")
    return kinds


def _promoted(node: Node) -> list[Kind]:
    types = [known_type(operand) for operand in node.inputs]
    kind = kind_of_dtype(promote(*types))
    families = {kind_of_dtype(type.dtype).family for type in types}
    if {"i", "u"} <= families and kind.is_float:
        raise NotLowered("operands of these types have no common type in machine code")
    return [kind] * len(types)


def _truths(node: Node) -> list[Kind]:
    return [TRUTH] * len(node.inputs)


def _choice(node: Node) -> list[Kind]:
    if len(node.inputs) != 3:
        raise NotLowered("the positions of true elements have no machine code")
    return [TRUTH, *[result_kind(node)] * 2]


def _own(node: Node) -> list[Kind]:
    return [kind_of_dtype(known_type(operand).dtype) for operand in node.inputs]


def _squared(node: Node) -> list[Kind]:
    if node.inputs[1] is True or node.inputs[1] != 2 or not isinstance(node.inputs[1], int):
        raise NotLowered("a power other than 2 is computed by an inner loop")
    if kind_of_dtype(known_type(node.inputs[0]).dtype) == TRUTH:
        raise NotLowered("the square of NumPy bools is of a type that the exponent decides")
    return _as_number(node)


# -- instructions ----------------------------------------------------------------------------------


def _ring(name: str, of_bools: str | None) -> Write:
    def write(text: Text, kind: Kind, given: list[str]) -> str:
        if kind.is_float:
            return text.float(f"f{name}", kind, *given)
        instruction = name if kind.is_integer else of_bools
        if instruction is None:
            raise NotLowered("arithmetic of NumPy bools has no machine code")
        return text.register(f"{instruction} {kind.register} {', '.join(given)}")

    return write


def _divide(text: Text, kind: Kind, given: list[str]) -> str:
    return text.float("fdiv", kind, *given)


def _square(text: Text, kind: Kind, given: list[str]) -> str:
    return _ring("mul", "and")(text, kind, [given[0], given[0]])


def _reciprocal(text: Text, kind: Kind, given: list[str]) -> str:
    return text.float("fdiv", kind, literal(kind, 1.0), given[0])


def _negative(text: Text, kind: Kind, given: list[str]) -> str:
    if kind.is_float:
        return text.register(f"fneg {kind.register} {given[0]}")
    return text.register(f"sub {kind.register} {literal(kind, 0)}, {given[0]}")


def _absolute(text: Text, kind: Kind, given: list[str]) -> str:
    x, register = given[0], kind.register
    if kind.is_float:
        return text.intrinsic(f"llvm.fabs.{kind.suffix}", register, (register, x))
    if kind.family == "u":
        return x
    below = text.register(f"icmp slt {register} {x}, {literal(kind, 0)}")
    return selected(text, kind, below, _negative(text, kind, given), x)


def selected(text: Text, kind: Kind, condition: str, x: str, y: str) -> str:
    """x where a condition holds, y elsewhere."""
    register = kind.register
    return text.register(f"select {kind.truth} {condition}, {register} {x}, {register} {y}")


def _rounding(name: str) -> Write:
    def write(text: Text, kind: Kind, given: list[str]) -> str:
        return text.float(name, kind, given[0]) if kind.is_float else given[0]

    return write


def _bits(name: str) -> Write:
    def write(text: Text, kind: Kind, given: list[str]) -> str:
        return text.register(f"{name} {kind.register} {', '.join(given)}")

    return write


def _invert(text: Text, kind: Kind, given: list[str]) -> str:
    ones = literal(kind, True) if kind.family == "b" else literal(kind, -1)
    return text.register(f"xor {kind.register} {given[0]}, {ones}")


def compared(text: Text, kind: Kind, names: tuple[str, str, str], x: str, y: str) -> str:
    """A comparison: its names for integers with a sign, without one, and for floats."""
    signed, unsigned, ordered = names
    if kind.is_float:
        return text.float_comparison(ordered, kind, x, y)
    predicate = signed if kind.family == "i" else unsigned
    return text.register(f"icmp {predicate} {kind.register} {x}, {y}")


def _comparison(*names: str) -> Write:
    def write(text: Text, kind: Kind, given: list[str]) -> str:
        return compared(text, kind, (names[0], names[1], names[2]), given[0], given[1])

    return write


def _extreme(*names: str) -> Write:
    """The larger or smaller of two: of equal floats the second one, and nan where one is nan."""

    def write(text: Text, kind: Kind, given: list[str]) -> str:
        x, y = given
        holds = compared(text, kind, (names[0], names[1], names[2]), x, y)
        if kind.is_float:
            is_nan = text.float_comparison("uno", kind, x, x)
            holds = text.register(f"or {kind.truth} {holds}, {is_nan}")
        return selected(text, kind, holds, x, y)

    return write


def _is_nan(text: Text, kind: Kind, given: list[str]) -> str:
    if not kind.is_float:
        raise NotLowered("only floats are looked at for nan")
    return text.float_comparison("uno", kind, given[0], given[0])


def _where(text: Text, kind: Kind, given: list[str]) -> str:
    raise AssertionError("the kernel writes choices: they have operands of two kinds")


def _same(text: Text, kind: Kind, given: list[str]) -> str:
    return given[0]


def _root(text: Text, kind: Kind, given: list[str]) -> str:
    return text.float("sqrt", kind, given[0])


def _scaled(text: Text, kind: Kind, given: list[str]) -> str:
    """A product of cotangents.  Infinities and nan leave the piece: zeros depend on them."""
    product = text.float("fmul", kind, *given)
    size = text.intrinsic(f"llvm.fabs.{kind.suffix}", kind.register, (kind.register, product))
    infinite = text.float_comparison("uge", kind, size, literal(kind, math.inf))
    text.leave_if(any_lane(text, kind, infinite), Exit.FLAGS)
    return product


# op names: for each the kinds of its operands and its instructions
ELEMENTS = {
    "add": Element(_as_result, _ring("add", "or")),
    "subtract": Element(_as_number, _ring("sub", None)),
    "multiply": Element(_as_result, _ring("mul", "and")),
    "divide": Element(_as_float, _divide),
    "negative": Element(_as_number, _negative),
    "positive": Element(_as_number, _same),
    "absolute": Element(_as_number, _absolute),
    "fabs": Element(_as_float, _absolute),
    "accumulated": Element(_as_float, _ring("add", None)),
    "scaled": Element(_as_float, _scaled),
    "jointly_scaled": Element(_as_float, _scaled),
    "square": Element(_as_number, _square),
    "reciprocal": Element(_as_float, _reciprocal),
    "pow": Element(_squared, _square),
    "sqrt": Element(_as_float, _root),
    "floor": Element(_as_number, _rounding("floor")),
    "ceil": Element(_as_number, _rounding("ceil")),
    "trunc": Element(_as_number, _rounding("trunc")),
    "rint": Element(_as_float, _rounding("rint")),
    "maximum": Element(_as_number, _extreme("sgt", "ugt", "ogt")),
    "minimum": Element(_as_number, _extreme("slt", "ult", "olt")),
    "bitwise_and": Element(_as_result, _bits("and")),
    "bitwise_or": Element(_as_result, _bits("or")),
    "bitwise_xor": Element(_as_result, _bits("xor")),
    "invert": Element(_as_result, _invert),
    "equal": Element(_promoted, _comparison("eq", "eq", "oeq")),
    "not_equal": Element(_promoted, _comparison("ne", "ne", "une")),
    "less": Element(_promoted, _comparison("slt", "ult", "olt")),
    "less_equal": Element(_promoted, _comparison("sle", "ule", "ole")),
    "greater": Element(_promoted, _comparison("sgt", "ugt", "ogt")),
    "greater_equal": Element(_promoted, _comparison("sge", "uge", "oge")),
    "logical_and": Element(_truths, _bits("and")),
    "logical_or": Element(_truths, _bits("or")),
    "logical_xor": Element(_truths, _bits("xor")),
    "logical_not": Element(_truths, _invert),
    "isnan": Element(_own, _is_nan),
    "where": Element(_choice, _where),
    "cast": Element(_as_result, _same),
}


def converted(text: Text, register: str, have: Kind, kind: Kind) -> str:
    """Elements in another kind, as NumPy casts arrays; both kinds have their lanes.

    A float that is no integer of the kind leaves the piece.
    """
    if have == kind:
        return register
    target = f"{have.register} {register} to {kind.register}"
    if kind.family == "b":
        return compared(text, have, ("ne", "ne", "une"), register, literal(have, 0))
    if kind.is_float and have.is_float:
        name = "fpext" if kind.bits > have.bits else "fptrunc"
        return text.float_conversion(name, have, kind, register)
    if kind.is_float:
        return text.register(f"{'si' if have.family == 'i' else 'ui'}tofp {target}")
    if have.is_float:
        return _truncated(text, register, have, kind)
    if kind.bits == have.bits:
        return register
    if kind.bits < have.bits:
        return text.register(f"trunc {target}")
    return text.register(f"{'sext' if have.family == 'i' else 'zext'} {target}")


def _truncated(text: Text, register: str, have: Kind, kind: Kind) -> str:
    """Floats as integers; the piece is left if one is outside or nan."""
    digits = 24 if have.bits == 32 else 53
    if kind.bits <= digits or not kind.low:
        above, low = "ogt", literal(have, float(kind.low - 1))
    else:
        above, low = "oge", literal(have, float(kind.low))
    fits_below = text.float_comparison(above, have, register, low)
    high = literal(have, float(kind.high + 1))
    fits_above = text.float_comparison("olt", have, register, high)
    inside = text.register(f"and {have.truth} {fits_below}, {fits_above}")
    outside = text.register(f"xor {have.truth} {inside}, {literal(TRUTH.in_lanes(have.lanes), 1)}")
    text.leave_if(any_lane(text, have, outside), Exit.CONVERSION)
    name = "fptosi" if kind.family == "i" else "fptoui"
    return text.float_conversion(name, have, kind, register)


def any_lane(text: Text, kind: Kind, condition: str) -> str:
    """Whether a condition holds in a lane of registers of a kind."""
    if kind.lanes == 1:
        return condition
    name = f"llvm.vector.reduce.or.v{kind.lanes}i1"
    return text.intrinsic(name, "i1", (kind.truth, condition))


def element_of(node: Node) -> Element | None:
    """The entry of a node's op for its types, None if there is none."""
    found = ELEMENTS.get(node.op.name)
    if found is None:
        return None
    try:
        found.kinds(node)
    except NotLowered:
        return None
    return found
