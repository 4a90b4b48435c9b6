"""Ufuncs that compute complex scalars in another way than the operators of the same meaning.

np.multiply(z, w)       fused products, as of arrays: other bits than `z * w`
np.absolute(z)          other bits than `abs(z)`
np.less(z, w)           another answer than `z < w`, if a part is nan

A ufunc gets arrays, and operators of scalars do not call it.  For real scalars both have the same
bits, so calls of these ufuncs are the operators.
"""

import numpy as np

from runtime.ir.derivative import ZERO, Partials
from runtime.ir.op import Op
from runtime.ir.traits import Cost, Traits
from runtime.ir.types import PythonType, TensorType
from runtime.ops.adjoints import roots, slopes
from runtime.ops.examples import call
from runtime.ops.ufuncs import COMPLEX_AND_F64, ufunc_rule

PREFIX = "ufunc_"
Z, W = np.complex128(0.6 - 1.1j), np.complex128(-1.3 + 0.7j)
COMPARISONS = (np.less, np.less_equal, np.greater, np.greater_equal)
# The name of the op for calls with complex scalars.
OPS: dict[np.ufunc, str] = {}


def _rule(ufunc):
    general = ufunc_rule(ufunc)

    def infer(*operands):
        are_pythons = all(isinstance(operand, PythonType) for operand in operands)
        if are_pythons or operands == COMPLEX_AND_F64:  # which `*` leaves to Python
            operands = (TensorType(operands[0].dtype), *operands[1:])
        return general(*operands)

    return infer


def _define(ufunc, meaning, *partials, **options):
    name = ufunc.__name__
    operands = ", ".join("xy"[: ufunc.nin])
    OPS[ufunc] = PREFIX + name
    return Op(
        PREFIX + name,
        f"{meaning} of complex scalars, as `np.{name}` computes it.",
        _rule(ufunc),
        f"xp.{name}({operands})",
        arity=ufunc.nin,
        derivative=Partials(*partials),
        examples=lambda: [call(*(Z, W)[: ufunc.nin])],
        **options,
    )


_define(
    np.multiply,
    "Product",
    "y",
    "x",
    traits=Traits(elementwise=True, commutative=True),
    exponent=roots.exponent_of_product,
)
_define(
    np.absolute,
    "Modulus",
    slopes.modulus,
    traits=Traits(elementwise=True, cost=Cost(1.0)),
    root=roots.absolute,
)
for _ufunc in COMPARISONS:
    _define(_ufunc, "Comparison", ZERO, ZERO, traits=Traits(elementwise=True))
