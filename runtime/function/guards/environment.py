"""What a function can read besides its arguments, as it stands when a graph is recorded.

    limit = 3; W = np.eye(2)                    g0 = the global variables of f
                                                v0 = g0['limit'];  v0 is 3
    def f(x):                           ->      v1 = g0['W'];      v1 is an array f64[2, 2]
        return helper(x @ W) + limit            v2 = g0['helper']; v2 is that function

From the function, the walk goes to the global and free variables that its code names, into the
functions, objects and containers that they hold, and on from there; of objects and modules it looks
at the attributes that some code on the way names.  It gives a straight list of steps: each reads
one thing, or says what must be true of it.  As long as all hold, a recorded graph is what a new one
would be.  Arrays are no part of that: only their types are, and a graph takes them as inputs.

No code of the user's runs.  What a C function keeps to itself is not seen.
"""

import enum
import functools
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_class, is_users_file, is_users_function
from autograph.staging.object_state import (
    MISSING,
    attributes,
    dictionary,
    read_slot,
    slots,
    write_attribute,
)
from runtime.function.guards.captured_arrays import (
    Captured,
    TupleItems,
    is_array,
    item_putter,
)
from runtime.ir.types import TensorType
from runtime.state.variable import HoldsVariables, Variable
from runtime.tracing.bytecode_reads import reads_of
from runtime.tracing.signature import array_condition, is_value, same_value


@dataclass(frozen=True)
class Step:
    """One line of the check: `target = text`, or a condition that must be true.

    `path` is what the user would write for the thing it is about, `before` says what it was.
    """

    text: str
    path: str
    target: str | None = None
    subject: str | None = None  # the variable that a condition is about
    before: str = ""
    names: frozenset[str] = frozenset()  # that must not be among the keys of `holder`
    holder: str = ""


@dataclass
class Reach:
    """What a walk found: its steps, the arrays, and the constants that the steps name."""

    steps: list[Step] = field(default_factory=list)
    arrays: list[Captured] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    known: dict[int, str] = field(default_factory=dict)  # the variables, by the objects' identity


def reach_of(function: Callable, objects: dict[str, tuple[str, Any]]) -> Reach:
    """What a function, and the objects among its arguments, can read.

    `objects` gives for each variable of the check the parameter's name and the object.
    """
    names: frozenset[str] = frozenset()
    while True:
        walk = _Walk(names)
        walk.start(function, objects)
        if walk.wanted == names:
            return walk.reach
        names = frozenset(walk.wanted)  # more code was found, which reads more attributes


