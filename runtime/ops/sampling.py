"""Infers the result types of NumPy functions by calling them with example arguments.

    np.percentile, f64[None]  ->  called with arrays of 3 and of 4 elements: an f64 both times

An example is an array with the shape and dtype of an operand.  A dimension of unknown size is tried
with two sizes; if the function refuses both, with sizes of the other operands (`open_sizes.py`).
Sizes of a result that differ between examples are unknown: a size that is equal in them is tried
again with extreme sizes, since it may be the smaller or the larger of two.  A dtype that
differs depends on the elements, so that no graph can hold the result.

Numbers are tried in several orders and relations: a function may accept bounds only if the lower
one comes first, or weights only if they sum to one; and `math.gcd(3, 6)` is 3 by coincidence.
"""

import math
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from autograph.errors import with_article
from runtime.ir.pytree import Structure, flatten
from runtime.ir.slot import fill_slots
from runtime.ir.types import (
    INT,
    BoxType,
    PythonType,
    TensorType,
    Type,
    has_unknown_size,
    is_array,
    type_of,
)
from runtime.ops.example_costs import charge
from runtime.ops.open_sizes import extremes, filled, matching

SIZES = (3, 4)  # tried for a dimension of unknown size
# Numbers that may be sizes, axes, counts and bounds: at most `MOST` combinations are tried, and two
# if the arrays have more than `FEW` elements.
INTEGERS = (2, 1, 0, -1, 3, 5)
FLOATS = (0.25, 3.0, -1.5, 2.0, 0.0, 1.0)
MOST = 36
FEW = 10_000
# Functions that divide by the length of an operand: of zeros, LAPACK gets nan, and prints that.
WITHOUT_ZEROS = (np.polyfit,)
REFUSALS = (TypeError, ValueError, IndexError, ArithmeticError, AttributeError)


class NoResult(TypeError):
    """A function returns values that no graph can hold; the message says why."""


