"""Every way to change a container of the standard library or an array in a branch or loop that a run
may not reach: as in Python, or refused with the line, and then nothing is changed.
"""

import array
import ctypes
import io
import mmap
import queue

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

# How a container is made, and statements that change it.
CHANGES = {
    "array.array('d', [3.0, 1.0, 2.0])": """
        c.append(5.0) ; c.extend([5.0]) ; c.insert(0, 5.0) ; c.pop() ; c.remove(1.0) ;
        c.reverse() ; c[0] = 5.0 ; del c[0] ; c += array.array('d', [5.0]) ; c.fromlist([5.0]) ;
        c.frombytes(bytes(8)) ; c.byteswap() ; c[0:1] = array.array('d', [7.0, 8.0]) ; c *= 2 ;
        memoryview(c)[0] = 9.0 ; array.array.append(c, 5.0) ; c[0] += 1 ; np.asarray(c)[0] = 5.0
        ; np.array(c, copy=False)[0] = 5.0 ; np.ascontiguousarray(c)[0] = 5.0
    """,
    "bytearray(b'cab')": """
        c.append(5) ; c.extend(b'x') ; c.insert(0, 5) ; c.pop() ; c.remove(97) ; c.reverse() ;
        c.clear() ; c[0] = 5 ; del c[0] ; c += b'z' ; c[0:1] = b'zz' ; c *= 2 ; memoryview(c)[0]
        = 9 ; np.frombuffer(c, 'u1')[0:1] = 9 ; c[0] ^= 1 ; np.asarray(memoryview(c))[0] = 5
        ; memoryview(c)[:2][0] = 5 ; memoryview(c).cast('B')[0] = 5
    """,
    "collections.deque([3.0, 1.0, 2.0])": """
        c.append(5.0) ; c.appendleft(5.0) ; c.extend([5.0]) ; c.extendleft([5.0]) ; c.insert(0,
        5.0) ; c.pop() ; c.popleft() ; c.remove(1.0) ; c.reverse() ; c.rotate(1) ; c.clear() ;
        c[0] = 5.0 ; del c[0] ; c += [5.0] ; c *= 2
    """,
    "[3.0, 1.0, 2.0]": """
        c.append(5.0) ; c.extend([5.0]) ; c.insert(0, 5.0) ; c.pop() ; c.remove(1.0) ;
        c.reverse() ; c.sort() ; c.clear() ; c[0] = 5.0 ; del c[0] ; c += [5.0] ; c *= 2 ;
        c[0:1] = [7.0, 8.0]
    """,
    "{'a': 1.0, 'b': 2.0}": """
        c.update(a=5.0) ; c.update(z=5.0) ; c['a'] = 5.0 ; c['z'] = 5.0 ; del c['a'] ;
        c.pop('a') ; c.popitem() ; c.setdefault('z', 5.0) ; c.clear() ; c |= {'a': 3.0}
    """,
    "{1.0, 2.0}": """
        c.add(5.0) ; c.discard(1.0) ; c.remove(1.0) ; c.pop() ; c.clear() ; c.update([5.0]) ; c
        |= {5.0} ; c &= {1.0} ; c -= {1.0} ; c ^= {1.0} ; c.difference_update([1.0]) ;
        c.intersection_update([1.0]) ; c.symmetric_difference_update([1.0])
    """,
    "collections.Counter(a=2, b=1)": """
        c.update('a') ; c.subtract('a') ; c['a'] += 1 ; c['z'] += 1 ; c +=
        collections.Counter('a')
    """,
    "collections.ChainMap({'a': 1.0}, {'b': 2.0})": """
        c['a'] = 5.0 ; c['z'] = 5.0 ; del c['a'] ; c.maps.append({}) ; c.clear()
    """,
    "types.SimpleNamespace(a=1.0)": """
        c.a = 5.0 ; c.z = 5.0 ; del c.a ; setattr(c, 'a', 5.0) ; vars(c)['a'] = 5.0 ;
        c.__dict__.update(a=5.0)
    """,
    "io.BytesIO(b'abc')": """
        c.write(b'zz') ; c.getbuffer()[0:1] = b'z' ; c.truncate(1) ; c.seek(1) ; c.read(1) ;
        c.writelines([b'q'])
    """,
    "io.StringIO('abc')": """
        c.write('zz') ; c.truncate(1) ; c.seek(1) ; c.read(1) ; c.readline()
    """,
    "(ctypes.c_double * 3)(3.0, 1.0, 2.0)": """
        c[0] = 5.0 ; c[0:1] = [5.0] ; memoryview(c).cast('B')[0] = 1 ; ctypes.memset(c, 0, 8) ;
        np.ctypeslib.as_array(c)[0] = 5.0 ; c.__setitem__(0, 5.0)
    """,
    "ctypes.c_int(3)": """
        c.value = 5 ; c.value += 1 ; setattr(c, 'value', 5)
    """,
    "memoryview(bytearray(b'cab'))": """
        c[0] = 5 ; c[0:1] = b'z' ; c[:][0] = 5 ; c.cast('B')[0] = 5 ; np.asarray(c)[0:1] = 5 ;
        c.release() ; np.asanyarray(c)[0] = 5 ; np.require(c)[0] = 5
    """,
    "memoryview(array.array('d', [3.0, 1.0, 2.0]))": """
        c[0] = 5.0 ; c[0:1] = array.array('d', [5.0]) ; c.cast('B')[0] = 5 ; np.asarray(c)[0] =
        5
    """,
    "mmap.mmap(-1, 3)": """
        c[0] = 5 ; c[0:1] = b'z' ; c.write(b'z') ; c.seek(1) ; c.write_byte(5) ; c.move(0, 1, 1)
        ; memoryview(c)[0] = 5
    """,
    "np.array(['c', 'a'], dtype=object)": """
        c[0] = 'z' ; c.sort() ; c.fill('z') ; c[:] = 'z' ; np.put(c, [0], 'z') ; c.put([0], 'z')
        ; c.flat[0] = 'z' ; np.copyto(c, 'z') ; c.setflags(write=False)
    """,
    "np.array(['c', 'a'])": """
        c[0] = 'z' ; c.sort() ; c.fill('z') ; c[:] = 'z' ; np.put(c, [0], 'z') ; np.copyto(c,
        'z')
    """,
    "np.frombuffer(bytearray(24))": """
        c[0] = 5.0 ; c.fill(5.0) ; c += 1 ; c.sort() ; np.add(c, 1, out=c) ; np.put(c, [0], 5.0)
        ; memoryview(c)[0] = 5.0 ; c.base[0:1] = b'z' ; c.data[0] = 5.0
    """,
    "np.array([3.0, 1.0, 2.0])": """
        c[0] = 5.0 ; c.fill(5.0) ; c += 1 ; c.sort() ; np.add(c, 1, out=c) ; np.put(c, [0], 5.0)
        ; memoryview(c)[0] = 5.0 ; c.data[0] = 5.0 ; c.view('u1')[0] = 5 ; c.flat[0] = 5.0 ; c[c
        > 1] = 0 ; np.copyto(c, 0) ; np.place(c, c > 1, 0) ; np.fill_diagonal(c.reshape(1, 3),
        7) ; c.setflags(write=False) ; c.resize(2, refcheck=False) ; c.partition(1) ;
        c.ctypes.data_as(ctypes.POINTER(ctypes.c_double))[0] = 5.0 ; c.setfield(5.0, 'f8')
    """,
    "np.array([(1.0, 2)], dtype=[('a', 'f8'), ('b', 'i4')])": """
        c['a'] = 5.0 ; c[0] = (5.0, 3) ; c['a'][0] = 5.0 ; c[0]['a'] = 5.0
    """,
    "np.asarray(memoryview(bytearray(b'cab')))": """
        c[0] = 5 ; c.fill(5)
    """,
    "np.ma.array([1.0, 2.0], mask=[0, 1])": """
        c[0] = 5.0 ; c.mask[0] = True ; c[0] = np.ma.masked
    """,
    "queue.Queue()": """
        c.put(3) ; c.queue.append(3)
    """,
    "collections.OrderedDict(a=1.0, b=2.0)": """
        c.move_to_end('a') ; c['a'] = 5.0 ; c.popitem(False)
    """,
    "collections.defaultdict(float, a=1.0)": """
        c['q'] ; c['q'] += 1 ; c['a'] += 1
    """,
    "collections.UserDict(a=1.0, b=2.0)": """
        c.update(a=5.0) ; c.update(z=5.0) ; c['a'] = 5.0 ; c['z'] = 5.0 ; del c['a'] ;
        c.pop('a') ; c.popitem() ; c.setdefault('z', 5.0) ; c.clear() ; c |= {'a': 3.0}
    """,
    "collections.UserList([3.0, 1.0, 2.0])": """
        c.append(5.0) ; c.extend([5.0]) ; c.insert(0, 5.0) ; c.pop() ; c.remove(1.0) ;
        c.reverse() ; c.sort() ; c.clear() ; c[0] = 5.0 ; del c[0] ; c += [5.0] ; c *= 2 ;
        c[0:1] = [7.0, 8.0]
    """,
    "collections.deque([3.0, 1.0, 2.0], maxlen=3)": """
        c.append(5.0) ; c.appendleft(5.0) ; c.rotate(1)
    """,
}

