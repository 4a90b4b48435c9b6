"""Objects of the library that a staged branch changes and operators read afterwards: no call says
that they are read.  The result is that of Python, or the program is refused."""

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

IMPORTS = """
import array, ctypes, io, mmap, types
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque
import numpy as np

class Point(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int)]
"""
# Objects, and changes of each.
OBJECTS = {
    "array.array('i', [1, 2])": ["o.append(3)", "o[0] = 7", "o *= 2", "o += o", "o[0:1] = o"],
    "(ctypes.c_int * 3)(1, 2, 3)": ["o[0] = 7", "o[1:2] = [5]", "ctypes.memset(o, 0, 4)"],
    "memoryview(bytearray(b'ab'))": ["o[0] = 7", "o[0:1] = b'z'"],
    "mmap.mmap(-1, 4)": ["o[0] = 7", "o.write(b'ab')"],
    "Point(1)": ["o.a = 7", "setattr(o, 'a', 4)"],
    "deque([1, 2])": ["o.append(3)", "o *= 2"],
    "bytearray(b'ab')": ["o.append(3)", "o += b'x'"],
    "UserList([1, 2])": ["o.append(3)", "o[0] = 7", "o += [3]"],
    "UserDict({1: 2, 0: 3})": ["o[5] = 1", "o.update({1: 9})", "o |= {1: 4}"],
    "ChainMap({1: 2}, {0: 3})": ["o[5] = 1", "o |= {1: 4}", "o.pop(1)"],
    "OrderedDict([(1, 2), (0, 3)])": ["o[1] = 7", "o.move_to_end(1)", "o |= {9: 1}"],
    "Counter([1, 1, 0])": ["o[1] += 1", "o += Counter([1])", "o.subtract([1])"],
    "defaultdict(int, {1: 2})": ["o[1] = 9", "o[7]"],
    "types.SimpleNamespace(a=1)": ["o.a = 2", "vars(o).update(a=9)"],
    "io.StringIO('ab\\ncd')": ["o.write('zz')", "o.readline()"],
    "np.array(['a', 'b'])": ["o[0] = 'z'", "o[:] = 'y'", "o.sort()"],
    "np.array([1, 'a', None], dtype=object)": ["o[0] = 7"],
    "np.array([(1, 2.0)], dtype=[('a', int), ('b', float)])": ["o[0] = (3, 4.0)", "o['a'] += 9"],
    "np.ma.array([1.0, 2.0], mask=[0, 1])": ["o[0] = 9.0", "o[1] = np.ma.masked"],
    "[1, 2]": ["o[0] = 7", "o.reverse()"],
    "{1: 2, 0: 3}": ["o[1] = 7", "o[1] = o.pop(1)"],
}
READS = """o[-1]; o[0]; o[1]; o == p; p == o; o != p; len(o); 7 in o; bool(o); not o; [*o]; list(o)
[k for k in o]; o + o; o * 2; spread(*o); f'{o}'; str(o); '%s' % (o,); '%r' % [o]; '{}'.format(o)
repr(o); 1 if o else 2; sum(o); sorted(o); o < p; o and 3; {**o}; dict(o); o | o; o[0:1]; bytes(o)
next(iter(o)); (o,) == (p,); [o] == [p]; o.a; vars(o); list(reversed(o)); list(zip(o, o)); o.__dict__
np.array(o).tolist(); matched(o); [(k, o) for k in p][-1]; max([o, p], key=len)"""
READS = [read.strip() for line in READS.splitlines() for read in line.split(";")]
TEXT = """
def spread(*items):
    return items

def matched(o):
    match o:
        case [first, *_]:
            return first
        case {1: value}:
            return value
"""
PLACES = {
    "inside": "def f(x):\n    o, p = {0}, {0}\n    if x > 1:\n        {1}\n    return x, {2}\n",
    "outside": "o, p = {0}, {0}\ndef f(x):\n    global o\n    if x > 1:\n        {1}\n"
    "    return x, {2}\n",
    "helper": "def act(o):\n    {1}\n\ndef f(x):\n    held = [{0}, {0}]\n    if x > 1:\n"
    "        act(held[0])\n    o, p = held\n    return x, {2}\n",
    "loop": "def f(x):\n    o, p = {0}, {0}\n    for _ in range(int(x)):\n        {1}\n"
    "    return x, {2}\n",
}
CHANGES = [(given, change) for given, changes in OBJECTS.items() for change in changes]


def shown(function, x):
    """The outcome of a call, as a text; numbers of NumPy are shown without their types."""
    try:
        result = function(np.float64(x))
    except rt.StagingError:
        raise
    except Exception as error:
        return type(error).__name__
    with np.printoptions(legacy="1.25"):
        return repr(result)


def check(given, change, place, read):
    text = IMPORTS + TEXT + PLACES[place].format(given, change, read)
    expected = load(text, f"<plain {change} {read} {place}>")
    staged = rt.function(load(text, f"<staged {change} {read} {place}>").f)
    for x in (0.5, 2.0, 0.5):
        wanted = shown(expected.f, x)
        if "object at 0x" in wanted:
            return
        try:
            assert shown(staged, x) == wanted, (given, change, read, x)
        except rt.StagingError:
            return


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", PLACES)
def test_what_operators_read_is_what_the_run_has_changed(place):
    first = list(PLACES).index(place)
    for i, (given, change) in enumerate(CHANGES[first % 2 :: 2]):
        check(given, change, place, READS[(7 * i + 11 * first) % len(READS)])


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("given, change", CHANGES)
def test_every_operator_after_every_change(given, change, place):
    for read in READS:
        check(given, change, place, read)
