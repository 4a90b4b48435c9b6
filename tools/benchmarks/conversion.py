"""Conversion, and converted code on plain values."""

import gc
import importlib.util
import inspect
import itertools
import linecache
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
import types
from pathlib import Path

import autograph
from benchmarks.timing import benchmark, compare, shown


def collatz(a):
    counter = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        counter = counter + 1
    return counter


def simple_relu(x):
    if x > 0:
        return x
    else:
        return 0


def break_continue(n):
    z = []
    for i in range(n):
        if i == 3:
            continue
        if i > 7:
            break
        z.append(i)
        print(i)
    return z


def weighted(x, y):
    return x + 2 * y


def call_in_a_loop(n):
    total = 0
    for i in range(n):
        total = weighted(total, i)
    return total


COLLATZ = inspect.getsource(collatz)


FILES = itertools.count()


def functions_of(text, name):
    """The function `name` out of files that have not been parsed yet, one after the other."""
    for i in FILES:
        file = f"<file {i}>"
        linecache.cache[file] = len(text), None, text.splitlines(True), file
        namespace = {"__name__": f"file_{i}"}
        exec(compile(text, file, "exec"), namespace)
        yield namespace[name]


def in_lines(text, number):
    """A source after so many assignments that it has the given number of lines."""
    return "".join(f"VALUE_{i} = {i}\n" for i in range(number - text.count("\n"))) + text


def cold(functions):
    """A contestant that converts one function after the other."""
    return lambda: "ag__" in autograph.to_graph(next(functions)).__code__.co_freevars


def prepared(text, name, rounds):
    """Functions of that many files, and of a few more."""
    return iter(list(itertools.islice(functions_of(text, name), rounds + 3)))


# -- benchmarks ------------------------------------------------------------------------------------


@benchmark("conversion")
def conversion(rounds):
    """Cold conversion; `compile` of a text gives the scale."""
    contestants = {"compile() of collatz": lambda: compile(COLLATZ, "f", "exec") is not None}
    for fn in (simple_relu, collatz, break_continue):
        text = in_lines(inspect.getsource(fn), 50)
        contestants[f"to_graph({fn.__name__})"] = cold(prepared(text, fn.__name__, rounds))
    compare("cold conversion, file of 50 lines", contestants, rounds)


@benchmark("large-file")
def large_file(rounds):
    """A file of 1,400 lines: only the definition that is converted is parsed."""
    names = [f"collatz_{i}" for i in range(1400 // (COLLATZ.count("\n") + 2))]
    text = "\n\n".join(COLLATZ.replace("collatz", name) for name in names)
    first = prepared(text, names[0], rounds)
    one = next(functions_of(text, names[0]))
    autograph.to_graph(one)
    later = (one.__globals__[name] for name in names[1:])
    rounds = min(rounds, len(names) - 5)
    compare(
        f"cold conversion, file of {text.count(chr(10))} lines",
        {"the first function": cold(first), "later functions": cold(later)},
        rounds,
    )


LIBRARY = (
    *("argparse", "configparser", "json.decoder", "json.encoder", "textwrap", "difflib", "csv"),
    *("statistics", "fractions", "html.parser", "shlex", "string", "calendar", "pprint", "heapq"),
    *("bisect", "gettext", "optparse", "mimetypes", "cmd"),
)


def library_functions():
    """The functions and methods in fresh copies of modules of the standard library."""
    found = []
    for name in LIBRARY:
        path = importlib.util.find_spec(name).origin
        module = types.ModuleType(name)
        module.__package__ = name.rpartition(".")[0]
        exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), vars(module))
        kinds = [v for v in vars(module).values() if isinstance(v, type) and v.__module__ == name]
        held = [v for holder in (module, *kinds) for v in vars(holder).values()]
        functions = [v for v in held if isinstance(v, types.FunctionType)]
        found += [one for one in functions if one.__code__.co_filename == path]
    return found


