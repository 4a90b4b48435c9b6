"""A program whose machine code is on disk, in a process of its own; and one that compiles."""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import benchmark, shown

ROOT = Path(__file__).parents[2]
PROGRAM = """\
import time
start = time.perf_counter()

import numpy as np
import runtime as rt

@rt.function(engine="native")
def collatz(a):
    steps = 0
    while a != 1:
        a = a // 2 if a % 2 == 0 else 3 * a + 1
        steps += 1
    return steps

imported = time.perf_counter()
assert collatz(np.int64(27)) == 111
called = time.perf_counter()
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(imported - start, called - imported, status["VmHWM"].split()[0])
"""


@benchmark("processes")
def processes(rounds: int) -> None:
    """Prints medians of the import, the first call, and the peak memory of each process."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.py")
        program.write_text(PROGRAM)
        measured: dict[str, list[list[float]]] = {"compiled": [], "from the object cache": []}
        for number in range(rounds):
            cache = os.path.join(folder, f"objects-{number}")
            for found in measured.values():  # the first of two processes fills the cache
                found.append(_measured(program, cache))
    print("\nCollatz with the native engine, a process each")
    for name, found in measured.items():
        imported, called, memory = map(statistics.median, zip(*found, strict=True))
        print(
            f"  {name:<22} import {shown(imported):>9}, first call {shown(called):>9}, "
            f"peak memory {memory / 1024:.0f} MiB"
        )


def _measured(program: Path, cache: str) -> list[float]:
    env = {**os.environ, "AUTOGRAPH_OBJECT_CACHE": cache, "PYTHONPATH": str(ROOT)}
    run = [sys.executable, str(program)]
    output = subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout
    return list(map(float, output.split()))
