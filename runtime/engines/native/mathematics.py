"""Lowerings of functions of `math`, of calls of scalar types of NumPy, and of vector norms.

    math.sqrt(x)            an instruction; a negative x leaves the piece
    math.sin(x)             the C function that Python calls; an error of Python leaves the piece
    np.float32(x)           a conversion
    np.linalg.norm(v)       the root of the product of v with itself, as NumPy computes it

What they have no code for is a call from the loops of a piece (`numpy_calls.py`).
"""

import ctypes
import math
from functools import cache

from runtime.engines.native.arithmetic import cast
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.plan import array_type
from runtime.engines.native.kernels.products import write_product
from runtime.engines.native.kernels.writing import copy_view
from runtime.engines.native.kinds import (
    DOUBLE,
    INTEGER,
    Kind,
    NotLowered,
    is_scalar,
    kind_of,
    kind_of_dtype,
)
from runtime.engines.native.lowering import lowers, why_none
from runtime.engines.native.numpy_calls import numpy_call
from runtime.engines.native.python_objects import function_address
from runtime.engines.native.storage import Objects
from runtime.engines.native.text import Text, literal
from runtime.ir.graph import Node, Value
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ir.types import FLOAT, TensorType

# op names: functions of `math` that call the C function of their name
C_FUNCTIONS = (
    "math_sin", "math_cos", "math_tan", "math_asin", "math_acos", "math_atan", "math_sinh",
    "math_cosh", "math_tanh", "math_exp", "math_expm1", "math_log", "math_log2", "math_log10",
    "math_log1p",
)  # fmt: skip
# op names: functions that round a float to an integer, and the instructions
ROUNDINGS = {"math_floor": "floor", "math_ceil": "ceil", "math_trunc": "trunc"}
SCALAR_TYPES = tuple(
    f"np_{name}"
    for name in (
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float32", "float64"),
    )
)


def _is_plain(node: Node, count: int = 1) -> bool:
    """Whether a call has so many operands and no option."""
    given, named = node.attributes.get("given"), node.attributes.get("named")
    return len(node.inputs) == count and given == tuple(map(Slot, range(count))) and not named


def _float_operand(emitter: Emitter, node: Node) -> str | None:
    """The operand of a function of `math` in double precision; None if it has no code."""
    operand = node.inputs[0] if node.inputs else None
    if not _is_plain(node) or not isinstance(operand, Value) or not is_scalar(operand.type):
        return None
    if not isinstance(emitter.storage, Objects) or kind_of(operand.type) == Kind("u", 64):
        return None
    kind = kind_of(operand.type)
    if kind == INTEGER:
        emitter.leave_if_inexact(operand)
    return emitter.converted(emitter.own(operand), kind, DOUBLE)


@lowers("math_sqrt")
def square_root(emitter: Emitter, node: Node) -> None:
    x = _float_operand(emitter, node)
    if x is None:
        numpy_call(emitter, node)
        return
    text = emitter.text
    is_negative = text.float_comparison("olt", DOUBLE, x, literal(DOUBLE, 0.0))
    text.leave_if(is_negative, Exit.RAISED)
    emitter.held[node.output] = (text.float("sqrt", DOUBLE, x),)


@lowers(*ROUNDINGS)
def rounded(emitter: Emitter, node: Node) -> None:
    operand = node.inputs[0] if node.inputs else None
    if not _is_plain(node) or not isinstance(operand, Value) or operand.type != FLOAT:
        numpy_call(emitter, node)
        return
    found = emitter.text.float(ROUNDINGS[node.op.name], DOUBLE, emitter.own(operand))
    emitter.held[node.output] = (emitter.truncated(found, DOUBLE, INTEGER),)


@lowers(*C_FUNCTIONS)
def c_function(emitter: Emitter, node: Node) -> None:
    x = _float_operand(emitter, node)
    if x is None:
        numpy_call(emitter, node)
        return
    text, name = emitter.text, node.op.name.removeprefix("math_")
    if name.startswith("log"):
        least = literal(DOUBLE, -1.0 if name == "log1p" else 0.0)
        text.leave_if(text.float_comparison("ole", DOUBLE, x, least), Exit.RAISED)
    text.leave_if_flagged()
    symbol = text.declare(f"c_{name}", f"declare double @c_{name}(double)", _address(name))
    found = text.register(f"call double {symbol}(double {x}) strictfp")
    text.clear_flags()
    is_nan = text.float_comparison("uno", DOUBLE, found, found)
    is_number = text.float_comparison("ord", DOUBLE, x, x)
    text.leave_if(text.register(f"and i1 {is_nan}, {is_number}"), Exit.RAISED)
    is_infinite = text.register(f"xor i1 {_is_finite(text, found)}, true")
    is_usual = _is_finite(text, x)
    text.leave_if(text.register(f"and i1 {is_infinite}, {is_usual}"), Exit.RAISED)
    emitter.held[node.output] = (found,)


def _is_finite(text: Text, x: str) -> str:
    size = text.intrinsic("llvm.fabs.f64", "double", ("double", x))
    return text.float_comparison("olt", DOUBLE, size, literal(DOUBLE, math.inf))


@cache
def _address(name: str) -> int:
    return function_address(getattr(ctypes.CDLL(None), name))


@lowers(*SCALAR_TYPES)
def scalar_type(emitter: Emitter, node: Node) -> None:
    operand = node.inputs[0] if node.inputs else None
    if not _is_plain(node) or not isinstance(operand, Value):
        raise NotLowered(why_none(node))
    if not is_scalar(operand.type) or kind_of(operand.type) == Kind("u", 64):
        raise NotLowered(why_none(node))
    cast(emitter, node)


@lowers("linalg_norm")
def norm(emitter: Emitter, node: Node) -> None:
    operand = node.inputs[0] if node.inputs else None
    kind = array_type(operand) if operand is not None else None
    is_vector = _is_plain(node) and kind is not None and kind.ndim == 1
    if not is_vector or not isinstance(operand, Value) or not _runs_forwards(emitter, operand):
        numpy_call(emitter, node)
        return
    assert kind is not None
    found = kind_of_dtype(kind.dtype)
    if not found.is_float or node.output.type != TensorType(kind.dtype, ()):
        numpy_call(emitter, node)
        return
    view = emitter.views.get(operand)
    if view is None or view.is_dense(kind.dtype.itemsize):
        _root_of_product(emitter, node, operand, found)
        return
    copied = Value(operand.type, "copied")  # BLAS adds in another order where elements lie apart
    copy_view(emitter, operand, copied)
    _root_of_product(emitter, node, copied, found)
    emitter.ownership.drop(copied)


def _root_of_product(emitter: Emitter, node: Node, vector: Value, kind: Kind) -> None:
    square = Value(node.output.type, "square")
    write_product(emitter, Node(find("dot"), (vector, vector), (square,)))
    emitter.held[node.output] = (emitter.text.float("sqrt", kind, emitter.held[square][0]),)


def _runs_forwards(emitter: Emitter, operand: Value) -> bool:
    view = emitter.views.get(operand)
    return view is None or not view.is_reversed and not view.is_grown
