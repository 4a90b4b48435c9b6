"""Adds guard records: a read binds a variable, a condition is stated once.

    builder.read("global", "_c0", "limit", "limit")         _v0 = _c0['limit']
    builder.require_value(3, "_v0", "limit")                _v0 is 3

The walk over everything that a function reads (`environment.py`) consists of these steps.
"""

import enum
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.staging.object_state import dictionary
from runtime.function.guards.captured_arrays import CapturedArray, CapturedNumber, Place, PlaceKey
from runtime.function.guards.plain_attributes import has_plain_dictionary
from runtime.function.guards.records import Names, Record
from runtime.ir.types import TensorType
from runtime.tracing.descriptions import described, kind_name


@dataclass
class Environment:
    """The guards on everything that a function can read, and the arrays among it."""

    records: list[Record] = field(default_factory=list)
    arrays: list[CapturedArray] = field(default_factory=list)
    variables: dict[int, str] = field(default_factory=dict)  # by the identity of their values
    iterators: list[str] = field(default_factory=list)  # the paths of those that reading uses up
    compared: set[PlaceKey] = field(default_factory=set)  # places whose values are conditions
    objects: list[Any] = field(default_factory=list)  # with attributes
    whole: set[int] = field(default_factory=set)  # containers, all of whose places are
    streams: list[Any] = field(default_factory=list)  # generators whose state is a condition


class RecordBuilder:
    """The records of one walk, in order; none is there twice."""

    def __init__(self, names: Names):
        self.names = names
        self.environment = Environment()
        self.variables = self.environment.variables
        self.alive: list[Any] = []  # keeps identities unique during the walk
        self.reads: dict[tuple, str] = {}  # variables, by the key of the read
        self.conditions: set[tuple] = set()

    def read(self, kind, source, constant, path):
        """The variable that a read binds; reading the same again returns the same variable."""
        variable = self.names.variable(len(self.reads))
        record = Record(kind, source, constant, path, target=variable)
        known = self.reads.setdefault(record.key, variable)
        if known is variable:
            self.environment.records.append(record)
        return known

    def require(self, kind, source, constant, path, expected=""):
        """Adds a condition, unless it is there."""
        record = Record(kind, source, constant, path, expected=expected)
        if record.key not in self.conditions:
            self.conditions.add(record.key)
            self.environment.records.append(record)

    def dictionary_item(self, value, variable, name):
        """The (kind, source, constant) of a read in the dictionary of an object."""
        if has_plain_dictionary(value):
            return "dict_item", variable, name
        return "item", self.read("contents", variable, dictionary, ""), name

    def require_absent(self, value, variable, names, path):
        """Attributes of an object, class or module that its dictionary must not have."""
        if has_plain_dictionary(value):
            self.require("absent_attributes", variable, frozenset(names), f"{path}.")
        else:
            held = self.read("contents", variable, dictionary, "")
            self.require("absent_globals", held, frozenset(names), f"{path}.")

    def require_same(self, value, variable, path):
        """It must be the same object; functions, classes and modules are kept alive for that."""
        kind = type(value)
        if kind in KEPT or issubclass(kind, (type, enum.Enum, ModuleType)):
            self.require("same", variable, value, path, described(value))
        else:
            self.require("same_address", variable, id(value), path, another(value))

    def require_value(self, value, variable, path):
        """It must be an equal plain value of the same type."""
        is_singleton = value is None or value is True or value is False or value is Ellipsis
        kind = "same" if is_singleton else "value"
        self.require(kind, variable, value, path, described(value))

    def number(self, value: Any, variable: str, path: str, place: Place) -> None:
        """It must be a number of the same type; the graph takes it as an input."""
        self.require("class", variable, type(value), path, type(value).__name__)
        self.environment.arrays.append(CapturedNumber(variable, path, value, place))

    def array(self, value, variable, path, place):
        """It must be an array of the same type; one that cannot be replaced, the same bits."""
        known = TensorType(value.dtype, value.shape)
        if place is None:
            self.require("same_contents", variable, value.copy(), path, "other contents")
            return
        if issubclass(type(value), np.generic):
            self.require("class", variable, type(value), path, str(known))
        else:
            self.require("array", variable, known, path, str(known))
        self.environment.arrays.append(CapturedArray(variable, path, value, place))


# Classes of objects that need not be freed while graphs that were traced with them are alive.
KEPT = (FunctionType, CodeType)


def another(value: Any) -> str:
    """The word of explanations for an object that is there in place of this one."""
    return f"another {kind_name(type(value))}"