class _Walk:
    """One walk, with the names of attributes that are known to be read."""

    def __init__(self, names: frozenset[str]):
        self.names = names
        self.wanted: set[str] = set()
        self.reach = Reach()
        self.known = self.reach.known  # what has been looked at, by identity -> its variable
        self.kept: list[Any] = []  # so that no identity is used again meanwhile
        self.places: dict[int, str] = {}  # dictionaries of global variables -> their constants

    def start(self, function, objects):
        """Walks from the function and the objects."""
        for variable, (path, value) in objects.items():
            self.look_into(value, variable, path, None)
        self.look_into(function, self.constant(function, "f"), "", None, certain=True)

    # -- steps -------------------------------------------------------------------------------------

    def constant(self, value, prefix="k"):
        """A name for a value in the text of the check."""
        name = f"{prefix}{len(self.reach.constants)}"
        self.reach.constants[name] = value
        return name

    def read(self, text, path):
        """A variable for what an expression gives."""
        variable = f"v{len(self.reach.steps)}"
        self.reach.steps.append(Step(text, path, target=variable))
        return variable

    def require(self, condition, path, subject=None, before=""):
        """A condition that must hold."""
        self.reach.steps.append(Step(condition, path, subject=subject, before=before))

    def require_absent(self, names, holder, path):
        """Some names must not be among the keys of a dictionary."""
        condition = f"{holder}.keys().isdisjoint({self.constant(names)})"
        self.reach.steps.append(Step(condition, path, names=names, holder=holder))

    def require_same(self, value, variable, path):
        """It must be the same object; functions, classes and modules are kept alive for that."""
        if isinstance(value, (FunctionType, type, ModuleType)) or not _can_go(value):
            self.require(f"{variable} is {self.constant(value)}", path, variable, _shown(value))
        else:
            another = f"another {type(value).__name__}"
            self.require(f"id({variable}) == {id(value)}", path, variable, another)

    # -- values ------------------------------------------------------------------------------------

    def visit(self, value, text, path, put):
        """Reads something, and looks into it."""
        variable = self.read(text, path)
        self.look_into(value, variable, path, put)

    def look_into(self, value, variable, path, put, certain=False):
        """Adds what must be true of a value that is held by a variable of the check.

        `put` writes something else to where it was read; `certain`: it is always the same object.
        """
        if is_value(value):
            self.require_value(value, variable, path)
            return
        if id(value) in self.known:
            if not certain:
                same = f"{variable} is {self.known[id(value)]}"
                self.require(same, path, variable, f"another {type(value).__name__}")
            if is_array(value) and put is not None:
                self.reach.arrays.append(Captured(variable, path, value, put))
            return
        self.known[id(value)] = variable
        self.kept.append(value)
        match value:
            case np.ndarray() | np.generic() if is_array(value):
                self.array(value, variable, path, put)
            case list() | tuple() | set() | frozenset() | deque() | dict():
                self.container(value, variable, path, put)
            case Variable():
                condition = f"{variable}._serial == {value._serial}"
                self.require(condition, path, variable, f"another {value.described}")
            case _:
                if not certain:
                    self.require_same(value, variable, path)
                self.owner(value, variable, path)

    def require_value(self, value, variable, path):
        if value is None or value is True or value is False or value is Ellipsis:
            self.require(f"{variable} is {value}", path, variable, repr(value))
        else:
            known = self.constant(value)
            condition = f"{variable} is {known} or same_value({variable}, {known})"
            self.require(condition, path, variable, repr(value))

    def array(self, value, variable, path, put):
        if (
            put is None
        ):  # nothing can stand in its place: it is a constant as long as it is the same
            held = self.constant(value.copy())
            self.require(f"same_array({variable}, {held})", path, variable, "other contents")
            return
        known = TensorType(value.dtype, value.shape)
        is_number = isinstance(value, np.generic)
        kind = self.constant(type(value)) if is_number else "ndarray"
        condition = array_condition(variable, known, self.constant(value.dtype), kind)
        self.require(condition, path, variable, str(known))
        self.reach.arrays.append(Captured(variable, path, value, put))

    # -- containers --------------------------------------------------------------------------------

    def container(self, value, variable, path, put):
        """Lists and the like: their type and all that they hold."""
        kind = self.constant(type(value))
        self.require(f"{variable}.__class__ is {kind}", path, variable, type(value).__name__)
        items = list(value.values() if isinstance(value, dict) else value)
        if isinstance(value, dict):
            keys = self.constant(tuple(value))
            self.require(f"same_items({variable}, {keys})", path, variable, f"{list(value)}")
        if all(map(is_value, items)) or isinstance(value, (set, frozenset)):
            held = self.constant(frozenset(items) if isinstance(value, (set, frozenset)) else items)
            inside = f"{variable}.values()" if isinstance(value, dict) else variable
            self.require(f"same_items({inside}, {held})", path, variable, repr(items))
            return
        if not isinstance(value, dict):
            self.require(f"len({variable}) == {len(items)}", path, variable, repr(items))
        rebuild = TupleItems(value, put) if isinstance(value, tuple) else None
        keys = list(value) if isinstance(value, dict) else range(len(items))
        for key, item in zip(keys, items, strict=True):
            shown = repr(key) if isinstance(key, (int, str)) else self.constant(key)
            self.visit(
                item,
                f"{variable}[{shown}]",
                f"{path}[{key!r}]",
                rebuild.putter(key) if rebuild else item_putter(value, key),
            )

    # -- functions, objects, classes, modules ----------------------------------------------------

    def owner(self, value, variable, path):
        """What has parts: what its code or its attributes lead to."""
        match value:
            case FunctionType():
                if is_users_function(value):
                    self.require_code(value, variable, path)
                    self.function(value, variable)
            case MethodType():
                self.visit(value.__func__, f"{variable}.__func__", path, None)
                self.visit(value.__self__, f"{variable}.__self__", path, None)
            case functools.partial():
                for name in ("func", "args", "keywords"):
                    self.visit(getattr(value, name), f"{variable}.{name}", f"{path}.{name}", None)
            case property():
                for name in ("fget", "fset"):
                    if getattr(value, name) is not None:
                        self.visit(getattr(value, name), f"{variable}.{name}", path, None)
            case staticmethod() | classmethod():
                self.visit(value.__func__, f"{variable}.__func__", path, None)
            case type():
                if is_users_class(value):
                    self.class_(value, variable, path)
            case ModuleType():
                if is_users_file(getattr(value, "__file__", None) or "<frozen >"):
                    self.attributes(value, variable, path, vars(value))
            case _:
                self.object(value, variable, path)

    def require_code(self, function, variable, path):
        code = self.constant(function.__code__)
        condition = f"{variable}.__code__ is {code}"
        self.require(condition, path, variable, "a function of other code")

    def function(self, function, variable):
        """The variables that a function's code names."""
        reads = reads_of(function.__code__)
        self.want(reads)
        place = self.place_of(function.__globals__)
        absent = set()
        for name in sorted(reads.globals):
            if name in function.__globals__:
                self.global_(function.__globals__, place, name, name in reads.globals_added_to)
            else:
                absent.add(name)  # a built-in one, unless it is bound one day
        if absent:
            self.require_absent(frozenset(absent), place, "")
        for i, name in enumerate(function.__code__.co_freevars):
            self.cell(function, variable, i, name, name in reads.free_added_to)
        for name in ("__defaults__", "__kwdefaults__"):
            if getattr(function, name):
                self.visit(getattr(function, name), f"{variable}.{name}", "a default", None)
        for name in sorted(reads.modules):
            module = sys.modules.get(name)
            if module is not None:
                self.look_into(module, self.constant(module), name, None, certain=True)

    def want(self, reads):
        own = reads.attributes - reads.attributes_added_to
        self.wanted |= own | ({"*"} if reads.any_attribute else set())

    def place_of(self, variables):
        """A name for the dictionary of a module's global variables."""
        if id(variables) not in self.places:
            self.places[id(variables)] = self.constant(variables, "g")
        return self.places[id(variables)]

    def global_(self, variables, place, name, only_added_to):
        value = variables[name]
        if only_added_to and not is_array(value):
            return
        self.visit(value, f"{place}[{name!r}]", name, lambda new: variables.__setitem__(name, new))

    def cell(self, function, variable, index, name, only_added_to):
        cell = function.__closure__[index]
        try:
            value = cell.cell_contents
        except ValueError:
            return
        if only_added_to and not is_array(value):
            return
        text = f"{variable}.__closure__[{index}].cell_contents"
        self.visit(value, text, name, lambda new: setattr(cell, "cell_contents", new))

    def class_(self, kind, variable, path):
        """The functions and the data of a class that code may read."""
        found = {
            name: item
            for name, item in vars(kind).items()
            if self.is_read(name) or _is_operator(name, item)
        }
        for name, item in found.items():
            text, inside = f"{variable}.__dict__[{name!r}]", f"{path}.{name}"
            self.visit(item, text, inside, functools.partial(write_attribute, kind, name))
        for base in kind.__bases__:
            if is_users_class(base):
                self.look_into(base, self.constant(base), base.__name__, None, certain=True)

    def object(self, value, variable, path):
        """The attributes of an object that code may read, and its class."""
        kind = type(value)
        held = attributes(value)
        if not held and not is_users_class(kind):
            return
        known = self.constant(kind)
        self.require(f"{variable}.__class__ is {known}", path, variable, kind.__name__)
        self.look_into(kind, known, kind.__name__, None, certain=True)
        self.attributes(value, variable, path, held)

    def attributes(self, value, variable, path, held):
        """The attributes that are there and may be read; that others are not there."""
        variables, members = dictionary(value), slots(type(value))
        absent = frozenset(name for name in self.names if name not in held and name != "*")
        if absent and variables is not None:
            self.require_absent(absent, f"{variable}.__dict__", f"{path}.")
        for name in sorted(absent & members.keys()):
            empty = f"read_slot({variable}, {self.constant(members[name])}) is MISSING"
            self.require(empty, f"{path}.{name}", variable, "an empty slot")
        plainly = _is_read_plainly(value)
        whole = isinstance(value, HoldsVariables)
        for name in [name for name in held if whole or self.is_read(name)]:
            text = f"{variable}.{name}"
            if not (plainly and name.isidentifier()):
                text = f"{variable}.__dict__[{name!r}]"
                if name in members:
                    text = f"{self.constant(members[name])}.__get__({variable})"
            put = functools.partial(write_attribute, value, name)
            self.visit(held[name], text, f"{path}.{name}", put)

    def is_read(self, name):
        """Whether some code may read an attribute of that name."""
        return name in self.names or "*" in self.names and not name.startswith("__")


