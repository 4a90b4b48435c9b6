"""Infers the result types of NumPy functions by calling them with example arguments.

    np.percentile, f64[None]  ->  called with arrays of 3 and of 4 elements: an f64 both times

An example is an array with the shape and dtype of an operand.  A dimension of unknown size is tried
with two sizes.  Sizes of a result that differ between examples are unknown.  A dtype that differs
depends on the elements, so that no graph can hold the result.
"""

import math
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from runtime.ir.pytree import Structure, flatten
from runtime.ir.slot import fill_slots
from runtime.ir.types import INT, BoxType, PythonType, TensorType, Type, is_array, type_of

SIZES = (3, 4)  # tried for a dimension of unknown size
REFUSALS = (TypeError, ValueError, IndexError, ArithmeticError, AttributeError)


class NoResult(TypeError):
    """A function returns values that no graph can hold; the message says why."""


class Results(NamedTuple):
    """The result types of a function, the structure that holds them, and their memory.

    For each result, `same` is the index of the operand that is returned itself, and `shared` that
    of the operand whose memory it shares; None if there is none.
    """

    types: tuple[Type, ...]
    structure: Structure
    same: tuple[int | None, ...]
    shared: tuple[int | None, ...]


_known: dict[tuple, Results] = {}


def results(function: Callable, ragged: bool, types: tuple, given: tuple, named: tuple) -> Results:
    """The results of a function for operands of some types.

    `ragged`: the sizes of the results depend on the elements.  Raises the errors that the function
    raises for such arguments, and `NoResult` for results that no graph can hold.
    """
    key = function, ragged, types, repr(given), repr(named)  # 1, 1.0 and True are three arguments
    if key not in _known:
        _known[key] = _asked(function, ragged, types, given, named)
    return _known[key]


def _asked(function, ragged, types, given, named):
    sizes = SIZES if any(map(_is_open, types)) else SIZES[:1]
    runs: list[tuple] = []
    is_certain = not ragged
    for size in sizes:
        found = list(_runs(function, types, given, named, size))
        succeeded = [run for run in found if not isinstance(run, Exception)]
        if not succeeded and not runs and size == sizes[-1]:
            raise found[0]
        is_certain = is_certain and bool(succeeded)
        runs += succeeded
    structure, name = flatten(runs[0][1])[1], function.__name__
    leaves = [flatten(result)[0] for _, result in runs]
    kinds = [list(map(type_of, found)) for found in leaves]
    if None in kinds[0]:
        raise NoResult(f"{name} returns a value that graphs do not support.")
    if any(flatten(result)[1] != structure for _, result in runs):
        raise NoResult(f"The number of results of {name} depends on the elements.")
    joined = tuple(_joined(name, each, is_certain) for each in zip(*kinds, strict=True))
    operands = runs[0][0]
    same = tuple(_first(operands, lambda o, leaf=leaf: o is leaf) for leaf in leaves[0])
    shared = tuple(_first(operands, lambda o, leaf=leaf: _shares(o, leaf)) for leaf in leaves[0])
    return Results(joined, structure, same, shared)


def _first(operands, holds):
    return next((i for i, operand in enumerate(operands) if holds(operand)), None)


def _shares(operand, result):
    is_two = isinstance(operand, np.ndarray) and isinstance(result, np.ndarray)
    return is_two and np.may_share_memory(operand, result)


def _joined(name, kinds, is_certain):
    """The common type of a result that had these types in several runs."""
    kind, *others = kinds
    if any(type(o) is not type(kind) or o.dtype != kind.dtype for o in others):
        raise NoResult(f"The dtype of the result of {name} depends on the elements.")
    if not isinstance(kind, TensorType) or isinstance(kind, BoxType):
        return kind
    if any(other.ndim != kind.ndim for other in others):
        raise NoResult(f"The rank of the result of {name} depends on the elements.")
    shape = (
        size if is_certain and all(other.shape[axis] == size for other in others) else None
        for axis, size in enumerate(kind.shape)
    )
    return TensorType(kind.dtype, tuple(shape))


def _is_open(kind):
    """Whether the sizes of results may depend on unknown facts about an operand.

    These are its unknown sizes or, since an integer may itself be a size, its value.
    """
    if not isinstance(kind, TensorType):
        return kind == INT
    is_number = not kind.shape and kind.dtype.kind in "iu"
    return is_number or any(not isinstance(size, int) for size in kind.shape)


def _runs(function, types, given, named, size) -> Iterator:
    """For each kind of example, the operands and the results of the function, or its exception."""
    for example in (_regular, _random, _zero):
        operands = [example(kind, size) for kind in types]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                options = {name: fill_slots(part, operands) for name, part in named}
                yield operands, function(*fill_slots(given, operands), **options)
            except REFUSALS as error:
                yield error.with_traceback(None)


def _shape(kind, size):
    if not isinstance(kind, TensorType):
        raise TypeError(f"expected an array, not a {kind}")
    return tuple(n if isinstance(n, int) else size for n in kind.shape)


def _as(kind, array):
    """The array, or its element if the type is that of a scalar."""
    return array if is_array(kind) else array[()]


def _regular(kind: Type, size: int):
    """A value that most functions accept: a regular matrix, positive numbers, an index."""
    if isinstance(kind, PythonType):
        return kind.kind(size if kind is INT else 1)
    shape = _shape(kind, size)
    if len(shape) > 1 and shape[-1] == shape[-2]:
        return np.broadcast_to(np.eye(shape[-1]), shape).astype(kind.dtype)
    if kind.dtype.kind in "fc":
        count = math.prod(shape)
        return _as(kind, np.linspace(0.25, 0.75, count).astype(kind.dtype).reshape(shape))
    value = kind.dtype.kind == "b" if shape else size
    return _as(kind, np.full(shape, value, kind.dtype))


def _random(kind: Type, size: int):
    """A value without a pattern; all numbers are at least one."""
    if isinstance(kind, PythonType):
        return kind.kind(2)
    found = 1 + np.random.default_rng(0).random(_shape(kind, size))
    return _as(kind, np.asarray(found).astype(kind.dtype))


def _zero(kind: Type, size: int):
    """Zeros, which are valid indices of any axis that is not empty."""
    if isinstance(kind, PythonType):
        return kind.kind(0)
    return _as(kind, np.zeros(_shape(kind, size), kind.dtype))
