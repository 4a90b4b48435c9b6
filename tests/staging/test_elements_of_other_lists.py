"""Lists in a staged list that become elements of another one: exact, or refused.

ys = [q for q in xs]        ys and xs have the same lists
ys[0].append(5.0)           in Python seen in xs, too: refused
"""

import itertools

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

SHARES = {
    "comprehension": "ys = [q for q in xs]",
    "filtered": "ys = [q for q in xs if q[0] > 0.5]",
    "appended": "ys = []\n    for q in xs: ys.append(q)",
    "by_index": "ys = [xs[k] for k in range(n)]",
    "some": "ys = [[0.5, 0.5]]\n    for k in range(n):\n        if k > 0: ys.append(xs[k])",
    "inserted": "ys = []\n    for q in reversed(xs): ys.insert(0, q)",
    "slice": "ys = xs[:]",
    "list": "ys = list(xs)",
    "sum": "ys = xs + xs",
    "set": "ys = [[x[0]] for _ in range(n)]\n    for k in range(n): ys[k] = xs[k]",
    "tuples": "ys = []\n    for k in range(n): ys.append((k, xs[k]))\n    ys = [q for _, q in ys]",
    "twice": "ys = [q for q in [p for p in xs]]",
    "copied": "ys = []\n    for q in xs: ys.append(list(q))",
    "variable": "ys = xs[0]\n    for q in xs: ys = q",
    "variable_in_branch": "ys = xs[0]\n    if x[1] > 1: ys = xs[1]",
    "variable_in_loop": "for k in range(n):\n        ys = xs[k]\n        ys.append(2.0)",
    "display": "ys = [xs[0], xs[1]]\n    if x[0] > 0: ys = [*ys, xs[0]]",
    "display_in_loop": "ys = [xs[0], xs[1]]\n    for k in range(n): ys.append(xs[k])",
    "replaced_in_loop": "ys = [xs[0]]\n    for k in range(n): ys = [xs[k], [x[0]]]",
    "swapped": "ys = [[x[0]]]\n    for k in range(n): ys[0] = xs[k]",
    "tuple": "ys = [(xs[0], xs[1])]\n    for k in range(n): ys = [(xs[k], xs[0])]",
    "items": "d = {'a': xs[0]}\n    for k in range(n): d['a'] = xs[k]\n    ys = [d['a']]",
    "named": "row = xs[0]\n    ys = [row for _ in range(n)]",
}
BEFORE = {"none": "pass", "write": "xs[1][0] = 8.0", "grow": "xs[0].append(x[0])"}
AFTER = {
    "none": "pass",
    "write_other": "ys[0][0] = 9.0",
    "write_one": "xs[0][0] = 9.0",
    "grow_other": "ys[-1].append(x[1])",
    "grow_in_branch": "if x[0] > 0: xs[0].append(7.0)",
    "write_in_loop": "for k in range(n): ys[k][0] += 1.0",
    "written_and_added": "for k in range(n):\n        xs[0][0] += 1.0\n        ys.append(xs[0])",
    "replaced": "ys[0] = [1.0, 1.0]",
    "more": "xs.append([3.0, 3.0])",
    "removed": "ys.pop()",
    "added": "ys.append(x[0] if not isinstance(ys[0], list) else [x[0]])",
    "added_again": "z = ys[0]\n    if isinstance(z, list): z.append(x[1])",
}
SOURCE = """
def f(x, n):
    xs = []
    for i in range(n): xs.append([x[0] * i, x[1]])
    {before}
    {share}
    {after}
    return xs, ys
"""
CASES = list(itertools.product(BEFORE, SHARES, AFTER))


def outcome(before, share, after):
    """Whether a program is exact; False if it is refused.  Raises `AssertionError` if it
    differs."""
    source = SOURCE.format(before=BEFORE[before], share=SHARES[share], after=AFTER[after])
    plain, staged = load(source, f"<{before} {share} {after}>").f, None
    staged = rt.function(load(source, f"<{before} {share} {after}>").f)
    for n in (3, 2):
        x = np.array([1.0, 2.0])
        try:
            expected = repr(plain(x, np.int64(n)))
        except (TypeError, AttributeError, IndexError):
            return True  # no program of Python
        try:
            found = repr(staged(x, np.int64(n)))
        except rt.StagingError as error:
            assert "outside of the code" not in str(error), source
            return False
        assert found == expected, source
    return True


READ = ("comprehension", "filtered", "appended", "by_index", "some", "inserted", "set", "named")


@pytest.mark.parametrize("share", READ)
def test_the_same_lists_in_two_lists_can_be_read(share):
    assert outcome("none", share, "none")


@pytest.mark.parametrize("after", AFTER)
def test_their_changes_are_refused_or_exact(after):
    for case in [case for case in CASES if case[2] == after][::7]:
        outcome(*case)


@pytest.mark.thorough
@pytest.mark.parametrize("after", AFTER)
def test_all_changes_are_refused_or_exact(after):
    for case in CASES:
        if case[2] == after:
            outcome(*case)
