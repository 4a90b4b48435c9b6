"""A replay compares containers of the user's objects and calls none of the objects' methods."""

import collections
import sys
import types
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt


class Key:
    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return hash(self.number)

    def __eq__(self, other):
        return type(other) is Key and self.number == other.number

    def __bool__(self):
        return True

    def __len__(self):
        return 1

    def __repr__(self):
        return "Key"


class Dict(dict):
    pass


class Ordered(collections.OrderedDict):
    pass


class Set(set):
    pass


class Frozen(frozenset):
    pass


class List(list):
    pass


class Tuple(tuple):
    pass


METHODS = {vars(Key)[n].__code__ for n in ("__hash__", "__eq__", "__bool__", "__len__", "__repr__")}
ONE, TWO = Key(1), Key(2)
PAIRS = [(ONE, 1.0), (TWO, 2.0)]
CONTAINERS = {
    "dict": dict(PAIRS),
    "dict of lists": {ONE: [1.0], TWO: [Key(3)]},
    "dict in a dict": {"a": dict(PAIRS)},
    "dict by tuples": {(ONE, 1): 1.0},
    "dict by both": {"a": 1.0, ONE: 2.0},
    "subclass of dict": Dict(PAIRS),
    "defaultdict": collections.defaultdict(float, PAIRS),
    "Counter": collections.Counter(dict(PAIRS)),
    "ChainMap": collections.ChainMap(dict(PAIRS)),
    "UserDict": collections.UserDict(dict(PAIRS)),
    "mappingproxy": types.MappingProxyType(dict(PAIRS)),
    "keys": dict(PAIRS).keys(),
    "items": dict(PAIRS).items(),
    "set": {ONE, TWO},
    "set in a list": [{ONE, TWO}],
    "subclass of set": Set({ONE, TWO}),
    "frozenset": frozenset({ONE, TWO}),
    "subclass of frozenset": Frozen({ONE, TWO}),
    "list": [ONE, TWO],
    "subclass of list": List([ONE, TWO]),
    "tuple": (ONE, TWO),
    "subclass of tuple": Tuple((ONE, TWO)),
    "deque": collections.deque([ONE, TWO]),
    "UserList": collections.UserList([ONE, TWO]),
    "namespace": SimpleNamespace(held=dict(PAIRS)),
}
# CPython finds each next key of an OrderedDict by its hash; a guard reads keys, and values.
ORDERED = {
    "OrderedDict": collections.OrderedDict(PAIRS),
    "subclass of OrderedDict": Ordered(PAIRS),
}


def by_argument(container):
    return rt.function(lambda x, held: x + 1 if held is not None else x), (container,)


def by_default(container):
    return rt.function(lambda x, held=container: x + 1 if held is not None else x), ()


def by_closure(container):
    return rt.function(lambda x: x + 1 if use(container) else x), ()


def by_attribute(container):
    holder = SimpleNamespace(held=container)
    return rt.function(lambda x: x + 1 if use(holder.held) else x), ()


def by_global(container):
    variables = {"HELD": container, "use": use, "__name__": __name__}
    read = types.FunctionType(reads_global.__code__, variables, "reads_global")
    return rt.function(read), ()


def reads_global(x):
    return x + 1 if use(HELD) else x  # noqa: F821


def use(container):
    return container is not None


PLACES = [by_argument, by_default, by_closure, by_attribute, by_global]


def methods_called(function, *args):
    """The names of the methods of keys that a call runs, and its result."""
    called = []

    def note(frame, event, argument):
        if event == "call" and frame.f_code in METHODS:
            called.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        result = function(*args)
    finally:
        sys.setprofile(before)
    return called, result


def replayed(place, container):
    """The methods that the second call runs."""
    function, args = place(container)
    assert function(np.float64(1), *args) == 2
    called, result = methods_called(function, np.float64(1), *args)
    assert result == 2
    assert "was traced once" in function.explain_retraces()
    return called


def test_the_battery_sees_a_call():
    assert methods_called(lambda: dict(PAIRS))[0] == ["__hash__", "__hash__"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", CONTAINERS)
def test_a_replay_calls_no_method_of_a_key(name, place):
    assert replayed(place, CONTAINERS[name]) == []


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ORDERED)
def test_a_replay_iterates_over_an_ordered_dict_twice(name, place):
    called = replayed(place, ORDERED[name])
    assert set(called) <= {"__hash__"}
    assert len(called) == 2 * len(PAIRS)


def test_a_dict_by_objects_is_compared():
    function = rt.function(lambda x, held: x * held[ONE] + len(held))
    x = np.float64(3)
    for held, expected in [
        ({ONE: 2.0}, 7.0),
        ({ONE: 5.0}, 16.0),
        ({ONE: 5.0, TWO: 1.0}, 17.0),
        ({TWO: 1.0, ONE: 5.0}, 17.0),
        ({ONE: np.float64(4)}, 13.0),
        ({ONE: np.float64(6)}, 19.0),
        ({Key(1): 5.0}, 16.0),
        ({ONE: 2.0}, 7.0),
    ]:
        assert function(x, held) == expected


def test_the_order_of_an_ordered_dict_is_compared():
    held = collections.OrderedDict(PAIRS)
    function = rt.function(lambda x: [x * held[key] for key in held])
    assert function(np.float64(1)) == [1.0, 2.0]
    held.move_to_end(ONE)
    assert function(np.float64(1)) == [2.0, 1.0]
