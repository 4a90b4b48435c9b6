"""The keys of staged dicts and sets, which are lists of the graph.

    place = key_place(keys, key, given=(_1,))     where a dict has a key; -1 if it has not
    items = set_order(keys)                       the elements in the order of a set

Equal keys are one key, as in Python: their hashes and their values are equal.  Python also finds a
NaN by its identity, which no graph has: a run that meets one ends, and Python goes on.

The NumPy engine makes a `KeyList` for the keys, which has an index (`engines/numpy/key_lists.py`).
In other lists, a search compares one key after the other.
"""

from typing import Any

from autograph.errors import LibraryResultError
from runtime.ir.derivative import Adjoint, NoDerivative
from runtime.ir.op import Op
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import Aliasing, Traits
from runtime.ir.types import INT
from runtime.ops.examples import ITEMS, call

# How often a search compares all keys before an index is made, which takes as long.
INDEXED_AFTER = 4


class KeyList(list):
    """A list of different keys, which finds the place of a key by an index once searches have
    taken as many comparisons as the index takes to be made."""

    _places: dict[Any, int] | None = None  # of the first keys: others may have been appended
    _compared = 0  # keys, in searches since the index was made

    def place(self, key: Any) -> int:
        """The index of a key; -1 if it is not there."""
        places, length = self._places, len(self)
        if places is None:
            self._compared += length
            if self._compared <= INDEXED_AFTER * length:
                return _place_among(self, key)
            places = self._places = {}
        for new in self[len(places) :] if len(places) < length else ():
            places.setdefault(new, len(places))
        if len(places) == length:
            return places.get(key, -1)
        self._moved()  # a key is there twice
        return _place_among(self, key)

    def _moved(self):
        self._places, self._compared = None, 0

    def copy(self) -> "KeyList":
        """Another list of the same keys."""
        return KeyList(self)


def _moving(name):
    """A method of lists that moves or replaces elements."""
    change = getattr(list, name)

    def method(self, *operands, **options):
        self._moved()
        return change(self, *operands, **options)

    return method


for _name in (
    *("__delitem__", "__imul__", "__setitem__", "clear", "insert", "pop", "remove"),
    *("reverse", "sort"),
):
    setattr(KeyList, _name, _moving(_name))


def plain_list(items: list) -> list:
    """A list for the caller of a program."""
    return [*items] if type(items) is KeyList else items


def _has_nan(key):
    return any(map(_has_nan, key)) if isinstance(key, tuple) else key != key


def _place(xp, operands, attributes):
    keys, (key,) = operands[0], fill_slots(attributes["given"], operands)
    if _has_nan(key):
        raise LibraryResultError.about(
            "NaN is a key of a dict or an element of a set",
            None,
            "Python compares it by its identity, which values of a graph do not have.",
            "Test for it first: if not np.isnan(key).",
        )
    return keys.place(key) if type(keys) is KeyList else _place_among(keys, key)


def _place_among(keys, key):
    """The index of a key by a comparison with each; -1 if it is not there."""
    hashed, start = hash(key), 0
    try:
        while True:
            place = keys.index(key, start)
            if hash(keys[place]) == hashed:  # np.float32(0.1) == 0.1, and they are two keys
                return place
            start = place + 1
    except ValueError:
        return -1


key_place = Op(
    "key_place",
    "The index of a key among those of a dict; -1 if it is not there.",
    lambda keys, *key, given: INT,
    _place,
    arity=None,
    traits=Traits(raises=(LibraryResultError,), takes_unions=True),
    derivative=Adjoint(lambda d, r, *operands, given: (None,) * len(operands)),
    examples=lambda: [call(ITEMS, ITEMS[1], given=(Slot(1),))],
)
set_order = Op(
    "set_order",
    "The elements of a set to which they were added one after the other, in its order.",
    lambda keys: keys,
    lambda xp, operands, attributes: list(set(operands[0])),
    traits=Traits(aliases=Aliasing.CONTAINER, takes_unions=True),
    derivative=NoDerivative("The order of a set has no derivative: sort its elements."),
    examples=lambda: [call(ITEMS)],
)
