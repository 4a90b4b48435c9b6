"""Methods of a variable that holds one of two lists after a branch: none of them is lost."""

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load
from tests.support.outcomes import check_same, outcome, same_exactly

LISTS = ("[5.0, 1.0, 3.0]", "[9.0, 2.0, 1.0, 4.0]")
CHANGES = (
    *("z.sort()", "z.sort(reverse=True)", "z.sort(key=lambda v: -v)", "z.reverse()"),
    *("z.append(n)", "z.extend([7.0, 8.0])", "z.extend(v for v in list(z) if v > 2)", "z += [7.0]"),
    *("z.insert(1, 7.0)", "z.remove(1.0)", "z.pop()", "z.clear()", "z *= 2", "z[0] = 7.0"),
    *("z[1:2] = [7.0, 8.0]", "del z[0]", "z.extend(above(z))", "z = z[::-1]"),
)
MODULE = """
def above(z):
    for v in list(z):
        if v > 2:
            yield v

def f(n):
    z = {first}
    if n > 1:
        z = {other}
    {change}
    return z, len(z), [v * 2 for v in z], z.count(1.0)
"""


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_pythons_or_is_refused(change):
    first, other = LISTS
    text = MODULE.format(first=first, other=other, change=change)
    module = load(text, f"<merged {change}>")
    staged = rt.function(module.f)
    for n in (0, 2):
        found = outcome(staged, (np.int64(n),))
        if not isinstance(found.error, rt.StagingError):
            check_same(found, outcome(module.f, (np.int64(n),)), same_exactly)


@pytest.mark.parametrize("change", ["z.sort()", "z.sort(key=lambda v: -v)", "z.reverse()"])
def test_a_list_of_a_known_or_another_length_is_sorted(change):
    first, other = LISTS
    text = MODULE.format(first=first, other=other, change=change)
    module = load(text, f"<sorted {change}>")
    for n in (0, 2):
        wanted = outcome(module.f, (np.int64(n),))
        check_same(outcome(rt.function(module.f), (np.int64(n),)), wanted, same_exactly)
