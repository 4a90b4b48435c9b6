"""Bounds for the examples by which types are found (`sampling.py`), for graphs without trust.

    with allowance(Allowance(elements=2**24, work=2**32)):
        parse(text)         # calls no function of NumPy that would need more

Both are estimated before a function is called: by its name, the sizes of its operands, and the
numbers among its arguments.  The estimates are rough, but grow as fast as the costs do.
"""

import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.ir.types import TensorType, Type

# Every element of one operand meets every element of the others; results hold all pairs, or not.
PAIRS = "kron meshgrid outer tensordot"
PRODUCTS = "convolve correlate polydiv polymul polyval"
# Products along the last axis of the first operand.
CONTRACTIONS = "dot inner matmul matvec vecdot vecmat vdot"
# The shorter side of a matrix meets each of its elements.
MATRICES = (
    "cholesky cond det eigh eigvalsh inv lstsq matrix_norm matrix_power matrix_rank norm pinv qr "
    "slogdet solve svd svdvals"
)
# Matrices of another shape than their operands.
RESHAPED = "multi_dot tensorinv tensorsolve"
# Numbers among the arguments are sizes of the result, or multiply its size.
SIZED = "bincount full_like histogram histogram2d histogram_bin_edges indices resize unpackbits"
MULTIPLIED = "geomspace linspace logspace repeat tile"
SQUARES = "eye identity tri tril_indices triu_indices"
# Numbers among the arguments are calls of other functions, or numbers of digits.
REPEATED = "diff polyder polyint"
DIGITS = "comb factorial perm"
# Methods of generators whose first two numbers are bounds.
BOUNDED = "integers randint randrange random_integers uniform triangular"
STEPS_OF_A_CALL = 10_000
GENERATORS = np.random.Generator, np.random.RandomState, random.Random


@dataclass
class Allowance:
    """What examples may need: the elements of each, and the work of all together."""

    elements: int
    work: int
    refused: str = ""  # the function that would have needed more

    def charge(
        self, function: Callable, types: tuple[Type, ...], given: tuple, named: tuple
    ) -> None:
        """Raises `ExampleTooLarge` instead of letting an example exceed the rest."""
        name = function.__name__.rpartition(".")[2]
        elements, work = estimated(name, types, given, named)
        drawn = _drawn(function, given, named)
        elements, work = elements + drawn, work + drawn
        self.work -= work
        if elements > self.elements or self.work < 0:
            self.refused = name
            raise ExampleTooLarge(f"{name} is too large for an example")


class ExampleTooLarge(Exception):
    """An example would need more memory or time than is allowed."""


_allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def allowed(allowance: Allowance) -> Iterator[None]:
    """Applies an allowance to all examples of the block."""
    token = _allowance.set(allowance)
    try:
        yield
    finally:
        _allowance.reset(token)


def charge(function: Callable, types: tuple[Type, ...], given: tuple, named: tuple) -> None:
    """Takes an example from the allowance in force, if there is one."""
    if (allowance := _allowance.get()) is not None:
        allowance.charge(function, types, given, named)


def estimated(name: str, types: tuple[Type, ...], given: tuple, named: tuple) -> tuple[int, int]:
    """The elements of the operands and results of a function, and the steps of its computation.

    A step is an element of a product of matrices; to read or write an element takes 64.
    """
    shapes = [tuple(_known(kind)) for kind in types]
    sizes = [max(math.prod(shape), 1) for shape in shapes]
    operands = sum(sizes) + _broadcast(shapes)
    elements, steps = _grown(name, shapes, sizes, given, named)
    return operands + elements, max(64 * (operands + elements), operands * steps)


def _grown(name, shapes, sizes, given, named) -> tuple[int, int]:
    """The elements that a result may have beyond its operands, and the steps for each operand."""
    numbers = list(_numbers((given, named)))
    largest, repeated, product = max(numbers, default=1), math.prod(numbers), math.prod(sizes)
    first = shapes[0] if shapes else ()
    longest = max((size for shape in shapes for size in shape), default=1)
    shortest = max(min(first, default=1), 1)
    if name in PAIRS.split() or name in PRODUCTS.split():
        return product * (name in PAIRS.split()), product // sum(sizes)
    if name in CONTRACTIONS.split():
        inner = first[-1] if first and first[-1] else 1
        return product // inner**2, product // inner // sum(sizes)
    if name in MATRICES.split():
        return 0, min(first[-2:]) if len(first) > 1 else 1
    if name in RESHAPED.split():
        return 0, math.isqrt(sum(sizes)) + longest
    if name in SQUARES.split():
        return largest**2, 1
    if name in REPEATED.split():
        return 0, largest * STEPS_OF_A_CALL
    if name in DIGITS.split():
        return 0, largest**2
    if name in SIZED.split():
        return repeated * max(len(numbers), 8), 1
    if name in MULTIPLIED.split():
        return product * repeated, 1
    match name:
        case "einsum":
            return 0, longest ** len(set(_labels(given)))
        case "vander":
            return product * max(largest, product), 1
        case "polyfit":
            return 0, largest**2
        case "pad":
            return math.prod(n + 2 * largest for n in first), 1
        case "histogramdd":
            return max(numbers, default=10) ** (first[-1] if first else 1), 1
        case "cov" | "corrcoef":
            rows = first[0] if first and _is_by_rows(given, named) else longest
            return rows**2, rows
    if "fft" in name and numbers:
        return repeated * (sizes[0] // shortest ** len(numbers) + 1), 1
    return 0, 1


def _known(kind: Type) -> Iterator[int]:
    if isinstance(kind, TensorType):
        yield from (size for size in kind.shape if isinstance(size, int))


def _broadcast(shapes: list[tuple[int, ...]]) -> int:
    """The elements of all operands together, broadcast."""
    longest = max(map(len, shapes), default=0)
    aligned = [(1,) * (longest - len(shape)) + shape for shape in shapes]
    return math.prod(max(sizes) for sizes in zip(*aligned, strict=True))


def _numbers(value: Any) -> Iterator[int]:
    """The integers above one among arguments."""
    if isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif type(value) is int and abs(value) > 1:
        yield abs(value)


def _labels(value: Any) -> Iterator[str | int]:
    """The labels of the axes in the arguments of `einsum`."""
    if isinstance(value, tuple):
        for part in value:
            yield from _labels(part)
    elif isinstance(value, str):
        yield from (letter for letter in value if letter.isalpha())
    elif type(value) is int:
        yield value


def _is_by_rows(given: tuple, named: tuple) -> bool:
    return all(part in (None, True, 1) for part in (*given[2:3], *dict(named).values()))


def _drawn(function: Callable, given: tuple, named: tuple) -> int:
    """The elements that a method of a generator draws: its `size`, a tuple or the last number."""
    is_rehearsed = getattr(function, "__module__", None) == "runtime.ops.counter_rng"
    if not is_rehearsed and not isinstance(getattr(function, "__self__", None), GENERATORS):
        return 0
    size = dict(named).get(
        "size", given[2:] if function.__name__ in BOUNDED.split() else given[-1:]
    )
    return math.prod(_numbers(size))
