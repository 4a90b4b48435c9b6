"""The keys of staged dicts and sets, which are lists of the graph.

    place = key_place(keys, key, given=(_1,))     where a dict has a key; -1 if it has not
    items = set_order(keys)                       the elements in the order of a set

Equal keys are one key, as in Python: their hashes and their values are equal.  Python also finds a
NaN by its identity, which no graph has: a run that meets one ends, and Python goes on.
"""

from autograph.errors import LibraryResultError
from runtime.ir.derivative import Adjoint, NoDerivative
from runtime.ir.op import Op
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import Aliasing, Traits
from runtime.ir.types import INT
from runtime.ops.examples import ITEMS, call


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
