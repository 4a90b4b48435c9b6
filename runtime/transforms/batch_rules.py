"""How ops are done for a whole batch: a table of rules, and the rules that need more than axes.

    sin(x)                 the same op                                  elementwise
    sum(x, axis=0)         sum(x, axis=1)                               axes counted behind the batch
    x @ y                  x[:, None, :] @ y[:, :, None]                vectors become matrices
    np.linalg.inv(x)       the same                                     NumPy takes stacks of them

A rule gets the batch, the node and its operands, and works on arrays in NumPy's way; it returns the
results with the batch along their first axis, or NotImplemented where it has no better way than one
element after another.  Rules of subscripts are in `batch_subscripts.py`, of lists in
`batch_lists.py`.
"""

from typing import Any

import numpy as np

from runtime.ir import Node
from runtime.op import find
from runtime.ops.index import Slot
from runtime.tensor import Tensor, apply
from runtime.transforms.batch import Batch
from runtime.transforms.batch_lists import LIST_RULES
from runtime.transforms.batch_subscripts import SUBSCRIPT_RULES
from runtime.transforms.batch_values import Given, Rows, Rule
from runtime.types import BoxType, PythonType, TensorType

COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}


def rule_of(node: Node) -> Rule | None:
    """The rule for a node, None where it is done for one element after another."""
    if node.op.name in RULES:
        return RULES[node.op.name]
    if isinstance(node.op.numpy, np.ufunc) and "given" not in node.attributes:
        return _ufunc
    return None


# -- elementwise -----------------------------------------------------------------------------------


def _ufunc(batch: Batch, node: Node, given: list[Given]) -> Any:
    """Arithmetic: as NumPy does it for arrays, where one element's numbers are such arrays."""
    kinds = [one.type for one in given]
    results = [value.type for value in node.outputs]
    is_power = node.op.name == "pow"
    if any(isinstance(kind, PythonType) for kind in results) or all(
        isinstance(kind, PythonType) for kind in kinds
    ):
        return _as_numbers(node, given)
    if is_power and all(kind.ndim == 0 and not isinstance(kind, BoxType) for kind in kinds):
        return _as_numbers(node, given)
    ufunc = np.power if is_power else node.op.numpy
    weak = [kind.kind if isinstance(kind, PythonType) else kind.dtype for kind in kinds]
    weak = [np.dtype(bool) if kind is bool else kind for kind in weak]
    wanted = ufunc.resolve_dtypes((*weak, *[None] * ufunc.nout))
    if node.op.name in COMPARISONS:  # an integer of Python's may be out of the other's range
        wanted = [None if kind is int else dtype for kind, dtype in zip(weak, wanted, strict=False)]
    rank = max(one.ndim for one in given)
    operands = [
        _of_dtype(one, dtype).aligned(rank) for one, dtype in zip(given, wanted, strict=False)
    ]
    return apply(node.op, *operands, **node.attributes)


def _as_numbers(node, given):
    """Each element by itself, as the number of Python's or NumPy's that it is."""
    kinds = tuple(one.type for one in given)
    types = tuple(value.type for value in node.outputs)
    attributes = {"by": node.op.name, "kinds": kinds, "types": types}
    if node.attributes:
        attributes["options"] = tuple(node.attributes.items())
    return apply(find("scalars"), *[one.tensor for one in given], **attributes)


def _of_dtype(one, dtype):
    """Rows that stand for numbers of Python's, as the dtype that these take beside an array."""
    if not one.is_weak or dtype is None or one.type.dtype == dtype:
        return one
    fits = one.type.dtype.kind in "iu" and dtype.kind in "iu"
    converted = apply(find("fitted" if fits else "cast"), one.tensor, dtype=dtype)
    return Given(converted, one.type, True)


def _where(batch, node, given):
    condition, *sides = given
    sides = [_of_dtype(side, node.output.type.dtype) for side in sides]
    rank = max(one.ndim for one in given)
    return np.where(condition.aligned(rank), *[side.aligned(rank) for side in sides])


