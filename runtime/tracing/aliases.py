"""Aliases: staged arrays that may share memory with other arrays (see `docs/aliasing.md`).

    v = x[1:3]
    v[0] = 5            writes into x
    x[1] = 7            is seen through v

A graph has no memory, only values.  An `Alias` is a handle that knows from which arrays its value
was computed: its `sources`.  If a source has another value than before, a read computes the alias
again, or is refused; a write goes to the sources, or is refused.  Its `kind` says which.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from runtime.ir.graph import Graph, Operand, operand_type
from runtime.ir.op import Op, find, records
from runtime.ir.traits import Aliasing
from runtime.ir.types import Type, is_array
from runtime.tracing import trace
from runtime.tracing.alias_errors import shared_memory_error
from runtime.tracing.alias_history import AliasHistory
from runtime.tracing.array_like import READ, SHARES_MEMORY
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import RESULT_HANDLES, Tensor, operand, record_op
from runtime.tracing.viewed_arrays import ViewedArrays

Found = tuple[Operand, Graph]  # a value, and the region in which it exists


class Kind(Enum):
    """The knowledge about the memory of a staged array."""

    FRESH = "an array of its own"
    VIEW = "a view of an array"
    SELECT = "one of two arrays, chosen by a staged bool"
    LOOP_ENTRY = "the array that a loop variable holds when an iteration starts"
    UNKNOWN = "an array that may share memory with others"
    SNAPSHOT = "the value that an array had at the end of a block"


@dataclass(frozen=True)
class ViewRecipe:
    """How a view is computed from its base: `op(base, *others, **attributes)`."""

    op: Op
    others: tuple
    attributes: dict

    def applied(self, base: Tensor) -> Found:
        """Records the op for a base."""
        (found,) = record_op(self.op, (base, *self.others), self.attributes)
        return found


class Alias(Tensor):
    """An array that may share memory with its `sources`.

    `recipe` depends on the kind: a `ViewRecipe`, the predicate of a SELECT, or for other kinds the
    name that error messages use.
    """

    __slots__ = ("_computed", "_now", "_root", "_rule", "_seen", "kind", "recipe", "sources")

    def __init__(self, found: Found, kind: Kind, sources: tuple[Tensor, ...], recipe: Any):
        self.kind, self.sources, self.recipe = kind, sources, recipe
        self._rule = RULES[kind]
        if (recorder := trace.current()) is not None:
            recorder.state(ViewedArrays).add(sources)
        self._root = root_of(sources[0]) if kind is Kind.VIEW else None
        self._origin = self._now = self._computed = found
        self._seen = self._rule.source_values(self, {})

    @property
    def is_computed(self) -> bool:
        """Whether the view has the value that its recipe has computed: no write has set another."""
        return self._at is self._computed

    @property
    def _at(self) -> Found:
        """The current value; computed again, or refused, if a source has changed."""
        return self._rule.read(self, {})

    @_at.setter
    def _at(self, found: Found) -> None:
        self._remember(found, None)
        self.refresh()

    def refresh(self) -> None:
        """Marks the value as up to date with the current values of the sources."""
        self._remember(self._now, self._rule.source_values(self, {}))

    def _remember(self, found: Found, seen: Any) -> None:
        """Takes a value, and the values of the sources from which it was computed."""
        recorder = trace.current()
        if recorder is not None:
            recorder.state(AliasHistory).add(self)
        self._now, self._seen = found, seen

    def check(self) -> None:
        """Raises `StagingError` where a read of the alias is refused."""
        self._rule.read(self, {})

    def _assign(self, new: Tensor) -> None:
        self._rule.write(self, new)

    def snapshot(self) -> Tensor:
        """The current value as a handle of its own, which remembers the alias."""
        return self if self.kind is Kind.SNAPSHOT else snapshot_of(self._at, self)

    def origin(self) -> Tensor:
        """The first value; that of a view is computed from the first value of its base."""
        if self.kind is Kind.VIEW:
            return Tensor(*self.recipe.applied(self.sources[0].origin()))
        return Tensor(*self._origin)


def kind_of(handle: Any) -> Kind:
    """The kind of a staged array; anything else shares no memory and is FRESH."""
    return handle.kind if issubclass(type(handle), Alias) else Kind.FRESH


def is_view(value: Any) -> bool:
    """Whether a value is a view of a staged array."""
    return issubclass(type(value), Alias) and value.kind is Kind.VIEW


def root_of(handle: Tensor) -> Tensor:
    """The array at the end of a chain of views."""
    return handle._root if is_view(handle) else handle


# -- making aliases --------------------------------------------------------------------------------


def view(found: Found, op: Op, base: Tensor, others: tuple, attributes: dict) -> Alias:
    """A view of `base`, computed by an op."""
    return Alias(found, Kind.VIEW, (base,), ViewRecipe(op, others, attributes))


def select_alias(found: Found, predicate: Tensor, one: Tensor, other: Tensor) -> Alias:
    """The first of two arrays if the predicate is true, else the second."""
    return Alias(found, Kind.SELECT, (one, other), predicate)


def loop_entry_alias(found: Found, first: Tensor, path: str) -> Alias:
    """The array of a loop variable when an iteration starts: in the first one it is `first`."""
    return Alias(found, Kind.LOOP_ENTRY, (first,), path)


def unknown_alias(found: Found, others: Iterable[Tensor], path: str) -> Alias:
    """An array that may share memory with any of the others."""
    return Alias(found, Kind.UNKNOWN, tuple(others), path)


def snapshot_of(found: Found, handle: Tensor) -> Alias:
    """A value that an array had, which remembers the array."""
    return Alias(found, Kind.SNAPSHOT, (handle,), "")


# -- reading and writing, by kind ------------------------------------------------------------------


@dataclass(frozen=True)
class AliasRule:
    """How aliases of one kind are read and written, and which values they depend on.

    A read passes on the values that it has read already: two aliases may have the same sources,
    and chains of such aliases must not be read along every path.
    """

    read: Callable[[Alias, "Known"], Found]
    write: Callable[[Alias, Tensor], None]
    source_values: Callable[[Alias, "Known"], Any]


Known = dict[int, Found]  # the values of handles that one read has come across, by id


def _value_of(handle: Tensor, known: Known) -> Found:
    """The current value of a handle; an alias is read once only."""
    if not isinstance(handle, Alias):
        return handle._at
    if id(handle) not in known:
        known[id(handle)] = handle._rule.read(handle, known)
    return known[id(handle)]


def _read_view(alias, known):
    at, recorder = _value_of(alias._root, known), trace.current()
    if recorder is not None and not _is_current(alias, at, recorder):
        _compute_again(alias, at, recorder)
    return alias._now


def _is_current(alias, at, recorder):
    """Whether a view was computed from the root's value `at`, and can be used in this region."""
    return at is alias._seen and alias._now[1] in recorder.regions


