"""Random functions in which names share arrays, lists, dicts and objects, with staged control flow.

    source = Writer(random.Random(seed)).module()

Every program defines `f(n, x, y, p, q)`: a NumPy integer, two arrays of three floats, and two dicts
of arrays.  Names are bound to the same arrays, to views, to items and attributes; they are swapped,
rebound and written into, in branches and loops that depend on `n`.  The function returns all of
them, so that a lost write shows.
"""

import numpy as np
from grammar import StagedGrammar, weighted

PRELUDE = """\
import numpy as np


class Box:
    pass
"""

NAMES = ("u", "v", "w")
PLACES = ("d['a']", "e['a']", "o.h", "r[0]", "r[1]", "t[0]")
HOLDERS = ("d", "e", "p", "q")


def arguments():
    """The inputs of every program."""
    for n in (0, 1, 3):
        dicts = {"a": np.arange(3.0) - 1}, {"a": np.arange(3.0) * 2}
        yield (np.int64(n), np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]), *dicts)


class Writer(StagedGrammar):
    """Writes one random program."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(bind=4, rebind=2, write=4, swap=1, total=2, store=2, exchange=1)
    COMPOUND = weighted(branch=2, for_=3)
    LOOP_ELSE = 0.0

    def __init__(self, rng, depth=2):
        super().__init__(rng, depth, {"array": [*NAMES, "x", "y"]})

    def module(self):
        """The source of a whole module, which defines `f`."""
        self.emit(0, "def f(n, x, y, p, q):")
        self.emit(1, "s = 0.0")
        self.emit(1, f"u, v, w = x.copy(), {self.pick('x', 'y + 0.0', 'y')}, {self.start()}")
        self.emit(
            1, f"d, e = {{'a': {self.start()}}}, {self.pick('p', dict_of('u'), dict_of('v'))}"
        )
        self.emit(1, f"o, r = Box(), [{self.start()}, {self.start()}]")
        self.emit(1, f"o.h, t = {self.start()}, ({self.start()}, 1.0)")
        for _ in range(self.rng.randint(2, 5)):
            self.statement(1, 0)
        self.emit(1, "return s, u, v, w, d, e, o.h, r, t, x, y, p, q")
        return self.source()

    def start(self):
        return self.pick("x", "y", "x * 2.0", "y.copy()")

    def array(self):
        """An expression for an array that other names may hold."""
        return self.pick(*self.names["array"], *self.names["array"], *PLACES, "p['a']")

    def new(self):
        """An expression for a new array."""
        a, b = self.array(), self.array()
        return self.pick(f"{a} * 0.5", f"{a} + {b} * 0.25", f"{a}.copy()", f"np.abs({a}) + 1.0")

    def test(self, depth=0):
        a = self.array()
        return self.pick("n > 1", f"{a}[0] > 1.5", f"{a}[1] < {a}[2]", "s > 2.0", "n != 0")

    def elifs(self):
        return range(self.pick(0, 0, 1))

    def headers(self, i, v, w):
        return ((f"{i} in range(n)", {}), (f"{i} in range(n + 1)", {}), (f"{i} in range(2)", {}))

    def assign(self, indent, depth):
        self.rebind(indent, depth)

    def early_return(self):
        return None

    # -- statements --------------------------------------------------------------------------------

    def bind(self, indent, depth):
        self.emit(indent, f"{self.pick(*NAMES)} = {self.array()}")

    def rebind(self, indent, depth):
        self.emit(indent, f"{self.pick(*NAMES)} = {self.new()}")

    def write(self, indent, depth):
        a = self.array()
        i = self.rng.randint(0, 2)
        lines = (f"{a}[{i}] += 1.5", f"{a}[{i}] = s + 0.5", f"{a}[:2] *= 2.0", f"{a}[1:] = 3.5")
        self.emit(indent, self.pick(*lines))

    def swap(self, indent, depth):
        one, other = self.rng.sample((*NAMES, *PLACES[:5]), 2)
        self.emit(indent, f"{one}, {other} = {other}, {one}")

    def total(self, indent, depth):
        self.emit(indent, f"s = s * 0.5 + {self.array()}[{self.rng.randint(0, 2)}]")

    def store(self, indent, depth):
        self.emit(indent, f"{self.pick(*PLACES[:5])} = {self.pick(self.array, self.new)()}")

    def exchange(self, indent, depth):
        one, other = self.rng.sample(HOLDERS, 2)
        lines = (f"{one} = {other}", f"{one} = dict({other})", f"{one} = {dict_of(self.array())}")
        more = (f"t = ({self.array()}, s)", f"{one}, {other} = {other}, {one}", "r = [r[1], r[0]]")
        self.emit(indent, self.pick(*lines, *more))


def dict_of(array):
    return f"{{'a': {array}}}"
