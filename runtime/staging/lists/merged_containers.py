"""Lists and dicts that a variable holds after a branch or loop has bound it to another one.

    e = d if p else {"w": 2}        e is one of two dicts: a MergedDict, which can be read
    d["w"] = 5                      from now on, a read of e is refused
    e["w"] = 5                      refused, unless nothing else can see d

The contents are joined.  Which container it is depends on the run: if both sides have left one and
the same older container, it is that container; if both have created theirs, it is a new one; in all
other cases it is merged.  Places that hold the same pair of containers hold one merged container.
"""

from collections.abc import Callable, Mapping
from typing import Any

from autograph.constructs.compare import ambiguous
from autograph.staging.pytree import OpenedObject, closed
from runtime.errors import SharedMemoryError, staging_error
from runtime.ir.pytree import flatten, is_dict
from runtime.staging.chosen import Chosen
from runtime.staging.containers import OpenedContainer
from runtime.staging.lists.elements import holds_lists
from runtime.staging.lists.forms import ElementDict, changed_error, is_element, read_only
from runtime.staging.lists.homes import note_home
from runtime.staging.lists.inner_lists import refuse_joined, refuse_seen_inside
from runtime.staging.lists.links import remedy_for
from runtime.staging.lists.merged_identity import chosen
from runtime.staging.lists.merged_list import MergedList, MergedStagedList
from runtime.staging.lists.merged_objects import WatchedClasses, merged_object
from runtime.staging.lists.merged_sources import (
    Choice,
    ChosenLists,
    MergedLists,
    can_be_seen,
    choice_of,
    expire,
    is_stale,
    merged_error,
    refresh,
    sources_of,
)
from runtime.staging.lists.nested_list import ListPart, holder_of
from runtime.staging.lists.python_classes import named_as
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.lists.trees import Tree
from runtime.staging.unbound_object import FLAGGED, with_present
from runtime.tracing import trace


@named_as(dict)
class MergedDict(dict):
    """A dict with known keys that may be one of several dicts."""

    is_container = True  # as `structure.flatten` sees it
    is_element = False  # whether it may be an element of a staged list


