"""Views of memory that only a run has: `np.asarray(memoryview(data)).fill(5)` in a staged branch.

The write reaches the object that the program knows, as in Python, or the program is refused and
nothing has changed.  Code that only reads through a view is recorded.
"""

import array
import ctypes
import mmap

import numpy as np
import pytest
from loading import load

import runtime as rt

MEMORY = {
    "bytearray": lambda: bytearray(b"abcdefgh"),
    "array": lambda: array.array("d", [1.0, 2.0, 3.0]),
    "ctypes": lambda: (ctypes.c_double * 3)(1, 2, 3),
    "mmap": lambda: mmap.mmap(-1, 16),
}
WRITES = """
np.asarray(memoryview(b)).fill(5)
np.copyto(np.asarray(memoryview(b)), 5)
np.asarray(memoryview(b)).sort()
np.asarray(memoryview(b))[0] = 5
np.asarray(memoryview(b)).flat[0] = 3
np.asarray(memoryview(b)).view('i1').fill(3)
np.asarray(memoryview(b)).byteswap(True)
np.nan_to_num(np.asarray(memoryview(b)), copy=False)
np.negative(np.asarray(memoryview(b)), out=np.asarray(memoryview(b)))
np.put(np.asarray(memoryview(b)), [0], 5)
np.random.default_rng(0).shuffle(np.asarray(memoryview(b)))
memoryview(memoryview(b)).cast('B')[0] = 5
io.BytesIO(b'zz').readinto(memoryview(b))
struct.pack_into('b', memoryview(b), 0, 5)
write = np.asarray(memoryview(b)).fill; write(5)
views = [memoryview(b)]; np.asarray(views[0]).fill(5)
fill(np.asarray(memoryview(b)))
(lambda view: view.fill(4))(np.asarray(memoryview(b)))
d = collections.deque([memoryview(b)]); np.asarray(d.pop()).fill(5)
view = memoryview(b) if x > 2 else memoryview(other); np.asarray(view).fill(5)
np.frombuffer(b, 'u1').fill(5)
np.frombuffer(b, 'u1')[:2] = 7
np.ndarray((2,), 'u1', b)[0] = 5
m = np.frombuffer(b, 'u1'); m += 1
"""
READS = """
y = y + np.asarray(memoryview(b)).nbytes
y = y + len(memoryview(b).tobytes())
y = y + len(memoryview(b).hex())
y = y + float(np.asarray(memoryview(b)).sum())
y = y + float(np.asarray(memoryview(b)).astype('f8').copy()[0])
"""
FORMS = {
    "branch": "    if x > 0:\n        {}\n",
    "loop": "    i = 0\n    while i < x:\n        {}\n        i += 1\n",
    "nested": "    def inner():\n        if x > 0:\n            {}\n    inner()\n",
}
SOURCE = """
import collections, io, struct
import numpy as np
sink = []
other = bytearray(b"other")

def fill(view):
    view.fill(3)
"""
INPUTS = (1.0, -1.0, 5.0)


def functions(acts, forms=tuple(FORMS)):
    """A function for each act in each form, with its name."""
    acts = [act for act in acts.strip().splitlines()]
    text, names = SOURCE, []
    for act in acts:
        for form in forms:
            name = f"f{len(names)}"
            names.append((name, act, form))
            lines = act.split("; ")
            indent = "\n" + " " * (FORMS[form].split("{}")[0].rpartition("\n")[2].count(" "))
            body = FORMS[form].format(indent.join(lines))
            text += f"\ndef {name}(x, b):\n    y = x\n{body}    return y + len(bytes(b)) + END(b)\n"
    return load(text.replace("END(b)", "bytes(b)[0]"), "shared_memory"), names


def contents(value):
    return np.frombuffer(value, "u1").tobytes()


def compare(function, plain, make):
    """Compares the results and the memory after each call; returns the refusal, if any."""
    known, given = make(), make()
    for x in INPUTS:
        before = contents(given)
        try:
            found = function(np.float64(x), given)
        except rt.StagingError as error:
            assert contents(given) == before, "a refused program has changed it"
            return error
        except (TypeError, ValueError, BufferError, NotImplementedError) as error:
            with pytest.raises(type(error)):
                plain(np.float64(x), known)
            return None
        assert found == plain(np.float64(x), known)
        assert contents(given) == contents(known)
    return None


@pytest.mark.parametrize("kind", MEMORY)
def test_a_write_through_a_view_is_that_of_python_or_refused(kind):
    forms = ("branch",) if kind in ("ctypes", "mmap") else tuple(FORMS)
    module, names = functions(WRITES, forms)
    for name, _, _ in names:
        plain = getattr(module, name)
        compare(rt.function(plain), plain, MEMORY[kind])


@pytest.mark.parametrize("kind", ["bytearray", "array"])
def test_reading_through_a_view_is_recorded(kind):
    module, names = functions(READS, ("branch", "loop"))
    for name, act, _ in names:
        plain = getattr(module, name)
        assert compare(rt.function(plain), plain, MEMORY[kind]) is None, act


def test_a_list_from_outside_takes_no_object_of_a_run_in_a_branch():
    module, _ = functions("sink.append(bytes(memoryview(b)))", ("branch", "loop"))
    for name in ("f0", "f1"):
        with pytest.raises(rt.errors.OneSidedError, match="sink gets longer or shorter"):
            rt.function(getattr(module, name))(np.float64(1.0), bytearray(b"ab"))
    assert module.sink == []


def test_a_refused_write_names_its_line():
    module, _ = functions(WRITES, ("branch",))
    with pytest.raises(rt.StagingError, match="a bytearray may be changed by a run") as caught:
        rt.function(module.f0)(np.float64(1.0), bytearray(b"ab"))
    assert "np.asarray(memoryview(b)).fill(5)" in str(caught.value)


@pytest.mark.parametrize("kind", MEMORY)
def test_memory_that_other_code_changes_is_read_again(kind):
    def read(x, b):
        return x + np.frombuffer(b, "u1")[0]

    b, function = MEMORY[kind](), rt.function(read)
    assert function(np.float64(1.0), b) == read(1.0, b)
    np.frombuffer(b, "u1")[:] = 65
    assert function(np.float64(1.0), b) == 66.0


def test_a_change_through_an_object_that_keeps_a_dict_is_seen_or_refused():
    module = load(
        """
import collections

def f(x):
    d = {"k": x}
    if x > 0:
        both = collections.ChainMap(d)
        both.update(k=x * 2)
    return d["k"]
""",
        "shared_memory",
    )
    function = rt.function(module.f)
    for x in (-1.0, 1.0):
        try:
            assert function(np.float64(x)) == module.f(x)
        except rt.StagingError:
            return
