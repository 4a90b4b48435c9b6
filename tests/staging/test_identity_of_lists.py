"""Which lists of a result are one object: lists whose length only a run knows, and their copies."""

import itertools

import numpy as np
import pytest
from loading import load

import runtime as rt

PRELUDE = """
class Kept:
    pass


KEPT = Kept()


def f(n):
    xs = []
    for i in range(n):
        xs.append(ELEMENT)
"""
ELEMENTS = {"number": "i", "pair": "(i, i + 1)", "array": "np.ones(2) * i", "list": "[i]"}
RESULTS = {
    "copies": "return xs, list(xs), xs.copy(), xs[:], xs + []",
    "the same": "return xs, {'elements': xs}, xs",
    "copy of a copy": "ys = list(xs)\n    return xs, ys, ys.copy(), ys",
    "copy first": "return xs.copy(), xs, xs",
    "two of the same elements": "ys = [x for x in xs]\n    return xs, ys, xs",
    "kept": "KEPT.a, KEPT.b, KEPT.c = xs, xs.copy(), xs\n    return KEPT.a, KEPT.b, KEPT.c",
    "kept and returned": "KEPT.a = xs\n    KEPT.b = list(xs)\n    return xs, KEPT.b",
}


def lists(found):
    for one in found:
        yield one["elements"] if isinstance(one, dict) else one


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("result", RESULTS)
def test_lists_are_one_object_where_they_are_in_python(result, element):
    body = PRELUDE.replace("ELEMENT", ELEMENTS[element])
    name = f"<{result} of {element}>"
    function = load(f"import numpy as np\n\n{body}    {RESULTS[result]}\n", name).f
    graph = rt.function(function)
    for n in (np.int64(3), np.int64(0), np.int64(5)):
        expected, found = list(lists(function(n))), list(lists(graph(n)))
        assert repr(found) == repr(expected)
        assert [type(one) for one in found] == [list] * len(expected)
        for (a, b), (c, d) in zip(
            itertools.combinations(expected, 2), itertools.combinations(found, 2), strict=True
        ):
            assert (a is b) == (c is d)
