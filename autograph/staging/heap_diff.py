"""Finds the changes that a block of code makes to objects: attributes, items, contents.

    self.count += 1                 an attribute of an object that a variable holds
    seen['x'] = y                   an item
    helper(items)                   any change that the function makes to its argument

Variables are the state that generated code passes to the backend.  All other changes are found by a
comparison of the heap: the objects that the block's functions can reach, before and after the block
has run.  That finds writes through methods, closures and aliases alike, runs no property and
creates no key.

    before = HeapSnapshot(if_body, else_body)
    if_body()
    for slot in before.changes(): ...       each change, with the old and the new content
    before.restore()                        everything as it was

The snapshot covers lists, dicts, sets, tuples, objects of user classes, closures, and the global
variables that the functions name.  Variables that the blocks themselves bind are excluded: they are
state, or no later code reads them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import is_
from types import FunctionType

from autograph.backend import PYTHON, backend_of
from autograph.functions.bytecode import looked_up_globals
from autograph.staging import foreign_attributes as foreign
from autograph.staging import memory
from autograph.staging.accessors import ATOMS, FUNCTION, Accessor, accessor_of
from autograph.staging.block_functions import (
    are_inspected,
    block_functions,
    bound_cells,
    given_values,
)
from autograph.staging.held_objects import ReachedCode, is_infrastructure
from autograph.staging.iterator_state import held as held_by_iterator
from autograph.staging.iterator_state import is_iterator, position
from autograph.staging.key_identity import original_key
from autograph.staging.object_state import MISSING
from autograph.staging.possible_changes import PossibleChanges, has_other_threads
from autograph.staging.stream_state import is_stream, put_back
from autograph.staging.stream_state import position as place_in_stream

# Classes whose objects hold nothing: most elements of containers have one of these.
IMMUTABLE = frozenset({bool, int, float, complex, str, bytes, type(None)})

OWN = (*ATOMS, FunctionType)  # no module's or object's, although an attribute holds them


Compared = tuple[object, str, dict, dict]  # a container, its path, and its contents before and now


@dataclass(frozen=True)
class HeapSlot:
    """An element of a container that a block has changed."""

    container: object
    key: object
    path: str  # as the user would write it: self.count, seen['x']
    before: object
    after: object

    def reader(self) -> Callable[[], object]:
        """A function that returns the element as it is then, MISSING if there is none."""
        container, key = self.container, self.key
        return lambda: accessor_of(container).read(container).get(key, MISSING)

    def write(self, value: object) -> None:
        """Writes a value, or deletes the element if the value is MISSING."""
        accessor_of(self.container).write(self.container, self.key, value)


class HeapSnapshot:
    """The containers that the functions of a block, or `roots`, can reach, and their contents;
    `named` are further roots, by the expressions with which the user's code reaches them, and
    `hidden` those for which it has no expression.
    `with_memory`: whether objects that keep their contents in memory of their own are compared."""

    def __init__(
        self,
        *blocks: Callable | None,
        roots: tuple = (),
        named: dict | None = None,
        hidden: tuple = (),
        with_memory: bool = False,
    ):
        self._memory: dict[int, tuple] = {}  # objects with memory, their paths and contents
        self._known: dict[int, tuple[object, str, dict]] = {}
        self._changeable: list[tuple[Accessor, object, str, dict]] = []  # those that may change
        functions = block_functions([block for block in blocks if block is not None])
        own = {id(cell) for function in functions for cell in bound_cells(function)}
        given = given_values(blocks)
        pending: list[tuple[object, str]] = [(f, "") for f in (*hidden, *functions, *roots, *given)]
        pending += [(value, path) for path, value in (named or {}).items()]
        code = ReachedCode()
        self.acting: str | None = None  # an attribute whose assignment runs foreign code
        self._foreign: set[int] = set()  # containers that modules and foreign objects hold
        self.iterators: dict[int, tuple] = {}  # with their paths, positions, and what they read
        self._streams: dict[int, tuple] = {}  # with their paths and positions
        owners: dict[int, tuple[object, str]] = {}  # which live until the walk ends
        self._asked: set[int] = set()  # those whose attributes were looked for
        self._has_others = has_other_threads()  # which may have ended before the comparison
        self._is_rest = False  # whether all globals are walked, after everything that code names
        self._walk(pending, own, owners, code, with_memory)
        self._are_users = are_inspected(blocks)
        self._reached = owners, code  # not a method of its own, which would be a circle

    def _walk(
        self,
        pending: list[tuple[object, str]],
        own: set[int],
        owners: dict[int, tuple[object, str]],
        code: ReachedCode,
        with_memory: bool,
    ) -> None:
        """Notes everything that can be reached from the pending objects; `own` are cells that the
        blocks bind."""
        named_globals: list[tuple[object, str]] = []  # of functions that call `globals()`
        while (
            pending
            or (pending := [(member, _name(member)) for member in code.new_members()])
            or (pending := self._attributes_of(owners))
            or (pending := self._rest(named_globals))
        ):
            value, path = pending.pop()
            if id(value) in self._known or self._is_rest and is_infrastructure(value):
                continue
            kind = accessor_of(value)
            if with_memory and id(value) not in self._memory:
                self._note_memory(value, path)
            if kind is None and is_iterator(value):
                pending += self._read_by(value, path)
                continue
            if kind is None and is_stream(value):
                self._streams.setdefault(id(value), (value, path, place_in_stream(value)))
            if kind is None and id(value) not in owners:
                owners[id(value)] = value, path
            if kind is None or kind is FUNCTION:
                pending += [(held, path) for held in code.held_by(value)]
            if kind is None:
                continue
            code.meet(value)
            if kind is FUNCTION and None in looked_up_globals(value.__code__):
                named_globals.append((value.__globals__, "globals()"))
            held = kind.read(value)
            if id(value) not in own:
                self._known[id(value)] = (value, path, held)
                if kind.may_change is None or kind.may_change(held):
                    self._changeable.append((kind, value, path, held))
            if id(value) in self._foreign:
                self._foreign.update(
                    id(one) for one in held.values() if not issubclass(type(one), OWN)
                )
            pending += [
                (item, kind.path(path, key))
                for key, item in held.items()
                if type(item) not in IMMUTABLE
            ]

    def _possible_changes(self) -> PossibleChanges:
        owners, code = self._reached
        functions = [one for one, _, _ in self._known.values() if type(one) is FunctionType]
        return PossibleChanges(functions, [one for one, _ in owners.values()], code.classes())

    def _note_memory(self, value, path: str) -> None:
        held = memory.contents(value)
        if held is not None:
            self._memory[id(value)] = value, path, held

    def _read_by(self, iterator, path: str) -> list[tuple[object, str]]:
        """The objects that an iterator reads, when it is met for the first time."""
        if id(iterator) in self.iterators:
            return []
        held = held_by_iterator(iterator)
        self.iterators[id(iterator)] = iterator, path, position(iterator), held
        return [(one, path) for one in held]

    def advanced(self) -> Iterator[tuple[object, str]]:
        """The iterators from which elements have been taken, with their paths; also streams, which
        are put back."""
        for iterator, path, before, _ in self.iterators.values():
            if position(iterator) != before:
                yield iterator, path
        for stream, path, before in self._streams.values():
            if place_in_stream(stream) != before:
                put_back(stream, before)
                yield stream, path

    def _attributes_of(self, owners: dict[int, tuple[object, str]]) -> list[tuple[object, str]]:
        """The attributes of modules and foreign objects that the functions so far name."""
        codes = [f.__code__ for f, _, _ in self._known.values() if type(f) is FunctionType]
        names = foreign.NamesInCode(codes)
        found = []
        for key, (owner, path) in list(owners.items()):
            if key not in self._asked:
                self._asked.add(key)
                if not self._is_rest:
                    self.acting = self.acting or foreign.acting_attribute(owner, path, names)
                named = foreign.named_attributes(owner, names)
                if named is not None:
                    self._foreign.add(id(named))
                    found.append((named, path))
        return found

    def _rest(self, named_globals: list[tuple[object, str]]) -> list[tuple[object, str]]:
        """The global variables of functions that call `globals()`, which may change any of them."""
        found = named_globals[:]
        named_globals.clear()
        self._is_rest = self._is_rest or bool(found)
        return found

    def is_foreign(self, container: object) -> bool:
        """Whether a container belongs to a module or an object of another package."""
        return id(container) in self._foreign

    def compared(self) -> list[Compared]:
        """The containers that may have changed: those that hold the same objects, at the same keys
        in the same order, have not.  Most are such."""
        return list(self._compared())

    def _compared(self) -> Iterator[Compared]:
        possible = None
        for kind, container, path, before in self._changeable:
            after = kind.read(container)
            if _is_same(before, after):
                continue
            if self._are_users and (self._has_others or has_other_threads()):
                possible = possible or self._possible_changes()
                if not _is_own(possible, container, before, after):
                    continue
            yield container, path, before, after

    def changes(self, compared: list[Compared] | None = None) -> list[HeapSlot]:
        """The elements that have changed, in the order in which they were found."""
        return list(self._changes(self.compared() if compared is None else compared))

    def _changes(self, compared: list[Compared]) -> Iterator[HeapSlot]:
        for container, path, before, after in compared:
            kind = accessor_of(container)
            for key in {**before, **after}:
                old, new = before.get(key, MISSING), after.get(key, MISSING)
                if old is not new:
                    yield HeapSlot(container, key, kind.path(path, key), old, new)

    def rewritten(self) -> Iterator[tuple[object, str]]:
        """The objects whose own memory has other contents than before, with their paths."""
        for value, path, before in self._memory.values():
            if memory.contents(value) != before:
                yield value, path

    def inserted(self, compared: list[Compared]) -> Iterator[tuple[object, str, list]]:
        """The containers that have several new keys, with their paths and these keys in order."""
        for container, path, before, after in compared:
            if not isinstance(container, (list, tuple, set)):
                new = [key for key in after if key not in before]
                if len(new) > 1:
                    yield container, path, new

    def reordered(self, compared: list[Compared]) -> Iterator[tuple[object, str]]:
        """The dicts whose keys have another order than before, with their paths."""
        for container, path, before, after in compared:
            if isinstance(container, dict) and len(before) > 1:
                common = before.keys() & after.keys()
                if [k for k in before if k in common] != [k for k in after if k in common]:
                    yield container, path

    def __contains__(self, container: object) -> bool:
        """Whether a container was there when the snapshot was taken."""
        return id(container) in self._known

    def container(self, key: int) -> object | None:
        """The container with an identity, None if it was not there."""
        return self._known.get(key, (None,))[0]

    def containers(self) -> list[object]:
        """The containers themselves."""
        return [container for container, _, _ in self._known.values()]

    def held(self) -> Iterator[object]:
        """Everything that the containers held at the time of the snapshot."""
        for _, _, held in self._known.values():
            yield from held.values()

    def before(self, container: object) -> dict:
        """The contents of a container at the time of the snapshot."""
        return self._known[id(container)][2]

    def contents(self, value: object) -> object:
        """What the own memory of an object held at the time of the snapshot."""
        return self._memory[id(value)][2]

    def path(self, container: object) -> str:
        """The expression with which the user's code reaches a container."""
        return self._known[id(container)][1]

    def put_back_streams(self) -> None:
        """Moves the streams that code has read or written to where they were."""
        for stream, _, before in self._streams.values():
            if place_in_stream(stream) != before:
                put_back(stream, before)

    def restore(self) -> None:
        """Undoes every change."""
        for container, _, before, after in self._compared():
            keys = {**before, **after}
            is_changed = any(before.get(k, MISSING) is not after.get(k, MISSING) for k in keys)
            if is_changed or isinstance(container, dict) and _keys(after) != _keys(before):
                accessor_of(container).fill(container, before)
        for value, _ in list(self.rewritten()):
            memory.fill(value, self._memory[id(value)][2])


def _is_own(possible: PossibleChanges, container: object, before: dict, after: dict) -> bool:
    """Whether a change may be that of the code, and is not certainly one of another thread."""
    changed = [
        key
        for key in {**before, **after}
        if before.get(key, MISSING) is not after.get(key, MISSING)
    ]
    is_staged = any(backend_of(after.get(key)) is not PYTHON for key in changed)
    return is_staged or possible.can_make(container, changed)


def _is_same(before, after):
    """Whether a container holds the same objects as before, at the same keys in the same order.
    Keys are compared by their identity: two that are equal only are looked at closely."""
    return (
        len(before) == len(after)
        and all(map(is_, before.values(), after.values()))
        and all(map(is_, before, after))
    )


def _keys(held):
    """Which objects are the keys, in order."""
    return [id(original_key(key)) for key in held]


def _name(member):
    """The name with which code reaches a class; that of a function is not needed."""
    return member.__name__ if isinstance(member, type) else ""
