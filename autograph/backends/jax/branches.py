"""Staged branches as `lax.cond`: `if`, `a if p else b`, `and`, `or`, the cases of a `match`."""

import functools
from collections.abc import Callable
from typing import Any

from jax import lax
from jax.extend.core.primitives import cond_p, scan_p, while_p

from autograph.backend import State
from autograph.backends.jax import direct
from autograph.backends.jax.abstract import (
    ArrayType,
    Mismatch,
    Optional,
    join,
    join_contents,
    types,
)
from autograph.backends.jax.blocks import (
    RESULT,
    Block,
    Changes,
    cannot_join,
    replayed,
    traced,
)
from autograph.backends.jax.checks import check_raise
from autograph.backends.jax.lists import Buffer, most_items
from autograph.backends.jax.operands import built, operands, zeros
from autograph.backends.jax.tracers import jaxpr_of
from autograph.staging.blocks import Diverged
from autograph.staging.mutations import MutableLocation, one_sided

CONTROL_FLOW = frozenset((cond_p, scan_p, while_p))
FEW_EQUATIONS = 8  # of scalars, which a run computes faster than it branches


def stage_if(
    predicate: Any,
    body: Callable | None,
    orelse: Callable | None,
    state: State,
    roots: tuple = (),
) -> Any:
    """Stages both blocks, and writes what they leave to its locations; `roots` are objects that
    they change, although no code of the user's leads to them.

    Returns the joined result of the blocks.  Raises `StagingError` if a location cannot hold what
    both leave in it, `Diverged` if both raise.
    """
    changes = Changes(state, body, orelse, roots=roots)
    then = traced(body, changes, predicate)
    inserted = {} if then.raised else changes.inserted
    other = traced(orelse, changes, predicate, False)
    if not other.raised:
        changes.refuse_other_order(inserted)
    sides = then, other
    if _is_choice_of_bools(then) and _is_choice_of_bools(other):
        (first,), (second,) = replayed(then)[RESULT], replayed(other)[RESULT]
        if second is predicate:  # `predicate and first`
            return predicate & first
        return predicate | second if first is predicate else lax.select(predicate, first, second)
    locations = dict.fromkeys([*then.specs, *other.specs])
    specs = {location: _joined(location, sides, changes) for location in locations}
    results = iter(_results(predicate, sides, specs, changes))
    for side, is_then in zip(sides, (True, False), strict=True):
        if isinstance(side.raised, BaseException):
            check_raise(~predicate if is_then else predicate, side.raised)
    if then.raised and other.raised:
        raise Diverged
    values = {location: built(spec, results, location.path) for location, spec in specs.items()}
    for location, value in values.items():
        if isinstance(value, Buffer):
            value.grown = _grown(location, sides)
            _note_length(value, location, sides)
    result = values.pop(RESULT, None)
    changes.write(values)
    return result


def _is_choice_of_bools(side: Block) -> bool:
    """Whether a side does nothing but compute a bool from a few scalars: computing both sides costs
    less than a branch.  Bools have no derivatives, so the side that is not taken shows nowhere."""
    if side.raised or list(side.specs) != [RESULT] or side.jaxpr.effects:
        return False
    spec, equations = side.specs[RESULT], side.jaxpr.eqns
    is_bool = isinstance(spec, ArrayType) and spec.known is None and spec.dtype == bool
    return (
        is_bool
        and not spec.shape
        and len(equations) <= FEW_EQUATIONS
        and not any(one.primitive in CONTROL_FLOW for one in equations)
        and not any(out.aval.shape for one in equations for out in one.outvars)
    )


def _results(predicate: Any, sides: tuple[Block, Block], specs: dict, changes: Changes) -> list:
    """The operands of all locations after the branch; sides that compute nothing, and leave
    scalars, are no branch of the run."""
    are_copies = not any(side.raised or side.jaxpr.eqns for side in sides)
    if not are_copies or any(one.shape for spec in specs.values() for one in types(spec)):
        return direct.cond(predicate, *(_ending(side, specs, changes) for side in sides))
    found = [replayed(side) for side in sides]
    results: list[Any] = []
    for location, spec in specs.items():
        given = [_left(*one, location, changes) for one in zip(sides, found, strict=True)]
        results += _choice_of_known(predicate, *(one for one, _ in given)) or [
            then if then is orelse else lax.select(predicate, then, orelse)
            for then, orelse in zip(
                *(operands(spec, one, iter(leaves)) for one, leaves in given), strict=True
            )
        ]
    return results


def _choice_of_known(predicate: Any, then: Any, orelse: Any) -> list:
    """`True if p else False` is p."""
    known = [getattr(getattr(spec, "known", None), "value", None) for spec in (then, orelse)]
    if known == [True, False] and type(known[0]) is type(known[1]) is bool:
        return [predicate]
    if known == [False, True] and type(known[0]) is type(known[1]) is bool:
        return [lax.bitwise_not(predicate)]
    return []


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


def _ending(side: Block, specs: dict, changes: Changes) -> Any:
    """The jaxpr of a side that leaves all locations with the types of the branch."""
    if not side.raised and list(side.specs.items()) == list(specs.items()):
        return side.jaxpr
    return jaxpr_of(functools.partial(_ends, side, specs, changes), [])


def _ends(side: Block, specs: dict, changes: Changes) -> list:
    """What a side leaves in all locations, as operands."""
    if side.raised:
        return [operand for spec in specs.values() for operand in zeros(spec)]
    found, made = replayed(side), []
    for location, spec in specs.items():
        given, leaves = _left(side, found, location, changes)
        made += operands(spec, given, iter(leaves))
    return made


def _left(side: Block, found: dict, location: MutableLocation, changes: Changes) -> tuple:
    """The abstract value of a location after a side, and its arrays; `found` has the new ones."""
    if location in side.specs:
        return side.specs[location], found[location]
    return changes.start(location)


def _note_length(value: Buffer, location: MutableLocation, sides: tuple[Block, Block]) -> None:
    """Notes the length of a list after both sides, or the greatest there can be."""
    if location.key[0] != "list":
        return
    ends = [side.lists.get(location, location.before) for side in sides if not side.raised]
    value.most = max(map(most_items, ends))
    lengths = [end.length if isinstance(end, Buffer) else len(end) for end in ends]
    if all(isinstance(one, int) and one == lengths[0] for one in lengths):
        value.length = lengths[0]


def _grown(location: MutableLocation, sides: tuple[Block, Block]) -> int | None:
    """By how much a list has grown on both paths; None if that depends on the path."""
    start = location.before.grown if isinstance(location.before, Buffer) else None
    ends = {side.grown.get(location, start) for side in sides if not side.raised}
    return ends.pop() if len(ends) == 1 else None
