"""Lines that a staged block takes from a stream without calling a method of it.

The block is recorded although no run may get there: it is refused, or each run takes the lines.
Methods of streams, and functions that are given one to write to, are calls of each run.
"""

import contextlib
import io
import os

import numpy as np
import pytest
from loading import load

import runtime as rt

TAKING = """
next(o) ; next(o, None) ; o.__next__() ; list(o) ; tuple(o) ; set(o) ; sorted(o) ; max(o) ;
[line for line in o] ; [*o] ; ''.join(o) ; 'q' in o ; a, *b = o ; list(map(len, o)) ; next(iter(o)) ;
dict.fromkeys(o) ; list(line for line in o) ; collections.deque(o) ; np.array(list(o)) ; any(o) ;
functools.reduce(lambda a, b: a, o) ; list(itertools.islice(o, 1)) ; list(gen(o)) ; list(csv.reader(o))
"""
CALLED = """
o.readline() ; o.read(1) ; o.seek(1) ; o.write('z') ; print('z', file=o) ; isinstance(o, io.IOBase)
"""
HEAD = """
import collections, csv, functools, io, itertools
import numpy as np

def gen(o):
    yield from o
"""
FORMS = (
    "def f{i}(x, o):\n    if x > 0:\n        {act}\n    return x\n",
    "def f{i}(x, o):\n    i = 0\n    while i < x:\n        {act}\n        i += 1\n    return x\n",
    "def f{i}(x, o):\n    if x > 0:\n        for line in {act}:\n            pass\n    return x\n",
)


def functions(acts, forms):
    acts = " ".join(acts.split()).split(" ; ")
    text = HEAD
    shown = [(act, form) for act in acts for form in forms]
    for i, (act, form) in enumerate(shown):
        text += "\n" + form.format(i=i, act=act)
    module = load(text, "streams_in_blocks")
    return [(act, getattr(module, f"f{i}")) for i, (act, _) in enumerate(shown)]


@pytest.fixture(params=["text", "file"])
def stream(request, tmp_path):
    if request.param == "text":
        yield lambda: io.StringIO("a\nb\n")
        return
    path, opened = os.path.join(tmp_path, "lines.txt"), []
    with open(path, "w") as file:
        file.write("a\nb\n")

    def make():
        opened.append(open(path, "r+"))  # noqa: SIM115
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def test_a_block_that_no_run_enters_takes_no_lines(stream):
    for act, plain in functions(TAKING, FORMS[:2]):
        given = stream()
        with contextlib.suppress(rt.StagingError):  # each run may make the call
            rt.function(plain)(np.float64(-1.0), given)
        assert given.read() == "a\nb\n", act


def test_a_loop_over_a_stream_in_a_block_is_refused(stream):
    for _, plain in functions("o ; enumerate(o) ; zip(o, 'ab')", FORMS[2:]):
        given = stream()
        with pytest.raises(rt.StagingError, match="is taken from"):
            rt.function(plain)(np.float64(-1.0), given)
        assert given.read() == "a\nb\n"


def test_methods_of_streams_are_called_by_each_run_that_gets_there(stream):
    for act, plain in functions(CALLED, FORMS[:1]):
        given, known = stream(), stream()
        staged = rt.function(plain)
        for x in (-1.0, 1.0):
            staged(np.float64(x), given)
            plain(x, known)
            assert given.tell() == known.tell(), act
