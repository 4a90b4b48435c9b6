"""The automatic engine: NumPy's program at first, machine code for graphs that run long."""

import gc
import traceback
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor

import language_classes  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_lists  # noqa: F401
import language_match  # noqa: F401
import numpy as np
import pytest
from native_runs import run, same_bits
from programs import PROGRAMS

import runtime as rt
from runtime.engines import automatic, native
from runtime.engines.numpy import Compiled
from runtime.engines.registry import Options

X = np.arange(4.0)


@pytest.fixture
def impatient(monkeypatch):
    """The first run is one of the NumPy program, and the second one the only trial; all programs
    are equally fast."""
    monkeypatch.setattr(automatic.AutomaticProgram, "_took", lambda self, name, begun: 0.0)
    monkeypatch.setattr(automatic, "SECONDS", 1e-9)
    monkeypatch.setattr(automatic, "SECONDS_OF_NODE", 0.0)
    monkeypatch.setattr(automatic, "TRIALS", 1)


@pytest.fixture
def patient(monkeypatch):
    """No runs of a NumPy program take as long as machine code is thought to take."""
    monkeypatch.setattr(automatic, "SECONDS", 1e9)


def curve(x):
    y = np.tanh(x) * 2.0
    return y * y + x


def steps_of(a):
    steps = 0
    while a != 1:
        a = a // 2 if a % 2 == 0 else 3 * a + 1
        steps += 1
    return steps


def some_and_thorough(names):
    """Every fourth name; the others are for thorough runs."""
    return [
        pytest.param(name, marks=() if number % 4 == 0 else pytest.mark.thorough)
        for number, name in enumerate(names)
    ]


def graph_of(function, *given):
    return rt.function(function).get_concrete_function(*given).compiled.graph


def is_machine_code(function):
    return len(function._entries) == 1


# -- when there is machine code --------------------------------------------------------------------


@pytest.mark.usefixtures("impatient")
def test_calls_are_machine_code_once_the_runs_have_taken_long():
    made = rt.function(steps_of, engine="auto")
    assert made(np.int64(27)) == 111  # the run that takes long
    assert not is_machine_code(made) and "native" not in made.source(np.int64(27))
    assert made(np.int64(27)) == 111  # the trial
    assert not is_machine_code(made) and "_native_1" in made.source(np.int64(27))
    assert made(np.int64(27)) == 111
    assert is_machine_code(made) and "_native_1" in made.source(np.int64(27))
    assert len(made.graphs) == 1


@pytest.mark.usefixtures("patient")
def test_short_programs_never_make_machine_code():
    made = rt.function(curve, engine="auto")
    for _ in range(100):
        made(X)
    assert not is_machine_code(made) and "native" not in made.source(X)


def test_a_generated_function_gives_way_between_two_calls(monkeypatch):
    monkeypatch.setattr(automatic, "SECONDS", 1e9)
    monkeypatch.setattr(automatic.AutomaticProgram, "_took", lambda self, name, begun: 0.0)
    made = rt.function(curve, engine="auto")
    wanted = made(X).tolist()
    assert made(X).tolist() == wanted
    first = made.__call__
    assert made(X).tolist() == wanted and made.__call__ is first
    (concrete,) = made.graphs
    concrete.compiled.plain_of("auto")._seconds = 0.0
    for _ in range(automatic.TRIALS):
        assert made(X).tolist() == wanted and made.__call__ is first
    assert made(X).tolist() == wanted and made.__call__ is not first
    assert is_machine_code(made) and made.graphs == [concrete]


@pytest.mark.usefixtures("impatient")
def test_each_graph_of_a_function_has_a_time_of_its_own():
    made = rt.function(curve, engine="auto")
    shapes = [np.arange(n + 2.0) for n in range(3)]
    for x in shapes * 2:
        made(x)
    assert not made._entries
    for number, x in enumerate(shapes):
        same_bits(made(x), curve(x))
        assert len(made._entries) == number + 1
    for x in shapes * 2:
        same_bits(made(x), curve(x))
    assert len(made.graphs) == 3


def test_larger_graphs_have_more_time(monkeypatch):
    monkeypatch.setattr(automatic, "SECONDS", 3.0)
    monkeypatch.setattr(automatic, "SECONDS_OF_NODE", 10.0)
    graph = graph_of(lambda x: np.tanh(x) @ x, X)
    assert automatic.compile_graph(graph, Options())._seconds == 23.0


