"""The objects that callables, descriptors and references hold, which a call of them reaches.

    functools.partial(f, 3)        func, args, keywords
    model.step                     __func__, __self__
    np.vectorize(f)                pyfunc
    @contextmanager                the closure of the library's function, which holds the user's

Code that calls such an object runs the functions that it holds, so they belong to all that the code
may read and write.  A backend registers its own callables (`register_holder`).  No user code runs.
"""

import functools
import math
import weakref
from types import (
    BuiltinMethodType,
    CellType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

from autograph.functions.bytecode import global_names
from autograph.functions.code_tables import BLOCKS
from autograph.functions.policy import is_users_class, is_users_function
from autograph.staging.object_state import attributes, dictionary

# The names of the attributes that hold objects, by the class of the holder.
_HOLDERS: dict[type, tuple[str, ...]] = {
    MethodType: ("__func__", "__self__"),
    functools.partial: ("func", "args", "keywords"),
    functools.partialmethod: ("func", "args", "keywords"),
    property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func",),
    functools.singledispatchmethod: ("dispatcher", "func"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    functools._lru_cache_wrapper: ("__wrapped__",),
}


_REGISTERED: set[type] = set()


def register_holder(kind: type, *names: str) -> None:
    """Registers the attributes of a class of callables that hold what a call runs."""
    _HOLDERS[kind] = names
    _REGISTERED.add(kind)


def is_registered(value: object) -> bool:
    """Whether an object is a callable of a backend."""
    return type(value) in _REGISTERED


def held_objects(value: object) -> dict[str, object] | None:
    """The objects that a holder holds, by the names of its attributes; None if it is no holder."""
    for base in type(value).__mro__:
        if base in _HOLDERS:
            held = {name: _attribute(value, base, name) for name in _HOLDERS[base]}
            return {name: one for name, one in held.items() if one is not None}
    if issubclass(type(value), (BuiltinMethodType, MethodWrapperType)):
        owner = value.__self__
        is_object = owner is not None and not isinstance(owner, (ModuleType, type))
        return {"__self__": owner} if is_object else None
    return None


def _attribute(value, base, name):
    """An attribute that a class of callables defines, whatever a subclass makes of it."""
    found = vars(base).get(name)
    if isinstance(found, (MemberDescriptorType, GetSetDescriptorType)):
        return found.__get__(value)
    return (dictionary(value) or {}).get(name)


def cells(function: FunctionType) -> dict[str, CellType]:
    """The cells of a function's free variables, by name."""
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def names_sought(value: Any) -> set[str]:
    """The names of the attributes that an `attrgetter` or a `methodcaller` looks up."""
    made, arguments = value.__reduce__()
    texts = (*getattr(made, "args", ()), *arguments)
    return {part for text in texts if isinstance(text, str) for part in text.split(".")}


DEEPEST = 4  # how far library objects are searched for objects of the user
EVERYWHERE = math.inf
MOST_ITEMS = 50
_NEVER = frozenset({int, float, complex, bool, str, bytes, type(None)})


class SearchForUser:
    """Which objects lead to the user's: functions, classes and objects of the user, and objects of
    libraries that hold one.

    Libraries' own code is not looked at, so only what leads to the user's can be of interest there.
    A search remembers its answers: it belongs to one walk, in which no object changes.  So the work
    of all its answers together is linear in the number of objects.
    """

    def __init__(self) -> None:
        # By identity: an object, a number of steps, and whether these lead to the user.
        self._answers: dict[int, tuple[object, float, bool]] = {}

    def leads(self, value: object, distance: int = DEEPEST) -> bool:
        """Whether an object leads to the user's within a number of steps."""
        found = _is_users(value)
        known = self._answers.get(id(value)) if found is None else None
        if known is not None:
            found = _answer(known, distance)
        return self._search(value, distance) if found is None else found

    def _search(self, value, distance):
        # Every object that was met, with the one from which it was reached.
        around = {id(value): (value, value)}
        level, searched = [value], []
        is_closed = True  # whether everything that can be reached was met
        for left in range(distance, -1, -1):
            parts = []
            for one in level:
                found = _is_users(one)
                known = self._answers.get(id(one)) if found is None else None
                if known is not None:
                    found = _answer(known, left)
                if found:
                    self._remember_path(one, around, value)
                    return True
                if found is False:
                    is_closed = is_closed and (known is None or known[1] == EVERYWHERE)
                    continue
                searched.append((one, left))
                for part in _parts(one):
                    if id(part) not in around:
                        around[id(part)] = part, one
                        parts.append(part)
            level = parts
            if not level:
                break
        is_closed = is_closed and not level
        for one, left in searched:
            self._answers[id(one)] = one, EVERYWHERE if is_closed else left, False
        return False

    def _remember_path(self, found, around, start):
        """Remembers that the objects from `start` to one that was found lead to the user."""
        known = self._answers.get(id(found))
        steps = 0 if known is None else known[1]
        while found is not start:
            _, found = around[id(found)]
            steps += 1
            self._answers[id(found)] = found, steps, True


def _answer(known, distance):
    """The answer for a distance that follows from a known one, or None."""
    _, steps, leads = known
    return leads if (steps <= distance if leads else steps >= distance) else None


def _is_users(value):
    """Whether an object is the user's, or one whose parts are not of interest; None if these decide
    that."""
    kind = type(value)  # `isinstance` would ask staged values for their class
    if kind in _NEVER or issubclass(kind, ModuleType):
        return False
    if kind is FunctionType and (is_users_function(value) or value.__code__ in BLOCKS):
        return True
    if issubclass(kind, type):
        return is_users_class(value)
    return True if is_registered(value) or is_users_class(kind) else None


def leads_to_user(value: object) -> bool:
    """Whether an object leads to the user's, by a search of its own."""
    return SearchForUser().leads(value)


def is_searched(value: object) -> bool:
    """Whether all attributes of an object are searched for objects of the user: it is a library's,
    and no holder, of which it is known what it holds."""
    kind = type(value)
    is_known = isinstance(value, ModuleType) or any(base in _HOLDERS for base in kind.__mro__)
    return not is_known and not is_users_class(kind)


def _parts(value):
    """The parts of a library's object, as far as it is searched."""
    kind = type(value)  # `isinstance` would ask staged values for their class
    if kind is FunctionType:
        held = [one for cell in cells(value).values() for one in cell_contents(cell)]
        return [*held, *vars(value).values()]
    for base in (list, tuple, set, frozenset):
        if issubclass(kind, base):
            return list(base.__iter__(value))[:MOST_ITEMS]
    if issubclass(kind, dict):
        return list(dict.values(value))[:MOST_ITEMS]
    held = held_objects(value)
    if held is None:
        held = attributes(value) if dictionary(value) else {}
    return list(held.values())[:MOST_ITEMS]


def cell_contents(cell: CellType) -> tuple[object, ...]:
    """The value of a cell, in a tuple that is empty if the variable is not bound."""
    try:
        return (cell.cell_contents,)
    except ValueError:
        return ()


# Packages whose classes call no methods of derived ones, except those that operators call.
_QUIET = frozenset(
    {
        *("abc", "autograph", "builtins", "collections", "contextlib", "dataclasses", "enum"),
        *("functools", "numbers", "numpy", "runtime", "types", "typing"),
    }
)
_METHODS = (FunctionType, classmethod, staticmethod, property, functools.cached_property)


def serves_library(kind: type) -> bool:
    """Whether a user's class has a base class of a library, whose methods read its attributes."""
    packages = [
        base.__module__.partition(".")[0] for base in kind.__mro__ if not is_users_class(base)
    ]
    return not _QUIET.issuperset(packages)


def hooks(kind: type) -> frozenset[str]:
    """The methods of a user's class that a base class of a library may call, whose names are in no
    function of the user: `format_field` of a `string.Formatter`, `visit_Name` of a visitor."""
    if not serves_library(kind):
        return frozenset()
    return frozenset(
        name
        for base in kind.__mro__
        if is_users_class(base)
        for name, member in list((dictionary(base) or {}).items())
        if isinstance(member, _METHODS)
    )


class ReachedCode:
    """The code that a walk over objects meets, and the members of classes that it may call.

    A method is of interest if its name is in the code that was met, or if Python calls it.
    """

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._classes: set[type] = set()
        self._seen: dict[int, object] = {}  # by identity
        self._members: dict[int, object] = {}
        self._search = SearchForUser()

    def meet(self, value: object) -> None:
        """Notes a function's names, or the classes of an object."""
        kind = type(value)  # `isinstance` would ask staged values for their class
        if kind is FunctionType:
            self._names |= global_names(value.__code__)
            return
        if issubclass(kind, type):
            self._meet_class(value)
        self._meet_class(kind)
        self._meet_class(type(kind))  # `A(x)` runs `__call__` of the class of A

    def _meet_class(self, kind: type) -> None:
        if kind not in self._classes and is_users_class(kind):
            self._classes.update(base for base in kind.__mro__ if is_users_class(base))
            self._names |= hooks(kind)

    def classes(self) -> list[type]:
        """The user's classes of the objects that were met."""
        return list(self._classes)

    def new_members(self) -> list[object]:
        """The classes of objects, which `type(self)` and class methods reach, and the functions and
        descriptors of theirs that code may call; those that were not met."""
        found: list[object] = [kind for kind in self._classes if id(kind) not in self._members]
        found += [
            member
            for kind in self._classes
            for name, member in vars(kind).items()
            if (name in self._names or _is_special(name)) and id(member) not in self._members
            if isinstance(member, FunctionType) or held_objects(member)
        ]
        self._members.update({id(member): member for member in found})
        return found

    def held_by(self, value: object) -> list[object]:
        """What a user's function has as defaults, and what a holder holds; what an object or
        function of a library holds, if that leads to the user's."""
        if id(value) in self._seen or isinstance(value, ModuleType | type):
            return []
        self._seen[id(value)] = value
        if isinstance(value, FunctionType) and is_users_function(value):
            return [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        if type(value) is weakref.ref:
            return [value()]
        held = held_objects(value)
        if held is not None:
            return list(held.values())
        return [part for part in _parts(value) if self._search.leads(part)]


def _is_special(name):
    return name.startswith("__") and name.endswith("__")


# Packages whose objects other threads change all the time, and tests' runners.
_INFRASTRUCTURE = frozenset(
    {
        *("_pytest", "_queue", "_thread", "asyncio", "concurrent", "execnet", "logging"),
        *("multiprocessing", "pluggy", "pytest", "queue", "sched", "selectors", "socket"),
        *("socketserver", "subprocess", "threading", "unittest", "xdist"),
    }
)


def is_infrastructure(value: object) -> bool:
    """Whether an object is a thread, a queue, a lock or the like."""
    order = type(value).__mro__
    return any(base.__module__.partition(".")[0] in _INFRASTRUCTURE for base in order)
