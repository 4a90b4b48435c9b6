"""Texts of objects that hold staged values, and such objects in the world outside of a run: the
result is that of Python, or the program is refused."""

import io
import logging
import pdb
import re
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

IMPORTS = """
import collections, datetime, functools, logging, pprint, queue, reprlib, string, types, warnings
import numpy as np
import runtime as rt
from collections import deque
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace

V = rt.Variable(2.0)
Pair = collections.namedtuple("Pair", "a b")
box = queue.Queue()

class Point:
    def __init__(self, a):
        self.a = a
    def method(self):
        return self.a
    def __repr__(self):
        return f"Point({self.a})"

@dataclass
class Data:
    a: object

def stored(*values):
    for value in values:
        box.put(value)

def taken():
    found = []
    while not box.empty():
        found.append(box.get())
    return found
"""
# Statements that give `w` a value that only a run has.
VALUES = {
    "one of two kinds": "w = 'a' if x > 1 else 3",
    "a number or None": "w = None if x > 1 else 2.5",
    "a tuple or None": "w = None\n    if x > 1:\n        w = (x, 2)",
    "a list": "w = []\n    for i in range(int(x)):\n        w.append(i)",
    "a list of lists": "w = []\n    for i in range(int(x)):\n        w.append([i])",
    "a dict": "w = {}\n    for i in range(int(x)):\n        w[i] = i",
    "a view": "w = {}\n    for i in range(int(x)):\n        w[i] = i\n    w = w.keys()",
    "an ordered dict": "w = collections.OrderedDict()\n    for i in range(int(x)):\n        w[i] = i",
    "a defaultdict": "w = collections.defaultdict(list)\n    for i in range(int(x)):\n"
    "        w[i].append(i)",
    "a counter": "w = collections.Counter(['a' if x > 1 else 'b'])",
    "a set": "w = set()\n    for i in range(int(x)):\n        w.add(i)",
    "a deque": "w = deque()\n    for i in range(int(x)):\n        w.append(i)",
    "a tuple": "w = tuple([i for i in range(int(x))])",
    "a range": "w = range(int(x))",
    "ranges": "w = [range(int(x))]",
    "a text": "w = f'{x}'",
    "bytes": "w = b'a' if x > 1 else b'b'",
    "an array": "w = np.arange(3) * x",
    "a complex number": "w = x * 1j",
    "a variable": "w = V",
    "a slice": "w = slice(0, int(x))",
    "one of two objects": "w = Point(1) if x > 1 else Point(2)",
    "a named tuple": "w = Pair(x, 1)",
    "a bound method": "w = Point(x).method",
    "a namespace": "w = SimpleNamespace(a=1)\n    for _ in range(int(x)):\n        w.a = 2",
}
TEXTS = """'%s' % (w,); '%r' % [w]; '%s %s' % (w, x); '%s %s' % (x, [w]); ('%s' + f'{x}') % (w,)
'%s' % o; '%s %s' % (o, x); '%r %s' % (x, o); ('%s' + f'{x}') % (o,); '%*d %s' % (5, x, o)
f'{w}'; f'{[w]}'; f'{(w,)}'; f'{o}'; f'{o!r}'; f'{o!a}'; f'{d}'; f'{p}'; f'{Data(w)}'; f'{Point(w)}'
str(w); str([w]); str({'k': w}); str(o); str(p); str(d); str(Exception(w)); str(Pair(w, 1))
str(deque([w])); str(types.MappingProxyType({'k': w})); str({'k': w}.items()); str(slice(w, 1))
str(collections.ChainMap({'k': w})); str(collections.OrderedDict(k=w)); str({'k': w}.values())
repr(w); repr(Exception(w)); ascii(w); ascii(o); format(w); w.__repr__(); w.__str__(); o.__repr__()
'{}'.format(w); '{0} {1!r}'.format(w, x); '{0} {1!r}'.format(o, x); '{a}'.format_map({'a': w})
'{a}'.format_map({'a': o}); ' '.join([str(w)]); ' '.join(map(str, [w, o])); '{}'.format(Data(w))
pprint.pformat(w); pprint.pformat(o); reprlib.repr(w); reprlib.repr(o); b'%a' % [w]; b'%a' % o
string.Template('$a').substitute(a=w); string.Template('$a').substitute(a=o); '%s' % (Data(w),)
'%s %s' % (p, x); '%s %s' % (d, x); '%s %s' % (Exception(w), x); '%s %s' % (Data(w), x); '%a' % o"""
TEXTS = [text.strip() for line in TEXTS.splitlines() for text in line.split(";")]
TEXT = """
def f(x):
    {}
    o, p, d = SimpleNamespace(a=w), partial(print, w), deque([w])
    return x, {}
"""
# Objects that hold the value of a run, and statements that let them leave the run.
OBJECTS = ["SimpleNamespace(a={})", "Point({})", "Data({})", "Exception({})", "deque([{}])"]
OBJECTS += ["deque([{}], 3)", "partial(max, {})", "[SimpleNamespace(a={})]", "(Point({}),)"]
OBJECTS += ["dict(k=SimpleNamespace(a={}))", "Pair(Exception({}), 1)", "iter([{}])"]
LEAVING = {
    "raised": "raise ValueError('v', o)",
    "raised in a branch": "if x > 1:\n        raise ValueError(o)",
    "asserted": "assert x > 50, o",
    "caught": "try:\n        if x > 1:\n            raise ValueError(o)\n"
    "    except ValueError as error:\n        return str(error.args)",
    "stored": "box.put(o)",
    "stored in a branch": "if x > 1:\n        box.put(o)",
    "stored by a function": "rt.host_call(stored, o, x)",
    "marked": "rt.effect(box.put)(o)",
    "asked": "return rt.host_call(repr, o, like='')",
    "logged": "logging.getLogger('texts').warning('v %s %s', o, x)",
    "logged alone": "logging.getLogger('texts').warning('v %s', o)",
    "printed": "print(o, x)",
    "returned": "return o",
}
ADDRESS = re.compile("0x[0-9a-f]+|x[0-9a-f]{6,}>|[0-9a-f]{6,}>")


