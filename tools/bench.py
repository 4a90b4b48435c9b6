"""Times things side by side: python tools/bench.py [NAME...] [--rounds N]

    conversion      cold `to_graph` of a function in a file of 50 lines that was not parsed yet
    command-line    `autograph FILE.py` as a process, with a file of 1,000 lines and of none
    plain           converted code on Python's own numbers, beside the original
    staged          a graph, beside the same function over NumPy scalars in Python
    calls           what one call costs: of a converted function, and of a graph

The contestants of a benchmark take turns, round after round, after their results were found equal.
Shown are the median of each and its ratio to the first.  Figures depend on the machine: compare
within a run.
"""

import argparse
import inspect
import itertools
import linecache
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import autograph
import runtime as rt

BENCHMARKS: dict[str, Callable] = {}
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def benchmark(name):
    """Registers a function that returns contestants: names, and what each of them runs."""

    def register(function):
        BENCHMARKS[name] = function
        return function

    return register


def compare(name: str, contestants: dict[str, Callable], rounds: int, number: int = 1) -> None:
    """Checks that the contestants agree, times them in turns, prints medians and ratios."""
    results = {who: run() for who, run in contestants.items()}
    first = next(iter(results.values()))
    for who, result in results.items():
        if not np.array_equal(result, first):
            raise SystemExit(f"{name}: {who} gives {result!r}, not {first!r}")
    times = {who: [] for who in contestants}
    for _ in range(rounds):
        for who, run in contestants.items():
            start = time.perf_counter()
            for _ in range(number):
                run()
            times[who].append((time.perf_counter() - start) / number)
    medians = {who: statistics.median(taken) for who, taken in times.items()}
    base = next(iter(medians.values()))
    print(f"\n{name} ({rounds} rounds)")
    for who, median in medians.items():
        print(f"  {who:<40}{shown(median):>12}   x{median / base:.2f}")


def shown(seconds: float) -> str:
    """A time in a unit that suits it."""
    size, unit = next((u for u in UNITS if seconds >= u[0]), UNITS[-1])
    return f"{seconds / size:.2f} {unit}"


# -- programs --------------------------------------------------------------------------------------


def collatz(a):
    counter = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        counter = counter + 1
    return counter


COLLATZ = inspect.getsource(collatz)


def absolute(x):
    """One branch."""
    if x > 0:
        y = x
    else:
        y = -x
    return y


def files_of_50_lines():
    """Functions out of files that nobody has parsed yet, one after the other."""
    filler = "".join(f"VALUE_{i} = {i}\n" for i in range(50 - COLLATZ.count("\n")))
    for i in itertools.count():
        name = f"<file {i}>"
        text = f"{filler}{COLLATZ}"
        linecache.cache[name] = len(text), None, text.splitlines(True), name
        namespace = {"__name__": f"file_{i}"}
        exec(compile(text, name, "exec"), namespace)
        yield namespace["collatz"]


# -- benchmarks ------------------------------------------------------------------------------------


@benchmark("conversion")
def conversion(rounds):
    """Cold conversion; `compile` of the same text gives the scale."""
    prepared = itertools.islice(files_of_50_lines(), 3 * rounds + 3)
    functions = list(prepared)

    def convert():
        return "ag__" in autograph.to_graph(functions.pop()).__code__.co_freevars

    compare(
        "cold conversion of collatz, file of 50 lines",
        {"compile() of its text": lambda: compile(COLLATZ, "f", "exec") is not None,
         "to_graph": convert},
        rounds,
    )  # fmt: skip


@benchmark("command-line")
def command_line(rounds):
    """Whole processes, start-up included."""
    function = COLLATZ + "\n\n"
    copies = -(-1000 // function.count("\n"))
    with tempfile.TemporaryDirectory() as folder:
        large, small = Path(folder, "large.py"), Path(folder, "small.py")
        large.write_text(function * copies)
        small.write_text("x = 1\n")

        def run(*words):
            subprocess.run([sys.executable, *words], check=True, capture_output=True)

        compare(
            "command line, with start-up",
            {
                "python -c pass": lambda: run("-c", "pass"),
                "autograph, 1 line": lambda: run("-m", "autograph", str(small)),
                "autograph, 1,000 lines": lambda: run("-m", "autograph", str(large)),
            },
            max(3, rounds // 5),
        )


@benchmark("plain")
def plain(rounds):
    """Converted code on Python's own numbers."""
    converted = autograph.to_graph(collatz)
    compare(
        "collatz(27) on Python ints",
        {"original": lambda: collatz(27), "converted": lambda: converted(27)},
        rounds,
        100,
    )


@benchmark("staged")
def staged(rounds):
    """The NumPy engine."""
    graph = rt.function(collatz)
    start = np.int64(837799)
    compare(
        "collatz(np.int64(837799)), 524 steps",
        {"Python over NumPy scalars": lambda: collatz(start), "graph": lambda: graph(start)},
        rounds,
        5,
    )


@benchmark("calls")
def calls(rounds):
    """Overheads of one call."""
    converted, graph, x = autograph.to_graph(absolute), rt.function(absolute), np.float64(2.0)
    compare(
        "one call of a function with one branch",
        {
            "original": lambda: absolute(x),
            "converted": lambda: converted(x),
            "graph": lambda: graph(x),
        },
        rounds,
        1000,
    )


def main() -> None:
    """Runs the benchmarks that are named, or all of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    for name in options.names or BENCHMARKS:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name}; there are {', '.join(BENCHMARKS)}")
        BENCHMARKS[name](options.rounds)


if __name__ == "__main__":
    main()