class ContainerJoin:
    """Chooses the containers for the values that the two sides of a join have left in places."""

    def __init__(
        self,
        is_older: Callable[[Any], bool],
        predicate: Any = None,
        choices: Mapping[int, Any] | None = None,
    ):
        """`predicate` says which side a run takes, and `choices` has the values outside of the
        block for the predicates of inner branches, by identity."""
        self.is_older = is_older
        self.predicate = predicate
        self.choices = choices or {}
        self.known: dict[tuple[int, int], Any] = {}
        self.outside: dict[int, Any] = {}  # for objects of the block: those for the code after it
        self.owners: dict[int, tuple[int, int]] = {}  # of what the block has made: its place
        self.merged: list[Any] = []

    def joined(self, value: Any, one: Tree | None, other: Tree | None, path: str) -> Any:
        """A joined value with the containers that it holds in each run."""
        if type(value) in FLAGGED:
            one, other = _present(one), _present(other)
            present = self.joined(value.__present__, one or other, other or one, path)
            return with_present(value, present)
        if type(value) is Chosen:
            return self._chosen(value, one, other, path)
        if one is None and other is None:
            return closed(value, merged_object)
        if type(value) is ListPart:
            return value  # the name of one place, where it is not None
        one, other = one or other, other or one  # a run has it only if that side has left it
        same = one.container is other.container
        if one.container is not None and same and self.is_older(one.container):
            return one.container
        if type(value) is OpenedContainer:
            return self._keyed(value, (one.container, other.container), path)
        if is_staged_list(value) and isinstance(one.container, list):
            made = self._container(value, [], (one.container, other.container), path)
            if holds_lists(value.contents().type.element):
                refuse_seen_inside(made, one, other)
            return made
        items = _items(value)
        if items is None or not len(items) == len(one.children) == len(other.children):
            return closed(value, merged_object)
        rows = zip(items, _ordered(one, value), _ordered(other, value), strict=True)
        found = [self.joined(*row, path) for row in rows]
        if isinstance(value, tuple):
            kind = type(value)
            same = all(new is old for new, old in zip(found, items, strict=True))
            return value if same else kind(found) if kind is tuple else kind(*found)
        return self._container(value, found, (one.container, other.container), path)

    def _keyed(self, value, ends, path):
        """The dict or set with staged keys that is one of two."""
        pair = (id(ends[0]), id(ends[1]))
        if pair not in self.known:
            sides = zip(*(end.held.values() for end in ends), strict=True)
            staged = [x if isinstance(x, TraceList) else TraceList.of(x) for x in value.lists]
            rows = zip(staged, sides, strict=True)
            lists = [self._container(items, [], side, path) for items, side in rows]
            made = self.known[pair] = value.form.staged.joined(value.form, lists, ends)
            for one in lists:
                if isinstance(one, MergedStagedList):
                    one.stands_for = value.form.kind.__name__
                    ambiguous[id(made)] = made
        return self.known[pair]

    def _chosen(self, value, one, other, path):
        """One of several objects, each with the containers that it holds in a run."""
        found = []
        for key, option in zip(value.keys, value.options, strict=True):
            ends = [end if end is None else end.option(key) for end in (one, other)]
            found.append(self.joined(option, ends[0] or ends[1], ends[1] or ends[0], path))
        return Chosen(value.which, tuple(found), value.keys)

    def _container(self, value, items, ends, path):
        """The list or dict for a pair of containers."""
        pair = (id(ends[0]), id(ends[1]))
        if pair in self.known:
            return self.known[pair]
        holders = [holder_of(end) for end in ends]
        rows = list(zip(holders, ends, strict=True))
        sources = {id(one): one for one, end in rows if one is not end or self.is_older(end)}
        own = {id(one) for one, end in rows if not sources_of(one)} - sources.keys()
        if any(own & set(others) for others in self.known):
            raise _partly_shared(path, ends)
        for one in self._made_inside(ends):
            if self.owners.setdefault(one, pair) != pair:
                raise _partly_shared(path, ends)
        sources.update((id(x), x) for end in ends for x in sources_of(end))
        if type(value) is OpenedObject:
            value.values = items
            made: Any = merged_object(value, tuple(sources.values()), self._choice(value, ends))
            refuse_joined(*ends)
            if any(map(is_element, ends)):
                read_only(made, trace.current().state(WatchedClasses).watch)
            self.known[pair] = made
            self.merged += [made] if sources else []
            return made
        if is_dict(type(value)):
            has_element = any(map(is_element, ends))
            refuse_joined(*ends)
            made = MergedDict() if sources else ElementDict() if has_element else {}
            if sources:
                made.is_element = has_element
                ambiguous[id(made)] = made
            dict.update(made, zip(dict.keys(value), items, strict=True))
        elif is_staged_list(value):
            made = value
            if sources:
                made = MergedStagedList.of(value.contents())
                trace.current().state(MergedLists)[id(made)] = made
        else:
            made = MergedList(items) if sources or isinstance(value, MergedList) else list(items)
        if sources:
            made.sources = list(sources.values())
            made.which = chosen(self.predicate, ends, self.is_older, self.choices)
            self.merged.append(made)
            refresh(made)
            if self.predicate is not None and all(map(self._is_own_list, ends)):
                made.choice = Choice(self.predicate, *ends)
                trace.current().state(ChosenLists).extend(ends)
        self.known[pair] = note_home(made)
        return made

    def _is_own_list(self, end):
        """Whether a list is older than the block, and itself none of several."""
        return type(end) is TraceList and not sources_of(end) and self.is_older(end)

    def _made_inside(self, ends):
        """The identities of the objects that the block has created and that the ends may be."""
        pending, found, seen = [x for x in ends if not isinstance(x, (list, dict))], set(), set()
        while pending:
            one = pending.pop()
            if id(one) in seen or self.is_older(one):
                continue
            seen.add(id(one))
            sources = sources_of(one)
            pending += sources
            found |= set() if sources else {id(one)}
        return found

    def _choice(self, value, ends):
        """Which of two objects it is, if that is known; a new object stands for one that the block
        has created."""
        if self.predicate is None:
            return None
        sides = [self._outside(end, value) for end in ends]
        return None if any(side is None for side in sides) else Choice(self.predicate, *sides)

    def _outside(self, end, value):
        """The object that a side has left, for the code after the block; None if only the block
        knows it."""
        if self.is_older(end):
            return end
        if id(end) not in self.outside:  # one object, whatever the other sides are
            self.outside[id(end)] = self._made_outside(end, value)
        return self.outside[id(end)]

    def _made_outside(self, end, value):
        if not sources_of(end):
            return value.closed()
        choice = choice_of(end)
        predicate = None if choice is None else self.choices.get(id(choice.predicate))
        if predicate is None:
            return None if self._may_be_older(end) else value.closed()
        sides = [self._outside(one, value) for one in (choice.one, choice.other)]
        if any(side is None for side in sides):
            return None
        opened = OpenedObject(value.kind, value.names, value.values)
        made = merged_object(opened, tuple(sources_of(end)), Choice(predicate, *sides))
        expire(made)  # the joined attributes are those of the other side, too
        return made

    def _may_be_older(self, end):
        """Whether a merged object may be one that the block has not created."""
        return self.is_older(end) or any(map(self._may_be_older, sources_of(end)))

    def refresh(self) -> None:
        """Marks the merged containers as up to date with the changes of the block."""
        for made in self.merged:
            refresh(made)


