"""A run that has had effects, and that an exception ends, has changed objects as in Python.

The effects happen once.  Where the changes cannot be found out without them, a note says so.
"""

import contextlib
import functools
import io
import logging
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt

LOGGER = logging.getLogger("effects before exceptions")
SENT = []
COUNT = np.float64(0.0)


@rt.effect
def send(value):
    SENT.append(float(value))
    return len(SENT)


@rt.effect
def refuse(value):
    SENT.append(float(value))
    raise LookupError(float(value))


def inner(o, v):
    print("inner", v[0])
    o.w = o.w + v[0]
    if o.w > 2.0:
        raise KeyError("inner")
    return o.w


decorated = rt.function(inner)


class Meter:
    def __init__(self, start):
        self.total = start

    def add(self, step):
        print("add", step)
        self.total = self.total + step
        assert self.total < 5.0, "full"

    @property
    def share(self):
        return self.total

    @share.setter
    def share(self, part):
        print("share", part)
        self.total = self.total + part

    def __add__(self, other):
        print("plus", other)
        return Meter(self.total + other)


def print_first(v, o, n):
    print(v)
    o.h = v * 2.0
    raise KeyError(3)


def print_last(v, o, n):
    o.h = v * 2.0
    print("after", v[0])
    return v[n]


def print_between(v, o, n):
    o.h = v * 2.0
    print(o.h)
    o.w = o.h[1]
    {}["a"]


def log_in_a_branch(v, o, n):
    if v[0] < n:
        LOGGER.warning("low %s", v[0])
        o.d["a"] = v[1]
        raise ValueError("low")
    o.w = v[0]
    return v


def call_in_a_loop(v, o, n):
    for i in range(n + 1):
        send(v[0] * i)
        o.w = o.w + 1.0
        o.items[0] = v[i]
    return o.w


def use_what_calls_return(v, o, n):
    for i in range(n + 1):
        o.w = o.w + rt.host_call(send, v[0], like=0)
        if i > 1:
            raise ValueError("three")
    return o.w


def end_in_a_call(v, o, n):
    o.h = v + 1.0
    print("before")
    refuse(v[1])


def global_variable(v, o, n):
    global COUNT
    COUNT = COUNT + v[0]
    print(COUNT)
    assert COUNT < 0.0, "positive"


def outer_variable(v, o, n):
    total = v[0]

    def add():
        nonlocal total
        total = total + 1.0
        print(total)
        o.w = total

    for _ in range(n + 5):
        add()
        if total > 3.0:
            raise StopIteration
    return total


def callee(v, o, n):
    for _ in range(n + 5):
        inner(o, v)


def decorated_callee(v, o, n):
    for _ in range(n + 5):
        decorated(o, v)


def method_of_an_object(v, o, n):
    o.meter = Meter(v[1])
    for _ in range(n + 5):
        o.meter.add(v[0])


def write_a_file(v, o, n):
    o.file.write(f"{v[0]}\n")
    o.w = v[1]
    v[0] = 7.0
    raise OSError(5)


def array_and_object(v, o, n):
    print(v)
    v[0] += 1.0
    o.h = v
    o.w = v[0]
    v[n + 5] = 0.0


def exit_program(v, o, n):
    print("leaving")
    o.w = v[1]
    raise SystemExit(3)


def variable(v, o, n):
    print("assign")
    o.variable.assign_add(1.0)
    o.w = o.variable + v[0]
    raise KeyError("assigned")


def variable_in_a_branch(v, o, n):
    o.variable.assign_add(1.0)
    if v[0] < 5.0:
        o.w = v[1]
        o.variable.assign_add(1.0)
        raise KeyError("assigned")


def draw(v, o, n):
    o.w = v[0] * np.random.random()
    o.h = np.random.normal(size=2)
    raise KeyError("drawn")


def partial_print(v, o, n):
    functools.partial(print, "first")(v[0])
    o.w = v[1]
    raise KeyError("printed")


def halves(v, n):
    for i in range(n):
        print("half", i)
        yield v[0] * 0.5


def generator(v, o, n):
    for half in halves(v, 2):
        o.w = o.w + half
    assert o.w > n + 5.0, "small"


def callback(v, o, n):
    for one in map(inner, [o, o, o, o], [v, v, v, v]):
        o.h = v * one


