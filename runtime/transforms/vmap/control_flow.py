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

Where lists or texts differ between elements, or sizes, a branch or loop is done for one element
after another (`unrolled.py`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runtime.analyses.effects import has_effect
from runtime.ir.graph import Graph, Node, Operand, Value, captures, defined_values, operand_type
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.transforms.vmap.interpreter import Batch
from runtime.transforms.vmap.values import Apart, Rows, form_of, form_type, may_differ, varies


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
    forms = [
        max(map(form_of, pair))
        for pair in zip(*(outputs for _, outputs in found.values()), strict=True)
    ]
    for made, outputs in found.values():
        with batch.recorder.reopened(made):
            made.outputs = _handed_out(batch, outputs, kinds, forms)
    regions = {name: made for name, (made, _) in found.items()}
    hints = [value.hint for value in node.outputs]
    results = batch.recorder.record(find("cond"), (predicate,), {}, regions, hints)
    return _taken(batch, results, kinds, forms)


def _handed_out(batch, outputs, kinds, forms):
    """The outputs of a region, in the forms that they are to have."""
    return [batch.in_form(*triple) for triple in zip(outputs, kinds, forms, strict=True)]


def _taken(batch, results, kinds, forms):
    return [batch.from_form(*triple) for triple in zip(results, kinds, forms, strict=True)]


# -- a predicate that differs ----------------------------------------------------------------------


def _chosen(batch, node, predicate):
    """A branch that some elements take: each side is computed for those that do."""
    if any(may_differ(value.type) for value in node.outputs):
        return batch.each(node)
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
    bases = [results[i] for i in wanted]
    starts = [
        _blank(batch, kind) if b is None else b.value for b, kind in zip(bases, kinds, strict=True)
    ]

    def taken():
        inner = _inside(batch, region, places, count)
        found = inner.run(region)
        written = []
        for i, start, kind in zip(wanted, starts, kinds, strict=True):
            new = inner.spread(found[i], kind).value
            written.append(_put(batch, start, new, places))
        return written

    return batch.branches(batch.record("greater", count, 0), taken, lambda: starts)


def _blank(batch, kind):
    """Rows that are written into before anybody looks at them."""
    staged = [batch.size] if isinstance(batch.size, Value) else []
    attributes = {"shape": (batch.known_size, *kind.shape), "dtype": kind.dtype}
    made = batch.record("full", 0, *staged, **attributes)
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
    forms = list(map(form_of, starts))
    while not isinstance(predicate, Rows):
        region, outputs = _turn(batch, node, forms)
        more, *ends = outputs
        if isinstance(more, Rows):
            break
        wider = [max(form, form_of(end)) for form, end in zip(forms, ends, strict=True)]
        if wider == forms:
            return _together(batch, node, (predicate, *starts), (region, outputs), forms)
        forms = wider
    if any(may_differ(value.type) for value in node.outputs):
        return batch.each(node)
    return _apart(batch, node, predicate, starts)


def _turn(batch, node, forms):
    """One turn, recorded with variables in the forms that are known by now."""
    body = node.regions["body"]
    with batch.recorder.open_region("body") as region:
        for value, form in zip(body.inputs, forms, strict=True):
            given = Value(form_type(value.type, form, batch.known_size), value.hint)
            region.inputs.append(given)
            batch.known[value] = batch.from_form(given, value.type, form)
        return region, batch.run(body)


def _together(batch, node, operands, turn, forms):
    """A loop of which all elements make as many turns."""
    (predicate, *starts), (region, (more, *ends)) = operands, turn
    kinds = [value.type for value in node.outputs]
    with batch.recorder.reopened(region):
        region.outputs = [more, *_handed_out(batch, ends, kinds, forms)]
    inputs = (predicate, *_handed_out(batch, starts, kinds, forms))
    hints = [value.hint for value in node.outputs]
    attributes = dict(node.attributes)
    results = batch.recorder.record(node.op, inputs, attributes, {"body": region}, hints)
    return _taken(batch, results, kinds, forms)


def _apart(batch, node, predicate, starts):
    """A loop that elements leave after different turns: those that go on are kept together."""
    body = node.regions["body"]
    kinds = [value.type for value in node.outputs]
    finals = [batch.spread(start, kind) for start, kind in zip(starts, kinds, strict=True)]
    used = {v: batch.read(v) for v in captures(body) if varies(batch.read(v))}
    around = _parts_of(used.values())
    kept = [*finals, *around]
    goes_on = batch.spread(predicate, operand_type(node.inputs[0])).value
    places = _places(batch, goes_on)
    live = _values(batch.picked(rows, rows.type, places) for rows in kept)
    count = len(finals)

    def turn(places, *carried):
        finals, live = carried[:count], carried[count:]
        inner = Batch(batch.record("size", places, axis=0), dict(batch.known))
        now = _with_values(kept, live)
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


def _parts_of(found):
    """What differs in some values, each once."""
    parts = [one.parts() if isinstance(one, Apart) else [one] for one in found]
    return list(dict.fromkeys(part for several in parts for part in several))


def _made_of(found, parts):
    """The same values of other parts."""
    values = {old.value: new for old, new in parts.items()}
    return {
        value: one.made_of(values) if isinstance(one, Apart) else parts[one]
        for value, one in found.items()
    }


def _values(parts):
    """What a loop carries for some parts."""
    pairs = ((part.value, getattr(part, "owners", None)) for part in parts)
    return [value for pair in pairs for value in pair if value is not None]


def _with_values(parts, values):
    """Parts like some, of other values."""
    values = iter(values)
    return [
        replace(part, value=next(values))
        if getattr(part, "owners", None) is None
        else replace(part, value=next(values), owners=next(values))
        for part in parts
    ]


def _left(inner, more, places, finals, live):
    """The state behind a turn: what is done is put where it belongs, the others are kept."""
    going = _places(inner, more)
    left = inner.record("less", inner.record("size", going, axis=0), inner.size)
    values = _values(live)

    def shrunk():
        results = zip(finals, values, strict=False)
        put = [_put(inner, final, now, places) for final, now in results]
        rows = _values(inner.picked(one, one.type, going) for one in live)
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


# -- regions that gradients look at ----------------------------------------------------------------


def checkpointed(batch: Batch, node: Node) -> Sequence[Any]:
    """What became of the results of a `checkpoint`."""
    kinds = [value.type for value in node.outputs]
    with batch.recorder.open_region("body") as body:
        found = batch.run(node.regions["body"])
        forms = list(map(form_of, found))
        body.outputs = _handed_out(batch, found, kinds, forms)
    hints = [value.hint for value in node.outputs]
    results = batch.recorder.record(node.op, (), {}, {"body": body}, hints)
    return _taken(batch, results, kinds, forms)


def customized(batch: Batch, node: Node) -> Sequence[Any]:
    """What became of values with a gradient of the user's own."""
    region, count = node.regions["backward"], node.attributes["count"]
    operands = list(map(batch.read, node.inputs))
    inner = [batch.read(value) for value in captures(region)]
    if not any(map(varies, (*operands, *inner))):
        return batch.copied(node)
    kinds = list(map(operand_type, node.inputs))
    inputs = [batch.spread(o, kind).value for o, kind in zip(operands, kinds, strict=True)]
    with batch.recorder.open_region("backward") as backward:
        for value, row in zip(region.inputs, inputs, strict=False):
            given = Value(row.type, value.hint)
            backward.inputs.append(given)
            batch.known[value] = Rows(given, value.type)
        found = zip(batch.run(region), kinds[count:], strict=True)
        backward.outputs = [batch.spread(d, kind).value for d, kind in found]
    regions = {"backward": backward}
    results = batch.recorder.record(node.op, tuple(inputs), {"count": count}, regions)
    return [Rows(value, kind) for value, kind in zip(results, kinds, strict=False)]
