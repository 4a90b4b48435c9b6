"""Branches and loops, for a whole batch.

    if p: y = f(x)          p is the same for all     y = cond(p, f(x), g(x))         as it was
    else: y = g(x)
                            p differs                 places = flatnonzero(p)
                                                      if len(places): y[places] = f(x[places])
                                                      places = flatnonzero(~p)
                                                      if len(places): y[places] = g(x[places])

    while p: x = f(x)       p differs                 places = flatnonzero(p)
                                                      live = x[places]
                                                      while len(places):
                                                          live, p = f(live), ...
                                                          if not all(p):
                                                              x[places] = live
                                                              places, live = places[p], live[p]

Each side of a branch is computed for the elements that take it, and for no others; so is each turn
of a loop.  No nan, warning, exception or cost comes from a side that an element does not take.
"""

from collections.abc import Sequence
from typing import Any

from runtime.ir import Graph, Node, Operand, Value, captures, defined_values, operand_type
from runtime.op import find
from runtime.ops.index import Slot
from runtime.passes.dead_code import has_effect
from runtime.transforms.batch import Apart, Batch, Rows, rows_type, varies
from runtime.transforms.replay import refused
from runtime.types import ListType, TextType, TupleType, Type


def branch(batch: Batch, node: Node) -> Sequence[Any]:
    """What became of the results of a `cond`."""
    predicate = batch.read(node.inputs[0])
    if isinstance(predicate, Rows):
        return _chosen(batch, node, predicate)
    return _joined(batch, node, predicate)


# -- one predicate for all -------------------------------------------------------------------------


def _joined(batch, node, predicate):
    """A branch that all elements take together."""
    kinds = [value.type for value in node.outputs]
    found = {}
    for name, region in node.regions.items():
        with batch.recorder.open_region(name) as made:
            found[name] = (made, batch.run(region))
    differs = [
        any(varies(one) for one in pair)
        for pair in zip(*(outputs for _, outputs in found.values()), strict=True)
    ]
    for made, outputs in found.values():
        with batch.recorder.reopened(made):
            made.outputs = _handed_out(batch, outputs, kinds, differs)
    regions = {name: made for name, (made, _) in found.items()}
    hints = [value.hint for value in node.outputs]
    results = batch.recorder.record(find("cond"), (predicate,), {}, regions, hints)
    return _taken(results, kinds, differs)


def _handed_out(batch, outputs, kinds, differs):
    """The outputs of a region: rows where they are to be."""
    triples = zip(outputs, kinds, differs, strict=True)
    return [batch.spread(o, kind).value if rows else o for o, kind, rows in triples]


def _taken(results, kinds, differs):
    triples = zip(results, kinds, differs, strict=True)
    return [Rows(value, kind) if rows else value for value, kind, rows in triples]


# -- a predicate that differs ----------------------------------------------------------------------


def _chosen(batch, node, predicate):
    """A branch that some elements take: each side is computed for those that do."""
    other = batch.record("logical_not", predicate.value)
    places = {"then": _places(batch, predicate.value), "orelse": _places(batch, other)}
    kinds = [value.type for value in node.outputs]
    results: list[Any] = [None] * len(kinds)
    sides = []
    for name, region in node.regions.items():
        inside = set(defined_values(region))
        is_inside = [o in inside if isinstance(o, Value) else False for o in region.outputs]
        sides.append((name, region, is_inside))
        for i, operand in enumerate(region.outputs):
            if not is_inside[i]:
                results[i] = batch.spread(batch.read(operand), kinds[i])
    for name, region, is_inside in sides:
        other = next(is_in for side, _, is_in in sides if side != name)
        kept = [i for i, is_in in enumerate(is_inside) if is_in]
        shared = [i for i, is_in in enumerate(is_inside) if not is_in and not other[i]]
        wanted = [*kept, *(shared if name == "then" else ())]
        if wanted or any(map(has_effect, region.nodes)):
            found = _for_some(batch, region, places[name], wanted, results)
            for i, value in zip(wanted, found, strict=True):
                results[i] = Rows(value, kinds[i])
    return results