PRELUDE = """
import array, collections, ctypes, io, mmap, queue, types
import numpy as np
"""
TEMPLATES = {
    "branch": """
def f(x):
    y = x
    if x > 1.5:
        ACT
        y = x + 1
    return y
""",
    "loop": """
def f(x):
    y = x
    while y > 1.5:
        ACT
        y = y - 1
    return y
""",
    "read after it": """
def f(x):
    y = x
    if x > 1.5:
        ACT
        y = x + 1
    return y * 2 if len(repr(c)) else y
""",
}
CASES = [
    (made, act.strip())
    for made, acts in CHANGES.items()
    for act in " ".join(acts.split()).split(" ; ")
]


def contents(value):
    """Everything that a change of a container shows."""
    match value:
        case io.BytesIO() | io.StringIO():
            return value.getvalue(), value.tell()
        case memoryview():
            try:
                return bytes(value)
            except ValueError:
                return "released"
        case mmap.mmap():
            return value[:], value.tell()
        case ctypes.Array():
            return list(value)
        case ctypes.c_int():
            return value.value
        case queue.Queue():
            return list(value.queue)
        case np.ndarray():
            return repr(value), value.flags.writeable
        case set():
            return sorted(value)
        case _:
            return repr(value)


def seen(made, act, template, wrap):
    """The results and the contents after each call; the refusal that ends them, if there is one."""
    body = TEMPLATES[template].replace("ACT", act)
    if act.startswith("c "):
        body = body.replace("def f(x):", "def f(x):\n    global c")
    module = load(f"{PRELUDE}c = {made}\n{body}", "changed_containers")
    function, found = wrap(module.f), [contents(module.c)]
    for x in (1.0, 2.0, 1.0, 3.0):
        try:
            found.append(float(function(np.float64(x))))
        except rt.StagingError as error:
            assert "changed_containers" in str(error), error
            assert contents(module.c) == found[-1], "a refused program has changed it"
            return found, error
        except Exception as error:
            found.append(repr(error))
        found.append(contents(module.c))
    return found, None


def check(made, act, template):
    wanted, _ = seen(made, act, template, lambda f: f)
    found, _ = seen(made, act, template, rt.function)
    assert found == wanted[: len(found)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("made", "act"), CASES, ids=lambda value: value)
def test_a_change_in_a_branch_is_that_of_python_or_refused(made, act):
    check(made, act, "branch")


@pytest.mark.sampled(10)
@pytest.mark.parametrize("template", ["loop", "read after it"])
@pytest.mark.parametrize(("made", "act"), CASES, ids=lambda value: value)
def test_a_change_elsewhere_is_that_of_python_or_refused(made, act, template):
    check(made, act, template)


def test_an_array_over_the_memory_of_a_container_writes_there():
    data = array.array("d", [3.0, 1.0, 2.0])

    @rt.function
    def f(x):
        view = np.asarray(data)
        return view * x

    np.testing.assert_array_equal(f(np.float64(2.0)), [6.0, 2.0, 4.0])
    data[0] = 5.0
    np.testing.assert_array_equal(f(np.float64(2.0)), [10.0, 2.0, 4.0])
