"""Ops for gradients that no NumPy function computes: scatter-add, sums over broadcast axes.

    total = added_at(total, d, i, at=(_0,))     np.add.at(total, i, d): repeated indices accumulate
    d = sum_to(d, n, shape=(None, 1))           sums over the axes that broadcasting expanded
    d = grow_to(d, n, shape=(None, 3))          d broadcast to a shape, as `np.broadcast_to`

An engine may run ops with the trait `updates` in place.  Ops for gradients of lists are in
`adjoint_lists.py`.
"""

import numpy as np

from runtime.ir.derivative import Adjoint, Composition
from runtime.ir.op import Op
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import Aliasing, NoTraits, Traits
from runtime.ir.types import TensorType, array_type
from runtime.ops.adjoints import linalg_composed, recurrences, subscripts
from runtime.ops.adjoints.sizes import grown
from runtime.ops.creation import filled_shape, shape_of
from runtime.ops.examples import INDICES, LARGE, MATRIX, NARROW, ROW, SCALAR, SQUARE, call
from runtime.ops.index import subscript_shape

# -- scatter-add -----------------------------------------------------------------------------------


def _add_at_rule(x, y, *operands, at):
    subscript_shape(x.shape, at, operands)
    return x


def may_repeat(at, kinds) -> bool:
    """Whether a subscript may select an element twice: it may if it has an array of integers.

    `kinds` are the operands that fill the slots, or their types.
    """
    named = (kinds[part.index] for part in at if isinstance(part, Slot))
    return any(getattr(kind, "ndim", 0) and kind.dtype.kind != "b" for kind in named)


def _add_at(xp, operands, attributes):
    x, y, *indices = operands
    new, at = xp.array(x), fill_slots(attributes["at"], indices)
    if may_repeat(attributes["at"], indices):
        xp.add.at(new, at, y)
    else:
        new[at] += y
    return new


added_at = Op(
    "added_at",
    "The array with values added at a subscript; elements selected twice get both values.",
    _add_at_rule,
    _add_at,
    arity=None,
    traits=Traits(keeps_sizes=True, linear=(0, 1), updates=0),
    derivative=Adjoint(subscripts.add_at),
    examples=lambda: [
        call(MATRIX, MATRIX[0], np.array([1, 1, 0]), at=(Slot(0), 1)),
        call(MATRIX, ROW, at=(1,)),
        call(MATRIX, SCALAR, MATRIX > 0, at=(Slot(0),)),
    ],
)


def _is_last_rule(x, *operands, at):
    return array_type(np.dtype(bool), subscript_shape(x.shape, at, operands))


def _is_last_at(xp, operands, attributes):
    x, *indices = operands
    places = xp.arange(np.size(x)).reshape(np.shape(x))[fill_slots(attributes["at"], indices)]
    row = places.ravel()
    _, first_from_behind = xp.unique(row[::-1], return_index=True)
    found = xp.zeros(row.size, bool)
    found[row.size - 1 - first_from_behind] = True
    return found.reshape(places.shape)


is_last_at = Op(
    "is_last_at",
    "Which positions of a subscript are the last to select their element, so that a value written\n"
    "there remains.",
    _is_last_rule,
    _is_last_at,
    arity=None,
    traits=NoTraits("It compares the subscripts with one another."),
    examples=lambda: [call(MATRIX, INDICES, at=(Slot(0),))],
)

# -- broadcasting ----------------------------------------------------------------------------------


def _sum_to(xp, operands, attributes):
    x, shape = operands[0], filled_shape(attributes["shape"], operands[1:])
    added = np.ndim(x) - len(shape)
    axes = tuple(range(added)) + tuple(
        added + i for i, size in enumerate(shape) if size == 1 and x.shape[added + i] != 1
    )
    found = xp.sum(x, axis=axes, dtype=x.dtype, keepdims=True) if axes else x
    return found.reshape(shape)[()]


sum_to = Op(
    "sum_to",
    "The array summed to a shape, over the axes along which that shape was broadcast; sizes that\n"
    "are None are given by the further operands.",
    lambda x, *sizes, shape: TensorType(x.dtype, shape_of(shape, sizes)),
    _sum_to,
    arity=None,
    traits=Traits(linear=(0,), aliases=Aliasing.VIEW),
    derivative=Adjoint(
        lambda d, r, x, *sizes, shape: (grown(d, np.shape(x)), *(None for _ in sizes))
    ),
    examples=lambda: [
        call(MATRIX, shape=(2, 1)),
        call(MATRIX, shape=()),
        call(MATRIX, 3, shape=(1, None)),
        call(MATRIX, shape=(2, 3)),
    ],
)
grow_to = Op(
    "grow_to",
    "The array broadcast to a shape; sizes that are None are given by the further operands.",
    lambda x, *sizes, shape: array_type(x.dtype, shape_of(shape, sizes)),
    lambda xp, operands, attributes: xp.broadcast_to(
        operands[0], filled_shape(attributes["shape"], operands[1:])
    ),
    arity=None,
    traits=Traits(linear=(0,), aliases=Aliasing.READ_ONLY_VIEW),
    derivative=Adjoint(lambda d, r, x, *sizes, shape: (d, *(None for _ in sizes))),
    examples=lambda: [
        call(ROW, shape=(2, 3)),
        call(MATRIX[:, :1], 4, shape=(2, None)),
        call(SCALAR, shape=(2, 2)),
    ],
)

# -- recurrences -----------------------------------------------------------------------------------


def _recurrence_behind(xp, operands, attributes):
    d, x = operands
    found = xp.array(d, xp.result_type(d, x))
    for i in range(found.shape[-1] - 2, -1, -1):
        found[..., i] += x[..., i + 1] * found[..., i + 1]
    return found


recurrence_behind = Op(
    "recurrence_behind",
    "The linear recurrence s[i] = d[i] + x[i + 1] * s[i + 1], from the end of the last axis on.",
    lambda d, x: TensorType(np.result_type(d.dtype, x.dtype), d.shape),
    _recurrence_behind,
    arity=2,
    traits=NoTraits("Each element depends on all that follow it along the last axis."),
    derivative=Adjoint(recurrences.behind),
    examples=lambda: [call(MATRIX, NARROW), call(ROW, LARGE[0])],
)

# -- determinants ----------------------------------------------------------------------------------


def _cofactors(xp, operands, attributes):
    (x,) = operands
    if x.shape[-1] == 1:
        return xp.ones_like(x)
    if x.shape[-1] == 2:
        return x[..., ::-1, ::-1] * xp.array([[1, -1], [-1, 1]], x.dtype)
    u, s, vh = xp.linalg.svd(x)
    ones = xp.ones_like(s[..., :1])
    before = xp.concatenate([ones, xp.cumprod(s[..., :-1], axis=-1)], axis=-1)
    behind = xp.concatenate([xp.cumprod(s[..., :0:-1], axis=-1)[..., ::-1], ones], axis=-1)
    turns = (xp.linalg.det(u) * xp.linalg.det(vh))[..., None, None]
    return turns * xp.conj((u * (before * behind)[..., None, :]) @ vh)


cofactors = Op(
    "cofactors",
    "The matrix of cofactors: the derivatives of the determinant with respect to the elements,\n"
    "also for singular matrices.",
    lambda x: x,
    _cofactors,
    traits=NoTraits("Each element depends on the whole matrix."),
    derivative=Composition(linalg_composed.cofactors),
    examples=lambda: [call(SQUARE)],
)
