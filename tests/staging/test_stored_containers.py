"""What a function stores outside of itself: new containers that lead to staged values are made by
each run or refused, and containers that the code replaces after it has changed them are found."""

from collections import deque
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ResultError
from tests.support.loading import load

MODULE = """
import collections
import functools
import types
from types import SimpleNamespace

class Box:
    pass

HELD = []

def store(x, o):
    global HELD
    BODY
"""

REFUSED = {
    "user list": "o.sub = collections.UserList([x])",
    "chain map": "o.sub = collections.ChainMap({'a': x})",
    "user dict": "o.sub = collections.UserDict(a=x)",
    "proxy": "o.sub = types.MappingProxyType({'a': x})",
    "iterator": "o.sub = iter([x])",
    "partial": "o.sub = functools.partial(max, x)",
    "slice": "o.sub = slice(x, None)",
    "exception": "o.sub = ValueError(x)",
    "lambda": "o.sub = lambda: x",
    "method": "o.sub = x.__add__",
    "generator": "o.sub = (x * i for i in range(3))",
}

STORED = {
    "namespace": "o.sub = SimpleNamespace(w=x)",
    "namespace that is filled": "o.sub = SimpleNamespace(); o.sub.w = x",
    "namespace in a list": "o.items.append(SimpleNamespace(w=x))",
    "nested namespaces": "o.sub = SimpleNamespace(a=[x, SimpleNamespace(b=x)])",
    "object": "o.sub = Box(); o.sub.w = x",
    "deque": "o.sub = collections.deque([x])",
    "deque in a list": "o.items.append(collections.deque([x]))",
    "ordered dict": "o.sub = collections.OrderedDict(a=x)",
    "default dict": "o.sub = collections.defaultdict(list, a=x)",
    "counter": "o.sub = collections.Counter(a=x)",
    "append to a deque": "o.queue.append(x)",
    "append to a full deque": "o.last.append(x)",
    "first element of a deque": "o.queue[0] = x",
    "take from a deque": "o.queue.popleft(); o.w = x",
    "rotate a deque": "o.queue.rotate(1); o.w = x",
    "delete an array": "del o.items[0]; o.w = x",
    "take an array": "o.items.pop(); o.w = x",
    "clear a list of arrays": "o.items.clear(); o.w = x",
    "delete an item": "del o.d['n']; o.w = x",
    "list that is replaced": "o.items.append(x); o.items = None",
    "element of a list that is replaced": "o.items[0] = x; o.items = None",
    "object that is replaced": "o.sub.w = x; o.sub = None",
    "dict that is replaced": "o.d['n'] = x; o.d = {}",
    "list that is deleted": "o.items.append(x); del o.items",
    "array that is replaced": "o.h[0] = x; o.h = None",
    "lists that change places": "o.items, o.log = o.log, o.items; o.items.append(x)",
    "global list that is replaced": "HELD.append(x); HELD = None",
}


def program(text):
    """The module of a program that executes some statements."""
    body = text.replace("; ", "\n    ")
    return load(MODULE.replace("BODY", body), f"<stored by {text}>")


def parts(value):
    """A value as lists of its parts, with the class of each."""
    if isinstance(value, dict):
        return type(value), [(key, parts(one)) for key, one in value.items()]
    if isinstance(value, (list, tuple, deque)):
        return type(value), [parts(one) for one in value]
    if isinstance(value, SimpleNamespace) or type(value).__name__ == "Box":
        return type(value).__name__, parts(vars(value))
    return type(value), repr(value)


def outcomes(text, stage):
    """What can be reached after each of three calls, through the object or by a name of before."""
    module, found = program(text), []
    function = stage(module.store)
    for x in (0.5, 2.0, 3.0):
        o = SimpleNamespace(w=np.float64(0.5), items=[np.float64(1.0)], log=[], h=np.zeros(2))
        o.sub, o.d = SimpleNamespace(w=np.float64(3.0)), {"a": 1, "n": np.float64(2.0)}
        o.queue = deque([np.float64(4.0), np.float64(5.0)])
        o.last = deque([np.float64(4.0), np.float64(5.0)], maxlen=2)
        module.HELD = held = [1]
        known = o.items, o.sub, o.d, o.h, o.queue
        function(np.float64(x), o)
        found.append(parts([vars(o), known, held, module.HELD]))
    return found


@pytest.mark.parametrize("name", STORED)
def test_each_run_stores_what_python_stores(name):
    assert outcomes(STORED[name], rt.function) == outcomes(STORED[name], lambda f: f)


@pytest.mark.parametrize("name", REFUSED)
def test_an_object_that_no_run_can_make_is_refused_where_it_is_stored(name):
    module, o = program(REFUSED[name]), SimpleNamespace(sub=1)
    with pytest.raises(ResultError, match="returns or stores an? .* that works with staged values"):
        rt.function(module.store)(np.float64(1.0), o)
    assert o.sub == 1


def test_the_error_names_the_line_of_a_generator_that_is_returned():
    text = "def gen(x):\n    yield x\n\ndef f(x):\n    y = x + 1\n    return gen(y)\n"
    f = load(text, "<returns a generator>").f
    with pytest.raises(ResultError, match="line 1, in gen"):
        rt.function(f)(np.float64(1.0))
    text = "def f(x):\n    y = 2\n    return (x * i for i in range(y))\n"
    f = load(text, "<returns a generator expression>").f
    with pytest.raises(ResultError, match="line 3, in <genexpr>"):
        rt.function(f)(np.float64(1.0))
