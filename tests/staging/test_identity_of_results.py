"""Results and stored values are the same objects, or different ones, as in Python.

The containers in results, arguments, attributes and global variables are numbered by identity, over
three calls: the plain function and the graph must give the same numbers.
"""

import collections
import dataclasses
import functools
import types

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load


class Plain:
    def __init__(self, **attributes):
        vars(self).update(attributes)


@dataclasses.dataclass
class Pair:
    a: object
    b: object = None


class Items(list):
    pass


Named = collections.namedtuple("Named", "u v")
LISTED, KEYED, ARRAY, OBJECT = [1, 2], {"k": 1.0}, np.ones(2), Plain(a=1)
NESTED = [[1.0], {"k": [2.0]}]
model = Plain(last=None, all=[])

# `x` is a staged number; `items`, `table` and `array` are a list, a dict and an array.
TWICE = {
    "dict": "{'k': x}",
    "list": "[x]",
    "empty list": "[]",
    "plain list": "[1, 2]",
    "plain dict": "{'k': 1}",
    "tuple": "(x, 1)",
    "named tuple": "Named(x, 1)",
    "ordered dict": "collections.OrderedDict(a=x)",
    "defaultdict": "collections.defaultdict(list, a=x)",
    "counter": "collections.Counter(a=x)",
    "set": "{1, 2}",
    "deque": "collections.deque([x, 1], 5)",
    "bytearray": "bytearray(b'abc')",
    "object": "Plain(a=x)",
    "plain object": "Plain(a=1)",
    "dataclass": "Pair([x])",
    "namespace": "types.SimpleNamespace(a=x)",
    "list of a class": "Items([x])",
    "array": "array * x",
    "constant array": "np.ones(3)",
    "view": "array[1:]",
    "argument": "array",
    "list argument": "items",
    "item": "items[1]",
    "dict argument": "table",
    "global list": "LISTED",
    "global dict": "KEYED",
    "global array": "ARRAY",
    "global object": "OBJECT",
    "nested global list": "NESTED[0]",
    "nested global dict": "NESTED[1]",
}
FORMS = ["(e, e)", "[e, {'k': e}]", "Pair(e, [e])", "({'a': e}, x, (e,))"]


def stored(x, items, table, array):
    e = {"k": x}
    model.last = e
    return e


def stored_twice(x, items, table, array):
    e = [x]
    model.all.append(e)
    model.last = e


def stored_in_other_containers(x, items, table, array):
    e = [x]
    model.last = (e, e)
    return [e]


def stored_array(x, items, table, array):
    model.last = array * x
    return model.last


def stored_object(x, items, table, array):
    model.last = Plain(a=[x])
    return model.last, model.last.a


def stored_in_an_argument(x, items, table, array):
    items.append([x])
    return items, items[-1]


def an_argument_in_another(x, items, table, array):
    table["new"] = items
    return table


def changed_global(x, items, table, array):
    LISTED.append(x)
    return LISTED, [LISTED]


def refers_to_itself(x, items, table, array):
    e = [x]
    e.append(e)
    return e


def object_that_refers_to_itself(x, items, table, array):
    e = Plain(a=x, b=[])
    e.me = e
    e.b.append(e)
    return e


def items_of_one_list(x, items, table, array):
    made = [[]] * 2
    made[0].append(x)
    return made


def many_of_one(x, items, table, array):
    e, found = [x], []
    for _ in range(3):
        found.append(e)
    return found


def made_in_a_loop(x, items, table, array):
    return [Plain(a=1) for _ in range(2)], [{} for _ in range(2)], x


def changed_in_a_branch(x, items, table, array):
    e, other = [x], [x]
    if x > 0:
        e.append(x)
    else:
        e.append(-x)
    return e, e, other


def copies(x, items, table, array):
    return items.copy(), list(items), dict(table), table.copy(), x


FUNCTIONS = [
    one
    for one in list(globals().values())
    if type(one) is types.FunctionType and one.__module__ == __name__
]