class Results(NamedTuple):
    """The result types of a function, the structure that holds them, and their memory.

    For each result, `same` is the index of the array operand that is returned itself, and `shared`
    that of the operand whose memory it shares; None if there is none.
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
    runs, is_certain = _succeeded(function, types, given, named)
    structure, name = flatten(runs[0][1])[1], function.__name__
    leaves = [flatten(result)[0] for _, result in runs]
    kinds = [list(map(type_of, found)) for found in leaves]
    if None in kinds[0]:
        raise NoResult(f"{name} returns a value that graphs do not support.")
    if any(flatten(result)[1] != structure for _, result in runs):
        raise NoResult(f"The number of results of {name} depends on the elements.")
    if is_certain and not ragged:
        kinds += _at_extremes(function, types, given, named, kinds[0])
    is_certain = is_certain and not ragged
    joined = tuple(joined_type(name, each, is_certain) for each in zip(*kinds, strict=True))
    pairs = [(operands, found) for (operands, _), found in zip(runs, leaves, strict=True)]
    same = tuple(_of_all(pairs, place, _is_same) for place in range(len(joined)))
    shared = tuple(_first(*pairs[0], place, _shares) for place in range(len(joined)))
    return Results(joined, structure, same, shared)


def _succeeded(function, types, given, named):
    """The runs of a function for examples that it accepts, and whether it accepts any size.

    Raises the error of the function if it accepts none.
    """
    sizes = SIZES if any(map(is_open, types)) else SIZES[:1]
    runs: list[tuple] = []
    is_certain = True
    for size in sizes:
        found = list(_runs(function, filled(types, size), given, named, size))
        succeeded = [run for run in found if not isinstance(run, Exception)]
        is_certain = is_certain and bool(succeeded)
        runs += succeeded
    others = iter(()) if runs else matching(types, SIZES, _numbers_in((given, named)))
    while not runs and (tried := next(others, None)) is not None:
        again = _runs(function, tried, given, named, SIZES[0])
        runs += [run for run in again if not isinstance(run, Exception)]
    if not runs:
        raise found[0]
    return runs, is_certain


def _at_extremes(function, types, given, named, kinds):
    """The result types for very small and large sizes, if some size of `kinds` may depend on them.

    Types that differ in more than their sizes say nothing: NumPy treats some empty arrays alike.
    """
    if not any(map(has_unknown_size, types)) or not any(
        isinstance(kind, TensorType) and kind.shape for kind in kinds
    ):
        return []
    found = []
    for size, tried in extremes(types, _numbers_in((given, named))):
        run = next(iter(_runs(function, tried, given, named, size)))
        if not isinstance(run, Exception):
            again = list(map(type_of, flatten(run[1])[0]))
            if len(again) == len(kinds) and all(map(_is_alike, again, kinds)):
                found.append(again)
    return found


def _is_alike(kind, other):
    """Whether two types differ at most in their sizes."""
    if not isinstance(kind, TensorType) or type(kind) is not type(other):
        return kind == other
    return kind.dtype == other.dtype and kind.ndim == other.ndim


def _numbers_in(template):
    """The integers among arguments that are not operands; they may be sizes."""
    if isinstance(template, tuple):
        return [number for part in template for number in _numbers_in(part)]
    return [abs(template)] if type(template) is int else []


def _of_all(pairs, place, relation):
    """The operand that has a relation to a result in every run; None if there is none."""
    first, *others = (_first(operands, found, place, relation) for operands, found in pairs)
    return first if all(other == first for other in others) else None


def _first(operands, found, place, relation):
    return next((i for i, one in enumerate(operands) if relation(one, found[place])), None)


def _is_same(operand, result):
    """Whether an array is returned itself; equal numbers may be one object by coincidence."""
    return isinstance(operand, np.ndarray) and operand is result


def _shares(operand, result):
    is_two = isinstance(operand, np.ndarray) and isinstance(result, np.ndarray)
    return is_two and np.may_share_memory(operand, result)


def joined_type(name, kinds, is_certain):
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


def is_open(kind):
    """Whether the sizes of results may depend on unknown facts about an operand.

    These are its unknown sizes or, since an integer may itself be a size, its value.
    """
    if not isinstance(kind, TensorType):
        return kind == INT
    is_number = not kind.shape and kind.dtype.kind in "iu"
    return is_number or any(not isinstance(size, int) for size in kind.shape)


def _runs(function, types, given, named, size) -> Iterator:
    """For each kind of example, the operands and the results of the function, or its exception."""
    has_succeeded = False
    examples = _examples(types)
    for example in examples:
        if example in examples[-LAST:] and has_succeeded:
            return
        if example is _zero and function in WITHOUT_ZEROS:
            continue
        charge(function, types, given, named)
        operands = [example(kind, size, place) for place, kind in enumerate(types)]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                options = {name: fill_slots(part, operands) for name, part in named}
                found = operands, function(*fill_slots(given, operands), **options)
                has_succeeded = True
                yield found
            except REFUSALS as error:
                yield error.with_traceback(None)


def _examples(types) -> list[Callable]:
    """The kinds of examples for operands of some types; numbers and integers need more of them."""
    examples: list[Callable] = [_regular, _random, _zero]
    shapes = [kind.shape for kind in types if isinstance(kind, (TensorType, PythonType))]
    if not all(shapes):
        examples += [_ascending, _descending]
    numbers = [place for place, shape in enumerate(shapes) if not shape]
    if numbers or any(kind.dtype is not None and kind.dtype.kind in "iu" for kind in types):
        size = sum(map(math.prod, shapes))
        count = min(len(INTEGERS) ** max(1, len(numbers)), MOST if size < FEW else 2)
        examples += [partial(_mixed, draw, numbers) for draw in range(count)]
    return [*examples, *_weights(types)]


FEW_EXAMPLES = 4  # combinations of numbers, for functions that may take long


def few_examples(types: tuple[Type, ...]) -> list[Callable]:
    """The kinds of examples for a function that may take long: `example(type, size, place)`."""
    numbers = [place for place, kind in enumerate(types) if not getattr(kind, "shape", ())]
    mixed = [partial(_mixed, draw, numbers) for draw in range(FEW_EXAMPLES)] if numbers else []
    return [_regular, _random, _zero, _ascending, *mixed, *_weights(types)]


LAST = 2  # of the examples are weights, tried only if the function refuses all others


def _weights(types) -> list[Callable]:
    """Weights that sum to one; then numbers that are the length of the first array, too."""
    lengths = (kind.shape[-1] for kind in types if getattr(kind, "shape", ()))
    return [_normalised, partial(_counted, next(lengths, 1))]


def _shape(kind):
    """The shape of a type of arrays or scalars, all sizes known."""
    if not isinstance(kind, TensorType):
        raise TypeError(f"expected an array, not {with_article(kind)}")
    return kind.shape


def _as(kind, array):
    """The array, or its element if the type is that of a scalar."""
    return array if is_array(kind) else array[()]


def _regular(kind: Type, size: int, place: int = 0):
    """A value that most functions accept: a regular matrix, positive numbers, an index."""
    if isinstance(kind, PythonType):
        return kind.kind(size if kind is INT else 1)
    shape = _shape(kind)
    if len(shape) > 1 and shape[-1] == shape[-2]:
        return np.broadcast_to(np.eye(shape[-1]), shape).astype(kind.dtype)
    if kind.dtype.kind in "fc":
        count = math.prod(shape)
        return _as(kind, np.linspace(0.25, 0.75, count).astype(kind.dtype).reshape(shape))
    value = kind.dtype.kind == "b" if shape else size
    return _as(kind, np.full(shape, value, kind.dtype))


def _random(kind: Type, size: int, place: int = 0):
    """A value without a pattern; all numbers are at least one."""
    if isinstance(kind, PythonType):
        return kind.kind(2)
    found = 1 + np.random.default_rng(0).random(_shape(kind))
    return _as(kind, np.asarray(found).astype(kind.dtype))


def _zero(kind: Type, size: int, place: int = 0):
    """Zeros, which are valid indices of any axis that is not empty."""
    if isinstance(kind, PythonType):
        return kind.kind(0)
    return _as(kind, np.zeros(_shape(kind), kind.dtype))


def _ascending(kind: Type, size: int, place: int):
    """Numbers that increase from operand to operand, between 0 and 1 if they are floats."""
    return _scaled(kind, size, place + 1)


def _descending(kind: Type, size: int, place: int):
    """Numbers that decrease from operand to operand."""
    return _scaled(kind, size, max(1, SIZES[1] - place))


def _scaled(kind, size, factor):
    """A number in proportion to a factor; arrays are those of `_regular`."""
    if kind.shape:
        return _regular(kind, size)
    number = kind.dtype.type(factor * 0.125 if kind.dtype.kind in "fc" else size + 2 * factor)
    return number.item() if isinstance(kind, PythonType) else _as(kind, np.asarray(number))


def _mixed(draw: int, numbers: list[int], kind: Type, size: int, place: int):
    """One of the combinations of numbers; the elements of arrays of integers are 0, 1 or 2."""
    integral = kind.dtype is not None and kind.dtype.kind in "iu"
    if place not in numbers:
        rng = np.random.default_rng((draw, place))
        elements = rng.integers(draw % 2, 3, _shape(kind)) if integral else None
        return _regular(kind, size) if elements is None else elements.astype(kind.dtype)
    base, position = len(INTEGERS), numbers.index(place)
    pairs = base ** (position % 2)  # the first two numbers meet in each of the combinations
    index = (draw // pairs + draw * (position // 2)) % base
    value = abs(INTEGERS[index]) if kind.dtype.kind == "u" else INTEGERS[index]
    number = kind.dtype.type(value if integral else FLOATS[index])
    return number.item() if isinstance(kind, PythonType) else _as(kind, np.asarray(number))


def _normalised(kind: Type, size: int, place: int):
    """Weights that sum to one; numbers are those of `_ascending`."""
    if not kind.shape or kind.dtype.kind != "f":
        return _ascending(kind, size, place)
    shape = _shape(kind)
    return np.full(shape, 1 / max(shape[-1], 1), kind.dtype)


def _counted(count: int, kind: Type, size: int, place: int):
    """A number that counts the elements of arrays; arrays are those of `_normalised`."""
    if kind.shape or kind.dtype.kind not in "iu":
        return _normalised(kind, size, place)
    return kind.dtype.type(count).item() if isinstance(kind, PythonType) else kind.dtype.type(count)
