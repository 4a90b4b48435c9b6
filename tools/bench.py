"""Times things side by side: python tools/bench.py [NAME...] [--rounds N]

    conversion      cold `to_graph` of functions in files of 50 lines that were not parsed yet
    large-file      the first and the later conversions of functions in a file of 1,400 lines
    chains          cold conversion of 80 `elif`s, 80 guards, an `and` of 100 terms, and twice that
    import          `import autograph` as a process
    command-line    `autograph FILE.py` as a process, with a file of 1,000 lines and of none
    plain           converted code on Python's own numbers, beside the original
    depth           how deep a converted function recurses at Python's default limit
    staged          a graph, beside the same function over NumPy scalars in Python
    calls           what one call costs: of a converted function, and of a graph
    guards          what a call of a graph costs beside the operations in it
    tracing         what becomes of a straight line of 1,000 and 10,000 operations, per operation
    loops           loops over NumPy scalars, and small arrays, in the programs of graphs
    debugging       a graph whose numerics are checked, and one that is profiled
    threads         independent parts of a run in two threads (`OMP_NUM_THREADS=1` for products)

The contestants of a benchmark take turns, round after round, after their results were found equal.
Shown are the median of each and its ratio to the first.  Figures depend on the machine: compare
within a run.
"""

import argparse
import inspect
import itertools
import linecache
import os
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
from runtime.engines.numpy import compile_graph
from runtime.ir import copy
from runtime.passes import optimized

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


def absolute(x):
    """One branch."""
    if x > 0:
        y = x
    else:
        y = -x
    return y


FILES = itertools.count()


def functions_of(text, name):
    """The function `name` out of files that nobody has parsed yet, one after the other."""
    for i in FILES:
        file = f"<file {i}>"
        linecache.cache[file] = len(text), None, text.splitlines(True), file
        namespace = {"__name__": f"file_{i}"}
        exec(compile(text, file, "exec"), namespace)
        yield namespace[name]


def in_lines(text, number):
    """A text with assignments in front of it, so that it has a number of lines."""
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
    """A file of 1,400 lines: it is parsed for the first of its functions only."""
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
    """Processes; what is imported before stays out of the figure of each."""
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
    """Counts, and takes no time: the depth at which a recursion ends."""
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
    """Converted code on Python's own numbers."""
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


class Layer:
    def __init__(self):
        self.weights, self.bias, self.training = np.eye(3), np.ones(3), True

    def __call__(self, x):
        y = np.dot(x, self.weights) + self.bias
        return y * 2 if self.training else y


@benchmark("guards")
def calls_of_graphs(rounds):
    """What it costs to see that a graph is right, and to fetch the arrays that it reads."""
    x, layer = np.ones(3), Layer()
    increased, staged = rt.function(lambda x: x + 1), rt.function(layer)
    one = {"Python": lambda: x + 1, "graph": lambda: increased(x)}
    compare("one operation on 3 elements", one, rounds, 1000)
    three = {"Python": lambda: layer(x), "graph": lambda: staged(x)}
    compare("three, and four attributes of an object", three, rounds, 1000)


class Holder:
    """Twenty variables, or twenty arrays in their places."""

    def __init__(self, make):
        self.held = [make(np.eye(8)) for _ in range(20)]

    def product(self, x):
        for w in self.held:
            x = x @ w
        return x

    def descend(self, step):
        for w in self.held:
            w -= step


@benchmark("variables")
def variables(rounds):
    """What it costs to read and to write variables in a run."""
    count, total = rt.Variable(0), np.zeros((), int)
    counted = rt.function(lambda: count.assign_add(1))
    contestants = {
        "Python: total += 1": lambda: total.__iadd__(1) is None,
        "count.assign_add(1)": lambda: count.assign_add(1) is None,
        "in a graph": lambda: counted() is None,
    }
    compare("a counter", contestants, rounds, 1000)
    arrays, held, x, step = Holder(np.array), Holder(rt.Variable), np.ones(8), np.zeros((8, 8))
    read, write = rt.function(held.product), rt.function(held.descend)
    both = {"Python over NumPy": lambda: arrays.product(x), "graph": lambda: read(x)}
    compare("twenty variables of 8 by 8 are read", both, rounds, 200)
    both = {"Python over NumPy": lambda: arrays.descend(step), "graph": lambda: write(step)}
    compare("twenty variables of 8 by 8 are written", both, rounds, 200)
    large, y = np.zeros(1_000_000), np.ones(1_000_000)
    variable = rt.Variable(large)
    written = rt.function(lambda y: variable.assign(y * 2.0))
    both = {"Python: y * 2.0": lambda: (y * 2.0) is None, "graph": lambda: written(y) is None}
    compare("a variable of 1,000,000 floats is assigned y * 2.0", both, rounds, 1)


