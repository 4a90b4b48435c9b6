"""The attributes that the code of a walk reads, which decide which objects the walk visits."""

from dataclasses import dataclass, field
from typing import Any

from autograph.staging.held_objects import hooks
from runtime.function.guards.library_state import is_store
from runtime.tracing.bytecode_reads import Reads


@dataclass
class Wanted:
    """The attributes that some code reads: their names, and pairs of a variable and a name."""

    names: set[str] = field(default_factory=set)
    added_to: set[str] = field(default_factory=set)  # names of those that some code only adds to
    pairs: set[tuple[str, str]] = field(default_factory=set)
    any: bool = False  # code may read attributes whose names it does not contain
    asked: bool = False  # code may ask whether an attribute is there
    listed: bool = False  # code may ask which attributes there are
    shown: bool = False  # code may show or compare all attributes of an object
    described: bool = False  # code may read what functions say about themselves
    loaded: set[str] = field(default_factory=set)  # entries of sys.modules that code reads
    any_loaded: bool = False  # code may read others
    class_names: set[str] = field(default_factory=set)  # of the attributes of classes

    def add(self, reads: Reads) -> None:
        """Adds the attributes that one function reads."""
        self.names |= reads.attributes - reads.attributes_write_only
        self.added_to |= reads.attributes_write_only
        self.pairs |= reads.pairs
        self.any |= reads.any_attribute
        self.asked |= reads.asks_for_attributes
        self.listed |= reads.lists_attributes
        self.shown |= reads.shows_objects
        self.described |= reads.describes_functions
        self.any_loaded |= reads.loaded is None
        self.loaded |= reads.loaded or frozenset()

    def add_class(self, kind: type, held: dict[str, object], known: "Wanted") -> None:
        """Adds the names in a class: those of its members, of the methods that a library may call,
        and of the attributes that patterns read by position."""
        self.class_names |= held.keys()
        self.names |= hooks(kind)
        matched = held.get("__match_args__")
        if "__match_args__" in known.names and type(matched) is tuple:
            self.names |= {name for name in matched if type(name) is str}

    def reads(self, name: str, value: Any) -> bool:
        """Whether some code may read an attribute that holds a value: it reads one that it only
        adds to, unless the value is a container or a number."""
        return self.has(name) or name in self.added_to and not is_store(value)

    def has(self, name: str) -> bool:
        """Whether some code may read an attribute of that name."""
        return name in self.names or self.any and not name.startswith("__")
