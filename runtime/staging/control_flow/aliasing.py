"""Arrays that a variable may share with others behind a staged branch or loop.

    y = x if p else z        y is an Either: it stands for what x or z stands for,
    y[0] = 1                 and what is written into it goes to x or to z, as p says

    y = x[0]                 behind the loop y is x[0] or a new array
    while p: y = y + 1

A graph joins values, but names share arrays.  What each side left in a place is looked at as a
handle: one that was there before is followed; one that was made inside belongs to the place alone,
unless two places share it.  Where it cannot be told which array is shared, the array is Tangled:
reading it is fine until what it may share has changed, and writing is refused.
"""

import itertools
import sys
from collections.abc import Iterable
from typing import Any

from autograph.functions.rebuild import MADE
from autograph.staging.heap_diff import Accessor, register_accessor
from runtime.errors import StagingError, staging_error
from runtime.ir.graph import Graph, Value, operand_type
from runtime.ir.op import find
from runtime.ir.pytree import flatten, leaves_like, unflatten
from runtime.ir.types import is_array
from runtime.tracing import trace
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import Tensor, operand, record_op
from runtime.tracing.undefined import PerhapsNone, PerhapsUndefined
from runtime.tracing.views import Snapshot, View


class BorrowedInputs(set[Value]):
    """Inputs of regions that are arrays of the code around them."""


class Either(Tensor):
    """An array that is one of two, as a staged bool says."""

    __slots__ = ("_now", "_predicate", "_seen", "sides")

    def __init__(self, found: tuple[Any, Graph], predicate: Tensor, sides: tuple[Tensor, Tensor]):
        self._predicate, self.sides = predicate, sides
        self._origin = self._now = found
        self._seen = tuple(side._at for side in sides)

    @property
    def _at(self):
        """What it stands for now; chosen again where one of the two has changed.

        Behind the region in which it was chosen, only what it was can be told.
        """
        recorder = trace.current()
        if recorder is None or self._predicate._at[1] not in recorder.regions:
            return self._now
        current = tuple(side._at for side in self.sides)
        is_seen = all(one is other for one, other in zip(current, self._seen, strict=True))
        if not is_seen or self._now[1] not in recorder.regions:
            kind = operand_type(self._now[0])
            self._now = selected(self._predicate, *self.sides, kind)._at
            self._seen = current
        return self._now

    def origin(self) -> Tensor:
        """What it stood for when the two were joined."""
        return Tensor(*self._origin)

    def snapshot(self) -> Tensor:
        """What it stands for now, which remembers the handle."""
        return Snapshot(self._at, self)

    def _assign(self, new: Tensor) -> None:
        one, other = self.sides
        for side, first, second in ((one, new, one), (other, other, new)):
            side._assign(selected(self._predicate, first, second, side.type))
        self._now = new._at
        self._seen = tuple(side._at for side in self.sides)


class Tangled(Tensor):
    """An array that may be in another's memory, and it cannot be told in whose."""

    __slots__ = ("_path", "_seen", "_value_then", "others")

    def __init__(self, found: tuple[Any, Graph], path: str, others: Iterable[Tensor]):
        self._value_then = self._origin = found
        self._path, self.others = path, tuple(others)
        self.settle()

    def settle(self) -> None:
        """Takes what the others stand for now as what it was made from."""
        self._seen = tuple(other._at for other in self.others)

    @property
    def _at(self):
        """What it stands for, unless what it may share has changed."""
        for other, seen in zip(self.others, self._seen, strict=True):
            if other._at is not seen:
                raise tangled_error(self._path, "is read after another was written into")
        return self._value_then

    def _assign(self, new: Tensor) -> None:
        raise tangled_error(self._path, "is written into")


class Entering(Tensor):
    """An array that a variable holds at the start of a turn, which may bind it to another one.

    In the first turn it is the array of before the loop, `first`.
    """

    __slots__ = ("_path", "first")

    def __init__(self, found: tuple[Any, Graph], first: Tensor, path: str):
        super().__init__(*found)
        self.first, self._path = first, path

    def _assign(self, new: Tensor) -> None:
        if _may_be_seen(self.first):
            raise tangled_error(self._path, "is written into at the start of a turn")
        super()._assign(new)


def _may_be_seen(array: Tensor) -> bool:
    """Whether somebody may look at an array, who would have to see what is written into it."""
    if isinstance(array, Either):
        return any(map(_may_be_seen, array.sides))
    return isinstance(array, (View, Tangled)) or _is_argument(array) or _is_held(array)


def _is_argument(array):
    recorder, first = trace.current(), array.origin()._value
    return first in recorder.state(BorrowedInputs) or any(
        first is given for given in recorder.graph.inputs
    )