def _compute_again(alias, at, recorder):
    """Computes a view from the root's value `at`, and the stale views between the two."""
    stale = [alias]
    while is_view(base := stale[-1].sources[0]) and not _is_current(base, at, recorder):
        stale.append(base)
    for one in reversed(stale):
        if at is not one._seen:
            _check_shared(one)
        one._computed = one.recipe.applied(one.sources[0])
        one._remember(one._computed, at)


def _write_view(alias, new):
    _check_shared(alias)
    alias.sources[0]._assign(_base_after_write(alias, new))
    alias._at = new._at


def _check_shared(alias):
    """Records a check that NumPy returns a view here, if that depends on the array."""
    recipe = alias.recipe
    if recipe.op.traits.aliases is Aliasing.VIEW_OR_COPY:
        operands = (alias.sources[0].origin(), *recipe.others)
        record_op(find("check_shared"), operands, {"view": recipe.op.name, **recipe.attributes})


def _base_after_write(alias, new):
    """The base after the view was set to `new`."""
    base, recipe = alias.sources[0], alias.recipe
    name, attributes = recipe.op.name, recipe.attributes
    if name in INVERSES:
        return INVERSES[name](new, base, **attributes)
    operands = (base, new, *recipe.others)
    if name == "getitem":
        (found,) = record_op(find("setitem"), operands, attributes)
    else:
        (found,) = record_op(find("written_through"), operands, {"view": name, **attributes})
    return Tensor(*found)


def _transposed_back(new, base, axes=None):
    order = None if axes is None else tuple(int(i) for i in np.argsort(np.mod(axes, base.ndim)))
    return np.transpose(new, order)


# The base from a changed view, for ops of which NumPy always returns a view.
INVERSES: dict[str, Callable] = {  # op names: a function for each
    "transpose": _transposed_back,
    "swapaxes": lambda new, base, axis1, axis2: np.swapaxes(new, axis1, axis2),
    "expand_dims": lambda new, base, axis: np.squeeze(new, axis),
}


