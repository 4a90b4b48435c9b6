"""Attributes that can be read without running the user's code."""

from keyword import iskeyword
from types import FunctionType, GetSetDescriptorType, ModuleType, WrapperDescriptorType

from autograph.staging.held_objects import serves_library
from autograph.staging.object_state import dictionary


def is_operator(name, item):
    """Whether a class attribute is a method that operators call, which no code names."""
    return name.startswith("__") and name.endswith("__") and isinstance(item, FunctionType)


def is_read_implicitly(kind, name, item):
    """Whether operators call a class attribute, or a library's base class may read it."""
    return is_operator(name, item) or serves_library(kind) and not name.startswith("__")


def has_plain_attributes(value):
    """Whether `x.name` reads an attribute of an object without running user code, also if the
    object has no such attribute any more."""
    kind = type(value)
    if kind is ModuleType:
        return "__getattr__" not in (dictionary(value) or {})
    own = next(base for base in kind.__mro__ if "__getattribute__" in vars(base))
    return own is object and not any("__getattr__" in vars(base) for base in kind.__mro__)


def has_plain_dictionary(value):
    """Whether `x.__dict__` is the dictionary of an object, and runs no code: a class that computes
    its attributes itself computes this one, too; that of a lazy module then imports the module."""
    kind = type(value)
    own = next(base for base in kind.__mro__ if "__getattribute__" in vars(base))
    shown = next(
        (vars(base)["__dict__"] for base in kind.__mro__ if "__dict__" in vars(base)), None
    )
    is_plain = type(vars(own)["__getattribute__"]) is WrapperDescriptorType  # written in C
    return is_plain and (shown is None or isinstance(shown, GetSetDescriptorType))


def is_plain_name(kind, name, member):
    """Whether `x.name` reads the item or slot of that name, and not a property."""
    found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    is_stored = found is member or not hasattr(type(found), "__get__")
    return is_stored and name.isidentifier() and not iskeyword(name)