def _is_held(array: Tensor) -> bool:
    """Whether a variable of the functions that are running holds an array, or a container does
    that one of them holds."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code in MADE:
            held = list(frame.f_locals.values())
            inside = (flatten(x)[0] for x in held if isinstance(x, (list, tuple, dict)))
            if any(x is array for x in itertools.chain(held, *inside)):
                return True
        frame = frame.f_back
    return False


def entering(value: Any, before: Any, path: str) -> Any:
    """What a place holds at the start of a turn, from what it held before the loop."""
    leaves, structure = flatten(value)
    starts = leaves_like(structure, before)
    if starts is None:
        return value
    joined = [
        Entering(leaf._at, handle, path)
        if type(leaf) is Tensor and (handle := handle_of(start)) is not None
        else leaf
        for leaf, start in zip(leaves, starts, strict=True)
    ]
    return unflatten(structure, joined)


def tangled_error(path: str, what: str) -> StagingError:
    """The error about an array of which it cannot be told whose memory it is in."""
    name = path or "an array"
    return staging_error(
        f"{name} {what}, and may share its memory with another array",
        "Where a staged branch or loop binds a name to views, or to arrays that have other names "
        "or other dtypes, a graph cannot tell which array it shares.",
        f"Bind a copy: {path if path.isidentifier() else 'y'} = x.copy()",
    )


def selected(predicate: Tensor, one: Tensor, other: Tensor, kind) -> Tensor:
    """The first of two arrays where the predicate is true, else the second; as a type."""
    recorder = trace.current()
    regions = {}
    for name, side in (("then", one), ("orelse", other)):
        with recorder.open_region(name) as region:
            region.outputs = [cast(side, kind)._value]
        regions[name] = region
    inputs = (operand(predicate, recorder),)
    (found,) = recorder.record(find("cond"), inputs, {}, regions)
    return Tensor(found, recorder.region)


register_accessor(
    Either, Accessor(lambda e: dict(enumerate(e.sides)), None, None, lambda path, key: path)
)
register_accessor(Tangled, None)


# -- the handles that a place may share ------------------------------------------------------------


def handle_of(leaf: Any) -> Tensor | None:
    """The handle of an array that a side has left in a place, None for what is no array."""
    if isinstance(leaf, Snapshot):
        return leaf.handle
    return leaf if isinstance(leaf, Tensor) and is_array(leaf.type) else None


def _is_handle(end):
    return end is not None


def root(handle: Tensor) -> Tensor:
    """The array whose memory a handle is a view of."""
    while isinstance(handle, View):
        handle = handle.base
    return handle


def was_there(handle: Tensor) -> bool:
    """Whether an array, or what it is a view of, is older than the block that is done."""
    return root(handle)._origin[1] in trace.current().regions


def live(handle: Tensor) -> Tensor:
    """A handle as it is outside of the block that made it."""
    if not isinstance(handle, View):
        return handle
    base = live(handle.base)
    (found,) = record_op(handle._op, (base, *handle._others), handle._attributes)
    return View(found, handle._op, base, handle._others, handle._attributes)


def linked(values: dict, rows: dict, predicate: Tensor) -> dict:
    """The values that a branch leaves in places, linked to the arrays that they may share.

    `rows` has for each place what the two sides left there.
    """
    leaves, structures, ends = {}, {}, {}
    for place, value in values.items():
        leaves[place], structures[place] = flatten(value)
        ends[place] = _columns(rows[place], structures[place], len(leaves[place]))
    shared = _shared_inside([column for columns in ends.values() for column in columns])
    made: dict[tuple, Tensor] = {}
    found = {}
    for place, structure in structures.items():
        joined = [
            _linked(leaf, column, predicate, place.path, shared, made)
            for leaf, column in zip(leaves[place], ends[place], strict=True)
        ]
        found[place] = unflatten(structure, joined)
    return found


def settle(values: Iterable) -> None:
    """Says of values that everything written inside the block is in them."""
    for value in values:
        for leaf in flatten(value)[0]:
            if isinstance(leaf, Tangled):
                leaf.settle()
            elif isinstance(leaf, (PerhapsUndefined, PerhapsNone)) and leaf.guard is not None:
                leaf.guard.settle()


def _columns(row, structure, count):
    """For each leaf of a place the handles that the sides have left there."""
    sides = []
    for value in row:
        found = leaves_like(structure, value)
        sides.append([None] * count if found is None else list(map(handle_of, found)))
    return list(zip(*sides, strict=True))


def _shared_inside(columns):
    """The arrays made inside that several places hold, not always in the same pairs."""
    partners: dict[int, set] = {}
    for column in columns:
        for handle in column:
            if handle is not None and not was_there(handle):
                partners.setdefault(id(root(handle)), set()).add(tuple(map(id, column)))
    return {key for key, found in partners.items() if len(found) > 1}


class Unchanged:
    """Refuses to read what shares memory with arrays that have been written into since."""

    def __init__(self, path: str, handles: list[Tensor]):
        self._path, self._handles = path, handles
        self.settle()

    def settle(self) -> None:
        """Takes what the arrays stand for now as what is known."""
        self._seen = [handle._at for handle in self._handles]

    def __call__(self) -> None:
        for handle, seen in zip(self._handles, self._seen, strict=True):
            if handle._at is not seen:
                raise tangled_error(self._path, "is read after another was written into")


def _linked(leaf, column, predicate, path, shared, made):
    if isinstance(leaf, (PerhapsUndefined, PerhapsNone)) and is_array(leaf.type):
        handles = [handle for handle in column if handle is not None and was_there(handle)]
        leaf.guard = Unchanged(path, handles) if handles else None
        return leaf
    if type(leaf) is not Tensor or not is_array(leaf.type) or not any(map(_is_handle, column)):
        return leaf
    key = tuple(map(id, column))
    if key not in made:
        made[key] = _joined(leaf, column, predicate, path, shared)
    return made[key]


def _joined(leaf, column, predicate, path, shared):
    known = [handle for handle in column if handle is not None]
    older = [handle for handle in known if was_there(handle)]
    inner = [root(handle) for handle in known if not was_there(handle)]
    inside = any(id(one) in shared or isinstance(one, (Either, Entering, Tangled)) for one in inner)
    if inside:
        return Tangled(leaf._at, path, map(root, older))
    if not older:
        return leaf
    own = Tensor(*leaf._at)
    try:
        sides = [live(h) if h is not None and was_there(h) else own for h in column]
        is_one_type = all(side.type.dtype == leaf.type.dtype for side in sides)
    except TypeError:  # a view at an index that exists inside only
        is_one_type = False
    if not is_one_type:
        return Tangled(leaf._at, path, map(root, older))
    return Either(leaf._at, predicate, (sides[0], sides[1]))
