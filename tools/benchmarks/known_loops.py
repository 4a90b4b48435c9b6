"""First calls, graphs and runs of programs of loops, beside the same programs over NumPy."""

import gc
import linecache
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import runtime as rt
from benchmarks import loop_programs
from benchmarks.graphs import straight_line
from benchmarks.timing import benchmark, shown
from runtime.ir.graph import walk

TEXT = Path(loop_programs.__file__).read_text()
HEADING = f"  {'':<36}{'first call':>11}{'run':>11}{'beside':>9}{'nodes':>7}{'recorded':>9}"


class Bodies:
    """Counts how often the body of a staged loop is recorded."""

    def __init__(self) -> None:
        from runtime.staging.control_flow.loop import Loop  # not public

        self.count, self._loop, self._record = 0, Loop, Loop.record_iteration

    def __enter__(self) -> "Bodies":
        def record_iteration(loop: Any) -> Any:
            self.count += 1
            return self._record(loop)

        self._loop.record_iteration = record_iteration
        return self

    def __exit__(self, *_: Any) -> None:
        self._loop.record_iteration = self._record


def cpu(run: Callable[[], Any]) -> tuple[Any, float]:
    """The result of a call, and the seconds of CPU time that it takes."""
    gc.collect()
    start = time.process_time()
    return run(), time.process_time() - start


def read(text: str, name: str, number: int) -> Callable[..., Any]:
    """A function out of a file that has not been converted yet."""
    file = f"<program {number}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    namespace: dict[str, Any] = {"__name__": f"program_{number}"}
    exec(compile(text, file, "exec"), namespace)
    return namespace[name]


def check(row: str, found: Any, wanted: Any, exact: bool) -> None:
    """Ends the benchmark if two results differ: in their bits, or by more than rounding."""
    pairs = zip(_parts(found), _parts(wanted), strict=True)
    same = all(
        a.tobytes() == b.tobytes() if exact else np.allclose(a, b, rtol=1e-9) for a, b in pairs
    )
    if not same:
        raise SystemExit(f"{row}: {found!r} is not {wanted!r}")


def _parts(found: Any) -> list[np.ndarray]:
    return [np.asarray(part) for part in (found if isinstance(found, tuple) else (found,))]


STEPS = "    for t in range(x.shape[1]):\n"
OPTION = "        autograph.set_loop_options(unroll=True)\n"


def unrolled(text: str) -> str:
    """The programs with loops over steps that are unrolled."""
    return "import autograph\n" + text.replace(STEPS, STEPS + OPTION)


def first_calls(row: str, text: str, name: str, arguments: tuple, places: Any, rounds: int) -> None:
    """Prints a row: the first call, a run beside NumPy's or that of the unrolled gradient."""
    times, count, found = [], 0, None
    for number in range(rounds):
        fn = read(text, name, hash((row, number)))
        graph = rt.function(fn if places is None else rt.grad(fn, places))
        with Bodies() as bodies:
            found, seconds = cpu(lambda graph=graph: graph(*arguments))
        times.append(seconds)
        count = bodies.count
    other = fn
    if places is not None:
        other = rt.function(rt.grad(read(unrolled(text), name, hash(row)), places))
    wanted = other(*arguments)
    check(row, found, wanted, places is None)
    runs: tuple[list[float], list[float]] = ([], [])
    for _ in range(max(rounds, 5)):
        for run, taken in zip((graph, other), runs, strict=True):
            taken.append(cpu(lambda run=run: run(*arguments))[1])
    ours, theirs = map(min, runs)
    nodes = sum(1 for _ in walk(graph.graphs[0].graph))
    print(
        f"  {row:<36}{shown(min(times)):>11}{shown(ours):>11}"
        f"{f'x{ours / theirs:.2f}':>9}{nodes:>7}{count:>9}"
    )


@benchmark("loops")
def loops(rounds: int) -> None:
    """First calls in CPU time, of functions that have not been converted yet."""
    rounds = min(rounds, 5)
    print(f"\nprograms of loops: the least CPU time of {rounds} rounds; a run beside Python over")
    print("NumPy, or, of a gradient, beside that of the unrolled graph")
    print(HEADING)
    for row, (name, make, places) in loop_programs.PROGRAMS.items():
        first_calls(row, TEXT, name, make(), places, rounds)
    x = np.ones(10)
    first_calls("a straight line of 1,000", straight_line(1000), "f", (x, x), None, rounds)
