"""Random functions that rebind tuples, named tuples, dataclasses and nested containers in loops.

Writer(random.Random(seed)).module()       the source of a module with the function f(x, n, a)
"""

import numpy as np
from grammar import StagedGrammar, weighted

PRELUDE = """
import dataclasses
from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    p: object
    q: object

    def flipped(self):
        return Pair(self.q, self.p)


@dataclasses.dataclass(frozen=True)
class Frozen:
    u: object
    v: object = 0.5


@dataclasses.dataclass(slots=True)
class Slotted:
    h: object
    t: object
"""

FLOATS = ("x", "y", "c.p", "c.q", "g.u", "g.v", "o.h", "t[0]", "t[1]", "d['k']['m']", "l[0][1]")
ARRAYS = ("a", "w", "o.t", "d['a']", "l[1]")


def arguments():
    """The inputs of every program."""
    for x, n in ((2.0, 3), (-1.5, 1), (0.25, 0), (6.0, 4)):
        yield np.float64(x), np.int64(n), np.array([x * 0.5, 1.0, -2.0])


class Writer(StagedGrammar):
    """Writes a function; every call of it ends."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(assign=3, place=5, swap=2, record=5, unpack=3, write=2, leave=1)
    COMPOUND = weighted(branch=4, while_=1, for_=4, walrus=1)

    def __init__(self, rng):
        super().__init__(rng, 2, {"whole": ["n"]})

    def module(self) -> str:
        """The source of the module."""
        self.emit(0, "def f(x, n, a):")
        self.emit(1, "y, w = x * 0.5, a * 2.0")
        self.emit(1, "t, c, g = (x, y), Pair(x, y + 1.0), Frozen(y, x)")
        self.emit(1, "o = Slotted(x - 1.0, a + 1.0)")
        self.emit(1, "d = {'k': {'m': x}, 'a': a * 0.5}")
        self.emit(1, "l = [[y, x], a - 1.0]")
        for _ in range(self.rng.randint(2, 5)):
            self.statement(1, 0)
        self.emit(1, "return x, y, w, t, c, g.u, g.v, o.h, o.t, d, l")
        return self.source()

    def real(self):
        """An expression for a float."""
        one = self.pick(*FLOATS)
        return self.pick(one, f"{one} * 0.5", f"{one} + 1.0", f"{self.pick(*ARRAYS)}[n % 3]")

    def test(self, depth=0):
        return self.pick(f"{self.pick(*FLOATS)} > {self.pick(*FLOATS, '1.0')}", "n > 1")

    def elifs(self):
        return range(self.pick(0, 0, 1))

    def headers(self, i, v, w):
        return (
            (f"{i} in range(n)", {"whole": [i]}),
            ("y in a", {}),
            ("y, x in zip(a, w)", {}),
            (f"{i}, x in enumerate(w)", {"whole": [i]}),
        )

    def early_return(self):
        return None

    def assign(self, indent, depth):
        self.emit(indent, f"{self.pick('x', 'y')} = {self.real()}")

    def place(self, indent, depth):
        """Writes into an attribute or an item."""
        target = self.pick("o.h", "d['k']['m']", "l[0][0]", "l[0][1]", "x")
        self.emit(indent, f"{target} {self.pick('=', '+=', '-=')} {self.real()}")

    def swap(self, indent, depth):
        """Exchanges places."""
        one, other = self.rng.sample(("x", "y", "o.h", "d['k']['m']", "l[0][0]", "l[0][1]"), 2)
        self.emit(indent, f"{one}, {other} = {other}, {one}")

    def record(self, indent, depth):
        """Binds a name to a new tuple or object."""
        self.emit(
            indent,
            self.pick(
                f"t = ({self.real()}, {self.real()})",
                "t = t[::-1]",
                f"c = Pair({self.real()}, {self.real()})",
                f"c = c._replace({self.pick('p', 'q')}={self.real()})",
                "c = c.flipped()",
                f"g = Frozen({self.real()})",
                f"g = dataclasses.replace(g, {self.pick('u', 'v')}={self.real()})",
                f"o = Slotted({self.real()}, {self.pick(*ARRAYS)} * 0.5)",
                f"o = dataclasses.replace(o, h={self.real()})",
                f"d = {{**d, 'a': {self.pick(*ARRAYS)} + 1.0}}",
                f"d = {{'k': {{'m': {self.real()}}}, 'a': w * 0.5}}",
                f"l = [[{self.real()}, y], w * 0.5]",
            ),
        )

    def unpack(self, indent, depth):
        """Takes a tuple apart."""
        self.emit(
            indent,
            self.pick(
                "x, y = t",
                "y, x = c",
                "x, *_ = a",
                "*_, y = (x, *t, *c)",
                "(x, y), w = t, w * 0.5",
                "y, *rest = [*t, y]",
                "o.h, d['k']['m'] = c",
                "x, o.h = t",
            ),
        )

    def write(self, indent, depth):
        """Writes into an array."""
        self.emit(indent, f"{self.pick(*ARRAYS)}[{self.pick('0', '-1', 'n % 3')}] += {self.real()}")

    def walrus(self, indent, depth):
        """Binds a name in a condition."""
        self.emit(indent, f"if ({self.pick('x', 'y')} := {self.real()}) > {self.pick('y', '1.0')}:")
        self.block(indent + 1, depth + 1)
