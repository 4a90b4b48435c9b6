"""Named tuples, dicts and objects as elements of staged lists.

    rows.append(Row(x, i))       the graph holds (x, i), and the type of the element says `Row`
    rows[n].x                    a named tuple, dict or object of the items of that tuple
    return rows                  each run makes named tuples, dicts or objects of them

A graph has no identities of elements.  So elements can be read, replaced, moved and removed, but
an element that is a dict or an object cannot be changed: neither through the list nor by a name
that it had before.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from autograph.constructs.compare import ambiguous
from autograph.staging.dunder_methods import NewObjects
from autograph.staging.joins import is_plain_object
from autograph.staging.object_state import attributes, object_with
from runtime.errors import SharedMemoryError, staging_error, users_location
from runtime.ir.types import ListType, OptionalType, TupleType, Type
from runtime.staging.containers import StagedContainer
from runtime.staging.lists.merged_sources import MergedObject, MergedObjects
from runtime.staging.lists.python_classes import named_as
from runtime.state.variable import HoldsVariables
from runtime.tracing import trace

KEYS = (str, int, float, bool, type(None))


@dataclass(frozen=True)
class Form:
    """The class of an element, and the names of its items: fields, keys or attributes."""

    kind: type
    names: tuple

    @property
    def is_tuple(self) -> bool:
        """Whether elements are named tuples, which cannot change."""
        return issubclass(self.kind, tuple)

    def made(self, parts: Any) -> Any:
        """An object with these items; its constructor does not run."""
        if self.is_tuple:
            return tuple.__new__(self.kind, parts)
        held = dict(zip(self.names, parts, strict=True))
        return held if self.kind is dict else object_with(self.kind, held)


@dataclass(frozen=True)
class ContainerForm:
    """The form of an element that is a dict or a set of which only the run knows the keys: its
    items are the lists `names` of the class `staged`."""

    kind: type
    staged: Any
    names: tuple
    factory: Any = field(default=None, compare=False)  # of a `defaultdict`
    made_by: Any = None  # which factory it is

    is_tuple = False

    def made(self, parts: Any) -> Any:
        """A container of Python with these items."""
        keys, *values = parts
        pairs = zip(keys, *values, strict=True) if values else keys
        return self.kind(self.factory, pairs) if self.kind is defaultdict else self.kind(pairs)


class FormedItem(tuple):
    """The items of an element that has a form."""

    form: Any


def form_of(item: Any) -> Any:
    """The form of an element; None if it is no named tuple, dict, set or object of a user's
    class."""
    kind = type(item)
    if isinstance(item, StagedContainer):
        return item.element_form()
    if isinstance(item, tuple):
        return Form(kind, kind._fields) if hasattr(kind, "_fields") else None
    if isinstance(item, dict):
        is_plain = kind is dict or kind is ElementDict
        known = is_plain and all(isinstance(key, KEYS) for key in dict.keys(item))
        return Form(dict, tuple(dict.keys(item))) if known and len(item) else None
    if not is_plain_object(item) or isinstance(item, (HoldsVariables, BaseException)):
        return None
    names = tuple(attributes(item))
    return Form(kind, names) if names else None


def parts_of(item: Any) -> tuple:
    """The items of an element that has a form."""
    if isinstance(item, StagedContainer):
        return tuple(item.held.values())
    if isinstance(item, tuple):
        return tuple(tuple.__iter__(item))
    return tuple(dict.values(item) if isinstance(item, dict) else attributes(item).values())


# -- elements that code reads ----------------------------------------------------------------------


@named_as(dict)
class ElementDict(dict):
    """A dict that is an element of a staged list: it can be read; `place` says where it was read,
    if writes are recorded (`dict_writes.py`)."""

    is_container = True  # as `structure.flatten` sees it
    __hash__ = None  # type: ignore[assignment]
    place: Any = None


def _refused(name):
    def write(self, *args, **options):
        raise changed_error(self)

    write.__name__ = name
    return write


for _name in ("__setitem__", "__delitem__", "__ior__", "pop", "popitem", "clear", "update",
              "setdefault"):  # fmt: skip
    setattr(ElementDict, _name, _refused(_name))


class ElementDicts(list[ElementDict]):
    """The dicts of a trace that are elements, whose identity is not known."""


def read_element(form: Any, parts: tuple, watch: Any) -> Any:
    """An element that code reads; `watch` makes the objects of a class refuse writes."""
    if isinstance(form, ContainerForm):
        return form.staged.of_lists(form, parts)
    made = form.made(parts)
    if form.kind is dict:
        found = ElementDict(made)
        trace.current().state(ElementDicts).append(found)
        ambiguous[id(found)] = found
        return found
    if not form.is_tuple:
        recorder = trace.current()
        recorder.state(NewObjects).add(made, recorder.region)
        read_only(made, watch)
    return made


def read_only(made: Any, watch: Any) -> None:
    """Makes an object refuse writes: it is an element, or may be one."""
    known = trace.current().state(MergedObjects)
    known.setdefault(id(made), MergedObject(made, ())).is_element = True
    ambiguous[id(made)] = made
    watch(type(made))


def is_element(item: Any) -> bool:
    """Whether a dict or an object is an element of a staged list, or may be one."""
    if isinstance(item, (list, dict)):
        return isinstance(item, ElementDict) or getattr(item, "is_element", False)
    known = trace.current().state(MergedObjects).get(id(item))
    return known is not None and known.is_element


def changed_error(item: Any, where: Any = None) -> BaseException:
    """The error about a change of an element."""
    kind = "dict" if isinstance(item, dict) else f"an object of {type(item).__qualname__}"
    kind = "a dict" if kind == "dict" else kind
    return staging_error(
        f"{kind} that is an element of a staged list is changed",
        "A graph holds the elements by their values, and other names of this one would have to see "
        "the change.",
        "Replace the element: z[i] = ...; or keep a list for each attribute.",
        SharedMemoryError,
        where=where or users_location(),
    )


def may_be_one_element(one: Any, other: Any) -> bool:
    """Whether two dicts or objects may be one element of a staged list."""
    given = trace.current().state(GivenElements)
    sides = [is_element(item) for item in (one, other)]
    may_be = any(sides) and all(
        side or id(item) in given for side, item in zip(sides, (one, other), strict=True)
    )
    return may_be and isinstance(one, dict) == isinstance(other, dict)


# -- elements that code has made -------------------------------------------------------------------


class IndexedItems(list[tuple[Any, ...]]):
    """The items of lists and tuples that were read at a staged index: dicts and objects among them
    may be what was read."""


class GivenElements(dict[int, tuple[Any, tuple, Any]]):
    """By identity: the dicts and objects that have become elements, and what they held then."""

    def add(self, item: Any) -> None:
        """Notes one, and those inside of it."""
        form = form_of(item)
        if form is None and not isinstance(item, (tuple, list)) or type(form) is ContainerForm:
            return
        if form is not None and not form.is_tuple:
            self[id(item)] = item, _contents(item), users_location()
        known = list.__iter__(item) if isinstance(item, list) else parts_of(item)
        for part in known:
            self.add(part)

    def check(self) -> None:
        """Raises `StagingError` if one of them has changed since then."""
        for item, before, where in self.values():
            now = _contents(item)
            if len(now) != len(before) or any(
                one is not other for one, other in zip(now, before, strict=True)
            ):
                raise changed_error(item, where)


def _contents(item):
    held = dict(item) if isinstance(item, dict) else attributes(item)
    return tuple(part for pair in held.items() for part in pair)


# -- questions about types -------------------------------------------------------------------------


def has_forms(kind: Type | None) -> bool:
    """Whether values of a type have elements that are named tuples, dicts or objects."""
    if isinstance(kind, ListType):
        return has_forms(kind.element)
    if isinstance(kind, TupleType):
        return kind.form is not None or any(map(has_forms, kind.places))
    return False


def may_be_compared(kind: Type) -> bool:
    """Whether Python compares elements of a type as it compares tuples of their items."""
    if isinstance(kind, ListType):
        return may_be_compared(kind.element)
    if not isinstance(kind, TupleType):
        return True
    is_tuple = kind.form is None or kind.form.is_tuple
    return is_tuple and all(map(may_be_compared, kind.places))


def shown(kind: Type) -> str:
    """A type, with the class of a named tuple, a dict or an object."""
    form = getattr(kind, "form", None)
    return str(kind) if form is None else f"{form.kind.__qualname__.rpartition('.')[2]}{kind}"


def refuse_forms(kind: Type, where: str) -> None:
    """Raises `StagingError` for a list of such elements that a run hands to other code."""
    if has_forms(kind):
        raise staging_error(
            f"a staged list of named tuples, dicts, sets or objects is {where}",
            "Its elements are tuples while the graph runs.",
            "Return the list, or pass a list of numbers.",
            SharedMemoryError,
        )


def formed(value: Any, kind: Type) -> Any:
    """A value of a run, with named tuples, dicts and objects in place of their tuples."""
    if value is None or not has_forms(kind):
        return value
    if isinstance(kind, ListType):
        return [formed(item, kind.element) for item in value]
    assert isinstance(kind, TupleType)
    if isinstance(kind, OptionalType):
        return formed(value, kind.present)
    parts = [formed(part, place) for part, place in zip(value, kind.places, strict=True)]
    return tuple(parts) if kind.form is None else kind.form.made(parts)


EQUALITY = ("__contains__", "__eq__", "count", "index", "remove")
ORDER = ("max", "min", "nlargest", "nsmallest", "sorted")


def refuse_compared(element: Type, by: str, given: tuple) -> None:
    """Refuses comparisons of elements that Python does not compare as tuples."""
    has_keys = by in ORDER and bool(given) and given[0] is not None
    compares = by in EQUALITY or by in ORDER and not has_keys
    if compares and not may_be_compared(element):
        refuse_forms(element, "searched or sorted by the objects themselves")
