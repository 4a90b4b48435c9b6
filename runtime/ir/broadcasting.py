"""Shapes that are broadcast together, by the rules of NumPy."""

from collections.abc import Iterable
from typing import Any

from runtime.ir.types import Dimension


class ShapeError(ValueError):
    """Shapes that do not fit; the message names them."""


def broadcast(*shapes: tuple[Dimension, ...]) -> tuple[Dimension, ...]:
    """The shape of arrays that are broadcast together, by the rules of NumPy.

    An unknown dimension beside a size other than one becomes that size: if they do not match, the
    run fails.  Raises `ShapeError` for known sizes that do not match.

    >>> broadcast((3, 1), (None, 4), ())
    (3, 4)
    >>> broadcast((1, 1), (None, 4))
    (None, 4)
    """
    rank = max(map(len, shapes), default=0)
    aligned = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(_broadcast_sizes(sizes, shapes) for sizes in zip(*aligned, strict=True))


def _broadcast_sizes(sizes: Iterable[Dimension], shapes: Iterable[Any]) -> Dimension:
    sizes = tuple(sizes)
    fixed = {size for size in sizes if isinstance(size, int) and size != 1}
    if len(fixed) > 1:
        raise ShapeError(f"shapes {' and '.join(map(str, shapes))} do not broadcast together")
    if fixed:
        return fixed.pop()
    open_ = {size for size in sizes if size != 1}
    if not open_:
        return 1
    return open_.pop() if len(open_) == 1 else None
