"""An array in a list that a branch or loop may replace, and that is written into: exact or refused.

r.append(m[-1])
if n > 0:
    r = [w]              r is a list of the graph now, which holds values
m[-1] = 5.0              a list of Python would see the write through r[-1]
"""

import itertools

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

LISTS = {
    "argument": "r.append({element})",
    "own": "r = [w, {element}]",
    "item_of_argument": "r[0] = {element}",
    "attribute": "o.r = r; o.r.append({element}); r = o.r",
    "item": "d = {{'r': r}}; d['r'].append({element}); r = d['r']",
    "global": "RECENT[:] = [w, {element}]; r = RECENT",
    "tuple": "r = (w, {element})",
}
ELEMENTS = {
    "view": "m[-1]",
    "view_of_view": "m[1:][-1]",
    "transposed": "m.T[0]",
    "pair": "(w, m[-1])",
    "inner": "[w, m[-1]]",
}
REPLACING = {
    "if": "if n > 0: r = [{new}]",
    "loop": "for _ in range(n): r = [{new}, {new}]",
    "while": "k = n\n    while k > 0: k, r = k - 1, [{new}]",
    "loops": "for _ in (1, 2):\n        for _ in range(n): r = [{new}]",
    "grown": "if n > 0: r = [*r, {new}]",
}
WRITES = {
    "plain": "m[-1] = 5.0",
    "branch": "if n < 2: m[-1] = 5.0",
    "loop": "for _ in range(3 - n): m[-1] += 1.0",
    "while": "t = 0\n    while t < 3 - n:\n        t += 1\n        m.T[0] = t * 2.0",
    "whole": "m += 1.0",
}
SOURCE = """
import numpy as np
RECENT = []
class O: pass
o = O()
def f(n, m, r, w):
    {listed}
    {before}
    {replacing}
    {write}
    return r, m
"""


def program(listed, element, replacing, write, before):
    found = ELEMENTS[element]
    new = {"pair": "(w, w)", "inner": "[w, w]"}.get(element, "w * 0.5")
    return SOURCE.format(
        listed=LISTS[listed].format(element=found),
        before="m[0] = m[0] + 1.0" if before else "pass",
        replacing=REPLACING[replacing].format(new=new),
        write=WRITES[write],
    )


def observed(function, n):
    m, held = np.arange(6.0).reshape(3, 2), [np.ones(2)]
    return repr((function(n, m, held, np.full(2, 7.0)), m, held))


def differs(source):
    """The results of a graph and of Python that differ; None if it is refused, or none do."""
    plain = load(source, f"<{hash(source)}>").f
    staged = rt.function(load(source, f"<{hash(source)}>").f)
    for n in (0, 1, 3):
        try:
            found = observed(staged, np.int64(n))
        except rt.StagingError:
            return None
        expected = observed(plain, np.int64(n))
        if found != expected:
            return found, expected
    return None


CASES = list(itertools.product(LISTS, ELEMENTS, REPLACING, WRITES, (False, True)))


@pytest.mark.parametrize("listed", LISTS)
def test_a_write_is_seen_or_refused(listed):
    for case in [case for case in CASES if case[0] == listed][::11]:
        assert differs(program(*case)) is None, program(*case)


@pytest.mark.thorough
@pytest.mark.parametrize("listed", LISTS)
@pytest.mark.parametrize("element", ELEMENTS)
def test_every_write_is_seen_or_refused(listed, element):
    for case in CASES:
        if case[:2] == (listed, element):
            assert differs(program(*case)) is None, program(*case)