def _read_select(alias, known):
    """Outside of the region of its predicate, a SELECT has its last value."""
    recorder = trace.current()
    if recorder is None or alias.recipe._at[1] not in recorder.regions:
        return alias._now
    current = _values_of_sources(alias, known)
    if not _same(current, alias._seen) or alias._now[1] not in recorder.regions:
        one, other = alias.sources
        found = selected(alias.recipe, one, other, operand_type(alias._now[0]))._at
        alias._remember(found, current)
    return alias._now


def _write_select(alias, new):
    one, other = alias.sources
    for source, first, second in ((one, new, one), (other, other, new)):
        source._assign(selected(alias.recipe, first, second, source.type))
    alias._at = new._at


def selected(predicate: Tensor, one: Tensor, other: Tensor, kind: Type) -> Tensor:
    """Records the choice between two arrays, as values of a type."""
    recorder = trace.current()
    regions = {}
    for name, side in (("then", one), ("orelse", other)):
        with recorder.open_region(name) as region:
            region.outputs = [cast(side, kind)._value]
        regions[name] = region
    inputs = (operand(predicate, recorder),)
    (found,) = recorder.record(find("cond"), inputs, {}, regions)
    return Tensor(found, recorder.region)


def _read_loop_entry(alias, known):
    if not _same(_raw_values(alias, known), alias._seen):
        raise shared_memory_error(alias.recipe, "is read after another was written into")
    return alias._now


def _raw_values(alias, known):
    """The values of the arrays that a loop variable may be; places of a loop may name one
    another."""
    arrays = [root_of(source) for source in alias.sources]
    return tuple(one._now if isinstance(one, Alias) else one._at for one in arrays)


def _write_loop_entry(alias, new):
    for check in ENTRY_WRITE_CHECKS:
        check(alias)
    Tensor._assign(alias, new)


# Each is called before a LOOP_ENTRY is written into; it raises if another name may see the write.
ENTRY_WRITE_CHECKS: list[Callable[[Alias], None]] = []


def _read_unknown(alias, known):
    if not _same(_values_of_sources(alias, known), alias._seen):
        raise shared_memory_error(alias.recipe, "is read after another was written into")
    return alias._now


def _write_unknown(alias, new):
    raise shared_memory_error(alias.recipe, "is written into")


def _values_of_sources(alias, known):
    return tuple(_value_of(source, known) for source in alias.sources)


def _same(one, other):
    return all(a is b for a, b in zip(one, other, strict=True))


RULES = {
    Kind.VIEW: AliasRule(
        _read_view, _write_view, lambda alias, known: _value_of(alias._root, known)
    ),
    Kind.SELECT: AliasRule(_read_select, _write_select, _values_of_sources),
    Kind.LOOP_ENTRY: AliasRule(_read_loop_entry, _write_loop_entry, _raw_values),
    Kind.UNKNOWN: AliasRule(_read_unknown, _write_unknown, _values_of_sources),
    Kind.SNAPSHOT: AliasRule(
        lambda alias, known: alias._now, Tensor._assign, lambda alias, known: None
    ),
}


# -- views that ops return -------------------------------------------------------------------------


def as_view(found: Found, op: Op, operands: tuple, attributes: dict) -> Tensor:
    """The result of an op, as a view of the first operand if NumPy would return one."""
    base, *others = operands
    shares = isinstance(base, Tensor) and is_array(base.type) and is_array(found[0].type)
    if not shares or any(_selects(other) for other in others):
        return Tensor(*found)
    return view(found, op, base.array_itself(), tuple(others), attributes)


for _op in records():
    if _op.shares:
        RESULT_HANDLES[_op.name] = as_view


def is_staged_array(value: Any) -> bool:
    """Whether a value is a staged array: other names may hold it and see it change."""
    return isinstance(value, Tensor) and is_array(value.type)


def is_view_of(value: Any, other: Tensor) -> bool:
    """Whether a value is a view of an array, or a view of such a view."""
    while is_view(value):
        value = value.sources[0]
        if value is other:
            return True
    return False


def shares_origin(value: Any, other: Any) -> bool:
    """Whether a value is, or is a view of, the first value of another array."""
    if not (is_staged_array(value) and is_staged_array(other)):
        return False
    return root_of(value)._origin[0] is other._origin[0]


SHARES_MEMORY.append(shares_origin)
READ.add(Tensor)


def _selects(index):
    """Whether an index is an array, which picks elements and copies them."""
    if getattr(index, "ndim", 0) > 0:
        return True
    return isinstance(index, (Tensor, np.ndarray, np.generic)) and index.dtype.kind == "b"
