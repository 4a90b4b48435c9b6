"""The table of the native engine: its programs beside Python over NumPy, and installed peers.

    measured(rows, rounds)     one record for each row and contestant
    markdown(table), picture(table, path)

A contestant that refuses a row, or has another result, is recorded with the reason.
"""

import importlib.metadata
import importlib.util
import os
import platform
import statistics
from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

import autograph
import runtime as rt
from benchmarks.limits import COMPILER, Limit, compiled
from benchmarks.timing import one_core, shown, timed

Row = tuple[str, Callable[..., Any], tuple[Any, ...], int]
# Packages that run the same functions, and the commands that install them.
PEERS = {"numba": "pip install numba", "jax": "pip install jax"}
PYTHON, OURS, IN_C = "Python over NumPy", "native", "C"
ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"  # of XLA
LONG = 0.5  # seconds; a call that takes longer is not repeated


class DifferentResult(Exception):
    """A contestant has another result than the function in Python."""


def makers() -> dict[str, Callable[..., Any]]:
    """How each contestant makes a callable of a function; the first one is the base of ratios."""
    found: dict[str, Callable[..., Any]] = {
        OURS: lambda fn: rt.function(fn, engine="native"),
        "native-fast": lambda fn: rt.function(fn, engine="native-fast"),
    }
    if importlib.util.find_spec("numba") is not None:
        found["numba"] = importlib.import_module("numba").njit
    if importlib.util.find_spec("jax") is not None:
        found["jax.jit"] = _by_jax
    library = compiled()
    if library is not None:
        found[IN_C] = partial(Limit, library)
    return found | {PYTHON: lambda fn: fn}


def _by_jax(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function under `jax.jit`, with `jax.numpy` in place of NumPy; `autograph` hands its loops
    and branches to JAX.  A call takes arrays that are on the device, and waits for the result."""
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
    jax, of_jax = importlib.import_module("jax"), importlib.import_module("jax.numpy")
    jax.config.update("jax_enable_x64", True)
    same = FunctionType(fn.__code__, {**fn.__globals__, "np": of_jax}, fn.__name__)
    run, given = jax.jit(autograph.to_graph(same)), {}

    def call(*arguments):
        key = tuple(map(id, arguments))
        if key not in given:
            given[key] = arguments, jax.device_put(arguments)
        return jax.block_until_ready(run(*given[key][1]))

    return call


def missing() -> list[str]:
    """A line for each peer that is not installed."""
    absent = [name for name in PEERS if importlib.util.find_spec(name) is None]
    lines = [f"{name} is not installed: {PEERS[name]} adds its column" for name in absent]
    if compiled() is None:
        lines.append(f"{COMPILER} is not installed: with it, there is a column for {IN_C}")
    return lines


def measured(
    rows: Iterable[Row],
    rounds: int,
    made: dict[str, Callable[..., Any]] | None = None,
    seconds: float = 0.2,
) -> dict[str, Any]:
    """The table: versions, and for each row the times of a call by each contestant.

    Contestants run alternately, `rounds` times, each time as often as fits into `seconds`, all on
    one core.
    """
    with one_core():
        contestants = makers() if made is None else made
        raced = [
            {"name": row[0], "times": _raced(row, rounds, contestants, seconds)} for row in rows
        ]
    return {"versions": _versions(), "rounds": rounds, "rows": raced}


def _raced(row, rounds, contestants, seconds):
    _, fn, arguments, number = row
    expected, taken = timed(lambda: fn(*arguments))
    found, ready = {}, {}
    for name, make in contestants.items():
        try:
            run = make(fn)
            first, later = (taken, taken) if run is fn else _first_calls(run, arguments, expected)
        except Exception as error:
            found[name] = {"refused": type(error).__name__}
            continue
        found[name] = {"first_call": first, "taken": [later]}
        if later < LONG:
            ready[name] = run, max(1, min(number, int(seconds / max(later, 1e-7))))
    for _ in range(rounds):
        for name, (run, calls) in ready.items():
            found[name]["taken"].append(_each(run, arguments, calls))
    for times in found.values():
        if "taken" in times:
            taken = times.pop("taken")
            times |= {"least": min(taken), "median": statistics.median(taken)}
    return found


def _first_calls(run, arguments, expected):
    """The time of the first call, which compiles, and of the third: the second one may compile
    the whole call.

    Raises `DifferentResult` if the result is not the expected one.
    """
    result, first = timed(lambda: run(*arguments))
    if not np.allclose(result, expected, rtol=1e-3, atol=1e-3, equal_nan=True):
        raise DifferentResult
    run(*arguments)
    return first, timed(lambda: run(*arguments))[1]


def _each(run, arguments, calls):
    if isinstance(run, Limit):
        return run.seconds(arguments, calls)
    run(*arguments)  # the caches hold the data of the contestant before
    _, taken = timed(lambda: [run(*arguments) for _ in range(calls)])
    return taken / calls


def _versions():
    packages = {}
    for name in ("numpy", "llvmlite", *PEERS):
        try:
            packages[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            packages[name] = None
    return {
        "python": platform.python_version(),
        "autograph-numpy": rt.__version__,
        **packages,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def markdown(table: dict[str, Any]) -> str:
    """The table as Markdown: least times, and in brackets the ratio to the native engine."""
    names = list(dict.fromkeys(name for row in table["rows"] for name in row["times"]))
    versions = ", ".join(f"{name} {v}" for name, v in table["versions"].items() if v)
    lines = [f"Least times of {table['rounds']} rounds; {versions}.", ""]
    lines += [f"| a call | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for row in table["rows"]:
        cells = [_cell(row["times"], name) for name in names]
        lines.append(f"| {row['name']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(times, name):
    if "least" not in times.get(name, {}):
        return times.get(name, {}).get("refused", "")
    ratio = ratio_of(times, name)
    return shown(times[name]["least"]) + ("" if ratio is None else f" (x{ratio:.2f})")


def ratio_of(times: dict[str, Any], name: str) -> float | None:
    """How many times as long as the native engine a contestant takes; None for itself."""
    known = all("least" in times.get(one, {}) for one in (name, OURS))
    return times[name]["least"] / times[OURS]["least"] if known and name != OURS else None


def picture(table: dict[str, Any], path: str) -> None:
    """Writes the ratios as bars on a logarithmic axis, as SVG.  Needs matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text
    rows = table["rows"][::-1]
    names = [n for n in dict.fromkeys(n for r in rows for n in r["times"]) if n != OURS]
    figure = Figure(figsize=(9, 1 + 0.42 * len(rows)), layout="constrained")
    axes = figure.subplots()
    height = 0.8 / max(len(names), 1)
    for i, name in enumerate(names):
        places = [(j, ratio_of(row["times"], name)) for j, row in enumerate(rows)]
        drawn = [(j + 0.4 - (i + 0.5) * height, ratio) for j, ratio in places if ratio is not None]
        widths = [ratio - 1 for _, ratio in drawn]
        axes.barh([place for place, _ in drawn], widths, height, left=1, label=name)
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(range(len(rows)), [row["name"] for row in rows])
    axes.set_xlabel("time of a call, divided by that of the native engine (below 1: faster)")
    axes.legend(loc="lower right")
    figure.savefig(path, format="svg")