def _for_some(batch, region, places, wanted, results):
    """Replays a region for the elements at some places; writes what it gives into the results."""
    count = batch.record("size", places, axis=0)
    kinds = [operand_type(region.outputs[i]) for i in wanted]
    for kind in kinds:
        _check_array(kind)
    bases = [results[i] for i in wanted]
    starts = [
        _blank(batch, kind) if b is None else b.value for b, kind in zip(bases, kinds, strict=True)
    ]

    def taken():
        inner = _inside(batch, region, places, count)
        found = inner.run(region)
        written = []
        for i, start, base, kind in zip(wanted, starts, bases, kinds, strict=True):
            new = inner.spread(found[i], kind).value
            start = _sized(batch, start, new, kind) if base is None else start
            written.append(_put(batch, start, new, places))
        return written

    return batch.branches(batch.record("greater", count, 0), taken, lambda: starts)


def _check_array(kind: Type) -> None:
    if isinstance(kind, (ListType, TupleType, TextType)):
        what = "list" if isinstance(kind, ListType) else str(kind)
        raise refused(
            f"a {what} is changed where elements of the batch go different ways",
            "One value stands for those of all elements, and they would differ.",
            "Write into an array of a fixed size instead, or write a loop over the batch.",
        )


def _blank(batch, kind):
    """Rows that are written into before anybody looks at them."""
    sizes = tuple(size if isinstance(size, int) else 0 for size in kind.shape)
    staged = [batch.size] if isinstance(batch.size, Value) else []
    attributes = {"shape": (batch.known_size, *sizes), "dtype": kind.dtype}
    made = batch.record("full", 0, *staged, **attributes)
    return batch.rows(made, kind).value


def _sized(batch, blank, new, kind):
    """Blank rows of the sizes that the new ones have, where only a run tells these."""
    open_axes = [axis for axis, size in enumerate(kind.shape) if not isinstance(size, int)]
    if not open_axes:
        return blank
    staged = [batch.size] if isinstance(batch.size, Value) else []
    staged += [batch.record("size", new, axis=axis + 1) for axis in open_axes]
    shape = (batch.known_size, *(s if isinstance(s, int) else None for s in kind.shape))
    made = batch.record("full", 0, *staged, shape=shape, dtype=kind.dtype)
    return batch.rows(made, kind).value


def _put(batch, rows, new, places):
    return batch.record("setitem", rows, new, places, at=(Slot(0),))


def _inside(batch: Batch, region: Graph, places: Value, count: Operand) -> Batch:
    """The batch of some elements, for the nodes of a region."""
    inner = Batch(count, dict(batch.known))
    for value in captures(region):
        found = batch.read(value)
        if varies(found):
            inner.known[value] = batch.picked(found, value.type, places)
    return inner


# -- loops -----------------------------------------------------------------------------------------


def repeated(batch: Batch, node: Node) -> Sequence[Any]:
    """What became of the results of a `loop`."""
    predicate, *starts = map(batch.read, node.inputs)
    differs = [varies(start) for start in starts]
    while not isinstance(predicate, Rows):
        region, outputs = _turn(batch, node, starts, differs)
        more, *ends = outputs
        if isinstance(more, Rows):
            break
        wider = [old or varies(end) for old, end in zip(differs, ends, strict=True)]
        if wider == differs:
            return _together(batch, node, (predicate, *starts), (region, outputs), differs)
        differs = wider
    return _apart(batch, node, predicate, starts)


def _turn(batch, node, starts, differs):
    """One turn, recorded with those variables as rows that are known to differ."""
    body = node.regions["body"]
    with batch.recorder.open_region("body") as region:
        for value, rows in zip(body.inputs, differs, strict=True):
            kind = rows_type(value.type, batch.known_size) if rows else value.type
            given = Value(kind, value.hint)
            region.inputs.append(given)
            batch.known[value] = Rows(given, value.type) if rows else given
        return region, batch.run(body)


