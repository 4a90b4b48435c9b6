"""Runs the samples, and prints the output of each with its number and time.

    python tools/demo.py                    all of samples/*.py, one at a time on each core
    python tools/demo.py samples/lbfgs.py   these only

Outputs are in the order of the samples.  The exit status is 1 if one fails, which is then the last
that is shown.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Ended(NamedTuple):
    """A sample that has run: its output, with that of errors, its exit status, and seconds."""

    path: str
    output: str
    status: int
    seconds: float


def run(path: str) -> Ended:
    """Runs a sample in a process of its own, whose products of matrices use one thread."""
    start = time.monotonic()
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    ended = subprocess.run(
        [sys.executable, path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env=environment,
    )
    return Ended(path, ended.stdout, ended.returncode, time.monotonic() - start)


def main(paths: list[str]) -> int:
    """Shows the samples; returns the exit status."""
    paths = paths or sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("samples/*.py"))
    start = time.monotonic()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, sample in enumerate(pool.map(run, paths), 1):
            heading = f"== [{number}/{len(paths)}] python {sample.path}   {sample.seconds:.1f} s"
            print(f"\n{heading}\n{sample.output}", end="", flush=True)
            if sample.status != 0:
                pool.shutdown(cancel_futures=True)
                print(f"{sample.path} has failed, with exit status {sample.status}")
                return 1
    print(f"\n{len(paths)} samples in {time.monotonic() - start:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
