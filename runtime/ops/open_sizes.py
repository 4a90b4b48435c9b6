"""Sizes for the unknown dimensions of example arrays (`sampling.py`).

    f64[None] beside f64[5]           3 and 4 are refused by np.dot, 5 is accepted
    f64[None, None] beside f64[5, 7]  5 and 7 in some order, if no single size is accepted

Most functions accept any size.  Those that require the sizes of their operands to match accept only
sizes that other operands have, or products and quotients of them.
"""

import itertools
import math
from collections.abc import Iterator

from runtime.ir.types import Dimension, TensorType, Type, array_type

MOST_ASSIGNMENTS = 64  # combinations of sizes that are tried
MOST_ELEMENTS = 2_000_000  # of all examples together, beyond those of known shapes
LARGE = 64  # sizes that small ones stand for, if the examples would have too many elements


def filled(types: tuple[Type, ...], size: int) -> tuple[Type, ...]:
    """The types with one size for all unknown dimensions.

    >>> from runtime.ir.types import tensor_type
    >>> print(*filled((tensor_type("f8", (None, 3)),), 4))
    f64[4, 3]
    """
    return tuple(_with_shape(kind, itertools.repeat(size)) for kind in types)


def extremes(types: tuple[Type, ...], numbers: list[int]) -> Iterator[tuple[int, tuple[Type, ...]]]:
    """Sizes that are smaller and larger than all others, each with the types with this size.

    `numbers` are integers among the arguments of the function.
    """
    sizes = [n for kind in types for n in _shape(kind) if isinstance(n, int)] + numbers
    for size in (0, 1, max(sizes, default=0) + 7):
        tried = filled(types, size)
        if _is_small(tried, types):
            yield size, tried


def matching(
    types: tuple[Type, ...], usual: tuple[int, ...], numbers: list[int]
) -> Iterator[tuple[Type, ...]]:
    """The types with sizes that match those of other operands, the simplest first.

    `usual` are the sizes that have been tried, `numbers` the integers among the arguments of the
    function.  The last types have small sizes in place of large
    known ones: the function may require equal sizes, and examples of them may not fit into memory.
    """
    known = sorted({n for kind in types for n in _shape(kind) if isinstance(n, int) and n != 1})
    count = len(_open(types))
    if not (count and (known or numbers)):
        return
    uniform = (itertools.repeat(size, count) for size in known if size not in usual)
    mixed = itertools.product(_composed([*known, *numbers], usual[0]), repeat=count)
    for sizes in itertools.chain(uniform, itertools.islice(mixed, MOST_ASSIGNMENTS)):
        tried = _assigned(types, tuple(sizes))
        if _is_small(tried, types):
            yield tried
    if known and known[-1] > LARGE:
        smaller = tuple(_with_shape(kind, itertools.repeat(None), LARGE) for kind in types)
        yield from (filled(smaller, size) for size in usual)


def _composed(sizes, usual):
    """Sizes, then their products and quotients; without repetitions."""
    pairs = list(itertools.product((n for n in sizes if n > 1), repeat=2))
    quotients = [a // b for a, b in pairs if a % b == 0]
    return list(
        dict.fromkeys(
            [
                *sizes,
                usual,
                *quotients,
                math.prod(sizes),
                *itertools.starmap(lambda a, b: a * b, pairs),
            ]
        )
    )


def _is_small(tried, types):
    """Whether examples do not need much more memory than the known sizes of the types."""
    return _element_count(tried) <= MOST_ELEMENTS + _element_count(filled(types, 1))


def _shape(kind: Type) -> tuple[Dimension, ...]:
    return kind.shape if isinstance(kind, TensorType) else ()


def _open(types):
    """The unknown dimensions; one of a name counts once."""
    places = [
        n if isinstance(n, str) else (place, axis)
        for place, kind in enumerate(types)
        for axis, n in enumerate(_shape(kind))
        if not isinstance(n, int)
    ]
    return list(dict.fromkeys(places))


def _assigned(types, sizes):
    """The types with a size for each unknown dimension, in the order of `_open`."""
    chosen = dict(zip(_open(types), sizes, strict=True))
    found = []
    for place, kind in enumerate(types):
        keys = (
            n if isinstance(n, str) else (place, axis)
            for axis, n in enumerate(_shape(kind))
            if not isinstance(n, int)
        )
        found.append(_with_shape(kind, iter([chosen[key] for key in keys])))
    return tuple(found)


def _with_shape(kind, sizes, most=math.inf):
    """A type with the next of some sizes for each dimension that is unknown or above `most`."""
    if not isinstance(kind, TensorType) or not kind.shape:
        return kind
    shape = (n if isinstance(n, int) and n <= most else next(sizes) for n in kind.shape)
    return array_type(kind.dtype, tuple(shape))


def _element_count(types):
    return sum(math.prod(_shape(kind)) for kind in types)
