"""The adjoint of `einsum`: the cotangent of an operand is an einsum of d and the other operands.

einsum("ij,jk->ik", a, b)          a:  einsum("ik,jk->ij", d, conj(b))
einsum("ii->i", a)                 a:  d on the diagonal
einsum("ij->i", a)                 a:  d along j

An einsum of two operands that sums along one label is a product of matrices, or one for each index
of the labels that all of them have, if these are large enough: `np.matmul` takes a tenth of the
time.
"""

import math
import string

import numpy as np

from runtime.ir.derivative import PartialCotangent
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ops.adjoints.products import conjugated
from runtime.ops.adjoints.sizes import counted, grown


def einsum(d, r, *operands, optimize=False, **options):
    """The cotangents of the arrays among the operands."""
    labels, result, arrays, places = _parsed(operands)
    found: list = [None] * len(operands)
    for i, own in enumerate(labels):
        others = [(labels[j], arrays[j]) for j in range(len(arrays)) if j != i]
        found[places[i]] = _cotangent(d, result, own, arrays[i], others, optimize)
    return {"operands": tuple(found)}


def _cotangent(d, result, own, x, others, optimize):
    """The cotangent of an operand: d times the others, summed over labels the operand lacks."""
    known = set(result).union(*(labels for labels, _ in others))
    unique = "".join(dict.fromkeys(own))
    wanted = "".join(label for label in unique if label in known)
    given = ",".join([result, *(labels for labels, _ in others)])
    factors = [conjugated(each) for _, each in others]
    each = None
    if len(factors) == 1 and optimize is False:
        each = _product(d, result, factors[0], others[0][0], wanted)
    if each is None:
        each = np.einsum(f"{given}->{wanted}", d, *factors, optimize=optimize)
    missing = tuple(i for i, label in enumerate(unique) if label not in known)
    if missing:
        each = np.expand_dims(each, missing)
        size = dict(zip(own, np.shape(x), strict=True))
        shape = (size[c] if c not in known else n for c, n in zip(unique, each.shape, strict=True))
        each = grown(each, tuple(shape))
    if len(unique) == len(own):
        return each
    return PartialCotangent(lambda total: _on_diagonals(total, each, own, unique))


LEAST = 1024  # multiplications of one product that takes less time as a product of matrices
DTYPES = tuple(map(np.dtype, "fdFD"))


def _product(x, of_x, y, of_y, wanted):
    """The einsum of two arrays as a product of matrices; None if it is none, or a small one."""
    labels: dict[tuple[bool, bool, bool], str] = {}  # those in x, in y, and in the result
    for label in dict.fromkeys(of_x + of_y):
        places = label in of_x, label in of_y, label in wanted
        labels[places] = labels.get(places, "") + label
    batch, summed = labels.pop((True, True, True), ""), labels.pop((True, True, False), "")
    rows, columns = labels.pop((True, False, True), ""), labels.pop((False, True, True), "")
    is_plain = len(set(of_x)) == len(of_x) and len(set(of_y)) == len(of_y)
    if labels or not is_plain or not len(rows) == len(columns) == len(summed) == 1:
        return None
    if x.dtype != y.dtype or np.dtype(x.dtype) not in DTYPES:
        return None
    sizes = dict(zip(of_x + of_y, (*np.shape(x), *np.shape(y)), strict=True))
    known = [sizes[label] for label in rows + columns + summed]
    if not all(isinstance(size, int) for size in known) or math.prod(known) < LEAST:
        return None
    left = _ordered(x, of_x, batch + rows + summed)
    right = _ordered(y, of_y, batch + summed + columns)
    return _ordered(np.matmul(left, right), batch + rows + columns, wanted)


def _ordered(x, labels, wanted):
    """An array with its axes in another order."""
    return x if labels == wanted else np.transpose(x, tuple(map(labels.index, wanted)))


def _on_diagonals(total, each, own, unique):
    """Adds a cotangent to the diagonal elements, whose indices are equal where labels repeat."""
    places = []
    for axis, label in enumerate(own):
        shape = [1] * len(unique)
        shape[unique.index(label)] = -1
        places.append(np.reshape(counted(np.shape(total)[axis]), tuple(shape)))
    return find("added_at")(total, each, *places, at=tuple(map(Slot, range(len(own)))))


# -- the subscripts --------------------------------------------------------------------------------


def _parsed(operands):
    """The labels of the operands and of the result, the arrays, and their argument positions."""
    if isinstance(operands[0], str):
        arrays, places = operands[1:], range(1, len(operands))
        given, arrow, result = operands[0].replace(" ", "").partition("->")
        labels = given.split(",")
    else:
        pairs = len(operands) // 2
        arrays, places = operands[0 : 2 * pairs : 2], range(0, 2 * pairs, 2)
        labels = [_letters(sublist) for sublist in operands[1 : 2 * pairs : 2]]
        arrow = len(operands) % 2
        result = _letters(operands[-1]) if arrow else ""
    labels, dots = _without_dots(labels, [np.ndim(x) for x in arrays])
    if arrow:
        result = result.replace("...", dots)
    else:
        every = "".join(labels)
        result = dots + "".join(
            sorted(c for c in set(every) if every.count(c) == 1 and c not in dots)
        )
    return labels, result, arrays, places


def _letters(sublist):
    return "".join("..." if i is Ellipsis else string.ascii_letters[i] for i in sublist)


def _without_dots(labels, ranks):
    """The labels with unused letters in place of `...`, aligned at the last axis; these letters."""
    used = set("".join(labels)) - {"."}
    free = [c for c in string.ascii_letters if c not in used]
    sizes = [
        rank - len(label.replace("...", ""))
        for label, rank in zip(labels, ranks, strict=True)
        if "..." in label
    ]
    dots = "".join(reversed(free[: max(sizes, default=0)]))
    found = []
    for label, rank in zip(labels, ranks, strict=True):
        count = rank - len(label.replace("...", ""))
        found.append(label.replace("...", dots[len(dots) - count :]))
    return found, dots


ADJOINTS = {np.einsum: einsum}