def _items(value):
    """The items of a container that a join has made; None for a leaf."""
    if type(value) is OpenedObject:
        return value.values
    if is_dict(type(value)):
        return list(dict.values(value))
    if flatten(value)[1].kind is None or not isinstance(value, (tuple, list)):
        return None
    return list(tuple.__iter__(value) if isinstance(value, tuple) else list.__iter__(value))


def _ordered(tree, value):
    """The children of a tree, in the order of a joined value."""
    if type(value) is not OpenedObject or tree.names == value.names:
        return tree.children
    return [tree.children[tree.names.index(name)] for name in value.names]


def _present(tree):
    """The tree of a value that may be None, without what says so."""
    return tree.children[0] if tree is not None and tree.is_flagged else tree


# Modules that are imported later may replace a method of the base, so it is looked up in each call.


def _reader(name, base):
    def read(self, *args, **kwargs):
        if getattr(self, "sources", None) and is_stale(self):
            raise merged_error(self, "is read after one of them was changed")
        return getattr(base, name)(self, *args, **kwargs)

    read.__name__ = name
    return read


def _writer(name, base):
    def write(self, *args, **kwargs):
        if getattr(self, "is_element", False):
            raise changed_error(self)
        if not getattr(self, "sources", None) or is_stale(self) or can_be_seen(self):
            choice = getattr(self, "choice", None)
            if choice is None or choice.predicate._region not in trace.current().regions:
                raise merged_error(self, f"is changed by `{name}`")
            found = BRANCHES[0](choice, name, args, kwargs)
            return self if name in ("__iadd__", "__imul__") else found
        return getattr(base, name)(self, *args, **kwargs)

    write.__name__ = name
    return write


# How a change of one of two lists, which code knows by other names, is recorded: as a branch.
# Later reads of the merged list are refused, since it is stale (`calls/merged_writes.py`).
BRANCHES: list[Callable] = []


def _partly_shared(path, ends):
    copied = "Copy it on both paths: z = list(z), z = dict(z), or copy.copy(z) of an object."
    return staging_error(
        f"{path or 'the result'} and another place hold the same list, dict or object "
        "on one path only",
        "Whether a change of one is seen through the other would depend on the run.",
        remedy_for(ends, copied),
        SharedMemoryError,
    )


READS = ("getitem", "iter", "len", "contains", "eq", "ne", "reversed", "or")
READERS = (
    "get",
    "keys",
    "values",
    "items",
    "copy",
    "index",
    "count",
    "contents",
    "length",
    "stacked",
    "derived",
    "queried",
)
WRITES = ("setitem", "delitem", "iadd", "imul", "ior")
WRITERS = ("append", "extend", "insert", "pop", "popitem", "remove", "clear", "sort", "reverse",
           "update", "setdefault")  # fmt: skip

for _kind in (MergedDict, MergedList, MergedStagedList):
    _base = _kind.__mro__[1]
    for _names, _make in ((READS, _reader), (WRITES, _writer)):
        for _name in (f"__{name}__" for name in _names):
            if hasattr(_base, _name):
                setattr(_kind, _name, _make(_name, _base))
    for _names, _make in ((READERS, _reader), (WRITERS, _writer)):
        for _name in _names:
            if hasattr(_base, _name):
                setattr(_kind, _name, _make(_name, _base))
MergedDict.__hash__ = None  # type: ignore[assignment]