def places(value, path, found, seen):
    """The objects that have an identity, with the paths that lead to them."""
    immutable = bool | int | float | str | np.generic | types.NoneType
    if isinstance(value, immutable):
        return
    found.append((path, value))
    if id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, dict):
        held = value.items()
    elif isinstance(value, (list, tuple, collections.deque)):
        held = enumerate(value)
    else:
        held = getattr(value, "__dict__", {}).items()
    for key, item in held:
        places(item, f"{path}[{key!r}]", found, seen)


def identities(function):
    """The path to each object of three calls, with the first path to the same object."""
    vars(model).update(last=None, all=[])
    LISTED[:] = [1, 2]
    items, table, array = [1.0, np.ones(2)], {"a": np.zeros(2)}, np.arange(3.0)
    found, seen, kept, first = [], {}, [], {}
    places([items, table, array, LISTED, KEYED, ARRAY, OBJECT, NESTED], "given", found, seen)
    for number, x in enumerate((2.0, -1.0, 2.0)):
        kept.append([function(np.float64(x), items, table, array), model.last, *model.all])
        places(kept[-1], f"call {number}", found, seen)
    return [(p, first.setdefault(id(value), p), type(value)) for p, value in found]


@functools.cache
def functions():
    """The functions that have an object in two places."""
    bodies = {(name, form): (text, form) for name, text in TWICE.items() for form in FORMS}
    text = "\n".join(
        f"def f_{number}(x, items, table, array):\n    e = {made}\n    return {form}\n"
        for number, (made, form) in enumerate(bodies.values())
    )
    module = load(text, "<objects in two places>", **globals())
    return {key: getattr(module, f"f_{number}") for number, key in enumerate(bodies)}


@pytest.mark.parametrize("name", TWICE)
def test_one_object_in_two_places_is_one_object(name):
    for form in FORMS:
        function = functions()[name, form]
        assert identities(rt.function(function)) == identities(function), form


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_stored_and_returned_objects_are_those_of_python(function):
    assert identities(rt.function(function)) == identities(function)


def test_a_returned_global_container_is_that_of_the_call():
    global LISTED
    before = LISTED
    get = rt.function(lambda x: (LISTED, x))
    try:
        assert get(np.float64(1))[0] is before
        LISTED = list(before)
        assert get(np.float64(1))[0] is LISTED
    finally:
        LISTED = before


def test_what_a_caller_changes_in_a_result_is_not_in_the_next_one():
    made = rt.function(lambda x: (x, {1}, Plain(a=1), bytearray(b"a"), collections.deque([1])))
    _, numbers, plain, text, queue = made(np.float64(1))
    numbers.add(2), vars(plain).update(a=5), text.extend(b"b"), queue.append(x := 3)
    _, numbers, plain, text, queue = made(np.float64(1))
    assert (numbers, plain.a, text, list(queue)) == ({1}, 1, b"a", [1])


def test_contents_of_containers_of_libraries_are_values():
    made = rt.function(
        lambda x: (
            collections.Counter(a=x),
            collections.deque([x, 2], 3),
            types.SimpleNamespace(a=x, b=1),
            Items([x, 4]),
            collections.defaultdict(list, {1: x}),
        )
    )
    for x in (1.0, 2.0):
        counter, queue, space, items, default = made(np.float64(x))
        assert counter == {"a": x} and type(counter) is collections.Counter
        assert list(queue) == [x, 2] and queue.maxlen == 3
        assert vars(space) == {"a": x, "b": 1}
        assert items == [x, 4] and type(items) is Items
        assert default == {1: x} and default.default_factory is list


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: (x, iter([1, 2])), "a list_iterator that it has made"),
        (lambda x: collections.ChainMap({"a": x}), "a ChainMap that works with staged values"),
        (lambda x: lambda y: y + x, "a function that works with staged values"),
    ],
)
def test_objects_that_a_run_cannot_make_are_refused(function, words):
    with pytest.raises(rt.errors.ResultError, match=words):
        rt.function(function)(np.float64(1.0))


def test_each_call_returns_a_generator_of_its_own():
    make = rt.function(lambda x: (x, np.random.default_rng(0)))
    (_, one), (_, other) = make(np.float64(1.0)), make(np.float64(1.0))
    assert one is not other
    assert one.random(2).tolist() == other.random(2).tolist()
    assert len(make.graphs) == 1
