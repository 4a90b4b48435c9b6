"""Derivatives of lists: the cotangent of a list is a list, of the same length and type."""

from runtime.ir.derivative import Part
from runtime.ir.op import find


def new(d, r, *items, element):
    """To each element its own."""
    return tuple(find("list_get")(d, i) for i in range(len(items)))


def append(d, r, items, item):
    """The last one's, and the rest."""
    last = find("list_get")(d, -1)
    return find("list_dropped")(d), last


def get(d, r, items, index):
    """Added to the element's."""
    return Part(lambda total: find("list_add_at")(total, index, d)), None


def set(d, r, items, index, item):
    """The element that was replaced gets nothing."""
    own = find("list_get")(d, index)
    return find("list_zero_at")(d, index), None, own


def pop(d, r, items, index):
    """The element's put back among the others'."""
    rest, item = d
    if rest is None:
        rest = find("list_zeros")(r[0])
    if item is None:
        item = find("zero_like")(r[1])
    return find("list_restored")(rest, index, item), None


def stack(d, r, items, element):
    """A row for each element."""
    return (find("list_like")(find("list_of")(d), items),)


def of(d, r, x):
    """Added to the rows."""
    return (Part(lambda total: find("rows_added")(total, d)),)


def cast(d, r, items, element):
    """As the elements were."""
    return (find("list_like")(d, items),)


def sum(d, r, items, start, type):
    """Every number gets what the sum gets."""
    return find("list_full")(items, d), d


def made(d, r, items, *operands, by, given):
    """To each element from where it was put."""
    back = find("list_made_back")

    def part(place):
        return back(d, items, *operands, by=by, given=given, place=place)

    is_taken = by in ("insert", "__add__")
    others = (part(1) if is_taken and i == 0 else None for i in range(len(operands)))
    return (part(0), *others)


def asked(d, r, items, *operands, by, given):
    """Of the greatest or least; other questions have no floats for answers."""
    rest = tuple(None for _ in operands)
    if by not in ("max", "min"):
        return (None, *rest)
    place = find("list_asked")(items, by=f"{by}_place", given=())
    return (Part(lambda total: find("list_add_at")(total, place, d)), *rest)


def full(d, r, items, x):
    """The sum of what all get."""
    return None, find("list_total")(d, x)


def dropped(d, r, items):
    """The last one gets nothing."""
    return (find("list_append")(d, find("zero_like")(find("list_get")(items, -1))),)


def restored(d, r, items, index, item):
    """The element that was put back, and the others."""
    rest, own = find("list_pop")(d, index)
    return rest, None, own


def joined(d, r, items, by, given):
    """To each array its part."""
    return (find("list_parted")(d, items, by=by, given=given),)


def pack(d, r, *items):
    """To each place its own."""
    return tuple(d) if isinstance(d, tuple) else tuple(find("unpack")(d))


def unpack(d, r, items):
    """A tuple of what is known of the places."""
    given = d if isinstance(d, tuple) else (d,)
    results = r if isinstance(r, tuple) else (r,)
    filled = (
        find("zero_like")(result) if part is None else part
        for part, result in zip(given, results, strict=True)
    )
    return (find("pack")(*filled),)
