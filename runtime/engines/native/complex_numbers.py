"""Lowerings of complex scalars, which are held as two floats: the real and the imaginary part.

    z = z * z + c            four products, a difference and three sums
    abs(z)                   C's `hypot`, which Python and NumPy call, too

Every bit is as in Python or NumPy.  They round quotients differently: Python divides by the
denominator, NumPy multiplies by its reciprocal (both after R. L. Smith, Communications of the ACM
5, 1962).  A real operand becomes a complex number with the imaginary part 0.0 first, as in both;
from Python 3.14 on, Python's own operators differ, and have no machine code for two such operands.

Scalars of two types may make a third type (`x + 1j` of a `float64`): then NumPy's operators compute
arrays, in another way.  Sums are the same in both; products and quotients call NumPy's loop.
"""

import ctypes
import math
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from runtime.engines.native import python_objects as objects
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import (
    TRUTH,
    Kind,
    NotLowered,
    kind_of,
    options_of,
    part_of,
    part_of_dtype,
)
from runtime.engines.native.lowering import lowers, lowers_complex
from runtime.engines.native.text import Text, literal
from runtime.engines.native.ufunc_loops import called_loop
from runtime.ir.graph import Node, Operand, operand_type
from runtime.ir.op import find
from runtime.ir.types import COMPLEX, PythonType, TensorType, Type, promote, tensor_type
from runtime.ops.unions import PREFIX

Parts = tuple[str, str]

MIXES_AS_COMPLEX = sys.version_info < (3, 14)


def result_part(node: Node) -> Kind:
    """The kind of the parts of a complex result.  Raises `NotLowered` for other results."""
    part = part_of(node.output.type)
    if part is None:
        raise NotLowered(f"its result of type {node.output.type} has no machine code")
    return part


def operands_of(emitter: Emitter, node: Node, part: Kind) -> Iterator[Parts]:
    """The operands of an operator as complex numbers.

    Raises `NotLowered` where the operator may be that of a later Python.
    """
    for choice in product(*(options_of(operand_type(operand)) for operand in node.inputs)):
        is_mixed = len({type.dtype.kind for type in choice}) > 1
        if is_mixed and not MIXES_AS_COMPLEX and _is_pythons(choice):
            raise NotLowered("Python's operators for real and complex numbers have no machine code")
    for operand in node.inputs:
        yield parts(emitter, operand, part)


def by_loop(emitter: Emitter, node: Node, part: Kind) -> bool:
    """Writes an operator of which NumPy's is one of arrays; whether this one is.

    Raises `NotLowered` where the run decides it.
    """
    choices = list(product(*(options_of(operand_type(operand)) for operand in node.inputs)))
    if all(map(_is_of_scalars, choices)):
        return False
    if len(choices) > 1:
        raise NotLowered("the run decides whether NumPy computes its operands as arrays")
    ufunc: Any = find(node.op.name.removeprefix(PREFIX)).numpy
    operands = [emitter.pair(operand, part) for operand in node.inputs]
    dtype = promote(*choices[0])
    called_loop(emitter, node, ufunc, [dtype] * 3, operands, dtype.itemsize)
    return True


def _is_pythons(choice: tuple[Type, ...]) -> bool:
    """Whether an operator for operands of some types is Python's: `np.float64` is a float, and as
    the second operand it leaves the operator to Python's complex number."""
    return all(isinstance(type, PythonType) for type in choice) or choice == COMPLEX_AND_F64


COMPLEX_AND_F64 = (COMPLEX, tensor_type("f8"))


def _is_of_scalars(choice: tuple[Type, ...]) -> bool:
    """Whether an operator is Python's, or belongs to a NumPy scalar of the result's type."""
    dtypes = {type.dtype for type in choice if isinstance(type, TensorType)}
    return _is_pythons(choice) or promote(*choice) in dtypes


def parts(emitter: Emitter, operand: Operand, part: Kind) -> Parts:
    """An operand as a complex number."""
    real, imaginary = emitter.parts(operand, part)
    return real, imaginary


# -- sums, differences, products -------------------------------------------------------------------


@lowers_complex("add", "subtract")
def sum_or_difference(emitter: Emitter, node: Node) -> None:
    part, text = result_part(node), emitter.text
    (a, b), (c, d) = operands_of(emitter, node, part)
    name = {"add": "fadd", "subtract": "fsub"}[node.op.name.removeprefix(PREFIX)]
    emitter.results(node, (text.float(name, part, a, c), text.float(name, part, b, d)))


@lowers_complex("multiply")
def multiply(emitter: Emitter, node: Node) -> None:
    part = result_part(node)
    if by_loop(emitter, node, part):
        return
    x, y = operands_of(emitter, node, part)
    emitter.results(node, multiplied(emitter.text, part, x, y))


