"""A variable that a run may find unbound, read inside a `try` that would see it: refused; code that
Python runs without such an error is not."""

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

BIND = "if x > 1:\n        q = x\n"
REFUSED = {
    "returned": "try:\n        return q\n    except UnboundLocalError:\n        return x * 5",
    "used": "try:\n        y = q + 1\n    except NameError:\n        y = x * 5\n    return y",
    "copied": "try:\n        y = q\n    except Exception:\n        y = x * 5\n    return y",
    "in_a_list": "try:\n        y = [q]\n    except NameError:\n        y = [x]\n    return y[0]",
    "statement": "try:\n        q\n    except UnboundLocalError:\n        return x * 5\n    return x",
    "augmented": "try:\n        q += 1\n    except:\n        return x * 5\n    return q",
    "finally": "try:\n        z = q\n    finally:\n        print('end')\n    return z",
}
CALLEE = """
def h(x):
    if x > 1:
        q = x
    return q

def f(x):
    try:
        return h(x)
    except UnboundLocalError:
        return x * 5
"""
LOOP = """
def f(x):
    for i in range(np.int64(x)):
        q = x
    try:
        return q
    except NameError:
        return x * 5
"""
ACCEPTED = {
    "other_error": BIND.replace("q", "q = 3.0; q") + "    try:\n        y = x\n"
    "    except KeyError:\n        y = q\n    return y",
    "bound_on_both": "if x > 1:\n        q = x\n    else:\n        q = 3.0\n    try:\n        y = q\n"
    "    except NameError:\n        y = 0\n    return y",
    "bound_inside": BIND + "    try:\n        q = x\n        y = q\n    except NameError:\n"
    "        y = 0\n    return y",
    "early_return": "try:\n        if x > 1:\n            return x\n        y = x * 2\n"
    "        if y > 0.5:\n            return y\n        w = y + 1\n    except Exception:\n"
    "        w = 0.0\n    return w",
    "temporary": "try:\n        for i in range(np.int64(x)):\n            t = x * i\n"
    "            x = x + t\n    except Exception:\n        pass\n    return x",
}


def module(text, name):
    return load(f"import numpy as np\n{text}", f"<unbound {name}>")


@pytest.mark.parametrize("name", [*REFUSED, "callee", "loop"])
def test_a_read_that_a_handler_would_see_is_refused(name):
    text = {"callee": CALLEE, "loop": LOOP}.get(name)
    text = text or f"def f(x):\n    {BIND}    {REFUSED[name]}\n"
    with pytest.raises(rt.errors.HandledInRunError, match="`q`, which a run may find unbound"):
        rt.function(module(text, name).f)(np.float64(2))


@pytest.mark.parametrize("name", ACCEPTED)
def test_reads_that_cannot_fail_are_not_refused(name):
    f = module(f"def f(x):\n    {ACCEPTED[name]}\n", name).f
    staged = rt.function(f)
    for x in (0.5, 2.0, 3.0):
        assert staged(np.float64(x)) == f(np.float64(x))
