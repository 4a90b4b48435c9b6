"""Loops that draw random numbers are machine code: the numbers of Python and NumPy, bit for bit.

Where a piece is left, the NumPy program draws the same numbers again.
"""

import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

PYTHON, MERSENNE = random.Random(5), np.random.Generator(np.random.MT19937(5))
LEGACY, PERMUTED = np.random.RandomState(5), np.random.default_rng(5)
STREAMS = [random, PYTHON, np.random.mtrand._rand, LEGACY, PERMUTED, MERSENNE]


def state(stream):
    if isinstance(stream, np.random.RandomState):
        return stream.get_state()
    return stream.bit_generator.state if hasattr(stream, "bit_generator") else stream.getstate()


def restore(stream, known):
    if isinstance(stream, np.random.RandomState):
        stream.set_state(known)
    elif hasattr(stream, "bit_generator"):
        stream.bit_generator.state = known
    else:
        stream.setstate(known)


STARTS = [state(stream) for stream in STREAMS]


def seen(function, *args, calls=3):
    """The results of some calls from the same states on, and the states after them."""
    for stream, known in zip(STREAMS, STARTS, strict=True):
        restore(stream, known)
    results = []
    for _ in range(calls):
        try:
            results.append(repr(function(*args)))
        except (ArithmeticError, ValueError, IndexError) as error:
            results.append(f"{type(error).__name__}: {error}")
    return results, repr([state(stream) for stream in STREAMS])


def is_native(function):
    shown = function.native()
    return "native_1(" in shown and "    loop (" not in shown


# -- numbers ---------------------------------------------------------------------------------------

DRAWS = {
    "python": (
        "random.random()",
        "random.uniform(2, 5)",
        "random.uniform(-1.5, x)",
        "random.randrange(7)",
        "random.randrange(1 << 31)",
        "random.randrange(-5, i + 3)",
        "random.randint(1, 6)",
        "random.getrandbits(9)",
        "random.choice([-1, 1])",
        "random.choice([1.5, 2.5, x, 4.5, 5.5, 6.5])",
        "PYTHON.random()",
        "PYTHON.randint(-i, i)",
        "PYTHON.choice((True, False))",
    ),
    "legacy": (
        "np.random.rand()",
        "np.random.random()",
        "np.random.random_sample()",
        "np.random.uniform()",
        "np.random.uniform(5.0, -2.0)",
        "np.random.randint(6)",
        "np.random.randint(-3, i + 1)",
        "np.random.randint(0, 1 << 40)",
        "LEGACY.rand()",
        "LEGACY.uniform(0.0, x)",
        "LEGACY.randint(1 << 32)",
    ),
    "generator": tuple(
        f"{name}.{draw}"
        for name in ("PERMUTED", "MERSENNE")
        for draw in (
            "random()",
            "uniform()",
            "uniform(-2.0, x)",
            "integers(6)",
            "integers(-3, i + 1)",
            "integers(0, 1 << 50)",
            "normal()",
            "standard_normal()",
            "normal(x, 2.0)",
            "exponential()",
            "standard_exponential()",
        )
    ),
}
SOURCE = """
def f(n, x):
    total = 0.0
    for i in range(n):
        total = total * 0.5 + {draw}
    return total
"""


@pytest.mark.parametrize("draw", [draw for known in DRAWS.values() for draw in known])
def test_numbers_are_those_of_python_and_numpy(draw, load_program):
    f = load_program(SOURCE.format(draw=draw)).f
    compiled = rt.function(f, engine="native")
    assert seen(compiled, 1500, 3.5) == seen(f, 1500, 3.5)
    assert is_native(compiled), compiled.native()


@pytest.fixture
def load_program():
    from loading import load

    names = {"np": np, "random": random, "PYTHON": PYTHON, "LEGACY": LEGACY}
    names |= {"PERMUTED": PERMUTED, "MERSENNE": MERSENNE}
    return lambda source: load(source, f"<draws {hash(source)}>", **names)


def several(n):
    """Draws from several streams, in branches and inner loops, with an early end."""
    total = 0
    for i in range(n):
        if random.random() < 0.3:
            total += PERMUTED.integers(5)
            if LEGACY.rand() < 0.001:
                break
        else:
            while random.random() < 0.5:
                total += PYTHON.randint(1, 6)
    return total


def recursive(n):
    """Draws in a function that calls itself."""
    return 0.0 if n <= 0 else recursive(n - 1) + random.random()


@pytest.mark.parametrize("engine", ["native", "auto", "numpy"])
@pytest.mark.parametrize("program", [several, recursive])
def test_draws_in_branches_loops_and_recursions(program, engine):
    compiled = rt.function(program, engine=engine)
    assert seen(compiled, np.int64(100)) == seen(program, np.int64(100))


MADE = {
    "random.Random(int(seed))": ("random()", "randint(1, 6)", "choice([1, 2])", "uniform(0, x)"),
    "np.random.RandomState(seed)": ("rand()", "uniform(0.0, x)", "randint(9)"),
    "np.random.default_rng(seed)": ("random()", "normal()", "integers(2, 9)", "uniform(-x, x)"),
}
MADE_SOURCE = """
def f(n, x, seed):
    rng, other = {maker}, {maker}
    total = other.{draw}
    for i in range(n):
        total = total * 0.5 + rng.{draw}
        if i % 3 == 0:
            total += other.{draw}
    return total, rng.{draw}, other.{draw}
"""