def _together(batch, node, operands, turn, differs):
    """A loop of which all elements make as many turns."""
    (predicate, *starts), (region, (more, *ends)) = operands, turn
    kinds = [value.type for value in node.outputs]
    with batch.recorder.reopened(region):
        region.outputs = [more, *_handed_out(batch, ends, kinds, differs)]
    inputs = (predicate, *_handed_out(batch, starts, kinds, differs))
    hints = [value.hint for value in node.outputs]
    attributes = dict(node.attributes)
    results = batch.recorder.record(node.op, inputs, attributes, {"body": region}, hints)
    return _taken(results, kinds, differs)


def _apart(batch, node, predicate, starts):
    """A loop that elements leave after different turns: those that go on are kept together."""
    body = node.regions["body"]
    kinds = [value.type for value in node.outputs]
    for kind in kinds:
        _check_array(kind)
    finals = [batch.spread(start, kind) for start, kind in zip(starts, kinds, strict=True)]
    used = {v: batch.read(v) for v in captures(body) if varies(batch.read(v))}
    around = _rows_of(used.values())
    kept = [*finals, *around]
    goes_on = batch.spread(predicate, operand_type(node.inputs[0])).value
    places = _places(batch, goes_on)
    live = [batch.picked(rows, rows.type, places).value for rows in kept]
    count = len(finals)

    def turn(places, *carried):
        finals, live = carried[:count], carried[count:]
        inner = Batch(batch.record("size", places, axis=0), dict(batch.known))
        now = [Rows(value, rows.type) for value, rows in zip(live, kept, strict=True)]
        inner.known.update(zip(body.inputs, now[:count], strict=True))
        inner.known.update(_made_of(used, dict(zip(around, now[count:], strict=True))))
        more, *ends = inner.run(body)
        more = inner.spread(more, operand_type(body.outputs[0])).value
        ends = [inner.spread(end, kind) for end, kind in zip(ends, kinds, strict=True)]
        state = _left(inner, more, places, finals, [*ends, *now[count:]])
        return _is_any(batch, state[0]), *state

    carried = (places, *(rows.value for rows in finals), *live)
    results = batch.repeat(_is_any(batch, places), carried, turn, **node.attributes)
    return [Rows(v, kind) for v, kind in zip(results[1 : 1 + count], kinds, strict=True)]


def _rows_of(found):
    """The rows that some values are, or are made of, each once."""
    rows = [one.rows() if isinstance(one, Apart) else [one] for one in found]
    return list(dict.fromkeys(one for several in rows for one in several))


def _made_of(found, rows):
    """The same values of other rows."""
    values = {old.value: new for old, new in rows.items()}
    return {
        value: one.made_of(values) if isinstance(one, Apart) else rows[one]
        for value, one in found.items()
    }


def _left(inner, more, places, finals, live):
    """The state behind a turn: what is done is put where it belongs, the others are kept."""
    going = _places(inner, more)
    left = inner.record("less", inner.record("size", going, axis=0), inner.size)
    values = [rows.value for rows in live]

    def shrunk():
        results = zip(finals, values, strict=False)
        put = [_put(inner, final, now, places) for final, now in results]
        rows = [inner.picked(one, one.type, going).value for one in live]
        return [inner.record("take", places, going, axis=0), *put, *rows]

    return inner.branches(left, shrunk, lambda: [places, *finals, *values])


def _places(batch, holds):
    """The places of the elements for which something holds."""
    (places,) = batch.recorder.record(
        find("flatnonzero"), (holds,), {"given": (Slot(0),), "named": ()}, hints=["places"]
    )
    return places


def _is_any(batch, places):
    return batch.record("greater", batch.record("size", places, axis=0), 0)
