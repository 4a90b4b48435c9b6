"""Guards on modules: those that code names or imports, and names that were added to the builtins;
and on random generators.

    settings.RATE                       the data of a module that the code names
    import plugin                       that it is the same module
    sys.modules["plugin"]               the entry

Functions and constants of numerical modules are taken to be constant (`library_state.py`).
"""

import sys
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from autograph.staging.object_state import dictionary
from runtime.function.guards.container_guards import ContainerGuards
from runtime.function.guards.library_state import (
    FIXED,
    has_replaceable_methods,
    is_replaceable,
    is_users_module,
    replaceable_methods,
)
from runtime.function.guards.plain_attributes import has_plain_dictionary
from runtime.function.guards.wanted import Wanted
from runtime.staging.calls.drawn_streams import state_of
from runtime.tracing.descriptions import kind_name

# Builtins that programs replace, such as tests of programs that ask and print.
IS_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE
REPLACED = frozenset({"input", "open", "print"})


class ModuleGuards(ContainerGuards):
    """The part of a walk that looks at modules."""

    known: Wanted
    seen: set[type]  # the classes of libraries that the walk has met

    def look_into(self, value: Any, variable: str, path: str, place: Any, certain=False) -> None:
        """Adds the conditions on a value that a variable of the guard holds."""
        raise NotImplementedError

    def attributes(self, value: Any, variable: str, path: str, held: dict) -> None:
        """The attributes that are there and may be read; that others are not there."""
        raise NotImplementedError

    def stream(self, generator, variable, path):
        """The state of a random generator of NumPy, if code may read it by attributes."""
        is_owner = not isinstance(generator, np.random.BitGenerator)
        if ("bit_generator" if is_owner else "state") in self.known.names:
            self.contents(generator, variable, path, state_of)
        elif is_owner:
            return
        self.environment.streams.append(generator)

    def module(self, module, variable, path):
        """The attributes of a module that code may read; of a library's, those that are data."""
        held = dictionary(module) or {}
        if not has_plain_dictionary(module):  # an import gives a lazy module another class
            kind = type(module)
            self.require("class", variable, kind, path, kind_name(kind))
        if is_users_module(module):
            self.attributes(module, variable, path, held)
            return
        last = path.rpartition(".")[2]
        named = {name for owner, name in self.known.pairs if owner == last and name in held}
        for name in sorted(named):
            if is_replaceable(module, held[name]):
                self.visit(held[name], ("attribute", variable, name), f"{path}.{name}", None)

    def library_class(self, kind, path):
        """The methods and properties of a library's class that code may read; that no others hide
        them."""
        for name, found, classes in replaceable_methods(kind, self.known.names):
            if found is not None:
                *classes, owner = classes
                read = self.dictionary_item(owner, self.names.of(owner), name)
                self.require_same(found, self.read(*read, f"{path}.{name}"), f"{path}.{name}")
            for one in classes:
                self.require_absent(one, self.names.of(one), (name,), path)

    def class_of_library(self, kind):
        """The class of an object, if it is one of a library."""
        if kind not in self.seen and kind.__flags__ & IS_HEAP_TYPE:
            self.seen.add(kind)
            if has_replaceable_methods(kind):
                self.library_class(kind, kind_name(kind))

    def loaded_modules(self, variable, path):
        """The entries of `sys.modules` that code reads by their names, and no others."""
        for name in sorted(self.known.loaded & sys.modules.keys()):
            self.visit(sys.modules[name], ("item", variable, name), f"{path}[{name!r}]", None)
        absent = self.known.loaded - sys.modules.keys()
        if absent:
            self.require("absent_globals", variable, frozenset(absent), f"{path}.")

    def imported(self, name):
        """A module that code imports itself: that it is the same one, and its attributes."""
        module = sys.modules[name]
        if name.partition(".")[0] in FIXED:
            self.look_into(module, self.names.of(module), name, None, certain=True)
        else:
            self.visit(module, ("item", self.names.of(sys.modules), name), name, None)

    def added_builtins(self, variables, names):
        """The builtins among some names that a program has added, or may replace."""
        for name in sorted(names & variables.keys()):
            value = variables[name]
            if name in REPLACED or not _is_pythons_own(value):
                self.visit(value, ("item", self.names.of(variables), name), name, None)


def _is_pythons_own(value: Any) -> bool:
    return type(value) in (BuiltinFunctionType, type) and value.__module__ == "builtins"
