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

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CellType, FunctionType, ModuleType, SimpleNamespace

from autograph.functions.bytecode import global_names
from autograph.functions.policy import is_users_class
from autograph.staging import foreign_attributes as foreign
from autograph.staging.block_functions import block_functions, bound_cells, is_inspected
from autograph.staging.foreign_attributes import NamedAttributes
from autograph.staging.held_objects import ReachedCode
from autograph.staging.iterator_state import held as held_by_iterator
from autograph.staging.iterator_state import is_iterator, position
from autograph.staging.object_state import MISSING, attributes, fill, write_attribute

# Objects without contents that a block could change.
ATOMS = (bool, int, float, complex, str, bytes, type(None), ModuleType, range, slice)

OWN = (*ATOMS, FunctionType)  # no module's or object's, although an attribute holds them


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
        return lambda: _accessor_of(container).read(container).get(key, MISSING)

    def write(self, value: object) -> None:
        """Writes a value, or deletes the element if the value is MISSING."""
        _accessor_of(self.container).write(self.container, self.key, value)


class HeapSnapshot:
    """The containers that the functions of a block, or `roots`, can reach, and their contents;
    `named` are further roots, by the expressions with which the user's code reaches them."""

    def __init__(self, *blocks: Callable | None, roots: tuple = (), named: dict | None = None):
        self._known: dict[int, tuple[object, str, dict]] = {}
        functions = block_functions([block for block in blocks if block is not None])
        own = {id(cell) for function in functions for cell in bound_cells(function)}
        pending: list[tuple[object, str]] = [(f, "") for f in (*functions, *roots)]
        pending += [(value, path) for path, value in (named or {}).items()]
        code = ReachedCode()
        self.acting: str | None = None  # an attribute whose assignment runs foreign code
        self._foreign: set[int] = set()  # containers that modules and foreign objects hold
        self.iterators: dict[int, tuple] = {}  # with their paths, positions, and what they read
        owners: dict[int, tuple[object, str]] = {}
        while (
            pending
            or (pending := [(member, "") for member in code.new_members()])
            or (pending := self._attributes_of(owners))
        ):
            value, path = pending.pop()
            if id(value) in self._known:
                continue
            kind = _accessor_of(value)
            if kind is None and is_iterator(value):
                pending += self._read_by(value, path)
                continue
            if kind is None and id(value) not in owners:
                owners[id(value)] = value, path
            if kind is None or kind is FUNCTION:
                pending += [(held, path) for held in code.held_by(value)]
            if kind is None:
                continue
            code.meet(value)
            held = kind.read(value)
            if id(value) not in own:
                self._known[id(value)] = (value, path, held)
            if id(value) in self._foreign:
                self._foreign.update(id(one) for one in held.values() if not isinstance(one, OWN))
            pending += [(item, kind.path(path, key)) for key, item in held.items()]

    def _read_by(self, iterator, path: str) -> list[tuple[object, str]]:
        """The objects that an iterator reads, when it is met for the first time."""
        if id(iterator) in self.iterators:
            return []
        held = held_by_iterator(iterator)
        self.iterators[id(iterator)] = iterator, path, position(iterator), held
        return [(one, path) for one in held]

    def advanced(self) -> Iterator[tuple[object, str]]:
        """The iterators from which elements have been taken, with their paths."""
        for iterator, path, before, _ in self.iterators.values():
            if position(iterator) != before:
                yield iterator, path

    def _attributes_of(self, owners: dict[int, tuple[object, str]]) -> list[tuple[object, str]]:
        """The attributes of modules and foreign objects that the functions so far name."""
        codes = [f.__code__ for f, _, _ in self._known.values() if isinstance(f, FunctionType)]
        found = []
        for key, (owner, path) in list(owners.items()):
            if owner is not None:
                owners[key] = None, path
                self.acting = self.acting or foreign.acting_attribute(owner, path, codes)
                named = foreign.named_attributes(owner, codes)
                if named is not None:
                    self._foreign.add(id(named))
                    found.append((named, path))
        return found

    def is_foreign(self, container: object) -> bool:
        """Whether a container belongs to a module or an object of another package."""
        return id(container) in self._foreign

    def changes(self) -> list[HeapSlot]:
        """The elements that have changed, in the order in which they were found."""
        return list(self._changes())

    def _changes(self) -> Iterator[HeapSlot]:
        for container, path, before in self._known.values():
            kind = _accessor_of(container)
            after = kind.read(container)
            for key in {**before, **after}:
                old, new = before.get(key, MISSING), after.get(key, MISSING)
                if old is not new:
                    yield HeapSlot(container, key, kind.path(path, key), old, new)

    def reordered(self) -> Iterator[tuple[object, str]]:
        """The dicts whose keys have another order than before, with their paths."""
        for container, path, before in self._known.values():
            if isinstance(container, dict) and len(before) > 1:
                after = _accessor_of(container).read(container)
                common = before.keys() & after.keys()
                if [k for k in before if k in common] != [k for k in after if k in common]:
                    yield container, path

    def __contains__(self, container: object) -> bool:
        """Whether a container was there when the snapshot was taken."""
        return id(container) in self._known

    def containers(self) -> list[object]:
        """The containers themselves."""
        return [container for container, _, _ in self._known.values()]

    def before(self, container: object) -> dict:
        """The contents of a container at the time of the snapshot."""
        return self._known[id(container)][2]

    def path(self, container: object) -> str:
        """The expression with which the user's code reaches a container."""
        return self._known[id(container)][1]

    def restore(self) -> None:
        """Undoes every change."""
        for container, _, before in self._known.values():
            kind = _accessor_of(container)
            after = kind.read(container)
            if any(
                before.get(k, MISSING) is not after.get(k, MISSING) for k in {**before, **after}
            ):
                kind.fill(container, before)


