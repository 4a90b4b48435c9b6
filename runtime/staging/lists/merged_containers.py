"""Lists and dicts that a variable holds after a branch or loop has bound it to another one.

    e = d if p else {"w": 2}        e is one of two dicts: a MergedDict, which can be read
    d["w"] = 5                      from now on, a read of e is refused
    e["w"] = 5                      refused, unless nothing else can see d

The contents are joined.  Which container it is depends on the run: if both sides have left one and
the same older container, it is that container; if both have created theirs, it is a new one; in all
other cases it is merged.  Places that hold the same pair of containers hold one merged container.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from autograph.functions.rebuild import MADE
from autograph.staging.heap_diff import HeapSnapshot
from runtime.errors import SharedMemoryError, staging_error
from runtime.ir.pytree import flatten, is_dict, is_list
from runtime.staging.lists.merged_list import MergedList
from runtime.tracing import trace


@dataclass(eq=False)
class GivenContainers:
    """The identities of the objects that existed before the graph was recorded; None if they are
    not known."""

    known: set[int] | None = None


class MergedDict(dict):
    """A dict with known keys that may be one of several dicts."""

    is_container = True  # as `structure.flatten` sees it


@dataclass(eq=False)
class Tree:
    """The containers inside of a value, in the order of its structure."""

    container: Any
    children: list["Tree | None"]


def tree_of(value: Any) -> Tree | None:
    """The containers inside of a value; None for a leaf."""
    kind = type(value)
    if is_dict(kind):
        return Tree(value, list(map(tree_of, dict.values(value))))
    if is_list(kind) or kind is list:
        return Tree(value, list(map(tree_of, list.__iter__(value))))
    if isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields")):
        return Tree(None, list(map(tree_of, value)))
    if isinstance(value, list) and getattr(value, "value", None) is None:
        return Tree(value, list(map(tree_of, list.__iter__(value))))
    return None


def shared(one: Tree | None, other: Tree | None) -> set[int]:
    """The identities of the containers that two values hold at the same positions."""
    if one is None or other is None:
        return set()
    found = {id(one.container)} if one.container is other.container else set()
    if len(one.children) == len(other.children):
        found.update(*map(shared, one.children, other.children))
    return found


def moved(before: Tree | None, after: Tree | None) -> bool:
    """Whether a place holds another container than before, at any depth."""
    if before is None or after is None:
        return False
    if before.container is not after.container or len(before.children) != len(after.children):
        return True
    return any(map(moved, before.children, after.children))


class ContainerJoin:
    """Chooses the containers for the values that the two sides of a join have left in places."""

    def __init__(self, is_older: Callable[[Any], bool]):
        self.is_older = is_older
        self.known: dict[tuple[int, int], Any] = {}
        self.merged: list[Any] = []

    def joined(self, value: Any, one: Tree | None, other: Tree | None, path: str) -> Any:
        """A joined value with the containers that it holds in each run."""
        kind = type(value)
        if one is None or other is None or flatten(value)[1].kind is None:
            return value
        same = one.container is other.container
        if one.container is not None and same and self.is_older(one.container):
            return one.container
        items = list(dict.values(value) if is_dict(kind) else tuple.__iter__(value)
                     if isinstance(value, tuple) else list.__iter__(value))  # fmt: skip
        if not len(items) == len(one.children) == len(other.children):
            return value
        rows = zip(items, one.children, other.children, strict=True)
        found = [self.joined(*row, path) for row in rows]
        if isinstance(value, tuple):
            same = all(new is old for new, old in zip(found, items, strict=True))
            return value if same else kind(found) if kind is tuple else kind(*found)
        return self._container(value, found, (one.container, other.container), path)

    def _container(self, value, items, ends, path):
        """The list or dict for a pair of containers."""
        pair = (id(ends[0]), id(ends[1]))
        if pair in self.known:
            return self.known[pair]
        sources = {id(end): end for end in ends if self.is_older(end)}
        own = {id(end) for end in ends if not getattr(end, "sources", ())} - sources.keys()
        if any(own & set(others) for others in self.known):
            raise _partly_shared(path)
        sources.update((id(x), x) for end in ends for x in getattr(end, "sources", ()))
        if is_dict(type(value)):
            made: Any = MergedDict() if sources else {}
            dict.update(made, zip(dict.keys(value), items, strict=True))
        else:
            made = MergedList(items) if sources or isinstance(value, MergedList) else list(items)
        if sources:
            made.sources = list(sources.values())
            self.merged.append(made)
            refresh(made)
        self.known[pair] = made
        return made

    def refresh(self) -> None:
        """Marks the merged containers as up to date with the changes of the block."""
        for made in self.merged:
            refresh(made)


def refresh(made: Any) -> None:
    """Marks a merged container as up to date with the containers that it may be."""
    made.seen = [tuple(contents(source)) for source in made.sources]


def contents(container: Any) -> Iterator[Any]:
    """The keys and values of a dict, the elements of a list."""
    if isinstance(container, dict):
        yield from (part for pair in dict.items(container) for part in pair)
    elif getattr(container, "_staged", None) is not None:
        yield container._staged._at
    else:
        yield from list.__iter__(container)


def _is_stale(made):
    for source, seen in zip(made.sources, made.seen, strict=True):
        now = tuple(contents(source))
        if len(now) != len(seen) or any(a is not b for a, b in zip(now, seen, strict=True)):
            return True
    return False


def _can_be_seen(made):
    """Whether a write into a merged container may be seen through another name."""
    given = trace.current().state(GivenContainers).known if trace.current() else None
    if given is None or any(id(source) in given for source in made.sources):
        return True
    sources = set(map(id, made.sources))
    frame, held = sys._getframe(2), []
    while frame is not None:
        if frame.f_code in MADE:
            held += frame.f_locals.values()
        frame = frame.f_back
    return any(
        id(one) in sources
        or one is not made
        and not sources.isdisjoint(map(id, getattr(one, "sources", ())))
        for one in HeapSnapshot(roots=tuple(held)).containers()
        if isinstance(one, (list, dict))
    )


def _reader(name, original):
    def read(self, *args, **kwargs):
        if getattr(self, "sources", None) and _is_stale(self):
            raise _refusal(self, "is read after one of them was changed")
        return original(self, *args, **kwargs)

    read.__name__ = name
    return read


def _writer(name, original):
    def write(self, *args, **kwargs):
        if not getattr(self, "sources", None) or _is_stale(self) or _can_be_seen(self):
            raise _refusal(self, f"is changed by `{name}`")
        return original(self, *args, **kwargs)

    write.__name__ = name
    return write


def _refusal(made, what):
    kind = "dict" if isinstance(made, dict) else "list"
    return staging_error(
        f"a {kind} that may be one of several {kind}s {what}",
        f"A branch or loop has bound the variable to another {kind}, and another name of either "
        "would have to see the change.",
        f"Change a copy: z = {kind}(z).",
        SharedMemoryError,
    )


def _partly_shared(path):
    return staging_error(
        f"{path or 'the result'} and another place hold the same list or dict on one path only",
        "Whether a change of one is seen through the other would depend on the run.",
        "Copy it on both paths: z = list(z), or z = dict(z).",
        SharedMemoryError,
    )


READS = ("getitem", "iter", "len", "contains", "eq", "ne", "reversed", "or")
READERS = ("get", "keys", "values", "items", "copy", "index", "count", "contents")
WRITES = ("setitem", "delitem", "iadd", "imul", "ior")
WRITERS = ("append", "extend", "insert", "pop", "popitem", "remove", "clear", "sort", "reverse",
           "update", "setdefault")  # fmt: skip

for _kind in (MergedDict, MergedList):
    _base = _kind.__mro__[1]
    for _names, _make in ((READS, _reader), (WRITES, _writer)):
        for _name in (f"__{name}__" for name in _names):
            if hasattr(_base, _name):
                setattr(_kind, _name, _make(_name, getattr(_base, _name)))
    for _names, _make in ((READERS, _reader), (WRITERS, _writer)):
        for _name in _names:
            if hasattr(_base, _name):
                setattr(_kind, _name, _make(_name, getattr(_base, _name)))
MergedDict.__hash__ = None  # type: ignore[assignment]
