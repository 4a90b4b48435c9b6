"""Programs of the NumPy engine find the keys of dicts and sets by an index."""

import random

import numpy as np
import pytest

import runtime as rt
from runtime.engines.numpy.key_lists import KeyLists
from runtime.ops.dict_keys import KeyList, plain_list

MANY = np.random.default_rng(0).integers(0, 300, 900)


def counted(xs):
    d = {}
    for x in xs:
        k = int(x)
        d[k] = d.get(k, 0) + 1
    return d


def keys_and_their_list(xs):
    d = {}
    for x in xs:
        d[x] = len(d)
    names = list(d)
    names[0] = names[-1]
    return d, names, list(d)


def with_deletions(xs):
    d = {}
    found = 0
    for x in xs:
        k = int(x) % 50
        if k in d and k % 7 == 3:
            found = found * 3 % 1009 + d.pop(k)
        d[k] = k + len(d)
    return d, found


def distinct(xs):
    seen = set()
    total = 0
    for x in xs:
        if (int(x), x % 2) not in seen:
            seen.add((int(x), x % 2))
            total = total * 2 % 1000003 + int(x)
    return total, len(seen)


def list_of_keys_in_a_list(xs):
    d, rows = {}, []
    for x in xs:
        d[int(x)] = 1
        if len(d) == 5:
            rows.append(list(d))
    return rows, list(d)


def kept_beside_a_copy(xs):
    d = {}
    for x in xs:
        d[int(x)] = 1
    e = d.copy()
    for x in xs:
        e[int(x) + 1] = 2
    return d, e


def starts_with_keys(xs):
    d = {7: 1, 8: 2, 9: 3}
    e = {5: 0}
    for x in xs:
        d[int(x)] = d.get(int(x), 0) + e.get(int(x), 1)
        e[int(x) * 2] = 4
    return d, e


PROGRAMS = [
    counted,
    starts_with_keys,
    keys_and_their_list,
    with_deletions,
    distinct,
    list_of_keys_in_a_list,
    kept_beside_a_copy,
]


def kinds_of(value):
    """The types of a result and of its parts, in order."""
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    if not isinstance(parts, (list, tuple)):
        return type(value)
    return type(value), [kinds_of(part) for part in parts]


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_results_are_pythons_and_their_lists_are_plain(fn):
    expected, found = fn(MANY), rt.function(fn)(MANY)
    assert found == expected
    assert kinds_of(found) == kinds_of(expected)


def searches_by_comparison(fn, xs, monkeypatch):
    """How many searches of a run compare one key after the other."""
    staged, calls = rt.function(fn), []
    staged(xs)
    compare = KeyList.place.__globals__["_place_among"]

    def counting(keys, key):
        calls.append(key)
        return compare(keys, key)

    monkeypatch.setitem(KeyList.place.__globals__, "_place_among", counting)
    staged(xs)
    monkeypatch.undo()
    return len(calls)


@pytest.mark.parametrize("fn", [counted, distinct, keys_and_their_list])
def test_a_program_compares_keys_only_until_there_is_an_index(fn, monkeypatch):
    assert searches_by_comparison(fn, MANY, monkeypatch) < 10


def test_a_program_that_returns_lists_of_lists_of_keys_has_no_index():
    graph = rt.function(list_of_keys_in_a_list).get_concrete_function(MANY).graph
    assert not KeyLists(graph).made
    assert KeyLists(rt.function(counted).get_concrete_function(MANY).graph).made


CHANGES = [
    lambda keys, rng: keys.append(rng.randrange(1000, 2000)),
    lambda keys, rng: keys.append(rng.choice([*keys, 0])),  # a key that is there twice
    lambda keys, rng: keys and keys.pop(rng.randrange(len(keys))),
    lambda keys, rng: keys and keys.__delitem__(rng.randrange(len(keys))),
    lambda keys, rng: keys.insert(rng.randrange(9), rng.randrange(30)),
    lambda keys, rng: keys and keys.__setitem__(rng.randrange(len(keys)), rng.random()),
    lambda keys, rng: keys and keys.remove(rng.choice(keys)),
    lambda keys, rng: keys.extend({1.5, 2, "a"}),
    lambda keys, rng: keys.reverse(),
    lambda keys, rng: keys.sort(key=str),
    lambda keys, rng: keys.__imul__(rng.randrange(1, 3)),
    lambda keys, rng: keys.clear(),
]


@pytest.mark.parametrize("seed", range(20))
def test_an_index_finds_what_a_search_finds_after_each_change(seed):
    rng = random.Random(seed)
    keys = KeyList(range(10))
    for _ in range(200):
        rng.choice(CHANGES[: rng.randrange(2, 13)])(keys, rng)
        del keys[60:]
        for key in rng.choices([*keys, 5, 2.0, 7.5, "a", True], k=8):
            plain = [*keys]
            assert keys.place(key) == (plain.index(key) if key in plain else -1)


def test_keys_of_one_value_and_different_hashes_are_two():
    keys = KeyList([0.1, np.float32(0.1), 0.5])
    for _ in range(8):
        assert [keys.place(key) for key in (0.1, np.float32(0.1), np.float64(0.5))] == [0, 1, 2]


def test_a_plain_list_for_the_caller_is_the_same_if_it_is_plain_already():
    items, keys = [1], KeyList([1])
    assert plain_list(items) is items
    assert type(plain_list(keys)) is list
