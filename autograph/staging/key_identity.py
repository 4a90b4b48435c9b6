"""Keys of dicts by which contents are compared without the user's `__hash__` and `__eq__`.

    {"a": 1}                 {"a": 1}
    {point: 1}               {KeyIdentity(point): 1}         the same key is the same object

A dict has each key once, and a write keeps the key that is there: so the identity is enough to find
the item again.  Keys of builtin types are their own: their `==` is Python's.
"""

from typing import Any

from autograph.functions.policy import is_users_class

_OWN = frozenset({bool, int, float, complex, str, bytes, type(None)})


class KeyIdentity:
    """A key of the user's class, or a tuple with one: equal if the parts are the same objects."""

    __slots__ = ("identity", "key")

    def __init__(self, key: Any, identity: tuple):
        self.key, self.identity = key, identity

    def __eq__(self, other: object) -> bool:
        return type(other) is KeyIdentity and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)


class Contents(dict):
    """The contents of a dict by identities of keys, and the `original`, a copy of the dict."""

    __slots__ = ("original",)


def contents_by_identity(items: dict, kind: type[dict] = dict) -> dict:
    """The contents of a dict, with identities in place of the user's keys, in the order that `kind`
    gives them."""
    pairs = list(kind.items(items))  # at once: other threads may write meanwhile
    if _OWN.issuperset(type(key) for key, _ in pairs):
        return dict(pairs)
    held = Contents((identified(key), value) for key, value in pairs)
    held.original = None
    if type(items).__iter__ is dict.__iter__:  # else the copy would call the user's methods
        held.original = dict.copy(items)
    return held


def plain_contents(held: dict) -> dict:
    """The contents by the keys themselves."""
    original = held.original if isinstance(held, Contents) else held
    if original is not None:
        return original
    return {original_key(key): value for key, value in held.items()}


def identified(key: Any) -> Any:
    """A key whose `==` and `hash` run no code of the user."""
    identity = _identity(key)
    return key if identity is None else KeyIdentity(key, identity)


def original_key(key: Any) -> Any:
    """The key itself."""
    return key.key if type(key) is KeyIdentity else key


def _identity(key: Any) -> tuple | None:
    """What identifies a key; None if its own `==` does, which is not the user's."""
    kind = type(key)
    if kind in _OWN:
        return None
    if kind is tuple:
        parts = list(map(_identity, key))
        if all(part is None for part in parts):
            return None
        pairs = zip(parts, key, strict=True)
        return tuple(item if part is None else part for part, item in pairs)
    return (KeyIdentity, id(key)) if is_users_class(kind) else None
