"""Records of NumPy ufuncs: their type rules, and functions that define a record in one line.

If all operands are Python scalars, an operator has Python's meaning and its result is a Python
scalar; otherwise dtypes follow NumPy (NEP 50) and shapes broadcast.
"""

from functools import cache

import numpy as np

from runtime.ir.broadcasting import broadcast
from runtime.ir.derivative import Adjoint, Partials
from runtime.ir.op import Op
from runtime.ir.traits import Cost, Traits
from runtime.ir.types import BOOL, COMPLEX, FLOAT, INT, PythonType, TensorType, tensor_type
from runtime.ops.conditions import shapes_match


@cache
def _result_dtypes(ufunc, operands):
    """The dtypes of a ufunc's results; an operand is a dtype, or the type of a Python scalar."""
    return ufunc.resolve_dtypes((*operands, *[None] * ufunc.nout))[ufunc.nin :]


def _dtype_or_kind(operand):
    if not isinstance(operand, PythonType):
        return operand.dtype
    return operand.dtype if operand is BOOL else operand.kind


def ufunc_rule(ufunc):
    """The type rule of a NumPy ufunc without a core signature."""

    def infer(*operands):
        if all(isinstance(operand, PythonType) for operand in operands):
            kinds = tuple(operand.dtype for operand in operands)
        else:
            kinds = tuple(map(_dtype_or_kind, operands))
        dtypes = _result_dtypes(ufunc, kinds)
        shape = broadcast(*(operand.shape for operand in operands))
        results = tuple(TensorType(dtype, shape) for dtype in dtypes)
        return results if ufunc.nout > 1 else results[0]

    return infer


def operator_rule(ufunc, python):
    """The type rule of an operator: `python` for Python scalars, else the rule of the ufunc."""
    general = ufunc_rule(ufunc)

    def infer(*operands):
        if all(isinstance(operand, PythonType) for operand in operands):
            return python(*operands)
        if operands == COMPLEX_AND_F64 and ufunc in TAKES_F64:
            return python(COMPLEX, FLOAT)
        return general(*operands)

    infer.ufunc = ufunc  # type: ignore[attr-defined]  # whose dtypes the op has
    return infer


# `np.float64` is a subclass of float, so adding one to a Python complex is Python's addition.
COMPLEX_AND_F64 = (COMPLEX, tensor_type("f8"))
TAKES_F64 = {np.add, np.subtract, np.multiply, np.divide, np.power, np.equal, np.not_equal}


def wider(*operands):
    """The widest type of Python scalars: int + float -> float; bools count as ints."""
    return max((INT, *operands), key=(BOOL, INT, FLOAT, COMPLEX).index)


def at_least_float(*operands):
    return max((FLOAT, *operands), key=(BOOL, INT, FLOAT, COMPLEX).index)


def whole(*operands):
    if not all(operand in (BOOL, INT) for operand in operands):
        raise TypeError("only integers have bits")
    return INT


def bits(*operands):
    whole(*operands)
    return BOOL if all(operand is BOOL for operand in operands) else INT


def truth(*operands):
    return BOOL


def as_scalar(operand):
    return FLOAT if operand is COMPLEX else wider(operand)


def elementwise(nanoseconds=1.0, **traits):
    """The traits of an elementwise op with a cost in nanoseconds per element."""
    return Traits(elementwise=True, cost=Cost(nanoseconds), **traits)


def operator(name, doc, symbol, *partials, python=wider, exponent=None, **traits):
    """A binary Python operator."""
    return _operator(name, doc, f"x {symbol} y", 2, partials, python, traits, exponent)


def prefix(name, doc, symbol, *partials, python=wider, **traits):
    """A unary Python operator."""
    return _operator(name, doc, f"{symbol}x", 1, partials, python, traits)


def _operator(name, doc, expression, arity, partials, python, traits, exponent=None):
    return Op(
        name,
        doc,
        operator_rule(getattr(np, name), python),
        expression,
        getattr(np, name),
        arity,
        traits=elementwise(**traits),
        derivative=_derivative(partials),
        exponent=exponent,
    )


def comparison(name, doc, symbol, swapped, negated=None):
    """A comparison operator; `swapped` and `negated` are traits."""
    return operator(
        name,
        doc,
        symbol,
        python=truth,
        comparison=True,
        commutative=swapped == name,
        swapped=swapped,
        negated=negated,
        speculatable=shapes_match,
        recomputable=True,
    )


def unary(name, doc, *partials, exponent=None, root=None, **traits):
    """A ufunc of one operand."""
    return Op(
        name,
        doc,
        ufunc_rule(getattr(np, name)),
        f"xp.{name}(x)",
        getattr(np, name),
        traits=elementwise(**traits),
        derivative=_derivative(partials),
        exponent=exponent,
        root=root,
    )


def binary(name, doc, *partials, exponent=None, root=None, takes_numbers=False, **traits):
    """A ufunc of two operands; `takes_numbers` as in `Partials`."""
    return Op(
        name,
        doc,
        ufunc_rule(getattr(np, name)),
        f"xp.{name}(x, y)",
        getattr(np, name),
        arity=2,
        traits=elementwise(**traits),
        derivative=_derivative(partials, takes_numbers),
        exponent=exponent,
        root=root,
    )


def _derivative(partials, takes_numbers=False):
    """The rule for formulas or an `Adjoint`; None if there are none: results are never floats."""
    if not partials or isinstance(partials[0], Adjoint):
        return partials[0] if partials else None
    return Partials(*partials, takes_numbers=takes_numbers)