def test_a_run_counts_as_a_microsecond_at_least(monkeypatch):
    monkeypatch.setattr(automatic, "perf_counter", lambda: 0.0)
    made = automatic.compile_graph(graph_of(curve, X), Options())
    before = made._seconds
    for _ in range(1000):
        made(X)
    assert before - made._seconds == pytest.approx(1e-3)


@pytest.mark.usefixtures("impatient")
def test_graphs_with_effects_have_machine_code_too():
    class Counter:
        def __init__(self):
            self.total = rt.Variable(np.zeros(4))

        @rt.function(engine="auto")
        def add(self, x):
            self.total.assign_add(np.tanh(x) * 2.0 + x * x)
            return self.total.sum()

    counter = Counter()
    sums = [counter.add(X) for _ in range(4)]
    assert "_native_1" in Counter.add.source(counter, X)
    each = np.tanh(X) * 2.0 + X * X
    total = np.zeros(4)
    for number in range(4):
        total = total + each
        assert sums[number] == total.sum()


@pytest.mark.usefixtures("impatient")
def test_gradients_have_machine_code_too():
    slope = rt.function(rt.grad(lambda x: np.sum(np.tanh(x) ** 2)), engine="auto")
    expected = rt.function(rt.grad(lambda x: np.sum(np.tanh(x) ** 2)), engine="numpy")
    for _ in range(4):
        same_bits(slope(X), expected(X))
    assert "_native_1" in slope.source(X)


@pytest.mark.usefixtures("patient")
def test_machine_code_is_made_to_be_shown():
    made = rt.function(curve, engine="auto")
    made(X)
    made(X)
    assert "native_1" in made.native(X)
    same_bits(made(X), curve(X))


def test_machine_code_that_is_left_in_most_runs_of_the_trial_is_not_used(monkeypatch):
    monkeypatch.setattr(automatic, "SECONDS", 1e-9)
    monkeypatch.setattr(automatic, "SECONDS_OF_NODE", 0.0)

    monkeypatch.setattr(automatic.AutomaticProgram, "_took", lambda self, name, begun: 0.0)

    def used(negative):
        """Which program runs after a trial in which so many of 8 runs take a negative number."""
        made = rt.function(lambda x: np.sqrt(x) * 2.0 + x, engine="auto")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for number in range(1 + automatic.TRIALS):
                made(X - 1 if number <= negative else X)
            for _ in range(2):
                same_bits(made(X), np.sqrt(X) * 2.0 + X)
        return "native" if is_machine_code(made) else "numpy", "native" in made.source(X)

    assert automatic.TRIALS == 8
    assert used(8) == used(5) == ("numpy", False)
    assert used(4) == used(0) == ("native", True)


@pytest.mark.parametrize("faster", ["numpy", "native"])
def test_the_faster_program_is_used_after_the_trial(monkeypatch, faster):
    monkeypatch.setattr(automatic, "SECONDS", 1e-9)
    monkeypatch.setattr(automatic, "SECONDS_OF_NODE", 0.0)
    times = iter([1.0] + [2.0] * automatic.TRIALS)  # a small input first, larger ones in the trial

    def took(self, name, begun):
        seconds = next(times, 2.0 if name == faster else 3.0)
        self._fastest[name] = min(self._fastest[name], seconds)
        return seconds

    monkeypatch.setattr(automatic.AutomaticProgram, "_took", took)
    made = rt.function(curve, engine="auto")
    for number in range(1 + automatic.TRIALS + 2 * automatic.PAIRS):
        assert not is_machine_code(made), number
        same_bits(made(X), curve(X))
    for _ in range(3):
        same_bits(made(X), curve(X))
    assert is_machine_code(made) is (faster == "native")
    assert ("native" in made.source(X)) is (faster == "native")


@pytest.mark.usefixtures("impatient")
def test_the_choice_is_made_once():
    made = rt.function(lambda x: np.sqrt(x) * 2.0 + x, engine="auto")
    for _ in range(3):
        made(X)
    first = made.__call__
    for number in range(20):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made(X - number)
    assert made.__call__ is first and is_machine_code(made)


