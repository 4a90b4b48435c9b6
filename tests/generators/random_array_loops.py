"""Random functions that read and write elements of arrays: branches, loops, aliases, exchanged names.

    source = Writer(random.Random(seed)).module()
    load(source, name).f(*arguments(0))

Every program defines `f(a, b, n, x)`: two arrays of floats, a NumPy integer and a NumPy float.
Indices may be out of bounds, sums may overflow, and all arrays are returned: where two names stand for
one array, a write through one of them is seen through the other.
"""

import numpy as np
from grammar import weighted

INDICES = ("i", "j", "0", "-1", "n-1", "k % 4", "i - 1", "2")
TESTS = ("k > 2", "a[{}] > b[{}]", "x < 1", "n % 2 == 0")
VALUES = ("k", "x", "a[{}]", "b[{}]", "a[{}] + b[{}]", "x * 0.5", "k + 1", "a[{}] * 2", "min(k, 3)")
HEAD = """\
import numpy as np


def f(a, b, n, x):
    i = 0
    j = 0
    k = 0
    c = np.full(8, 0.0)
"""
STEPS = ("1", "2", "-1")
DEEPEST = 4


def arguments(number):
    """The arguments of a run: one of three sets."""
    n, x = ((4, 0.25), (0, 2.0), (3, -7.0))[number]
    return np.arange(4.0), np.array([3.0, 1.0, -2.0, 0.5]), np.int64(n), np.float64(x)


class Writer:
    """Writes one program."""

    def __init__(self, random):
        self.random = random
        self.lines = []
        self.budget = 14  # statements that may still hold others

    def module(self):
        """The program."""
        for _ in range(5):
            self.statement(1, in_loop=False)
        return HEAD + "\n".join([*self.lines, "    return a, b, c, k, x"]) + "\n"

    def put(self, text, depth):
        self.lines.append("    " * depth + text)

    def filled(self, choices):
        """One of some texts, with random indices in its gaps."""
        text = self.random.choice(choices)
        return text.format(*(self.random.choice(INDICES) for _ in range(2)))

    def block(self, depth, in_loop):
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth, in_loop)

    def statement(self, depth, in_loop):
        self.budget -= 1
        one, names = self.random.choice, "abc"
        nests = self.budget > 0 and depth < DEEPEST
        kinds = {
            "write": 30,
            "exchange": 8,
            "copy": 8,
            "alias": 5,
            "new": 6,
            "count": 6,
            "sum": 8,
            "jump": 4 * in_loop,
            "branch": 14 * nests,
            "loop": 14 * nests,
        }
        match one(weighted(**kinds)):
            case "write":
                self.put(f"{one(names)}[{one(INDICES)}] = {self.filled(VALUES)}", depth)
            case "exchange":
                self.put("a, b = b, a", depth)
            case "copy":
                self.put(f"{one(names)} = {one(names)}.copy()", depth)
            case "alias":
                self.put(f"{one(names)} = {one('ab')}", depth)
            case "new":
                self.put(f"c = np.full(n + 4, {one(['0.0', '1.5', 'x'])})", depth)
            case "count":
                self.put(f"k = k + {one(STEPS)}", depth)
            case "sum":
                self.put(f"x = x + {one(names)}[{one(INDICES)}]", depth)
            case "jump":
                jump = one(["break", "continue"])
                self.put(f"if k > {self.random.randrange(12)}: {jump}", depth)
            case "branch":
                self.put(f"if {self.filled(TESTS)}:", depth)
                self.block(depth + 1, in_loop)
                if self.random.random() < 0.5:
                    self.put("else:", depth)
                    self.block(depth + 1, in_loop)
            case "loop":
                self.put(f"for {one('ij')} in range({one(['n', '3', 'k % 5'])}):", depth)
                self.block(depth + 1, in_loop=True)