def _same(batch, node, given):
    """Ops of one array that ask for no axes."""
    return apply(node.op, given[0].tensor, **node.attributes)


def _unchanged(batch, node, given):
    """Ops about what a value is, not which."""
    return given[0].tensor


def _copied(batch, node, given):
    return apply(find("copy"), given[0].tensor)


def _truth(batch, node, given):
    x = given[0]
    rest = [size for size in x.type.shape if size != 1]
    if rest:
        return NotImplemented  # whose size is one in a run
    return np.not_equal(batch.reshaped(x.tensor, ()), 0)


def _not(batch, node, given):
    return np.logical_not(_truth(batch, node, given)) if given[0].ndim == 0 else NotImplemented


def _number(batch, node, given):
    x, kind = given[0], node.attributes["type"]
    if x.ndim or x.type.dtype.kind == "c" or x.type.dtype.kind in "fu" and kind.kind is int:
        flat = batch.reshaped(x.tensor, ())
        return _as_numbers(node, [Given(flat, TensorType(x.type.dtype), True)])
    return apply(find("cast"), x.tensor, dtype=kind.dtype)


# -- axes ------------------------------------------------------------------------------------------


def _axis(axis, ndim):
    """An axis, or several, counted from behind the batch."""
    axes = np.lib.array_utils.normalize_axis_tuple(axis, ndim)
    return axes[0] + 1 if np.ndim(axis) == 0 else tuple(axis + 1 for axis in axes)


def _flat(batch, x):
    """The elements of each array of the batch in a row."""
    count = 1
    for size in x.tensor.shape[1:]:
        count = count * size
    return batch.reshaped(x.tensor, (count,))


def _reduced(batch, node, given):
    """Sums and the like.  All elements are summed in the order in which one array's are."""
    x, options = given[0], dict(node.attributes)
    axis = options.pop("axis", None)
    if x.ndim == 0:
        if node.op.name in ("argmax", "argmin"):
            return NotImplemented
        return apply(node.op, x.tensor, axis=(), **options)
    if axis is not None:
        return apply(node.op, x.tensor, axis=_axis(axis, x.ndim), **options)
    keepdims = options.pop("keepdims", False)
    found = apply(node.op, _flat(batch, x), axis=1, **options)
    return np.expand_dims(found, tuple(range(1, 1 + x.ndim))) if keepdims else found


def _scanned(batch, node, given):
    """Cumulative sums, and sorting: along an axis, or of all elements in a row."""
    x, options = given[0], dict(node.attributes)
    if x.ndim == 0:
        return NotImplemented
    default = -1 if node.op.name in ("sort", "argsort") else None
    axis = options.pop("axis", default)
    if axis is None:
        return apply(node.op, _flat(batch, x), axis=1, **options)
    return apply(node.op, x.tensor, axis=_axis(axis, x.ndim), **options)


def _size(batch, node, given):
    x = given[0]
    found = apply(node.op, x.tensor, axis=_axis(node.attributes["axis"], x.ndim))
    return Given(found, node.output.type, False)


def _transposed(batch, node, given):
    x, axes = given[0], node.attributes.get("axes")
    order = tuple(reversed(range(x.ndim))) if axes is None else axes
    order = tuple(axis + 1 for axis in np.mod(order, x.ndim or 1)) if x.ndim else ()
    return np.transpose(x.tensor, (0, *map(int, order)))


def _swapped(batch, node, given):
    x = given[0]
    first, second = (_axis(node.attributes[name], x.ndim) for name in ("axis1", "axis2"))
    return np.swapaxes(x.tensor, first, second)


def _expanded(batch, node, given):
    x, axis = given[0], node.attributes["axis"]
    added = len(axis) if isinstance(axis, tuple) else 1
    return np.expand_dims(x.tensor, _axis(axis, x.ndim + added))


def _squeezed(batch, node, given):
    x, axis = given[0], node.attributes.get("axis")
    if axis is None:
        axis = tuple(i for i, size in enumerate(x.type.shape) if size == 1)
    return np.squeeze(x.tensor, _axis(axis, x.ndim))


