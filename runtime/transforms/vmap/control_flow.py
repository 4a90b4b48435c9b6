"""Branches and loops, for a whole batch.

    if p: y = f(x)          p is the same for all     y = cond(p, f(x), g(x))
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

A branch is computed only for the elements that take it, an iteration of a loop only for those that
have not left the loop.  The branch not taken causes no nan, warning, exception or cost.

Branches and loops whose results are lists, strings, or arrays of different sizes run in a loop over
the elements (`unrolled.py`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runtime.analyses.effects import has_effect
from runtime.ir.derivative import UserGradient
from runtime.ir.graph import (
    Graph,
    Node,
    Operand,
    Value,
    captures,
    defined_values,
    operand_type,
    walk,
)
from runtime.ir.op import find
from runtime.ir.regions import body_of
from runtime.ir.slot import Slot
from runtime.transforms.regions import replay_regions
from runtime.transforms.replay import transform_error
from runtime.transforms.vmap.interpreter import BatchInterpreter
from runtime.transforms.vmap.nested import MAPPED, nested
from runtime.transforms.vmap.values import Batched, Deferred, may_differ, varies


def with_regions(batch: BatchInterpreter, node: Node) -> Sequence[Any]:
    """Replays a node with regions for a batch."""
    flow = node.op.control_flow
    if isinstance(node.op.derivative, UserGradient):
        return _with_users_gradient(batch, node)
    if node.op.name in MAPPED:
        return nested(batch, node)
    if flow.is_opaque:
        _refuse_mapped(node)
        return batch.for_each_element(node)
    found = replay_regions(batch, node)
    if found is not None:
        return found
    if any(may_differ(value.type) for value in node.outputs):
        return batch.for_each_element(node)
    if flow.is_choice:
        return _chosen(batch, node)
    is_while = flow.loop is not None and flow.predicate is not None
    return _diverging_loop(batch, node) if is_while else batch.for_each_element(node)


def _refuse_mapped(node):
    if any(inner.op.name in MAPPED for region in node.regions.values() for inner in walk(region)):
        raise transform_error(
            "vmap is applied to a recursive function that calls vmap itself",
            "A recursive function runs in a loop over the elements, so it cannot map another one.",
            "Map the inner function in the caller of the outer one, or write a loop in it.",
        )


# -- a predicate that differs ----------------------------------------------------------------------


def _chosen(batch, node):
    """A branch that some elements take: each side is computed for those that take it."""
    predicate = batch.read(node.inputs[0])
    other = batch.record("logical_not", predicate.value)
    places = {True: _places(batch, predicate.value), False: _places(batch, other)}
    kinds = [value.type for value in node.outputs]
    results: list[Any] = [None] * len(kinds)
    sides = []
    for name, region in node.regions.items():
        inside = set(defined_values(region))
        is_inside = [o in inside if isinstance(o, Value) else False for o in region.outputs]
        sides.append((node.op.control_flow.regions[name].when, region, is_inside))
        for i, operand in enumerate(region.outputs):
            if not is_inside[i]:
                results[i] = batch.as_batched(batch.read(operand), kinds[i])
    for when, region, is_inside in sides:
        other = next(is_in for side, _, is_in in sides if side is not when)
        kept = [i for i, is_in in enumerate(is_inside) if is_in]
        shared = [i for i, is_in in enumerate(is_inside) if not is_in and not other[i]]
        wanted = [*kept, *(shared if when else ())]
        if wanted or any(map(has_effect, region.nodes)):
            found = _for_some(batch, region, places[when], wanted, results)
            for i, value in zip(wanted, found, strict=True):
                results[i] = Batched(value, kinds[i])
    return results


def _for_some(batch, region, places, wanted, results):
    """Replays a region for the elements at some places; its outputs are written into `results`."""
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
            new = inner.as_batched(found[i], kind).value
            written.append(_put(batch, start, new, places))
        return written

    return batch.branches(batch.record("greater", count, 0), taken, lambda: starts)


def _blank(batch, kind):
    """An array for all elements, whose contents are overwritten before they are read."""
    staged = [batch.size] if isinstance(batch.size, Value) else []
    attributes = {"shape": (batch.known_size, *kind.shape), "dtype": kind.dtype}
    made = batch.record("full", 0, *staged, **attributes)
    return batch.batched(made, kind).value


def _put(batch, rows, new, places):
    return batch.record("setitem", rows, new, places, at=(Slot(0),))


def _inside(
    batch: BatchInterpreter, region: Graph, places: Value, count: Operand
) -> BatchInterpreter:
    """An interpreter for some of the elements, for the nodes of a region."""
    inner = batch.of_size(count, dict(batch.known))
    for value in captures(region):
        found = batch.read(value)
        if varies(found):
            inner.known[value] = batch.gather(found, value.type, places)
    return inner


# -- loops -----------------------------------------------------------------------------------------


def _diverging_loop(batch, node):
    """A loop that elements leave after different numbers of iterations.

    The elements that continue are kept next to each other.
    """
    flow, body = node.op.control_flow, body_of(node)
    name, part = flow.loop
    predicate = batch.read(node.inputs[flow.predicate])
    starts = map(batch.read, flow.entering(node, name))
    kinds = [value.type for value in node.outputs]
    finals = [batch.as_batched(start, kind) for start, kind in zip(starts, kinds, strict=True)]
    used = {v: batch.read(v) for v in captures(body) if varies(batch.read(v))}
    around = _parts_of(used.values())
    kept = [*finals, *around]
    goes_on = batch.as_batched(predicate, operand_type(node.inputs[flow.predicate])).value
    places = _places(batch, goes_on)
    live = _values(batch.gather(rows, rows.type, places) for rows in kept)
    count = len(finals)

    def iteration(places, *carried):
        finals, live = carried[:count], carried[count:]
        inner = batch.of_size(batch.record("size", places, axis=0), dict(batch.known))
        now = _with_values(kept, live)
        inner.known.update(zip(body.inputs, now[:count], strict=True))
        inner.known.update(_made_of(used, dict(zip(around, now[count:], strict=True))))
        outputs = inner.run(body)
        kind = operand_type(body.outputs[part.condition])
        more = inner.as_batched(outputs[part.condition], kind).value
        ends = zip(outputs[part.carried :], kinds, strict=True)
        ends = [inner.as_batched(end, kind) for end, kind in ends]
        state = _remaining(inner, more, places, finals, [*ends, *now[count:]])
        return _is_any(batch, state[0]), *state

    carried = (places, *(rows.value for rows in finals), *live)
    results = batch.repeat(_is_any(batch, places), carried, iteration, **node.attributes)
    return [Batched(v, kind) for v, kind in zip(results[1 : 1 + count], kinds, strict=True)]


def _parts_of(found):
    """The batched values that some replacements consist of, each once."""
    parts = [one.parts() if isinstance(one, Deferred) else [one] for one in found]
    return list(dict.fromkeys(part for several in parts for part in several))


def _made_of(found, parts):
    """The same replacements, with other batched values."""
    values = {old.value: new for old, new in parts.items()}
    return {
        value: one.made_of(values) if isinstance(one, Deferred) else parts[one]
        for value, one in found.items()
    }


def _values(parts):
    """The operands that a loop carries for some batched values."""
    pairs = ((part.value, getattr(part, "owners", None)) for part in parts)
    return [value for pair in pairs for value in pair if value is not None]


def _with_values(parts, values):
    """Batched values like some others, from the operands that a loop carries."""
    values = iter(values)
    return [
        replace(part, value=next(values))
        if getattr(part, "owners", None) is None
        else replace(part, value=next(values), owners=next(values))
        for part in parts
    ]


def _remaining(inner, more, places, finals, live):
    """The state after an iteration; finished elements are written into the results."""
    going = _places(inner, more)
    left = inner.record("less", inner.record("size", going, axis=0), inner.size)
    values = _values(live)

    def shrunk():
        results = zip(finals, values, strict=False)
        put = [_put(inner, final, now, places) for final, now in results]
        rows = _values(inner.gather(one, one.type, going) for one in live)
        return [inner.record("take", places, going, axis=0), *put, *rows]

    return inner.branches(left, shrunk, lambda: [places, *finals, *values])


def _places(batch, holds):
    """The indices of the elements for which a condition holds."""
    (places,) = batch.recorder.record(
        find("flatnonzero"), (holds,), {"given": (Slot(0),), "named": ()}, hints=["places"]
    )
    return places


def _is_any(batch, places):
    return batch.record("greater", batch.record("size", places, axis=0), 0)


# -- gradients -------------------------------------------------------------------------------------


def _with_users_gradient(batch, node):
    """Values with a user-defined gradient, whose region is batched as well."""
    region, count = node.regions["backward"], node.attributes["count"]
    operands = list(map(batch.read, node.inputs))
    inner = [batch.read(value) for value in captures(region)]
    if not any(map(varies, (*operands, *inner))):
        return batch.copied(node)
    kinds = list(map(operand_type, node.inputs))
    inputs = [batch.as_batched(o, kind).value for o, kind in zip(operands, kinds, strict=True)]
    with batch.recorder.open_region("backward") as backward:
        for value, row in zip(region.inputs, inputs, strict=False):
            given = Value(row.type, value.hint)
            backward.inputs.append(given)
            batch.known[value] = Batched(given, value.type)
        found = zip(batch.run(region), kinds[count:], strict=True)
        backward.outputs = [batch.as_batched(d, kind).value for d, kind in found]
    regions = {"backward": backward}
    results = batch.recorder.record(node.op, tuple(inputs), {"count": count}, regions)
    return [Batched(value, kind) for value, kind in zip(results, kinds, strict=False)]
