"""First calls, graphs and runs of the programs in `tests/programs`, by domain, beside NumPy."""

import copy
import importlib
import linecache
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import runtime as rt
from benchmarks.timing import benchmark, shown
from runtime.ir.graph import walk

TESTS = Path(__file__).parents[2] / "tests"
HEADING = f"  {'':<34}{'first call':>11}{'nodes':>7}{'a run':>11}{'beside':>9}"


@benchmark("domains")
def domains(rounds: int) -> None:
    """The first call of each program, in CPU time; its nodes; a run beside Python over NumPy."""
    sys.path[:0] = [str(TESTS / "programs"), str(TESTS / "support")]
    for path in sorted((TESTS / "programs").glob("domain_*.py")):
        programs = importlib.import_module(path.stem).PROGRAMS
        print(f"\n{path.stem.removeprefix('domain_').replace('_', ' ')}")
        print(HEADING)
        rows = [_row(program, max(rounds, 3)) for program in programs]
        firsts, nodes, ratios = zip(*rows, strict=True)
        print(
            f"  {f'{len(rows)} programs: median':<34}{shown(statistics.median(firsts)):>11}"
            f"{statistics.median(nodes):>7.0f}{'':>11}{f'x{statistics.median(ratios):.2f}':>9}"
        )
        print(f"  {'the slowest, the largest':<34}{shown(max(firsts)):>11}{max(nodes):>7}")


def _row(program: Any, rounds: int) -> tuple[float, int, float]:
    """Prints the row of a program, whose result is compared with that of Python."""
    linecache.getlines(program.function.__code__.co_filename)
    graph = rt.function(program.function)
    found, first = _called(graph, program.arguments)
    wanted, _ = _called(program.function, program.arguments)
    if repr(found) != repr(wanted):
        raise SystemExit(f"{program!r}: {found!r} is not {wanted!r}")
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for run, times in zip((graph, program.function), taken, strict=True):
            times.append(_called(run, program.arguments)[1])
    ours, theirs = map(min, taken)
    nodes = sum(sum(1 for _ in walk(one.graph)) for one in graph.graphs)
    ratio = ours / theirs
    print(f"  {program!r:<34}{shown(first):>11}{nodes:>7}{shown(ours):>11}{f'x{ratio:.2f}':>9}")
    return first, nodes, ratio


def _called(run: Callable[..., Any], arguments: tuple) -> tuple[Any, float]:
    """The result of a call with copies of the arguments, and its seconds of CPU time."""
    given = copy.deepcopy(arguments)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", rt.TracingWarning)
        start = time.process_time()
        found = run(*given)
        return found, time.process_time() - start