def multiplied(text: Text, part: Kind, x: Parts, y: Parts) -> Parts:
    """The product of two complex numbers."""
    (a, b), (c, d) = x, y
    ac, bd, ad, bc = (text.float("fmul", part, *two) for two in ((a, c), (b, d), (a, d), (b, c)))
    return text.float("fsub", part, ac, bd), text.float("fadd", part, ad, bc)


@lowers_complex("negative")
def negative(emitter: Emitter, node: Node) -> None:
    part = result_part(node)
    (x,) = operands_of(emitter, node, part)
    emitter.results(node, tuple(_negative(emitter.text, part, one) for one in x))


def _negative(text: Text, part: Kind, x: str) -> str:
    return text.register(f"fneg {part.register} {x}")


@lowers_complex("positive")
def positive(emitter: Emitter, node: Node) -> None:
    emitter.results(node, parts(emitter, node.inputs[0], result_part(node)))


@lowers_complex("conjugate")
def conjugate(emitter: Emitter, node: Node) -> None:
    part = result_part(node)
    real, imaginary = parts(emitter, node.inputs[0], part)
    emitter.results(node, (real, _negative(emitter.text, part, imaginary)))


# -- quotients and powers --------------------------------------------------------------------------


@lowers_complex("divide")
def divide(emitter: Emitter, node: Node) -> None:
    part = result_part(node)
    if by_loop(emitter, node, part):
        return
    x, y = operands_of(emitter, node, part)
    emitter.results(node, quotient(emitter.text, part, x, y, _has_pythons_result(node)))


def _has_pythons_result(node: Node) -> bool:
    type = node.output.type
    if not isinstance(type, PythonType | TensorType):
        raise NotLowered("the run decides whether Python or NumPy computes it: they round it apart")
    return isinstance(type, PythonType)


def quotient(text: Text, part: Kind, x: Parts, y: Parts, is_pythons: bool) -> Parts:
    """The quotient of two complex numbers.  A divisor of zero leaves the piece."""
    (a, b), (c, d) = x, y
    register = part.register
    width, height = (text.intrinsic(f"llvm.fabs.{part.suffix}", register, (register, v)) for v in y)
    if not is_pythons:  # NumPy's comparison of the two sets a flag for nan
        text.leave_if(text.float_comparison("uno", part, width, height), Exit.FLAGS)
    is_wide = text.float_comparison("oge", part, width, height)

    def chosen(wide: str, high: str) -> str:
        return text.register(f"select i1 {is_wide}, {register} {wide}, {register} {high}")

    zero = literal(part, 0.0)
    larger, smaller = chosen(c, d), chosen(d, c)
    is_zero = text.float_comparison("oeq", part, larger, zero)
    text.leave_if(is_zero, Exit.ZERO_DIVISION if is_pythons else Exit.WARNED_DIVISION)
    ratio = text.float("fdiv", part, smaller, larger)
    denominator = text.float("fadd", part, larger, text.float("fmul", part, smaller, ratio))
    scaled_a, scaled_b = (text.float("fmul", part, one, ratio) for one in x)
    real = text.float("fadd", part, chosen(a, scaled_a), chosen(scaled_b, b))
    imaginary = text.float("fsub", part, chosen(b, scaled_b), chosen(scaled_a, a))
    if is_pythons:
        return text.float("fdiv", part, real, denominator), text.float(
            "fdiv", part, imaginary, denominator
        )
    factor = text.float("fdiv", part, literal(part, 1.0), denominator)
    return text.float("fmul", part, real, factor), text.float("fmul", part, imaginary, factor)


LARGEST_EXPONENT = 99  # Python and NumPy multiply for whole numbers below 100


@lowers_complex("pow")
def power(emitter: Emitter, node: Node) -> None:
    """A power with a whole number as its exponent, which is known: products of squares."""
    text, part, count = emitter.text, result_part(node), _small_exponent(node.inputs[1])
    if part.bits < 64:
        raise NotLowered("powers of complex64 have no machine code")
    x, _ = operands_of(emitter, node, part)
    is_pythons = _has_pythons_result(node)
    one = literal(part, 1.0), literal(part, 0.0)
    found = _whole_power(text, part, x, count, is_pythons)
    if count < 0 or (is_pythons and not count):
        found = quotient(text, part, one, found, is_pythons)
    if is_pythons:
        _leave_if_infinite(text, part, found)
    emitter.results(node, found)


def _small_exponent(operand: Any) -> int:
    is_number = type(operand) is int or type(operand) is float
    if is_number and abs(operand) <= LARGEST_EXPONENT and operand == int(operand):
        return int(operand)
    raise NotLowered("powers of complex numbers have machine code for small whole exponents")