def _diagonal(batch, node, given):
    x, options = given[0], node.attributes
    axes = (_axis(options.get(f"axis{i + 1}", i), x.ndim) for i in range(2))
    found = np.diagonal(x.tensor, options.get("offset", 0), *axes)
    return found


def _flipped(batch, node, given):
    x, axis = given[0], node.attributes.get("axis")
    axes = tuple(range(x.ndim)) if axis is None else axis
    return np.flip(x.tensor, _axis(axes, x.ndim)) if x.ndim else x.tensor


def _rolled(batch, node, given):
    x, shift, axis = given[0], node.attributes["shift"], node.attributes.get("axis")
    if x.ndim == 0:
        return NotImplemented
    if axis is not None:
        return np.roll(x.tensor, shift, _axis(axis, x.ndim))
    rolled = np.roll(_flat(batch, x), shift, 1)
    return batch.reshaped(rolled, x.tensor.shape[1:])


def _raveled(batch, node, given):
    return _flat(batch, given[0])


def _reshaped(batch, node, given):
    x, *staged = given
    if any(one.is_rows for one in staged):
        return NotImplemented  # to shapes that differ
    shape = node.attributes["shape"]
    shape = (shape,) if isinstance(shape, int) else shape
    sizes = iter([one.tensor for one in staged])
    sizes = [next(sizes) if size is None else size for size in shape]
    if any(size == -1 for size in sizes if isinstance(size, int)):
        sizes = _without_unknown(x, sizes, node.output.type.shape)
        if sizes is None:
            return NotImplemented
    return batch.reshaped(x.tensor, sizes)


