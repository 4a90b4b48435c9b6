"""Joins of aliases: which array a variable holds after a staged branch or loop.

    y = x if p else z        y is a SELECT: it has the value of x or of z,
    y[0] = 1                 and a write goes to x or to z, as p says

    y = x[0]                 after the loop y is x[0] or a new array
    while p: y = y + 1

A graph joins values, but names share arrays.  Each side of a join leaves a handle in a place.  A
handle that is older than the block is followed; one that the block has created belongs to the place
alone, unless two places hold it.  Everything else is an UNKNOWN alias, which cannot be written
into.  `docs/aliasing.md` has the lattice and the table of joins.
"""

import itertools
import sys
from collections.abc import Container, Iterable, Iterator
from enum import Enum
from typing import Any

from autograph.functions.rebuild import MADE
from autograph.staging.accessors import Accessor, register_accessor
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.refusals import attempt
from runtime.ir.graph import Value
from runtime.ir.pytree import flatten, leaves_like, unflatten
from runtime.ir.types import is_array
from runtime.staging.control_flow.inner_choices import Choices, is_outside, own_array
from runtime.tracing import trace
from runtime.tracing.alias_errors import shared_memory_error
from runtime.tracing.aliases import (
    ENTRY_WRITE_CHECKS,
    Alias,
    Kind,
    kind_of,
    root_of,
    select_alias,
    unknown_alias,
)
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor


class BorrowedInputs(set[Value]):
    """Inputs of regions that are arrays of the code around them."""


# -- the join --------------------------------------------------------------------------------------


class Reach(Enum):
    """How the code after a block can reach an array that the block has left in a place."""

    OWN = "no array, or an array that the block has created for this place alone"
    OLDER = "an array that is older than the block, or a view of one"
    LOST = "an alias that the block has created, or an array that two places hold"


JOIN = {
    (Reach.OWN, Reach.OWN): Kind.FRESH,
    (Reach.OWN, Reach.OLDER): Kind.SELECT,
    (Reach.OLDER, Reach.OWN): Kind.SELECT,
    (Reach.OLDER, Reach.OLDER): Kind.SELECT,
    **{(Reach.LOST, reach): Kind.UNKNOWN for reach in Reach},
    **{(reach, Reach.LOST): Kind.UNKNOWN for reach in Reach},
}


def join_aliases(
    values: dict, rows: dict, predicate: Tensor, choices: Choices | None = None
) -> dict:
    """The values that a branch leaves in places, as aliases of the arrays that they may share.

    `rows` has for each place the values of the two sides.  `choices` are those of the branch.
    """
    leaves, structures, columns = {}, {}, {}
    for place, value in values.items():
        leaves[place], structures[place] = flatten(value)
        columns[place] = _columns(rows[place], structures[place], len(leaves[place]))
    shared = _shared_inside([pair for pairs in columns.values() for pair in pairs])
    known: dict[tuple, Tensor] = {}
    found = {}
    choices = Choices((), []) if choices is None else choices
    for place, structure in structures.items():
        joined = [
            _joined_leaf(leaf, pair, (predicate, choices), place.path, shared, known)
            for leaf, pair in zip(leaves[place], columns[place], strict=True)
        ]
        found[place] = unflatten(structure, joined)
    return found


def _columns(row, structure, count):
    """For each leaf of a place the pair of handles that the sides have left there."""
    sides = []
    for value in row:
        found = leaves_like(structure, value)
        sides.append([None] * count if found is None else list(map(handle_of, found)))
    return list(zip(*sides, strict=True))


def _shared_inside(pairs):
    """The arrays created inside that several places hold, not always in the same pairs."""
    partners: dict[int, set] = {}
    for pair in pairs:
        for handle in pair:
            if handle is not None and not is_outside(handle):
                partners.setdefault(id(root_of(handle)), set()).add(tuple(map(id, pair)))
    return {key for key, found in partners.items() if len(found) > 1}


def _joined_leaf(leaf, pair, by, path, shared, known):
    if issubclass(type(leaf), (MaybeUnbound, MaybeNone)) and is_array(leaf.type):
        handles = _older_roots(pair)
        leaf.guard = unknown_alias(leaf._at, handles, path) if handles else None
        return leaf
    is_shared = any(handle is not None for handle in pair)
    if type(leaf) is not Tensor or not is_array(leaf.type) or not is_shared:
        return leaf
    key = tuple(map(id, pair))
    if key not in known:
        known[key] = _joined(leaf, pair, by, path, shared)
    return known[key]


def _joined(leaf, pair, by, path, shared):
    """The handle for a joined array; places with the same pair of handles share it."""
    predicate, choices = by
    reaches = [reach_of(handle, shared, choices) for handle in pair]
    kind = JOIN[tuple(reaches)]
    if kind is Kind.FRESH:
        return leaf
    if kind is Kind.SELECT:
        sides = _outside(leaf, pair, reaches, choices)
        if sides is not None:
            return select_alias(leaf._at, predicate, *sides)
    return unknown_alias(leaf._at, _older_roots(pair), path)