@benchmark("random")
def random(rounds):
    """Draws: of NumPy, outside of a graph, and in one."""
    for size, number in ((3, 1000), (1_000_000, 1)):
        numpys, rng = np.random.Generator(np.random.Philox(0)), rt.random.Generator(0)
        drawn = rt.function(lambda size=size, rng=rng: rng.normal(size=size))
        contestants = {
            "NumPy": lambda size=size, rng=numpys: rng.normal(size=size).shape,
            "rt.random": lambda size=size, rng=rng: rng.normal(size=size).shape,
            "in a graph": lambda drawn=drawn: drawn().shape,
        }
        compare(f"{size:,} normal numbers", contestants, rounds, number)


def straight_line(number):
    steps = itertools.cycle(["x = x * y", "y = y + 1.5", "x = np.sin(x)", "y = y - x"])
    body = "".join(f"    {step}\n" for step in itertools.islice(steps, number))
    return f"import numpy as np\n\ndef f(x, y):\n{body}    return x, y\n"


@benchmark("tracing")
def tracing(rounds):
    """Per operation of a straight line: recording it, optimising the graph, making the program."""
    x = np.ones(10)
    rounds = min(rounds, 9)
    for number in (1_000, 10_000):
        taken: dict[str, list[float]] = {"record": [], "optimise": [], "compile": []}
        for fn in itertools.islice(functions_of(straight_line(number), "f"), rounds):
            converted = autograph.to_graph(fn)
            built = rt.Graph()
            with built.as_default():
                given = rt.placeholder(x.dtype, x.shape), rt.placeholder(x.dtype, x.shape)
                outputs, seconds = timed(lambda fn=converted, given=given: fn(*given))
            taken["record"].append(seconds)
            built.graph.outputs = [tensor._value for tensor in outputs]
            graph, seconds = timed(lambda graph=built.graph: optimized(copy(graph)))
            taken["optimise"].append(seconds)
            taken["compile"].append(timed(lambda graph=graph: compile_graph(graph))[1])
        print(f"\na straight line of {number:,} operations, per operation ({rounds} rounds)")
        for what, seconds in taken.items():
            print(f"  {what:<40}{shown(statistics.median(seconds) / number):>12}")


def timed(run):
    """What a call gives, and the seconds that it takes."""
    start = time.perf_counter()
    result = run()
    return result, time.perf_counter() - start


def add_up(n):
    """A sum that wraps around as NumPy's do."""
    total = np.int64(0)
    i = np.int64(0)
    while i < n:
        total += i
        i += 1
    return total


def normalised(x):
    """Some operations on an array."""
    y = x - x.mean()
    scale = np.sqrt(np.sum(y * y) / y.size)
    return np.maximum(y / scale, 0.0).reshape(-1)


def side_by_side(name, fn, arguments, rounds, number=1):
    graph = rt.function(fn)
    run = graph.get_concrete_function(*arguments).compiled
    compare(
        name,
        {
            "Python over NumPy": lambda: fn(*arguments),
            "graph": lambda: graph(*arguments),
            "its program": lambda: run(*arguments)[0],
        },
        rounds,
        number,
    )


@benchmark("loops")
def loops(rounds):
    """What the programs of graphs make of scalars and of small arrays."""
    n, x = np.int64(10_000), np.linspace(0.0, 1.0, 16)
    side_by_side("while i < n: total += i; i += 1, 10,000 times", add_up, [n], rounds)
    side_by_side("six operations on 16 elements", normalised, [x], rounds, 1000)


@benchmark("debugging")
def debugging(rounds):
    """Programs that look into a run, beside the plain one."""

    def chain(x, n):
        for _ in range(n):
            x = np.sqrt(x * x + 1.0)
        return x

    graph, n = rt.function(chain), np.int64(1_000)

    def checked(x):
        with rt.config.temporarily(check_numerics=True):
            return graph(x, n)

    def profiled(x):
        with rt.profile():
            return graph(x, n)

    for x in (np.ones(10), np.ones(10_000)):
        contestants = {"plain": lambda x=x: graph(x, n)}
        contestants |= {"checked": lambda x=x: checked(x), "profiled": lambda x=x: profiled(x)}
        compare(f"3,000 operations on {x.size:,} elements", contestants, rounds)


def two_chains(x, y):
    for _ in range(5):
        x = np.tanh(x * 0.5)
    for _ in range(5):
        y = np.tanh(y + 0.5)
    return x.sum() + y.sum()


def two_sorts(x, y):
    return np.sort(x.ravel())[0] + np.sort(y.ravel())[0]


def two_products(x, y):
    for _ in range(5):
        x = x @ x
    for _ in range(5):
        y = y @ y
    return x + y


@benchmark("threads")
def in_threads(rounds):
    """Independent parts in two threads; each fetches its own setting."""
    for fn in (two_chains, two_sorts, two_products):
        graph = rt.function(fn)
        for size in (100, 300, 1000):
            x = np.random.default_rng(0).random((size, size)) / size
            y = x.T.copy()

            def run(threads, graph=graph, x=x, y=y):
                with rt.config.temporarily(threads=threads):
                    return graph(x, y)

            compare(
                f"{fn.__name__} of two f64[{size}, {size}]",
                {"1 thread": lambda run=run: run(1), "2 threads": lambda run=run: run(2)},
                min(rounds, 9),
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
