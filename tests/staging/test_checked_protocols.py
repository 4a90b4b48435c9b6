"""Methods whose results Python and NumPy check, of the user's classes, while a graph is recorded:
lookups compare hashes first, and positions and sizes have to be ints."""

import numpy as np
import pytest

import runtime as rt


class Key:
    """An object whose hash and equality are given, and need not agree."""

    def __init__(self, number, equal=True):
        self.number, self.equal = number, equal

    def __hash__(self):
        return self.number

    def __eq__(self, other):
        return self.equal


class Position:
    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number

    def __repr__(self):
        return "position"


LOOKUPS = (
    lambda k: k in {1: 2},
    lambda k: k not in {1: 2},
    lambda k: k in {},
    lambda k: k in {1},
    lambda k: k in frozenset([1, 7]),
    lambda k: k in {1: 2, 7: 2}.keys(),
    lambda k: k in {1: 2}.values(),
    lambda k: (k, 2) in {1: 2}.items(),
    lambda k: (1, k) in {1: 2}.items(),
    lambda k: k in [1],
    lambda k: (1, k) in {(1, 1): 3},
    lambda k: k in {Key(1): 2},
    lambda k: k in {Key(1, False): 2},
    lambda k: k in {k: 2},
    lambda k: 1 in {k: 2},
)
KEYS = ((1, True), (1, False), (7, True), (-1, True), (2**61 - 1, True), (2**70, True))
NO_HASHES = ("x", 1.0, None, [])

POSITIONS = (
    lambda p, x: x[p],
    lambda p, x: x[p:],
    lambda p, x: x[p, None],
    lambda p, x: np.arange(9)[p],
    lambda p, x: np.zeros(p),
    lambda p, x: np.full((p, 2), 1.0),
    lambda p, x: np.ones(p) + x[0],
    lambda p, x: x.reshape(p),
)
NO_POSITIONS = ("a", 1.5, iter([1]), None, [1])


def seen(function, *args):
    """The result, or the exception with its message."""
    try:
        return repr(function(*args))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("lookup", range(len(LOOKUPS)))
def test_a_lookup_compares_what_has_the_same_hash(lookup):
    for number, equal in KEYS:
        key = Key(number, equal)
        staged = rt.function(lambda x, key=key: LOOKUPS[lookup](key))
        assert seen(staged, np.float64(1.0)) == seen(LOOKUPS[lookup], key)


@pytest.mark.parametrize("lookup", [0, 1, 2, 3, 4, 5, 7, 10, 11])
def test_a_lookup_refuses_an_object_whose_hash_is_no_int(lookup):
    for number in NO_HASHES:
        key = Key(number)
        staged = rt.function(lambda x, key=key: LOOKUPS[lookup](key))
        expected = seen(LOOKUPS[lookup], key)
        assert expected[0] is TypeError
        assert seen(staged, np.float64(1.0)) == expected


@pytest.mark.parametrize("use", range(len(POSITIONS)))
def test_an_object_with_an_index_is_a_position_or_a_size(use):
    for number in (4, 1, *NO_POSITIONS):
        position = Position(number)
        staged = rt.function(lambda x, p=position: POSITIONS[use](p, x))
        x = np.arange(4.0)
        assert seen(staged, x) == seen(POSITIONS[use], position, x), number


@pytest.mark.parametrize("key", ["a", 1.5, object(), {1}, np.ones(2)], ids=range(5))
def test_another_subscript_raises_the_exception_of_numpy(key):
    for use in (POSITIONS[0], POSITIONS[3]):
        staged = rt.function(lambda x, use=use: use(key, x))
        expected = seen(use, key, np.arange(4.0))
        assert expected[0] is IndexError
        assert seen(staged, np.arange(4.0)) == expected
