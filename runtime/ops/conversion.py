"""Conversions: to another dtype, to a copy, to a 0-d array, to Python scalars and to bools."""

import numpy as np

from runtime.ir.broadcasting import broadcast
from runtime.ir.derivative import Partials
from runtime.ir.graph import PYTHON_SCALARS
from runtime.ir.op import Op
from runtime.ir.traits import FREE, Cost, Traits
from runtime.ir.types import BOOL, COMPLEX, FLOAT, INT, BoxType, PythonType, TensorType
from runtime.ops.conditions import (
    always,
    drops_imaginary_part,
    scalars,
    shapes_match,
    whole_number_errors,
)
from runtime.ops.examples import MATRIX, NARROW, ROW, SCALAR, call


def _cast_rule(x, dtype):
    return TensorType(np.dtype(dtype), x.shape)


def _cast(xp, operands, attributes):
    (x,) = operands
    if type(x) is float and attributes["dtype"] == np.float64:
        return np.float64(x)
    if type(x) in PYTHON_SCALARS:
        return xp.array(x, attributes["dtype"])[()]  # raises OverflowError if x does not fit
    return xp.asarray(x).astype(attributes["dtype"])[()]


cast = Op(
    "cast",
    "The elements converted to another dtype (`astype`); floats are truncated to integers.",
    _cast_rule,
    _cast,
    traits=Traits(
        elementwise=True,
        keeps_sizes=True,
        linear=(0,),
        cost=Cost(1.0),
        warns=drops_imaginary_part,
        takes_unions=True,
        keeps_truth=True,
    ),
    derivative=Partials("1"),
    examples=lambda: [
        call(MATRIX, dtype=np.dtype(complex)),
        call(MATRIX, dtype=np.dtype(float)),
        call(SCALAR, dtype=np.dtype(np.int64)),
    ],
    called="astype",
)


def _copy_rule(x):
    if isinstance(x, PythonType):
        raise TypeError("Python scalars cannot be copied")
    return x


copy = Op(
    "copy",
    "A copy of the array.",
    _copy_rule,
    "x.copy()",
    traits=Traits(
        elementwise=True, keeps_sizes=True, linear=(0,), speculatable=always, cost=Cost(1.0)
    ),
    derivative=Partials("1"),
)
box = Op(
    "box",
    "A 0-d array that holds a scalar.",
    lambda x: BoxType(x.dtype),
    "xp.array(x)",
    traits=Traits(linear=(0,)),
    derivative=Partials("1"),
    examples=lambda: [call(SCALAR)],
)


def _truth_rule(x):
    if any(isinstance(size, int) and size != 1 for size in x.shape):
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. "
            "Use a.any() or a.all()"
        )
    return BOOL


truth = Op(
    "truth",
    "The truth value, as `if` and `bool(x)` compute it.",
    _truth_rule,
    "bool(x)",
    traits=Traits(
        speculatable=scalars,
        recomputable=True,
        cost=FREE,
        ignores_integer_kind=True,
        takes_unions=True,
        keeps_truth=True,
    ),
    examples=lambda: [call(SCALAR), call(ROW[:1])],
)


not_ = Op(
    "not_",
    "The negated truth value, as `not` computes it.",
    lambda x: BOOL,
    "not x",
    traits=Traits(
        speculatable=scalars,
        recomputable=True,
        cost=FREE,
        ignores_integer_kind=True,
        takes_unions=True,
    ),
    examples=lambda: [call(SCALAR)],
)


number = Op(
    "number",
    "A Python scalar: `int(x)`, `float(x)`, `complex(x)`.",
    lambda x, type: type,
    lambda xp, operands, attributes: attributes["type"].kind(operands[0]),
    inline=lambda operands, type: f"{type}({operands[0]})",
    traits=Traits(
        linear=(0,),
        raises=whole_number_errors,
        recomputable=True,
        ignores_integer_kind=True,
        takes_unions=True,
        keeps_truth=True,
    ),
    derivative=Partials("1"),
    examples=lambda: [call(SCALAR, type=FLOAT), call(SCALAR, type=INT)],
)


REAL_PARTS = "the parts of a complex number are real"


def _of_parts_rule(real, imag):
    if any(part.dtype.kind == "c" for part in (real, imag)):
        raise TypeError(REAL_PARTS)
    if all(isinstance(part, PythonType) for part in (real, imag)):
        return COMPLEX
    return TensorType(np.dtype(complex), broadcast(real.shape, imag.shape))


def _of_parts(xp, operands, attributes):
    real, imag = operands
    if np.iscomplexobj(real) or np.iscomplexobj(imag):
        raise TypeError(REAL_PARTS)
    if not any(isinstance(part, np.ndarray | np.generic) for part in operands):
        return complex(real, imag)
    found = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), complex)
    found.real, found.imag = real, imag
    return found[()]


# `real + imag * 1j` is not exact for infinities, nan and -0.0.
of_parts = Op(
    "of_parts",
    "The complex number of two floats, its real and imaginary parts: `complex(x, y)`.",
    _of_parts_rule,
    _of_parts,
    arity=2,
    traits=Traits(
        elementwise=True,
        linear=(0, 1),
        speculatable=shapes_match,
        recomputable=True,
        cost=Cost(1.0),
    ),
    derivative=Partials("1", "1j"),
    examples=lambda: [call(1.5, -2.5), call(NARROW, NARROW[::-1].copy())],
)
