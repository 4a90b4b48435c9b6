"""Results that are one object in Python are one object: a staged list of lists, and its elements;
where elements are values of the graph, the results are refused."""

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

HEAD = """
import numpy as np

class Pair:
    def __init__(self, a):
        self.a = a

kept = []
held = Pair(1)

def f(x):
"""
LISTS = """    xs = [[x], [x + 1]]
    for i in range(np.int64(x)):
        xs.append([x * i])
"""
FLAT = "    xs = []\n    for i in range(np.int64(x)):\n        xs.append(x * i)\n"
DEEP = "    xs = [[[x]]]\n    for i in range(np.int64(x)):\n        xs.append([[x * i]])\n"
ARRAYS = "    xs = [np.zeros(2)]\n    for i in range(np.int64(x)):\n        xs.append(np.ones(2))\n"
EXACT = {
    "list and element": LISTS + "    return xs, xs[0]",
    "element and list": LISTS + "    return xs[0], xs",
    "element twice": LISTS + "    return xs[0], xs[0]",
    "first and last": LISTS + "    return xs, xs[-1], xs[0]",
    "staged index": LISTS + "    k = np.int64(x) - np.int64(x)\n    return xs[k], xs[0], xs",
    "named element": LISTS + "    y = xs[0]\n    return xs, y",
    "changed element": LISTS + "    y = xs[0]\n    y.append(3.0)\n    return xs, y",
    "of an attribute": LISTS + "    o = Pair(xs)\n    return o, o.a, xs[0]",
    "in a dict": LISTS + "    return {'a': xs, 'b': [xs[0], xs[1]]}",
    "copy of an element": LISTS + "    return xs[0].copy(), xs[0]",
    "copies of an element": LISTS + "    return xs[0], xs[0][:], list(xs[0])",
    "copy of the list": LISTS + "    ys = xs.copy()\n    return ys, xs, xs[0], ys[0]",
    "slice": LISTS + "    return xs, xs[:2]",
    "reversed": LISTS + "    return xs, xs[::-1]",
    "sorted": LISTS + "    return xs, sorted(xs)",
    "popped": LISTS + "    y = xs.pop()\n    return xs, y, y",
    "comprehension": LISTS + "    return xs, [y for y in xs]",
    "filtered": LISTS + "    return xs, [y for y in xs if y[0] > 0]",
    "added": LISTS + "    return xs, xs + [[x]]",
    "stored": LISTS + "    kept.append(xs[0])\n    return xs, kept[-1]",
    "stored beside": LISTS + "    kept[:] = [xs, xs[0], xs[-1]]\n    return kept",
    "stored in an object": LISTS + "    held.a = xs\n    return xs, held.a[0]",
    "flat list twice": FLAT + "    return xs, [xs, xs]",
    "flat list of an object": FLAT + "    o = Pair(xs)\n    return o, o.a",
    "three levels": DEEP + "    return xs, xs[0], xs[0][0]",
    "arrays": ARRAYS + "    return xs, xs[0]",
}
OBJECTS = (
    "    y = Pair(x)\n    xs = [y]\n    for i in range(np.int64(x)):\n        xs.append(Pair(x))\n"
)
DICTS = "    xs = [{'a': x}]\n    for i in range(np.int64(x)):\n        xs.append({'a': x})\n"
BESIDE = "is returned or stored, beside the list"
CHANGED = "element of a staged list is changed"
REFUSED = {
    "object": (OBJECTS + "    return xs, xs[0]", BESIDE),
    "object that was given": (OBJECTS + "    return xs, y", BESIDE),
    "two objects": (OBJECTS + "    return xs[0], xs[-1]", BESIDE),
    "dict": (DICTS + "    return xs, xs[0]", BESIDE),
    "list that was given": (LISTS + "    y = [x]\n    xs.append(y)\n    return xs, y", BESIDE),
    "object changed later": (OBJECTS + "    y.a = 9.0\n    return xs[0].a", CHANGED),
    "object changed in a loop": (OBJECTS + "        y.a = 9.0\n    return xs[0].a", CHANGED),
}
ALONE = {
    "object": OBJECTS + "    return xs[0]",
    "object that was given": OBJECTS + "    return y",
    "list of objects": OBJECTS + "    return xs",
    "dict": DICTS + "    return xs[0]",
}


def shape(value, seen):
    """The contents of a result, with a number for each object that is met again."""
    if isinstance(value, (list, dict, np.ndarray)) or type(value).__name__ == "Pair":
        if id(value) in seen:
            return "again", seen[id(value)]
        seen[id(value)] = len(seen)
    if isinstance(value, (list, tuple)):
        return type(value), [shape(one, seen) for one in value]
    if isinstance(value, dict):
        return {key: shape(one, seen) for key, one in value.items()}
    if type(value).__name__ == "Pair":
        return shape(vars(value), seen)
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def outcomes(text, stage):
    module = load(f"{HEAD}{text}\n", "<elements>")
    function = stage(module.f)
    return [shape(function(np.float64(x)), {}) for x in (2.0, 3.0, 1.0, 0.0)]


@pytest.mark.parametrize("engine", ["numpy", "eager", "native"])
@pytest.mark.parametrize("name", EXACT)
def test_a_list_and_its_elements_are_the_objects_that_they_are_in_python(name, engine):
    found = outcomes(EXACT[name], lambda f: rt.function(f, engine=engine))
    assert found == outcomes(EXACT[name], lambda f: f)


@pytest.mark.parametrize("name", ALONE)
def test_an_element_alone_is_returned(name):
    assert outcomes(ALONE[name], rt.function) == outcomes(ALONE[name], lambda f: f)


@pytest.mark.parametrize("name", REFUSED)
def test_an_element_that_is_a_value_of_the_graph_is_refused_beside_its_list(name):
    text, message = REFUSED[name]
    with pytest.raises(rt.errors.StagingError, match=message):
        outcomes(text, rt.function)
