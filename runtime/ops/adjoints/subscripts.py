"""Adjoints of indexing and of writes at an index."""

import numpy as np

from runtime.ir.derivative import PartialCotangent
from runtime.ir.op import find
from runtime.ir.slot import Slot


def getitem(d, r, x, *operands, at):
    """d is added at the index; an element that was read twice gets both cotangents."""
    part = PartialCotangent(lambda total: find("added_at")(total, d, *operands, at=at))
    return (part, *(None for _ in operands))


def setitem(d, r, x, value, *operands, at):
    """The array gets d with zeros where it was overwritten; the value gets d[at]."""
    written = find("getitem")(d, *operands, at=at)  # first, so that d may be zeroed in place
    written = np.copy(written) if np.ndim(written) else written
    before = find("setitem")(d, 0, *operands, at=at)
    if any(isinstance(part, Slot) and _may_repeat(operands[part.index]) for part in at):
        written = np.where(find("is_last_at")(d, *operands, at=at), written, 0)
    return (before, written, *(None for _ in operands))


def _may_repeat(index):
    return getattr(index, "ndim", 0) and index.dtype.kind != "b"


def add_at(d, r, x, y, *operands, at):
    """The array gets d; the added value gets d[at]."""
    return (d, find("getitem")(d, *operands, at=at), *(None for _ in operands))


def take(d, r, x, indices, axis=None, mode="raise"):
    """d is added at the indices that were taken."""
    size = np.size(x) if axis is None else np.shape(x)[axis]
    if mode == "wrap":
        indices = indices % size
    elif mode == "clip":
        indices = np.clip(indices, 0, size - 1)

    def added(total):
        if axis is None:
            row = np.reshape(total, (-1,))
            return np.reshape(find("added_at")(row, d, indices, at=(Slot(0),)), np.shape(x))
        at = (*(slice(None),) * (axis % np.ndim(x)), Slot(0))
        return find("added_at")(total, d, indices, at=at)

    return PartialCotangent(added), None


def written_through(d, r, base, new, *others, **attributes):
    """The array gets d with zeros where it was overwritten through the view."""
    view = find(attributes["view"])
    rest = {name: value for name, value in attributes.items() if name != "view"}
    before = find("written_through")(d, 0, *others, **attributes)
    return (before, view(d, *others, **rest), *(None for _ in others))