# -- kinds of container ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Accessor:
    """Reads and writes the contents of a kind of object without running user code."""

    read: Callable[[object], dict]
    write: Callable[[object, object, object], None]
    fill: Callable[[object, dict], None]
    path: Callable[[str, object], str]


def _write_item(container, key, value):
    if value is MISSING:
        dict.__delitem__(container, key)
    else:
        dict.__setitem__(container, key, value)


def _write_ordered(container, key, value):
    missing = value is MISSING
    OrderedDict.pop(container, key) if missing else OrderedDict.__setitem__(container, key, value)


def _fill_dict(container, held):
    dict.clear(container)
    dict.update(container, held)


def _fill_list(container, held):
    list.__setitem__(container, slice(None), list(held.values()))


def _write_element(container, index, value):
    if value is MISSING:
        list.__delitem__(container, index)
    elif index == list.__len__(container):
        list.append(container, value)
    else:
        list.__setitem__(container, index, value)


def _write_cell(cell, key, value):
    if value is MISSING:
        del cell.cell_contents
    else:
        cell.cell_contents = value


def _read_cell(cell):
    try:
        return {"": cell.cell_contents}
    except ValueError:
        return {}


# An attribute of functions in which a backend caches derived functions; no user's data.
CACHE = "__transformed__"


def _read_dict(items):
    held = dict(dict.items(items))
    held.pop(CACHE, None)
    return held


def _read_function(function):
    code = function.__code__
    named = {n: function.__globals__[n] for n in global_names(code) if n in function.__globals__}
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    held = function.__dict__.items()
    attributes = {f".{name}": value for name, value in held if not name.startswith("__")}
    return {**named, **cells, **attributes}


def _write_global(function, name, value):
    """Writes a global variable that a function names, or its attribute `.name`."""
    if name.startswith("."):
        _write_item(function.__dict__, name[1:], value)
    elif value is MISSING:
        function.__globals__.pop(name, None)
    else:
        function.__globals__[name] = value


def _fill_function(function, held):
    """Restores the global variables and attributes; a function always has the same cells."""
    now = _read_function(function)
    for name in {**now, **held}.keys() - set(function.__code__.co_freevars):
        if now.get(name, MISSING) is not held.get(name, MISSING):
            _write_global(function, name, held.get(name, MISSING))


