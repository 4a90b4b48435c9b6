"""A call that ends by an exception has changed all that Python has changed before: plain values,
which the recording writes and runs do not, and values of the run, in any order."""

import contextlib
import io
from collections import OrderedDict, defaultdict, deque
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

MODULE = """
from types import SimpleNamespace
import runtime as rt

LEVEL = 0

class Settings:
    kind = "a"

def change(x, o):
    global LEVEL
BODY
"""

END = "if x > 0: raise ValueError('end')"
PROGRAMS = {
    "attribute": f"o.v = 5; o.items.append(x); {END}",
    "item": f"o.d['a'] = 'z'; o.items.append(x); o.d['n'] = x; {END}",
    "global": f"LEVEL = 'on'; o.items.append(x); {END}",
    "global of the run": f"o.name = 'on'; LEVEL = x; {END}",
    "class attribute": f"Settings.kind = 'b'; o.w = x * 2; {END}",
    "inner object": f"o.sub.name = 'b'; o.sub.w = x * 2; o.items[0] = x; {END}",
    "set": f"o.s.add(2); o.items.extend([x, x + 1]); {END}",
    "bytes": f"o.bytes.append(66); o.items.extend([x, x + 1]); {END}",
    "insert": f"o.name = 'k'; o.items.insert(0, x); {END}",
    "pop": f"o.name = 'k'; o.items.pop(); o.items.append(x); o.items.append(x); {END}",
    "delete an array": f"del o.items[0]; o.w = x; {END}",
    "deque": f"o.name = 'k'; o.q.append(x); {END}",
    "ordered dict": f"o.name = 'q'; o.od['b'] = x; {END}",
    "default dict": f"o.name = 'q'; o.dd['b'].append(x); {END}",
    "setattr": f"setattr(o, 'name', 'w'); setattr(o, 'w', x); {END}",
    "deleted attribute": f"o.name = 'a'; o.extra = x; del o.extra; o.w = x; {END}",
    "array": f"o.name = 'z'; o.h[1] = x; o.h += 1; {END}",
    "after the exception": f"o.w = x; {END}; o.name = 'after'; o.items.append(x)",
    "print": f"o.name = 'z'; print('hi', x); o.w = x; {END}",
    "new object": f"o.name = 'q'; o.sub = SimpleNamespace(w=x, name='new'); {END}",
    "new list": f"o.name = 'q'; o.items = [x]; o.items.append(x * 2); {END}",
    "division": "o.name = 'q'; o.items.append(x); n = int(x); o.w = x; return 3 // (n - n)",
    "index": "o.name = 'q'; o.items.append(x); return o.h[int(x) + 7]",
    "plain value that is read": f"o.v = 2 if o.v == 1 else o.v; o.items.append(x); {END}",
    "host call": f"o.name = 'q'; o.items.append(x); rt.host_call(o.log.append, x); {END}",
    "update": f"o.d.update(a=4, n=x); o.name = 'e'; {END}",
    "removed item": f"o.d.pop('a', None); o.d['n'] = x; {END}",
    "list of plain values": f"o.w = x; o.log.append(5); {END}",
    "taken plain value": f"o.w = x; o.names.pop(); {END}",
    "swapped": f"o.items, o.log = o.log, o.items; o.w = x; {END}",
    "finally": f"""
o.name = 'q'
o.items.append(x)
try:
    {END}
finally:
    o.w = x * 9""",
    "another exception": f"""
o.name = 'q'
o.items.append(x)
try:
    {END}
except ValueError:
    o.w = x * 9
    raise KeyError('r')""",
    "loop": """
o.name = 'z'
n = int(abs(x))
for i in range(5):
    o.w = o.w + x
    o.items[0] = x * i
    if i > n: raise ValueError('end')""",
    "loop of the run": """
o.name = 'z'
n, i = int(abs(x)), 0
while i < 10:
    o.w = o.w + x
    i += 1
    if i > n: raise ValueError('end')""",
}


def made():
    """An object with containers of many kinds."""
    o = SimpleNamespace(v=1, w=np.float64(0.5), name="n", log=[], names=["a", "b"], s={1})
    o.items, o.d = [np.float64(1.0)], {"a": 1, "n": np.float64(2.0)}
    o.q, o.od, o.dd = deque([np.float64(1.0)], maxlen=3), OrderedDict(a=1), defaultdict(list)
    o.sub, o.h, o.bytes = SimpleNamespace(w=np.float64(3.0), name="k"), np.zeros(3), bytearray(b"a")
    return o


def outcomes(name, stage, values):
    """All that can be seen after each call: the result, the output, and every object."""
    body = PROGRAMS[name] if "\n" in PROGRAMS[name] else PROGRAMS[name].replace("; ", "\n")
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    module, found = load(MODULE.replace("BODY", lines), f"<changes {name}>"), []
    function = stage(module.change)
    for x in values:
        o, module.LEVEL, module.Settings.kind = made(), 0, "a"
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            try:
                result = function(np.float64(x), o)
            except (ValueError, KeyError, ZeroDivisionError, IndexError) as error:
                result = type(error)
                assert not any("lost" in note for note in getattr(error, "__notes__", ()))
        found.append(repr((result, printed.getvalue(), o, module.LEVEL, module.Settings.kind)))
    return found


@pytest.mark.parametrize("values", [(1.0, 2.0, 3.0), (-1.0, 2.0)], ids=["at once", "later"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_call_changes_what_python_changes(name, values):
    assert outcomes(name, rt.function, values) == outcomes(name, lambda f: f, values)


def test_one_object_is_changed_once_by_each_call_that_raises():
    def change(x, o):
        o.v += 1
        o.log.append("plain")
        o.items.append(x)
        raise ValueError("end")

    expected, found = made(), made()
    staged = rt.function(change)
    for x in (1.0, 2.0, 3.0):
        for function, o in ((change, expected), (staged, found)):
            with pytest.raises(ValueError, match="end"):
                function(np.float64(x), o)
        assert repr(found) == repr(expected)


def test_a_graph_that_is_recorded_without_a_run_keeps_its_changes():
    def change(x, o):
        o.log.append("plain")
        o.items.append(x)
        raise ValueError("end")

    o = made()
    concrete = rt.function(change).get_concrete_function(np.float64(1.0), o)
    assert o.log == ["plain"]
    with pytest.raises(ValueError, match="end"):
        concrete(np.float64(2.0), o)
    assert (o.log, o.items[1:]) == (["plain", "plain"], [2.0])
