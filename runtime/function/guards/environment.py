"""Collects guards on everything that a function may read besides its arguments.

    limit = 3; W = np.eye(2)                    v0 = g0['limit'];  v0 is 3
                                                v1 = g0['W'];      v1 is an array f64[2, 2]
    def f(x):                           ->      v2 = g0['helper']; v2 is that function
        return helper(x @ W) + limit

The walk starts at the function.  It follows the global and free variables that its code names, into
the functions, objects and containers that they hold, and on from there; of objects and modules it
looks at the attributes that any of this code names.  It returns a straight list of records
(`records.py`): each reads one thing, or states a condition.  While all conditions hold, tracing the
function again would give the same graph.  The contents of arrays are not guarded, only their types:
the graph takes these arrays as inputs.

No user code runs.  The reads of C functions are not seen.
"""

import decimal
import enum
import operator
import sys
import weakref
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.functions.bytecode import looked_up_globals
from autograph.functions.policy import is_users_class, is_users_function
from autograph.staging.held_objects import (
    SearchForUser,
    cell_contents,
    cells,
    held_objects,
    is_registered,
    is_searched,
    names_sought,
)
from autograph.staging.object_state import attributes, dictionary, slots
from runtime.function.guards.captured_arrays import (
    CapturedArray,
    PlaceKey,
    attribute_place,
    cell_place,
    global_place,
    is_array,
    is_number,
    item_place,
)
from runtime.function.guards.contents import PLAIN, description_of, reader_of
from runtime.function.guards.library_state import (
    NAMESPACES,
    attribute_readers,
    is_fixed,
    is_plain,
    is_read_whole,
    is_store,
    is_used_up,
    names_held,
    referent,
    value_in_context,
)
from runtime.function.guards.module_guards import ModuleGuards
from runtime.function.guards.plain_attributes import (
    has_plain_attributes,
    has_plain_dictionary,
    is_plain_name,
    is_read_implicitly,
)
from runtime.function.guards.record_builder import Environment, another
from runtime.function.guards.records import Names
from runtime.function.guards.wanted import Wanted
from runtime.ir.op import Op
from runtime.staging.calls.outside_answers import decimal_context
from runtime.state.variable import Variable
from runtime.tracing.bytecode_reads import reads_of
from runtime.tracing.descriptions import described, kind_name
from runtime.tracing.signature import is_value


def collect_guards(
    function: Callable,
    objects: dict[str, tuple[str, Any]],
    names: Names,
    numbers: frozenset[PlaceKey] = frozenset(),
    results: Sequence[Any] = (),
) -> Environment:
    """The guards on everything that a function, its arguments and `results` of caches can read.

    `objects` maps each variable of the guard that holds an object to the object's path and the
    object.  The numbers in the places `numbers` become inputs of the graph.
    """
    wanted, search = Wanted(), SearchForUser()
    while True:
        builder = GuardBuilder(wanted, names, search, numbers)
        builder.start(function, objects, results)
        if builder.wanted == wanted:
            return builder.environment
        wanted = builder.wanted  # more code was found, which reads more attributes


