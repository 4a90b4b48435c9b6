"""Lowerings of arithmetic on scalars, comparisons, and conversions.

Sums and products of integers are checked for overflow, unless the interval analysis shows that
there is none: a Python int grows, and NumPy warns.  Division by zero leaves the piece, too.
"""

import sys
from itertools import product

from runtime.analyses.intervals import RULES, Interval, is_integer
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import (
    DOUBLE,
    INTEGER,
    TRUTH,
    Kind,
    NotLowered,
    kind_of,
    kind_of_dtype,
    may_be_python,
    options_of,
)
from runtime.engines.native.lowering import lowers
from runtime.engines.native.text import Text, is_number, literal
from runtime.ir.graph import Node, Value, operand_type
from runtime.ir.types import BOOL, promote
from runtime.ops.unions import PREFIX


def result_kind(node: Node) -> Kind:
    """The kind in which a node computes a number.  Raises `NotLowered` for bools."""
    kind = kind_of(node.output.type)
    if kind.family == "b":
        raise NotLowered("arithmetic of NumPy bools has no machine code")
    return kind


def common_kind(node: Node) -> Kind:
    """The kind to which NumPy promotes the operands of a node."""
    choices = product(*(options_of(operand_type(operand)) for operand in node.inputs))
    kinds = {kind_of_dtype(promote(*choice)) for choice in choices}
    families = {kind_of(operand_type(operand)).family for operand in node.inputs}
    if len(kinds) > 1 or {"i", "u"} <= families and "f" in {kind.family for kind in kinds}:
        raise NotLowered("operands of these types have no common type in machine code")
    return kinds.pop()


# -- sums, differences, products -------------------------------------------------------------------

INSTRUCTIONS = {"add": "add", "subtract": "sub", "multiply": "mul"}  # op names: for each op


@lowers("add", "subtract", "multiply")
def ring(emitter: Emitter, node: Node) -> None:
    kind = result_kind(node)
    x, y = (emitter.scalar(operand, kind) for operand in node.inputs)
    name = INSTRUCTIONS[node.op.name.removeprefix(PREFIX)]
    emitter.result(node, ring_of(emitter, node, kind, name, x, y))


def ring_of(emitter: Emitter, node: Node, kind: Kind, name: str, x: str, y: str) -> str:
    """A sum, difference or product; the piece is left if an integer does not fit."""
    text = emitter.text
    if kind.is_float:
        return text.float(f"f{name}", kind, x, y)
    found = _checked_ring(emitter, node, kind, name, x, y)
    emitter.facts.narrow_result(node)
    return found


def _checked_ring(emitter: Emitter, node: Node, kind: Kind, name: str, x: str, y: str) -> str:
    text = emitter.text
    if kind == INTEGER and emitter.counts_slowly(node):
        return text.register(f"{name} nsw i64 {x}, {y}")
    if never_overflows(emitter, node, kind) or _by_factor(emitter, node, kind, name, x, y):
        return text.register(f"{name} {kind.register} {x}, {y}")
    sign, register = "s" if kind.family == "i" else "u", kind.register
    intrinsic = f"llvm.{sign}{name}.with.overflow.{kind.suffix}"
    both = text.intrinsic(intrinsic, f"{{{register}, i1}}", (register, x), (register, y))
    text.leave_if(text.register(f"extractvalue {{{register}, i1}} {both}, 1"), Exit.OVERFLOW)
    if name == "mul":
        emitter.facts.narrow_factor(node, kind)
    return text.register(f"extractvalue {{{register}, i1}} {both}, 0")


def never_overflows(emitter: Emitter, node: Node, kind: Kind) -> bool:
    """Whether a result, computed with unbounded integers, is always one of its kind."""
    of_kind = Interval(kind.low, kind.high)
    if emitter.ranges.is_exact(node) and emitter.ranges[node.output].within(of_kind):
        return True
    if node.op.name not in RULES or not all(map(is_integer, node.inputs)):
        return False
    return RULES[node.op.name](*map(emitter.facts.interval, node.inputs)).within(of_kind)


