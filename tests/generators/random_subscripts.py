"""Random programs that count, multiply and subscript, near the ends of arrays and of 64 bits.

Integers come from arguments, of which some are as large as they can be, and from the loops around;
each subscript may be outside, each sum may overflow.
"""

import random

import numpy as np

LARGE = (2**63 - 1, -(2**63), 2**62, 3037000499, 3037000500, 2**31)
SIZES = ("n", "n + 1", "n - 1", "n + 2", "m")


def arguments(rng: random.Random, number: int = 6):
    """Some arguments `(x, n, m, a, b, p)` of a program."""
    for _ in range(number):
        n, m = (np.int64(rng.randrange(0, 7)) for _ in range(2))
        a, b = (np.int64(rng.choice([rng.randrange(-8, 9), rng.choice(LARGE)])) for _ in range(2))
        p = np.int64(rng.choice([1, 2, 3, 5, 2**40, 2**63 - 1]))
        yield np.arange(1, 8), n, m, a, b, p


class Writer:
    """Writes the module of a function `f`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.counted: list[str] = []  # the variables of the loops around
        self.loops = 0

    def module(self) -> str:
        rng = self.rng
        lines = ["import numpy as np", "", "", "def f(x, n, m, a, b, p):"]
        if rng.random() < 0.5:
            lines.append("    a, b, n = int(a), int(b), int(n)")
        lines += [f"    i, j, t = {rng.choice(('0', 'a', '-1'))}, {rng.choice(('0', 'b'))}, 0"]
        lines += [f"    z = np.zeros({rng.choice(SIZES)}, np.int64)"]
        lines += self.block(1, 3)
        lines += [f"    {rng.choice(('i = i + 1', 'j = i * i', 't = t + i', 't += 1'))}"]
        lines += ["    return i, j, t, z"]
        return "\n".join(lines) + "\n"

    def block(self, depth: int, most: int) -> list[str]:
        lines = []
        for _ in range(self.rng.randrange(1, most + 1)):
            kinds = [self.change, self.read, self.write] if depth > 1 else []
            if depth < 4:
                kinds += [self.branch] + [self.count, self.steps] * (3 if depth == 1 else 1)
            lines += self.rng.choice(kinds)(depth)
        return lines

    def near(self) -> str:
        """An integer near another one, mostly near the variable of a loop."""
        rng, name = self.rng, self.rng.choice(("i", "j", "n", "a", "b", "m"))
        if self.counted and rng.random() < 0.8:
            name = rng.choice(self.counted)
        return rng.choice([name, name, name, f"{name} + 1", f"{name} + 2", f"{name} - 1"])

    def change(self, depth: int) -> list[str]:
        """A change of a variable; no variable is squared again and again, as ints would grow."""
        rng, name = self.rng, self.rng.choice(("i", "j", "t", "t"))
        how = rng.choice(["1", "16", "17", "-2", "(i > j)", self.near()])
        line = f"{name} = {name} + {how}"
        if rng.random() < 0.4:
            others = ["j = i * i", "i = i * 3", "i = j % 9", "j = j // 2", "j = 2", "t = t + j * j"]
            line = rng.choice([*others, f"i = {self.near()}"])
        return ["    " * depth + line]

    def read(self, depth: int) -> list[str]:
        return ["    " * depth + f"t = t + {self.rng.choice('xzzz')}[{self.near()}]"]

    def write(self, depth: int) -> list[str]:
        return ["    " * depth + f"z[{self.near()}] = {self.rng.choice(('t', 'i', '1'))}"]

    def branch(self, depth: int) -> list[str]:
        test = f"{self.near()} {self.rng.choice(('<', '<=', '>', '>=', '=='))} {self.near()}"
        lines = ["    " * depth + f"if {test}:", *self.block(depth + 1, 2)]
        if self.rng.random() < 0.5:
            lines += ["    " * depth + "else:", *self.block(depth + 1, 2)]
        return lines

    def inside(self, name: str, depth: int) -> list[str]:
        """The body of a loop."""
        self.counted.append(name)
        lines = self.block(depth + 1, 3)
        self.counted.pop()
        return lines

    def count(self, depth: int) -> list[str]:
        rng, name = self.rng, self.rng.choice("ij")
        bounds = rng.choice(
            ["n", "n + 1", "n - 1", "1, n", "-1, n", "n, -1, -1", "0, n, 2", "len(x)", "len(z)"]
        )
        lines = ["    " * depth + f"for {name} in range({bounds}):", *self.inside(name, depth)]
        if rng.random() < 0.2:
            lines += ["    " * (depth + 1) + "if t > 9:", "    " * (depth + 2) + "break"]
        return lines

    def steps(self, depth: int) -> list[str]:
        """A `while` whose variable grows up to a bound; the other names change in it."""
        self.loops += 1
        name, rng = f"k{self.loops}", self.rng
        start = rng.choice(["0", "0", "1", "-1", "n - 2", "p"])
        test = f"{name} {rng.choice(('<', '<='))} {rng.choice(('n', 'n', 'n + 1', 'n - 1', '5'))}"
        return [
            "    " * depth + f"{name} = {start}",
            "    " * depth + f"while {test}:",
            *self.inside(name, depth),
            "    " * (depth + 1) + f"{name} = {name} + {rng.choice(('1', '1', '2', 'p', '17'))}",
        ]