def _without_unknown(x, sizes, shape):
    """The sizes with that in place of -1 that is left for it; None where it is hard to say."""
    known = shape[sizes.index(-1)]
    if isinstance(known, int):
        return [known if size == -1 else size for size in sizes]
    others = [size for size in sizes if not (isinstance(size, int) and size == -1)]
    if any(isinstance(size, Tensor) for size in others) or 0 in others:
        return None
    count, total = 1, int(np.prod(others, dtype=int))
    for size in x.tensor.shape[1:]:
        count = count * size
    return [count // total if size == -1 else size for size in sizes]


def _broadcast(batch, node, given):
    x, shape = given[0], tuple(node.attributes["shape"])
    if not all(isinstance(size, int) for size in shape) or batch.known_size is None:
        return NotImplemented
    return np.broadcast_to(x.aligned(len(shape)), (batch.known_size, *shape))


def _relaxed(batch, node, given):
    shape = (batch.known_size, *node.attributes["shape"])
    return apply(find("relax"), given[0].tensor, shape=shape)


# -- several arrays --------------------------------------------------------------------------------


def _all_rows(batch, given):
    return [batch.tensor(batch.spread(_found(one), one.type).value) for one in given]


def _found(one):
    """What a rule's operand stands for, as the replay knows it."""
    value = one.tensor._value if isinstance(one.tensor, Tensor) else one.tensor
    return Rows(value, one.type) if one.is_rows else value


def _stacked(batch, node, given):
    axis = _axis(node.attributes.get("axis", 0), given[0].ndim + 1)
    return apply(node.op, *_all_rows(batch, given), axis=axis)


def _concatenated(batch, node, given):
    axis = node.attributes.get("axis", 0)
    rows = _all_rows(batch, given)
    if axis is not None:
        return apply(node.op, *rows, axis=_axis(axis, given[0].ndim))
    flat = [_flat(batch, Given(x, one.type, True)) for x, one in zip(rows, given, strict=True)]
    return apply(node.op, *flat, axis=1)


def _filled(batch, node, given):
    value, *sizes = given
    if any(one.is_rows for one in sizes):
        return NotImplemented  # arrays of different shapes
    shape = node.attributes["shape"]
    shape = (shape,) if isinstance(shape, int) else shape
    staged = [one.tensor for one in sizes]
    if isinstance(batch.tensor(batch.size), Tensor):
        staged.insert(0, batch.tensor(batch.size))
    dtype = node.output.type.dtype
    aligned = _of_dtype(value, dtype).aligned(len(shape))
    attributes = {"shape": (batch.known_size, *shape), "dtype": dtype}
    return apply(node.op, aligned, *staged, **attributes)


def _assert(batch, node, given):
    """All must hold; else the first element for which it does not says what is raised."""
    holds, *rest = given
    if not holds.is_rows:
        return NotImplemented
    everywhere = apply(find("truth"), np.all(holds.tensor))
    if not any(one.is_rows for one in rest):
        apply(node.op, everywhere, *[one.tensor for one in rest], **node.attributes)
        return None

    def fail():
        first = np.argmin(holds.tensor)._value
        known = {
            operand: batch.element(_found(one), one.type, first)
            for one, operand in zip(rest, node.inputs[1:], strict=True)
            if one.is_rows
        }
        inputs = (False, *[known.get(operand, batch.read(operand)) for operand in node.inputs[1:]])
        batch.recorder.record(node.op, inputs, node.attributes)
        return ()

    batch.branches(everywhere._value, tuple, fail)
    return None


def _raise(batch, node, given):
    """The exception of the first element: all those in this branch raise."""
    operands = [
        batch.element(_found(one), one.type, 0) if one.is_rows else _found(one) for one in given
    ]
    batch.recorder.record(node.op, tuple(operands), node.attributes)
    return None


# -- products --------------------------------------------------------------------------------------


def _product(batch, node, given):
    """Products of matrices and vectors, of which either may be another for each element."""
    x, y = given
    if x.ndim == 0 or y.ndim == 0:  # np.dot with numbers
        rank = max(x.ndim, y.ndim)
        dtype = node.output.type.dtype
        return np.multiply(_of_dtype(x, dtype).aligned(rank), _of_dtype(y, dtype).aligned(rank))
    if node.op.name == "dot" and y.ndim > 2:
        return NotImplemented
    left, right = _as_matrices(x, -2), _as_matrices(y, -1)
    rank = max(x.ndim, y.ndim, 2)
    if node.op.name == "dot" and y.ndim < 3:
        rank = max(x.ndim, 2)
    left = Given(left, _matrix_type(x, -2), x.is_rows).aligned(rank)
    right = Given(right, _matrix_type(y, -1), y.is_rows).aligned(rank)
    found = np.matmul(left, right)
    found = np.squeeze(found, -1) if y.ndim == 1 else found
    return np.squeeze(found, -1 if y.ndim == 1 else -2) if x.ndim == 1 else found


def _as_matrices(one, axis):
    return np.expand_dims(one.tensor, axis) if one.ndim == 1 else one.tensor


def _matrix_type(one, axis):
    if one.ndim > 1:
        return one.type
    (size,) = one.type.shape
    return TensorType(one.type.dtype, (1, size) if axis == -2 else (size, 1))


def _outer(batch, node, given):
    x, y = (_flat(batch, one) if one.is_rows else np.ravel(one.tensor) for one in given)
    return np.multiply(x[..., :, None], y[..., None, :])


# -- NumPy's functions that are called as they are -------------------------------------------------

STACKS = "cholesky det eigh eigvalsh inv matrix_power matrix_rank pinv qr slogdet svd svdvals"
LAST_AXIS = "fft ifft rfft irfft hfft ihfft"
ELEMENTWISE = "clip fix i0 iscomplex isclose isneginf isposinf isreal nan_to_num round sinc"
REDUCTIONS = "nanmax nanmin nansum nanprod nanmean nanstd nanvar median nanmedian ptp count_nonzero"


def _stack_of_matrices(batch, node, given):
    """Functions of NumPy's that take stacks of matrices, and their other arguments as they are."""
    if _rows_at(node, given) != [0] or given[0].ndim < 2:
        return NotImplemented
    return apply(node.op, *[one.tensor for one in given], **node.attributes)


def _along_last(batch, node, given):
    """Transforms along an axis, which is the last one unless it is given."""
    named = dict(node.attributes["named"])
    if _rows_at(node, given) != [0] or len(node.attributes["given"]) > 2:
        return NotImplemented
    if "axis" in named:
        named["axis"] = _axis(named["axis"], given[0].ndim)
    attributes = {**node.attributes, "named": tuple(named.items())}
    return apply(node.op, *[one.tensor for one in given], **attributes)


def _called_elementwise(batch, node, given):
    """Functions that give for each element what they give for it alone."""
    rank = max(one.ndim for one in given)
    if any(one.is_weak for one in given) or node.output.type.ndim != rank:
        return NotImplemented
    return apply(node.op, *[one.aligned(rank) for one in given], **node.attributes)


def _called_reduction(batch, node, given):
    """Functions of an array and an axis; of all elements in a row where there is none."""
    named = dict(node.attributes["named"])
    if _rows_at(node, given) != [0] or len(node.attributes["given"]) > 1 or given[0].ndim == 0:
        return NotImplemented
    x, axis = given[0], named.pop("axis", None)
    if axis is None and named.get("keepdims"):
        return NotImplemented
    tensor = _flat(batch, x) if axis is None else x.tensor
    named["axis"] = 1 if axis is None else _axis(axis, x.ndim)
    return apply(node.op, tensor, given=(Slot(0),), named=tuple(named.items()))


def _rows_at(node, given):
    """Which operands are rows, if each operand is an argument as it is."""
    plain = [part for part in node.attributes["given"] if isinstance(part, Slot)]
    if plain[:1] != [Slot(0)] or given[0].is_weak:
        return []
    return [i for i, one in enumerate(given) if one.is_rows]


def _solved(batch, node, given):
    """Linear systems: of the batch, or of each element."""
    a, b = given[:2]
    if len(given) != 2 or a.is_weak or b.is_weak or node.attributes["named"]:
        return NotImplemented
    right = b.tensor if b.ndim > 1 else np.expand_dims(b.tensor, -1)
    kind = b.type if b.ndim > 1 else TensorType(b.type.dtype, (*b.type.shape, 1))
    rank = max(a.ndim, kind.ndim)
    left, right = a.aligned(rank), Given(right, kind, b.is_rows).aligned(rank)
    found = apply(node.op, left, right, **node.attributes)
    return found if b.ndim > 1 else np.squeeze(found, -1)


RULES: dict[str, Rule] = {
    "pow": _ufunc,
    "divmod": _ufunc,
    "where": _where,
    "cast": _same,
    "real": _same,
    "imag": _same,
    "box": _unchanged,
    "copy": _copied,
    "truth": _truth,
    "not_": _not,
    "number": _number,
    "size": _size,
    "relax": _relaxed,
    "transpose": _transposed,
    "swapaxes": _swapped,
    "expand_dims": _expanded,
    "squeeze": _squeezed,
    "diagonal": _diagonal,
    "flip": _flipped,
    "roll": _rolled,
    "ravel": _raveled,
    "reshape": _reshaped,
    "reshape_to": _reshaped,
    "broadcast_to": _broadcast,
    "stack": _stacked,
    "concatenate": _concatenated,
    "full": _filled,
    "assert_": _assert,
    "raise_": _raise,
    "matmul": _product,
    "dot": _product,
    "outer": _outer,
    "linalg_solve": _solved,
    **dict.fromkeys(
        ("sum", "prod", "mean", "max", "min", "any", "all", "var", "std", "argmax", "argmin"),
        _reduced,
    ),
    **dict.fromkeys(("cumsum", "cumprod", "sort", "argsort"), _scanned),
    **{f"linalg_{name}": _stack_of_matrices for name in STACKS.split()},
    **{f"fft_{name}": _along_last for name in LAST_AXIS.split()},
    **dict.fromkeys(ELEMENTWISE.split(), _called_elementwise),
    **dict.fromkeys(REDUCTIONS.split(), _called_reduction),
    **SUBSCRIPT_RULES,
    **LIST_RULES,
}
