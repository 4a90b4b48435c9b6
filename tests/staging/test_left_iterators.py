"""An iterator that a staged loop has used is Python's afterwards, or its use is refused."""

import itertools

import numpy as np
import pytest
from support.loading import load

import runtime as rt

X = np.linspace(0.5, 2.0, 12)
MADE = {
    "range": "iter(range(12))",
    "list": "iter([0, 1, 2, 3, 4, 5, 6, 7])",
    "enumeration": "enumerate(range(12))",
    "pairs": "zip([0, 1, 2, 3, 4, 5], range(2, 9))",
    "reversed": "reversed(range(12))",
    "generator": "(i for i in range(12))",
    "objects": "iter([(0, 'a'), (1, 'b'), (2, 'c'), (3, 'd'), (4, 'e')])",
    "mapped": "map(int, (0, 1, 2, 3, 4, 5, 6, 7))",
    "rows": "iter(x)",
    "staged enumeration": "enumerate(x)",
    "staged pairs": "zip(x, x[1:])",
}
FIRST = {
    "break": "        if x[k] > limit: break\n        k += 1\n        s = s * 0.5 + x[k]\n",
    "whole": "        k += 0\n        s = s * 0.5 + x[k]\n",
    "known break": "        if k == 4: break\n        k += 1\n        s = s + x[k]\n",
}
AFTER = {
    "nothing": "",
    "loop": "    for w in it:\n        s = s * 0.25 + 1.0\n",
    "loop with a break": "    for w in it:\n        s = s + 1.0\n        if s > 30.0: break\n",
    "next": "    first = next(it, None)\n    s = s + (0.0 if first is None else 1.0)\n",
    "list": "    s = s + len(list(it))\n",
    "zip": "    for w, n in zip(it, range(3)):\n        s = s + n\n",
    "sum": "    s = s + sum(1 for _ in it)\n",
}


def program(made, first, after):
    text = f"def f(x, limit):\n    s, k = x[0], 0\n    it = {MADE[made]}\n    for _ in it:\n"
    text += f"{FIRST[first]}{AFTER[after]}    return s\n"
    return load(text, f"<{made}, {first}, {after}>", np=np).f


def check(made, first, after):
    fn = program(made, first, after)
    staged, refusals = rt.function(fn), 0
    for limit in (0.0, 0.8):
        wanted = fn(X, np.float64(limit))
        try:
            found = staged(X, np.float64(limit))
        except rt.StagingError:
            refusals += 1
            break
        assert np.asarray(found).tobytes() == wanted.tobytes(), (made, first, after, limit)
    assert not refusals or after != "nothing", (made, first, after)
    if "staged" not in made and made not in ("generator", "rows"):
        assert not refusals or first == "break", (made, first, after)


CASES = list(itertools.product(FIRST, AFTER))


@pytest.mark.parametrize("made", MADE)
def test_an_iterator_after_a_loop_is_pythons_or_refused(made):
    for first, after in CASES[list(MADE).index(made) % 4 :: 4]:
        check(made, first, after)


@pytest.mark.thorough
@pytest.mark.parametrize("made", MADE)
def test_every_iterator_after_every_loop_is_pythons_or_refused(made):
    for first, after in CASES:
        check(made, first, after)


ENDED = {
    "in a zip": "    for w, n in zip(it, range(3)):\n        s = s + n\n",
    "in a zip behind another": "    for n, w in zip(range(k), it):\n        s = s + w[1]\n",
    "in a strict zip": "    for n, w in zip(x, it, strict=True):\n        s = s + w[1]\n",
    "in a map, twice": "    for w in map(len, it):\n        s = s + w\n" * 2,
    "in an enumeration": "    for n, w in enumerate(it, 3):\n        s = s + n\n",
    "in a zip with an iterator": "    p = iter([1, 2, 3])\n    for n, w in zip(p, it):\n"
    "        s = s + n\n    for n in p:\n        s = s + n\n",
    "in a list": "    s = s + len(list(zip(it, range(3))))\n",
}


@pytest.mark.parametrize("made", ["enumerate(x)", "zip(x, x[1:])"])
@pytest.mark.parametrize("after", ENDED)
def test_an_iterator_that_has_ended_has_no_element_for_another_one(made, after):
    text = f"def f(x, k):\n    s = x[0]\n    it = {made}\n    for _ in it:\n        s = s * 0.5\n"
    fn = load(f"{text}{ENDED[after]}    return s\n", f"<ended {made} {after}>").f
    for k in (3, np.int64(3)):
        np.testing.assert_equal(outcome(rt.function(fn), X, k), outcome(fn, X, k))


def outcome(fn, *args):
    try:
        return fn(*args)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("made", ["enumerate(range(20))", "zip(range(20), range(1, 21))"])
def test_a_loop_over_an_iterator_with_a_staged_break_is_kept(made):
    text = f"def f(x):\n    s = x[0]\n    for i, n in {made}:\n        s = s * 0.5 + x[i] * n\n"
    fn = load(f"{text}        if s > 9.0: break\n    return s, i, n\n", f"<kept {made}>").f
    x = np.linspace(0.5, 2.0, 20)
    staged = rt.function(fn)
    np.testing.assert_equal(staged(x), fn(x))
    assert [loop.is_staged for loop in staged.get_concrete_function(x).loops] == [True]


def test_the_error_says_what_to_do():
    def taken(x):
        it = enumerate(x)
        for _, v in it:
            if v > 1.0:
                break
        for _, v in it:
            x = x + v
        return x

    with pytest.raises(rt.StagingError, match="after a staged loop has used it") as caught:
        rt.function(taken)(X)
    assert "items = list(iterator)" in str(caught.value)