# -- nothing else changes --------------------------------------------------------------------------


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "name", some_and_thorough(sorted(n for n, p in PROGRAMS.items() if p.staged))
)
def test_every_call_of_a_program_is_as_with_the_numpy_engine(name):
    program = PROGRAMS[name]
    function, expected = (rt.function(program.function, engine=e) for e in ("auto", "numpy"))
    for arguments in program.staged:
        for _ in range(4):
            found, wanted = run(function, arguments), run(expected, arguments)
            assert repr(found[0].result) == repr(wanted[0].result)
            assert repr(found[0].arguments) == repr(wanted[0].arguments)
            assert found[0].printed == wanted[0].printed
            assert repr(found[0].error) == repr(wanted[0].error)
            assert found[1] == wanted[1]


@pytest.mark.usefixtures("impatient")
def test_an_exception_names_the_users_line_in_every_run():
    def first(x, i):
        while x[i] > 0:
            i = i + 1
        return i

    made = rt.function(first, engine="auto")
    for _ in range(4):
        with pytest.raises(IndexError) as caught:
            made(np.ones(3), np.int64(0))
        (note,) = caught.value.__notes__
        assert note.startswith("This is getitem of x: f64[3] and ")
        assert traceback.extract_tb(caught.value.__traceback__)[-1].line == "while x[i] > 0:"


@pytest.mark.usefixtures("impatient")
def test_writes_before_an_exception_are_in_the_array_in_every_run():
    @rt.function(engine="auto")
    def fill(x, limit):
        for i in range(3):
            if i == limit:
                raise ValueError(i)
            x[i] = 7

    for _ in range(4):
        x = np.zeros(3)
        with pytest.raises(ValueError):
            fill(x, np.int64(2))
        assert x.tolist() == [7, 7, 0]


@pytest.mark.usefixtures("impatient")
def test_threads_may_call_while_the_machine_code_is_made():
    made = rt.function(steps_of, engine="auto")
    with ThreadPoolExecutor(4) as threads:
        counts = list(threads.map(lambda _: made(np.int64(27)), range(200)))
    assert counts == [111] * 200
    made(np.int64(27))
    assert is_machine_code(made) and len(made.graphs) == 1


def test_programs_are_freed_without_the_garbage_collector():
    graph = graph_of(curve, X)
    gc.collect()
    gc.disable()
    try:
        made = automatic.compile_graph(graph, Options())
        made(X)
        gone = weakref.ref(made)
        del made
        assert gone() is None
    finally:
        gc.enable()


# -- where it is the NumPy engine ------------------------------------------------------------------


@pytest.mark.usefixtures("impatient")
def test_without_machine_code_it_is_the_numpy_engine_and_says_nothing(monkeypatch):
    monkeypatch.setattr(native, "unusable", lambda: "there is no processor")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = rt.function(curve, engine="auto")
        for _ in range(4):
            same_bits(made(X), curve(X))
    (concrete,) = made.graphs
    assert type(concrete.compiled.plain_of("auto")) is Compiled
    assert made.__call__.__code__.co_filename.startswith("<graph ")  # nothing between


def test_without_llvmlite_nothing_takes_times(monkeypatch):
    monkeypatch.setattr(automatic, "_has_compiler", lambda: False)
    assert type(automatic.compile_graph(graph_of(curve, X), Options())) is Compiled


@pytest.mark.usefixtures("impatient")
def test_checks_and_profiles_belong_to_the_numpy_program():
    made = rt.function(lambda x: np.log(x) * 2.0 + x, engine="auto")
    for _ in range(3):
        made(X + 1)
    with rt.config.temporarily(check_numerics=True):
        with pytest.raises(FloatingPointError), np.errstate(all="ignore"):
            made(X)
    with rt.profile() as profile:
        made(X + 1)
    assert "log" in str(profile)


def test_the_setting_applies_to_functions_without_an_engine(monkeypatch):
    monkeypatch.setattr(automatic, "SECONDS", -1.0)
    monkeypatch.setattr(automatic, "TRIALS", 1)
    made = rt.function(curve)
    with rt.config.temporarily(engine="auto"):
        same_bits(made(X), curve(X))
        same_bits(made(X), curve(X))
        assert "_native_1" in made.source(X)
    with rt.config.temporarily(engine="numpy"):
        assert "native" not in made.source(X)