def _older_roots(handles):
    """The arrays, older than the block, in whose memory some handles may be.

    A view itself may be one that only the block can compute, such as a row that it has chosen.
    """
    held = {
        id(root): root
        for handle in handles
        if handle is not None
        for root in map(root_of, roots(handle))
    }
    return list(filter(is_outside, held.values()))


def reach_of(
    handle: Tensor | None, shared: Iterable[int] = (), choices: Container[int] = ()
) -> Reach:
    """What the code after a block can know about a handle; `shared` are the identities of arrays
    that several places hold, `choices` those of predicates that are known outside."""
    if handle is None:
        return Reach.OWN
    if is_outside(handle):
        return Reach.OLDER
    root = root_of(handle)
    if kind_of(root) is Kind.SELECT and id(root.recipe) in choices and id(root) not in shared:
        return Reach.OLDER
    return Reach.LOST if id(root) in shared or isinstance(root, Alias) else Reach.OWN


def _outside(leaf, pair, reaches, choices):
    """Both sides as handles outside of the block; None if a graph cannot choose between them."""
    own = own_array(leaf)
    with attempt():  # the index of a view may exist only inside
        sides = [
            own if reach is Reach.OWN else choices.outside(handle, own)
            for handle, reach in zip(pair, reaches, strict=True)
        ]
        if all(side is not None and side.type.dtype == leaf.type.dtype for side in sides):
            return sides
    return None


def roots(handle: Tensor) -> Iterator[Tensor]:
    """The arrays in whose memory a handle may be, itself among them."""
    pending, seen = [handle], set()
    while pending:
        one = pending.pop(0)
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            if isinstance(one, Alias) and one.kind is not Kind.SNAPSHOT:
                pending += one.sources


def handle_of(leaf: Any) -> Tensor | None:
    """The handle of an array that a side has left in a place; None for anything else."""
    if kind_of(leaf) is Kind.SNAPSHOT:
        return leaf.sources[0]
    return leaf if isinstance(leaf, Tensor) and is_array(leaf.type) else None


def refresh_all(values: Iterable) -> None:
    """Marks the UNKNOWN aliases among values as up to date with the writes of the block."""
    for value in values:
        for leaf in flatten(value)[0]:
            if kind_of(leaf) is Kind.UNKNOWN:
                leaf.refresh()
            elif issubclass(type(leaf), (MaybeUnbound, MaybeNone)) and leaf.guard is not None:
                leaf.guard.refresh()


SEEING = (Kind.VIEW, Kind.SELECT, Kind.UNKNOWN)

# -- writes at the start of an iteration -----------------------------------------------------------


def _refuse_visible_write(entry):
    if any(map(_may_be_seen, entry.sources)):
        raise shared_memory_error(entry.recipe, "is written into at the start of an iteration")


ENTRY_WRITE_CHECKS.append(_refuse_visible_write)


def _may_be_seen(array: Tensor) -> bool:
    """Whether a write into an array may be seen through another name."""
    pending, seen = [array], set()
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if kind_of(one) is Kind.SELECT:
            pending += one.sources  # type: ignore[attr-defined]
        elif kind_of(one) in (Kind.VIEW, Kind.UNKNOWN) or _is_argument(one) or _is_held(one):
            return True
    return False


def _is_argument(array):
    recorder, first = trace.current(), array.origin()._value
    if first in recorder.state(BorrowedInputs):
        return True
    return any(first is given for given in recorder.graph.inputs)


def _is_held(array: Tensor) -> bool:
    """Whether a variable of a running function holds an array, or a container or object in such a
    variable does."""
    frame, held = sys._getframe(1), []
    while frame is not None:
        if frame.f_code in MADE:
            held += frame.f_locals.values()
        frame = frame.f_back
    heap = HeapSnapshot(roots=tuple(held))
    inside = (heap.before(one).values() for one in heap.containers() if not isinstance(one, Tensor))
    return any(_leads_to(x, array) for x in itertools.chain(held, *inside))


def _leads_to(value: Any, array: Tensor) -> bool:
    """Whether a value is an array, or an alias in which the array's elements may be seen."""
    pending, seen = [value], set()
    while pending:
        one = pending.pop()
        one = one.guard if isinstance(one, (MaybeUnbound, MaybeNone)) else one
        if one is array and kind_of(one) not in SEEING:
            return True
        if kind_of(one) in SEEING and id(one) not in seen:
            seen.add(id(one))
            pending += one.sources
    return False


# -- the heap comparison ---------------------------------------------------------------------------


def _read_array(tensor):
    return {"": tensor._at} if is_array(tensor.type) else {}


def _fill_array(tensor, held):
    if held:
        tensor._at = held[""]


def _read_alias(alias):
    """Views and SELECTs change with their sources; an UNKNOWN alias never changes."""
    if alias.kind in (Kind.VIEW, Kind.SELECT):
        return dict(enumerate(alias.sources))
    return {} if alias.kind is Kind.UNKNOWN else _read_array(alias)


def _same_path(path, key):
    return path


register_accessor(Tensor, Accessor(_read_array, None, _fill_array, _same_path, may_change=bool))
register_accessor(Alias, Accessor(_read_alias, None, _fill_array, _same_path))
register_accessor(MaybeUnbound, None)