class Records(logging.Handler):
    """Keeps the messages of records."""

    def __init__(self):
        super().__init__()
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


def told(value):
    """A value as a text, without addresses; for a `partial` or an iterator also the parts."""
    if hasattr(value, "__next__"):
        return str(list(map(told, value)))
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}{list(map(told, value))}"
    return ADDRESS.sub("", repr(value))


def shown(module, function, x):
    """The result of a call, or its exception; and whatever the program has put into its box, or
    logged."""
    records = Records()
    logging.getLogger("texts").addHandler(records)
    try:
        result = told(function(np.float64(x)))
    except rt.StagingError:
        raise
    except Exception as error:
        result = type(error).__name__, told(error.args)
    finally:
        logging.getLogger("texts").removeHandler(records)
    return result, told(module.taken()), [ADDRESS.sub("", one) for one in records.messages]


def agree_or_refuse(text, name):
    plain, staged = load(IMPORTS + text, f"<plain {name}>"), load(IMPORTS + text, f"<run {name}>")
    function = rt.function(staged.f)
    for x in (0.5, 2.0, 0.5):
        wanted = shown(plain, plain.f, x)
        try:
            found = shown(staged, function, x)
        except rt.StagingError:
            return
        if isinstance(wanted[0], tuple) and wanted[0][0] != "ValueError":
            assert found[0][0] == wanted[0][0]  # Python's own errors have other texts
        else:
            assert found == wanted, name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", VALUES)
def test_a_text_is_pythons_or_is_refused(value):
    first = list(VALUES).index(value)
    for text in TEXTS[first % 13 :: 13]:
        agree_or_refuse(TEXT.format(VALUES[value], text), f"{value} {text}")


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", VALUES)
def test_every_text_is_pythons_or_is_refused(value):
    for text in TEXTS:
        agree_or_refuse(TEXT.format(VALUES[value], text), f"{value} {text}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", LEAVING)
def test_an_object_that_leaves_a_run_holds_its_values(way, capsys):
    for made in OBJECTS:
        body = f"o = {made.format('x * 2')}\n    {LEAVING[way]}\n    return x"
        agree_or_refuse(f"\ndef f(x):\n    {body}\n", f"{made} {way}")
    assert "Tensor" not in capsys.readouterr().out


def test_the_object_of_a_text_may_change_afterwards():
    def f(x):
        point = {"a": 1}
        namespace = SimpleNamespace(a=1)
        text = "%s %s %s" % (namespace, point, x)  # noqa: UP031
        namespace.a, point["a"] = 5, 6
        return text

    assert rt.function(f)(np.float64(1.5)) == f(np.float64(1.5))


def test_a_debugger_shows_descriptions():
    seen = io.StringIO()
    commands = io.StringIO("p y\np [y]\np z\nc\n")

    @rt.function
    def f(x):
        z = []
        for i in range(int(x)):
            z.append(i)
        y = x * 2
        pdb.Pdb(stdin=commands, stdout=seen, nosigint=True, readrc=False).set_trace()
        return y

    assert f(np.float64(1.5)) == 3.0
    assert "<Tensor" in seen.getvalue() and "[<Tensor" in seen.getvalue()
    assert "<staged list[int]>" in seen.getvalue()


def test_a_text_after_the_recording_is_a_description():
    graph = rt.Graph()
    with graph.as_default():
        y = rt.placeholder(np.float64, name="y") * 2
    assert "<Tensor" in repr([y])
