"""Facts that operators keep about the types of plain values, so that they look them up once.

A failed look-up of an attribute is slow, and operators meet the same few types again and again.
They are forgotten when a backend is made or registered.
"""

from weakref import ref

# Builtin types whose operations on the objects themselves run no user code, and that no backend
# stages.
builtin_types: set[type] = {
    *(bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, range),
    *(type(None), type({}.keys()), type({}.values()), type({}.items())),
}

# By identity: the types that no backend stages, and those among them whose truth, and in which
# objects of builtin types, operators may look for by themselves.
plain_types: dict[int, "ref[type]"] = {}
plain_truth: set[int] = set()
plain_contents: set[int] = set()


def remember_plain(kind: type) -> None:
    """Remembers that no backend stages a type, as long as the type exists."""
    key = id(kind)
    plain_types[key] = ref(kind, lambda _: _forget(key))


def _forget(key: int) -> None:
    plain_types.pop(key, None)
    plain_truth.discard(key)
    plain_contents.discard(key)


def forget_types() -> None:
    """Forgets which types are plain: a new backend may stage them."""
    plain_truth.clear()
    plain_contents.clear()
    plain_types.clear()


def stages_builtin(kind: type) -> None:
    """A backend stages a type and its subclasses: the builtin ones are plain no longer."""
    builtin_types.difference_update([one for one in builtin_types if issubclass(one, kind)])
