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
from runtime.transforms.batch import Batch, Rows, Text, rows_type
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
    varies = [
        any(isinstance(one, (Rows, Text)) for one in pair)
        for pair in zip(*(outputs for _, outputs in found.values()), strict=True)
    ]
    for made, outputs in found.values():
        with batch.recorder.reopened(made):
            made.outputs = _handed_out(batch, outputs, kinds, varies)
    regions = {name: made for name, (made, _) in found.items()}
    hints = [value.hint for value in node.outputs]
    results = batch.recorder.record(find("cond"), (predicate,), {}, regions, hints)
    return _taken(results, kinds, varies)


def _handed_out(batch, outputs, kinds, varies):
    """The outputs of a region: rows where they are to be."""
    triples = zip(outputs, kinds, varies, strict=True)
    return [batch.spread(o, kind).value if rows else o for o, kind, rows in triples]


def _taken(results, kinds, varies):
    triples = zip(results, kinds, varies, strict=True)
    return [Rows(value, kind) if rows else value for value, kind, rows in triples]


# -- a predicate that differs ----------------------------------------------------------------------


def _chosen(batch, node, predicate):
    """A branch that some elements take: each side is computed for those that do."""
    places = {
        "then": batch.record("flatnonzero", predicate.value, given=(Slot(0),), named=()),
        "orelse": _places_not(batch, predicate.value),
    }
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


def _places_not(batch, predicate):
    other = batch.record("logical_not", predicate)
    return batch.record("flatnonzero", other, given=(Slot(0),), named=())


def _for_some(batch, region, places, wanted, results):
    """Replays a region for the elements at some places; writes what it gives into the results."""
    count = batch.record("size", places, axis=0)
    kinds = [operand_type(region.outputs[i]) for i in wanted]
    for kind in kinds:
        _check_array(kind)
    bases = [results[i] for i in wanted]
    starts = [_blank(batch, kind) if b is None else b.value for b, kind in zip(bases, kinds)]

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
            "Give it an array of a fixed size, and write into that; or write a loop over the batch.",
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
        if isinstance(found, (Rows, Text)):
            inner.known[value] = batch.picked(found, value.type, places)
    return inner


# -- loops -----------------------------------------------------------------------------------------


def repeated(batch: Batch, node: Node) -> Sequence[Any]:
    """What became of the results of a `loop`."""
    predicate, *starts = map(batch.read, node.inputs)
    varies = [isinstance(start, (Rows, Text)) for start in starts]
    while not isinstance(predicate, Rows):
        region, outputs = _turn(batch, node, starts, varies)
        more, *ends = outputs
        if isinstance(more, Rows):
            break
        wider = [
            old or isinstance(end, (Rows, Text)) for old, end in zip(varies, ends, strict=True)
        ]
        if wider == varies:
            return _together(batch, node, (predicate, *starts), (region, outputs), varies)
        varies = wider
    return _apart(batch, node, predicate, starts)


def _turn(batch, node, starts, varies):
    """One turn, recorded with those variables as rows that are known to differ."""
    body = node.regions["body"]
    with batch.recorder.open_region("body") as region:
        for value, rows in zip(body.inputs, varies, strict=True):
            kind = rows_type(value.type, batch.known_size) if rows else value.type
            given = Value(kind, value.hint)
            region.inputs.append(given)
            batch.known[value] = Rows(given, value.type) if rows else given
        return region, batch.run(body)


def _together(batch, node, operands, turn, varies):
    """A loop of which all elements make as many turns."""
    (predicate, *starts), (region, (more, *ends)) = operands, turn
    kinds = [value.type for value in node.outputs]
    with batch.recorder.reopened(region):
        region.outputs = [more, *_handed_out(batch, ends, kinds, varies)]
    inputs = (predicate, *_handed_out(batch, starts, kinds, varies))
    hints = [value.hint for value in node.outputs]
    attributes = dict(node.attributes)
    results = batch.recorder.record(node.op, inputs, attributes, {"body": region}, hints)
    return _taken(results, kinds, varies)


def _apart(batch, node, predicate, starts):
    """A loop that elements leave after different turns: those that go on are kept together."""
    body = node.regions["body"]
    kinds = [value.type for value in node.outputs]
    for kind in kinds:
        _check_array(kind)
    finals = [batch.spread(start, kind).value for start, kind in zip(starts, kinds, strict=True)]
    goes_on = batch.spread(predicate, operand_type(node.inputs[0])).value
    places = batch.record("flatnonzero", goes_on, given=(Slot(0),), named=())
    around = [v for v in captures(body) if isinstance(batch.read(v), Rows)]
    _check_texts(batch, body)
    of = {v: batch.read(v) for v in around}
    live = [
        batch.picked(Rows(value, kind), kind, places).value
        for value, kind in zip(finals, kinds, strict=True)
    ]
    live += [batch.picked(of[v], v.type, places).value for v in around]
    given = [*zip(body.inputs, kinds, strict=True), *((v, v.type) for v in around)]
    count = len(finals)

    def turn(places, *carried):
        finals, live = carried[:count], carried[count:]
        size = batch.record("size", places, axis=0)
        inner = Batch(size, dict(batch.known))
        for (value, kind), now in zip(given, live, strict=True):
            inner.known[value] = Rows(now, kind)
        more, *ends = inner.run(body)
        more = inner.spread(more, operand_type(body.outputs[0])).value
        ends = [inner.spread(end, kind).value for end, kind in zip(ends, kinds, strict=True)]
        live = [*ends, *live[count:]]
        state = _left(inner, more, places, finals, live, [kind for _, kind in given])
        size = batch.record("size", state[0], axis=0)
        return batch.record("greater", size, 0), *state

    more = batch.record("greater", batch.record("size", places, axis=0), 0)
    starts = (places, *finals, *live)
    results = batch.repeat(more, starts, turn, **node.attributes)
    return [Rows(v, kind) for v, kind in zip(results[1 : 1 + count], kinds, strict=True)]


def _check_texts(batch, body):
    for value in captures(body):
        if isinstance(batch.read(value), Text):
            rows_type(value.type, None)


def _left(inner, more, places, finals, live, kinds):
    """The state behind a turn: what is done is put where it belongs, the others are kept."""
    going = inner.record("flatnonzero", more, given=(Slot(0),), named=())
    left = inner.record("less", inner.record("size", going, axis=0), inner.size)

    def shrunk():
        results = zip(finals, live, strict=False)
        put = [_put(inner, final, now, places) for final, now in results]
        rows = (
            inner.picked(Rows(now, k), k, going).value for now, k in zip(live, kinds, strict=True)
        )
        return [inner.record("take", places, going, axis=0), *put, *rows]

    return inner.branches(left, shrunk, lambda: [places, *finals, *live])
