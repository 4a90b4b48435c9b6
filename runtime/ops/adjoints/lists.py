"""Adjoints of list ops: the cotangent of a list is a list of the same length and element type."""

from runtime.ir.derivative import PartialCotangent
from runtime.ir.op import find


def new(d, r, *items, element):
    """Each item gets the cotangent at its index."""
    return tuple(find("list_get")(d, i) for i in range(len(items)))


def append(d, r, items, item):
    """The list gets all but the last cotangent, the item gets the last."""
    last = find("list_get")(d, -1)
    return find("list_dropped")(d), last


def get(d, r, items, index):
    """d is added to the cotangent at the index."""
    return PartialCotangent(lambda total: find("list_add_at")(total, index, d)), None


def set(d, r, items, index, item):
    """The item gets the cotangent at the index; the element that it replaced gets zero."""
    own = find("list_get")(d, index)
    return find("list_zero_at")(d, index), None, own


def pop(d, r, items, index):
    """The cotangent of the item is reinserted into that of the remaining list."""
    rest, item = d
    if rest is None:
        rest = find("list_zeros")(r[0])
    if item is None:
        item = find("zero_like")(r[1])
    return find("list_restored")(rest, index, item), None


def stack(d, r, items, element):
    """Each element gets its row of d."""
    return (find("list_like")(find("list_of")(d), items),)


def of(d, r, x):
    """The cotangents of the elements are added to the rows of x."""
    return (PartialCotangent(lambda total: find("rows_added")(total, d)),)


def cast(d, r, items, element):
    """The cotangents are converted back to the types of the original elements."""
    return (find("list_like")(d, items),)


def sum(d, r, items, start, type):
    """Every element, and the start value, gets the cotangent of the sum."""
    return find("list_full")(items, d), d


def made(d, r, items, *operands, by, given):
    """Each element gets the sum of the cotangents at the positions it was moved or copied to."""
    back = find("list_made_back")

    def part(place):
        return back(d, items, *operands, by=by, given=given, place=place)

    is_taken = by in ("insert", "__add__")
    others = (part(1) if is_taken and i == 0 else None for i in range(len(operands)))
    return (part(0), *others)


def asked(d, r, items, *operands, by, given):
    """`max` and `min`: d is added at the index of the extreme; other queries return no floats."""
    rest = tuple(None for _ in operands)
    if by not in ("max", "min"):
        return (None, *rest)
    place = find("list_asked")(items, by=f"{by}_place", given=())
    return (PartialCotangent(lambda total: find("list_add_at")(total, place, d)), *rest)


def full(d, r, items, x):
    """x gets the sum of the cotangents of all elements."""
    return None, find("list_total")(d, x)


def dropped(d, r, items):
    """The removed last element gets zero."""
    return (find("list_append")(d, find("zero_like")(find("list_get")(items, -1))),)


def restored(d, r, items, index, item):
    """The inverse of `pop`: the inserted item gets the cotangent at the index."""
    rest, own = find("list_pop")(d, index)
    return rest, None, own


def joined(d, r, items, by, given):
    """Each array gets its part of d."""
    return (find("list_parted")(d, items, by=by, given=given),)


def pack(d, r, *items):
    """Each operand gets the cotangent at its position in the tuple."""
    return tuple(d) if isinstance(d, tuple) else tuple(find("unpack")(d))


def unpack(d, r, items):
    """The cotangents of the results as a tuple, with zeros for results that have none."""
    given = d if isinstance(d, tuple) else (d,)
    results = r if isinstance(r, tuple) else (r,)
    filled = (
        find("zero_like")(result) if part is None else part
        for part, result in zip(given, results, strict=True)
    )
    return (find("pack")(*filled),)
