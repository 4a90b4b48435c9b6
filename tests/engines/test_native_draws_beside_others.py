"""Machine code that draws random numbers, beside other threads, signals and processes."""

import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from random_states import PERMUTED, is_native, seen, sums, sums_of_numpy  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


@pytest.mark.parametrize("program", [sums, sums_of_numpy])
def test_threads_share_a_stream(program):
    def listed(n):
        found = []
        for _ in range(n):
            found.append(random.random() if program is sums else PERMUTED.random())
        return found

    compiled = rt.function(listed, engine="native")
    expected = seen(lambda: sorted(listed(16_000)), calls=1)
    compiled(2000)
    assert is_native(compiled), compiled.native()

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
