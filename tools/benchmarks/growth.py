"""How cost grows with the work: each table doubles one number, and says what it costs.

    operations   a straight line of so many: conversion, tracing, optimising, making the program
    iterations   a staged loop of so many: a run, and a run of its gradient
    elements     an elementwise function of arrays of so many: a run, and one of its gradient
    signatures   a function with so many graphs: a call of the newest and of the oldest one

Costs are CPU time, the least of some rounds, since other work on the machine hides how they grow.
The last column of a line is the exponent k of cost = c * number**k, fitted to the last three
numbers: about 1 where cost is proportional, 0 where it stays.
"""

import itertools
import math
import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

import autograph
import runtime as rt
from benchmarks.conversion import functions_of
from benchmarks.graphs import straight_line
from benchmarks.timing import benchmark, shown

T = TypeVar("T")


def exponent(numbers: list[int], seconds: list[float]) -> float:
    """The k of the least squares fit of seconds = c * number**k."""
    x = [math.log(number) for number in numbers]
    y = [math.log(second) for second in seconds]
    return statistics.linear_regression(x, y).slope


def show_growth(name: str, numbers: list[int], costs: dict[str, list[float]]) -> None:
    """Prints a table: a line for each cost, a column for each number."""
    print(f"\n{name:<34}" + "".join(f"{number:>12,}" for number in numbers) + f"{'k':>7}")
    for cost, seconds in costs.items():
        times = "".join(f"{shown(second):>12}" for second in seconds)
        print(f"  {cost:<32}{times}{exponent(numbers[-3:], seconds[-3:]):>7.2f}")


def cpu_time(run: Callable[[], T]) -> tuple[T, float]:
    """The result of a call, and the seconds of CPU time that it takes."""
    start = time.process_time()
    result = run()
    return result, time.process_time() - start


def least(run: Callable[[], object], rounds: int) -> float:
    """The least CPU time of a call, after one that is not counted."""
    run()
    return min(cpu_time(run)[1] for _ in range(rounds))


def operations(rounds: int, numbers: list[int]) -> dict[str, list[float]]:
    """The costs before the first run of a straight line."""
    from runtime.engines.numpy import compile_graph  # not public: other versions may differ
    from runtime.ir.graph import copy
    from runtime.passes import optimized

    costs: dict[str, list[float]] = {
        name: [] for name in ("conversion", "tracing", "optimising", "making the program")
    }
    for number in numbers:
        taken: dict[str, list[float]] = {name: [] for name in costs}
        for fn in itertools.islice(functions_of(straight_line(number), "f"), rounds):
            converted, seconds = cpu_time(lambda fn=fn: autograph.to_graph(fn))
            taken["conversion"].append(seconds)
            built = rt.Graph()
            with built.as_default():
                given = rt.placeholder(np.float64, (10,)), rt.placeholder(np.float64, (10,))
                outputs, seconds = cpu_time(lambda fn=converted, given=given: fn(*given))
            taken["tracing"].append(seconds)
            built.graph.outputs = [tensor._value for tensor in outputs]
            graph, seconds = cpu_time(lambda graph=built.graph: optimized(copy(graph)))
            taken["optimising"].append(seconds)
            taken["making the program"].append(
                cpu_time(lambda graph=graph: compile_graph(graph))[1]
            )
        for name, seconds in taken.items():
            costs[name].append(min(seconds))
    return costs


def settled(x, n):
    """A staged loop of n iterations."""
    for _ in range(n):
        x = np.tanh(x) + 0.5
    return np.sum(x)


def runs(fn: Callable, calls: list[tuple], rounds: int) -> dict[str, list[float]]:
    """The runs of a graph and of its gradient for some arguments, by two engines."""
    costs = {}
    for engine in ("numpy", "native"):
        for what, function in (("a run", fn), ("its gradient", rt.grad(fn))):
            staged = rt.function(function, engine=engine)
            costs[f"{what} ({engine})"] = [
                least(partial(staged, *arguments), rounds) for arguments in calls
            ]
    return costs


def iterations(rounds: int, numbers: list[int]) -> dict[str, list[float]]:
    """The runs of a staged loop."""
    x = np.linspace(0.0, 1.0, 4)
    return runs(settled, [(x, np.int64(number)) for number in numbers], rounds)


def curve(x):
    """Some elementwise operations, and a sum."""
    return np.sum(np.sqrt(x * x + 1.0) * 0.5 - x)


def elements(rounds: int, numbers: list[int]) -> dict[str, list[float]]:
    """The runs of an elementwise function."""
    return runs(curve, [(np.linspace(0.0, 1.0, number),) for number in numbers], rounds)


def signatures(rounds: int, numbers: list[int]) -> dict[str, list[float]]:
    """Calls of a function that has a graph for each Python number that it was called with."""
    x = np.ones(3)
    costs: dict[str, list[float]] = {"one graph again": [], "all graphs in turn": []}
    for number in numbers:
        scaled = rt.function(lambda x, by: x * by)
        turns = [by for _ in range(100) for by in range(number)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rt.RetracingWarning)
            for name, given in (("one graph again", [0] * 1000), ("all graphs in turn", turns)):

                def calls(scaled=scaled, given=given):
                    for by in given:
                        scaled(x, by)

                costs[name].append(least(calls, rounds) / len(given))
    return costs


@benchmark("growth")
def growth(rounds: int) -> None:
    """The tables, one after the other."""
    for name, measured, numbers in (
        ("operations", operations, [250, 500, 1_000, 2_000, 4_000]),
        ("iterations", iterations, [1_000, 2_000, 4_000, 8_000, 16_000]),
        ("elements", elements, [1_000, 4_000, 16_000, 64_000, 256_000]),
        ("signatures", signatures, [4, 8, 16, 32, 64]),
    ):
        show_growth(name, numbers, measured(min(rounds, 9), numbers))