def property_and_operator(v, o, n):
    o.meter.share = v[0] * n
    o.w = (o.meter + v[1]).total
    raise KeyError("shared")


PROGRAMS = (
    partial_print,
    generator,
    callback,
    property_and_operator,
    print_first,
    print_last,
    print_between,
    log_in_a_branch,
    call_in_a_loop,
    use_what_calls_return,
    end_in_a_call,
    global_variable,
    outer_variable,
    callee,
    decorated_callee,
    method_of_an_object,
    write_a_file,
    array_and_object,
    exit_program,
    variable,
    variable_in_a_branch,
    draw,
)


def observed(function, n, caplog):
    """All that can be seen after a call."""
    global COUNT
    caplog.clear()
    SENT.clear()
    COUNT = np.float64(0.0)
    np.random.seed(3)
    v, given = np.array([1.0, 2.0]), {"a": np.float64(0.5)}
    o = SimpleNamespace(h=np.zeros(2), w=np.float64(0.5), items=[np.float64(1.0)], d=given)
    o.file, o.variable, o.meter = io.StringIO(), rt.Variable(1.0), Meter(np.float64(0.0))
    found = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            found = function(v, o, np.int64(n))
        except (Exception, SystemExit) as error:
            found = type(error), str(error).partition("\n")[0]  # pytest explains assertions
    held = o.h, o.w, o.items, o.d, o.file.getvalue(), float(o.variable), o.meter.total
    written = printed.getvalue(), caplog.messages, list(SENT)
    return repr((found, v, held, written, COUNT))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("engine", ["numpy", "native", "eager"])
def test_effects_happen_once_and_objects_change_as_in_python(program, engine, caplog):
    staged = rt.function(program, engine=engine)
    for n in (2, 0, 3):
        assert observed(staged, n, caplog) == observed(program, n, caplog)


ARRAY_WRITES = {
    "item": lambda a, v: a.__setitem__(slice(None), v),
    "fill": lambda a, v: a.fill(v),
    "put": lambda a, v: a.put([0], v),
    "sort": lambda a, v: a.sort(),
    "copyto": np.copyto,
    "np.put": lambda a, v: np.put(a, [1], v),
    "fill_diagonal": lambda a, v: np.fill_diagonal(a.reshape(1, -1), v),
    "out": lambda a, v: np.multiply(a, v, out=a),
}


@pytest.mark.parametrize("write", ARRAY_WRITES.values(), ids=ARRAY_WRITES)
def test_arrays_that_numpy_writes_into_change_with_objects(write):
    def program(held, v, rows, n):
        write(held["a"], v)
        rows[0] = held["b"][1]
        if n > 1:
            raise ValueError("too many")
        print(n)

    def outcomes(function):
        for n in (1, 2, 5):
            held = {"a": np.array([3.0, 1.0, 2.0]), "b": np.arange(6.0).reshape(2, 3)}
            rows = [np.zeros(2)]
            with contextlib.suppress(ValueError), contextlib.redirect_stdout(io.StringIO()) as text:
                function(held, np.float64(7.0), rows, np.int64(n))
            yield repr((held, rows)), np.shares_memory(rows[0], held["b"]), text.getvalue()

    assert list(outcomes(rt.function(program))) == list(outcomes(program))


def test_a_note_says_that_writes_may_be_lost():
    def listen(x, o):
        o.w = x + 1.0
        for line in rt.host_call(io.StringIO, "a\nb"):
            print(line, end="")
        raise KeyError("heard")

    o = SimpleNamespace(w=np.float64(0.5))
    with pytest.raises(KeyError) as error, contextlib.redirect_stdout(io.StringIO()):
        rt.function(listen)(np.float64(2.0), o)
    assert o.w == 0.5
    assert any("may be lost" in note for note in error.value.__notes__)


def test_effects_of_calls_within_effects_are_left_out():
    seen = []

    @rt.function
    def record(x):
        y = rt.host_call(lambda z: z * 2.0, x, like=0.0)
        return rt.host_call(seen.append, y)

    @rt.effect
    def send_on(x):
        record(x)

    @rt.function
    def staged(x, o):
        send_on(x)
        o.w = x * 3.0
        raise KeyError("sent")

    o = SimpleNamespace(w=np.float64(0.5))
    for _ in range(2):
        with pytest.raises(KeyError):
            staged(np.float64(2.0), o)
    assert seen == [4.0, 4.0]
    assert o.w == 6.0
