"""Graphs: calls, recording, loops, debugging and profiling."""

import itertools
import statistics

import numpy as np

import autograph
import runtime as rt
from benchmarks.conversion import collatz, functions_of
from benchmarks.timing import benchmark, compare, shown, side_by_side, timed


def absolute(x):
    """One branch."""
    if x > 0:
        y = x
    else:
        y = -x
    return y


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


def sum_of_20(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t):  # noqa: E741
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t


def affine(x, *, scale=2.5, shift=1.5):
    return x * scale + shift


@benchmark("guards")
def calls_of_graphs(rounds):
    """The cost of a call besides its operations: to check the guard and to build the result."""
    x, layer = np.ones(3), Layer()
    arrays = [x + k for k in range(20)]
    pairs = {
        "one operation on 3 elements": (lambda x: x + 1, x),
        "one operation on a scalar": (lambda x: x + 1, np.float64(1.0)),
        "two results": (lambda x: (x + 1, x + 2), x),
        "the sum of twenty arrays": (sum_of_20, *arrays),
        "three operations, and four attributes of an object": (layer, x),
        "a helper with keyword-only defaults": (lambda x: affine(x), x),
    }
    for name, (function, *arguments) in pairs.items():
        graph = rt.function(function)
        contestants = {
            "Python": lambda function=function, arguments=arguments: function(*arguments),
            "graph": lambda graph=graph, arguments=arguments: graph(*arguments),
        }
        compare(name, contestants, rounds, 1000)


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
    """The cost of reading and writing variables in a run."""
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
    from runtime.engines.numpy import compile_graph  # not public: other versions may differ
    from runtime.ir.graph import copy
    from runtime.passes import optimized

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


def add_up(n):
    """A sum that wraps around like NumPy integers."""
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


@benchmark("iterations")
def iterations(rounds):
    """Loops over scalars, and operations on small arrays, in the programs of graphs."""
    n, x = np.int64(10_000), np.linspace(0.0, 1.0, 16)
    side_by_side("while i < n: total += i; i += 1, 10,000 times", add_up, [n], rounds)
    side_by_side("six operations on 16 elements", normalised, [x], rounds, 1000)


@benchmark("debugging")
def debugging(rounds):
    """Programs with checks and timers, beside the plain one."""

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
