"""The kinds of container whose contents the heap comparison reads, writes and restores.

    LIST.read([3, 4])            {0: 3, 1: 4}
    OBJECT.write(box, "x", 5)    box.x = 5, by no code of the user
    SET.fill(seen, {})           seen is empty

A wing that has containers of its own registers an accessor for them.
"""

from collections import ChainMap, OrderedDict, UserDict, UserList, deque
from collections.abc import Callable
from dataclasses import dataclass
from types import CellType, FunctionType, ModuleType, SimpleNamespace

from autograph.functions.bytecode import global_names
from autograph.functions.policy import is_users_class
from autograph.staging.block_functions import is_inspected
from autograph.staging.foreign_attributes import NamedAttributes
from autograph.staging.key_identity import contents_by_identity, original_key, plain_contents
from autograph.staging.object_state import MISSING, attributes, fill, write_attribute

# Objects without contents that a block could change.
ATOMS = (bool, int, float, complex, str, bytes, type(None), ModuleType, range, slice)


@dataclass(frozen=True)
class Accessor:
    """Reads and writes the contents of a kind of object without running user code."""

    read: Callable[[object], dict]
    write: Callable[[object, object, object], None]
    fill: Callable[[object, dict], None]
    path: Callable[[str, object], str]
    # Whether an object with such contents may get others; None: all objects may.
    may_change: Callable[[dict], bool] | None = None


def _write_item(container, key, value):
    key = original_key(key)
    if value is MISSING:
        dict.__delitem__(container, key)
    else:
        dict.__setitem__(container, key, value)


def _write_ordered(container, key, value):
    missing, key = value is MISSING, original_key(key)
    OrderedDict.pop(container, key) if missing else OrderedDict.__setitem__(container, key, value)


def _fill_dict(container, held):
    dict.clear(container)
    dict.update(container, plain_contents(held))


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
    held = contents_by_identity(items)
    held.pop(CACHE, None)
    return held


def _read_function(function):
    code = function.__code__
    named = {n: function.__globals__[n] for n in global_names(code) if n in function.__globals__}
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    held = list(function.__dict__.items())  # at once: other threads may write meanwhile
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
    if isinstance(sequence, bytearray):
        sequence[:] = bytes(items)  # other objects may use its memory, which can then not be freed
        return
    sequence.clear()
    sequence.extend(items)


def _write_in_sequence(sequence, index, value):
    if value is MISSING:
        del sequence[index]
    elif index == len(sequence):
        sequence.append(value)
    else:
        sequence[index] = value


def _is_data(name, value):
    """Whether a class attribute is user data."""
    return not (name.startswith("__") or callable(value) or hasattr(type(value), "__get__"))


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
    key = original_key(key)
    plain = key if type(key) is tuple else (key,)
    is_plain = all(type(part) in _PRINTED for part in plain)  # else its repr may be the user's
    return f"{path}[{repr(key) if is_plain else f'<{type(key).__name__}>'}]"


def _function_path(path, name):
    return f"{path}{name}" if name.startswith(".") else name


DICT = Accessor(_read_dict, _write_item, _fill_dict, _item_path)
ORDERED = Accessor(
    lambda d: contents_by_identity(d, OrderedDict),
    _write_ordered,
    lambda d, held: (OrderedDict.clear(d), OrderedDict.update(d, plain_contents(held))),
    _item_path,
)
LIST = Accessor(lambda x: dict(enumerate(list.__iter__(x))), _write_element, _fill_list, _item_path)
TUPLE = Accessor(
    lambda x: dict(enumerate(tuple.__iter__(x))),
    _no_write,
    None,
    _item_path,
    may_change=lambda held: False,
)
SET = Accessor(
    lambda s: {id(x): x for x in set.__iter__(s)},
    lambda s, key, x: set.add(s, x),
    lambda s, held: (set.clear(s), set.update(s, held.values())),
    lambda path, key: f"an element of {path}",
)
SEQUENCE = Accessor(  # changes in blocks are found, and refused
    lambda s: dict(enumerate(s)),
    _write_in_sequence,
    lambda s, held: _refill(s, held.values()),
    _item_path,
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

# Those of builtin types, which are needed most often; a registered one takes their place.
_of_builtin: dict[type, Accessor | None] = {
    dict: DICT,
    list: LIST,
    tuple: TUPLE,
    set: SET,
    CellType: CELL,
    **{kind: None for kind in ATOMS},
}

# Those of builtin types and of their subclasses.
_by_base: tuple[tuple[type, Accessor | None], ...] = (
    (NamedAttributes, FOREIGN),
    *((kind, None) for kind in ATOMS),
    (OrderedDict, ORDERED),
    (dict, DICT),
    (list, LIST),
    (tuple, TUPLE),
    (set, SET),
    (deque, SEQUENCE),
    (bytearray, SEQUENCE),
    (CellType, CELL),
    *((kind, OBJECT) for kind in (SimpleNamespace, ChainMap, UserDict, UserList)),
)


def register_accessor(kind: type, contents: Accessor | None) -> None:
    """Registers the accessor for objects of a type; None if they have no contents to compare."""
    _registered[kind] = contents
    for builtin in [one for one in _of_builtin if issubclass(one, kind)]:
        del _of_builtin[builtin]


def has_contents(value: object) -> bool:
    """Whether changes of an object are found by comparing its contents."""
    return accessor_of(value) is not None


def accessor_of(value) -> Accessor | None:
    """The accessor of an object; None if it has no contents to compare."""
    kind = type(value)
    if kind in _of_builtin:
        return _of_builtin[kind]
    if kind is FunctionType:
        return FUNCTION if is_inspected(value) else None
    for base in kind.__mro__:
        if base in _registered:
            return _registered[base]
    if issubclass(kind, type):
        return CLASS if is_users_class(value) else None
    for base, accessor in _by_base:  # a pattern would ask objects for their class
        if issubclass(kind, base):
            return accessor
    return OBJECT if is_users_class(kind) else None