@pytest.mark.parametrize("engine", ["native", "auto", "numpy"])
@pytest.mark.parametrize("maker", MADE)
def test_generators_that_the_function_makes(maker, engine, load_program):
    for draw in MADE[maker]:
        f = load_program(MADE_SOURCE.format(maker=maker, draw=draw)).f
        compiled = rt.function(f, engine=engine)
        for seed in (3, np.int64(4)):
            assert seen(compiled, 300, 3.5, seed) == seen(f, 300, 3.5, seed)
        assert engine != "native" or is_native(compiled), compiled.native()


def of_another_bit_generator(n, seed):
    rng = np.random.Generator(np.random.MT19937(seed))
    total = 0.0
    for _ in range(n):
        total += rng.random()
    return total


def left_later(n, seed):
    """An integer that leaves 64 bits, after draws from a generator of the run."""
    rng, total = np.random.default_rng(seed), 1
    for _ in range(n):
        total = total * 3 + int(rng.integers(5))
    return total, rng.random()


@pytest.mark.parametrize("program", [of_another_bit_generator, left_later])
def test_generators_of_the_run_where_machine_code_is_left(program):
    compiled = rt.function(program, engine="native")
    for seed in (3, np.int64(4)):
        assert seen(compiled, 100, seed) == seen(program, 100, seed)


# -- ways out --------------------------------------------------------------------------------------


def grows(n):
    """An integer that leaves 64 bits in the middle of the loop."""
    total = 1
    for _ in range(n):
        total = total * 3 + PYTHON.randrange(7)
    return total


def divides(n):
    total = 0.0
    for _ in range(n):
        total += 1.0 / random.randrange(50)
    return total


def raises(n):
    for i in range(n):
        if PERMUTED.normal() > 2.5:
            raise ValueError(f"in iteration {i}")
    return n


def is_empty(n):
    total = 0
    for i in range(n):
        total += random.randrange(40 - i)
    return total


@pytest.mark.parametrize("engine", ["native", "numpy"])
@pytest.mark.parametrize("program", [grows, divides, raises, is_empty])
def test_a_piece_that_is_left_has_drawn_nothing(program, engine):
    compiled = rt.function(program, engine=engine)
    assert seen(compiled, 200) == seen(program, 200)


def sums(n):
    total = 0.0
    for _ in range(n):
        total += random.random()
    return total


def sums_of_numpy(n):
    total = 0.0
    for _ in range(n):
        total += PERMUTED.random()
    return total


def test_a_function_that_is_replaced_is_called():
    compiled = rt.function(sums, engine="native")
    compiled(10)
    with mock.patch("random.random", return_value=0.25):
        assert compiled(10) == 2.5
    assert seen(compiled, 10) == seen(sums, 10)


def test_the_bit_generator_of_the_module_may_be_replaced():
    def drawn(n):
        total = 0.0
        for _ in range(n):
            total += np.random.rand()
        return total

    compiled = rt.function(drawn, engine="native")
    compiled(10)
    before = np.random.get_bit_generator()
    try:
        np.random.set_bit_generator(np.random.PCG64(3))
        found = compiled(10)
        np.random.set_bit_generator(np.random.PCG64(3))
        assert found == drawn(10)
    finally:
        np.random.set_bit_generator(before)


# -- threads and signals ---------------------------------------------------------------------------


@pytest.mark.parametrize("program", [sums, sums_of_numpy])
def test_threads_share_a_stream(program):
    def listed(n):
        found = []
        for _ in range(n):
            found.append(random.random() if program is sums else PERMUTED.random())
        return found

    compiled = rt.function(listed, engine="native")
    expected = seen(lambda: sorted(listed(16_000)), calls=1)
    compiled(5)

    def in_threads():
        with ThreadPoolExecutor(4) as pool:
            parts = pool.map(compiled, [2000] * 8)
        return sorted(one for part in parts for one in part)

    assert seen(in_threads, calls=1) == expected


def test_a_generator_that_another_thread_holds_is_waited_for():
    compiled = rt.function(sums_of_numpy, engine="native")
    compiled(10)
    held, ended = threading.Event(), []

    def hold():
        with PERMUTED.bit_generator.lock:
            held.set()
            time.sleep(0.05)
            ended.append(True)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    compiled(10)
    assert ended
    thread.join()
    assert seen(compiled, 10) == seen(sums_of_numpy, 10)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer for signals")
def test_a_signal_ends_a_loop_that_draws():
    def interrupt(*_):
        raise KeyboardInterrupt

    compiled = rt.function(sums, engine="native")
    compiled(10)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            compiled(10**13)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen(compiled, 10) == seen(sums, 10)


# -- processes -------------------------------------------------------------------------------------

CACHED = """
import random
import sys
import runtime as rt

def f(n):
    total = 0.0
    for _ in range(n):
        total += random.random()
    return total

rt.config.object_cache = sys.argv[1]
compiled = rt.function(f, engine="native")
for _ in range(2):
    random.seed(3)
    found = compiled(1000)
    random.seed(3)
    assert found == f(1000)
pieces = compiled.get_concrete_function(1000).compiled._executable("native").pieces
print([piece.code.is_from_cache for piece in pieces])
"""


def test_code_of_another_process_draws_from_the_streams_of_this_one(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(CACHED)
    command = [sys.executable, str(program), str(tmp_path / "objects")]
    runs = [subprocess.run(command, capture_output=True, text=True) for _ in range(2)]
    assert [run.stdout for run in runs] == ["[False]\n", "[True]\n"], runs[0].stderr