def _by_factor(emitter: Emitter, node: Node, kind: Kind, name: str, x: str, y: str) -> bool:
    """Whether a result is a multiple of an operand, by a constant.

    Then this operand is compared with bounds, which takes fewer cycles than a product that is
    checked, and the interval of the result is known: `3 * a + 1` needs no second check.
    """
    number, factor = (y, x) if is_number(x) else (x, y)
    if name != "mul" or not is_number(factor) or is_number(number) or int(factor) <= 0:
        return False
    times, text = int(factor), emitter.text
    low, high = -(-kind.low // times), kind.high // times
    operand = next((one for one in node.inputs if isinstance(one, Value)), None)
    if (
        operand is not None
        and kind_of(operand.type) == kind
        and emitter.facts.interval(operand).low >= 0
    ):
        low = 0
    shifted = number if low == 0 else text.register(f"sub {kind.register} {number}, {low}")
    outside = f"icmp ugt {kind.register} {shifted}, {high - low}"
    text.leave_if(text.register(outside), Exit.OVERFLOW)
    if operand is not None:
        emitter.facts.narrow(operand, Interval(low, high))
    emitter.facts.narrow(node.output, Interval(low * times, high * times))
    return True


@lowers("negative")
def negative(emitter: Emitter, node: Node) -> None:
    kind, text = result_kind(node), emitter.text
    x = emitter.scalar(node.inputs[0], kind)
    if kind.is_float:
        emitter.result(node, text.register(f"fneg {kind.register} {x}"))
        return
    if kind.family == "u":
        raise NotLowered("the negative of an unsigned integer has no machine code")
    text.leave_if(text.register(f"icmp eq {kind.register} {x}, {kind.low}"), Exit.OVERFLOW)
    emitter.result(node, text.register(f"sub {kind.register} 0, {x}"))


@lowers("bitwise_and", "bitwise_or", "bitwise_xor")
def bitwise(emitter: Emitter, node: Node) -> None:
    """The bits of integers or bools, whose types have one kind; a Python int that does not fit
    leaves."""
    kind, text = kind_of(node.output.type), emitter.text
    x, y = (emitter.scalar(operand, kind) for operand in node.inputs)
    name = node.op.name.removeprefix(PREFIX).removeprefix("bitwise_")
    emitter.result(node, text.register(f"{name} {kind.register} {x}, {y}"))


@lowers("left_shift", "right_shift")
def shift(emitter: Emitter, node: Node) -> None:
    """The piece is left for a negative count, for one of all bits or more, and where a Python int
    outgrows 64 bits."""
    kind, text = result_kind(node), emitter.text
    x, y = (emitter.scalar(operand, kind) for operand in node.inputs)
    register, counts = kind.register, emitter.facts.interval(node.inputs[1])
    if counts.low < 0 or counts.high >= kind.bits:
        outside = f"icmp uge {register} {y}, {kind.bits}"
        text.leave_if(text.register(outside), Exit.OVERFLOW)
    right = "ashr" if kind.family == "i" else "lshr"
    if node.op.name.removeprefix(PREFIX) == "right_shift":
        emitter.result(node, text.register(f"{right} {register} {x}, {y}"))
        return
    found = text.register(f"shl {register} {x}, {y}")
    if may_be_python(node.output.type):
        back = text.register(f"{right} {register} {found}, {y}")
        text.leave_if(text.register(f"icmp ne {register} {back}, {x}"), Exit.OVERFLOW)
    emitter.result(node, found)


@lowers("invert")
def invert(emitter: Emitter, node: Node) -> None:
    """The inverted bits of an integer, or of a bool of NumPy."""
    kind = kind_of(node.output.type)
    if operand_type(node.inputs[0]) == BOOL and sys.version_info >= (3, 12):
        raise NotLowered("`~` of a bool of Python warns")
    x = emitter.scalar(node.inputs[0], kind)
    ones = "true" if kind.family == "b" else "-1"
    emitter.result(node, emitter.text.register(f"xor {kind.register} {x}, {ones}"))


@lowers("positive")
def positive(emitter: Emitter, node: Node) -> None:
    emitter.result(node, emitter.scalar(node.inputs[0], result_kind(node)))


@lowers("absolute")
def absolute(emitter: Emitter, node: Node) -> None:
    kind, text = result_kind(node), emitter.text
    x, register = emitter.scalar(node.inputs[0], kind), kind.register
    if kind.is_float:
        emitter.result(node, text.intrinsic(f"llvm.fabs.{kind.suffix}", register, (register, x)))
    elif kind.family == "u":
        emitter.result(node, x)
    else:
        text.leave_if(text.register(f"icmp eq {register} {x}, {kind.low}"), Exit.OVERFLOW)
        below = text.register(f"icmp slt {register} {x}, 0")
        opposite = text.register(f"sub {register} 0, {x}")
        emitter.result(
            node, text.register(f"select i1 {below}, {register} {opposite}, {register} {x}")
        )


# -- quotients -------------------------------------------------------------------------------------


@lowers("divide")
def divide(emitter: Emitter, node: Node) -> None:
    kind, text = result_kind(node), emitter.text
    for operand in node.inputs:  # Python divides ints exactly
        if isinstance(operand, Value):
            is_wide = kind_of(operand.type) == INTEGER
            if is_wide and may_be_python(operand.type):
                emitter.leave_if_inexact(operand)
    x, y = (emitter.scalar(operand, kind) for operand in node.inputs)
    raises = may_be_python(node.output.type)
    leave_if_zero(text, kind, y, Exit.ZERO_DIVISION if raises else Exit.WARNED_DIVISION)
    emitter.result(node, text.float("fdiv", kind, x, y))


def leave_if_zero(text: Text, kind: Kind, divisor: str, why: Exit = Exit.ZERO_DIVISION) -> None:
    """Leaves the piece for a division by zero: Python raises, NumPy warns."""
    zero = literal(kind, 0)
    if kind.is_float:
        text.leave_if(text.float_comparison("oeq", kind, divisor, zero), why)
    elif not is_number(divisor) or not int(divisor):
        text.leave_if(text.register(f"icmp eq {kind.register} {divisor}, {zero}"), why)


@lowers("floor_divide", "remainder")
def floor_division(emitter: Emitter, node: Node) -> None:
    kind, text = result_kind(node), emitter.text
    x, y = (emitter.scalar(operand, kind) for operand in node.inputs)
    quotient = node.op.name.removeprefix(PREFIX) == "floor_divide"
    leave_if_zero(text, kind, y)
    if kind.is_float:
        emitter.result(node, float_floor_division(text, kind, x, y, quotient))
    elif kind.family == "u":
        name = "udiv" if quotient else "urem"
        emitter.result(node, text.register(f"{name} {kind.register} {x}, {y}"))
    else:
        emitter.result(node, _signed_floor_division(text, kind, x, y, quotient))


def _signed_floor_division(text: Text, kind: Kind, x: str, y: str, quotient: bool) -> str:
    register = kind.register
    divisor = int(y) if is_number(y) else 0
    if divisor > 0 and divisor & (divisor - 1) == 0:
        shift = f"ashr {register} {x}, {divisor.bit_length() - 1}"
        return text.register(shift if quotient else f"and {register} {x}, {divisor - 1}")
    if divisor in (0, -1):  # the least integer by -1 overflows
        is_least = text.register(f"icmp eq {register} {x}, {kind.low}")
        is_minus_one = text.register(f"icmp eq {register} {y}, -1")
        text.leave_if(text.register(f"and i1 {is_least}, {is_minus_one}"), Exit.OVERFLOW)
    towards_zero = text.register(f"sdiv {register} {x}, {y}")
    rest = text.register(f"srem {register} {x}, {y}")
    unequal = text.register(
        f"icmp slt {register} {text.register(f'xor {register} {rest}, {y}')}, 0"
    )
    nonzero = text.register(f"icmp ne {register} {rest}, 0")
    wrong = text.register(f"and i1 {unequal}, {nonzero}")
    if quotient:
        right, found = text.register(f"sub {register} {towards_zero}, 1"), towards_zero
    else:
        right, found = text.register(f"add {register} {rest}, {y}"), rest
    return text.register(f"select i1 {wrong}, {register} {right}, {register} {found}")


def float_floor_division(text: Text, kind: Kind, x: str, y: str, quotient: bool) -> str:
    """The floor quotient or remainder of floats, as Python and NumPy compute them both."""
    register, zero = kind.register, literal(kind, 0.0)
    rest = text.float("frem", kind, x, y)
    has_rest = text.float_comparison("une", kind, rest, zero)
    below = text.float_comparison("olt", kind, y, zero)
    rest_below = text.float_comparison("olt", kind, rest, zero)
    differ = text.register(f"xor i1 {below}, {rest_below}")
    wrong = text.register(f"and i1 {has_rest}, {differ}")
    if not quotient:
        moved = text.float("fadd", kind, rest, y)
        found = text.register(f"select i1 {wrong}, {register} {moved}, {register} {rest}")
        name, operands = f"llvm.copysign.{kind.suffix}", ((register, zero), (register, y))
        signed = text.intrinsic(name, register, *operands)
        return text.register(f"select i1 {has_rest}, {register} {found}, {register} {signed}")
    exact = text.float("fdiv", kind, text.float("fsub", kind, x, rest), y)
    lower = text.float("fsub", kind, exact, literal(kind, 1.0))
    found = text.register(f"select i1 {wrong}, {register} {lower}, {register} {exact}")
    floor = text.float("floor", kind, found)
    above = text.float("fsub", kind, found, floor)
    is_above = text.float_comparison("ogt", kind, above, literal(kind, 0.5))
    next_one = text.float("fadd", kind, floor, literal(kind, 1.0))
    whole = text.register(f"select i1 {is_above}, {register} {next_one}, {register} {floor}")
    ratio = text.float("fdiv", kind, x, y)
    name, operands = f"llvm.copysign.{kind.suffix}", ((register, zero), (register, ratio))
    signed = text.intrinsic(name, register, *operands)
    is_zero = text.float_comparison("oeq", kind, found, zero)
    return text.register(f"select i1 {is_zero}, {register} {signed}, {register} {whole}")


# -- comparisons -----------------------------------------------------------------------------------

# op names: the predicates of LLVM for integers with a sign, without one, and for floats
PREDICATES = {
    "equal": ("eq", "eq", "oeq"),
    "not_equal": ("ne", "ne", "une"),
    "less": ("slt", "ult", "olt"),
    "less_equal": ("sle", "ule", "ole"),
    "greater": ("sgt", "ugt", "ogt"),
    "greater_equal": ("sge", "uge", "oge"),
}


@lowers(*PREDICATES)
def comparison(emitter: Emitter, node: Node) -> None:
    kind, text = common_kind(node), emitter.text
    signed, unsigned, ordered = PREDICATES[node.op.name.removeprefix(PREFIX)]
    x, y = (emitter.scalar(operand, kind) for operand in node.inputs)
    if kind.is_float:
        emitter.result(node, text.float_comparison(ordered, kind, x, y))
    else:
        predicate = signed if kind.family == "i" else unsigned
        emitter.result(node, text.register(f"icmp {predicate} {kind.register} {x}, {y}"))


# -- conversions -----------------------------------------------------------------------------------


@lowers("truth")
def truth(emitter: Emitter, node: Node) -> None:
    emitter.held[node.output] = (_truth_of(emitter, node),)


@lowers("not_")
def not_(emitter: Emitter, node: Node) -> None:
    opposite = emitter.text.register(f"xor i1 {_truth_of(emitter, node)}, true")
    emitter.held[node.output] = (opposite,)


def _truth_of(emitter: Emitter, node: Node) -> str:
    operand = node.inputs[0]
    return emitter.converted(emitter.own(operand), kind_of(operand_type(operand)), TRUTH)


@lowers("number")
def number(emitter: Emitter, node: Node) -> None:
    operand, kind = node.inputs[0], kind_of(node.output.type)
    have = kind_of(operand_type(operand))
    if have == Kind("u", 64) and kind == INTEGER:
        emitter.text.leave_outside(have, emitter.own(operand), 0, INTEGER.high)
    emitter.held[node.output] = (emitter.converted(emitter.own(operand), have, kind),)


@lowers("cast")
def cast(emitter: Emitter, node: Node) -> None:
    operand, kind = node.inputs[0], kind_of(node.output.type)
    have, register = kind_of(operand_type(operand)), emitter.own(operand)
    if may_be_python(operand_type(operand)) and have == INTEGER and kind.is_integer:
        emitter.leave_unfit(have, kind, register)
    if have == INTEGER and kind == Kind("f", 32) and may_be_python(operand_type(operand)):
        emitter.leave_if_inexact(operand)
    emitter.held[node.output] = (emitter.converted(register, have, kind),)


@lowers("option", "numpys")
def option(emitter: Emitter, node: Node) -> None:
    found = emitter.registers(node.inputs[0], node.output.type)
    emitter.held[node.output] = tuple(register for _, register in found)


@lowers("sqrt")
def sqrt(emitter: Emitter, node: Node) -> None:
    kind = result_kind(node)
    if common_kind(node) not in (kind, INTEGER) or kind not in (DOUBLE, Kind("f", 32)):
        raise NotLowered("the square root of small integers has no machine code")
    x = emitter.scalar(node.inputs[0], kind)
    emitter.result(node, emitter.text.float("sqrt", kind, x))
