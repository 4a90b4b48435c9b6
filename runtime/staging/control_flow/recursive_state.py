"""The places besides its arguments that a function which calls itself changes.

    def fill(d, n):                     d[0] is an input and an output of the region, as it would
        d[0] += n                       be a variable of a loop; so are attributes, variables of
        if n > 0: fill(d, n - 1)        outer functions, globals, and arrays

A list or dict among the arguments is the caller's own object while the body is recorded.  Calls may
pass another one of the same structure as long as no call changes it or returns it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from autograph.backend import State, Undefined
from autograph.errors import SourceLocation
from autograph.staging.abstract_values import AbstractValue, Mismatch
from autograph.staging.mutations import MutableLocation, one_sided
from runtime.errors import RecursionShapeError, staging_error
from runtime.ir.graph import Value
from runtime.ir.pytree import flatten, is_list, transform, unflatten
from runtime.ir.types import Type
from runtime.staging.control_flow.mutations import (
    ArrayLocation,
    GraphMutationTracker,
    ListLocation,
    held_at_end,
)
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.staging.kept_places import note_kept
from runtime.tracing.aliases import (
    Kind,
    is_staged_array,
    is_view_of,
    kind_of,
    root_of,
    unknown_alias,
)
from runtime.tracing.tensor import Tensor

NO_STATE = State((), None, None)


class CarriedPlaces:
    """The places that the calls of a function change, found one by one as the body is recorded."""

    def __init__(self, function: Callable, arguments: dict[str, Any]):
        self.tracker = GraphMutationTracker(NO_STATE, roots=(function,), named=arguments)
        self.carried: dict[MutableLocation, AbstractValue] = {}

    def types(self) -> list[Type]:
        """The types of the operands that the places take."""
        return [type for abstract in self.carried.values() for type in abstract.types()]

    def hints(self) -> list[str]:
        """A name for each of these operands."""
        return [place.path for place, kind in self.carried.items() for _ in kind.types()]

    def arrays(self) -> list[Tensor]:
        """The arrays among the places."""
        return [place.array for place in self.carried if isinstance(place, ArrayLocation)]

    def containers(self) -> set[int]:
        """The identities of the objects that are changed."""
        return {place.key[1] for place in self.carried if not isinstance(place, ArrayLocation)}

    def write(self, operands: Iterator) -> dict[MutableLocation, Any]:
        """Gives the places the values that operands make."""
        values = {p: DOMAIN.value(kind, operands, p.path) for p, kind in self.carried.items()}
        self.tracker.write(values)
        return values

    def now(self) -> list:
        """The current values of the places as operands."""
        found = self.tracker.changes()
        held = {place: held_at_end(place, found) for place in self.carried}
        for place, value in held.items():
            note_kept(place, value)
        return [
            operand
            for place, abstract in self.carried.items()
            for operand in DOMAIN.operands(abstract, held[place])
        ]

    def guard_arrays(self, values: dict[MutableLocation, Any], leaves: Iterable) -> None:
        """Makes arrays in places aliases that may be any array among the leaves or the places."""
        arrays = [root_of(leaf) for leaf in leaves if is_staged_array(leaf)] + self.arrays()
        for place, value in values.items():
            if isinstance(place, ArrayLocation):
                continue
            before = filter(is_staged_array, flatten(place.before)[0])
            sources = [*arrays, *map(root_of, before)]
            found = transform(lambda leaf, p=place, s=sources: guarded(leaf, s, p.path), value)
            self.tracker.write({place: found})

    def covers(self, found: dict[MutableLocation, Any]) -> bool:
        """Whether the types of the places cover the values that the body has in them at a point."""
        if not found.keys() <= self.carried.keys():
            return False
        try:
            return all(self._joined(place, found) == self.carried[place] for place in found)
        except Mismatch:
            return False

    def widen(self, found: list[dict[MutableLocation, Any]]) -> bool:
        """Joins the places with the values that the body has in them at some points; returns
        whether one has changed.  Raises `Mismatch` if a place cannot hold both."""
        changed = False
        for one in found:
            for place in one:
                wider = self._joined(place, one)
                changed |= wider != self.carried.get(place)
                self.carried[place] = wider
        return changed

    def _joined(self, place, found):
        """The abstract value of a place that may also hold the value that was found in it."""
        value, known = held_at_end(place, found), self.carried.get(place)
        ends = (place.before, found[place])
        if place.is_slot and len({isinstance(end, Undefined) for end in ends}) > 1:
            raise one_sided(place)
        if isinstance(place, ListLocation):
            contents = place.before
            if known is not None:  # the list may be longer in another call
                contents = DOMAIN.value(known, map(Value, known.types()), place.path)
            wider = DOMAIN.join_lists(contents, value, place.element)
        else:
            start = DOMAIN.generalized(DOMAIN.abstract(place.before)) if known is None else known
            wider = DOMAIN.join(start, DOMAIN.abstract(value))
        is_alike = known is not None and wider.structure == known.structure
        return DOMAIN.join(known, wider) if is_alike else wider


# -- lists and dicts among the arguments -----------------------------------------------------------


def parameters(function: Callable, given: tuple) -> dict[str, Any]:
    """The arguments of a call by the names of the parameters."""
    args, kwargs = given
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :][:1]
    found = dict(zip(names, args, strict=False))
    return {**found, **dict.fromkeys(rest, args[len(names) :]), **kwargs}


def with_leaves(value: Any, leaves: Iterator, filled: dict[tuple, Any]) -> Any:
    """A value with other leaves: its lists and dicts are the same objects, with other items.

    `filled` gets the items that have been replaced, by the container's identity and the key.
    """
    kind = type(value)
    if kind is dict or is_list(kind):
        keys = list(value) if kind is dict else range(len(value))
        for key in keys:
            old = kind.__getitem__(value, key)
            new = with_leaves(old, leaves, filled)
            if new is not old:
                kind.__setitem__(value, key, new)
                filled["slot", id(value), key] = new
        return value
    found, structure = flatten(value)
    if not structure.children:
        return next(leaves) if structure.kind is None else value
    if isinstance(value, tuple):
        items = [with_leaves(item, leaves, filled) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else kind(items) if kind is tuple else kind(*items)
    new = [next(leaves) for _ in found]
    return value if all(map(_is, new, found)) else unflatten(structure, new)


def _is(one, other):
    return one is other


def containers(value: Any) -> Iterator[Any]:
    """The lists and dicts in a value, in the order of its structure."""
    kind = type(value)
    if kind is dict or is_list(kind):
        yield value
    if kind is dict:
        value = list(value.values())
    if isinstance(value, (list, tuple)) and flatten(value)[1].kind is not None:
        for item in list.__iter__(value) if isinstance(value, list) else value:
            yield from containers(item)


@dataclass(eq=False)
class OwnContainer:
    """Replaces, in a result, a list or dict that is older than the call."""

    container: Any


def without_containers(value: Any, older: dict[int, OwnContainer]) -> Any:
    """A result with stand-ins for the containers that are older than the call."""
    if id(value) in older:
        return older[id(value)]
    kind = type(value)
    if kind is dict:
        return {key: without_containers(item, older) for key, item in value.items()}
    if kind is tuple or is_list(kind):
        return kind(without_containers(item, older) for item in value)
    return value


def with_containers(value: Any) -> Any:
    """A result with the containers that stand-ins stand for."""
    leaves, structure = flatten(value)
    found = [leaf.container if isinstance(leaf, OwnContainer) else leaf for leaf in leaves]
    return value if all(map(_is, found, leaves)) else unflatten(structure, found)


def check_containers(recursion: Any, result: Any) -> None:
    """Raises `StagingError` if a call changes or returns a list or dict, and another call passes
    another one."""
    changed = recursion.replaced & recursion.places.containers()
    returned = any(
        isinstance(leaf, OwnContainer) and id(leaf.container) in recursion.replaced
        for leaf in flatten(result)[0]
    )
    if changed or returned:
        raise recursion_error(
            recursion.converted,
            f"{'changes' if changed else 'returns'} a list or dict, of which calls pass others",
            "Which list or dict that is depends on the run.",
            "Pass the same list or dict to every call, or return a new one.",
        )


# -- arrays that share memory ----------------------------------------------------------------------


def guarded(leaf: Any, sources: Iterable[Tensor], path: str) -> Any:
    """An array that may be any of the sources; other leaves are unchanged."""
    return unknown_alias(leaf._at, sources, path) if is_staged_array(leaf) else leaf


def check_aliases(recursion: Any, leaves: list) -> None:
    """Raises `StagingError` unless arrays share memory in a call exactly as in the outer call."""
    own, handles, places = recursion.leaves, recursion.handles, recursion.places.arrays()
    if not recursion.written and not places:
        return
    arrays = [i for i, leaf in enumerate(own) if is_staged_array(leaf)]
    changed = {id(root_of(x[i])) for x in (own, leaves) for i in recursion.written}
    changed |= set(map(id, places))
    for i in arrays:
        reached = {id(root_of(x[i])) for x in (own, leaves)} & recursion.outside
        reached |= set(_chosen_from(own[i]))
        is_exposed = reached and (reached & changed or i in recursion.written)
        moved = is_exposed and leaves[i] is not handles[i]
        if moved or any(_differ(handles, leaves, i, j) for j in arrays):
            raise recursion_error(
                recursion.converted,
                "its arrays share memory in one call and not in another",
                "Which arrays are views of one another must be the same in every call.",
                "Pass the whole array, and the range that the call is about.",
            )


def _chosen_from(leaf):
    """The identities of the arrays that an array may be: a name holds one of them in the run."""
    root = root_of(leaf)
    if kind_of(root) in (Kind.SELECT, Kind.LOOP_ENTRY, Kind.UNKNOWN):
        for source in root.sources:
            yield id(root_of(source))
            yield from _chosen_from(source)


def _differ(handles, leaves, i, j):
    """Whether two arguments share memory in one call and not in the other."""
    same = (handles[i] is handles[j]) is (leaves[i] is leaves[j])
    return not same or i != j and is_view_of(leaves[i], leaves[j])


def recursion_error(function: Callable, what: str, why: str, remedy: str) -> BaseException:
    """The error about a function that cannot call itself under a staged condition."""
    code = function.__code__
    place = SourceLocation(code.co_filename, code.co_firstlineno, code.co_name)
    what = f"{function.__name__} calls itself under a staged condition, and {what}"
    return staging_error(what, why, remedy, RecursionShapeError, where=place)
