"""Single operations of converted code on plain values, beside the original.

Three contestants each: the original; the converted function, which runs the original's code while
nothing can be staged; and the converted code itself, whose operators look at their operands
(`AUTOGRAPH_CONVERTED=1` runs it everywhere).  A fourth one calls it while a graph is open.
"""

import types
from collections.abc import Callable
from functools import partial

import autograph
import runtime as rt
from autograph.functions.versions import converted_version
from benchmarks.timing import benchmark, shown, timed

TURNS = 500  # iterations in a call


class Bag:
    """A user's class whose methods Python calls for `in`, `not` and `for`."""

    def __init__(self):
        self.items = [1, 2, 3]

    def __contains__(self, item):
        return item in self.items

    def __iter__(self):
        return iter(self.items)

    def __bool__(self):
        return bool(self.items)


def loop(n, holder):
    total = 0
    for i in range(n):
        total += i
    return total


def branch(n, holder):
    total = 0
    for i in range(n):
        if i > 3:
            total += 1
    return total


def early_return(n, holder):
    for i in range(n):
        if i == -1:
            return i
    return n


def member(n, holder):
    total = 0
    for i in range(n):
        if i in holder:
            total += 1
    return total


def negation(n, holder):
    total = 0
    for _ in range(n):
        if not holder:
            total += 1
    return total


def iteration(n, holder):
    total = 0
    for _ in range(n // 10):
        for _ in holder:
            total += 1
    return total


def same(value):
    return value


def call(n, holder):
    total = 0
    for i in range(n):
        total = same(i)
    return total


def length(n, holder):
    total = 0
    for _ in range(n):
        total += len(holder)
    return total


HOLDERS = {
    "list": [1, 2, 3],
    "dict": {1: 2, 3: 4, 5: 6},
    "set": {1, 2, 3},
    "str": "abc",
    "a user's class": Bag(),
}
ROWS = [
    ("a loop", loop, None),
    ("a loop with a branch", branch, None),
    ("a loop with an early return", early_return, None),
    ("a call", call, None),
    ("len", length, HOLDERS["list"]),
    *[(f"`in`: {kind}", member, one) for kind, one in HOLDERS.items() if kind != "str"],
    *[(f"`not`: {kind}", negation, one) for kind, one in HOLDERS.items()],
    *[(f"`for`: {kind}", iteration, one) for kind, one in HOLDERS.items()],
]


@benchmark("plain-operations")
def plain_operations(rounds: int) -> None:
    """Loops, branches, calls, `in`, `not` and `for` on builtin containers and a user's class."""
    print(f"\n  {'':<32}{'original':>12}{'converted':>11}{'operators':>11}{'recording':>11}")
    for name, function, holder in ROWS:
        ours = autograph.to_graph(function)
        runs = [function, ours, with_operators(ours)]
        if len({run(TURNS, holder) for run in runs}) != 1:
            raise SystemExit(f"{name}: the results differ")
        original, *others = least([partial(run, TURNS, holder) for run in runs], rounds)
        with rt.Graph().as_default():
            (recording,) = least([partial(ours, TURNS, holder)], min(rounds, 5))
        ratios = "".join(f"{f'x{one / original:.2f}':>11}" for one in (*others, recording))
        print(f"  {name:<32}{shown(original):>12}{ratios}")


def with_operators(converted: Callable) -> Callable:
    """A function that always runs the converted code."""
    made = types.FunctionType(
        converted_version(converted),
        converted.__globals__,
        converted.__name__,
        converted.__defaults__,
        converted.__closure__,
    )
    made.__kwdefaults__ = converted.__kwdefaults__
    return made


def least(runs: list[Callable], rounds: int) -> list[float]:
    """The least time of each of the functions, which run alternately."""
    taken: list[list[float]] = [[] for _ in runs]
    for _ in range(max(rounds, 3)):
        for run, times in zip(runs, taken, strict=True):
            times.append(timed(run)[1])
    return list(map(min, taken))
