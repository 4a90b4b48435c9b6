"""The library looks at dicts and sets without the user's `__hash__`, `__eq__` and `__repr__`.

Calls are counted by the interpreter, so the counting itself is no part of the programs.
"""

import collections
import sys

import numpy as np
import pytest

import runtime as rt

COUNTED = {f"__{name}__" for name in ("hash", "eq", "repr", "bool", "len", "getattr")}


class Key:
    """All keys have one hash, so each look-up compares."""

    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return 7

    def __eq__(self, other):
        return type(other) is Key and self.n == other.n

    def __repr__(self):
        return f"Key({self.n})"

    def __bool__(self):
        return True

    def __len__(self):
        return 3

    def __getattr__(self, name):
        raise AttributeError(name)


A, B, C = Key(1), Key(2), Key(3)


class Box:
    def __init__(self):
        self.key = A
        self.held = {B: 4.0}


def programs():
    """Functions of a staged number and of objects that each call creates."""
    table, members, keys, box = {A: 1.0, B: 2.0}, {A, B}, [A, B, C], Box()
    deep, pairs = {"a": [{A: 1.0}]}, {(A, 1): 1.0, (B, 1): 2.0}

    def look_up(x):
        return x * table[A]

    def member(x):
        return x * (A in members)

    def index(x):
        return x * keys.index(B)

    def attribute(x):
        return x * box.held[B] + box.key.n

    def nested(x):
        return x * deep["a"][0][A]

    def part_of_a_key(x):
        return x * pairs[A, 1]

    def over_all(x):
        for key in table:
            x = x + table[key]
        return x

    def made_here(x):
        made = {A: x, B: x + 1}
        return made[A] + made[B]

    def counted(x):
        return x * collections.Counter([A, B, A])[A]

    def unused(x):
        return x * len(table) * len(members) * len(keys)

    def chosen(x):
        return x * len(table) if x > 0 else x

    def compared(x):
        return x + (keys == [A, B, C])

    return {name: made for name, made in locals().items() if callable(made)}


def calls(fn, *args):
    """The result of a call, and how often it called each method of a key."""
    counts = collections.Counter()

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename == __file__:
            counts.update({frame.f_code.co_name} & COUNTED)

    sys.setprofile(note)
    try:
        found = fn(*args)
    finally:
        sys.setprofile(None)
    return found, counts


@pytest.mark.parametrize("name", programs())
def test_a_recording_calls_no_method_that_python_does_not_call(name):
    x = np.float64(2.0)
    expected, wanted = calls(programs()[name], x)
    staged = rt.function(programs()[name])
    found, counts = calls(staged, x)
    assert found == expected
    assert counts == wanted
    found, counts = calls(staged, x)
    assert found == expected
    assert not counts, "a run calls none, and so do guards"


def written(x):
    made = {A: x, B: x + 1}
    if x > 0:
        made[A] = x * 2
    for k in range(3):
        if x > k:
            made[B] = made[B] + k
    return made[A] + made[B]


def added(x):
    made = {A: x}
    if x > 0:
        made[B] = x * 2
    else:
        made[B] = x
    return made[A] + made[B]


def removed(x):
    made = {A: x, B: x * 3, (A, "part"): x}
    del made[A]
    made[Key(1)] = x + 5
    if x > 1:
        made[A, "part"] = x * 7
    return [made[A], made[Key(2)], made[Key(1), "part"]], len(made)


def looped(x):
    made, n = {A: 1.0}, int(x)
    while n > 0:
        made[A] = made[A] * 2.0
        n = n - 1
    return made[A]


@pytest.mark.parametrize("fn", [written, added, removed, looped])
@pytest.mark.parametrize("x", [-1.0, 0.5, 2.5])
def test_items_under_the_users_keys_are_those_of_python(fn, x):
    assert rt.function(fn)(np.float64(x)) == fn(np.float64(x))


@pytest.mark.parametrize("fn", [written, added, looped])
def test_staged_writes_call_the_methods_a_bounded_number_of_times(fn):
    _, wanted = calls(fn, np.float64(2.0))
    _, counts = calls(rt.function(fn), np.float64(2.0))
    assert counts["__hash__"] <= 2 * wanted["__hash__"] + 2
    assert counts["__eq__"] <= 2 * wanted["__eq__"] + 2
    assert not counts["__repr__"]


def test_writes_to_a_dict_outside_are_made_by_each_run():
    table = {A: 1.0, B: 2.0}

    @rt.function
    def f(x):
        table[Key(2)] = x
        if x > 1:
            table[A] = x * 10
        return x

    for x, held in ((0.5, [1.0, 0.5]), (2.0, [20.0, 2.0]), (0.25, [20.0, 0.25])):
        f(np.float64(x))
        assert list(table.values()) == held
        assert [key is own for key, own in zip(table, (A, B), strict=True)] == [True, True]


@pytest.mark.parametrize("kind", [dict, collections.OrderedDict])
def test_a_refused_branch_leaves_the_dict_as_it_was(kind):
    table = kind({A: 1.0, B: 2.0})

    def f(x):
        if x > 0:
            del table[A]
            table[A] = 5.0
        return np.linalg.svd(x)

    with pytest.raises(Exception):  # noqa: B017 - the point is the dict
        rt.function(f)(np.float64(2.0))
    assert [key.n for key in table] == [1, 2]
    assert list(table.values()) == [1.0, 2.0]


class OnlyEqual:
    """It has no `__hash__`, as it has `__eq__`."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == other


@pytest.mark.parametrize(
    "container", [{1: 2}, {1, 2}, frozenset({1})], ids=["dict", "set", "frozen"]
)
def test_an_object_without_a_hash_is_not_looked_up(container):
    function = rt.function(lambda x: OnlyEqual(x) in container)
    with pytest.raises(TypeError, match="unhashable type: 'OnlyEqual'"):
        function(np.float64(1))