@benchmark("library")
def library(rounds):
    """Conversion of many functions: the number in a second of CPU time, and their memory."""
    rates = []
    for _ in range(min(rounds, 5)):
        functions = library_functions()
        start = time.process_time()
        for function in functions:
            autograph.to_graph(function)
        rates.append(len(functions) / (time.process_time() - start))
    functions = library_functions()
    gc.collect()
    tracemalloc.start()
    kept = [autograph.to_graph(function) for function in functions]
    gc.collect()
    memory = tracemalloc.get_traced_memory()[0] / len(kept)
    tracemalloc.stop()
    print(f"\nconversion of {len(functions)} functions of the standard library")
    print(f"  {'functions per second, the best round':<40}{max(rates):>12.0f}")
    print(f"  {'memory kept for each':<40}{memory / 1024:>9.1f} kB")


def elifs(number):
    arms = "".join(f"    elif x == {i}:\n        return {i}\n" for i in range(1, number))
    return f"def f(x):\n    if x == 0:\n        return 0\n{arms}    return -1\n"


def guards(number):
    arms = "".join(f"    if x == {i}:\n        return {i}\n" for i in range(number))
    return f"def f(x):\n{arms}    return -1\n"


def conjunction(number):
    return f"def f(x):\n    return {' and '.join(f'x != {i}' for i in range(number))}\n"


@benchmark("chains")
def chains(rounds):
    """Long chains, and ones twice as long: conversion takes twice as long, too."""
    for what, make, number in (
        ("elif", elifs, 80),
        ("guards", guards, 80),
        ("and", conjunction, 100),
    ):
        rounds = min(rounds, 10)
        compare(
            f"cold conversion of a chain of {what}",
            {str(n): cold(prepared(make(n), "f", rounds)) for n in (number, 2 * number)},
            rounds,
        )


@benchmark("import")
def importing(rounds):
    """Imports in processes of their own, without the time for starting Python."""
    code = (
        "import sys, time; start = time.perf_counter(); import {0}; "
        "print(time.perf_counter() - start, 'numpy' in sys.modules)"
    )
    # Compiled files are written, as they are for every user.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times = {"gast": [], "autograph": []}
    for name in ["gast", "autograph"] * (rounds + 1):
        done = subprocess.run(
            [sys.executable, "-c", code.format(name)],
            check=True,
            capture_output=True,
            text=True,
            env=environment,
        )
        seconds, with_numpy = done.stdout.split()
        assert with_numpy == "False"
        times[name].append(float(seconds))
    print(f"\nimport, without numpy ({rounds} rounds)")
    for name, taken in times.items():
        print(f"  {name:<40}{shown(statistics.median(taken[1:])):>12}")


@benchmark("depth")
def depth(rounds):
    """The depth at which a recursion fails; nothing is timed."""
    print("\nrecursion depth at the default limit")
    shapes = {
        "one if": "    if n == 0:\n        return 0\n    return 1 + f(n - 1)\n",
        "80 elifs": elifs(80).partition("\n")[2].replace("    return -1\n", "")
        + "    return 1 + f(n - 1)\n",
        "80 guards": guards(80).partition("\n")[2].replace("    return -1\n", "")
        + "    return 1 + f(n - 1)\n",
        "three nested blocks": "    for i in range(1):\n        while n:\n            if n:\n"
        "                return 1 + f(n - 1)\n    return 0\n",
    }
    for what, body in shapes.items():
        body = body.replace("(x)", "(n)").replace(" x ", " n ")
        fn = next(functions_of(f"def f(n):\n{body}", "f"))
        fn.__globals__["f"] = fn
        print(f"  {what:<40}{deepest(fn):>12}{deepest(autograph.to_graph(fn)):>12}")


def deepest(fn):
    """The largest argument up to which a function that recurses that often does not fail."""
    original, fn.__globals__["f"] = fn.__globals__["f"], fn
    low, high = 1, 4 * sys.getrecursionlimit()
    while low + 1 < high:
        middle = (low + high) // 2
        try:
            fn(middle)
            low = middle
        except RecursionError:
            high = middle
    fn.__globals__["f"] = original
    return low


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
    """Converted code on Python numbers."""
    converted = autograph.to_graph(collatz)
    compare(
        "collatz(27) on Python ints",
        {"original": lambda: collatz(27), "converted": lambda: converted(27)},
        rounds,
        100,
    )
    loop = autograph.to_graph(call_in_a_loop)
    compare(
        "a call in a loop, 1,000 times",
        {"original": lambda: call_in_a_loop(1000), "converted": lambda: loop(1000)},
        rounds,
        10,
    )
