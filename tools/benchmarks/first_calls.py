"""First calls of every program in `tests/programs` that is a function with arguments.

The first call converts the function, records its graph, optimises it, writes its program and runs
it.  A program that is refused counts, too: until it is refused, it costs as much.
"""

import contextlib
import copy
import importlib
import io
import linecache
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import runtime as rt
from benchmarks.timing import benchmark, shown

TESTS = Path(__file__).parents[2] / "tests"
LIMITS = (0.1, 0.5)  # seconds
SHOWN = 40


@benchmark("first-calls")
def first_calls(rounds: int) -> None:
    """The CPU time of each first call: the least of some rounds; the first of them converts."""
    sys.path[:0] = [str(TESTS / "programs"), str(TESTS / "support"), str(TESTS)]
    programs = [
        (path.stem, *program)
        for path in sorted((TESTS / "programs").glob("*.py"))
        for program in _programs(path.stem)
    ]
    times: dict[str, float] = {}
    for number in range(min(rounds, 3)):
        for module, function, arguments in programs:
            name = f"{module}.{function.__name__}"
            if number and times[name] < LIMITS[0] / 2:
                continue
            taken = _first_call(function, arguments)
            times[name] = min(taken, times.get(name, taken))
    slowest = sorted(times.items(), key=lambda item: -item[1])
    print(f"\n{len(times)} programs, {sum(times.values()):.1f} s")
    for limit in LIMITS:
        print(f"  {sum(taken > limit for taken in times.values())} take more than {shown(limit)}")
    for name, taken in slowest[:SHOWN]:
        print(f"  {name:<56}{shown(taken):>11}")


def _programs(module: str) -> Iterator[tuple[Any, tuple]]:
    """The functions of a module of programs, each with arguments."""
    try:
        loaded = importlib.import_module(module)
    except ImportError:  # a library that is not installed
        return
    for value in list(vars(loaded).values()):
        if isinstance(value, list) and all(hasattr(each, "function") for each in value):
            value = {each.function: each for each in value}
        if not isinstance(value, dict):
            continue
        for key, each in value.items():
            if hasattr(each, "arguments"):
                yield each.function, each.arguments
            elif hasattr(each, "staged") and each.staged:
                yield each.function, each.staged[0]
            elif callable(key) and getattr(each, "__name__", "") == "<lambda>":
                yield key, each()


def _first_call(function: Any, arguments: tuple) -> float:
    """Seconds of CPU time of the first call with copies of the arguments."""
    linecache.getlines(function.__code__.co_filename)
    given = copy.deepcopy(arguments)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            start = time.process_time()
            try:
                rt.function(function)(*given)
            finally:
                taken = time.process_time() - start
    return taken