def _whole_power(text: Text, part: Kind, x: Parts, exponent: int, is_pythons: bool) -> Parts:
    """A power without the sign of its exponent: a product of the squares that its bits select.

    NumPy has shorter products for 1, 2 and 3, and its powers of zero have positive zeros.
    """
    count = abs(exponent)
    found, square = (literal(part, 1.0), literal(part, 0.0)), x
    if not is_pythons and 1 <= exponent <= 3:
        found = x
        for _ in range(count - 1):
            found = multiplied(text, part, x, found)
        return _without_signs_of_zero(text, part, x, found)
    for place in range(count.bit_length()):
        if place:
            square = multiplied(text, part, square, square)
        if count >> place & 1:
            found = multiplied(text, part, found, square)
    return found if is_pythons or not count else _without_signs_of_zero(text, part, x, found)


def _without_signs_of_zero(text: Text, part: Kind, x: Parts, power: Parts) -> Parts:
    """A power of a complex number; that of zero is zero, whatever the signs of its parts."""
    zero, register = literal(part, 0.0), part.register
    bits = [text.float_comparison("oeq", part, one, zero) for one in x]
    is_zero = text.register(f"and i1 {bits[0]}, {bits[1]}")
    real, imaginary = (
        text.register(f"select i1 {is_zero}, {register} {zero}, {register} {one}") for one in power
    )
    return real, imaginary


def _leave_if_infinite(text: Text, part: Kind, x: Parts) -> None:
    """Leaves the piece for an infinite power: Python raises OverflowError."""
    for one in x:
        size = text.intrinsic(f"llvm.fabs.{part.suffix}", part.register, (part.register, one))
        infinite = text.float_comparison("oeq", part, size, literal(part, math.inf))
        text.leave_if(infinite, Exit.FLAGS)


# -- parts -----------------------------------------------------------------------------------------


@lowers("of_parts")
def of_parts(emitter: Emitter, node: Node) -> None:
    part = result_part(node)
    emitter.text.check_complex()
    emitter.results(node, tuple(emitter.scalar(operand, part) for operand in node.inputs))


@lowers_complex("real", "imag")
def part_of_number(emitter: Emitter, node: Node) -> None:
    part = part_of(operand_type(node.inputs[0]))
    if part is None or kind_of(node.output.type) != part:
        raise NotLowered(f"the part of type {node.output.type} has no machine code")
    real, imaginary = parts(emitter, node.inputs[0], part)
    emitter.result(node, real if node.op.name.removeprefix(PREFIX) == "real" else imaginary)


@lowers_complex("absolute")
def absolute(emitter: Emitter, node: Node) -> None:
    part = part_of(operand_type(node.inputs[0]))
    if part is None or kind_of(node.output.type) != part:
        raise NotLowered(f"the modulus of type {node.output.type} has no machine code")
    name = "hypot" if part.bits == 64 else "hypotf"
    real, imaginary = parts(emitter, node.inputs[0], part)
    text, register = emitter.text, part.register
    declaration = f"declare {register} @{name}({register}, {register})"
    called = text.declare(name, declaration, _address(name))
    text.uses_floats = True
    found = f"call {register} {called}({register} {real}, {register} {imaginary}) strictfp"
    emitter.result(node, text.register(found))


@cache
def _address(name: str) -> int:
    return objects.function_address(getattr(ctypes.CDLL(None), name))


# -- comparisons and conversions -------------------------------------------------------------------


@lowers_complex("equal", "not_equal")
def equality(emitter: Emitter, node: Node) -> None:
    types = [options_of(operand_type(operand)) for operand in node.inputs]
    kinds = {part_of_dtype(promote(*choice)) for choice in product(*types)}
    part = kinds.pop()
    if part is None or kinds:
        raise NotLowered("operands of these types have no common type in machine code")
    (a, b), (c, d) = (parts(emitter, operand, part) for operand in node.inputs)
    is_equal = node.op.name.removeprefix(PREFIX) == "equal"
    predicate, joined = ("oeq", "and") if is_equal else ("une", "or")
    text = emitter.text
    bits = [text.float_comparison(predicate, part, *two) for two in ((a, c), (b, d))]
    emitter.result(node, text.register(f"{joined} i1 {bits[0]}, {bits[1]}"))


@lowers_complex("truth", "not_")
def truth(emitter: Emitter, node: Node) -> None:
    part = part_of(operand_type(node.inputs[0]))
    assert part is not None
    text, found = emitter.text, parts(emitter, node.inputs[0], part)
    bits = [emitter.converted(one, part, TRUTH) for one in found]
    holds = text.register(f"or i1 {bits[0]}, {bits[1]}")
    if node.op.name.removeprefix(PREFIX) == "not_":
        holds = text.register(f"xor i1 {holds}, true")
    emitter.held[node.output] = (holds,)


@lowers_complex("number", "cast")
def conversion(emitter: Emitter, node: Node) -> None:
    """A conversion to a complex number: NumPy warns of others."""
    emitter.held[node.output] = parts(emitter, node.inputs[0], result_part(node))
