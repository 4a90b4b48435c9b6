"""Replaying nodes with regions: the same node, whose values have other representations.

    y = cond(p, f(x), g(x))      y, t_y = cond(p, (f(x), its tangent), (g(x), its tangent))
    x = loop(p, x_0)             x = loop(p, x_0), where x has a batch axis

A replay represents a value in one of several forms, which are ordered: without and with a tangent;
the same for the whole batch, one array for the batch, a list.  Where values meet, as the results of
two regions do, or a variable of a loop before and after an iteration, they take the larger of their
forms.  So a loop is replayed until the forms of its variables no longer grow.

The record of the op says which operands enter a region and where its outputs go
(`runtime/ir/regions.py`), so this works for all ops with such a record.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.ir.graph import Node, Operand, Value
from runtime.ir.types import Type
from runtime.transforms.replay import Replay

# The hints of the components of a value: of the value itself, and of its tangent.
PREFIXES = ("", "t_")


def replay_regions(replay: Replay, node: Node) -> Sequence[Any] | None:
    """Replays a node with regions, and returns the replacements of its results.

    Returns None if the elements of a batch differ in which regions they run, or how often.
    """
    flow = node.op.control_flow
    operands = [replay.read(operand) for operand in node.inputs]
    if flow.predicate is not None and replay.diverges(operands[flow.predicate]):
        return None
    forms = {
        name: [replay.form(operands[part.inputs + i]) for i in range(len(region.inputs))]
        for (name, region), part in _regions(node)
    }
    while True:
        made = {name: _replayed(replay, node.regions[name], forms[name]) for name in forms}
        for name, part in flow.regions.items():
            if part.condition is not None and replay.diverges(made[name][1][part.condition]):
                return None
        grown = {
            name: _grown(replay, flow.regions[name], forms[name], made[name]) for name in forms
        }
        if grown == forms:
            return _recorded(replay, node, operands, forms, made)
        forms = grown


def _regions(node):
    flow = node.op.control_flow
    return [(item, flow.regions[item[0]]) for item in node.regions.items()]


def _replayed(replay, region, forms):
    """A region with inputs in some forms: the new region, and the new outputs."""
    with replay.recorder.open_region(region.name) as made:
        kinds = [value.type for value in region.inputs]
        hints = [value.hint for value in region.inputs]
        pairs = zip(_types(replay, kinds, forms), _hints(replay, hints, kinds, forms), strict=True)
        made.inputs = [Value(kind, hint) for kind, hint in pairs]
        replay.known.update(
            zip(region.inputs, _assembled(replay, made.inputs, kinds, forms), strict=True)
        )
        return made, replay.run(region)


def _grown(replay, part, forms, made):
    """The forms of the inputs of a region, so that an iteration can hand on its outputs."""
    if part.carried is None:
        return forms
    ends = made[1][part.carried :]
    return [max(form, replay.form(end)) for form, end in zip(forms, ends, strict=True)]


def _recorded(replay, node, operands, forms, made):
    """Records the new node; returns the replacements of the results."""
    flow, kinds = node.op.control_flow, [value.type for value in node.outputs]
    results = _result_forms(replay, node, operands, forms, made)
    for name, (region, outputs) in made.items():
        first = flow.regions[name].results
        with replay.recorder.reopened(region):
            region.outputs = [
                *outputs[:first],
                *_components(replay, outputs[first:], kinds, results),
            ]
    inputs = list(operands)
    for (name, region), part in _regions(node):
        if part.inputs is not None:
            entering = operands[part.inputs :][: len(region.inputs)]
            inside = [value.type for value in region.inputs]
            inputs[part.inputs :] = _components(replay, entering, inside, forms[name])
    hints = _hints(replay, [value.hint for value in node.outputs], kinds, results)
    regions = {name: region for name, (region, _) in made.items()}
    found = replay.recorder.record(node.op, tuple(inputs), dict(node.attributes), regions, hints)
    return _assembled(replay, found, kinds, results)


def _result_forms(replay, node, operands, forms, made):
    """The largest of the forms that each result may have."""
    flow = node.op.control_flow
    columns = [
        [replay.form(o) for o in made[name][1][flow.regions[name].results :]] for name in made
    ]
    if flow.loop is not None:
        columns.append(forms[flow.loop[0]])
    if flow.bypass is not None:
        columns.append([replay.form(operand) for operand in operands[flow.bypass :]])
    return [max(column) for column in zip(*columns, strict=True)]


# -- components ------------------------------------------------------------------------------------


def _rows(replay, kinds, forms) -> Iterator[tuple[int, int]]:
    """The components of some values in order: the first one of each, then the second ones."""
    counts = [len(replay.representation(*pair)) for pair in zip(kinds, forms, strict=True)]
    for component in range(max(counts, default=0)):
        yield from ((i, component) for i, count in enumerate(counts) if component < count)


def _types(replay, kinds, forms) -> list[Type]:
    types = [replay.representation(*pair) for pair in zip(kinds, forms, strict=True)]
    return [types[i][component] for i, component in _rows(replay, kinds, forms)]


def _hints(replay, hints, kinds, forms) -> list[str]:
    return [PREFIXES[component] + hints[i] for i, component in _rows(replay, kinds, forms)]


def _components(replay, found, kinds, forms) -> list[Operand]:
    parts = [replay.components(*triple) for triple in zip(found, kinds, forms, strict=True)]
    return [parts[i][component] for i, component in _rows(replay, kinds, forms)]


def _assembled(replay, operands, kinds, forms) -> list[Any]:
    parts: list[list[Operand]] = [[] for _ in kinds]
    for operand, (i, _) in zip(operands, _rows(replay, kinds, forms), strict=True):
        parts[i].append(operand)
    return [replay.assembled(*triple) for triple in zip(parts, kinds, forms, strict=True)]