def _refill(sequence, items):
    sequence.clear()
    sequence.extend(items)


def _is_data(name, value):
    """Whether a class attribute is user data."""
    return not (name.startswith("__") or callable(value) or hasattr(value, "__get__"))


def _fill_class(kind, held):
    for name in [name for name in CLASS.read(kind) if name not in held]:
        delattr(kind, name)
    for name, value in held.items():
        if vars(kind).get(name, MISSING) is not value:
            setattr(kind, name, value)


def _no_write(container, key, value):
    raise TypeError(f"the contents of {container!r} do not change")


_PRINTED = (bool, int, float, complex, str, bytes, type(None))


def _item_path(path, key):
    plain = key if type(key) is tuple else (key,)
    is_plain = all(type(part) in _PRINTED for part in plain)  # else its repr may be the user's
    return f"{path}[{repr(key) if is_plain else f'<{type(key).__name__}>'}]"


def _function_path(path, name):
    return f"{path}{name}" if name.startswith(".") else name


DICT = Accessor(_read_dict, _write_item, _fill_dict, _item_path)
ORDERED = Accessor(
    lambda d: dict(OrderedDict.items(d)),
    _write_ordered,
    lambda d, held: (OrderedDict.clear(d), OrderedDict.update(d, held)),
    _item_path,
)
LIST = Accessor(lambda x: dict(enumerate(list.__iter__(x))), _write_element, _fill_list, _item_path)
TUPLE = Accessor(lambda x: dict(enumerate(tuple.__iter__(x))), _no_write, None, _item_path)
SET = Accessor(
    lambda s: {id(x): x for x in set.__iter__(s)},
    lambda s, key, x: set.add(s, x),
    lambda s, held: (set.clear(s), set.update(s, held.values())),
    lambda path, key: f"an element of {path}",
)
SEQUENCE = Accessor(  # changes are found, and refused
    lambda s: dict(enumerate(s)), None, lambda s, held: _refill(s, held.values()), _item_path
)
CLASS = Accessor(
    lambda kind: {n: v for n, v in vars(kind).items() if _is_data(n, v)},
    write_attribute,
    lambda kind, held: _fill_class(kind, held),
    lambda path, name: f"{path}.{name}",
)
CELL = Accessor(
    _read_cell,
    _write_cell,
    lambda c, held: _write_cell(c, "", held.get("", MISSING)),
    lambda p, k: p,
)
FUNCTION = Accessor(_read_function, _write_global, _fill_function, _function_path)
FOREIGN = Accessor(
    NamedAttributes.read,
    NamedAttributes.write,
    NamedAttributes.fill,
    lambda path, name: f"{path}.{name}",
)
OBJECT = Accessor(attributes, write_attribute, fill, lambda path, name: f"{path}.{name}")

_registered: dict[type, Accessor | None] = {}


def register_accessor(kind: type, contents: Accessor | None) -> None:
    """Registers the accessor for objects of a type; None if they have no contents to compare."""
    _registered[kind] = contents


def has_contents(value: object) -> bool:
    """Whether changes of an object are found by comparing its contents."""
    return _accessor_of(value) is not None


def _accessor_of(value) -> Accessor | None:
    for base in type(value).__mro__:
        if base in _registered:
            return _registered[base]
    match value:
        case NamedAttributes():
            return FOREIGN
        case type():
            return CLASS if is_users_class(value) else None
        case _ if isinstance(value, ATOMS):
            return None
        case OrderedDict():
            return ORDERED
        case dict():
            return DICT
        case list():
            return LIST
        case tuple():
            return TUPLE
        case set():
            return SET
        case deque() | bytearray():
            return SEQUENCE
        case CellType():
            return CELL
        case FunctionType():
            return FUNCTION if is_inspected(value) else None
        case SimpleNamespace():
            return OBJECT
    return OBJECT if is_users_class(type(value)) else None
