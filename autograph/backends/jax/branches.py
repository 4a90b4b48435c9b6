"""Staged branches as `lax.cond`: `if`, `a if p else b`, `and`, `or`, the cases of a `match`."""

import functools
from collections.abc import Callable
from typing import Any

from jax import lax

from autograph.backend import State
from autograph.backends.jax.abstract import Mismatch, Optional, join, join_contents
from autograph.backends.jax.blocks import (
    RESULT,
    Block,
    Changes,
    cannot_join,
    replayed,
    traced,
)
from autograph.backends.jax.checks import check
from autograph.backends.jax.lists import Buffer
from autograph.backends.jax.operands import built, operands, zeros
from autograph.staging.blocks import Diverged
from autograph.staging.mutations import MutableLocation, one_sided


def stage_if(predicate: Any, body: Callable | None, orelse: Callable | None, state: State) -> Any:
    """Stages both blocks, and writes what they leave to its locations.

    Returns the joined result of the blocks.  Raises `StagingError` if a location cannot hold what
    both leave in it, `Diverged` if both raise.
    """
    changes = Changes(state, body, orelse)
    then = traced(body, changes, predicate)
    inserted = {} if then.raised else changes.inserted
    other = traced(orelse, changes, ~predicate)
    if not other.raised:
        changes.refuse_other_order(inserted)
    sides = then, other
    locations = dict.fromkeys([*then.specs, *other.specs])
    specs = {location: _joined(location, sides, changes) for location in locations}
    branches = [functools.partial(_ends, side, specs, changes) for side in sides]
    results = iter(lax.cond(predicate, *branches))
    for side, holds in zip(sides, (~predicate, predicate), strict=True):
        if isinstance(side.raised, BaseException):
            check(holds, type(side.raised), side.raised.args)
    if then.raised and other.raised:
        raise Diverged
    values = {location: built(spec, results, location.path) for location, spec in specs.items()}
    for location, value in values.items():
        if isinstance(value, Buffer):
            value.grown = _grown(location, sides)
    result = values.pop(RESULT, None)
    changes.write(values)
    return result


def _joined(location: MutableLocation, sides: tuple[Block, Block], changes: Changes) -> Any:
    """The abstract value that covers what both sides leave in a location."""
    start = changes.start(location)[0] if location is not RESULT else None
    ends = [side.specs.get(location, start) for side in sides if not side.raised]
    if location.is_slot and len({is_missing(spec) for spec in ends}) > 1:
        raise one_sided(location)
    try:
        return functools.reduce(join_contents if location.key[0] == "list" else join, ends)
    except Mismatch as mismatch:
        raise cannot_join(location, mismatch, "one branch of this `if`", "the other") from None


def is_missing(spec: Any) -> bool:
    """Whether a location may hold nothing."""
    return isinstance(spec, Optional) and spec.unbound


def _ends(side: Block, specs: dict, changes: Changes) -> list:
    """What a side leaves in all locations, as operands."""
    if side.raised:
        return [operand for spec in specs.values() for operand in zeros(spec)]
    found, made = replayed(side), []
    for location, spec in specs.items():
        if location in side.specs:
            given, leaves = side.specs[location], found[location]
        else:
            given, leaves = changes.start(location)
        made += operands(spec, given, iter(leaves))
    return made


def _grown(location: MutableLocation, sides: tuple[Block, Block]) -> int | None:
    """By how much a list has grown on both paths; None if that depends on the path."""
    start = location.before.grown if isinstance(location.before, Buffer) else None
    ends = {side.grown.get(location, start) for side in sides if not side.raised}
    return ends.pop() if len(ends) == 1 else None
