"""Operators applied to a batch of Python or NumPy scalars, element by element.

    n // m      of Python ints, one for each element of a batch
    x ** 2      of NumPy scalars, whose powers are computed differently from those of arrays

An array represents the scalars: `i64[n]` for Python ints, `f64[n]` for floats.  Python arithmetic
differs from that of such an array: it raises ZeroDivisionError, and its integers do not wrap.  So
each element is computed as the scalar that it represents; integers beyond 64 bits raise
OverflowError.  If the results cannot differ, all elements are computed at once.
"""

import operator
from itertools import repeat

import numpy as np

from runtime.ir.broadcasting import broadcast
from runtime.ir.derivative import Composition
from runtime.ir.op import Op, find, named
from runtime.ir.traits import NoTraits, Traits
from runtime.ir.types import FLOAT, PythonType, TensorType, tensor_type
from runtime.ops.examples import INDICES, LARGE, ROW, call

HARMLESS = 2**31  # sums and products of integers below this fit into 64 bits
# Python operators, which are faster than `eval` of the ops' records.
PYTHONS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "pow": operator.pow,
}
SUMS = {"add", "subtract", "multiply", "negative", "positive"}


def _rule(*operands, by, kinds, types, options=()):
    named(by)
    shape = broadcast(*(operand.shape for operand in operands))
    return tuple(TensorType(type.dtype, shape) for type in types)


def _evaluate(xp, operands, attributes):
    by, kinds, types = (attributes[name] for name in ("by", "kinds", "types"))
    op, options = find(by), dict(attributes.get("options", ()))
    if _is_alike(by, kinds, operands):
        with np.errstate(all="ignore"):  # Python's floats do not warn
            found = op.evaluate(xp, operands, options)
        return xp.asarray(found, dtype=types[0].dtype)
    count = max(len(operand) for operand in operands if np.ndim(operand))
    columns = [_numbers(operand, kind) for operand, kind in zip(operands, kinds, strict=True)]
    if by in PYTHONS:
        rows = list(map(PYTHONS[by], *columns))
    else:
        rows = [op.evaluate(xp, row, options) for row in zip(*columns, strict=False)]
    if len(types) == 1:
        return _array(xp, rows, types[0], count)
    results = zip(*rows, strict=True) if rows else [[] for _ in types]
    return tuple(_array(xp, list(r), t, count) for r, t in zip(results, types, strict=True))


def _array(xp, rows, kind, count):
    try:
        return xp.fromiter(rows, kind.dtype, count)
    except OverflowError:
        number = next(row for row in rows if not -(2**63) <= row < 2**63)
        raise OverflowError(
            f"a Python int is {number} in a batch, which holds 64-bit integers"
        ) from None


def _numbers(operand, kind):
    """The scalars that an operand represents."""
    if not np.ndim(operand):
        return repeat(operand)
    return operand.tolist() if isinstance(kind, PythonType) else operand


def _is_alike(by, kinds, operands):
    """Whether the array operation returns the same as the scalar operation on each element."""
    if not all(isinstance(kind, PythonType) for kind in kinds):
        return False
    if find(by).traits.comparison:
        return len({kind.kind for kind in kinds}) == 1 and _are_small(operands)
    if by not in SUMS:
        return False
    if all(kind.kind is float for kind in kinds):
        return True
    return all(kind.kind is int for kind in kinds) and _are_small(operands)


def _are_small(operands):
    """Whether the results of integers fit into 64 bits; scalar operands may be any int."""
    return all(
        isinstance(operand, float)
        or np.asarray(operand).dtype.kind == "f"
        or not np.size(operand)
        or -HARMLESS < np.min(operand) <= np.max(operand) < HARMLESS
        for operand in operands
    )


def _all_at_once(*operands, by, kinds, types, options=()):
    """The op on arrays, which is differentiated instead; it differs in the last bit at most."""
    return find(by)(*operands, **dict(options))


scalars = Op(
    "scalars",
    "Applies the op `by` to each element, as a scalar of the types `kinds`.",
    _rule,
    _evaluate,
    arity=None,
    traits=NoTraits(
        "The op that it applies to each element is an attribute.",
        foldable=False,  # powers of integers have any length
    ),
    derivative=Composition(_all_at_once),
    examples=lambda: [
        call(ROW, ROW, by="multiply", kinds=(FLOAT, FLOAT), types=(FLOAT,)),
        call(LARGE[0], ROW, by="pow", kinds=(tensor_type(float),) * 2, types=(tensor_type(float),)),
    ],
)


def _fitted(xp, operands, attributes):
    (x,), dtype = operands, attributes["dtype"]
    bounds = np.iinfo(dtype)
    wrong = (x < bounds.min) | (x > bounds.max)
    if xp.any(wrong):
        number = int(x[wrong][0])
        raise OverflowError(f"Python integer {number} out of bounds for {np.dtype(dtype).name}")
    return x.astype(dtype)


fitted = Op(
    "fitted",
    "Integers that represent Python ints, cast to a dtype; OverflowError if one does not fit.",
    lambda x, dtype: TensorType(np.dtype(dtype), x.shape),
    _fitted,
    traits=Traits(keeps_sizes=True, raises=(OverflowError,)),
    examples=lambda: [call(INDICES, dtype=np.dtype(np.int8))],
)
