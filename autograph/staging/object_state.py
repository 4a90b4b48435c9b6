"""Reads and writes the attributes of objects without running any user code.

    class Box:                          attributes(box) == {"_Box__value": 1, "name": "b"}
        __slots__ = "__value",          write_attribute(box, "_Box__value", 2)
    class Named(Box):                   write_attribute(box, "name", MISSING)      deletes it
        pass                            fill(box, {"name": "c"})               and nothing else

Slots are found by their member descriptors, because the names in `__slots__` are not the names of
the attributes: `__value` is stored as `_Box__value`, and `__slots__ = "value"` is one name.
Properties, `__getattr__` and `__setattr__` are bypassed.  Not read: `__weakref__`, and attributes
that a C class keeps to itself.
"""

from threading import local
from types import MemberDescriptorType, ModuleType

MISSING = type("Missing", (), {"__repr__": lambda self: "<missing>"})()


def slots(kind: type) -> dict[str, MemberDescriptorType]:
    """The slots of a class and its bases, by the name that code reads them under.

    Where two classes have a slot of one name, reading the name finds that of the derived class.
    """
    found: dict[str, MemberDescriptorType] = {}
    for base in kind.__mro__:
        if "__slots__" in vars(base):
            for name, member in vars(base).items():
                if isinstance(member, MemberDescriptorType):
                    found.setdefault(name, member)
    return found


def dictionary(value: object) -> dict | None:
    """The `__dict__` of an object; None if it has none."""
    if issubclass(type(value), local):  # each thread has its own
        return local.__getattribute__(value, "__dict__")
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None


def attributes(value: object) -> dict[str, object]:
    """The attributes of an object: its slots that are set, and its `__dict__`.

    A slot hides an item of the `__dict__` with the same name, as it does when code reads it.
    """
    members = slots(type(value))
    held = {name: read_slot(value, member) for name, member in members.items()}
    held = {name: item for name, item in held.items() if item is not MISSING}
    for name, item in list((dictionary(value) or {}).items()):  # other threads may add to it
        if name not in members:
            held[name] = item
    return held


def read_slot(value: object, member: MemberDescriptorType) -> object:
    """The content of a slot; MISSING if it is not set."""
    try:
        return member.__get__(value, type(value))
    except AttributeError:
        return MISSING


def write_attribute(value: object, name: str, item: object) -> None:
    """Sets an attribute of an object, class or module, or deletes it if `item` is MISSING.

    Raises `AttributeError` if the object cannot have such an attribute, or has none to delete.
    """
    if isinstance(value, (ModuleType, type)):
        delattr(value, name) if item is MISSING else setattr(value, name, item)
        return
    member, held = slots(type(value)).get(name), dictionary(value)
    if member is not None:
        member.__delete__(value) if item is MISSING else member.__set__(value, item)
    elif item is not MISSING and held is not None:
        held[name] = item
    elif held is not None and name in held:
        del held[name]
    else:
        raise AttributeError(f"{type(value).__name__!r} object has no attribute {name!r}")


def fill(value: object, held: dict[str, object]) -> None:
    """Gives an object these attributes and no others."""
    for name in [name for name in attributes(value) if name not in held]:
        write_attribute(value, name, MISSING)
    for name, item in held.items():
        write_attribute(value, name, item)


def object_with(kind: type, held: dict[str, object]) -> object:
    """An object of a class with these attributes; its constructor does not run."""
    made = object.__new__(kind)
    fill(made, held)
    return made