class GuardBuilder(ModuleGuards):
    """One walk, which looks at the attributes that were `known` to be read at its start."""

    def __init__(
        self, known: Wanted, names: Names, search: SearchForUser, numbers: frozenset[PlaceKey]
    ):
        super().__init__(names)
        self.numbers = numbers
        self.known = known
        self.search = search
        self.wanted = Wanted()
        self.seen = set()

    def start(self, function, objects, results):
        """Walks from the function, the objects and the results."""
        for variable, (path, value) in objects.items():
            self.look_into(value, variable, path, None)
        self.look_into(function, self.names.of(function), "", None, certain=True)
        for one in results:
            read = "contents", "None", one.read
            self.visit(one.result, read, one.shown(), attribute_place(one, "result"))

    # -- values ------------------------------------------------------------------------------------

    def visit(self, value, read, path, place):
        """Reads something by (kind, source, constant), and looks into it."""
        self.look_into(value, self.read(*read, path), path, place)

    def look_into(self, value, variable, path, place, certain=False):
        """Adds the conditions on a value that a variable of the guard holds.

        `place` is where the value was read, None if it cannot be replaced there; `certain`: it is
        always the same object.
        """
        if place is not None and place.key is not None:
            self.environment.compared.add(place.key)
            if place.key in self.numbers and is_number(value):
                self.number(value, variable, path, place)
                return
        self.class_of_library(type(value))
        if is_value(value):
            self.require_value(value, variable, path)
            if type(value) is decimal.Decimal:
                self.visit(decimal_context(), ("contents", "None", decimal_context), "", None)
            if not issubclass(type(value), enum.Enum):
                return
        if (known := self.variables.get(id(value))) is not None:
            if not certain and known != variable:
                self.require("same_variable", variable, known, path, another(value))
            if is_array(value) and place is not None:
                self.environment.arrays.append(CapturedArray(variable, path, value, place))
            return
        self.variables[id(value)] = variable
        self.alive.append(value)
        kind = type(value)
        if is_array(value):
            self.array(value, variable, path, place)
        elif value is sys.modules and self.known.loaded and not self.known.any_loaded:
            self.loaded_modules(variable, path)
        elif issubclass(kind, PLAIN):
            self.container(value, variable, path, place)
        elif issubclass(kind, Variable):
            constant = kind, value._serial
            self.require("serial", variable, constant, path, f"another {value.described}")
        else:
            if not certain and not is_value(value):
                self.require_same(value, variable, path)
            if is_used_up(value):
                self.environment.iterators.append(path)
            if (reader := reader_of(value)) is not None:
                self.require("class", variable, kind, path, kind_name(kind))
                self.contents(value, variable, path, reader)
            self.owner(value, variable, path)

    # -- functions, objects, classes, modules ----------------------------------------------------

    def owner(self, value, variable, path):
        """Follows the code or the attributes of an object."""
        kind = type(value)
        if issubclass(kind, ModuleType):
            self.module(value, variable, path)
        elif issubclass(kind, type):
            self.class_of_library(value)
            if is_users_class(value) and not is_fixed(value):
                self.class_(value, variable, path)
        elif has_plain_dictionary(value):
            self.known_owner(value, variable, path)
        else:  # a pattern would ask the object for its class
            self.other_owner(value, variable, path)

    def known_owner(self, value, variable, path):
        """Follows an object that may be one of the kinds that guards know."""
        match value:
            case FunctionType():
                if is_users_function(value) and not is_fixed(value):
                    expected = "a function of other code"
                    self.require("code", variable, value.__code__, path, expected)
                    self.function(value, variable)
                    self.function_attributes(value, variable, path)
                    self.stored(value, variable, path)
                else:
                    self.library_function(value, variable)
            case operator.attrgetter() | operator.methodcaller():
                self.wanted.names |= names_sought(value)
            case np.random.Generator() | np.random.RandomState() | np.random.BitGenerator():
                self.stream(value, variable, path)
            case ContextVar():
                found = value_in_context(value)
                self.visit(found, ("contents", variable, value_in_context), path, None)
            case weakref.ProxyType() | weakref.CallableProxyType():
                self.visit(referent(value), ("contents", variable, referent), path, None)
            case weakref.ref() if type(value) is weakref.ref:
                self.visit(value(), ("referent", variable, None), path, None)
            case Op():
                pass  # a record, which never changes
            case _:
                self.other_owner(value, variable, path)

    def other_owner(self, value, variable, path):
        """What a holder holds, or the attributes of an object."""
        for name, held in (held_objects(value) or {}).items():
            shown = path if name.startswith("__") else f"{path}.{name}"
            self.visit(held, ("attribute", variable, name), shown, None)
        if is_registered(value):
            self.function_attributes(value, variable, path)
        else:
            self.object(value, variable, path)

    def function_attributes(self, function, variable, path):
        """The attributes that the user has given to a function."""
        if self.known.described:
            self.contents(function, variable, path, description_of)
        held = vars(function)
        for name in held:
            if self.known.reads(name, held[name]) and not name.startswith("_"):
                place = item_place(held, name)
                self.visit(held[name], ("dict_item", variable, name), f"{path}.{name}", place)
        last = path.rpartition(".")[2]
        absent = {name for owner, name in self.known.pairs if owner == last}
        if self.known.asked:
            absent |= self.known.names
        absent = {n for n in absent - held.keys() if not hasattr(type(function), n)}
        if absent:
            self.require("absent_attributes", variable, frozenset(absent), f"{path}.")

    def library_function(self, function, variable):
        """The variables of a library's function that hold objects of the user."""
        for i, (name, cell) in enumerate(cells(function).items()):
            if any(map(self.search.leads, cell_contents(cell))):
                self.cell(function, variable, i, name, False)
        for name, held in vars(function).items():
            if self.search.leads(held):
                self.visit(held, ("dict_item", variable, name), f"{function.__name__}.{name}", None)

    def attribute(self, value, variable, name, path):
        """An attribute of a function, method or the like, which cannot be replaced."""
        self.visit(getattr(value, name), ("attribute", variable, name), path, None)

    def function(self, function, variable):
        """The variables that a function's code names, and its defaults."""
        reads, looked_up = reads_of(function.__code__), looked_up_globals(function.__code__)
        self.wanted.add(reads)
        if "__name__" in self.wanted.loaded:
            self.wanted.loaded.add(function.__globals__.get("__name__", "__main__"))
        variables = function.__globals__
        absent = set()
        for name in sorted({*reads.globals, *looked_up} - {None}):
            if name in variables:
                self.global_(variables, name, name in reads.globals_write_only)
            else:
                absent.add(name)  # a builtin, unless it is bound one day
        if absent:
            source = self.names.of(variables)
            self.require("absent_globals", source, frozenset(absent), "")
            self.added_builtins(function.__builtins__, absent)
        if None in looked_up or not absent.isdisjoint(("eval", "exec")):
            self.all_globals(variables)
        for i, name in enumerate(function.__code__.co_freevars):
            self.cell(function, variable, i, name, name in reads.free_write_only)
        if function.__defaults__:
            self.attribute(function, variable, "__defaults__", "a default")
        if function.__kwdefaults__:
            self.keyword_defaults(function.__kwdefaults__, variable)
        for name in sorted(reads.modules & sys.modules.keys()):
            self.imported(name)

    def keyword_defaults(self, defaults, variable):
        """Each default by itself, so that identity decides and nothing is compared by value."""
        held = self.read("attribute", variable, "__kwdefaults__", "a default")
        self.require("length", held, len(defaults), "a default", described(defaults))
        for name, value in defaults.items():
            self.visit(value, ("item", held, name), f"the default of {name}", None)

    def global_(self, variables, name, only_added_to):
        """A global variable of a module."""
        value = variables[name]
        if only_added_to and is_store(value):
            return
        read = "global", self.names.of(variables), name
        self.visit(value, read, name, global_place(variables, name))

    def all_globals(self, variables):
        """All global variables of a module: code may look them up by names that it computes."""
        names = [name for name in variables if not name.startswith("__")]
        source = self.names.of(variables)
        self.require("keys", source, tuple(variables), "the global variables", described(names))
        for name in names:
            self.global_(variables, name, False)

    def cell(self, function, variable, index, name, only_added_to):
        """A free variable of a function."""
        cell = function.__closure__[index]
        try:
            value = cell.cell_contents
        except ValueError:
            return
        if only_added_to and is_store(value):
            return
        self.visit(value, ("cell", variable, index), name, cell_place(cell))

    def class_(self, kind, variable, path):
        """The functions and the data of a class that code may read; that no others hide some."""
        held = dictionary(kind) or {}  # `vars` would ask the class of the class
        self.wanted.add_class(kind, held, self.known)
        absent = self.known.names - held.keys()
        if not (self.known.asked or "__getattr__" in self.known.class_names):
            absent &= self.known.class_names  # only what would hide another one
        if absent:
            self.require_absent(kind, variable, absent, path)
        if self.known.listed:
            self.contents(kind, variable, path, names_held)
        if self.known.described:
            self.contents(kind, variable, path, description_of)
        self.stored(kind, variable, path)
        for name, item in list(held.items()):
            if self.known.reads(name, item) or is_read_implicitly(kind, name, item):
                read = self.dictionary_item(kind, variable, name)
                self.visit(item, read, f"{path}.{name}", attribute_place(kind, name))
        if kind.__bases__ != (object,):  # which Python lets no one replace
            self.require("bases", variable, kind.__bases__, path, described(kind.__bases__))
        for base in (*kind.__bases__, type(kind)):
            self.class_of_library(base)
            if is_users_class(base):
                self.look_into(base, self.names.of(base), kind_name(base), None, certain=True)

    def object(self, value, variable, path):
        """The attributes of an object that code may read, and its class."""
        kind, held = type(value), attributes(value)
        self.environment.objects.append(value)
        if not (held or is_users_class(kind) or self._is_shown(value)):
            self.stored(value, variable, path)
            return
        self.require("class", variable, kind, path, kind_name(kind))
        self.look_into(kind, self.names.of(kind), kind_name(kind), None, certain=True)
        self.attributes(value, variable, path, held)

    def stored(self, value, variable, path):
        """The attributes that an object keeps in C, or that a library computes, if code reads
        them and they are plain values."""
        readers = attribute_readers(type(value))
        for name in sorted(self.known.names & readers.keys()):
            found = readers[name](value)
            if is_plain(found):
                self.visit(found, ("contents", variable, readers[name]), f"{path}.{name}", None)

    def _is_shown(self, value):
        """Whether code may show all attributes of a namespace, of whatever names."""
        return self.known.shown and issubclass(type(value), NAMESPACES)

    def attributes(self, value, variable, path, held):
        """The attributes that are there and may be read; that others are not there."""
        members = slots(type(value))
        absent = frozenset(self.known.names - held.keys())
        lists = self.known.listed or self._is_shown(value)
        if lists and not isinstance(value, ModuleType):
            self.contents(value, variable, path, names_held)
        self.stored(value, variable, path)
        if absent and dictionary(value) is not None:
            self.require_absent(value, variable, absent, path)
        for name in sorted(absent & members.keys()):
            self.require("empty_slot", variable, members[name], f"{path}.{name}", "an empty slot")
        is_plain = has_plain_attributes(value)
        is_library = is_searched(value)
        all_are_read = is_read_whole(value, self.known.shown)
        for name in held:
            is_read = all_are_read or self.known.reads(name, held[name])
            if not (is_read or is_library and self.search.leads(held[name])):
                continue
            if name == "__call__" and name in members:
                continue  # an rt.function replaces its own, which changes nothing
            if is_plain and is_plain_name(type(value), name, members.get(name)):
                read = "attribute", variable, name
            elif name in members:
                read = "slot", variable, members[name]
            else:
                read = self.dictionary_item(value, variable, name)
            self.visit(held[name], read, f"{path}.{name}", attribute_place(value, name))
