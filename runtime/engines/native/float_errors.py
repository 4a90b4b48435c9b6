"""Lowerings of `np.errstate(all="ignore")`, of products of cotangents, and of scalar powers.

    enter_errors(all='ignore')     a flag that is set so far leaves the call; flags count no more
    leave_errors()                 the flags are cleared, and count again

Only the code of a whole call has blocks of `np.errstate`: a piece may end before a block does, and
the NumPy program after it would not be inside.
"""

import ctypes
from functools import cache

import numpy as np

from runtime.engines.native import python_objects as objects
from runtime.engines.native.arithmetic import common_kind, result_kind
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kinds import DOUBLE, Kind, NotLowered, is_scalar, kind_of
from runtime.engines.native.lowering import lowers
from runtime.engines.native.text import literal
from runtime.ir.graph import Node, Operand, operand_type
from runtime.ir.types import tensor_type

IGNORED = (("all", "ignore"),)


@lowers("enter_errors")
def enter_errors(emitter: Emitter, node: Node) -> None:
    if not emitter.is_whole or node.attributes["options"] != IGNORED:
        raise NotLowered("a block of np.errstate has machine code if all of a call has some")
    if not emitter.ignoring:
        emitter.text.leave_if_flagged()
    emitter.ignoring += 1


@lowers("leave_errors")
def leave_errors(emitter: Emitter, node: Node) -> None:
    if not emitter.ignoring:
        raise NotLowered("the end of a block of np.errstate has no machine code")
    emitter.ignoring -= 1
    if not emitter.ignoring:
        emitter.text.clear_flags()


@lowers("scaled", "jointly_scaled")
def scaled(emitter: Emitter, node: Node) -> None:
    """The product; zero where it is nan and a cotangent is zero."""
    types = [operand_type(operand) for operand in node.inputs]
    kind, text = result_kind(node), emitter.text
    if not all(map(is_scalar, types)) or not kind.is_float or common_kind(node) != kind:
        raise NotLowered("products of other cotangents have no machine code")
    x, y = (emitter.scalar(operand, kind) for operand in node.inputs)
    product, zero = text.float("fmul", kind, x, y), literal(kind, 0.0)
    is_nan = text.float_comparison("uno", kind, product, product)
    is_zero = _is_zero(emitter, node.inputs[0], kind)
    if node.op.name == "jointly_scaled":
        is_zero = text.register(f"or i1 {is_zero}, {_is_zero(emitter, node.inputs[1], kind)}")
    both = text.register(f"and i1 {is_nan}, {is_zero}")
    register = kind.register
    emitter.result(
        node, text.register(f"select i1 {both}, {register} {zero}, {register} {product}")
    )


def _is_zero(emitter: Emitter, operand: Operand, kind: Kind) -> str:
    """Whether a factor is zero before it is rounded: a Python float may vanish as a float32."""
    own = kind_of(operand_type(operand))
    if not own.is_float or own.bits < kind.bits:
        own = kind
    factor = emitter.scalar(operand, own)
    return emitter.text.float_comparison("oeq", own, factor, literal(own, 0.0))


FLOAT64 = tensor_type(np.float64)


@lowers("pow")
def power(emitter: Emitter, node: Node) -> None:
    """NumPy's power of two scalars is C's, if one of them is a `float64`; others, such as an
    `int64` and a Python float, are computed as arrays, whose last bits and warnings may differ."""
    base, exponent = map(operand_type, node.inputs)
    is_numpys = FLOAT64 in (base, exponent) and base != tensor_type(bool)
    if not is_numpys or common_kind(node) != DOUBLE or not _has_numpys_bits():
        raise NotLowered("powers of these numbers have no machine code")
    x, y = (emitter.scalar(operand, DOUBLE) for operand in node.inputs)
    declared = emitter.text.declare("pow", "declare double @pow(double, double)", _address())
    emitter.text.uses_floats = True
    found = emitter.text.register(f"call double {declared}(double {x}, double {y}) strictfp")
    emitter.result(node, found)


@cache
def _address() -> int:
    return objects.function_address(ctypes.CDLL(None).pow)


@cache
def _has_numpys_bits() -> bool:
    """Whether C's function that is found gives what NumPy gives, for some numbers."""
    function = ctypes.CDLL(None).pow
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * 2
    bases = np.random.default_rng(0).uniform(0.01, 10, 100)
    exponents = (2.0, 3.0, -1.0, 0.5, 1.7, -2.5, 10.0)
    return all(base**one == function(base, one) for base in bases for one in exponents)