def _is_operator(name, item):
    """Whether a class attribute is a method that operators call, which no code names."""
    return name.startswith("__") and name.endswith("__") and isinstance(item, FunctionType)


def _can_go(value):
    """Whether an object may have to be freed while graphs that were recorded with it are kept."""
    return not isinstance(value, (enum.Enum, CodeType))


def _is_of_the_runtime(value):
    """Whether an object is one of the runtime's own, whose code the walk does not look at."""
    module = type(value).__module__
    return module.partition(".")[0] == __name__.partition(".")[0] and hasattr(value, "__dict__")


def _is_read_plainly(value):
    """Whether `x.name` reads an attribute of an object without running code of the user's."""
    return type(value).__getattribute__ is object.__getattribute__ or isinstance(value, ModuleType)


def _shown(value):
    return getattr(value, "__qualname__", None) or repr(value)


# -- what the conditions call ----------------------------------------------------------------------


def same_array(now: Any, before: np.ndarray) -> bool:
    """Whether an array holds the same bits."""
    same_kind = type(now) is type(before) and now.dtype == before.dtype
    return same_kind and now.shape == before.shape and now.tobytes() == before.tobytes()


def same_items(now, before) -> bool:
    """Whether a container holds the same values, in the same order unless it is a set."""
    if len(now) != len(before):
        return False
    if isinstance(before, frozenset):
        return now == before and {(type(x), x) for x in now} == {(type(x), x) for x in before}
    return all(x is y or same_value(x, y) for x, y in zip(now, before, strict=True))


CONDITIONS = {
    "same_value": same_value,
    "same_array": same_array,
    "same_items": same_items,
    "read_slot": read_slot,
    "MISSING": MISSING,
}
