"""Loops of NumPy programs that go on as machine code, from each of their iterations.

The file is long because it is a collection of independent tests.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
import traceback
import warnings
from pathlib import Path

import language_classes  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_lists  # noqa: F401
import language_match  # noqa: F401
import numpy as np
import pytest
from native_runs import run, same_bits
from programs import PROGRAMS
from support.every_mode import check_in_mode
from unknown_lengths import PROGRAMS as UNKNOWN_LENGTHS

import runtime as rt
from runtime.engines import automatic, loop_replacement, native
from runtime.engines.loop_replacement import Deadline, LoopReplacement
from runtime.ir.regions import body_of, is_loop

pytestmark = pytest.mark.skipif(native.unusable() is not None, reason="no machine code here")

X = np.arange(4.0)


@pytest.fixture
def replaced(monkeypatch):
    """The names of the loops that were replaced, as soon as they have looked at the time."""
    monkeypatch.setattr(automatic, "SECONDS", 1e-9)
    monkeypatch.setattr(automatic, "SECONDS_OF_NODE", 0.0)
    found = []
    look = LoopReplacement.look

    def counted(self, *operands):
        left, ends = look(self, *operands)
        if ends is not None:
            found.append(self)
        return left, ends

    monkeypatch.setattr(LoopReplacement, "look", counted)
    return found


@pytest.fixture(params=[(1, 0.0), (2, 0.0), (3, 10.0)], ids=["first", "second", "outermost"])
def iteration(request, monkeypatch):
    """The iteration at which a loop is replaced; the inner ones, or the outermost one."""
    first, patience = request.param
    monkeypatch.setattr(loop_replacement, "FIRST", first)
    monkeypatch.setattr(loop_replacement, "PATIENCE", patience)


def both(function):
    return rt.function(function, engine="auto"), rt.function(function, engine="numpy")


def some_and_thorough(names):
    """Every fourth name; the others are for thorough runs."""
    return [
        pytest.param(name, marks=() if number % 4 == 0 else pytest.mark.thorough)
        for number, name in enumerate(names)
    ]


# -- results are those of the NumPy program --------------------------------------------------------


@pytest.mark.usefixtures("iteration", "replaced")
@pytest.mark.parametrize(
    "name", some_and_thorough(sorted(n for n, p in PROGRAMS.items() if p.staged))
)
def test_a_program_is_as_with_the_numpy_engine(name):
    program = PROGRAMS[name]
    for arguments in program.staged:
        function, expected = both(program.function)  # so the first call has the replacements
        found, wanted = run(function, arguments), run(expected, arguments)
        assert repr(found[0].result) == repr(wanted[0].result)
        assert repr(found[0].arguments) == repr(wanted[0].arguments)
        assert found[0].printed == wanted[0].printed
        assert repr(found[0].error) == repr(wanted[0].error)
        assert found[1] == wanted[1]


@pytest.mark.usefixtures("iteration", "replaced")
@pytest.mark.parametrize("name", some_and_thorough(sorted(UNKNOWN_LENGTHS)))
def test_a_program_of_unknown_sizes_is_as_in_python(name):
    check_in_mode(UNKNOWN_LENGTHS[name], "sizes")


def collatz(a):
    steps = 0
    while a != 1:
        a = a // 2 if a % 2 == 0 else 3 * a + 1
        steps += 1
    return steps, a


def product(x, y):
    z = np.zeros((len(x), y.shape[1]))
    for i in range(len(x)):
        for j in range(y.shape[1]):
            total = 0.0
            for k in range(y.shape[0]):
                total += x[i, k] * y[k, j]
            z[i, j] = total
    return z


def filled(n, m):
    z = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            z[i, j] = i * 10 + j
    return z


def first_above(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            break
    else:
        return -1, 0.0
    return i, x[i]


def appended(n, a):
    z = []
    for i in range(n):
        if a > i:
            z.append(a * i)
        a = a + 0.5
    return z, a


def swapped(n, x, y):
    for i in range(n):
        x, y = y, x + i
        y[i % len(y)] = 7.0
    return x, y


def trig(n, x):
    while n > 0:
        x = x * 0.5 + n
        n -= 1
    return n, x


def alternating(n, b):
    total = 0
    for i in range(n):
        b = not b
        total += i * b
    return total, b


def divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def positive(x):
    total = 0
    for value in x:
        if value > 0:
            total += value
    return total


def peak(x):
    best, where = -1, None
    for i in range(len(x)):
        if x[i] > best:
            best, where = x[i], i
    return best, where


KERNELS = [
    (collatz, (np.int64(27),)),
    (product, (np.arange(35.0).reshape(5, 7), np.arange(42.0).reshape(7, 6))),
    (filled, (np.int64(5), np.int64(6))),
    (first_above, (np.arange(40.0), 17.5)),
    (first_above, (np.arange(40.0), np.float64(99.0))),
    (appended, (np.int64(20), np.float64(3.0))),
    (swapped, (np.int64(9), X, X + 1)),
    (trig, (np.int64(12), np.float64(0.25))),
    (trig, (np.int8(12), np.float32(0.25))),
    (alternating, (np.int64(12), np.bool_(True))),
    (divisor, (np.int64(987), 610)),
    (positive, (np.arange(30) % 7 - 3,)),
    (positive, (np.arange(30.0) % 7 - 0.5,)),
    (peak, (np.arange(40.0) % 11,)),
    (peak, (np.arange(40) % 11,)),
]


@pytest.mark.usefixtures("iteration")
@pytest.mark.parametrize(
    ("function", "arguments"),
    [pytest.param(*one, id=f"{one[0].__name__}-{place}") for place, one in enumerate(KERNELS)],
)
def test_loops_go_on_as_machine_code(function, arguments, replaced):
    made, expected = both(function)
    wanted = expected(*arguments)
    same_bits(made(*arguments), wanted)
    assert replaced
    again = rt.function(function, engine="auto")
    with rt.config.temporarily(engine="numpy"):
        plain = function(*[np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments])
    assert repr(plain) == repr(wanted)
    for _ in range(3):
        same_bits(again(*arguments), wanted)


@pytest.mark.usefixtures("iteration")
def test_gradients_go_on_as_machine_code(replaced):
    def grown(x, n):
        for i in range(n):
            x = x * 1.01 + i
        return x

    arguments = np.float64(0.5), np.int64(30)
    slope, expected = both(rt.grad(grown))
    same_bits(slope(*arguments), expected(*arguments))
    assert replaced


# -- which loops, and when -------------------------------------------------------------------------


def replaced_by(monkeypatch, patience, function, *arguments):
    monkeypatch.setattr(loop_replacement, "FIRST", 1)
    monkeypatch.setattr(loop_replacement, "PATIENCE", patience)
    rt.function(function, engine="auto")(*arguments)


class Named:
    """A program that returns the name of its graph, and its inputs."""

    def __init__(self, graph):
        self.graph = graph

    def function(self, *inputs):
        return self.graph.name, *inputs


def test_the_outermost_loop_is_replaced(monkeypatch, replaced):
    x = np.ones((5, 5))
    replaced_by(monkeypatch, 10.0, product, x, x)
    assert len(replaced) == 1 and replaced[0].around is None


def test_a_loop_waits_for_the_one_around_it_but_not_long(monkeypatch):
    times = iter(
        [-1.0, 0.1, 0.6]
    )  # after the deadline: at looks of the loops outside, inside, inside
    monkeypatch.setattr(loop_replacement, "perf_counter", lambda: next(times))
    nest = rt.function(product).get_concrete_function(*KERNELS[1][1]).compiled.graph
    outer = next(node for node in nest.nodes if is_loop(node))
    inner = next(node for node in body_of(outer).nodes if is_loop(node))
    deadline = Deadline(0.0)
    around, loop = (LoopReplacement(n, None, deadline, Named) for n in (outer, inner))
    loop.around = around
    operands = range(len(loop._inputs))
    assert around.look(*range(len(around._inputs)))[1] is None  # it is too early
    assert loop.look(*operands)[1] is None  # it waits
    assert loop.look(*operands)[1] == ("rest", *operands)


def test_loops_with_effects_are_not_replaced(monkeypatch, replaced, capsys):
    def shown(n):
        total = 0
        for i in range(n):
            print("iteration", i)
            total += i
        return total

    replaced_by(monkeypatch, 0.0, shown, np.int64(5))
    assert not replaced
    assert capsys.readouterr().out.split() == [w for i in range(5) for w in ("iteration", str(i))]


def test_short_programs_are_not_replaced(monkeypatch, replaced):
    monkeypatch.setattr(automatic, "SECONDS", 1e9)
    replaced_by(monkeypatch, 0.0, collatz, np.int64(27))
    assert not replaced


def test_a_long_call_is_replaced_without_any_setting():
    def summed(n):
        total = 0.0
        k = 0
        while k < n:
            total += 1.0 / (k * k + 1.0)
            k += 1
        return total

    n = 6_000_000
    made = rt.function(summed)
    with rt.config.temporarily(engine="auto"):
        total = made(np.int64(n))
        (concrete,) = made.graphs
        program = concrete.compiled.plain_of("auto")
    assert [any(loop.programs.values()) for loop in program._loops] == [True]
    assert total == rt.function(summed, engine="native")(np.int64(n))


def test_the_source_has_no_looks_at_the_time():
    made, expected = both(collatz)
    argument = np.int64(27)
    assert made.source(argument) == expected.source(argument)


# -- errors, warnings, interruption ----------------------------------------------------------------


@pytest.mark.usefixtures("iteration")
def test_an_exception_names_the_users_line(replaced):
    def first(x, i):
        while x[i] > 0:
            i = i + 1
        return i

    made = rt.function(first, engine="auto")
    with pytest.raises(IndexError) as caught:
        made(np.ones(9), np.int64(0))
    (note,) = caught.value.__notes__
    assert note.startswith("This is getitem of x: f64[9] and ")
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == "while x[i] > 0:"
    made, expected = both(first)
    x = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
    assert made(x, np.int64(0)) == expected(x, np.int64(0)) == 5 and replaced


@pytest.mark.usefixtures("iteration", "replaced")
def test_a_warning_is_given_once_at_the_users_line():
    def logs(x, n):
        for i in range(n):
            x = np.log(x) * 2.0
        return x

    made, expected = both(logs)
    records = []
    for function in (made, expected):
        with warnings.catch_warnings(record=True) as record:
            warnings.simplefilter("always")
            result = function(np.float64(3.0), np.int64(9))
        records.append([(str(one.message), one.lineno) for one in record])
        assert np.isnan(result)
    assert records[0] == records[1] and records[0]


@pytest.mark.usefixtures("iteration", "replaced")
def test_integers_that_leave_64_bits_are_exact():
    def power(n):
        k = 1
        for i in range(n):
            k = k * 3 + i
        return k

    made, _ = both(power)
    assert made(np.int64(200)) == power(200)


FOREVER = """
import signal

import numpy as np
import runtime as rt
from runtime.engines.loop_replacement import LoopReplacement

# The shell that started the tests may ignore it in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
made = LoopReplacement._made

def told(self, types):
    program = made(self, types)
    print("machine code" if program else "none", flush=True)
    return program

LoopReplacement._made = told

@rt.function(engine="auto")
def forever(n):
    k = 0
    while n > 0:
        k = (k + n) % 1000
    return k

forever(np.int64(7))
"""


def test_ctrl_c_ends_a_replaced_loop(tmp_path):
    (tmp_path / "forever.py").write_text(FOREVER)
    python = subprocess.Popen(
        [sys.executable, tmp_path / "forever.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    try:
        assert python.stdout.readline() == "machine code\n"
        time.sleep(0.5)  # the loop runs
        error = interrupted(python)
    finally:
        python.kill()
        python.communicate()
    assert error.rstrip().endswith("KeyboardInterrupt")


def interrupted(python):
    """What a process writes to its stream of errors when Ctrl-C ends it.  It gets several, since
    Python drops one that arrives in a finaliser or a callback, before the loop runs."""
    for _ in range(4):
        python.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return python.communicate(timeout=10)[1]
    raise TimeoutError("Ctrl-C does not end the loop")
